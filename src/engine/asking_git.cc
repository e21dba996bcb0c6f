#include "engine/asking_git.h"

#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxAnswer = std::size_t{128} << 20U;
constexpr int kPatienceMs = 60'000;  // the disk may be another machine's

}  // namespace

Result<Ran> ask_git_warily(const std::string& folder, const std::vector<std::string>& words) {
  // The variables keep a partial clone from fetching: by the first in a git that knows it, in others by the second.
  std::vector<std::string> argv = {"env",
                                   "GIT_NO_LAZY_FETCH=1",
                                   "GIT_ALLOW_PROTOCOL=",
                                   "git",
                                   "--no-optional-locks",
                                   "-C",
                                   folder,
                                   "-c",
                                   "core.fsmonitor=false",
                                   "-c",
                                   "core.hooksPath=/dev/null"};
  argv.insert(argv.end(), words.begin(), words.end());
  return run_program(argv, kMaxAnswer, StandardError::dropped, GitVariables::dropped, kPatienceMs);
}

Result<bool> has_filter(const std::string& folder, const std::string& path) {
  PAWL_ASSIGN(const Ran ran, ask_git_warily(folder, {"check-attr", "-z", "filter", "--", path}));
  if (ran.exit_code != 0) return fail(ErrorCode::io, cat("git check-attr failed in ", printable(folder)));
  const auto fields = split(ran.out, '\0');  // the path, the attribute, its value
  return fields.size() < 3 || (fields[2] != "unspecified" && fields[2] != "unset");
}

}  // namespace pawl
