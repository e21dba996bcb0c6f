// `pawl review post`: one review on GitHub, once, whatever dies in between.
//
//   intent      the review's document names the effect's marker, in the same commit as the effect itself
//   act         the marker goes with the review; where the answer is lost, the next run looks for it
//   conclusion  the review is posted, its files go
#include <algorithm>
#include <set>
#include <span>

#include "base/shell_word.h"
#include "base/text.h"
#include "commands/world/handlers.h"
#include "commands/world/review_letter.h"
#include "engine/claims.h"
#include "engine/effects.h"
#include "engine/undo.h"
#include "integrations/posting.h"
#include "integrations/review_draft.h"
#include "lifecycles/pr/pr.h"
#include "lifecycles/review/conclude.h"
#include "lifecycles/review/severity.h"

namespace pawl {
namespace {

using namespace review;

tl::unexpected<Error> being_posted(const View& view, const std::vector<Effect>& posts) {
  for (const Effect& post : posts) {
    if (worker_of(view.store(), post) == Life::unknown)
      return fail(ErrorCode::busy,
                  "this review is being posted elsewhere, or its posting was interrupted: that process cannot be seen "
                  "from here",
                  how_to_take_over(post.record));
  }
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

Result<Effect> intended(const Letter& letter, ReviewDraft draft) {
  // A text that is full goes without: then it is known here alone.
  const std::string mark = said_mark(letter.findings);
  constexpr std::size_t kRoom = 128;
  if (draft.body.size() + mark.size() + kRoom <= kMaxBodyCharacters) draft.body += cat("\n\n", mark);
  PAWL_ASSIGN(Effect effect, intend_review(review_id(letter.ref.text()), letter.ref, draft));
  effect.request.update(remembered(letter));
  return effect;
}

// What was intended for this pull request and has no answer is looked for on GitHub, and not sent again: what it said
// then may not be so any more. busy: a living process is at it.
Done close_earlier(Engine& engine, Forge& forge, const std::string& pr) {
  const ForgeActs acts(forge);
  const auto is_ours = [&](const Effect& one) { return one.kind == "review" && one.record == review_id(pr); };
  PAWL_TRY(close_effects(engine, is_ours, [&](const Effect& one) { return acts.handler(one)->find(one); }));
  return engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto left, under_way(view, pr));
    return left.empty() ? done() : Done(being_posted(view, left));
  });
}

// The last one that never arrived.
Result<std::string> last_failed(Engine& engine, const std::string& pr) {
  std::string marker;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto failed, view.store().effects_in(EffectState::failed));
    for (const Effect& one : failed) {
      if (one.kind == "review" && one.record == review_id(pr)) marker = one.marker;
    }
    return done();
  }));
  return marker;
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
Result<Json> conclude_review(Context& context, const std::string& pr, const Json& posted, const Post& post) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Request request = context.request();
  request.idempotency_key.clear();  // it stands for the intent
  const auto concluded = [&](const View& view, const Now& now) -> Result<Decision> {
    Decision decision;
    decision.answer = Json::array();
    PAWL_ASSIGN(const Record review, view.load(review_id(pr)));
    PAWL_ASSIGN(decision.kept.emplace_back(), posts_kept(view, pr));
    if (review.status != kActive) return decision;
    PAWL_ASSIGN(const Whole whole, whole_of(view, review));
    ConcludePost command;
    command.evidence = {{"event", post.event},
                        {"id", post.result.contains("id") ? post.result["id"] : Json()},
                        {kActedIn, post.operation}};
    for (const Record& one : come_since(whole, posted)) {
      decision.answer.push_back(finding_json(one));
      command.stays.insert(one.id);
    }
    PAWL_ASSIGN(decision.changes, decide(review, whole.chunks, whole.findings, command, now));
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome, engine->change(request, look_at_files(), concluded));
  return std::move(outcome.answer);
}

