// GraphQL: reviews, threads and comments of every kind.
#include "base/text.h"
#include "practice/graphql_types.h"
#include "practice/rest_objects.h"

namespace pawl::practice {
namespace {

using Got = Result<Value>;

// What everything written has; the pointer is to the type itself, which begins with what is common.
template <class T>
void add_written(Types& types, std::string_view type, std::string_view kind) {
  types.of(type);
  const auto plain = [&](std::string_view name, auto get) {
    types.scalar(name, [get](Asking&, const Thing& at, const Json&) -> Got { return get(at.as<T>()); });
  };
  plain("id", [kind](const T& one) { return Value(node_id(kind, one.id)); });
  plain("databaseId", [](const T& one) { return small_id(one.id); });
  plain("fullDatabaseId", [](const T& one) { return Value(std::to_string(one.id)); });
  plain("body", [](const T& one) { return Value(one.body); });
  plain("bodyText", [](const T& one) { return Value(one.body); });
  plain("createdAt", [](const T& one) { return time_value(one.created_ms); });
  plain("updatedAt", [](const T& one) { return time_value(one.updated_ms); });
  plain("publishedAt", [](const T& one) { return time_value(one.created_ms); });
  plain("includesCreatedEdit", [](const T& one) { return Value(one.updated_ms != one.created_ms); });
  plain("isMinimized", [](const T&) { return Value(false); });
  plain("minimizedReason", [](const T&) { return Value(); });
  types
      .scalar("authorAssociation",
              [](Asking& asking, const Thing& at, const Json&) -> Got {
                return asking.world.association(*at.repository, at.as<T>());
              })
      .scalar("viewerDidAuthor",
              [](Asking& asking, const Thing& at, const Json&) -> Got {
                return lower(asking.who.login) == lower(at.as<T>().author);
              })
      .field("author", "Actor",
             [](Asking& asking, const Thing& at, const Json&) -> Got { return actor(asking, at.as<T>().author); })
      .field("repository", "Repository",
             [](Asking&, const Thing& at, const Json&) -> Got {
               return Thing{"Repository", at.repository, nullptr, at.repository};
             })
      .field("reactionGroups", "ReactionGroup",
             [](Asking&, const Thing&, const Json&) -> Got { return reaction_groups(); });
}

Got comments_where(const Thing& at, const Json& arguments, std::int64_t ReviewComment::*member, std::int64_t wanted) {
  std::vector<Value> found;
  for (const ReviewComment& one : at.item->pull->comments) {
    if (one.*member == wanted) found.emplace_back(Thing{"PullRequestReviewComment", at.repository, at.item, &one});
  }
  return page_of("PullRequestReviewCommentConnection", std::move(found), arguments);
}

Got pull_of(Asking&, const Thing& at, const Json&) { return item_thing(*at.repository, *at.item); }

Value line(std::int64_t number, bool outdated) { return outdated || number == 0 ? Json() : Json(number); }

bool is_outdated(const Thing& at) {
  const Thread* const thread = find_thread(*at.item, at.as<ReviewComment>().thread);
  return thread != nullptr && thread->outdated;
}

std::string anchor(const Thing& at, std::string_view kind, std::int64_t id) {
  return cat(kWeb, "/", at.repository->full_name(), "/pull/", at.item->number, kind, id);
}

void add_thread(Types& types) {
  types.of("PullRequestReviewThread");
  const auto plain = [&](std::string_view name, auto get) {
    types.scalar(name, [get](Asking&, const Thing& at, const Json&) -> Got { return get(at.as<Thread>()); });
  };
  plain("id", [](const Thread& one) { return Value(node_id("PRRT", one.id)); });
  plain("isResolved", [](const Thread& one) { return Value(one.resolved); });
  plain("isOutdated", [](const Thread& one) { return Value(one.outdated); });
  plain("isCollapsed", [](const Thread& one) { return Value(one.resolved || one.outdated); });
  plain("path", [](const Thread& one) { return Value(one.place.path); });
  plain("line", [](const Thread& one) { return line(one.place.line, one.outdated); });
  plain("originalLine", [](const Thread& one) { return line(one.place.line, false); });
  plain("startLine", [](const Thread& one) { return line(one.place.start_line, one.outdated); });
  plain("originalStartLine", [](const Thread& one) { return line(one.place.start_line, false); });
  plain("diffSide", [](const Thread& one) { return Value(one.place.side); });
  plain("startDiffSide",
        [](const Thread& one) { return Value(one.place.start_side.empty() ? Json() : Json(one.place.start_side)); });
  plain("subjectType", [](const Thread& one) { return Value(one.place.line == 0 ? "FILE" : "LINE"); });
  plain("viewerCanResolve", [](const Thread& one) { return Value(!one.resolved); });
  plain("viewerCanUnresolve", [](const Thread& one) { return Value(one.resolved); });
  plain("viewerCanReply", [](const Thread&) { return Value(true); });
  types.field("pullRequest", "PullRequest", pull_of)
      .field("resolvedBy", "User",
             [](Asking& asking, const Thing& at, const Json&) -> Got {
               return actor(asking, at.as<Thread>().resolved_by);
             })
      .field("comments", "PullRequestReviewCommentConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got {
               return comments_where(at, arguments, &ReviewComment::thread, at.as<Thread>().id);
             });
}

}  // namespace

