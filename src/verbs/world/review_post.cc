// `pawl review post`: one review on GitHub, once, whatever dies in between.
//
//   intent      the review's document names the effect's marker, in the same commit as the effect itself
//   act         the marker goes with the review; where the answer is lost, the next run looks for it
//   conclusion  the review is posted, its files go
#include <algorithm>
#include <set>

#include "base/text.h"
#include "engine/undo.h"
#include "lifecycle/pr/pr.h"
#include "lifecycle/review/export_file.h"
#include "lifecycle/review/severity.h"
#include "verbs/world/handlers.h"
#include "verbs/world/review_letter.h"
#include "world/posting.h"
#include "world/review_draft.h"

namespace pawl {
namespace {

using namespace review;

constexpr const char* kPosting = "posting";

tl::unexpected<Error> being_posted() {
  return fail(ErrorCode::busy, "another process is posting this review", "wait for it, or try again");
}

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
  return being_posted();
}

Result<Effect> intended(const Letter& letter, const ReviewDraft& draft) {
  PAWL_ASSIGN(Effect effect, intend_review(review_id(letter.ref.text()), letter.ref, draft));
  effect.request.update(remembered(letter));
  return effect;
}

// What was intended for this pull request and is no review's any more (it was undone, or came from an export alone) is
// looked for, and not done again: what it said is in the letter, or is not to be said. busy: a living process is at it.
Done close_strays(Engine& engine, Forge& forge, const std::string& pr, const std::string& marker) {
  const ForgeActs acts(forge);
  const auto is_stray = [&](const Effect& one) {
    return one.kind == "review" && one.record == review_id(pr) && one.marker != marker;
  };
  PAWL_TRY(close_effects(engine, is_stray, [&](const Effect& one) { return acts.handler(one)->find(one); }));
  return engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto left, under_way(view, pr));
    return std::any_of(left.begin(), left.end(), is_stray) ? Done(being_posted()) : done();
  });
}

Result<std::vector<Post>> posts_before(Engine& engine, const std::string& pr) {
  std::vector<Post> out;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(out, posts_to(view, pr));
    return done();
  }));
  return out;
}

// Would it tell GitHub nothing that the newest post has not told it?
bool says_nothing_new(const Letter& letter, const ReviewDraft& draft, const std::vector<Post>& posts) {
  if (!letter.findings.empty() || posts.empty()) return false;
  const Post& last = posts.back();
  const bool same = last.event == draft.event && last.commit == draft.commit;
  if (letter.there.empty()) return same;
  // A verdict of its own is news; without one there is only what was said already.
  return same || draft.event == "COMMENT" || (draft.event == "REQUEST_CHANGES" && last.event == draft.event);
}

