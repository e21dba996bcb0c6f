// Files that are not what they were: removed, damaged, or moved by git.
#include "base/shell_word.h"
#include "base/text.h"
#include "core/held_word.h"
#include "engine/absorb.h"
#include "engine/ended_in_git.h"
#include "engine/git_state.h"
#include "engine/recorded_before.h"
#include "engine/replaced.h"
#include "engine/undo_hint.h"

namespace pawl {
namespace {

// "review/a, chunk/b and 12 more"
class Names {
 public:
  void add(const RecordId& id) {
    constexpr std::size_t kMost = 4;
    if (++count_ <= kMost) text_ += cat(text_.empty() ? "" : ", ", printable(id.ref()));
    more_ = count_ > kMost ? count_ - kMost : 0;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool many() const { return count_ > 1; }
  [[nodiscard]] std::string text() const { return more_ == 0 ? text_ : cat(text_, " and ", more_, " more"); }

 private:
  std::string text_;
  std::size_t count_ = 0, more_ = 0;
};

}  // namespace

Done Absorber::missing(PlannedFile& planned, const Content& base, const std::function<bool(const RecordId&)>& is_there,
                       bool with_more) {
  const MirrorFile& file = planned.seen.file;
  // A cut file and a finding whose heading cannot be read look like this too: it is said.
  Names taken_out, put_back;
  const std::size_t first = result_.changes.size();
  for (const Shown& shown : base.shown) {
    if (is_there(shown.id)) continue;
    PAWL_ASSIGN(const Record record, current(shown.id));
    if (!record.present() || record.aside) continue;
    const bool put_back_by_rule = file.format->puts_back_missing(record);
    if (put_back_by_rule && shown.whole && takes_as_it_is(file)) {
      Change made = take_away(record, Gone{std::string(kAbsent)});
      made.what = kTakenOut;
      change(planned, std::move(made));
      taken_out.add(record.id);
    } else if (put_back_by_rule) {
      planned.show.push_back(shown.id);
      const std::string& bytes = planned.seen.image.bytes;
      if (!shown.whole && file.format->render(bytes, std::span(&record, 1)) == bytes) continue;  // nor is it missed
      put_back.add(shown.id);
    } else if (!shown.whole) {
      change(planned, take_part_away(record, shown));
    } else {
      Change made = take_away(record, file.format->gone(record));
      made.what = kTakenOut;
      change(planned, std::move(made));
      if (!file.format->is_unnamed(record)) taken_out.add(record.id);  // mended, or taken out as was asked for
    }
  }
  if (!put_back.empty()) {
    const std::string_view way_out = file.format->taken_out_by();
    result_.notes.push_back(cat(put_back.text(), put_back.many() ? " are" : " is", " missing from ",
                                printable(file.path), put_back.many() ? "; they were put back" : "; it was put back",
                                way_out.empty() ? "" : "\n  ", way_out,
                                way_out.empty() ? "" : "  # takes one out for good"));
  }
  if (!taken_out.empty()) {
    result_.notes.push_back(cat(printable(file.path), " no longer shows ", taken_out.text(), ", so that is gone\n  ",
                                undo_it(first), taken_out.many() ? " brings them back" : " brings it back",
                                with_more ? ", and takes back what else that edit changed" : ""));
  }
  return done();
}

Done Absorber::keep_dropped(const PlannedFile& planned, std::string_view base, std::string_view now,
                            std::size_t first) {
  constexpr std::size_t kMost = std::size_t{64} << 10U;  // of what goes into an event
  const MirrorFile& file = planned.seen.file;
  Json dropped = file.format->dropped(base, now);
  if (dropped.empty()) return done();
  std::string names;
  for (const Json& member : dropped) names += cat(names.empty() ? "" : ", ", in_quotes(string_or(member, "name")));
  PAWL_ASSIGN(const std::string copy, keep_aside("dropped", file, base));
  std::string note =
      cat(printable(file.path), " was changed outside pawl, and does not have ", names, " any more, or nothing in it");
  if (!copy.empty()) note += cat("; as it was before it is kept in ", printable(copy));
  if (first < result_.changes.size() && to_line(dropped).size() <= kMost) {
    result_.changes[first].evidence[std::string(kDropped)] = std::move(dropped);
    note += cat("\n  ", undo_it(first), "  # brings them back, with the rest of that change");
  }
  result_.notes.push_back(std::move(note));
  return done();
}

Done Absorber::keep_whole(const MirrorFile& file, std::string_view base, std::size_t first, std::size_t told) {
  // What shows one of several at a time is kept by whose it is (engine/spelling.h).
  if (read_only_ || file.format->identity_in(base)) return done();
  if (file.format->has_own_members()) {
    PAWL_ASSIGN(const std::string copy, keep_aside("dropped", file, base));
    result_.notes[told] += cat("; as it was the file is kept in ", printable(copy));
  }
  if (first >= result_.changes.size()) return done();
  PAWL_ASSIGN(std::string name, keep_replaced(store_, file, base));
  if (!name.empty()) result_.changes[first].evidence[std::string(kReplaced)] = std::move(name);
  return done();
}

Result<bool> Absorber::told_at_first_sight(PlannedFile& planned, const Record& record, const Shown& shown) {
  if (shown.whole || !shown.status) return false;
  PAWL_ASSIGN(const Record before, store_.load(shown.id, RecordPart::without_doc));
  if (before.present()) return false;
  const std::string status = record.held.value_or(record.status);
  if (*shown.status != status)
    result_.notes.push_back(cat(printable(planned.seen.file.path), " does not fit: ", printable(shown.id.ref()), " is ",
                                printable(status), " and not ", printable(*shown.status),
                                "; the file was left as it is"));
  return true;
}

Done Absorber::gone(PlannedFile& planned) {
  const MirrorFile& file = planned.seen.file;
  planned.restate = true;
  if (!planned.seen.base) return done();
  const auto content = read(file, *planned.seen.base);
  if (!content) return done();
  Names names;
  const std::size_t first = result_.changes.size();
  std::string became;
  std::map<std::string, std::pair<MirrorFile, std::vector<Record>>> others;  // that show some of the same
  for (const Shown& shown : content->shown) {
    PAWL_ASSIGN(const Record record, current(shown.id));
    if (!record.present() || record.aside) continue;
    if (!shown.whole) {
      if (shown.doc.empty()) continue;
      change(planned, take_part_away(record, shown));
      continue;
    }
    PAWL_ASSIGN(const bool moved, goes_on_elsewhere(planned, record, shown));
    if (moved) continue;
    const Gone gone = file.format->gone(record);
    change(planned, take_away(record, gone));
    became = gone.to == kAbsent ? std::string() : gone.to.empty() ? "set aside" : gone.to;
    names.add(record.id);
    if (gone.to != kAbsent) continue;
    for (const MirrorFile& other : files_of(world_, record.id)) {
      if (other.path == file.path) continue;
      others.try_emplace(other.path, other, std::vector<Record>())
          .first->second.second.push_back(absent_record(record.id));
    }
  }
  // One of which nothing is left without them is removed too, with what others wrote into it.
  std::string along;
  for (const auto& [path, shows] : others) {
    const auto other = sight(world_, store_, shows.first);
    if (!other || !other->image.exists) continue;
    PAWL_ASSIGN(const auto left, shows.first.format->rendered(std::string_view(other->image.bytes), shows.second,
                                                              RecordedBefore(store_)));
    if (!left) along += cat(along.empty() ? "; " : ", ", printable(path));
  }
  if (!along.empty()) along += " went too";
  if (!names.empty()) {
    const std::string end = became.empty() ? " ended with it" : cat(names.many() ? " are " : " is ", became);
    result_.notes.push_back(cat(printable(file.path), " was removed outside pawl; ", names.text(), end, along, "\n  ",
                                undo_it(first), " brings ", names.many() || !along.empty() ? "them" : "it", " back"));
  }
  return done();
}

Done Absorber::damaged(PlannedFile& planned) {
  const MirrorFile& file = planned.seen.file;
  const std::optional<std::string> good = planned.seen.row ? planned.seen.row->bytes : std::nullopt;
  if (!good) {
    // No earlier state: there is nothing to restore. It stays until something is written there, and then that is said.
    const std::string_view warning = file.format->damage_words().warning;
    if (!tells_behind_)
      planned.notes.push_back(cat(warning, warning.empty() ? "" : "\n", printable(file.path), " cannot be read: ",
                                  printable(planned.seen.damage), ". There is no earlier state of it"));
    planned.from_store = true;
    return done();
  }
  PAWL_ASSIGN(planned.damage_kept, keep_aside("damaged", file, planned.seen.image.bytes));
  planned.from_store = true;
  planned.restate = true;
  if (const auto content = read(file, *good)) {
    for (const Shown& shown : content->shown) planned.show.push_back(shown.id);
  }
  return done();
}

// What commands change meanwhile is recorded, and written when the wait is over.
void Absorber::waits(PlannedFile& planned) {
  planned.new_state = kWaits;
  planned.from_store = planned.blind = true;
  if (!tells_behind_) planned.notes.push_back(waiting_note(planned.seen));
}

Done Absorber::gits(PlannedFile& planned) {
  const MirrorFile& file = planned.seen.file;
  planned.new_state = kLeftToGit;
  planned.restate = planned.seen.row->state != kLeftToGit;
  if (tells_behind_) return done();
  const std::string path = shell_word(file.path);
  const bool conflict = has_conflict_markers(planned.seen.image.bytes);
  PAWL_ASSIGN(const auto ended, ended_before(view(), planned.seen));
  if (ended) {
    planned.notes.push_back(cat(printable(file.path), " was changed by git to a version in which ",
                                printable(ended->ref()),
                                " is under way; it has ended, and does not come back. The file is left as it is\n  to "
                                "write pawl's version: pawl restore ",
                                path));
    return done();
  }
  planned.notes.push_back(cat(
      printable(file.path), conflict ? " has conflict markers in it" : " was changed by git",
      "; it is left as it is, and pawl keeps what it knows\n  ",
      conflict ? std::string("resolve them there; then, to take it: ") : "to take the file's version: ", "pawl accept ",
      path, "\n  to write pawl's version:   pawl restore ", path));
  return done();
}

}  // namespace pawl