void add_review_types(Types& types) {
  types.connection("PullRequestReviewComment", "PullRequestReviewComment");
  add_written<Comment>(types, "IssueComment", "IC");
  add_written<Review>(types, "PullRequestReview", "PRR");
  types.scalar("state", [](Asking&, const Thing& at, const Json&) -> Got { return at.as<Review>().state; })
      .scalar("submittedAt",
              [](Asking&, const Thing& at, const Json&) -> Got {
                const Review& one = at.as<Review>();
                return one.state == "PENDING" ? Value() : time_value(one.created_ms);
              })
      .scalar("url",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return anchor(at, "#pullrequestreview-", at.as<Review>().id);
              })
      .field("commit", "Commit",
             [](Asking&, const Thing& at, const Json&) -> Got {
               return commit_thing(*at.repository, at.as<Review>().commit);
             })
      .field("pullRequest", "PullRequest", pull_of)
      .field("comments", "PullRequestReviewCommentConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got {
               return comments_where(at, arguments, &ReviewComment::review, at.as<Review>().id);
             });

  add_written<ReviewComment>(types, "PullRequestReviewComment", "PRRC");
  const auto plain = [&](std::string_view name, auto get) {
    types.scalar(name, [get](Asking&, const Thing& at, const Json&) -> Got { return get(at.as<ReviewComment>()); });
  };
  plain("path", [](const ReviewComment& one) { return Value(one.place.path); });
  plain("diffHunk", [](const ReviewComment& one) { return Value(one.diff_hunk); });
  plain("originalLine", [](const ReviewComment& one) { return line(one.place.line, false); });
  plain("state", [](const ReviewComment&) { return Value("SUBMITTED"); });
  plain("subjectType", [](const ReviewComment& one) { return Value(one.place.line == 0 ? "FILE" : "LINE"); });
  types
      .scalar("line",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return line(at.as<ReviewComment>().place.line, is_outdated(at));
              })
      .scalar("startLine",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return line(at.as<ReviewComment>().place.start_line, is_outdated(at));
              })
      .scalar("outdated", [](Asking&, const Thing& at, const Json&) -> Got { return is_outdated(at); })
      .scalar("url",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return anchor(at, "#discussion_r", at.as<ReviewComment>().id);
              })
      .field("commit", "Commit",
             [](Asking&, const Thing& at, const Json&) -> Got {
               return commit_thing(*at.repository, at.item->pull->head_sha);
             })
      .field("originalCommit", "Commit",
             [](Asking&, const Thing& at, const Json&) -> Got {
               return commit_thing(*at.repository, at.as<ReviewComment>().commit);
             })
      .field("replyTo", "PullRequestReviewComment",
             [](Asking&, const Thing& at, const Json&) -> Got {
               const ReviewComment* const first = find_review_comment(*at.item, at.as<ReviewComment>().in_reply_to);
               if (first == nullptr) return Value();
               return Thing{"PullRequestReviewComment", at.repository, at.item, first};
             })
      .field("pullRequest", "PullRequest", pull_of)
      .field("pullRequestReview", "PullRequestReview", [](Asking&, const Thing& at, const Json&) -> Got {
        for (const Review& one : at.item->pull->reviews) {
          if (one.id == at.as<ReviewComment>().review) {
            return Thing{"PullRequestReview", at.repository, at.item, &one};
          }
        }
        return Value();
      });
  add_thread(types);
}

}  // namespace pawl::practice
