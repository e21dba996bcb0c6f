#include "engine/asking_git.h"

#include "base/text.h"

namespace pawl {

std::vector<std::string> wary_git(const std::string& folder, const std::vector<std::string>& words) {
  // The work tree is named, so that no core.worktree leads elsewhere: attributes would be asked for there, and none be
  // found of a file that has a filter here.
  std::vector<std::string> argv = {
      "git", "--no-optional-locks",     "-C", folder, cat("--work-tree=", folder), "-c", "core.fsmonitor=false",
      "-c",  "core.hooksPath=/dev/null"};
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

const std::vector<std::string>& wary_variables() {
  // The first two keep a partial clone from fetching: one in a git that knows it, the other in the rest. With the third
  // an answer is not held back, whatever the user has set: the next question waits for it.
  static const std::vector<std::string> variables = {"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_FLUSH=1"};
  return variables;
}

Result<Ran> ask_git_warily(const std::string& folder, const std::vector<std::string>& words) {
  return run_program(wary_git(folder, words), kMaxGitAnswer, StandardError::dropped, GitVariables::dropped,
                     kGitPatienceMs, Secrets::dropped, wary_variables());
}

bool tells_of_filter(std::string_view checked) {
  const auto fields = split(checked, '\0');
  return fields.size() < 3 || (fields[2] != "unspecified" && fields[2] != "unset");
}

Result<bool> has_filter(const std::string& folder, const std::string& path) {
  PAWL_ASSIGN(const Ran ran, ask_git_warily(folder, {"check-attr", "-z", "filter", "--", path}));
  if (ran.exit_code != 0) return fail(ErrorCode::io, cat("git check-attr failed in ", printable(folder)));
  return tells_of_filter(ran.out);
}

}  // namespace pawl
