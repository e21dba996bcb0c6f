#include "engine/given_back.h"

#include <set>

#include "engine/git_state.h"
#include "engine/recorded_before.h"
#include "engine/shown.h"
#include "engine/shown_by_id.h"

namespace pawl {
namespace {

// Is what stands there now what pawl makes of `before`, with the records as they are in the store, and nothing else?
// All records in the file count: pawl may have written it because of another one.
Result<bool> is_our_writing(const View& after, const PlannedFile& planned, const MirrorRow& row,
                            const Content& before) {
  std::set<RecordId> ids(planned.show.begin(), planned.show.end());
  for (const Shown& shown : before.shown) ids.insert(shown.id);
  std::vector<Record> records;
  for (const RecordId& id : ids) {
    PAWL_ASSIGN(Record record, after.store().load(id));
    if (!record.aside) records.push_back(std::move(record));
  }
  // What the undo leaves is what there was before it was written.
  const RecordedAfter known(after, std::string_view(*row.before));
  PAWL_ASSIGN(const auto made, planned.seen.file.format->rendered(std::string_view(*row.before), records, known));
  return made == row.bytes;
}

// Does `before` show the records as the undo leaves them?
Result<bool> shows(const View& after, const PlannedFile& planned, const Content& before) {
  bool whole = false;
  for (const Shown& shown : before.shown) {
    whole = whole || shown.whole;
    PAWL_ASSIGN(const Record record, after.load(shown.id));
    const bool here = record.present() && !record.aside;
    if (here ? !says_the_same(shown, record) : shown.whole) return false;
  }
  const ShownById by_id(before);
  for (const RecordId& id : planned.show) {
    PAWL_ASSIGN(const Record record, after.load(id));
    if (whole && record.present() && !record.aside && by_id.find(id) == nullptr) return false;
  }
  return true;
}

Result<std::optional<std::string>> given_back(const View& after, const PlannedFile& planned) {
  const std::optional<std::string> nothing;
  const MirrorFile& file = planned.seen.file;
  if (planned.seen.found != FileCase::in_step || planned.seen.displaced || planned.show.empty()) return nothing;
  PAWL_ASSIGN(auto row, after.store().mirror(file.path));
  if (!row || !row->bytes || !row->before) return nothing;
  // Of one that pawl never changed nothing is taken away either.
  if (row->before == row->bytes && planned.bytes) return nothing;
  auto before = file.format->parse(file.path, file.scope, *row->before);
  if (!before) return nothing;
  PAWL_TRY(file.format->name_records(*before, RecordedAfter(after)));
  PAWL_ASSIGN(const bool says, shows(after, planned, *before));
  if (!says) return nothing;
  PAWL_ASSIGN(const bool ours, is_our_writing(after, planned, *row, *before));
  return ours ? std::move(row->before) : nothing;
}

}  // namespace

std::optional<std::string_view> spelled_before(const PlannedFile& planned, bool undoing) {
  const std::optional<std::string>& before = planned.seen.row->before;
  if (!before || has_conflict_markers(*before)) return std::nullopt;
  const MirrorFormat& format = *planned.seen.file.format;
  if (format.is_all_in_records()) return std::nullopt;
  const bool nobodys =
      !planned.show.empty() && format.identity_of(planned.show.front()) && !format.identity_in(*before);
  if (nobodys && !undoing) return std::nullopt;
  return *before;
}

Done give_back(const View& after, PlannedFile& planned) {
  PAWL_ASSIGN(auto back, given_back(after, planned));
  if (back) planned.bytes = std::move(back);
  if (planned.bytes && !planned.members_back.empty())
    planned.bytes = planned.seen.file.format->with_members(*std::move(planned.bytes), planned.members_back);
  return done();
}

}  // namespace pawl
