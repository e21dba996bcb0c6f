// `pawl review validate` and `pawl review comments`: the review and what became of the pull request meanwhile.
#include <set>

#include "base/text.h"
#include "commands/world/handlers.h"
#include "commands/world/review_letter.h"
#include "lifecycles/review/comments.h"
#include "lifecycles/review/follow.h"

namespace pawl {
namespace {

using namespace review;

// What GitHub says about the two heads.
Result<Moved> moved_between(Forge& forge, const PullRef& ref, const std::string& from, const std::string& to) {
  PAWL_ASSIGN(auto files, forge.files(ref));
  auto ahead = forge.compare(ref.repo, from, to);
  if (!ahead && ahead.error().code != ErrorCode::not_found) return tl::unexpected(ahead.error());
  std::optional<Comparison> there, back;
  if (ahead) there = std::move(*ahead);
  if (there && !there->straight) {
    PAWL_ASSIGN(back, forge.compare(ref.repo, to, from));
  }
  return review::moved_between(std::move(files), std::move(there), std::move(back));
}

enum class Choice { none, keep, restart, update };
struct Chosen {
  Choice choice = Choice::none;
  bool asked = false;
};

Done one_choice(const Arguments& arguments) {
  int given = 0;
  for (const char* flag : {"continue", "restart", "update"}) given += arguments.flag(flag) ? 1 : 0;
  if (given < 2) return done();
  return fail(ErrorCode::invalid_argument, "--continue, --restart and --update exclude each other", "give one of them");
}

Chosen chosen(Context& context, const Arguments& arguments, const std::string& state, const std::string& current) {
  if (arguments.flag("continue")) return {Choice::keep};
  if (arguments.flag("restart")) return {Choice::restart};
  if (arguments.flag("update")) return {Choice::update};
  const auto answer = context.ask(cat(
      head_moved_words(state, current),
      "\n\nOptions:\n  1. Continue with existing state (findings may reference outdated line numbers)\n"
      "  2. Restart the review from scratch\n  3. Update the review: new chunks for what changed, findings follow\n\n"
      "Which would you prefer? [1/2/3]"));
  if (!answer) return {};
  const std::string_view word = trim(*answer);
  return {word == "1"   ? Choice::keep
          : word == "2" ? Choice::restart
          : word == "3" ? Choice::update
                        : Choice::none,
          true};
}

// The review that is to be looked at, or why there is none.
struct Subject {
  std::optional<Record> review;
  Json answer;
  int exit_code = 0;
};

Result<Subject> subject(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string typed = arguments.text_or("pr", "");
  Subject out;
  PAWL_TRY(engine->read(look_at_files(), std::nullopt, [&](const View& view) -> Done {
    auto meant = review_meant(view, typed);
    if (meant && meant->status == kActive) {
      out.review = std::move(*meant);
      return done();
    }
    if (!meant && meant.error().code != ErrorCode::not_found) return tl::unexpected(meant.error());
    PAWL_ASSIGN(const auto current, current_review(view));
    out.answer = Json{{"valid", false}, {"reason", "no_state"}};
    out.exit_code = 3;
    if (current && !typed.empty()) {
      out.answer = Json{{"valid", false}, {"reason", "other_pr"}, {"pr", current->id.key}, {"asked", typed}};
      out.exit_code = 1;
    }
    return done();
  }));
  return out;
}

// What GitHub says of the head settles what somebody wrote; `moved`: another one that nobody has chosen to follow yet.
Done note_head(Context& context, const std::string& pr, const std::string& moved) {
  Request request = context.request();
  request.idempotency_key.clear();
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_TRY(engine->change(request, look_at_files(), [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const Record review, view.load(review_id(pr)));
    Decision decision;
    Json doc = review.doc;
    doc.erase(kHeadWritten);
    doc.erase(kHeadMoved);
    if (!moved.empty()) doc[kHeadMoved] = moved;
    if (!review.present() || review.doc == doc) return decision;
    Change change{review, review, std::string(kLookedAt), Json(), false};
    change.after.doc = std::move(doc);
    decision.changes.push_back(std::move(change));
    return decision;
  }));
  return done();
}

// The head that a state names by some of its digits, by all of them: only such a one can be approved. GitHub must know
// no other commit that begins so.
Result<std::string> whole_name(Context& context, Forge& forge, const std::string& pr, const std::string& some,
                               const std::string& head) {
  const auto same = forge.compare(pull_of(pr).repo, some, head);
  if (!same || !same->straight || !same->files.empty()) return some;
  PAWL_TRY(change_review(context, pr, look_at_files(),
                         [&](const View&, const Record& review, const Now& now) -> Result<Decision> {
                           Decision decision;
                           if (string_or(review.doc, "head_sha") != some) return decision;
                           Change change{review, review, "head named", Json(), false};
                           Json doc = review.doc;
                           doc["head_sha"] = head;
                           doc["updated"] = iso_time(now.wall_ms);
                           change.after.doc = std::move(doc);
                           decision.changes.push_back(std::move(change));
                           return decision;
                         }));
  return head;
}

}  // namespace

