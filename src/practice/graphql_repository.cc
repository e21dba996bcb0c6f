// GraphQL: the roots of a query, people and repositories.
#include <algorithm>

#include "base/text.h"
#include "practice/graphql_types.h"
#include "practice/refusal.h"
#include "practice/rest_objects.h"

namespace pawl::practice {
namespace {

using Got = Result<Value>;

// In GraphQL a bot has no "[bot]" in its name, but where it asks for itself.
std::string login_of(const User& user, std::string_view as) {
  return as == "Bot" && user.type == "Bot" && user.login.ends_with("[bot]")
             ? user.login.substr(0, user.login.size() - 5)
             : user.login;
}

void add_actor(Types& types, std::string_view type, std::string_view kind) {
  types.of(type)
      .scalar("id", [kind](Asking&, const Thing& at, const Json&) -> Got { return node_id(kind, at.as<User>().id); })
      .scalar("databaseId", [](Asking&, const Thing& at, const Json&) -> Got { return small_id(at.as<User>().id); })
      .scalar("login", [](Asking&, const Thing& at, const Json&) -> Got { return login_of(at.as<User>(), at.type); })
      .scalar(
          "url",
          [](Asking&, const Thing& at, const Json&) -> Got { return cat(kWeb, "/", login_of(at.as<User>(), at.type)); })
      .scalar("avatarUrl", [](Asking&, const Thing& at, const Json&) -> Got {
        return cat("https://avatars.githubusercontent.com/u/", at.as<User>().id);
      });
  if (type == "Bot") return;
  types.scalar("name", [](Asking&, const Thing& at, const Json&) -> Got {
    const std::string& name = at.as<User>().name;
    return name.empty() ? Json() : Json(name);
  });
}

Value branch(Repository& repository, const std::string& name, const std::string& sha) {
  return record_of("Ref", {{"id", cat("REF_", repository.id, "_", name)},
                           {"name", name},
                           {"prefix", "refs/heads/"},
                           {"target", sha.empty() ? Value() : commit_thing(repository, sha)}});
}

bool asked_for(const Json& arguments, const char* key, const std::string& value) {
  const auto found = arguments.find(key);
  if (found == arguments.end() || found->is_null()) return true;
  if (found->is_array()) return std::find(found->begin(), found->end(), value) != found->end();
  return *found == value;
}

std::string state_of(const Item& item) {
  return item.open ? "OPEN" : item.pull && item.pull->merged_ms != 0 ? "MERGED" : "CLOSED";
}

Got items(const Thing& at, const Json& arguments, bool pulls) {
  const auto& order = arguments.find("orderBy");
  const bool newest_first = order != arguments.end() && string_or(*order, "direction") == "DESC";
  const auto filter = arguments.find("filterBy");
  std::vector<Value> found;
  for (auto& [number, item] : at.repository->items) {
    if (item.pull.has_value() != pulls || !asked_for(arguments, "states", state_of(item))) continue;
    if (pulls && (!asked_for(arguments, "headRefName", item.pull->head_ref) ||
                  !asked_for(arguments, "baseRefName", item.pull->base_ref))) {
      continue;
    }
    if (filter != arguments.end() && filter->is_object() && !asked_for(*filter, "createdBy", item.author)) continue;
    if (const auto labels = arguments.find("labels"); labels != arguments.end() && labels->is_array()) {
      const bool any = std::any_of(item.labels.begin(), item.labels.end(),
                                   [&](const Label& label) { return asked_for(arguments, "labels", label.name); });
      if (!any) continue;
    }
    found.emplace_back(item_thing(*at.repository, item));
  }
  if (newest_first) std::reverse(found.begin(), found.end());
  return page_of(pulls ? "PullRequestConnection" : "IssueConnection", std::move(found), arguments);
}

Got item_numbered(Asking&, const Thing& at, const Json& arguments, std::string_view kind) {
  const auto number = arguments.find("number");
  const auto found = number != arguments.end() && number->is_number_integer()
                         ? at.repository->items.find(number->get<std::int64_t>())
                         : at.repository->items.end();
  const bool fits = found != at.repository->items.end() &&
                    (kind == "issue or pull request" || found->second.pull.has_value() == (kind == "PullRequest"));
  if (!fits) {
    return not_found(cat("Could not resolve to ",
                         kind == "Issue"         ? "an "
                         : kind == "PullRequest" ? "a "
                                                 : "an ",
                         kind, " with the number of ",
                         number == arguments.end() ? std::string("null") : to_line(*number), "."));
  }
  return item_thing(*at.repository, found->second);
}

Got empty_page(std::string_view connection, const Json& arguments) { return page_of(connection, {}, arguments); }

}  // namespace

void add_people_types(Types& types) {
  add_actor(types, "User", "U");
  add_actor(types, "Bot", "BOT");
  add_actor(types, "Organization", "O");
  add_actor(types, "Mannequin", "M");
  types.record("Team", {{"id", ""}, {"name", ""}, {"slug", ""}, {"organization", "Organization"}});
  const std::vector<std::string_view> actors = {"User", "Bot", "Organization", "Mannequin"};
  types.abstract("Actor", actors, {{"login", ""}, {"url", ""}, {"avatarUrl", ""}});
  types.abstract("RepositoryOwner", {"User", "Organization"},
                 {{"id", ""}, {"login", ""}, {"url", ""}, {"avatarUrl", ""}});
  types.abstract("RequestedReviewer", {"User", "Bot", "Team", "Mannequin"}, {});
  types.connection("User", "User");

  types.of("Query")
      .field("viewer", "User",
             [](Asking& asking, const Thing&, const Json&) -> Got {
               return Thing{"User", nullptr, nullptr, &asking.world.user(asking.who.login)};
             })
      .field("user", "User",
             [](Asking& asking, const Thing&, const Json& arguments) -> Got {
               const std::string login = string_or(arguments, "login");
               const User* const found = asking.world.find_user(login);
               if (found != nullptr && found->type == "User") return Thing{"User", nullptr, nullptr, found};
               return not_found(cat("Could not resolve to a User with the login of '", login, "'."));
             })
      .field("organization", "Organization",
             [](Asking& asking, const Thing&, const Json& arguments) -> Got {
               const std::string login = string_or(arguments, "login");
               const User* const found = asking.world.find_user(login);
               if (found != nullptr && found->type == "Organization") {
                 return Thing{"Organization", nullptr, nullptr, found};
               }
               return not_found(cat("Could not resolve to an Organization with the login of '", login, "'."));
             })
      .field("repository", "Repository",
             [](Asking& asking, const Thing&, const Json& arguments) -> Got {
               const std::string owner = string_or(arguments, "owner"), name = string_or(arguments, "name");
               Repository* const found = asking.world.find(owner, name);
               if (found == nullptr) {
                 return not_found(cat("Could not resolve to a Repository with the name '", owner, "/", name, "'."));
               }
               asking.actions.refresh(*found);
               return Thing{"Repository", found, nullptr, found};
             })
      .field("node", "Node",
             [](Asking& asking, const Thing&, const Json& arguments) -> Got {
               PAWL_ASSIGN(Thing found, find_node(asking, string_or(arguments, "id")));
               return found;
             })
      .field(
          "rateLimit", "RateLimit",
          [](Asking&, const Thing&, const Json&) -> Got {
            return record_of(
                "RateLimit",
                {{"limit", 5000}, {"cost", 1}, {"used", 1}, {"remaining", 4999}, {"resetAt", "2100-01-01T00:00:00Z"}});
          })
      .field("__type", "__Type", [](Asking&, const Thing&, const Json& arguments) -> Got {
        const std::string name = string_or(arguments, "name");
        const auto found = all_types().all.find(name);
        if (found == all_types().all.end()) return Value();
        std::vector<Value> fields;
        for (const auto& [called, field] : found->second.fields)
          fields.emplace_back(record_of("__Field", {{"name", called}}));
        return record_of("__Type",
                         {{"name", name}, {"fields", fields}, {"enumValues", Value()}, {"inputFields", Value()}});
      });
  types.record("RateLimit", {{"limit", ""}, {"cost", ""}, {"used", ""}, {"remaining", ""}, {"resetAt", ""}});
  types.record("__Type", {{"name", ""}, {"fields", "__Field"}, {"enumValues", "__Field"}, {"inputFields", "__Field"}});
  types.record("__Field", {{"name", ""}});
  types.abstract("Node",
                 {"User", "Bot", "Organization", "Repository", "PullRequest", "Issue", "IssueComment",
                  "PullRequestReview", "PullRequestReviewComment", "PullRequestReviewThread"},
                 {{"id", ""}});
}

void add_repository_types(Types& types) {
  types.connection("PullRequest", "PullRequest");
  types.connection("Issue", "Issue");
  types.connection("Ref", "Ref");
  types.connection("ProjectV2", "ProjectV2");
  types.record("Ref", {{"id", ""},
                       {"name", ""},
                       {"prefix", ""},
                       {"target", "GitObject"},
                       {"branchProtectionRule", "BranchProtectionRule"}});
  types.record("BranchProtectionRule", {{"id", ""}, {"requiresStrictStatusChecks", ""}});
  types.record("PullRequestTemplate", {{"filename", ""}, {"body", ""}});
  types.record("IssueTemplate", {{"name", ""}, {"body", ""}, {"about", ""}, {"title", ""}});
  types.record("ProjectV2", {{"id", ""}, {"title", ""}, {"number", ""}});

  types.of("Repository");
  const auto plain = [&](std::string_view name, auto get) {
    types.scalar(name, [get](Asking&, const Thing& at, const Json&) -> Got { return get(*at.repository); });
  };
  plain("id", [](const Repository& one) { return Value(node_id("R", one.id)); });
  plain("databaseId", [](const Repository& one) { return small_id(one.id); });
  plain("name", [](const Repository& one) { return Value(one.name); });
  plain("nameWithOwner", [](const Repository& one) { return Value(one.full_name()); });
  plain("url", [](const Repository& one) { return Value(cat(kWeb, "/", one.full_name())); });
  plain("sshUrl", [](const Repository& one) { return Value(cat("git@github.com:", one.full_name(), ".git")); });
  plain("description",
        [](const Repository& one) { return Value(one.description.empty() ? Json() : Json(one.description)); });
  plain("isPrivate", [](const Repository& one) { return Value(one.is_private); });
  plain("isFork", [](const Repository& one) { return Value(!one.parent.empty()); });
  plain("createdAt", [](const Repository& one) { return time_value(one.created_ms); });
  plain("updatedAt", [](const Repository& one) { return time_value(one.created_ms); });
  plain("pushedAt", [](const Repository& one) { return time_value(one.created_ms); });
  for (const std::string_view no : {"isArchived", "isDisabled", "isTemplate", "isEmpty", "deleteBranchOnMerge",
                                    "autoMergeAllowed", "isInOrganization"}) {
    plain(no, [](const Repository&) { return Value(false); });
  }
  for (const std::string_view yes : {"hasIssuesEnabled", "hasWikiEnabled", "hasProjectsEnabled", "mergeCommitAllowed",
                                     "squashMergeAllowed", "rebaseMergeAllowed", "viewerCanAdminister"}) {
    plain(yes, [](const Repository&) { return Value(true); });
  }
  plain("viewerDefaultMergeMethod", [](const Repository&) { return Value("MERGE"); });
  types
      .scalar("viewerPermission",
              [](Asking& asking, const Thing& at, const Json&) -> Got {
                return asking.who.login == asking.world.login
                           ? "ADMIN"
                           : upper(asking.world.permission(*at.repository, asking.who.login));
              })
      .field("owner", "RepositoryOwner",
             [](Asking& asking, const Thing& at, const Json&) -> Got { return actor(asking, at.repository->owner); })
      .field("parent", "Repository",
             [](Asking& asking, const Thing& at, const Json&) -> Got {
               const std::string& name = at.repository->parent;
               const std::size_t slash = name.find('/');
               Repository* const found = slash == std::string::npos
                                             ? nullptr
                                             : asking.world.find(name.substr(0, slash), name.substr(slash + 1));
               return found == nullptr ? Value() : Value(Thing{"Repository", found, nullptr, found});
             })
      .field("defaultBranchRef", "Ref",
             [](Asking&, const Thing& at, const Json&) -> Got {
               const std::string& name = at.repository->default_branch;
               return branch(*at.repository, name, at.repository->git.resolve("refs/heads/" + name));
             })
      .field("ref", "Ref",
             [](Asking&, const Thing& at, const Json& arguments) -> Got {
               std::string name = string_or(arguments, "qualifiedName");
               if (name.starts_with("refs/heads/")) name.erase(0, 11);
               const std::string sha = at.repository->git.resolve("refs/heads/" + name);
               return sha.empty() ? Value() : branch(*at.repository, name, sha);
             })
      .field("refs", "RefConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got {
               std::vector<Value> found;
               for (const auto& [name, sha] : at.repository->git.branches()) {
                 found.push_back(branch(*at.repository, name, sha));
               }
               return page_of("RefConnection", std::move(found), arguments);
             })
      .field("object", "GitObject",
             [](Asking&, const Thing& at, const Json& arguments) -> Got {
               std::string name = string_or(arguments, "oid");
               if (name.empty()) name = string_or(arguments, "expression");
               const std::string sha = at.repository->git.resolve(name);
               return sha.empty() ? Value() : commit_thing(*at.repository, sha);
             })
      .field("pullRequest", "PullRequest",
             [](Asking& asking, const Thing& at, const Json& arguments) -> Got {
               return item_numbered(asking, at, arguments, "PullRequest");
             })
      .field("issue", "Issue",
             [](Asking& asking, const Thing& at, const Json& arguments) -> Got {
               return item_numbered(asking, at, arguments, "Issue");
             })
      .field("issueOrPullRequest", "IssueOrPullRequest",
             [](Asking& asking, const Thing& at, const Json& arguments) -> Got {
               return item_numbered(asking, at, arguments, "issue or pull request");
             })
      .field("pullRequests", "PullRequestConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got { return items(at, arguments, true); })
      .field("issues", "IssueConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got { return items(at, arguments, false); })
      .field("labels", "LabelConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got {
               std::vector<Value> found;
               for (const Label& one : at.repository->labels) {
                 found.emplace_back(Thing{"Label", at.repository, nullptr, &one});
               }
               return page_of("LabelConnection", std::move(found), arguments);
             })
      .field("assignableUsers", "UserConnection",
             [](Asking& asking, const Thing& at, const Json& arguments) -> Got {
               std::vector<Value> found;
               for (const auto& [name, user] : asking.world.users) {
                 if (user.type == "User") found.emplace_back(Thing{"User", nullptr, nullptr, &user});
               }
               (void)at;
               return page_of("UserConnection", std::move(found), arguments);
             })
      .field("milestones", "MilestoneConnection",
             [](Asking&, const Thing&, const Json& arguments) -> Got {
               return empty_page("MilestoneConnection", arguments);
             })
      .field("projectsV2", "ProjectV2Connection",
             [](Asking&, const Thing&, const Json& arguments) -> Got {
               return empty_page("ProjectV2Connection", arguments);
             })
      .field("pullRequestTemplates", "PullRequestTemplate",
             [](Asking&, const Thing&, const Json&) -> Got { return std::vector<Value>(); })
      .field("issueTemplates", "IssueTemplate",
             [](Asking&, const Thing&, const Json&) -> Got { return std::vector<Value>(); });
}

}  // namespace pawl::practice
