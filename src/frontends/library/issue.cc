#include "pawl/issue.h"

#include "base/json.h"
#include "frontends/library/call.h"

namespace pawl {
namespace {

IssueStatus from_json(const Json& object) {
  IssueStatus issue;
  issue.number = integer_or(object, "issue");
  issue.status = string_or(object, "status", "unknown");
  issue.session = string_or(object, "session");
  issue.error_message = string_or(object, "error_message");
  issue.timestamp = string_or(object, "timestamp");
  return issue;
}

}  // namespace

Result<IssueStatus> set_issue(Client& client, std::int64_t number, const std::string& status, const SetIssue& options) {
  std::map<std::string, std::string> arguments = {{"number", std::to_string(number)}, {"status", status}};
  if (options.session) arguments["session"] = *options.session;
  if (!options.message.empty()) arguments["message"] = options.message;
  CallOptions call_options;
  call_options.reason = options.reason;
  PAWL_ASSIGN(const Json answer, call(client, "issue set", arguments, call_options));
  return from_json(answer);
}

Result<IssueStatus> get_issue(Client& client, std::int64_t number) {
  Result<Json> answer = call(client, "issue show", {{"number", std::to_string(number)}});
  if (answer) return from_json(*answer);
  if (answer.error().code != ErrorCode::not_found) return tl::unexpected(answer.error());
  IssueStatus none;
  none.number = number;
  none.status = "unknown";
  return none;
}

Result<std::vector<IssueStatus>> list_issues(Client& client, const std::string& only_status) {
  std::map<std::string, std::string> arguments;
  if (!only_status.empty()) arguments["status"] = only_status;
  PAWL_ASSIGN(const Json answer, call(client, "issue list", arguments));
  std::vector<IssueStatus> issues;
  for (const Json& row : answer) issues.push_back(from_json(row));
  return issues;
}

Result<bool> remove_issue(Client& client, std::int64_t number) {
  PAWL_ASSIGN(const Json answer, call(client, "issue remove", {{"number", std::to_string(number)}}));
  return answer.value("removed", false);
}

}  // namespace pawl
