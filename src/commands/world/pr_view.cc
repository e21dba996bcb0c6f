#include <algorithm>

#include "base/text.h"
#include "commands/world/forge_for.h"
#include "commands/world/handlers.h"

namespace pawl {
namespace {

std::string_view word_for(PullState state) {
  return state == PullState::open ? "open" : state == PullState::merged ? "merged" : "closed";
}

std::string_view word_for(CheckState state) {
  switch (state) {
    case CheckState::passed:
      return "passed";
    case CheckState::failed:
      return "failed";
    case CheckState::skipped:
      return "skipped";
    case CheckState::waiting:
      break;
  }
  return "waiting";
}

// The newest of what people and machines did: whose turn it is follows from who went last.
struct Last {
  std::string who, what, at;
  void see(const std::string& author, std::string_view did, const std::string& when) {
    if (when <= at) return;  // ISO times in one zone sort as text
    who = author;
    what = did;
    at = when;
  }
};

}  // namespace

Result<Reply> run_pr_view(Context& context, const Arguments& arguments) {
  const std::string typed = arguments.text_or("ref", "");
  PAWL_ASSIGN(const auto open, ForgeFor::open(context, typed));
  PAWL_ASSIGN(const PullRef ref, open->resolve(typed));
  Forge& forge = open->forge();
  PAWL_ASSIGN(const PullRequest pull, forge.pull(ref));
  PAWL_ASSIGN(const auto checks, forge.checks(ref.repo, pull.head_sha));
  PAWL_ASSIGN(const auto reviews, forge.reviews(ref));
  PAWL_ASSIGN(const auto threads, forge.threads(ref));
  PAWL_ASSIGN(const auto comments, forge.comments(ref));

  Json out{{"ref", ref.text()},
           {"title", pull.title},
           {"state", word_for(pull.state)},
           {"draft", pull.draft},
           {"url", pull.url},
           {"author", pull.author},
           {"head", {{"ref", pull.head_ref}, {"sha", pull.head_sha}}},
           {"base", pull.base_ref},
           {"merge_state", word_of(pull.merge_state)},
           {"review_decision", word_of(pull.decision)},
           {"created_at", pull.created_at},
           {"updated_at", pull.updated_at}};
  Last last{pull.author, "opened it", pull.created_at};
  // Of a branch elsewhere (a fork's) GitHub does not tell here; then the rest counts.
  if (const auto pushed = forge.push_of(ref.repo, pull.head_ref, pull.head_sha)) {
    out["pushed_at"] = pushed->at;
    last.see(pushed->who, "pushed", pushed->at);
  } else if (pushed.error().code != ErrorCode::not_found && pushed.error().code != ErrorCode::unauthorized) {
    return tl::unexpected(pushed.error());
  }
  out["checks"] = Json::array();
  for (const Check& check : checks)
    out["checks"].push_back(
        {{"name", check.name}, {"state", word_for(check.state)}, {"detail", check.detail}, {"url", check.url}});
  out["reviews"] = Json::array();
  for (const Review& review : reviews) {
    out["reviews"].push_back({{"author", review.author},
                              {"state", review.state},
                              {"submitted_at", review.submitted_at},
                              {"commit", review.commit}});
    last.see(review.author, "reviewed", review.submitted_at);
  }
  out["threads"] = Json::array();
  for (const ReviewThread& thread : threads) {
    Json one{{"path", thread.path},
             {"line", thread.line},
             {"resolved", thread.resolved},
             {"outdated", thread.outdated},
             {"comments", thread.comments.size()}};
    if (!thread.comments.empty()) {
      one["first_author"] = thread.comments.front().author;
      one["last_author"] = thread.comments.back().author;
    }
    for (const Comment& comment : thread.comments)
      last.see(comment.author, "commented on the diff", comment.created_at);
    out["threads"].push_back(std::move(one));
  }
  out["comments"] = comments.size();
  for (const Comment& comment : comments) last.see(comment.author, "commented", comment.created_at);
  out["last"] = {{"who", last.who}, {"what", last.what}, {"at", last.at}};
  return Reply{std::move(out)};
}

}  // namespace pawl
