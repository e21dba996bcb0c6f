#include "lifecycles/issue/naming.h"

#include "base/text.h"

namespace pawl::issue {
namespace {

constexpr std::size_t kMaxSlug = 40;
constexpr std::string_view kWorktree = "issue-", kBranch = "feature/";

std::string session_stem(const Settings& settings) {
  std::string prefix = settings.text("issue.session_prefix");
  if (prefix.empty()) prefix = "pi";
  for (char& c : prefix) c = c == '.' || c == ':' ? '_' : c;  // as tmux spells it
  return prefix.ends_with("-issue") ? cat(prefix, "-") : cat(prefix, "-issue-");
}

}  // namespace

std::string slug(std::string_view title) {
  std::string out;
  for (const char c : title) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool kept = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (kept) {
      out += lower;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  if (out.size() > kMaxSlug) out.resize(kMaxSlug);
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

std::string worktree_name(std::int64_t number, std::string_view title) {
  const std::string rest = slug(title);
  return rest.empty() ? cat(kWorktree, number) : cat(kWorktree, number, "-", rest);
}

std::string branch_name(std::int64_t number, std::string_view title) {
  return cat(kBranch, worktree_name(number, title));
}

std::optional<std::int64_t> issue_of_branch(std::string_view branch) {
  return branch.starts_with(kBranch) ? issue_of_worktree(branch.substr(kBranch.size())) : std::nullopt;
}

std::string base_dir(const Settings& settings) {
  std::string folder = settings.text("issue.base_dir");
  if (folder.empty()) folder = ".worktrees";
  while (folder.starts_with("./") && folder.size() > 2) folder.erase(0, 2);
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

std::string session_name(std::int64_t number, const Settings& settings) { return cat(session_stem(settings), number); }

std::optional<std::int64_t> issue_of_worktree(std::string_view folder_name) {
  if (!folder_name.starts_with(kWorktree)) return std::nullopt;
  const std::string_view rest = folder_name.substr(kWorktree.size());
  return parse_positive(rest.substr(0, rest.find('-')));
}

std::optional<std::int64_t> issue_of_session(std::string_view session, const Settings& settings) {
  const std::string stem = session_stem(settings);
  return session.starts_with(stem) ? parse_positive(session.substr(stem.size())) : std::nullopt;
}

}  // namespace pawl::issue
