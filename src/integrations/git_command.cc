#include "integrations/git_command.h"

#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{16} << 20U;
constexpr int kCheckoutMs = 600'000;  // of a large repository

}  // namespace

Result<Ran> run_git(const std::string& folder, std::vector<std::string> words, StandardError errors) {
  // By these git may be told that a file which was changed is as it was; work would be taken for none.
  words.insert(words.begin(), {"git", "-C", folder, "-c", "core.fsmonitor=false", "-c", "core.checkStat=default", "-c",
                               "core.trustctime=true"});
  return run_program(words, kMaxOutput, errors, GitVariables::dropped, kCheckoutMs);
}

Result<std::string> ask_git(const std::string& folder, std::vector<std::string> words, StandardError errors) {
  const std::string verb = words.front();
  PAWL_ASSIGN(const Ran ran, run_git(folder, std::move(words), errors));
  if (ran.exit_code == 0) return ran.out;
  return fail(ErrorCode::io, cat("git ", verb, " failed in ", printable(folder),
                                 ran.out.empty() ? std::string() : cat(": ", printable(trim(ran.out), true))));
}

std::vector<std::string> lines_of(std::string_view text, char separator) {
  std::vector<std::string> out;
  for (const std::string_view line : split(text, separator)) {
    if (!line.empty()) out.emplace_back(line);
  }
  return out;
}

}  // namespace pawl
