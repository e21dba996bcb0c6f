// The status of issues, with types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pawl/client.h"

namespace pawl {

struct IssueStatus {
  std::int64_t number = 0;
  std::string status;  // "running", "complete", "error", or "unknown"
  std::string session;
  std::string error_message;
  std::string timestamp;
};

struct SetIssue {
  std::optional<std::string> session = {};  // unset: the one it has, or the standard one
  std::string message = {};
  std::string reason = {};  // needed to correct complete to error, or back
};

// Refused with ErrorCode::illegal_move when the status is none, or the move is not allowed.
Result<IssueStatus> set_issue(Client& client, std::int64_t number, const std::string& status,
                              const SetIssue& options = {});
// status is "unknown" when there is none.
Result<IssueStatus> get_issue(Client& client, std::int64_t number);
Result<std::vector<IssueStatus>> list_issues(Client& client, const std::string& only_status = {});
// False when there was none.
Result<bool> remove_issue(Client& client, std::int64_t number);

}  // namespace pawl
