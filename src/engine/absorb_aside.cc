// Somebody wrote into a file that one was about to leave to another: pawl was killed before the other's content came
// into it, or they wrote in that very moment. What they wrote belongs to the one that has left, which stays set aside.
#include "engine/absorb.h"
#include "engine/known_bytes.h"
#include "engine/recorded_before.h"
#include "engine/shown.h"
#include "engine/shown_by_id.h"

namespace pawl {

Result<Content> Absorber::read_now(const MirrorFile& file, std::string_view bytes) const {
  if (!file.format->shows_parts_only()) return read(file, bytes);
  PAWL_ASSIGN(Content content, file.format->parse(file.path, file.scope, bytes));
  PAWL_TRY(file.format->name_records(content, RecordedAfter(view())));
  return content;
}

Result<Content> Absorber::read_base(const MirrorFile& file, std::string_view bytes) const {
  if (!file.format->shows_parts_only()) return read(file, bytes);
  PAWL_ASSIGN(Content content, file.format->parse(file.path, file.scope, bytes));
  PAWL_TRY(file.format->name_records(content, RecordedBefore(store_, std::nullopt, &result_.overlay)));
  return content;
}

void Absorber::show_ours(PlannedFile& planned) const {
  const Sighting& seen = planned.seen;
  if (!seen.row || !seen.row->bytes) return;
  const auto ours = read(seen.file, *seen.row->bytes);
  for (const Shown& shown : ours ? ours->shown : std::vector<Shown>{}) planned.show.push_back(shown.id);
}

// The same, with what came in since: nothing was written there meanwhile.
void Absorber::show_known(PlannedFile& planned) const {
  const Sighting& seen = planned.seen;
  if (seen.row && !seen.row->bytes && seen.row->state == kLeftToGit) {
    const auto back = back_without_file(world_, view(), seen.file);
    if (back) planned.show.insert(planned.show.end(), back->begin(), back->end());
  }
  if (!seen.row || !seen.row->bytes) return;
  const auto known = known_in(world_, view(), seen.file, *seen.row->bytes);
  if (known) planned.show.insert(planned.show.end(), known->begin(), known->end());
  if (auto unknown = unknown_in(store_, seen.file, *seen.row->bytes)) planned.taken_out.merge(*unknown);
}

bool Absorber::takes_as_it_is(const MirrorFile& file) const {
  return !accepted_by_.empty() && !substitutes_.contains(file.path);
}

bool Absorber::makes_room(const PlannedFile& planned, const std::optional<std::string>& base,
                          std::string_view now) const {
  const Sighting& seen = planned.seen;
  if (!accepted_by_.empty() || !base || !seen.row || !seen.row->bytes) return false;
  const auto comes = seen.file.format->identity_in(*seen.row->bytes), goes = seen.file.format->identity_in(now);
  return comes && goes && comes != goes && seen.file.format->identity_in(*base) == goes;
}

Done Absorber::edited_aside(PlannedFile& planned, std::string_view base_bytes, std::string_view now_bytes) {
  const MirrorFile& file = planned.seen.file;
  const auto now = read(file, now_bytes);
  if (!now) {  // it was damaged on its way out: what pawl knows of it is whole
    PAWL_TRY(keep_aside("damaged", file, now_bytes));
    show_ours(planned);
    return done();
  }
  PAWL_ASSIGN(const Content base, read(file, base_bytes));
  const ShownById in_base(base), in_now(*now);
  PAWL_ASSIGN(const bool believed, believes(planned));
  TakenOver taken;
  for (const Shown& shown : now->shown) {
    PAWL_ASSIGN(const Record record, current(shown.id));
    const Shown* const known = in_base.find(shown.id);
    const Lifecycle& lifecycle = *world_.lifecycles->find(shown.id.kind);
    if (record.present()) {
      PAWL_ASSIGN(const OutsideRules rules, rules_for(shown.id));
      take_over_edit(lifecycle, *file.format, record, known != nullptr ? *known : as_shown(record), shown, rules,
                     taken);
    } else if (shown.whole && known == nullptr) {
      taken.changes.push_back(adopt(lifecycle, record, shown, believed));
    }
  }
  for (const Shown& shown : base.shown) {
    if (!shown.whole || in_now.find(shown.id) != nullptr) continue;
    PAWL_ASSIGN(const Record record, current(shown.id));
    if (record.present()) taken.changes.push_back(take_away(record, file.format->gone(record)));
  }
  for (Change& made : taken.changes) {
    made.after.aside = made.after.present();
    tell_when(*file.format, made);
    change(planned, std::move(made));
  }
  planned.leaves = std::string(now_bytes);
  for (const Refusal& refusal : taken.refusals) PAWL_TRY(refuse(planned, refusal, now_bytes));
  show_ours(planned);
  return done();
}

}  // namespace pawl
