// The GraphQL that pawl sends: for what REST does not tell (threads, the decision on a pull request, its merge state).
#pragma once

#include <string_view>

namespace pawl::github {

inline constexpr std::string_view kPullQuery = R"(query Pull($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id number title body url state isDraft headRefName headRefOid baseRefName mergeStateStatus reviewDecision
      createdAt updatedAt author { login }
    }
  }
})";

inline constexpr std::string_view kThreadsQuery =
    R"(query Threads($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id isResolved isOutdated path line
          comments(first: 50) {
            pageInfo { hasNextPage endCursor }
            nodes { fullDatabaseId author { login } authorAssociation body createdAt updatedAt url }
          }
        }
      }
    }
  }
})";

inline constexpr std::string_view kLoginQuery = "query Login { viewer { login } }";

inline constexpr std::string_view kSearchQuery = R"(query Search($text: String!) {
  search(query: $text, type: ISSUE, first: 50) { nodes { ... on PullRequest { number state } } }
})";

// The rest of a long thread.
inline constexpr std::string_view kThreadQuery = R"(query Thread($id: ID!, $after: String) {
  node(id: $id) {
    ... on PullRequestReviewThread {
      comments(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { fullDatabaseId author { login } authorAssociation body createdAt updatedAt url }
      }
    }
  }
})";

inline constexpr std::string_view kResolveMutation = R"(mutation Resolve($id: ID!) {
  resolveReviewThread(input: {threadId: $id}) { thread { id isResolved } }
})";

inline constexpr std::string_view kReadyMutation = R"(mutation Ready($id: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { id isDraft } }
})";

}  // namespace pawl::github
