// The GraphQL that pawl sends: for what REST does not tell (threads, the decision on a pull request, its merge state).
#pragma once

#include <string_view>

namespace pawl::github {

inline constexpr std::string_view kPullQuery = R"(query Pull($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id number title body url state isDraft headRefName headRefOid isCrossRepository baseRefName mergeStateStatus reviewDecision
      createdAt updatedAt author { __typename login }
    }
  }
})";

// Without what GitHub must work out first.
inline constexpr std::string_view kGlanceQuery = R"(query Glance($owner: String!, $name: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id number title body url state isDraft headRefName headRefOid isCrossRepository baseRefName createdAt updatedAt
      author { __typename login } comments { totalCount }
    }
  }
})";

// Threads and reviews page by page, side by side; of what has no more pages nothing is asked. Every comment in a thread
// makes a review, so that there are many: they are read from both ends at once.
inline constexpr std::string_view kSaidQuery =
    R"(query Said($owner: String!, $name: String!, $number: Int!, $threads: Boolean!, $after: String,
      $reviews: Boolean!, $reviewsAfter: String, $reviewsBefore: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) @include(if: $threads) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id isResolved isOutdated path line
          comments(first: 100) {
            pageInfo { hasNextPage endCursor }
            nodes { fullDatabaseId author { __typename login } authorAssociation body createdAt updatedAt url }
          }
        }
      }
      reviews(first: 100, after: $reviewsAfter) @include(if: $reviews) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes { fullDatabaseId author { __typename login } authorAssociation body state submittedAt updatedAt }
      }
      lastReviews: reviews(last: 100, before: $reviewsBefore) @include(if: $reviews) {
        pageInfo { hasPreviousPage startCursor }
        nodes { fullDatabaseId author { __typename login } authorAssociation body state submittedAt updatedAt }
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
        nodes { fullDatabaseId author { __typename login } authorAssociation body createdAt updatedAt url }
      }
    }
  }
})";

inline constexpr std::string_view kResolveMutation = R"(mutation Resolve($id: ID!) {
  resolveReviewThread(input: {threadId: $id}) { thread { id isResolved } }
})";

inline constexpr std::string_view kUnresolveMutation = R"(mutation Unresolve($id: ID!) {
  unresolveReviewThread(input: {threadId: $id}) { thread { id isResolved } }
})";

inline constexpr std::string_view kReadyMutation = R"(mutation Ready($id: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { id isDraft } }
})";

}  // namespace pawl::github
