// GraphQL: what only a pull request has.
#include <algorithm>

#include "base/text.h"
#include "practice/graphql_types.h"
#include "practice/rest_objects.h"

namespace pawl::practice {
namespace {

using Got = Result<Value>;

bool is_from_fork(const Thing& at) { return lower(at.item->pull->head_owner) != lower(at.repository->owner); }

Repository* head_of(Asking& asking, const Thing& at) {
  return is_from_fork(at) ? asking.world.find(at.item->pull->head_owner, at.repository->name) : at.repository;
}

template <class List>
std::vector<Value> things(const Thing& at, const List& list, std::string_view type) {
  std::vector<Value> found;
  for (const auto& one : list) found.emplace_back(Thing{type, at.repository, at.item, &one});
  return found;
}

Got reviews(const Thing& at, const Json& arguments) {
  const auto states = arguments.find("states");
  const std::string author = string_or(arguments, "author");
  std::vector<Value> found;
  for (const Review& one : at.item->pull->reviews) {
    if (states != arguments.end() && states->is_array() &&
        std::find(states->begin(), states->end(), one.state) == states->end()) {
      continue;
    }
    if (author.empty() || lower(author) == lower(one.author)) {
      found.emplace_back(Thing{"PullRequestReview", at.repository, at.item, &one});
    }
  }
  return page_of("PullRequestReviewConnection", std::move(found), arguments);
}

// The last of each author, without replies in threads.
Got latest_reviews(const Thing& at, const Json& arguments) {
  std::map<std::string, const Review*> latest;
  for (const Review& one : at.item->pull->reviews) {
    if (one.state != "PENDING") latest[one.author] = &one;
  }
  std::vector<Value> found;
  for (const auto& [author, one] : latest) {
    found.emplace_back(Thing{"PullRequestReview", at.repository, at.item, one});
  }
  return page_of("PullRequestReviewConnection", std::move(found), arguments);
}

Got commits(Asking& asking, const Thing& at, const Json& arguments) {
  PAWL_ASSIGN(const PullView* const seen, asking.actions.view(*at.repository, *at.item));
  std::vector<Value> found;
  for (const Commit& one : seen->commits) {
    found.emplace_back(record_of("PullRequestCommit", {{"id", cat("PRC_", one.sha)},
                                                       {"commit", Thing{"Commit", at.repository, at.item, &one}},
                                                       {"url", cat(kWeb, "/", at.repository->full_name(), "/pull/",
                                                                   at.item->number, "/commits/", one.sha)}}));
  }
  return page_of("PullRequestCommitConnection", std::move(found), arguments);
}

Got files(Asking& asking, const Thing& at, const Json& arguments) {
  PAWL_ASSIGN(const PullView* const seen, asking.actions.view(*at.repository, *at.item));
  std::vector<Value> found;
  for (const ChangedFile& one : seen->files) {
    const std::string_view type = one.status == "removed" ? "DELETED" : std::string_view(one.status);
    found.emplace_back(record_of("PullRequestChangedFile", {{"path", one.name},
                                                            {"additions", one.additions},
                                                            {"deletions", one.deletions},
                                                            {"changeType", upper(type)},
                                                            {"viewerViewedState", "UNVIEWED"}}));
  }
  return page_of("PullRequestChangedFileConnection", std::move(found), arguments);
}

Got review_requests(Asking& asking, const Thing& at, const Json& arguments) {
  std::vector<Value> found;
  for (const std::string& login : at.item->pull->review_requests) {
    found.emplace_back(
        record_of("ReviewRequest",
                  {{"id", "RRQ_" + login}, {"asCodeOwner", false}, {"requestedReviewer", actor(asking, login)}}));
  }
  return page_of("ReviewRequestConnection", std::move(found), arguments);
}

}  // namespace

void add_pull_types(Types& types) {
  types.connection("PullRequestReview", "PullRequestReview");
  types.connection("PullRequestReviewThread", "PullRequestReviewThread");
  types.connection("PullRequestCommit", "PullRequestCommit");
  types.connection("PullRequestChangedFile", "PullRequestChangedFile");
  types.connection("ReviewRequest", "ReviewRequest");
  types.record("PullRequestCommit", {{"id", ""}, {"commit", "Commit"}, {"url", ""}});
  types.record("PullRequestChangedFile",
               {{"path", ""}, {"additions", ""}, {"deletions", ""}, {"changeType", ""}, {"viewerViewedState", ""}});
  types.record("ReviewRequest", {{"id", ""}, {"asCodeOwner", ""}, {"requestedReviewer", "RequestedReviewer"}});
  types.record("AutoMergeRequest", {{"enabledAt", ""},
                                    {"mergeMethod", ""},
                                    {"authorEmail", ""},
                                    {"commitBody", ""},
                                    {"commitHeadline", ""},
                                    {"enabledBy", "Actor"}});

  types.of("PullRequest");
  const auto plain = [&](std::string_view name, auto get) {
    types.scalar(name, [get](Asking&, const Thing& at, const Json&) -> Got { return get(*at.item->pull); });
  };
  plain("isDraft", [](const Pull& one) { return Value(one.draft); });
  plain("headRefName", [](const Pull& one) { return Value(one.head_ref); });
  plain("headRefOid", [](const Pull& one) { return Value(one.head_sha); });
  plain("baseRefName", [](const Pull& one) { return Value(one.base_ref); });
  plain("baseRefOid", [](const Pull& one) { return Value(one.base_sha); });
  plain("merged", [](const Pull& one) { return Value(one.merged_ms != 0); });
  plain("mergedAt", [](const Pull& one) { return time_value(one.merged_ms); });
  plain("maintainerCanModify", [](const Pull& one) { return Value(one.maintainer_can_modify); });
  const auto counted = [&](std::string_view name, auto get) {
    types.scalar(name, [get](Asking& asking, const Thing& at, const Json&) -> Got {
      PAWL_ASSIGN(const PullView* const seen, asking.actions.view(*at.repository, *at.item));
      return get(*seen);
    });
  };
  counted("additions", [](const PullView& seen) { return Value(seen.additions); });
  counted("deletions", [](const PullView& seen) { return Value(seen.deletions); });
  counted("changedFiles", [](const PullView& seen) { return Value(seen.files.size()); });
  types
      .scalar("state",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return at.item->open ? "OPEN" : at.item->pull->merged_ms != 0 ? "MERGED" : "CLOSED";
              })
      .scalar("isCrossRepository", [](Asking&, const Thing& at, const Json&) -> Got { return is_from_fork(at); })
      .scalar("mergeable",
              [](Asking& asking, const Thing& at, const Json&) -> Got {
                const std::string state = asking.actions.merge_state(*at.repository, *at.item);
                return state == "UNKNOWN" ? "UNKNOWN" : state == "DIRTY" ? "CONFLICTING" : "MERGEABLE";
              })
      .scalar("mergeStateStatus",
              [](Asking& asking, const Thing& at, const Json&) -> Got {
                return asking.actions.merge_state(*at.repository, *at.item);
              })
      .scalar("reviewDecision",
              [](Asking&, const Thing& at, const Json&) -> Got {
                const std::string decision = Actions::decision(*at.item);
                return decision.empty() ? Json() : Json(decision);
              })
      .scalar("isInMergeQueue", [](Asking&, const Thing&, const Json&) -> Got { return false; })
      .scalar("isMergeQueueEnabled", [](Asking&, const Thing&, const Json&) -> Got { return false; })
      .scalar("viewerCanUpdate", [](Asking& asking, const Thing&, const Json&) -> Got { return asking.who.can_write; })
      .scalar("permalink",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return cat(kWeb, "/", at.repository->full_name(), "/pull/", at.item->number);
              })
      .field("autoMergeRequest", "AutoMergeRequest", [](Asking&, const Thing&, const Json&) -> Got { return Value(); })
      .field(
          "mergedBy", "Actor",
          [](Asking& asking, const Thing& at, const Json&) -> Got { return actor(asking, at.item->pull->merged_by); })
      .field("mergeCommit", "Commit",
             [](Asking&, const Thing& at, const Json&) -> Got {
               return commit_thing(*at.repository, at.item->pull->merge_commit);
             })
      .field("potentialMergeCommit", "Commit",
             [](Asking&, const Thing& at, const Json&) -> Got {
               return commit_thing(*at.repository, at.item->pull->merge_commit);
             })
      .field("headRepository", "Repository",
             [](Asking& asking, const Thing& at, const Json&) -> Got {
               Repository* const found = head_of(asking, at);
               return found == nullptr ? Value() : Value(Thing{"Repository", found, nullptr, found});
             })
      .field(
          "headRepositoryOwner", "RepositoryOwner",
          [](Asking& asking, const Thing& at, const Json&) -> Got { return actor(asking, at.item->pull->head_owner); })
      .field("headRef", "Ref",
             [](Asking& asking, const Thing& at, const Json&) -> Got {
               Repository* const found = head_of(asking, at);
               const std::string& name = at.item->pull->head_ref;
               const std::string sha = found == nullptr ? "" : found->git.resolve("refs/heads/" + name);
               if (sha.empty()) return Value();
               return record_of("Ref", {{"id", "REF_" + name},
                                        {"name", name},
                                        {"prefix", "refs/heads/"},
                                        {"target", commit_thing(*found, sha)}});
             })
      .field("baseRef", "Ref",
             [](Asking&, const Thing& at, const Json&) -> Got {
               const Pull& pull = *at.item->pull;
               return record_of("Ref", {{"id", "REF_" + pull.base_ref},
                                        {"name", pull.base_ref},
                                        {"prefix", "refs/heads/"},
                                        {"target", commit_thing(*at.repository, pull.base_sha)}});
             })
      .field("reviews", "PullRequestReviewConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got { return reviews(at, arguments); })
      .field("latestReviews", "PullRequestReviewConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got { return latest_reviews(at, arguments); })
      .field("reviewThreads", "PullRequestReviewThreadConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got {
               return page_of("PullRequestReviewThreadConnection",
                              things(at, at.item->pull->threads, "PullRequestReviewThread"), arguments);
             })
      .field("commits", "PullRequestCommitConnection", commits)
      .field("files", "PullRequestChangedFileConnection", files)
      .field("reviewRequests", "ReviewRequestConnection", review_requests);
}

}  // namespace pawl::practice
