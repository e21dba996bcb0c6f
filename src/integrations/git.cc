#include "integrations/git.h"

#include <algorithm>

#include "base/process.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxAnswer = std::size_t{1} << 20U;
constexpr int kAnswerMs = 20'000;

Result<std::string> ask_here(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "-C", folder});
  PAWL_ASSIGN(const Ran ran, run_program(words, kMaxAnswer, StandardError::dropped, GitVariables::kept, kAnswerMs));
  if (ran.exit_code == 1) return fail(ErrorCode::not_found, cat("git knows nothing of this: ", words[3]));
  if (ran.exit_code != 0)
    return fail(ErrorCode::io, cat(printable(folder), " is no git repository that git can read"),
                cat("git -C ", printable(folder),
                    " status says why; what is about one pull request also takes "
                    "owner/repo#123"));
  return ran.out;
}

}  // namespace

Result<std::vector<Remote>> git_remotes(const std::string& folder) {
  const auto lines = ask_here(folder, {"config", "--get-regexp", "^remote\\..*\\.url$"});
  if (!lines && lines.error().code != ErrorCode::not_found) return tl::unexpected(lines.error());
  if (!lines)
    return fail(ErrorCode::not_found,
                cat(printable(folder), " has no git remote, so pawl cannot know its repository on GitHub"),
                "git remote add origin URL; what is about one pull request also takes owner/repo#123");
  std::vector<Remote> remotes;
  constexpr std::string_view kBefore = "remote.", kBehind = ".url";
  for (const std::string_view line : split(*lines, '\n')) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || blank < kBefore.size() + kBehind.size()) continue;
    const std::string_view name = line.substr(kBefore.size(), blank - kBefore.size() - kBehind.size());
    remotes.push_back({std::string(name), std::string(line.substr(blank + 1))});
  }
  std::stable_partition(remotes.begin(), remotes.end(), [](const Remote& remote) { return remote.name == "origin"; });
  return remotes;
}

Result<std::string> git_branch(const std::string& folder) {
  const auto name = ask_here(folder, {"symbolic-ref", "--quiet", "--short", "HEAD"});
  if (!name && name.error().code != ErrorCode::not_found) return tl::unexpected(name.error());
  if (!name)
    return fail(ErrorCode::not_found, "no branch is checked out here", "name the pull request: owner/repo#123");
  return std::string(trim(*name));
}

}  // namespace pawl
