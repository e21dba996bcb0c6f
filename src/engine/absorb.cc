#include "engine/absorb.h"

#include <algorithm>

#include "base/shell_word.h"
#include "base/text.h"
#include "core/held_word.h"
#include "engine/aside.h"
#include "engine/found_apart.h"
#include "engine/git_state.h"
#include "engine/known_bytes.h"
#include "engine/old_copy.h"
#include "engine/outside_rules.h"
#include "engine/project.h"
#include "engine/recorded_before.h"
#include "engine/refused_parts.h"
#include "engine/same_list.h"
#include "engine/shown.h"
#include "engine/shown_by_id.h"
#include "engine/told_apart.h"
#include "engine/undo_hint.h"

namespace pawl {
namespace {

// It says which option is missing, and not of which command: none was typed.
bool lacks_reason(const Refusal& refusal) {
  return refusal.why.code == ErrorCode::gate_failed && refusal.why.hint.find("--reason") != std::string::npos;
}

}  // namespace

void Absorber::substitute(const std::string& path, std::string bytes) {
  snapshot_.substitute(path, bytes);
  substitutes_[path] = std::move(bytes);
}

Result<Record> Absorber::current(const RecordId& id) const {
  const auto found = result_.overlay.find(id);
  if (found != result_.overlay.end()) return found->second;
  return store_.load(id);
}

Result<OutsideRules> Absorber::rules_for(const RecordId& id) const {
  return outside_rules(world_, view(), id, accepted_by_, by_git_);
}

void Absorber::lay_over(const Change& made) {
  Record after = made.after;
  after.revision = made.before.revision + 1;
  result_.overlay.insert_or_assign(after.id, std::move(after));
}

void Absorber::change(PlannedFile& planned, Change made) {
  made.after.rank = rank_of(*world_.lifecycles, made.after);
  planned.show.push_back(made.before.id);
  if (came_in_just_now(made)) return;
  lay_over(made);
  result_.changes.push_back(std::move(made));
  found_in_.push_back(planned.seen.file.path);
}

// What several files show of one that comes in comes in with it, as one change: it was not there before any of them.
bool Absorber::came_in_just_now(const Change& made) {
  if (!result_.overlay.contains(made.before.id)) return false;
  for (std::size_t i = 0; i < result_.changes.size(); ++i) {
    Change& came = result_.changes[i];
    if (came.before.id != made.before.id) continue;
    const Record &is = came.after, &becomes = made.after;
    const bool only_more = is.status == becomes.status && is.held == becomes.held && !becomes.aside &&
                           !made.unverified && made.evidence.empty();
    if (came.what != kAdopted || came.before.present() || !only_more) return false;
    added_to_.emplace_back(i, came);
    came.after = becomes;
    lay_over(came);
    return true;
  }
  return false;
}

Result<std::string> Absorber::keep_aside(std::string_view folder, const MirrorFile& file, std::string_view bytes) {
  return read_only_ ? std::string() : pawl::keep_aside(world_, folder, file.path, bytes, now_ms_);
}

void Absorber::tell_edit(PlannedFile& planned, std::optional<std::string_view> base, Change& made) {
  const MirrorFile& file = planned.seen.file;
  if (made.unverified) result_.notes.push_back(cat(printable(file.path), ": ", unverified_in_words(made)));
  if (const std::string told = file.format->tells_of(made.before, made.after); !told.empty())
    planned.told[told].push_back(printable(made.after.id.ref()));
  constexpr std::size_t kMost = std::size_t{64} << 10U;  // of what goes into an event
  Json spelled = base ? file.format->as_written(*base, made.before, made.after) : Json::array();
  if (!spelled.empty() && to_line(spelled).size() <= kMost) made.evidence[std::string(kAsWritten)] = std::move(spelled);
}

// Of a list that lost the same in each of five hundred it is said once.
void Absorber::tell_edits(const PlannedFile& planned) {
  constexpr std::size_t kMost = 3;
  for (const auto& [what, refs] : planned.told) {
    std::string names;
    for (std::size_t i = 0; i < refs.size() && i < kMost; ++i) names += cat(i == 0 ? "" : ", ", refs[i]);
    if (refs.size() > kMost) names += cat(" and ", refs.size() - kMost, " more");
    result_.notes.push_back(cat(printable(planned.seen.file.path), " was changed outside pawl: ", names, ": ", what,
                                "\n  ", undo_it(result_.changes.size() - 1), "  # takes that change back"));
  }
}

// When it was changed before stands in the file, or nowhere: this is when somebody was seen at it.
void Absorber::tell_when(const MirrorFormat& format, Change& made) const {
  if (!made.before.present() || !made.after.present()) return;
  // What came in just now is as old as its files say.
  if (result_.overlay.contains(made.before.id) &&
      std::any_of(result_.changes.begin(), result_.changes.end(),
                  [&](const Change& one) { return one.before.id == made.before.id && !one.before.present(); }))
    return;
  Json doc = made.after.doc;
  format.tell_when(made.before, doc, now_ms_);
  made.after.doc = Doc(std::move(doc));
}

// Of one among many it is said which.
std::string Absorber::in_words(const Refusal& refusal) const {
  const bool named = refusal.why.message.find(printable(refusal.id.key)) != std::string::npos ||
                     world_.lifecycles->find(refusal.id.kind)->of_a_session;
  return cat(named ? std::string() : cat(printable(refusal.id.ref()), ": "), refusal.why.message);
}

Error Absorber::not_taken_as_it_is(const PlannedFile& planned, const Refusal& refusal) const {
  const MirrorFile& file = planned.seen.file;
  // A copy is none that is written over; what it said is in it still.
  if (!takes_as_it_is(file)) return {refusal.why.code, in_words(refusal), refusal.why.hint};
  // What is barred as a whole is mended by nothing that could be written there.
  return {refusal.why.code, cat(printable(file.path), " cannot be taken as it is: ", in_words(refusal)),
          cat(refusal.why.hint, refusal.why.hint.empty() ? "" : "\n",
              refusal.whole ? std::string() : cat("mend that in ", printable(file.path), " and accept it then; or:\n"),
              "pawl restore ", shell_word(file.path), "  # writes pawl's version")};
}

Done Absorber::refuse(PlannedFile& planned, const Refusal& refusal, std::string_view bytes) {
  const MirrorFile& file = planned.seen.file;
  // Somebody asked for just this: then it is an answer, not a note.
  if (!accepted_by_.empty()) return tl::unexpected(not_taken_as_it_is(planned, refusal));
  // What is on its way out of the file stands nowhere.
  const bool flag = refusal.of_status && leaves_standing() && !planned.leaves;
  std::string note = cat(printable(file.path), " was changed outside pawl: ", in_words(refusal), ". ");
  if (flag) {
    planned.flagged[refusal.id] = {refusal.written, refusal.whole || file.format->shows_parts_only()};
    planned.new_state = kFlagged;
    planned.restate = true;
    note += cat("It was left standing; pawl keeps “", printable(refusal.kept), "”");
  } else {
    // One copy for all that is refused of it.
    PAWL_ASSIGN(const std::string copy,
                planned.refused ? Result<std::string>(planned.refused->copy) : keep_aside("refused", file, bytes));
    note += refusal.kept == kAbsent ? std::string("It was taken out again")
                                    : cat("“", printable(refusal.kept), "” was put back");
    PAWL_ASSIGN(const bool acceptable, would_accept(refusal));
    if (!copy.empty()) {
      note += cat("; what was written is in ", printable(copy));
      if (!planned.refused) planned.refused.emplace(KeptRefusals{copy, mark_of_copy(bytes), {}});
      planned.refused->refusals.push_back(refusal);
      planned.refused->acceptable = planned.refused->acceptable && acceptable;
      planned.refused->note = result_.notes.size();
    }
    if (planned.taken.contains(refusal.id)) note += "; the rest of that edit was taken over";
  }
  // Where a reason is what is missing, the command that takes it over says where that goes.
  const bool said_below = !flag && planned.refused && planned.refused->acceptable && lacks_reason(refusal);
  if (!refusal.why.hint.empty() && !said_below) {
    PAWL_ASSIGN(const std::string hint,
                told_apart(View(store_, *world_.lifecycles), *world_.lifecycles, refusal.id, refusal.why.hint));
    for (const std::string_view line : split(hint, '\n')) note += cat("\n  ", line);
  }
  result_.notes.push_back(std::move(note));
  result_.refusals.push_back(refusal);
  planned.show.push_back(refusal.id);
  return done();
}

Done Absorber::keep_refused(const PlannedFile& planned) {
  if (!planned.refused) return done();
  const KeptRefusals& kept = *planned.refused;
  const bool reason = std::any_of(kept.refusals.begin(), kept.refusals.end(), [&](const Refusal& one) {
    return one.of_status && takes_reason(*world_.lifecycles, one.id, one.kept, one.written);
  });
  if (kept.acceptable)
    result_.notes[kept.note] += cat("\n  to take it over after all: pawl accept ", printable(kept.copy),
                                    reason ? " --reason TEXT  # says why" : "");
  return keep_parts(store_, planned.seen.file.path, kept.copy, kept.mark, kept.refusals);
}

Result<Content> Absorber::read(const MirrorFile& file, std::string_view bytes) const {
  return content_of(file, store_, bytes);
}

Result<Content> Absorber::content_before(const PlannedFile& planned, const Content& written) const {
  const MirrorFile& file = planned.seen.file;
  if (!planned.seen.row || !planned.seen.row->before) return Content{};
  auto parsed = read(file, *planned.seen.row->before);
  if (!parsed) return Content{};
  PAWL_ASSIGN(const auto refused, put_back_from(store_, file.path, *planned.seen.row->before));
  if (refused.empty()) return *std::move(parsed);
  const ShownById in_written(written);
  std::map<RecordId, Shown*> earlier;
  for (Shown& shown : parsed->shown) earlier.emplace(shown.id, &shown);
  for (const RefusedPart& part : refused) {
    const auto found = earlier.find(part.id);
    const Shown* const stays = found == earlier.end() ? nullptr : in_written.find(part.id);
    if (stays != nullptr) take_refused_out(*file.format, part.member, *stays, *found->second);
  }
  return *std::move(parsed);
}

Done Absorber::leave_old_out(const MirrorFormat& format, const ShownById& now, TakenOver& taken) {
  std::vector<Change> stay;
  for (Change& made : taken.changes) {
    const Shown* const shown = made.before.status == made.after.status ? now.find(made.before.id) : nullptr;
    PAWL_ASSIGN(const bool old,
                shown != nullptr && shown->whole ? stood_so_before(store_, format, *shown) : Result<bool>(false));
    if (!old) stay.push_back(std::move(made));
  }
  taken.changes = std::move(stay);
  return done();
}

Done Absorber::edited(PlannedFile& planned, std::optional<std::string_view> base_bytes, std::string_view now_bytes) {
  const MirrorFile& file = planned.seen.file;
  PAWL_ASSIGN(const Content now, read_now(file, now_bytes));
  Content base;
  if (base_bytes) {
    if (auto parsed = read_base(file, *base_bytes)) base = std::move(*parsed);
  }
  const ShownById in_now(now);
  if (base_bytes && is_anothers_now(*file.format, base, now))
    return anothers_now(planned, base, *base_bytes, now, now_bytes);
  PAWL_ASSIGN(const Content earlier, content_before(planned, base));
  const ShownById in_base(base), in_earlier(earlier);
  const std::size_t first = result_.changes.size();

  TakenOver taken;
  bool saved_as_it_was = false;  // of one of them all is as it once was, and what that says is refused
  std::vector<Shown> not_taken;  // parts of what is set aside
  for (const Shown& shown : now.shown) {
    PAWL_ASSIGN(const Record record, current(shown.id));
    const Lifecycle& lifecycle = *world_.lifecycles->find(shown.id.kind);
    PAWL_ASSIGN(const OutsideRules rules, rules_for(shown.id));
    const Shown* known = in_base.find(shown.id);
    planned.show.push_back(shown.id);
    const auto stood = planned.flagged.extract(shown.id);
    const bool stands = accepted_by_.empty() && stood && stood.mapped().word == shown.status.value_or("");
    if (!record.present() || record.aside) {
      if (!shown.whole) {  // a part of something that is not here
        planned.show.pop_back();
        if (record.present() && shown.status && *shown.status != record.status) not_taken.push_back(shown);
      } else if (never_taken_out(planned, record, known, shown)) {
        planned.taken_out.insert_or_assign(shown.id, record_of(shown));
      } else {
        PAWL_TRY(bring_in(planned, record, shown, now_bytes));
      }
      continue;
    }
    // What has ended and is written again as if it had not is an old copy: nothing of it is taken over.
    if ((accepted_by_.empty() || by_git_) && lifecycle.machine->terminal(record.status) &&
        !file.format->admits(record, shown)) {
      const Error why{ErrorCode::illegal_move, cat(printable(shown.id.ref()), " has ended and does not come back"), {}};
      PAWL_TRY(refuse(planned, {shown.id, shown.status.value_or(""), record.status, why, true, {}, true}, now_bytes));
      if (!leaves_standing()) planned.from_store = true;
      continue;
    }
    const Shown* older = in_earlier.find(shown.id);
    // Of a file that a person takes as it is, nothing is old.
    if (known != nullptr && older != nullptr && !takes_as_it_is(file) && base_bytes == planned.seen.row->bytes &&
        is_old_copy(*older, *known, shown))
      known = older;
    Shown was = known != nullptr ? *known : as_shown(record);
    // A word that was left standing stays so until somebody changes it; where it is not to stand any more, it counts as
    // written just now. (A part that was told of at first sight was never refused.)
    const bool only_told = !shown.whole && planned.seen.row && planned.seen.row->state != kFlagged;
    const bool goes_on_standing = stands && (leaves_standing() || only_told);
    if (stands && !goes_on_standing) was.status = as_shown(record).status;
    const std::size_t changes = taken.changes.size(), refusals = taken.refusals.size();
    take_over_edit(lifecycle, *file.format, record, was, shown, rules, taken);
    const bool refused = taken.refusals.size() > refusals && taken.refusals.back().of_status;
    if (refused && shown.whole && accepted_by_.empty()) {
      PAWL_ASSIGN(const bool old, stood_so_before(store_, *file.format, shown));
      if (old) taken.changes.resize(changes);
      saved_as_it_was = saved_as_it_was || old;
    }
    if (goes_on_standing) planned.flagged.insert_or_assign(shown.id, stood.mapped());
  }
  if (saved_as_it_was) PAWL_TRY(leave_old_out(*file.format, in_now, taken));
  // What somebody has taken out stands no more.
  std::erase_if(planned.flagged, [&](const auto& one) { return in_now.find(one.first) == nullptr; });
  PAWL_TRY(leave_to_those_aside(planned, not_taken, now_bytes));
  const bool with_more = !taken.changes.empty() || result_.changes.size() > first;
  PAWL_TRY(missing(
      planned, base, [&](const RecordId& id) { return in_now.find(id) != nullptr; }, with_more));
  for (Change& made : taken.changes) {
    tell_edit(planned, base_bytes, made);
    planned.taken.insert(made.before.id);
    tell_when(*file.format, made);
    change(planned, std::move(made));
  }
  tell_edits(planned);
  for (const Refusal& refusal : taken.refusals) PAWL_TRY(refuse(planned, refusal, now_bytes));
  return base_bytes ? keep_dropped(planned, *base_bytes, now_bytes, first) : done();
}

// Why a record may not come in from this file, if so.
Result<std::optional<Error>> Absorber::barred(const MirrorFormat& format, const Record& before, const Shown& shown) {
  PAWL_ASSIGN(const OnItsWay* const moved, comes_from_elsewhere(shown));
  if (moved != nullptr) return std::optional<Error>();
  std::optional<Error> ended;
  if (!format.admits(before, shown))
    ended = Error{ErrorCode::illegal_move, cat(printable(shown.id.ref()), " has ended and does not come back"), {}};
  if (!format.keys_are_identities()) return ended;
  PAWL_ASSIGN(const auto ids, store_.find_key(shown.id.key));
  for (const RecordId& id : ids) {
    if (id.kind != shown.id.kind || id.scope == shown.id.scope) continue;
    PAWL_ASSIGN(const Record elsewhere, current(id));
    if (format.admits_beside(elsewhere, shown)) continue;
    // What has left this place has not ended where it goes on.
    const Machine& machine = *world_.lifecycles->find(id.kind)->machine;
    const bool goes_on =
        elsewhere.present() && !elsewhere.aside && (elsewhere.held || !machine.terminal(elsewhere.status));
    if (ended && !goes_on) continue;
    const auto file = format.path_of(id, *world_.settings);
    return std::optional(Error{ErrorCode::illegal_move,
                               cat(printable(shown.id.ref()), elsewhere.present() ? " is " : " was ", "kept in ",
                                   printable(file.value_or(std::string())), ", and is not begun again here"),
                               {}});
  }
  return ended;
}

// The first file of its format is taken as it is: it tells of a past that pawl was not there for. From then on a word
// that is not where things begin has to come by the moves.
Result<bool> Absorber::believes(PlannedFile& planned) const {
  const MirrorFormat& format = *planned.seen.file.format;
  if (!accepted_by_.empty() || format.believes_newcomers()) return true;
  if (!planned.believed) {
    PAWL_ASSIGN(const auto rows, store_.mirrors(format.name(), MirrorPart::without_bytes));
    planned.believed = rows.empty();
  }
  return *planned.believed;
}

Done Absorber::adopt_one(PlannedFile& planned, const Record& before, const Shown& shown) {
  const Lifecycle& lifecycle = *world_.lifecycles->find(shown.id.kind);
  PAWL_ASSIGN(const bool believed, believes(planned));
  Change adopted = adopt(lifecycle, before, shown, believed);
  if (adopted.after.held && !tells_held_) {
    const std::string file = printable(planned.seen.file.path);
    const bool is_status = lifecycle.machine->status(*adopted.after.held) != nullptr;
    const Machine& machine = *lifecycle.machine;
    const HeldInWords words = held_in_words(lifecycle, adopted.after);
    result_.notes.push_back(
        is_status
            ? cat(file, ": ", printable(shown.id.ref()), " ", why_held(machine, *adopted.after.held),
                  "; it is held as it is until it is given one\n  to take all of it as it stands there: pawl accept ",
                  file)
        : words.of_its_own || !machine.flag.empty()
            ? cat(file, ": ", printable(shown.id.ref()), words.of_its_own ? ": " : " ", words.why,
                  "; it is held as it is until that is mended there")
            : cat(file, ": ", in_quotes(*adopted.after.held), " is not a status of ", machine.a_record, " (",
                  join_or(status_names(machine)), "); it is held as it is until it is given one"));
  }
  change(planned, std::move(adopted));
  return done();
}

// `replace`: the file is another one's, so what stands under the same name is not edited but begun anew, unless it is
// the same thing still.
Done Absorber::fresh(PlannedFile& planned, const Content& now, bool replace) {
  TakenOver taken;
  for (const Shown& shown : now.shown) {
    PAWL_ASSIGN(const Record record, current(shown.id));
    const Lifecycle& lifecycle = *world_.lifecycles->find(shown.id.kind);
    if (!shown.whole && (!record.present() || record.aside)) continue;
    PAWL_ASSIGN(const bool only_told, told_at_first_sight(planned, record, shown));
    if (only_told) continue;
    planned.show.push_back(shown.id);
    const MirrorFormat& format = *planned.seen.file.format;
    if (record.present() && !record.aside && (!replace || (accepted_by_.empty() && format.goes_on(record, shown)))) {
      PAWL_ASSIGN(const OutsideRules rules, rules_for(shown.id));
      take_over_edit(lifecycle, format, record, as_shown(record), shown, rules, taken);
    } else {
      PAWL_TRY(bring_in(planned, record, shown, planned.seen.image.bytes));
    }
  }
  for (Change& made : taken.changes) {
    tell_when(*planned.seen.file.format, made);
    change(planned, std::move(made));
  }
  for (const Refusal& refusal : taken.refusals) PAWL_TRY(refuse(planned, refusal, planned.seen.image.bytes));
  return done();
}

}  // namespace pawl
