#include "engine/ended_in_git.h"

#include <set>

#include "base/text.h"
#include "engine/aside.h"
#include "engine/git_state.h"
#include "engine/recorded_before.h"

namespace pawl {

Result<bool> ends_here(const View& view, const PlannedFile& planned) {
  const Sighting& seen = planned.seen;
  if (planned.show.empty() || !seen.row->bytes || !seen.file.format->identity_of(planned.show.front())) return false;
  std::vector<Record> records;
  for (const RecordId& id : std::set<RecordId>(planned.show.begin(), planned.show.end())) {
    PAWL_ASSIGN(Record record, view.load(id));
    if (record.present() && !record.aside) return false;
    // What is set aside is not in this file any more, as what has ended is not.
    records.push_back(record.aside ? absent_record(id) : std::move(record));
  }
  const RecordedBefore known(view.store(), std::string_view(*seen.row->bytes));
  PAWL_ASSIGN(const auto left, seen.file.format->rendered(std::string_view(*seen.row->bytes), records, known));
  return !left;
}

Done remove_gits(const MirrorWorld& world, PlannedFile& planned, std::int64_t now_ms) {
  const Sighting& seen = planned.seen;
  planned.new_state.clear();
  planned.notes.clear();
  planned.write_row = true;
  if (!seen.image.exists) return done();
  planned.write_file = true;
  PAWL_ASSIGN(const std::string copy, keep_aside(world, "refused", seen.file.path, seen.image.bytes, now_ms));
  planned.notes.push_back(
      cat(printable(seen.file.path),
          has_conflict_markers(seen.image.bytes) ? " had conflict markers in it" : " was changed by git",
          "; as it was it is kept in ", printable(copy)));
  return done();
}

Result<std::optional<RecordId>> ended_before(const View& view, const Sighting& seen) {
  const MirrorFormat& format = *seen.file.format;
  const bool brought = seen.found == FileCase::gits && seen.image.exists && format.keys_are_identities();
  if (!brought || has_conflict_markers(seen.image.bytes)) return std::optional<RecordId>();
  const auto content = format.parse(seen.file.path, seen.file.scope, seen.image.bytes);
  for (const Shown& shown : content ? content->shown : std::vector<Shown>{}) {
    PAWL_ASSIGN(const Record record, view.load(shown.id));
    if (!format.admits(record, shown)) return std::optional(shown.id);
  }
  return std::optional<RecordId>();
}

}  // namespace pawl