// `known`: how many posts the letter was written in the knowledge of.
Result<std::int64_t> intend_post(Context& context, const Letter& letter, const ReviewDraft& draft, std::size_t known) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string pr = letter.ref.text();
  Request request = context.request();
  // One that never arrived is not what its key asked for.
  PAWL_ASSIGN(const std::string failed, last_failed(*engine, pr));
  if (!request.idempotency_key.empty() && !failed.empty()) request.idempotency_key += cat(" ", failed);
  PAWL_ASSIGN(const Outcome outcome,
              engine->change(request, look_at_files(), [&](const View& view, const Now&) -> Result<Decision> {
                Decision decision;
                PAWL_TRY(must_be_same(view, letter));
                if (letter.whole && unread_copies(*engine, letter.whole->review) != letter.whole->unread)
                  return fail(ErrorCode::conflict,
                              "somebody wrote what cannot be read into the review's file; nothing was posted",
                              "pawl review status names it");
                if (letter.whole) {
                  PAWL_ASSIGN(const auto look_alikes, look_alikes_of(*engine, view, letter.whole->review));
                  if (look_alikes != letter.whole->look_alikes)
                    return fail(ErrorCode::conflict,
                                "somebody wrote what looks like a finding into the review's file; nothing was posted",
                                "pawl review status names it");
                }
                PAWL_ASSIGN(const auto others, under_way(view, pr));
                if (!others.empty()) return being_posted(view, others);
                PAWL_ASSIGN(const auto posts, posts_to(view, pr));
                if (posts.size() != known)
                  return fail(ErrorCode::conflict, "somebody else posted a review meanwhile; nothing was posted",
                              "pawl review post again");
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

// Was somebody asked? gate_failed: nobody could be, or they said no.
Result<bool> may_post(Context& context, const Arguments& arguments, const Json& answer, const Circumstances& around) {
  if (arguments.flag("yes")) return false;
  std::string list = said_where(answer["findings"], {});
  if (answer.contains("open_chunks")) list += open_chunks_text(answer["open_chunks"]);
  if (answer.contains("unread")) list += unread_text(answer["unread"]);
  if (answer.contains("look_alikes")) list += look_alikes_text(answer["look_alikes"]);
  if (answer.contains("vanished")) list += vanished_text(answer["vanished"], string_or(answer, "pr"));
  const bool moved = around.head_moved();
  const std::string stale =
      moved ? cat(head_moved_words(around.moved_from, around.head), "\n  Findings go into the text, not on lines.\n\n")
            : std::string();
  const std::string why = string_or(answer, "why");
  const auto yes = asked_yes(context, cat(stale, string_or(answer, "verdict"), " on ", string_or(answer, "pr"), "\n",
                                          printable(why), why.empty() ? "" : "\n", list, "\nPost this review?"));
  if (!yes)
    return fail(ErrorCode::gate_failed,
                cat(moved ? "the head has moved since the review, and nobody can be asked"
                          : "nobody can be asked whether to post this"),
                cat("--yes posts it, --dry-run shows it", moved ? "; pawl review validate follows the head" : ""));
  if (!*yes) return fail(ErrorCode::gate_failed, "nothing was posted");
  return true;
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

// Findings that were not said, by id.
void name_unmarked(const Letter& letter, Json& answer) {
  for (const Record& one : letter.whole ? letter.whole->findings : std::vector<Record>()) {
    if (one.status == kUnmarked) answer["unmarked"].push_back(string_or(finding_json(one), "id"));
  }
}

// The answer to a second run, which found the first one's review on GitHub.
Result<Reply> concluded_before(Context& context, const Letter& letter, const std::string& marker, const Json& result) {
  const std::string pr = letter.ref.text();
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const auto effect, earlier(*engine, marker));
  const Json posted = effect ? effect->request : Json::object();
  const Post post{marker, string_or(posted, "event"),    string_or(posted, "commit"), {},
                  result, effect ? effect->operation : 0};
  const Json shown = posted.contains("shown") ? posted["shown"] : Json::array();
  const std::size_t in_line = posted.contains("comments") ? posted["comments"].size() : 0;
  PAWL_ASSIGN(Json since, conclude_review(context, pr, posted, post));
  Json answer{{"pr", pr},          {"verdict", post.event}, {"posted", true},
              {"already", true},   {"inline", in_line},     {"in_body", shown.size() - std::min(shown.size(), in_line)},
              {"findings", shown}, {"review", result}};
  name_unmarked(letter, answer);
  return Reply{with_rest(std::move(answer), pr, std::move(since))};
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
  for (const std::string& head : {letter.head, out.reviewed_head}) {
    if (!head.empty() && !pull.head_sha.starts_with(head)) out.moved_from = head;
  }
  out.open_threads = static_cast<std::size_t>(
      std::count_if(threads.begin(), threads.end(), [](const ReviewThread& one) { return !one.resolved; }));
  out.all_chunks_over = letter.whole && !letter.whole->chunks.empty();
  out.in_export = letter.look_alikes;
  if (!letter.whole) return out;
  out.unread = letter.whole->unread.size();
  out.look_alikes = letter.whole->look_alikes;
  for (const Vanished& one : letter.whole->vanished) out.vanished.emplace_back(part_of_key(one.finding.id.key));
  out.file_is_gits = letter.whole->file_is_gits;
  std::set<std::string> planned;
  for (const Record& chunk : letter.whole->chunks) {
    const bool over = chunk_machine().terminal(chunk.status);
    out.all_chunks_over = out.all_chunks_over && over;
    if (!over) out.open_chunks.push_back(number_of(chunk.id));
    const Json list = chunk_json(chunk)["files"];
    for (const Json& file : list) planned.insert(file.is_string() ? file.get<std::string>() : std::string());
  }
  for (const ChangedFile& file : files) {
    if (!planned.contains(file.path)) out.not_planned.push_back(file.path);
  }
  for (const Record& finding : letter.whole->findings) {
    if (string_or(finding.doc, "severity") != kSeverities[0].word) continue;
    if (finding.status == kUnmarked) ++out.grave_unmarked;
    if (finding.status == kMarked && letter.exported) ++out.grave_unsaid;  // else it is in the letter
  }
  return out;
}

// The pull request as it stands, and what is said to it as a whole.
struct PullNow {
  PullRequest pull;
  std::vector<ChangedFile> files;
  Circumstances around;
  Verdict said;
};

// `findings`: all that the letter had, those that are on GitHub already too.
Result<PullNow> stand_of(Forge& forge, const Letter& letter, std::span<const Json> findings) {
  PullNow out;
  PAWL_ASSIGN(out.pull, forge.pull(letter.ref));
  if (out.pull.state != PullState::open)
    return fail(ErrorCode::gate_failed,
                cat(printable(letter.ref.text()), " is ", out.pull.state == PullState::merged ? "merged" : "closed"),
                "nothing was posted; pawl review export keeps the findings, pawl review clean removes the review");
  PAWL_ASSIGN(out.files, forge.files(letter.ref));
  PAWL_ASSIGN(out.around, circumstances(forge, letter, out.pull, out.files));
  out.said = verdict(findings, out.around);
  return out;
}

// A person may take their time over an answer.
Done must_stand(Forge& forge, const Letter& letter, std::span<const Json> findings, const PullNow& shown) {
  PAWL_ASSIGN(const PullNow now, stand_of(forge, letter, findings));
  if (now.pull.head_sha == shown.pull.head_sha && now.said.event == shown.said.event) return done();
  return fail(
      ErrorCode::conflict,
      cat(now.pull.head_sha == shown.pull.head_sha ? cat("it would be ", now.said.event, " by now: ", now.said.why)
                                                   : cat("the head became ", printable(now.pull.head_sha)),
          " while this was asked; nothing was posted"),
      "pawl review post again");
}

}  // namespace

Result<Reply> run_review_post(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Letter letter, letter_from(context, arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const auto open, ForgeFor::open(context));
  Forge& forge = open->forge();
  const std::string pr = letter.ref.text();
  if (letter.whole) PAWL_TRY(must_be_active(letter.whole->review));
  const bool dry = arguments.flag("dry-run");
  // One that was answered in an earlier run, and whose review is there again: it was undone, or a run died in between.
  const std::string marker = letter.whole ? string_or(letter.whole->review.doc, kPosting) : std::string();
  PAWL_ASSIGN(const auto before, earlier(*engine, marker));
  const bool known_before = before && before->state == EffectState::done;
  if (!dry) PAWL_TRY(close_earlier(*engine, forge, pr));

  const std::vector<Json> all = letter.findings;
  PAWL_ASSIGN(const auto here, posts_before(*engine, pr));
  PAWL_ASSIGN(const auto there, forge.reviews(letter.ref));
  PAWL_ASSIGN(const std::string me, forge.login());
  const auto posts = with_those_from_elsewhere(here, there, me);
  leave_out(letter, posts);

  // What an earlier run began comes first, where it is on GitHub. An export may say more by now, and so may a review
  // that somebody took back.
  const bool may_say_more = letter.exported || known_before;
  if (!marker.empty() && !dry && (!may_say_more || letter.findings.empty())) {
    PAWL_ASSIGN(const auto effect, earlier(*engine, marker));
    if (effect && effect->state == EffectState::done) return concluded_before(context, letter, marker, effect->result);
  }

  PAWL_ASSIGN(const PullNow stand, stand_of(forge, letter, all));
  const Circumstances& around = stand.around;
  DraftedReview drafted = draft_review(letter.findings, stand.files, stand.pull.head_sha, stand.said, around,
                                       pr::rules_of(engine->settings()).mentions);
  for (std::size_t i = 0; i < letter.shown.size(); ++i) letter.shown[i]["inline"] = bool(drafted.on_line[i]);
  if (letter.findings.empty() && !letter.there.empty()) drafted.draft.body = "No further findings.";
  const bool nothing_new = says_nothing_new(letter, drafted.draft, posts);
  Json answer{{"pr", pr},
              {"verdict", stand.said.event},
              {"posted", false},
              {"inline", drafted.in_line},
              {"in_body", drafted.in_body},
              {"findings", letter.shown}};
  name_unmarked(letter, answer);
  if (letter.whole && !letter.whole->unread.empty()) answer["unread"] = letter.whole->unread;
  if (letter.whole && !letter.whole->vanished.empty()) answer["vanished"] = vanished_json(letter.whole->vanished);
  if (Json list = look_alikes_in(letter); !list.empty()) answer["look_alikes"] = std::move(list);
  if (!around.open_chunks.empty()) answer["open_chunks"] = around.open_chunks;
  if (!stand.said.why.empty()) answer["why"] = stand.said.why;
  if (!letter.there.empty()) answer["there"] = letter.there;
  if (nothing_new) {
    answer["already"] = true;
    answer["nothing_new"] = true;
  }
  if (around.head_moved()) {
    answer["head_moved"] = true;
    answer["state_sha"] = around.moved_from;
    answer["current_sha"] = stand.pull.head_sha;
  }
  if (dry) {
    if (letter.whole && letter.whole->post_unknown) answer["post_unknown"] = true;
    answer["body"] = drafted.draft.body;
    return Reply{std::move(answer)};
  }
  PAWL_ASSIGN(const bool asked, may_post(context, arguments, answer, around));
  if (asked) PAWL_TRY(must_stand(forge, letter, all, stand));
  Json posted = remembered(letter);
  if (nothing_new) {
    answer["posted"] = true;
    answer["review"] = posts.back().result;
    if (!letter.whole) return Reply{std::move(answer)};
    PAWL_ASSIGN(Json since, conclude_review(context, pr, posted, posts.back()));
    return Reply{with_rest(std::move(answer), pr, std::move(since))};
  }
  PAWL_ASSIGN(const std::int64_t effect, intend_post(context, letter, drafted.draft, here.size()));
  const ForgeActs acts(forge);
  Effect kind;
  kind.kind = "review";
  auto result = carry_out(*engine, effect, *acts.handler(kind));
  if (!result) {
    Error error = result.error();
    if (error.code == ErrorCode::unavailable)
      error.hint = cat("it may have arrived or not; the next one looks first:\npawl review post --pr ", shell_word(pr));
    return tl::unexpected(std::move(error));
  }
  answer["posted"] = true;
  answer["review"] = *result;
  PAWL_ASSIGN(const auto after, posts_before(*engine, pr));
  PAWL_ASSIGN(Json since, conclude_review(context, pr, posted, after.back()));
  if (!letter.whole) return Reply{std::move(answer)};
  return Reply{with_rest(std::move(answer), pr, std::move(since))};
}

}  // namespace pawl
