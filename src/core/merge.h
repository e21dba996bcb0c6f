// The merge: what an outside change becomes. Agents, editors, other tools and git write the same files as pawl. This
// compares what a file shows now (theirs) with what the store knows (ours) and with what the writer started from
// (base), cell by cell. A cell is a member of a record; presence and status are cells too. Each cell is decided by the
// first row of a table whose condition holds (core/merge_rows.h). What is not taken becomes a conflict. Pure: no files,
// store, clock or English.
//
// One look at a path:
//   1. judge_file says what becomes of the whole file, as a row and an act;
//   2. row `cells`: merge_file chooses the base and merges. Row `another`: merge without a base.
//      Row `gone`: gone(record) for each active record;
//   3. the engine stores the outcome's records, conflicts and notes. is_left_in_file and survives_write say which
//      conflicts the file goes on showing.
//
// Values are compared as JSON text: 1 and 1.0 differ, the order of an object's members does not count.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.h"
#include "core/file_law.h"
#include "core/note.h"

namespace pawl::merge {

inline constexpr std::string_view kFileKey = "/";  // the key of the file itself
inline constexpr std::string_view kPresence = "";  // the cell that says whether a record is there
inline constexpr std::string_view kStatus = "status";

// ---- what is merged

// One record as a file shows it. A codec puts the default in the place of a missing or null status (status_meant).
struct Entry {
  std::string key, kind;
  Json status;  // a file may say anything
  Json members = Json::object();
};

struct Content {
  std::string owner;
  std::vector<Entry> entries;       // in file order; keys are unique
  Json file = Json::object();       // the file's own members
  std::vector<std::string> unread;  // pieces that could not be read
  // The key of each piece in file order, "" for a piece that could not be read; empty if every key is in its record.
  std::vector<std::string> pieces = {};
};

enum class State { active, inactive, removed };
enum class RemovedBy { nobody, command, outside };

// A record as the store knows it. A removed one keeps its last values.
struct OurRecord {
  Entry entry;
  State state = State::active;
  bool unverified = false;  // its status was taken without all gates, or without a move
  RemovedBy removed_by = RemovedBy::nobody;
};

// What the store knows of the owner that the file shows now.
struct Ours {
  std::vector<OurRecord> records;  // at this path, inactive and removed ones too
  Json file = Json::object();      // the file's own members
  std::vector<std::string> order;  // keys as the file showed them
  std::optional<Json> last_shown;  // the file's own members when it last was this owner's; nullopt: a new owner
};

enum class Gates { require, record };
enum class Outside { restore, flag };

struct Policy {
  bool take_whole = false;  // accept a file, come back after `leave`
  Gates gates = Gates::require;
  Outside outside = Outside::restore;
  bool first_look = false;  // of the workspace: new records may have any known status
};

// The records of the owner as the edit leaves them so far, inactive and removed ones too.
using Records = std::unordered_map<std::string_view, const OurRecord*>;
using GateMet = std::function<bool(const OurRecord& before, std::string_view gate, const Json& members_after,
                                   const Records& siblings)>;

struct Look {
  const FileLaw& law;
  const Ours& ours;
  const Content& theirs;
  Policy policy = {};
  GateMet gate_met = {};                                    // empty: no gate is met
  std::set<std::string, std::less<>> known_elsewhere = {};  // keys of identities that other paths have
};

// ---- what comes of it

// What a row does with what it decides. go_on leads from the file to presence rows, from there to member rows.
enum class Act {
  wait,
  move_records,
  write_back,
  keep_image,
  on_gone,
  on_damage,
  change_owner,  // the file
  on_missing,
  adopt,
  resume,  // a record
  keep,
  keep_and_note,
  take,
  take_unverified,
  conflict,
  go_on  // any
};

struct Verdict {
  std::string_view row;
  Act act;

