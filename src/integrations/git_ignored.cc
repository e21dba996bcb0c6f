#include "integrations/git_ignored.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "integrations/git_command.h"

namespace pawl {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostCounted = 10'000;

// A folder is looked through, as git names it alone. What cannot be read is not counted, and named all the same.
// No more than `most`: whoever looks is to be told soon.
std::int64_t files_in(const std::string& worktree, const std::string& place, const std::vector<std::string>& ours,
                      std::int64_t most) {
  const auto counts = [&](const std::string& path) {
    return std::find(ours.begin(), ours.end(), path) == ours.end() ? 1 : 0;
  };
  if (!place.ends_with('/')) return counts(place);
  std::int64_t count = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(cat(worktree, "/", place), error);
  for (; !error && at != fs::recursive_directory_iterator() && count < most; at.increment(error)) {
    std::error_code gone;
    if (at->symlink_status(gone).type() == fs::file_type::directory) continue;
    count += counts(at->path().string().substr(worktree.size() + 1));
  }
  return error ? std::max<std::int64_t>(count, 1) : count;
}

}  // namespace

Result<IgnoredFiles> git_ignored(const std::string& worktree, const std::vector<std::string>& ours) {
  PAWL_ASSIGN(const std::string listed,
              ask_git(worktree, {"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"}));
  IgnoredFiles out;
  for (std::string& place : lines_of(listed, '\0')) {
    const std::int64_t files = files_in(worktree, place, ours, std::max<std::int64_t>(kMostCounted - out.count, 1));
    if (files == 0) continue;
    out.count += files;
    out.places.push_back(std::move(place));
  }
  return out;
}

std::string ignored_count(const IgnoredFiles& ignored) {
  return cat(ignored.count, ignored.count < kMostCounted ? "" : " or more",
             ignored.count == 1 ? " ignored file" : " ignored files");
}

std::string ignored_places(const IgnoredFiles& ignored) {
  return first_few(ignored.places, 4, [](const std::string& place) { return printable(place); });
}

}  // namespace pawl
