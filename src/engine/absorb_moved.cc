// A file that somebody moved to another place of its format: a tool's new version keeps its state elsewhere. Where a
// key is one thing's, whatever file it stands in, what the file showed goes on at the new place; nothing has ended, and
// nothing begins.
//
// Either of the two places may be looked at first. Whoever finds that a file does not show a record any more asks where
// it stands by now, and looks there; whoever finds one where it was not asks where it was before, and looks there. The
// record that leaves is left on its way for the one that comes, and the two are changes of one operation.
#include <algorithm>

#include "base/text.h"
#include "engine/absorb.h"
#include "engine/found_apart.h"

namespace pawl {
namespace {

bool shows_key(const MirrorFile& file, std::string_view bytes, const RecordId& id) {
  const auto content = file.format->parse(file.path, file.scope, bytes);
  return content && std::any_of(content->shown.begin(), content->shown.end(),
                                [&](const Shown& shown) { return shown.id.kind == id.kind && shown.id.key == id.key; });
}

}  // namespace

// A file that showed it before, too, is a copy, and not where it went.
Result<std::optional<MirrorFile>> Absorber::moved_to(const MirrorFile& from, const RecordId& id) const {
  if (!from.format->keys_are_identities()) return std::optional<MirrorFile>();
  Folders folders(*world_.roots);
  std::vector<Error> left_out;
  PAWL_ASSIGN(const auto files, files_of(world_, store_, *from.format, folders, &left_out));
  for (const MirrorFile& file : files) {
    if (file.path == from.path) continue;
    const auto seen = sight(world_, store_, file);
    if (!seen || (seen->found != FileCase::fresh && seen->found != FileCase::edited)) continue;
    if (shows_key(file, seen->image.bytes, id) && !(seen->base && shows_key(file, *seen->base, id)))
      return std::optional(file);
  }
  return std::optional<MirrorFile>();
}

Result<bool> Absorber::goes_on_elsewhere(PlannedFile& planned, const Record& record, const Shown& base) {
  PAWL_ASSIGN(const auto there, moved_to(planned.seen.file, record.id));
  if (!there) return false;
  Shown was = base;
  // What stood there against its lifecycle counts as written where it comes to.
  if (planned.flagged.contains(record.id)) was.status = record.held.value_or(record.status);
  on_its_way_.insert_or_assign(record.id.ref(), OnItsWay{record, std::move(was), planned.seen.file.path});
  Change left = take_away(record, Gone{std::string(kAbsent)});
  left.what = kMovedAway;
  change(planned, std::move(left));
  PAWL_TRY(look(*there));
  return true;
}

Result<const Absorber::OnItsWay*> Absorber::comes_from_elsewhere(const Shown& shown) {
  const Lifecycle& lifecycle = *world_.lifecycles->find(shown.id.kind);
  const OnItsWay* const none = nullptr;
  if (std::none_of(lifecycle.formats.begin(), lifecycle.formats.end(),
                   [](const MirrorFormat* format) { return format->keys_are_identities(); }))
    return none;
  PAWL_ASSIGN(const auto ids, store_.find_key(shown.id.key));
  for (const RecordId& id : ids) {
    if (id.kind != shown.id.kind || id.scope == shown.id.scope) continue;
    PAWL_ASSIGN(const Record elsewhere, current(id));
    if (!elsewhere.present() || elsewhere.aside) continue;
    for (const MirrorFile& file : files_of(world_, id)) {
      if (result_.files.contains(file.path)) continue;
      const auto seen = sight(world_, store_, file);
      const bool left = seen && (seen->found == FileCase::gone ||
                                 (seen->found == FileCase::edited && !shows_key(file, seen->image.bytes, id)));
      if (left) PAWL_TRY(look(file));
    }
  }
  const auto found = on_its_way_.find(shown.id.ref());
  return found == on_its_way_.end() ? none : &found->second;
}

// Under the rules for edits: whoever moves it may change it, and not what no edit changes.
Done Absorber::goes_on_here(PlannedFile& planned, const Record& before, const OnItsWay& moved, const Shown& shown,
                            std::string_view bytes) {
  const Lifecycle& lifecycle = *world_.lifecycles->find(shown.id.kind);
  Record back = moved.was;
  back.id = before.id;
  back.revision = before.revision;
  back.aside = false;
  Shown base = moved.base;
  base.id = before.id;
  PAWL_ASSIGN(const OutsideRules rules, rules_for(shown.id));
  TakenOver taken;
  take_over_edit(lifecycle, *planned.seen.file.format, back, base, shown, rules, taken);
  if (taken.changes.empty()) taken.changes.push_back(Change{before, back, "moved here", Json(), false});
  taken.changes.front().before = before;
  result_.notes.push_back(cat(printable(moved.from), " was moved to ", printable(planned.seen.file.path), "; ",
                              printable(shown.id.ref()), " is kept there now"));
  on_its_way_.erase(shown.id.ref());  // a second file of it is a copy
  for (Change& made : taken.changes) change(planned, std::move(made));
  for (const Refusal& refusal : taken.refusals) PAWL_TRY(refuse(planned, refusal, bytes));
  return done();
}

}  // namespace pawl
