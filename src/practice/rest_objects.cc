#include "practice/rest_objects.h"

#include <array>

#include "base/clock.h"
#include "base/text.h"
#include "practice/http.h"

namespace pawl::practice {
namespace {

struct Link {
  std::string_view name, rest;
};

constexpr std::array<Link, 36> kRepositoryLinks = {{
    {"archive_url", "/{archive_format}{/ref}"},
    {"assignees_url", "/assignees{/user}"},
    {"blobs_url", "/git/blobs{/sha}"},
    {"branches_url", "/branches{/branch}"},
    {"collaborators_url", "/collaborators{/collaborator}"},
    {"comments_url", "/comments{/number}"},
    {"commits_url", "/commits{/sha}"},
    {"compare_url", "/compare/{base}...{head}"},
    {"contents_url", "/contents/{+path}"},
    {"contributors_url", "/contributors"},
    {"deployments_url", "/deployments"},
    {"downloads_url", "/downloads"},
    {"events_url", "/events"},
    {"forks_url", "/forks"},
    {"git_commits_url", "/git/commits{/sha}"},
    {"git_refs_url", "/git/refs{/sha}"},
    {"git_tags_url", "/git/tags{/sha}"},
    {"hooks_url", "/hooks"},
    {"issue_comment_url", "/issues/comments{/number}"},
    {"issue_events_url", "/issues/events{/number}"},
    {"issues_url", "/issues{/number}"},
    {"keys_url", "/keys{/key_id}"},
    {"labels_url", "/labels{/name}"},
    {"languages_url", "/languages"},
    {"merges_url", "/merges"},
    {"milestones_url", "/milestones{/number}"},
    {"notifications_url", "/notifications{?since,all,participating}"},
    {"pulls_url", "/pulls{/number}"},
    {"releases_url", "/releases{/id}"},
    {"stargazers_url", "/stargazers"},
    {"statuses_url", "/statuses/{sha}"},
    {"subscribers_url", "/subscribers"},
    {"subscription_url", "/subscription"},
    {"tags_url", "/tags"},
    {"teams_url", "/teams"},
    {"trees_url", "/git/trees{/sha}"},
}};

constexpr std::array<Link, 8> kUserLinks = {{
    {"followers_url", "/followers"},
    {"following_url", "/following{/other_user}"},
    {"gists_url", "/gists{/gist_id}"},
    {"starred_url", "/starred{/owner}{/repo}"},
    {"subscriptions_url", "/subscriptions"},
    {"organizations_url", "/orgs"},
    {"repos_url", "/repos"},
    {"events_url", "/events{/privacy}"},
}};

}  // namespace

std::string node_id(std::string_view kind, std::int64_t id) { return cat(kind, "_", id); }

Json time_or_null(std::int64_t ms) { return ms == 0 ? Json() : Json(iso_time(ms)); }

std::string RestObjects::api_url(const Repository& repository) const {
  return cat(api_, "/repos/", repository.owner, "/", repository.name);
}

std::string RestObjects::html_url(const Repository& repository, const Item& item) const {
  return cat(kWeb, "/", repository.full_name(), item.pull ? "/pull/" : "/issues/", item.number);
}

Json RestObjects::user(const std::string& login) const {
  if (login.empty()) return Json();
  const User& user = world_.user(login);
  const std::string url = cat(api_, "/users/", percent_encoded(user.login));
  Json out = {{"login", user.login},
              {"id", user.id},
              {"node_id", node_id(user.type == "Organization" ? "O"
                                  : user.type == "Bot"        ? "BOT"
                                                              : "U",
                                  user.id)},
              {"avatar_url", cat("https://avatars.githubusercontent.com/u/", user.id)},
              {"gravatar_id", ""},
              {"url", url},
              {"html_url", cat(kWeb, "/", percent_encoded(user.login))}};
  for (const Link& link : kUserLinks) out[std::string(link.name)] = cat(url, link.rest);
  out["received_events_url"] = url + "/received_events";
  out["type"] = user.type;
  out["site_admin"] = false;
  return out;
}

Json RestObjects::whole_user(const std::string& login) const {
  Json out = user(login);
  const User& found = world_.user(login);
  out["name"] = found.name.empty() ? Json() : Json(found.name);
  for (const char* const empty : {"company", "location", "email", "hireable", "bio"}) out[empty] = nullptr;
  out["blog"] = "";
  for (const char* const count : {"public_repos", "public_gists", "followers", "following"}) out[count] = 0;
  out["created_at"] = out["updated_at"] = "2020-01-01T00:00:00Z";
  return out;
}

Json RestObjects::users(const std::vector<std::string>& logins) const {
  Json out = Json::array();
  for (const std::string& login : logins) out.push_back(user(login));
  return out;
}

Json RestObjects::repository(const Repository& one, bool whole) const {
  const std::string url = api_url(one), web = cat(kWeb, "/", one.full_name());
  std::int64_t open = 0;
  for (const auto& [number, item] : one.items) open += item.open ? 1 : 0;
  Json out = {{"id", one.id},
              {"node_id", node_id("R", one.id)},
              {"name", one.name},
              {"full_name", one.full_name()},
              {"private", one.is_private},
              {"owner", user(one.owner)},
              {"html_url", web},
              {"description", one.description.empty() ? Json() : Json(one.description)},
              {"fork", !one.parent.empty()},
              {"url", url}};
  for (const Link& link : kRepositoryLinks) out[std::string(link.name)] = cat(url, link.rest);
  for (const char* const when : {"created_at", "updated_at", "pushed_at"}) out[when] = iso_time(one.created_ms);
  out["git_url"] = cat("git://github.com/", one.full_name(), ".git");
  out["ssh_url"] = cat("git@github.com:", one.full_name(), ".git");
  out["clone_url"] = web + ".git";
  out["svn_url"] = web;
  for (const char* const none : {"homepage", "language", "mirror_url", "license"}) out[none] = nullptr;
  for (const char* const count : {"size", "stargazers_count", "watchers_count", "forks_count", "forks", "watchers"}) {
    out[count] = 0;
  }
  out["open_issues_count"] = out["open_issues"] = open;
  for (const char* const yes : {"has_issues", "has_projects", "has_downloads", "has_wiki", "allow_forking"}) {
    out[yes] = true;
  }
  for (const char* const no :
       {"has_pages", "has_discussions", "archived", "disabled", "is_template", "web_commit_signoff_required"}) {
    out[no] = false;
  }
  out["topics"] = Json::array();
  out["visibility"] = one.is_private ? "private" : "public";
  out["default_branch"] = one.default_branch;
  out["permissions"] = {{"admin", true}, {"maintain", true}, {"push", true}, {"triage", true}, {"pull", true}};
  if (whole) {
    out["network_count"] = out["subscribers_count"] = 0;
    for (const char* const yes : {"allow_merge_commit", "allow_squash_merge", "allow_rebase_merge"}) out[yes] = true;
    out["delete_branch_on_merge"] = out["allow_auto_merge"] = false;
  }
  return out;
}

Json RestObjects::label(const Repository& repository, const Label& one) const {
  return {{"id", one.id},
          {"node_id", node_id("LA", one.id)},
          {"url", cat(api_url(repository), "/labels/", percent_encoded(one.name))},
          {"name", one.name},
          {"color", one.color},
          {"default", false},
          {"description", one.description}};
}

Json RestObjects::issue(const Repository& repository, const Item& item) const {
  const std::string url = cat(api_url(repository), "/issues/", item.number);
  Json labels = Json::array();
  for (const Label& one : item.labels) labels.push_back(label(repository, one));
  Json out = {{"url", url},
              {"repository_url", api_url(repository)},
              {"labels_url", url + "/labels{/name}"},
              {"comments_url", url + "/comments"},
              {"events_url", url + "/events"},
              {"html_url", html_url(repository, item)},
              {"id", item.id},
              {"node_id", item.pull ? node_id("PR", item.pull->id) : node_id("I", item.id)},
              {"number", item.number},
              {"title", item.title},
              {"user", user(item.author)},
              {"labels", std::move(labels)},
              {"state", item.open ? "open" : "closed"},
              {"locked", item.locked},
              {"assignee", item.assignees.empty() ? Json() : user(item.assignees.front())},
              {"assignees", users(item.assignees)},
              {"milestone", nullptr},
              {"comments", item.comments.size()},
              {"created_at", iso_time(item.created_ms)},
              {"updated_at", iso_time(item.updated_ms)},
              {"closed_at", time_or_null(item.closed_ms)},
              {"author_association", world_.association(repository, item)},
              {"active_lock_reason", nullptr},
              {"body", item.body.empty() ? Json() : Json(item.body)},
              {"closed_by", user(item.closed_by)},
              {"state_reason", item.open ? Json() : Json("completed")}};
  if (item.pull) {
    const std::string pull = cat(api_url(repository), "/pulls/", item.number);
    out["draft"] = item.pull->draft;
    out["pull_request"] = {{"url", pull},
                           {"html_url", html_url(repository, item)},
                           {"diff_url", html_url(repository, item) + ".diff"},
                           {"patch_url", html_url(repository, item) + ".patch"},
                           {"merged_at", time_or_null(item.pull->merged_ms)}};
  }
  return out;
}

Json RestObjects::comment(const Repository& repository, const Item& item, const Comment& one) const {
  return {{"url", cat(api_url(repository), "/issues/comments/", one.id)},
          {"html_url", cat(html_url(repository, item), "#issuecomment-", one.id)},
          {"issue_url", cat(api_url(repository), "/issues/", item.number)},
          {"id", one.id},
          {"node_id", node_id("IC", one.id)},
          {"user", user(one.author)},
          {"created_at", iso_time(one.created_ms)},
          {"updated_at", iso_time(one.updated_ms)},
          {"body", one.body},
          {"author_association", world_.association(repository, one)},
          {"performed_via_github_app", nullptr}};
}

}  // namespace pawl::practice
