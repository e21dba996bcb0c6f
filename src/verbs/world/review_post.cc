// `pawl review post`: one review on GitHub, once, whatever dies in between.
//
//   intent      the review's document names the effect's marker, in the same commit as the effect itself
//   act         the marker goes with the review; where the answer is lost, the next run looks for it
//   conclusion  the review is posted, its files go
#include <algorithm>

#include "base/text.h"
#include "lifecycle/pr/pr.h"
#include "lifecycle/review/export_file.h"
#include "verbs/world/handlers.h"
#include "verbs/world/review_letter.h"
#include "world/posting.h"
#include "world/review_draft.h"

namespace pawl {
namespace {

using namespace review;

constexpr const char* kPosting = "posting";

// The effect that an earlier run intended, by its marker.
Result<std::optional<Effect>> earlier(Engine& engine, const std::string& marker) {
  std::optional<Effect> found;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    for (const EffectState state : {EffectState::intended, EffectState::done, EffectState::failed}) {
      PAWL_ASSIGN(const auto effects, view.store().effects_in(state));
      for (const Effect& effect : effects) {
        if (effect.marker == marker) found = effect;
      }
    }
    return done();
  }));
  return found;
}

// Is the review on GitHub already, by an earlier run? Where its answer was lost, GitHub is asked; where it never
// arrived it is sent now.
Result<std::optional<Json>> settled_before(Engine& engine, Forge& forge, const std::string& marker) {
  PAWL_ASSIGN(const auto effect, earlier(engine, marker));
  if (!effect || effect->state == EffectState::failed) return std::optional<Json>();
  if (effect->state == EffectState::done) return std::optional(effect->result);
  const ForgeActs acts(forge);
  PAWL_ASSIGN(const auto done_now,
              settle(engine, [&](const Effect& one) { return one.id == effect->id ? acts.handler(one) : nullptr; }));
  if (!done_now.empty()) return std::optional(done_now.front().result);
  return fail(ErrorCode::busy, "another process is posting this review", "wait for it, or try again");
}

Result<Effect> intended(const Letter& letter, const ReviewDraft& draft) {
  PAWL_ASSIGN(Effect effect, intend_review(review_id(letter.ref.text()), letter.ref, draft));
  effect.request.update(remembered(letter));
  return effect;
}

// Of a post from an export alone there is no review to remember it: the same words for the same pull request are the
// same post.
Result<std::string> marker_of_same(Engine& engine, const Letter& letter, const ReviewDraft& draft) {
  PAWL_ASSIGN(const Effect wanted, intended(letter, draft));
  std::string marker;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    for (const EffectState state : {EffectState::done, EffectState::intended}) {
      PAWL_ASSIGN(const auto effects, view.store().effects_in(state));
      for (const Effect& effect : effects) {
        if (effect.record == wanted.record && effect.request == wanted.request) marker = effect.marker;
      }
    }
    return done();
  }));
  return marker;
}

// From now on it is posted, and its files go; but what came since the intent was not posted, and goes on as a review of
// its own. Answers with that.
Result<Json> conclude(Context& context, const std::string& pr, const Json& posted, const Json& result) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Request request = context.request();
  request.idempotency_key.clear();  // it stands for the intent
  const auto decide = [&](const View& view, const Now& now) -> Result<Decision> {
    Decision decision;
    decision.answer = Json::array();
    PAWL_ASSIGN(const Record review, view.load(review_id(pr)));
    if (review.status != kActive) return decision;
    PAWL_ASSIGN(const Whole whole, whole_of(view, review));
    const std::vector<Record> since = come_since(whole, posted);
    const auto stays = [&](const RecordId& id) {
      return std::any_of(since.begin(), since.end(), [&](const Record& one) { return one.id == id; });
    };
    for (const Record& one : since) decision.answer.push_back(finding_json(one));
    Change about{review, review, "posted", Json(), false};
    Json doc = review.doc;
    doc.erase(kPosting);
    doc["updated"] = iso_time(now.wall_ms);
    about.evidence = {{"event", string_or(posted, "event")}, {"id", result.contains("id") ? result["id"] : Json()}};
    if (since.empty()) {
      for (const char* member : {kExportMember, "comments"}) doc.erase(member);
      doc["posted"] = about.evidence;
      MoveRequest move;
      move.to = kPosted;
      move.doc = Doc(std::move(doc));
      move.what = "posted";
      PAWL_ASSIGN(about, decide_move(review_machine(), review, std::move(move)));
      about.after.aside = true;  // kept, but no file shows it
    } else {
      about.after.doc = std::move(doc);
    }
    for (Change& change : cleaned(since.empty() ? whole.all() : whole.findings)) {
      if (change.before.id != review.id && !stays(change.before.id)) decision.changes.push_back(std::move(change));
    }
    decision.changes.push_back(std::move(about));
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome, engine->change(request, look_at_files(), decide));
  return std::move(outcome.answer);
}