  [[nodiscard]] bool takes() const { return act == Act::take || act == Act::take_unverified; }
};

enum class Code {
  unknown_status,
  no_move,
  gate,
  not_a_start,
  ended,
  elsewhere,
  removed,
  pawls,
  bad_value,
  unread,
  git,
  markers,
  too_large,
  unreadable
};
[[nodiscard]] std::string_view name_of(Code code);
[[nodiscard]] std::optional<Code> code_named(std::string_view name);

struct Waiting {
  std::string member;
  std::optional<Json> theirs;  // nullopt: removed
};

// A change that was not taken. The value of a presence cell is value_of the record.
struct Conflict {
  std::string key, kind, member;     // of the file itself: kFileKey, no kind
  std::optional<Json> ours, theirs;  // nullopt: not there
  Code code;
  std::vector<Waiting> group = {};  // members that wait with a refused status
};

// The caller adds the path, and makes a pawl::Note of it.
struct Note {
  NoteCode code;
  std::string key, member = {};
};

struct RowHit {
  std::string key, member;
  Verdict row;
};

struct Outcome {
  std::vector<OurRecord> records;  // changed ones, as they are now
  std::vector<Conflict> conflicts;
  std::vector<Note> notes;
  std::vector<RowHit> rows;  // of every cell that was not just kept
  Json file = Json::object();
  std::vector<std::string> order;
};

// ---- the whole file

enum class Damage { none, unreadable, markers, too_large };
enum class GitState { none, brought, at_work };  // brought: or removed

// What a look finds at a path: the file, or an inode that an exchange displaced. `before` is what the file showed
// before a write that never arrived, or before the exchange.
struct FileCase {
  bool exists = true;
  bool in_use = false;            // somebody has it open for writing
  bool moved_here = false;        // the records of an identity that is gone at another path
  bool displaced = false;         // an inode that an exchange moved aside
  bool equals_newest = false;     // the newest baseline; also if there is neither
  bool equals_before = false;     // also if there was no file before, and there is none
  bool before_is_theirs = false;  // `before` is known, and belongs to the owner that the bytes show
  GitState git = GitState::none;
  Damage damage = Damage::none;
  bool another = false;   // is_another_owner
  bool all_over = false;  // only asked if `another`
  bool take_whole = false;
};

struct Tables;  // core/merge_rows.h
[[nodiscard]] const Tables& all_tables();

[[nodiscard]] Verdict judge_file(const FileCase& found, const Tables& tables = all_tables());

// Would every record of theirs still be over if theirs were taken?
[[nodiscard]] bool all_over(const FileLaw& law, std::span<const OurRecord> ours, const Content& theirs);

// `shown`: what the newest baseline of the active owner shows.
[[nodiscard]] bool is_another_owner(const FileLaw& law, const Content& shown, const Content& theirs);

// An active record whose file was removed.
[[nodiscard]] OurRecord gone(const FileLaw& law, OurRecord record);

// ---- its cells

struct Baseline {
  const Content* content;
  bool by_command = false;  // a command wrote it: it shows more than outside changes
};

// The baseline that theirs' writer started from; nullptr: there is none. `known`: of theirs' owner, oldest first.
[[nodiscard]] const Content* choose_base(std::span<const Baseline> known, const Content& theirs);

[[nodiscard]] Outcome merge_file(const Look& look, std::span<const Baseline> known,
                                 const Tables& tables = all_tables());

// Without a base every record goes through the presence rows.
[[nodiscard]] Outcome merge(const Look& look, const Content* base, const Tables& tables = all_tables());

using Order = std::vector<std::string>;
[[nodiscard]] Order order_of(const Content& content);
// Theirs, if it reordered known records or has new ones; else ours.
[[nodiscard]] Order merge_order(const Content& base, const Content& theirs, const Order& ours);
// The order of `first`; a key that only `second` has stands behind its nearest predecessor there.
[[nodiscard]] Order weave(const Order& first, const Order& second);

// What a status member means: the default, where it is missing or null.
[[nodiscard]] Json status_meant(const KindLaw& law, const Json* spelled);
// Status and members as one object.
[[nodiscard]] Json value_of(const Entry& entry);

// ---- questions about a conflict

[[nodiscard]] bool leaves_file_alone(Code code);  // git, markers, too_large: pawl does not write the file
[[nodiscard]] bool is_of_whole_file(Code code);   // those, and unreadable: no cell was read
// May `pawl accept` take theirs? Gates and reasons are asked for when it does.
[[nodiscard]] bool can_be_accepted(const FileLaw& law, const Conflict& conflict);
// Nobody has given the record the status that it has.
[[nodiscard]] bool blocks(const Conflict& conflict);
// Does the file still show theirs when the conflict is opened? `found`: at the first look at this path.
[[nodiscard]] bool is_left_in_file(const Conflict& conflict, const Policy& policy, bool found, bool displaced);
// Does a conflict that is left in the file stay there through the next write?
[[nodiscard]] bool survives_write(const Conflict& conflict, Outside outside);

// ---- undo: a merge as well

struct Reverted {
  bool refused = false;             // a later change is on one of the cells
  std::optional<OurRecord> record;  // nullopt: it came under this owner's name with the operation
};

// Puts back every cell that an operation changed from `before` to `after`; nullptr: no record.
[[nodiscard]] Reverted revert(const OurRecord* before, const OurRecord* after, const OurRecord* now);
// The same of members alone, such as the file's own; nullopt: refused.
[[nodiscard]] std::optional<Json> revert_members(const Json& before, const Json& after, const Json& now);

}  // namespace pawl::merge
