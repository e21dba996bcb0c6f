// A file that is another one's now: what it showed before makes room, and what it shows begins there.
#include <set>

#include "base/text.h"
#include "engine/absorb.h"
#include "engine/recorded_before.h"
#include "engine/shown_by_id.h"
#include "engine/undo_hint.h"

namespace pawl {
namespace {

// What is recorded, as if some of it had made room already: what has its name now is not it.
class WithoutThese final : public KnownRecords {
 public:
  WithoutThese(Transaction& store, const std::set<RecordId>& these) : known_(store), these_(these) {}
  [[nodiscard]] Result<Record> load(const RecordId& id) const override {
    PAWL_ASSIGN(Record record, known_.load(id));
    record.aside = record.aside || these_.contains(id);
    return record;
  }
  [[nodiscard]] Result<std::vector<Record>> ranked(std::string_view kind, const std::string& from,
                                                   const std::string& below) const override {
    PAWL_ASSIGN(auto records, known_.ranked(kind, from, below));
    for (Record& record : records) record.aside = record.aside || these_.contains(record.id);
    return records;
  }

 private:
  RecordedBefore known_;
  const std::set<RecordId>& these_;
};

}  // namespace

// What goes on there keeps the name that it is known by. What begins there has the one that its own file gives it: with
// that of the one before it would be read, judged and written as that one was.
Result<Content> Absorber::read_anothers(const MirrorFile& file, const Content& base, const Content& now,
                                        std::string_view bytes) const {
  const ShownById in_now(now);
  std::set<RecordId> make_room;
  for (const Shown& shown : base.shown) {
    PAWL_ASSIGN(const Record record, current(shown.id));
    const Shown* const there = in_now.find(shown.id);
    if (there == nullptr || !file.format->goes_on(record, *there)) make_room.insert(shown.id);
  }
  PAWL_ASSIGN(Content content, file.format->parse(file.path, file.scope, bytes));
  PAWL_TRY(file.format->name_records(content, WithoutThese(store_, make_room)));
  return content;
}

Done Absorber::anothers_now(PlannedFile& planned, const Content& base, std::string_view base_bytes,
                            const Content& as_known, std::string_view now_bytes) {
  const MirrorFile& file = planned.seen.file;
  PAWL_ASSIGN(const bool kept_out, keeps_out(planned, base, as_known, now_bytes));
  if (kept_out) return done();
  PAWL_ASSIGN(const Content now, read_anothers(file, base, as_known, now_bytes));
  const ShownById in_now(now);
  const std::string take_up = file.format->taken_up_by(base);
  bool all_moved = !base.shown.empty();
  const std::size_t aside = result_.changes.size();
  for (const Shown& shown : base.shown) {
    PAWL_ASSIGN(const Record record, current(shown.id));
    const bool leaves = record.present() && !record.aside && in_now.find(shown.id) == nullptr;
    PAWL_ASSIGN(const bool moved, leaves ? goes_on_elsewhere(planned, record, shown) : Result<bool>(false));
    if (leaves && !moved) {
      change(planned, set_aside(record));
      if (const auto whose = file.format->identity_of(shown.id)) made_room_.insert_or_assign(*whose, take_up);
    }
    all_moved = all_moved && moved;
  }
  const std::size_t told = result_.notes.size();
  if (!all_moved)
    result_.notes.push_back(cat(printable(file.path), " is another one's now; what it showed before is set aside",
                                take_up.empty() ? cat(" and can be brought back with ", undo_it(aside))
                                                : cat("\n  ", take_up, "  # takes it up again")));
  planned.flagged.clear();
  PAWL_TRY(fresh(planned, now, true));
  return all_moved ? done() : keep_whole(file, base_bytes, aside, told);
}

Result<bool> Absorber::keeps_out(PlannedFile& planned, const Content& base, const Content& now,
                                 std::string_view bytes) {
  if (!accepted_by_.empty() || now.shown.empty()) return false;
  for (const Shown& shown : now.shown) {
    PAWL_ASSIGN(const Record record, current(shown.id));
    PAWL_ASSIGN(const auto why, barred(*planned.seen.file.format, record, shown));
    if (!why) return false;
  }
  for (const Shown& shown : now.shown) {
    PAWL_ASSIGN(const Record record, current(shown.id));
    PAWL_TRY(bring_in(planned, record, shown, bytes));
  }
  if (leaves_standing()) return true;  // the file is left standing
  planned.from_store = true;
  for (const Shown& shown : base.shown) planned.show.push_back(shown.id);
  return true;
}

}  // namespace pawl