Result<std::int64_t> intend(Context& context, const Letter& letter, const ReviewDraft& draft) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const Outcome outcome,
              engine->change(context.request(), look_at_files(), [&](const View& view, const Now&) -> Result<Decision> {
                Decision decision;
                PAWL_TRY(must_be_same(view, letter));
                PAWL_ASSIGN(Effect effect, intended(letter, draft));
                if (letter.whole) {
                  PAWL_ASSIGN(const Record review, view.load(letter.whole->review.id));
                  Change change{review, review, "being posted", Json(), false};
                  Json doc = review.doc;
                  doc[kPosting] = effect.marker;
                  change.after.doc = std::move(doc);
                  decision.changes.push_back(std::move(change));
                }
                decision.effects.push_back(std::move(effect));
                return decision;
              }));
  if (outcome.repeated) return fail(ErrorCode::conflict, "this was asked for before, with the same idempotency key");
  return outcome.effects.front();
}

Done may_post(Context& context, const Arguments& arguments, const Json& answer, bool moved, const std::string& head,
              const std::string& current) {
  if (arguments.flag("yes")) return done();
  std::string list;
  for (const Json& one : answer["findings"]) list += finding_line(one, {});
  const std::string stale = moved
                                ? cat("Warning: PR head has changed since the review started.\n  State SHA:   ", head,
                                      "\n  Current SHA: ", current, "\n  Findings go into the text, not on lines.\n\n")
                                : std::string();
  const auto yes = asked_yes(context, cat(stale, string_or(answer, "verdict"), " on ", string_or(answer, "pr"), "\n",
                                          list, "\nPost this review?"));
  if (!yes)
    return fail(ErrorCode::gate_failed,
                cat(moved ? "the head has moved since the review, and nobody can be asked"
                          : "nobody can be asked whether to post this"),
                cat("--yes posts it, --dry-run shows it", moved ? "; pawl review validate follows the head" : ""));
  return *yes ? done() : Done(fail(ErrorCode::gate_failed, "nothing was posted"));
}

// What became of the review itself: cleaned, or kept for the sake of what was not posted.
Json with_rest(Json answer, const std::string& pr, Json since) {
  if (since.empty()) {
    answer["cleaned"] = pr;
  } else {
    answer["kept"] = std::move(since);
  }
  return answer;
}

// The answer to a second run, which found the first one's review on GitHub or brought it there.
Result<Reply> concluded_before(Context& context, const std::string& pr, const std::string& marker, const Json& result) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const auto effect, earlier(*engine, marker));
  const Json posted = effect ? effect->request : Json::object();
  const Json shown = posted.contains("shown") ? posted["shown"] : Json::array();
  const std::size_t in_line = posted.contains("comments") ? posted["comments"].size() : 0;
  PAWL_ASSIGN(Json since, conclude(context, pr, posted, result));
  return Reply{with_rest(Json{{"pr", pr},
                              {"verdict", string_or(posted, "event")},
                              {"posted", true},
                              {"already", true},
                              {"inline", in_line},
                              {"in_body", shown.size() - std::min(shown.size(), in_line)},
                              {"findings", shown},
                              {"review", result}},
                         pr, std::move(since))};
}

}  // namespace

