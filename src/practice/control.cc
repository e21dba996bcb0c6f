// The part of Service that GitHub has not: what tests and bots order.
#include "base/text.h"
#include "practice/refusal.h"
#include "practice/rest_objects.h"
#include "practice/seed.h"
#include "practice/service.h"

namespace pawl::practice {
namespace {

Result<Json> push(World& world, Actions& actions, Repository& repository, Item& item, const Json& wanted, bool force) {
  Pull& pull = *item.pull;
  Repository* const from =
      lower(pull.head_owner) == lower(repository.owner) ? &repository : world.find(pull.head_owner, repository.name);
  if (from == nullptr) return not_found();
  const Hand hand{world.user(string_or(wanted, "author", item.author)).login, world.now_ms()};
  if (const std::string back = string_or(wanted, "sha"); force && !back.empty()) {
    PAWL_TRY(from->git.move_branch("refs/heads/" + pull.head_ref, back, hand, "force_push"));
    actions.refresh(repository);
    return Json{{"sha", back}};
  }
  Changes changes = changes_in(wanted.contains("files") ? wanted["files"] : Json());
  if (changes.empty()) changes["pushed.txt"] = cat(world.next_id(), "\n");
  // A forced push leaves what was there behind: the new commit stands on the base.
  PAWL_ASSIGN(const std::string sha, from->git.commit({force ? pull.base_sha : pull.head_sha}, changes,
                                                      string_or(wanted, "message", "One more"), hand));
  PAWL_TRY(from->git.move_branch("refs/heads/" + pull.head_ref, sha, hand, force ? "force_push" : "push"));
  actions.refresh(repository);
  return Json{{"sha", sha}};
}

}  // namespace

Result<Json> Service::control(const HttpRequest& request) {
  const auto parts = split(request.path, '/');  // "", "_practice", …
  const std::string what(parts[2]);
  if (what != "repos" && parts.size() > 3) return not_found();
  if (what == "requests") {
    if (request.method == "DELETE") requests_ = Json::array();
    return requests_;
  }
  if (what == "events") {
    const Json told = events_.all();
    if (request.method == "DELETE") events_.clear();
    return told;
  }
  if (what == "faults") {
    if (request.method == "DELETE") {
      faults_.clear();
      return Json::object();
    }
    PAWL_ASSIGN(const Json wanted, parse_json(request.body));
    PAWL_TRY(faults_.add(wanted));
    return Json::object();
  }
  if (what == "repos" && parts.size() >= 5) return control_repository(request, parts);
  return not_found();
}

Result<Json> Service::control_repository(const HttpRequest& request, const std::vector<std::string_view>& parts) {
  PAWL_ASSIGN(Repository* const repository, world_.repository(parts[3], parts[4]));
  actions_.refresh(*repository);
  if (parts.size() == 5) return Json{{"git", repository->git.path()}};
  constexpr std::size_t kLongest = 8;  // …/issues/1/comments, and nothing behind it
  if (parts.size() < 7 || parts.size() > kLongest || (parts[5] != "issues" && parts[5] != "pulls")) return not_found();
  const auto number = parse_positive(parts[6]);
  const auto found = repository->items.find(number.value_or(0));
  if (found == repository->items.end()) return not_found();
  Item& item = found->second;
  Json wanted;
  if (!request.body.empty()) {
    PAWL_ASSIGN(wanted, parse_json(request.body));
  }
  const std::string_view what = parts.size() > 7 ? parts[7] : std::string_view();
  if (!what.empty() && request.method != "POST") return not_found();  // only to look makes nothing
  PAWL_TRY(check_order(what, wanted));
  const Json list = Json::array({wanted});
  const RestObjects show(world_, actions_, "https://api.github.com");
  actions_.touch(item);
  if (what == "comments") {
    const std::int64_t count = wanted.is_object() && wanted.contains("count") ? integer_or(wanted, "count", -1) : 1;
    constexpr std::int64_t kMostAtOnce = 100'000;
    if (!wanted.is_object() || count < 1 || count > kMostAtOnce)
      return invalid("IssueComment", "count", "invalid", cat("count goes from 1 to ", kMostAtOnce));
    plant_comments(world_, item, list);
    return show.comment(*repository, item, item.comments.back());
  }
  if (!item.pull) return not_found();
  if (what == "push" || what == "force-push") {
    PAWL_ASSIGN(Json pushed, push(world_, actions_, *repository, item, wanted, what == "force-push"));
    events_.happened("pull_request", "synchronize", *repository, item, string_or(wanted, "author", item.author));
    return pushed;
  }
  if (what == "replies") {
    PAWL_ASSIGN(const ReviewComment* const made,
                actions_.reply(item, integer_or(wanted, "to"), string_or(wanted, "author", item.author),
                               string_or(wanted, "body")));
    return show.review_comment(*repository, item, *made);
  }
  if (what == "threads") {
    const auto comments = wanted.is_object() ? wanted.find("comments") : wanted.end();
    if (!wanted.is_object() || comments == wanted.end() || !comments->is_array() || comments->empty())
      return invalid("PullRequestReviewThread", "comments", "missing_field", "a thread has a comment");
    PAWL_TRY(plant_threads(world_, actions_, *repository, item, list));
    Json shown = show.review_comment(*repository, item, item.pull->comments.back());
    return Json{{"id", node_id("PRRT", item.pull->threads.back().id)}, {"comment", std::move(shown)}};
  }
  if (what == "reviews") {
    if (!wanted.is_object()) return invalid("PullRequestReview", "body", "invalid", "a review is an object");
    plant_reviews(world_, item, list);
    return show.review(*repository, item, item.pull->reviews.back());
  }
  if (what == "runs") {
    repository->runs.push_back({world_.next_id(), item.pull->head_sha, item.pull->head_ref, string_or(wanted, "path"),
                                string_or(wanted, "event", "pull_request"), string_or(wanted, "conclusion"),
                                world_.now_ms()});
    return show.workflow_run(*repository, repository->runs.back());
  }
  if (what == "ready" || what == "draft") {
    item.pull->draft = what == "draft";
    events_.happened("pull_request", item.pull->draft ? "converted_to_draft" : "ready_for_review", *repository, item,
                     string_or(wanted, "author", item.author));
    return Json{{"draft", item.pull->draft}};
  }
  if (what == "checks") {
    PAWL_TRY(plant_checks(world_, *repository, item.pull->head_sha, wanted));
    return Json{{"sha", item.pull->head_sha}};
  }
  if (what.empty() && request.method == "PATCH") {
    item.pull->merge_state = string_or(wanted, "merge_state");
    return Json::object();
  }
  return not_found();
}

}  // namespace pawl::practice
