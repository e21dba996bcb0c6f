// The part of RestObjects about pull requests and commits.
#include "base/clock.h"
#include "base/text.h"
#include "practice/http.h"
#include "practice/rest_objects.h"

namespace pawl::practice {
namespace {

Json link(std::string url) { return {{"href", std::move(url)}}; }

}  // namespace

Json RestObjects::branch(Repository& repository, const std::string& owner, const std::string& ref,
                         const std::string& sha) const {
  Repository* const fork = lower(owner) == lower(repository.owner) ? &repository : world_.find(owner, repository.name);
  return {{"label", cat(owner, ":", ref)},
          {"ref", ref},
          {"sha", sha},
          {"user", user(owner)},
          {"repo", fork == nullptr ? Json() : this->repository(*fork, false)}};
}

Result<Json> RestObjects::pull(Repository& repository, Item& item, bool whole) {
  const Pull& pull = *item.pull;
  const std::string url = cat(api_url(repository), "/pulls/", item.number);
  const std::string issue_url = cat(api_url(repository), "/issues/", item.number);
  const std::string statuses = cat(api_url(repository), "/statuses/", pull.head_sha);
  Json out = issue(repository, item);
  for (const char* const other : {"repository_url", "labels_url", "events_url", "pull_request", "closed_by",
                                  "state_reason", "comments", "performed_via_github_app"}) {
    out.erase(other);
  }
  out["url"] = url;
  out["id"] = pull.id;
  out["diff_url"] = html_url(repository, item) + ".diff";
  out["patch_url"] = html_url(repository, item) + ".patch";
  out["issue_url"] = issue_url;
  out["merged_at"] = time_or_null(pull.merged_ms);
  out["merge_commit_sha"] = pull.merge_commit.empty() ? Json() : Json(pull.merge_commit);
  out["requested_reviewers"] = users(pull.review_requests);
  out["requested_teams"] = Json::array();
  out["draft"] = pull.draft;
  out["commits_url"] = url + "/commits";
  out["review_comments_url"] = url + "/comments";
  out["review_comment_url"] = api_url(repository) + "/pulls/comments{/number}";
  out["comments_url"] = issue_url + "/comments";
  out["statuses_url"] = statuses;
  out["head"] = branch(repository, pull.head_owner, pull.head_ref, pull.head_sha);
  out["base"] = branch(repository, repository.owner, pull.base_ref, pull.base_sha);
  out["_links"] = {{"self", link(url)},
                   {"html", link(html_url(repository, item))},
                   {"issue", link(issue_url)},
                   {"comments", link(issue_url + "/comments")},
                   {"review_comments", link(url + "/comments")},
                   {"review_comment", link(api_url(repository) + "/pulls/comments{/number}")},
                   {"commits", link(url + "/commits")},
                   {"statuses", link(statuses)}};
  out["auto_merge"] = nullptr;
  if (!whole) return out;
  PAWL_ASSIGN(const PullView* const seen, actions_.view(repository, item));
  const std::string state = actions_.merge_state(repository, item);
  out["merged"] = pull.merged_ms != 0;
  out["mergeable"] = state == "UNKNOWN" ? Json() : Json(state != "DIRTY");
  out["rebaseable"] = out["mergeable"];
  out["mergeable_state"] = lower(state);
  out["merged_by"] = user(pull.merged_by);
  out["comments"] = item.comments.size();
  out["review_comments"] = pull.comments.size();
  out["maintainer_can_modify"] = pull.maintainer_can_modify;
  out["commits"] = seen->commits.size();
  out["additions"] = seen->additions;
  out["deletions"] = seen->deletions;
  out["changed_files"] = seen->files.size();
  return out;
}

Json RestObjects::review(const Repository& repository, const Item& item, const Review& one) const {
  const std::string url = cat(api_url(repository), "/pulls/", item.number);
  const std::string web = cat(html_url(repository, item), "#pullrequestreview-", one.id);
  Json out = {{"id", one.id},
              {"node_id", node_id("PRR", one.id)},
              {"user", user(one.author)},
              {"body", one.body},
              {"state", one.state},
              {"html_url", web},
              {"pull_request_url", url},
              {"author_association", world_.association(repository, one)},
              {"_links", {{"html", link(web)}, {"pull_request", link(url)}}}};
  if (one.state != "PENDING") out["submitted_at"] = iso_time(one.created_ms);
  out["commit_id"] = one.commit.empty() ? Json() : Json(one.commit);
  return out;
}

Json RestObjects::review_comment(const Repository& repository, const Item& item, const ReviewComment& one) const {
  const std::string self = cat(api_url(repository), "/pulls/comments/", one.id);
  const std::string pull = cat(api_url(repository), "/pulls/", item.number);
  const std::string web = cat(html_url(repository, item), "#discussion_r", one.id);
  bool outdated = false;
  for (const Thread& thread : item.pull->threads) outdated = outdated || (thread.id == one.thread && thread.outdated);
  const auto number = [](std::int64_t value) { return value == 0 ? Json() : Json(value); };
  Json out = {{"id", one.id},
              {"node_id", node_id("PRRC", one.id)},
              {"url", self},
              {"pull_request_review_id", number(one.review)},
              {"diff_hunk", one.diff_hunk},
              {"path", one.place.path},
              {"commit_id", item.pull->head_sha},
              {"original_commit_id", one.commit},
              {"user", user(one.author)},
              {"body", one.body},
              {"created_at", iso_time(one.created_ms)},
              {"updated_at", iso_time(one.updated_ms)},
              {"html_url", web},
              {"pull_request_url", pull},
              {"author_association", world_.association(repository, one)},
              {"_links", {{"self", link(self)}, {"html", link(web)}, {"pull_request", link(pull)}}}};
  if (one.in_reply_to != 0) out["in_reply_to_id"] = one.in_reply_to;
  out["start_line"] = outdated ? Json() : number(one.place.start_line);
  out["original_start_line"] = number(one.place.start_line);
  out["start_side"] = one.place.start_line == 0 ? Json() : Json(one.place.start_side);
  // A line that is gone has no number any more; where it stood is kept beside. A whole file never had one.
  if (one.place.line != 0) {
    out["line"] = outdated ? Json() : Json(one.place.line);
    out["original_line"] = one.place.line;
  }
  out["side"] = one.place.side;
  out["subject_type"] = one.place.line == 0 ? "file" : "line";
  return out;
}

Json RestObjects::file(const Repository& repository, const Item& item, const ChangedFile& one) const {
  const std::string& head = item.pull->head_sha;
  const std::string web = cat(kWeb, "/", repository.full_name()), name = percent_encoded(one.name);
  Json out = {{"sha", one.sha.empty() ? Json() : Json(one.sha)},
              {"filename", one.name},
              {"status", one.status},
              {"additions", one.additions},
              {"deletions", one.deletions},
              {"changes", one.additions + one.deletions},
              {"blob_url", cat(web, "/blob/", head, "/", name)},
              {"raw_url", cat(web, "/raw/", head, "/", name)},
              {"contents_url", cat(api_url(repository), "/contents/", name, "?ref=", head)}};
  if (!one.patch.empty()) out["patch"] = one.patch;
  if (!one.previous_name.empty()) out["previous_filename"] = one.previous_name;
  return out;
}

Json RestObjects::commit(const Repository& repository, const Commit& one) const {
  const std::string url = cat(api_url(repository), "/commits/", one.sha);
  const std::string git = api_url(repository) + "/git";
  const auto known = [&](const std::string& name) { return world_.find_user(name) == nullptr ? Json() : user(name); };
  Json parents = Json::array();
  for (const std::string& parent : one.parents) {
    parents.push_back({{"sha", parent},
                       {"url", cat(api_url(repository), "/commits/", parent)},
                       {"html_url", cat(kWeb, "/", repository.full_name(), "/commit/", parent)}});
  }
  return {
      {"sha", one.sha},
      {"node_id", cat("C_", repository.id, "_", one.sha)},
      {"commit",
       {{"author", {{"name", one.author}, {"email", one.author_email}, {"date", iso_time(one.authored_ms)}}},
        {"committer", {{"name", one.committer}, {"email", one.committer_email}, {"date", iso_time(one.committed_ms)}}},
        {"message", one.message},
        {"tree", {{"sha", one.tree}, {"url", cat(git, "/trees/", one.tree)}}},
        {"url", cat(git, "/commits/", one.sha)},
        {"comment_count", 0},
        {"verification",
         {{"verified", false},
          {"reason", "unsigned"},
          {"signature", nullptr},
          {"payload", nullptr},
          {"verified_at", nullptr}}}}},
      {"url", url},
      {"html_url", cat(kWeb, "/", repository.full_name(), "/commit/", one.sha)},
      {"comments_url", url + "/comments"},
      {"author", known(one.author)},
      {"committer", known(one.committer)},
      {"parents", std::move(parents)}};
}

Json RestObjects::check(const Repository& repository, const Check& one) const {
  const std::string url = cat(api_url(repository), "/check-runs/", one.id);
  return {{"id", one.id},
          {"name", one.name},
          {"node_id", node_id("CR", one.id)},
          {"head_sha", one.sha},
          {"external_id", ""},
          {"url", url},
          {"html_url", cat(kWeb, "/", repository.full_name(), "/runs/", one.id)},
          {"details_url", one.details_url},
          {"status", one.status},
          {"conclusion", one.conclusion.empty() ? Json() : Json(one.conclusion)},
          {"started_at", iso_time(one.started_ms)},
          {"completed_at", time_or_null(one.completed_ms)},
          {"output",
           {{"title", one.title.empty() ? Json() : Json(one.title)},
            {"summary", one.summary.empty() ? Json() : Json(one.summary)},
            {"text", nullptr},
            {"annotations_count", 0},
            {"annotations_url", url + "/annotations"}}},
          {"check_suite", {{"id", repository.id}}},
          {"app", nullptr},
          {"pull_requests", Json::array()}};
}

Json RestObjects::status(const Repository& repository, const CommitStatus& one) const {
  return {{"url", cat(api_url(repository), "/statuses/", one.sha)},
          {"avatar_url", user(one.creator)["avatar_url"]},
          {"id", one.id},
          {"node_id", node_id("SC", one.id)},
          {"state", one.state},
          {"description", one.description.empty() ? Json() : Json(one.description)},
          {"target_url", one.target_url.empty() ? Json() : Json(one.target_url)},
          {"context", one.context},
          {"created_at", iso_time(one.created_ms)},
          {"updated_at", iso_time(one.created_ms)},
          {"creator", user(one.creator)}};
}

Json RestObjects::combined_status(const Repository& repository, const std::string& sha) const {
  std::map<std::string, const CommitStatus*> latest;
  for (const CommitStatus& one : repository.statuses) {
    if (one.sha == sha) latest[one.context] = &one;
  }
  bool pending = latest.empty(), failed = false;
  Json statuses = Json::array();
  for (const auto& [context, one] : latest) {
    pending = pending || one->state == "pending";
    failed = failed || one->state == "failure" || one->state == "error";
    Json shown = status(repository, *one);
    shown.erase("creator");
    statuses.push_back(std::move(shown));
  }
  return {{"state", failed    ? "failure"
                    : pending ? "pending"
                              : "success"},
          {"statuses", std::move(statuses)},
          {"sha", sha},
          {"total_count", latest.size()},
          {"repository", this->repository(repository, false)},
          {"commit_url", cat(api_url(repository), "/commits/", sha)},
          {"url", cat(api_url(repository), "/commits/", sha, "/status")}};
}

Json RestObjects::push(const Repository& repository, const Push& one) const {
  const std::string who = world_.find_user(one.who) == nullptr ? world_.login : one.who;
  return {{"id", one.at_ms},
          {"node_id", cat("PSH_", repository.id, "_", one.after)},
          {"before", one.before},
          {"after", one.after},
          {"ref", one.ref},
          {"timestamp", iso_time(one.at_ms)},
          {"activity_type", one.what},
          {"actor", user(who)}};
}

Json RestObjects::workflow_run(const Repository& repository, const WorkflowRun& run) const {
  const std::string url = cat(api_url(repository), "/actions/runs/", run.id);
  Json out = {{"id", run.id},
              {"node_id", node_id("WFR", run.id)},
              {"name", run.path.substr(run.path.rfind('/') + 1)},
              {"head_branch", run.branch},
              {"head_sha", run.sha},
              {"path", run.path},
              {"run_number", 1},
              {"run_attempt", 1},
              {"display_title", "One"},
              {"event", run.event},
              {"status", run.conclusion.empty() ? "in_progress" : "completed"},
              {"conclusion", run.conclusion.empty() ? Json() : Json(run.conclusion)},
              {"workflow_id", repository.id},
              {"url", url},
              {"html_url", cat(kWeb, "/", repository.full_name(), "/actions/runs/", run.id)},
              {"pull_requests", Json::array()},
              {"created_at", iso_time(run.created_ms)},
              {"updated_at", iso_time(run.created_ms)},
              {"run_started_at", iso_time(run.created_ms)},
              {"check_suite_url", cat(api_url(repository), "/check-suites/", run.id)},
              {"workflow_url", cat(api_url(repository), "/actions/workflows/", repository.id)},
              {"head_commit", nullptr},
              {"repository", this->repository(repository, false)},
              {"head_repository", this->repository(repository, false)}};
  for (const char* const part : {"jobs", "logs", "artifacts", "cancel", "rerun"})
    out[cat(part, "_url")] = cat(url, "/", part);
  return out;
}

}  // namespace pawl::practice
