// GraphQL: commits, and what checks and statuses say of them.
#include "base/text.h"
#include "practice/graphql_types.h"
#include "practice/rest_objects.h"

namespace pawl::practice {
namespace {

using Got = Result<Value>;

std::string headline(const Commit& commit) { return commit.message.substr(0, commit.message.find('\n')); }

std::string rest_of(const Commit& commit) {
  const std::size_t end = commit.message.find('\n');
  if (end == std::string::npos) return {};
  const std::size_t start = commit.message.find_first_not_of('\n', end);
  return start == std::string::npos ? std::string() : commit.message.substr(start);
}

Value git_actor(Asking& asking, const std::string& name, const std::string& email, std::int64_t at_ms) {
  const User* const user = asking.world.find_user(name);
  return record_of("GitActor", {{"name", name},
                                {"email", email},
                                {"date", time_value(at_ms)},
                                {"user", user == nullptr ? Value() : Value(Thing{"User", nullptr, nullptr, user})}});
}

Value or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Thing check_run(const Thing& at, const Check& one) {
  return record_of("CheckRun", {{"id", node_id("CR", one.id)},
                                {"databaseId", small_id(one.id)},
                                {"name", one.name},
                                {"status", upper(one.status)},
                                {"conclusion", or_null(upper(one.conclusion))},
                                {"startedAt", time_value(one.started_ms)},
                                {"completedAt", time_value(one.completed_ms)},
                                {"detailsUrl", or_null(one.details_url)},
                                {"url", cat(kWeb, "/", at.repository->full_name(), "/runs/", one.id)},
                                {"title", or_null(one.title)},
                                {"summary", or_null(one.summary)},
                                {"text", Value()},
                                {"isRequired", false},
                                {"checkSuite", record_of("CheckSuite", {{"id", node_id("CS", at.repository->id)},
                                                                        {"app", Value()},
                                                                        {"workflowRun", Value()}})}});
}

Thing status_context(Asking& asking, const CommitStatus& one) {
  return record_of("StatusContext", {{"id", node_id("SC", one.id)},
                                     {"context", one.context},
                                     {"state", upper(one.state)},
                                     {"description", or_null(one.description)},
                                     {"targetUrl", or_null(one.target_url)},
                                     {"createdAt", time_value(one.created_ms)},
                                     {"isRequired", false},
                                     {"creator", actor(asking, one.creator)}});
}

Got contexts(Asking& asking, const Thing& at, const Json& arguments) {
  const auto& sha = at.as<Commit>().sha;
  std::vector<Value> found;
  for (const Check& one : at.repository->checks) {
    if (one.sha == sha) found.emplace_back(check_run(at, one));
  }
  std::map<std::string, const CommitStatus*> latest;
  for (const CommitStatus& one : at.repository->statuses) {
    if (one.sha == sha) latest[one.context] = &one;
  }
  for (const auto& [context, one] : latest) found.emplace_back(status_context(asking, *one));
  return page_of("StatusCheckRollupContextConnection", std::move(found), arguments);
}

}  // namespace

Value commit_thing(Repository& repository, const std::string& sha) {
  if (sha.empty()) return {};
  auto found = repository.git.show(sha);
  if (!found) return {};
  auto kept = std::make_shared<const Commit>(std::move(*found));
  Thing thing{"Commit", &repository, nullptr, kept.get()};
  thing.kept = std::move(kept);
  return thing;
}

void add_commit_types(Types& types) {
  types.connection("GitActor", "GitActor");
  types.connection("StatusCheckRollupContext", "StatusCheckRollupContext");
  types.record("GitActor", {{"name", ""}, {"email", ""}, {"date", ""}, {"user", "User"}});
  types.record("App", {{"id", ""}, {"name", ""}, {"slug", ""}});
  types.record("Workflow", {{"id", ""}, {"name", ""}});
  types.record("WorkflowRun", {{"id", ""}, {"event", ""}, {"workflow", "Workflow"}});
  types.record("CheckSuite", {{"id", ""}, {"app", "App"}, {"workflowRun", "WorkflowRun"}});
  types.record("CheckRun", {{"id", ""},
                            {"databaseId", ""},
                            {"name", ""},
                            {"status", ""},
                            {"conclusion", ""},
                            {"startedAt", ""},
                            {"completedAt", ""},
                            {"detailsUrl", ""},
                            {"url", ""},
                            {"title", ""},
                            {"summary", ""},
                            {"text", ""},
                            {"isRequired", ""},
                            {"checkSuite", "CheckSuite"}});
  types.record("StatusContext", {{"id", ""},
                                 {"context", ""},
                                 {"state", ""},
                                 {"description", ""},
                                 {"targetUrl", ""},
                                 {"createdAt", ""},
                                 {"isRequired", ""},
                                 {"creator", "Actor"}});
  types.abstract("StatusCheckRollupContext", {"CheckRun", "StatusContext"}, {});
  types.abstract("GitObject", {"Commit"}, {{"id", ""}, {"oid", ""}, {"abbreviatedOid", ""}});

  types.of("Commit");
  const auto plain = [&](std::string_view name, auto get) {
    types.scalar(name, [get](Asking&, const Thing& at, const Json&) -> Got { return get(at.as<Commit>()); });
  };
  plain("oid", [](const Commit& one) { return Value(one.sha); });
  plain("abbreviatedOid", [](const Commit& one) { return Value(one.sha.substr(0, 7)); });
  plain("message", [](const Commit& one) { return Value(one.message); });
  plain("messageHeadline", [](const Commit& one) { return Value(headline(one)); });
  plain("messageBody", [](const Commit& one) { return Value(rest_of(one)); });
  plain("authoredDate", [](const Commit& one) { return time_value(one.authored_ms); });
  plain("committedDate", [](const Commit& one) { return time_value(one.committed_ms); });
  types
      .scalar("id",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return cat("C_", at.repository->id, "_", at.as<Commit>().sha);
              })
      .scalar("url",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return cat(kWeb, "/", at.repository->full_name(), "/commit/", at.as<Commit>().sha);
              })
      .field("author", "GitActor",
             [](Asking& asking, const Thing& at, const Json&) -> Got {
               const Commit& one = at.as<Commit>();
               return git_actor(asking, one.author, one.author_email, one.authored_ms);
             })
      .field("committer", "GitActor",
             [](Asking& asking, const Thing& at, const Json&) -> Got {
               const Commit& one = at.as<Commit>();
               return git_actor(asking, one.committer, one.committer_email, one.committed_ms);
             })
      .field("authors", "GitActorConnection",
             [](Asking& asking, const Thing& at, const Json& arguments) -> Got {
               const Commit& one = at.as<Commit>();
               return page_of("GitActorConnection", {git_actor(asking, one.author, one.author_email, one.authored_ms)},
                              arguments);
             })
      .field("statusCheckRollup", "StatusCheckRollup", [](Asking&, const Thing& at, const Json&) -> Got {
        if (Actions::rollup(*at.repository, at.as<Commit>().sha).empty()) return Value();
        Thing rollup = at;
        rollup.type = "StatusCheckRollup";
        return rollup;
      });

  types.of("StatusCheckRollup")
      .scalar("id",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return cat("SCR_", at.repository->id, "_", at.as<Commit>().sha);
              })
      .scalar("state",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return Actions::rollup(*at.repository, at.as<Commit>().sha);
              })
      .field("contexts", "StatusCheckRollupContextConnection", contexts);
}

}  // namespace pawl::practice
