// GitHub's objects and words, and pawl's.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "integrations/forge.h"

namespace pawl::github {

// For a part of a path or a value of a query.
[[nodiscard]] std::string encoded(std::string_view text);

// A member that must be there and not null.
[[nodiscard]] Result<Json> member(const Json& object, const char* name);
// repository.pullRequest of an answer; not_found where GitHub says null.
[[nodiscard]] Result<Json> pull_in(const Json& data, const PullRef& ref);
// pageInfo.endCursor where there is a next page, else null.
[[nodiscard]] Result<Json> next_cursor(const Json& connection);
// pageInfo.startCursor where there is a page before, else null.
[[nodiscard]] Result<Json> previous_cursor(const Json& connection);
// A server that sends one page again and again is not followed for ever.
[[nodiscard]] Done must_be_new(const Json& cursor, std::set<std::string>& cursors);
// A list of objects.
[[nodiscard]] Result<Json> list_in(const Json& object, const char* name);

[[nodiscard]] Result<PullRequest> pull_of_graphql(const PullRef& ref, const Json& object);
[[nodiscard]] Result<PullRequest> pull_of_rest(const PullRef& ref, const Json& object);
[[nodiscard]] ReviewThread thread_of(const Json& node);
// Those that are submitted.
[[nodiscard]] Done add_reviews(const Json& connection, std::vector<Review>& out);
[[nodiscard]] Done add_thread_comments(const Json& connection, ReviewThread& thread);
[[nodiscard]] Done add_check_runs(const Json& object, std::vector<Check>& out);
[[nodiscard]] Done add_statuses(const Json& object, std::vector<Check>& out);

[[nodiscard]] Json json_of(const ReviewDraft& draft);

}  // namespace pawl::github
