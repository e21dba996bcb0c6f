#include "engine/head_log.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>

#include "base/file.h"
#include "base/text.h"
#include "engine/workspace.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxLog = std::size_t{64} << 20U;

std::string log_of(const std::string& git_dir) { return git_dir + "/logs/HEAD"; }

// As HEAD's log tells of it: made here, and from what is in the worktree.
bool is_ordinary_commit(std::string_view what) {
  return what.starts_with("commit:") || what.starts_with("commit (initial):") || what.starts_with("commit (amend):");
}

// Of a branch that had no commit yet.
bool is_nothing(std::string_view commit) { return commit.find_first_not_of('0') == std::string_view::npos; }

// "OLD NEW WHO <MAIL> TIME ZONE", and a tab with what it was, if that was said.
std::optional<HeadMove> entry_in(std::string_view line) {
  const std::size_t tab = line.find('\t');
  const auto words = split(line.substr(0, tab), ' ');
  if (words.size() < 3) return std::nullopt;
  return HeadMove{std::string(words[0]), std::string(words[1]),
                  std::string(tab == std::string_view::npos ? std::string_view() : line.substr(tab + 1))};
}

}  // namespace

std::string head_mark(const std::string& git_dir) {
  if (git_dir.empty()) return {};
  struct stat info {};
  const bool logged = stat(log_of(git_dir).c_str(), &info) == 0;
  return cat(read_head(git_dir), "@", logged ? static_cast<std::int64_t>(info.st_size) : 0);
}

std::string commit_in_mark(const std::string& mark) { return mark.substr(0, mark.rfind('@')); }

HeadMoves head_moves_since(const std::string& git_dir, const std::string& mark) {
  HeadMoves out;
  const auto log = read_file(log_of(git_dir), kMaxLog);
  const auto seen = static_cast<std::size_t>(parse_positive(mark.substr(mark.rfind('@') + 1)).value_or(0));
  if (!log || !log->exists || log->bytes.size() <= seen) return out;
  bool chained = true;
  std::string at = commit_in_mark(mark);
  for (const std::string_view line : split(std::string_view(log->bytes).substr(seen), '\n')) {
    if (line.empty()) continue;
    auto entry = entry_in(line);
    chained = chained && entry && !entry->what.empty() && (entry->from == at || is_nothing(entry->from));
    if (!entry) continue;
    at = entry->to;
    out.entries.push_back(std::move(*entry));
  }
  out.whole = chained && !out.entries.empty() && at == read_head(git_dir);
  return out;
}

bool head_moved_since(const std::string& git_dir, const std::string& mark) {
  if (read_head(git_dir) != commit_in_mark(mark)) return true;
  // The same commit; but HEAD may have been elsewhere since. Or it stayed where it was, and files were put back to it:
  // by `git stash`, or by `git reset --hard`.
  const HeadMoves moves = head_moves_since(git_dir, mark);
  return std::any_of(moves.entries.begin(), moves.entries.end(), [](const HeadMove& one) {
    return one.from != one.to || one.what.starts_with("reset: moving to ");
  });
}

bool only_committed_since(const std::string& git_dir, const std::string& mark) {
  const HeadMoves moves = head_moves_since(git_dir, mark);
  return moves.whole && std::all_of(moves.entries.begin(), moves.entries.end(),
                                    [](const HeadMove& one) { return is_ordinary_commit(one.what); });
}

std::optional<Brought> brought_before_commits(const std::string& git_dir, const std::string& mark) {
  const HeadMoves moves = head_moves_since(git_dir, mark);
  if (!moves.whole || !is_ordinary_commit(moves.entries.back().what)) return std::nullopt;
  std::optional<Brought> out;
  for (const HeadMove& one : moves.entries) {
    if (is_ordinary_commit(one.what)) continue;
    if (!out) out.emplace();
    out->commit = one.to;
    out->by_checkouts = out->by_checkouts && one.what.starts_with("checkout: ");
  }
  return out;
}

std::vector<std::string> heads_since(const std::string& git_dir, const std::string& mark) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> out;
  const auto add = [&out](const std::string& commit) {
    if (std::find(out.begin(), out.end(), commit) == out.end()) out.push_back(commit);
  };
  const HeadMoves moves = head_moves_since(git_dir, mark);
  for (auto one = moves.entries.rbegin(); one != moves.entries.rend() && out.size() < kMost; ++one) add(one->from);
  add(commit_in_mark(mark));
  return out;
}

}  // namespace pawl