Result<Reply> run_review_validate(Context& context, const Arguments& arguments) {
  PAWL_TRY(one_choice(arguments));
  PAWL_ASSIGN(const Subject found, subject(context, arguments));
  if (!found.review) return Reply{found.answer, found.exit_code};
  const Record& review = *found.review;
  const std::string pr = review.id.key, state = string_or(review.doc, "head_sha");
  PAWL_ASSIGN(const auto open, ForgeFor::open(context));
  PAWL_ASSIGN(const PullRequest pull, open->forge().pull(pull_of(pr)));
  Json answer{{"valid", true}, {"pr", pr}, {"state_sha", state}, {"current_sha", pull.head_sha}};
  if (pull.state != PullState::open) {
    answer["closed"] = true;
    context.note(cat(printable(pr), " is ", pull.state == PullState::merged ? "merged" : "closed",
                     "; its review can be kept, exported or cleaned, but not posted"));
  }
  say_head_written(context, review);
  const bool same = pull.head_sha.starts_with(state);
  if (same || review.doc.contains(kHeadWritten)) PAWL_TRY(note_head(context, pr, ""));
  // A state that was begun with a short hash means the head that it begins.
  if (same && !arguments.flag("restart")) {
    if (state != pull.head_sha) {
      PAWL_ASSIGN(answer["state_sha"], whole_name(context, open->forge(), pr, state, pull.head_sha));
    }
    return Reply{std::move(answer)};
  }
  const Chosen how = chosen(context, arguments, state, pull.head_sha);
  switch (how.choice) {
    case Choice::keep:
      PAWL_TRY(note_head(context, pr, ""));
      answer["continued"] = true;
      return Reply{std::move(answer)};
    case Choice::restart: {
      PAWL_TRY(review::clean(context, pr));
      return Reply{Json{{"valid", false}, {"reason", "user_restart"}, {"pr", pr}}};
    }
    case Choice::update: {
      PAWL_ASSIGN(const Moved moved, moved_between(open->forge(), pull_of(pr), state, pull.head_sha));
      for (const std::string& file : moved.left_out) context.note(why_left_out(file));
      if (moved.lost)
        context.note(cat("GitHub does not know ", state,
                         " any more, or not all that changed since: every file is to be looked at again, and findings ",
                         "on lines are marked outdated"));
      PAWL_ASSIGN(
          Outcome outcome,
          change_review(context, pr, look_at_files(),
                        [&](const View& view, const Record& now_there, const Now& now) -> Result<Decision> {
                          if (string_or(now_there.doc, "head_sha") != state)
                            return fail(ErrorCode::conflict, "the review was updated by somebody else meanwhile",
                                        "pawl review validate again");
                          PAWL_ASSIGN(const Whole whole, whole_of(view, now_there));
                          PAWL_ASSIGN(Followed made, decide(whole.review, whole.chunks, whole.findings, moved,
                                                            FollowHead{pull.head_sha}, InView(view), now));
                          Decision decision;
                          decision.changes = std::move(made.changes);
                          Json chunks = Json::array();
                          for (const Record& chunk : made.chunks) chunks.push_back(chunk_json(chunk));
                          decision.answer =
                              Json{{"chunks", std::move(chunks)}, {"moved", made.moved}, {"outdated", made.outdated}};
                          return decision;
                        }));
      answer["updated"] = std::move(outcome.answer);
      return Reply{std::move(answer)};
    }
    case Choice::none:
      break;
  }
  if (!how.asked) context.note(head_moved_words(state, pull.head_sha));
  PAWL_TRY(note_head(context, pr, pull.head_sha));
  answer["valid"] = false;
  answer["reason"] = "head_moved";
  answer["choices"] = {"--continue", "--restart", "--update"};
  return Reply{std::move(answer), 1};
}

namespace {

// Nobody may ask GitHub: those that the state file has can be shown all the same.
Result<Reply> known_comments(Context& context, const Whole& whole, const Error& why) {
  const Json known = whole.review.doc.contains("comments") ? whole.review.doc["comments"] : Json::object();
  std::size_t count = 0, files = 0;
  for (const auto& [file, list] : known.items()) {
    count += list.is_array() ? list.size() : 0;
    files += list.is_array() && !list.empty() ? 1 : 0;
  }
  if (count == 0) return tl::unexpected(why);
  context.note(cat("GitHub was not asked: ", why.message, "; this is what the review knows"));
  return Reply{Json{{"pr", whole.pr()}, {"comments", count}, {"files", files}, {"known", known}}};
}

}  // namespace

Result<Reply> run_review_comments(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Whole whole, read_whole(context, arguments));
  PAWL_TRY(must_be_active(whole.review));
  const auto open = ForgeFor::open(context);
  if (!open && open.error().code == ErrorCode::unauthorized) return known_comments(context, whole, open.error());
  if (!open) return tl::unexpected(open.error());
  PAWL_ASSIGN(const auto threads, (*open)->forge().threads(pull_of(whole.pr())));
  std::vector<FileComment> made;
  std::set<std::string> files;
  for (const ReviewThread& thread : threads) {
    files.insert(thread.path);
    for (const Comment& comment : thread.comments) {
      made.push_back({thread.path,
                      {{"author", comment.author},
                       {"line", thread.line},
                       {"body", comment.body},
                       {"created_at", comment.created_at}}});
    }
  }
  PAWL_ASSIGN(
      Outcome outcome,
      change_review(context, whole.pr(), look_at_files(),
                    [&](const View& view, const Record& review, const Now& now) -> Result<Decision> {
                      PAWL_TRY(must_be_active(review));
                      PAWL_ASSIGN(const auto chunks, chunks_of(view, review.id.key));
                      Json doc = review.doc;
                      doc["comments"] = with_comments(doc["comments"], chunks, made);
                      Decision decision;
                      decision.answer = Json{{"pr", review.id.key}, {"comments", made.size()}, {"files", files.size()}};
                      if (review.doc.contains("comments") && doc["comments"] == review.doc["comments"]) return decision;
                      doc["updated"] = iso_time(now.wall_ms);
                      Change change{review, review, "comments fetched", Json(), false};
                      change.after.doc = std::move(doc);
                      decision.changes.push_back(std::move(change));
                      return decision;
                    }));
  return Reply{std::move(outcome.answer)};
}

}  // namespace pawl
