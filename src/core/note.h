// What pawl has to say, as a code with fields. Tests, programs and --json read the fields; a frontend makes sentences
// of them at the end (frontends/english). No code branches on a sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "core/record.h"

namespace pawl {

struct FileLaw;
namespace merge {
struct Conflict;
}

// Behind each code: the fields in `args`. A field in brackets may be missing.
enum class NoteCode {
  // What became of a file, by the name of the file row that decided (core/merge_rows.h).
  open,         // [process], [pid]: neither read nor written until it is closed
  moved,        // from
  stale,        // an earlier write that did not arrive is written now
  git_at_work,  // git is running: neither read nor written until it is done
  gone,         // became: "removed", "inactive" or a status. `ids` are what the file showed
  unreadable,   // why, [image], [displaced]: true for bytes that were written late
  late,         // [owner], [image]: a late write, of the previous owner
  another,      // owner, [previous]. `ids` are inactive now
  // What became of records and members.
  adopted,
  restored,
  removed,
  counter_kept,    // member, [ours], [theirs]
  member_removed,  // member
  old_copy,
  unverified,   // status, [needs]: taken although these gates are not met
  conflict,     // see note_of
  not_written,  // why: the change is stored, and its file follows with a later command
};
[[nodiscard]] std::string_view name_of(NoteCode code);
// For a file row: nullopt if nothing is said of it (same, cells) or if it ends in a conflict.
[[nodiscard]] std::optional<NoteCode> note_code_named(std::string_view name);

struct Note {
  NoteCode code;
  std::string path = {};
  std::vector<RecordId> ids = {};  // what it is about; empty: the file itself
  Json args = Json::object();
  std::int64_t operation = 0;  // that `pawl undo` takes back; 0: none
};

// A conflict as a note. Its args:
//   conflict        name of its code
//   member          of which cell; missing: the record or the file itself
//   ours, theirs    values; missing: not there
//   waits           members that wait with a refused status
//   accept, blocks  may `pawl accept` take it; does it keep `next` from its record
//   valid           statuses that the record may have (unknown_status, not_a_start) or may go to (no_move)
//   gates, needs    of the move: their names, and what they ask for (gate)
//   type, required  of the member (bad_value)
// The caller adds what it knows:
//   [ref]           what to type behind `pawl accept`; else the record, else the path
//   [in_file]       does the file still show it
//   [again]         true: it was open already
//   [image]         where the bytes are kept
//   [why]           what is damaged (unreadable); [size], [limit] in bytes (too_large); [elsewhere] the other path;
//   [pieces]        what could not be read (unread)
[[nodiscard]] Note note_of(const merge::Conflict& conflict, const FileLaw& law, std::string path,
                           std::string scope = {});

// Notes that differ only in their ids become one.
void add_note(std::vector<Note>& notes, Note note);

// {"code": …, "path": …, "ids": ["issue/42"], "operation": …, and the args}
[[nodiscard]] Json to_json(const Note& note);

}  // namespace pawl