// From now on it is posted, and its files go; but what came since the intent was not posted, and goes on as a review of
// its own. Answers with that.
Result<Json> conclude(Context& context, const std::string& pr, const Json& posted, const Post& post) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Request request = context.request();
  request.idempotency_key.clear();  // it stands for the intent
  const auto decide = [&](const View& view, const Now& now) -> Result<Decision> {
    Decision decision;
    decision.answer = Json::array();
    PAWL_ASSIGN(const Record review, view.load(review_id(pr)));
    PAWL_ASSIGN(decision.kept.emplace_back(), posts_kept(view, pr));
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
    about.evidence = {{"event", post.event},
                      {"id", post.result.contains("id") ? post.result["id"] : Json()},
                      {kActedIn, post.operation}};
    if (since.empty()) {
      for (const char* member : {kExportMember, "comments"}) doc.erase(member);
      doc["posted"] = about.evidence;
      MoveRequest move;
      move.to = kPosted;
      move.doc = Doc(std::move(doc));
      move.what = "posted";
      move.evidence = about.evidence;
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
                PAWL_ASSIGN(const auto others, under_way(view, letter.ref.text()));
                if (!others.empty()) return being_posted();
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
  const std::string why = string_or(answer, "why");
  const auto yes = asked_yes(context, cat(stale, string_or(answer, "verdict"), " on ", string_or(answer, "pr"), "\n",
                                          printable(why), why.empty() ? "" : "\n", list, "\nPost this review?"));
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
  const Post post{marker, string_or(posted, "event"),    string_or(posted, "commit"), {},
                  result, effect ? effect->operation : 0};
  const Json shown = posted.contains("shown") ? posted["shown"] : Json::array();
  const std::size_t in_line = posted.contains("comments") ? posted["comments"].size() : 0;
  PAWL_ASSIGN(Json since, conclude(context, pr, posted, post));
  return Reply{with_rest(Json{{"pr", pr},
                              {"verdict", post.event},
                              {"posted", true},
                              {"already", true},
                              {"inline", in_line},
                              {"in_body", shown.size() - std::min(shown.size(), in_line)},
                              {"findings", shown},
                              {"review", result}},
                         pr, std::move(since))};
}

// What the verdict depends on besides what is said.
Result<Circumstances> circumstances(Forge& forge, const Letter& letter, const PullRequest& pull,
                                    const std::vector<ChangedFile>& files) {
  Circumstances out;
  PAWL_ASSIGN(const std::string me, forge.login());
  PAWL_ASSIGN(const auto threads, forge.threads(letter.ref));
  out.own_pull = same_account(me, pull.author);
  out.head = pull.head_sha;
  // An export says what it is about, but what was looked at is the review's.
  out.reviewed_head = letter.whole ? string_or(letter.whole->review.doc, "head_sha") : letter.head;
  for (const std::string& head : {letter.head, out.reviewed_head})
    out.head_moved = out.head_moved || (!head.empty() && !pull.head_sha.starts_with(head));
  out.open_threads = static_cast<std::size_t>(
      std::count_if(threads.begin(), threads.end(), [](const ReviewThread& one) { return !one.resolved; }));
  out.all_chunks_over = letter.whole && !letter.whole->chunks.empty();
  if (!letter.whole) return out;
  std::set<std::string> planned;
  for (const Record& chunk : letter.whole->chunks) {
    out.all_chunks_over = out.all_chunks_over && chunk_machine().terminal(chunk.status);
    const Json list = chunk_json(chunk)["files"];
    for (const Json& file : list) planned.insert(file.is_string() ? file.get<std::string>() : std::string());
  }
  for (const ChangedFile& file : files) {
    if (!planned.contains(file.path)) out.not_planned.push_back(file.path);
  }
  for (const Record& finding : letter.whole->findings) {
    if (finding.status == kUnmarked && string_or(finding.doc, "severity") == kSeverities[0].word) ++out.grave_unmarked;
  }
  return out;
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
  if (!arguments.flag("dry-run")) PAWL_TRY(close_strays(*engine, forge, pr, marker));

  PAWL_ASSIGN(const PullRequest pull, forge.pull(letter.ref));
  if (pull.state != PullState::open)
    return fail(ErrorCode::gate_failed,
                cat(printable(pr), " is ", pull.state == PullState::merged ? "merged" : "closed"),
                "nothing was posted; pawl review export keeps the findings, pawl review clean removes the review");
  PAWL_ASSIGN(const auto files, forge.files(letter.ref));
  PAWL_ASSIGN(const Circumstances around, circumstances(forge, letter, pull, files));
  const Verdict said = verdict(letter.findings, around);
  PAWL_ASSIGN(const auto posts, posts_before(*engine, pr));
  leave_out(letter, posts);
  DraftedReview drafted =
      draft_review(letter.findings, files, pull.head_sha, said, around, pr::rules_of(engine->settings()).mentions);
  if (letter.findings.empty() && !letter.there.empty()) drafted.draft.body = "No further findings.";
  const bool nothing_new = says_nothing_new(letter, drafted.draft, posts);
  Json answer{{"pr", pr},
              {"verdict", said.event},
              {"posted", false},
              {"inline", drafted.in_line},
              {"in_body", drafted.in_body},
              {"findings", letter.shown}};
  if (!said.why.empty()) answer["why"] = said.why;
  if (!letter.there.empty()) answer["there"] = letter.there;
  if (nothing_new) answer["already"] = true;
  if (around.head_moved) {
    answer["head_moved"] = true;
    answer["state_sha"] = pull.head_sha.starts_with(letter.head) ? around.reviewed_head : letter.head;
    answer["current_sha"] = pull.head_sha;
  }
  if (arguments.flag("dry-run")) {
    answer["body"] = drafted.draft.body;
    return Reply{std::move(answer)};
  }
  PAWL_TRY(may_post(context, arguments, answer, around.head_moved, letter.head, pull.head_sha));
  Json posted = remembered(letter);
  if (nothing_new) {
    answer["posted"] = true;
    answer["review"] = posts.back().result;
    if (!letter.whole) return Reply{std::move(answer)};
    PAWL_ASSIGN(Json since, conclude(context, pr, posted, posts.back()));
    return Reply{with_rest(std::move(answer), pr, std::move(since))};
  }
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
  PAWL_ASSIGN(const auto after, posts_before(*engine, pr));
  PAWL_ASSIGN(Json since, conclude(context, pr, posted, after.back()));
  if (!letter.whole) return Reply{std::move(answer)};
  return Reply{with_rest(std::move(answer), pr, std::move(since))};
}

}  // namespace pawl
