// What a file shows and pawl does not have there: new, set aside, gone by the file, or taken out by pawl itself a
// moment ago.
#include <algorithm>
#include <limits>

#include "base/text.h"
#include "engine/absorb.h"
#include "engine/refused_parts.h"
#include "engine/shown.h"

namespace pawl {

// Would `pawl accept` of the same bytes get further? It lifts the table's gates, not the moves themselves, nor a gate
// of the record's own.
Result<bool> Absorber::would_accept(const Refusal& refusal) const {
  PAWL_ASSIGN(const Record record, current(refusal.id));
  const Lifecycle& lifecycle = *world_.lifecycles->find(refusal.id.kind);
  if (!record.present()) {  // what was barred stays so where a name is one thing's
    return std::none_of(lifecycle.formats.begin(), lifecycle.formats.end(),
                        [](const MirrorFormat* format) { return format->keys_are_identities(); });
  }
  PAWL_ASSIGN(const OutsideRules rules, rules_for(refusal.id));
  if (refusal.of_status && rules.beside && rules.beside->to == refusal.written && !rules.record_gates) return false;
  const Machine& machine = *lifecycle.machine;
  if (record.held) return refusal.of_status && machine.status(refusal.written) != nullptr;
  return !record.aside && machine.move(record.status, refusal.written) != nullptr;
}

Done Absorber::bring_in(PlannedFile& planned, const Record& before, const Shown& shown, std::string_view bytes) {
  const MirrorFormat& format = *planned.seen.file.format;
  PAWL_ASSIGN(const OnItsWay* const moved, comes_from_elsewhere(shown));
  if (moved != nullptr) return goes_on_here(planned, before, *moved, shown, bytes);
  // A person's word stands for what a move needs. It is no way back for what has ended, where a name is one thing's.
  if (accepted_by_.empty() || format.keys_are_identities()) {
    PAWL_ASSIGN(const auto why, barred(format, before, shown));
    if (why)
      return refuse(planned, {shown.id, shown.status.value_or(""), std::string(state_of(before)), *why, true, {}, true},
                    bytes);
  }
  PAWL_ASSIGN(const OutsideRules rules, rules_for(shown.id));
  const bool gated = rules.beside && shown.status == rules.beside->to && before.status != *shown.status;
  if (before.present() && before.aside && (gated || format.goes_on(before, shown)))
    return take_up_again(planned, before, before, shown, bytes);
  if (!before.present() && accepted_by_.empty() && format.identity_of(shown.id)) {
    PAWL_ASSIGN(const auto then, removed_by_file(before));
    if (then && format.goes_on(*then, shown)) return take_up_again(planned, before, *then, shown, bytes);
  }
  // What other records show keeps nothing out: of a store that was lost only the files tell.
  if (gated && !before.present() && !rules.beside->kept.empty())
    return come_in_by_gate(planned, before, shown, rules, bytes);
  return adopt_one(planned, before, shown);
}

Done Absorber::come_in_by_gate(PlannedFile& planned, const Record& before, const Shown& shown,
                               const OutsideRules& rules, std::string_view bytes) {
  MoveRequest request;
  request.to = *shown.status;
  request.doc = shown.doc;
  request.what = "adopted";
  request.record_gates = rules.record_gates;
  request.one_more_gate = rules.beside->gate;
  auto made = decide_move(*world_.lifecycles->find(shown.id.kind)->machine, before, std::move(request));
  if (made) {
    tell_edit(planned, std::nullopt, *made);
    change(planned, std::move(*made));
    return done();
  }
  made.error().hint = rules.beside->hint;
  return refuse(planned, {shown.id, *shown.status, std::string(state_of(before)), made.error(), true, {}, true}, bytes);
}

// As it stood when somebody took its file away, if that is how it went.
Result<std::optional<Record>> Absorber::removed_by_file(const Record& gone) const {
  if (gone.revision == 0) return std::optional<Record>();
  PAWL_ASSIGN(const auto last, store_.event_at(gone.id, std::numeric_limits<std::int64_t>::max()));
  if (!last || last->after.present()) return std::optional<Record>();
  PAWL_ASSIGN(const auto operation, store_.operation(last->operation));
  if (!operation || !operation->outside) return std::optional<Record>();
  PAWL_ASSIGN(auto earlier, store_.event_before(gone.id, last->id));
  if (!earlier || !earlier->after.present()) return std::optional<Record>();
  return std::optional(std::move(earlier->after));
}

// Whoever takes the file away and writes it again has not made it forget where its records stood.
Done Absorber::take_up_again(PlannedFile& planned, const Record& before, const Record& then, const Shown& shown,
                             std::string_view bytes) {
  const Lifecycle& lifecycle = *world_.lifecycles->find(shown.id.kind);
  Record back = then;
  back.aside = false;
  back.revision = before.revision;
  PAWL_ASSIGN(const OutsideRules rules, rules_for(shown.id));
  TakenOver taken;
  take_over_edit(lifecycle, *planned.seen.file.format, back, as_shown(back), shown, rules, taken);
  if (taken.changes.empty()) taken.changes.push_back(Change{before, back, "taken up again", Json(), false});
  taken.changes.front().before = before;
  for (Change& made : taken.changes) change(planned, std::move(made));
  for (const Refusal& refusal : taken.refusals) PAWL_TRY(refuse(planned, refusal, bytes));
  return done();
}

// A command took it out and was killed before that came into the file, or somebody wrote in that very moment: the file
// shows what it showed before, and nobody asks for it again.
bool Absorber::never_taken_out(const PlannedFile& planned, const Record& record, const Shown* known,
                               const Shown& shown) const {
  const bool ours_is_newer = planned.seen.unwritten || planned.seen.displaced;
  return accepted_by_.empty() && ours_is_newer && !record.present() && known != nullptr &&
         known->status == shown.status && known->doc == shown.doc;
}

// Wishes for what is set aside are not fulfilled behind its back, nor lost.
Done Absorber::leave_to_those_aside(PlannedFile& planned, const std::vector<Shown>& parts, std::string_view bytes) {
  if (parts.empty()) return done();
  const MirrorFile& file = planned.seen.file;
  std::string wishes;
  for (const Shown& part : parts)
    wishes +=
        cat(wishes.empty() ? "" : ", ", printable(part.id.ref()), " (“", printable(part.status.value_or("")), "”)");
  const std::string said = cat(wishes, parts.size() == 1 ? " is" : " are", " set aside");
  if (!accepted_by_.empty())
    return fail(ErrorCode::illegal_move, cat(said, ", and cannot be changed in ", printable(file.path)));
  PAWL_ASSIGN(const std::string copy, keep_aside("refused", file, bytes));
  planned.of_one_aside = parts.front().id;
  if (!copy.empty()) {
    KeptRefusals& kept = planned.refused ? *planned.refused : planned.refused.emplace();
    kept.copy = copy;
    kept.mark = mark_of_copy(bytes);
    kept.acceptable = false;
    for (const Shown& part : parts) kept.refusals.push_back({part.id, part.status.value_or(""), {}, {}});
  }
  result_.notes.push_back(cat(printable(file.path), " was changed outside pawl: ", said,
                              ". Nothing of it was taken over",
                              copy.empty() ? std::string() : cat("; what was written is in ", printable(copy))));
  return done();
}

}  // namespace pawl