Result<Reply> run_review_post(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Letter letter, letter_from(context, arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const auto open, ForgeFor::open(context));
  Forge& forge = open->forge();
  const std::string pr = letter.ref.text();
  if (letter.whole) PAWL_TRY(must_be_active(letter.whole->review));

  // What an earlier run began comes first: it is posted once, as it was then.
  const std::string marker = letter.whole ? string_or(letter.whole->review.doc, kPosting) : std::string();
  if (!marker.empty() && !arguments.flag("dry-run")) {
    PAWL_ASSIGN(const auto result, settled_before(*engine, forge, marker));
    if (result) return concluded_before(context, pr, marker, *result);
  }

  PAWL_ASSIGN(const PullRequest pull, forge.pull(letter.ref));
  if (pull.state != PullState::open)
    return fail(ErrorCode::gate_failed,
                cat(printable(pr), " is ", pull.state == PullState::merged ? "merged" : "closed"),
                "nothing was posted; pawl review export keeps the findings, pawl review clean removes the review");
  PAWL_ASSIGN(const std::string me, forge.login());
  PAWL_ASSIGN(const auto files, forge.files(letter.ref));
  PAWL_ASSIGN(const auto threads, forge.threads(letter.ref));
  Circumstances around;
  around.own_pull = same_account(me, pull.author);
  around.head_moved = !letter.head.empty() && !pull.head_sha.starts_with(letter.head);
  around.open_threads = static_cast<std::size_t>(
      std::count_if(threads.begin(), threads.end(), [](const ReviewThread& one) { return !one.resolved; }));
  around.all_chunks_over = letter.whole && !letter.whole->chunks.empty() &&
                           std::all_of(letter.whole->chunks.begin(), letter.whole->chunks.end(),
                                       [](const Record& chunk) { return chunk_machine().terminal(chunk.status); });
  const Verdict said = verdict(letter.findings, around);
  const DraftedReview drafted =
      draft_review(letter.findings, files, pull.head_sha, said, around, pr::rules_of(engine->settings()).mentions);
  Json answer{{"pr", pr},
              {"verdict", said.event},
              {"posted", false},
              {"inline", drafted.in_line},
              {"in_body", drafted.in_body},
              {"findings", letter.shown}};
  if (!said.why.empty()) answer["why"] = said.why;
  if (around.head_moved) answer["head_moved"] = true;
  if (arguments.flag("dry-run")) {
    answer["body"] = drafted.draft.body;
    return Reply{std::move(answer)};
  }
  if (!letter.whole) {
    PAWL_ASSIGN(const std::string same, marker_of_same(*engine, letter, drafted.draft));
    PAWL_ASSIGN(const auto result, settled_before(*engine, forge, same));
    if (result) {
      answer["posted"] = answer["already"] = true;
      answer["review"] = *result;
      return Reply{std::move(answer)};
    }
  }
  PAWL_TRY(may_post(context, arguments, answer, around.head_moved, letter.head, pull.head_sha));
  PAWL_ASSIGN(const std::int64_t effect, intend(context, letter, drafted.draft));
  const ForgeActs acts(forge);
  Effect kind;
  kind.kind = "review";
  auto result = carry_out(*engine, effect, *acts.handler(kind));
  if (!result) {
    Error error = result.error();
    if (error.code == ErrorCode::unavailable)
      error.hint = cat(error.hint, error.hint.empty() ? "" : "; ",
                       "it may have arrived or not: pawl review post again looks first");
    return tl::unexpected(std::move(error));
  }
  answer["posted"] = true;
  answer["review"] = *result;
  if (!letter.whole) return Reply{std::move(answer)};
  Json posted = remembered(letter);
  posted["event"] = said.event;
  PAWL_ASSIGN(Json since, conclude(context, pr, posted, *result));
  return Reply{with_rest(std::move(answer), pr, std::move(since))};
}

}  // namespace pawl
