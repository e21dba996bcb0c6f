// What a world begins with: the JSON of `pawl practice --world FILE`. Every member may be left out, a name may stand
// for an object with only that name, and a member that is not known is refused (seed_check.cc). Times are ISO texts;
// ids are kept to 64 bits.
//
// {
//   "token": "practice", "login": "octocat",            the main token, and who it belongs to; it may do everything
//   "tokens": {"weak": {"login": "x", "can": ["read"]}}, others; without "write" they change nothing
//   "ids_from": 9007199254740993,                        new ids begin after this one
//   "users": [{"login", "name", "id", "type": "User|Bot|Organization"}],
//   "organizations": [{"login": "acme", "members": ["ann"]}],
//   "repositories": [{
//     "owner": "o", "name": "r", "description", "private": false, "default_branch": "main",
//     "files": {"README.md": "text"},                    the first commit of the default branch
//     "branches": {"topic": {"a.txt": "text or null: removed"}},   a branch with one commit on top of that
//     "collaborators": {"ann": "admin|maintain|write|triage|read"},
//     "labels": ["bug" or {"name", "color", "description"}],
//     "issues": [{"number", "title", "body", "author", "association", "state": "open|closed", "labels", "assignees",
//                 "created_at", "updated_at", "closed_at", "comments": [COMMENT]}],
//     "pulls": [{ as an issue, and
//       "draft": false, "head": "branch", "head_owner": "a fork's owner", "base": "main", "pushed_at": TIME,
//       "files": {"a.txt": {"before": "old", "after": "new"}},     null or absent: the file is not there on that side
//       "commits": [{"message", "author", "files": {"a.txt": "text or null"}}],   further ones, on top; not of a branch
//       that was there "merge_state": "UNKNOWN", "merged": true, "review_requests": ["ann"], "reviews": [{"id",
//       "author", "state": "APPROVED|CHANGES_REQUESTED|COMMENTED|DISMISSED|PENDING", "body",
//                    "submitted_at"}],
//       "threads": [{"path", "line", "side", "start_line", "resolved": false, "outdated": false,
//                    "comments": [COMMENT]}],
//       "checks": ["name" or {"name", "status", "conclusion", "title", "summary", "details_url"}],
//       "statuses": ["context" or {"context", "state", "description", "target_url", "creator"}]}]
//   }]
// }
// COMMENT: "text" or {"id", "author", "body", "association", "created_at", "updated_at"}; with "count": N it is written
// N times, each body ending in its number.
#pragma once

#include "practice/actions.h"
#include "practice/world.h"

namespace pawl::practice {

// Two repositories with the same name, or a pull request that git cannot make, are errors that say which.
[[nodiscard]] Done plant(World& world, Actions& actions, const Json& seed);

// Every member of a seed, or of what a control request orders (`what`: "comments", "push"), must be one that is known:
// the error names it, where it stands and which one was meant.
[[nodiscard]] Done check_seed(const Json& seed);
[[nodiscard]] Done check_order(std::string_view what, const Json& wanted);

// One repository practice/demo: an open pull request with a comment, a thread and a check, and an issue.
[[nodiscard]] Json demo_seed();

// Shared with the control requests, which add the same things later. `sha`: the commit they are about.
Done plant_checks(World& world, Repository& repository, const std::string& sha, const Json& wanted);
void plant_comments(World& world, Item& item, const Json& wanted);
Done plant_threads(World& world, Actions& actions, Repository& repository, Item& item, const Json& wanted);
void plant_reviews(World& world, Item& item, const Json& wanted);
[[nodiscard]] Changes changes_in(const Json& files);

}  // namespace pawl::practice
