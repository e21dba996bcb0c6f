// Routes about people, repositories and commits.
#include <array>

#include "base/text.h"
#include "practice/refusal.h"
#include "practice/rest.h"
#include "practice/seed.h"

namespace pawl::practice {
namespace {

Result<Told> me(Call& call) { return Told{call.show.whole_user(call.who.login)}; }

Result<Told> somebody(Call& call) {
  const User* const found = call.world.find_user(call.parts[0]);
  if (found == nullptr) return not_found();
  return Told{call.show.whole_user(found->login)};
}

Result<Told> repository(Call& call) { return Told{call.show.repository(*call.repository, true)}; }

// What tells a client that it reached the API, and what its token may do.
Result<Told> root(Call&) { return Told{{{"current_user_url", "https://api.github.com/user"}}}; }

Result<Told> rate_limit(Call&) {
  const Json full = {{"limit", 5000}, {"used", 0}, {"remaining", 5000}, {"reset", 4102444800}};
  return Told{{{"resources", {{"core", full}, {"search", full}, {"graphql", full}}}, {"rate", full}}};
}

Result<Told> workflow_runs(Call& call) {
  const std::string sha = call.http.parameter("head_sha"), event = call.http.parameter("event");
  Json runs = Json::array();
  for (const WorkflowRun& one : call.repository->runs) {
    if ((sha.empty() || one.sha == sha) && (event.empty() || one.event == event))
      runs.insert(runs.begin(), call.show.workflow_run(*call.repository, one));
  }
  const std::size_t total = runs.size();
  return Told{{{"total_count", total}, {"workflow_runs", std::move(runs)}}, 200, true, "workflow_runs"};
}

Result<std::string> sha_named(Call& call) {
  std::string sha = call.repository->git.resolve(call.parts[0]);
  if (sha.empty()) {
    return invalid("Commit", "sha", "invalid", cat("No commit found for SHA: ", call.parts[0]));
  }
  return sha;
}

Result<Told> commit(Call& call) {
  PAWL_ASSIGN(const std::string sha, sha_named(call));
  PAWL_ASSIGN(const Commit found, call.repository->git.show(sha));
  Json out = call.show.commit(*call.repository, found);
  Json files = Json::array();
  std::int64_t added = 0, removed = 0;
  if (!found.parents.empty()) {
    PAWL_ASSIGN(const std::string diff, call.repository->git.diff(found.parents.front(), sha));
    Item at;
    at.pull.emplace().head_sha = sha;
    for (const ChangedFile& file : parse_diff(diff)) {
      added += file.additions;
      removed += file.deletions;
      files.push_back(call.show.file(*call.repository, at, file));
    }
  }
  out["stats"] = {{"total", added + removed}, {"additions", added}, {"deletions", removed}};
  out["files"] = std::move(files);
  return Told{std::move(out)};
}

// "base...head": what head has that their common ancestor has not.
Result<Told> compare(Call& call) {
  const Git& git = call.repository->git;
  const std::size_t dots = call.parts[0].find("...");
  if (dots == std::string::npos) return not_found();
  const std::string base = git.resolve(call.parts[0].substr(0, dots)),
                    head = git.resolve(call.parts[0].substr(dots + 3));
  if (base.empty() || head.empty()) return not_found();
  const std::string ancestor = git.merge_base(base, head);
  if (ancestor.empty()) return not_found();
  PAWL_ASSIGN(const Commit base_commit, git.show(base));
  PAWL_ASSIGN(const Commit ancestor_commit, git.show(ancestor));
  PAWL_ASSIGN(const auto ahead, git.commits(base, head));
  PAWL_ASSIGN(const auto behind, git.commits(head, base));
  PAWL_ASSIGN(const std::string diff, git.diff(base, head));
  Json commits = Json::array(), files = Json::array();
  for (const Commit& one : ahead) commits.push_back(call.show.commit(*call.repository, one));
  Item at;
  at.pull.emplace().head_sha = head;
  for (const ChangedFile& file : parse_diff(diff)) files.push_back(call.show.file(*call.repository, at, file));
  const std::string url =
      cat("https://api.github.com/repos/", call.repository->full_name(), "/compare/", call.parts[0]);
  const std::string web = cat("https://github.com/", call.repository->full_name(), "/compare/", call.parts[0]);
  return Told{{{"url", url},
               {"html_url", web},
               {"permalink_url", web},
               {"diff_url", web + ".diff"},
               {"patch_url", web + ".patch"},
               {"base_commit", call.show.commit(*call.repository, base_commit)},
               {"merge_base_commit", call.show.commit(*call.repository, ancestor_commit)},
               {"status", base == head     ? "identical"
                          : behind.empty() ? "ahead"
                          : ahead.empty()  ? "behind"
                                           : "diverged"},
               {"ahead_by", ahead.size()},
               {"behind_by", behind.size()},
               {"total_commits", ahead.size()},
               {"commits", std::move(commits)},
               {"files", std::move(files)}}};
}

Result<Told> check_runs(Call& call) {
  PAWL_ASSIGN(const std::string sha, sha_named(call));
  const std::string name = call.http.parameter("check_name"), status = call.http.parameter("status");
  Json runs = Json::array();
  for (const Check& one : call.repository->checks) {
    if (one.sha != sha || (!name.empty() && one.name != name) || (!status.empty() && one.status != status)) continue;
    runs.push_back(call.show.check(*call.repository, one));
  }
  const std::size_t total = runs.size();
  return Told{{{"total_count", total}, {"check_runs", std::move(runs)}}, 200, true, "check_runs"};
}

Result<Told> combined_status(Call& call) {
  PAWL_ASSIGN(const std::string sha, sha_named(call));
  return Told{call.show.combined_status(*call.repository, sha)};
}

Result<Told> statuses(Call& call) {
  PAWL_ASSIGN(const std::string sha, sha_named(call));
  Json out = Json::array();
  for (const CommitStatus& one : call.repository->statuses) {
    if (one.sha == sha) out.insert(out.begin(), call.show.status(*call.repository, one));
  }
  return Told{std::move(out), 200, true};
}

Result<Told> add_status(Call& call) {
  PAWL_ASSIGN(const std::string sha, sha_named(call));
  const std::string state = call.text("state");
  if (state != "success" && state != "failure" && state != "error" && state != "pending") {
    return invalid("Status", "state", "inclusion", "state is not included in the list");
  }
  Json wanted = call.body;
  wanted["sha"] = sha;
  wanted["creator"] = call.who.login;
  PAWL_TRY(plant_checks(call.world, *call.repository, sha, {{"statuses", Json::array({std::move(wanted)})}}));
  return Told{call.show.status(*call.repository, call.repository->statuses.back()), 201};
}

Result<Told> permission(Call& call) {
  const User* const found = call.world.find_user(call.parts[0]);
  if (found == nullptr) return not_found(cat(call.parts[0], " is not a user"));
  const std::string role = call.world.permission(*call.repository, found->login);
  Json user = call.show.user(found->login);
  const bool admin = role == "admin", push = admin || role == "write" || role == "maintain";
  user["permissions"] = {{"admin", admin},
                         {"maintain", admin || role == "maintain"},
                         {"push", push},
                         {"triage", push || role == "triage"},
                         {"pull", role != "none"}};
  user["role_name"] = role;
  // The older member knows four words; the two newer roles are told as the nearest of them.
  const std::string old = role == "maintain" ? "write" : role == "triage" ? "read" : role;
  return Told{{{"permission", old}, {"role_name", role}, {"user", std::move(user)}}};
}

Result<Told> is_collaborator(Call& call) {
  const std::string role = call.world.permission(*call.repository, call.parts[0]);
  if (role == "none" || (role == "read" && !call.repository->collaborators.contains(call.parts[0]))) return not_found();
  return Told{Json(), 204};
}

Result<Told> is_member(Call& call) {
  if (!call.world.is_member(call.parts[0], call.parts[1])) return not_found();
  return Told{Json(), 204};
}

Result<Told> activity(Call& call) {
  const std::string ref = call.http.parameter("ref"), actor = call.http.parameter("actor"),
                    type = call.http.parameter("activity_type");
  Json out = Json::array();
  for (const Push& push : call.repository->git.pushes()) {
    if (!ref.empty() && push.ref != ref && push.ref != "refs/heads/" + ref) continue;
    if (!type.empty() && type != push.what) continue;
    Json shown = call.show.push(*call.repository, push);
    if (actor.empty() || lower(actor) == lower(shown["actor"]["login"].get<std::string>())) {
      out.push_back(std::move(shown));
    }
  }
  return Told{std::move(out), 200, true};
}

Result<Told> labels(Call& call) {
  Json out = Json::array();
  for (const Label& one : call.repository->labels) out.push_back(call.show.label(*call.repository, one));
  return Told{std::move(out), 200, true};
}

Result<Told> remove_ref(Call& call) {
  const std::string ref = "refs/" + call.parts[0];
  if (call.repository->git.resolve(ref).empty())
    return invalid("Reference", "ref", "custom", "Reference does not exist");
  PAWL_TRY(call.repository->git.remove_ref(ref));
  return Told{Json(), 204};
}

constexpr std::array kOtherRoutes = {
    Route{"GET", "/", root},
    Route{"GET", "/user", me},
    Route{"GET", "/rate_limit", rate_limit},
    Route{"GET", "/users/:login", somebody},
    Route{"GET", "/orgs/:org/members/:login", is_member},
    Route{"GET", "/repos/:owner/:name", repository},
    Route{"GET", "/repos/:owner/:name/labels", labels},
    Route{"GET", "/repos/:owner/:name/activity", activity},
    Route{"GET", "/repos/:owner/:name/actions/runs", workflow_runs},
    Route{"GET", "/repos/:owner/:name/collaborators/:login", is_collaborator},
    Route{"GET", "/repos/:owner/:name/collaborators/:login/permission", permission},
    Route{"POST", "/repos/:owner/:name/statuses/:sha", add_status},
    Route{"GET", "/repos/:owner/:name/commits/+ref/check-runs", check_runs},
    Route{"GET", "/repos/:owner/:name/commits/+ref/status", combined_status},
    Route{"GET", "/repos/:owner/:name/commits/+ref/statuses", statuses},
    Route{"GET", "/repos/:owner/:name/commits/+ref", commit},
    Route{"GET", "/repos/:owner/:name/compare/+basehead", compare},
    Route{"DELETE", "/repos/:owner/:name/git/refs/+ref", remove_ref},
};

}  // namespace

std::span<const Route> other_routes() { return kOtherRoutes; }

}  // namespace pawl::practice
