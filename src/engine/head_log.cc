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

void HeadLog::read_if_changed() {
  struct stat now {};
  if (stat(log_of(git_dir_).c_str(), &now) != 0) now = {};
  if (now.st_ino == was_.st_ino && now.st_size == was_.st_size && in_ns(now.st_mtim) == in_ns(was_.st_mtim)) return;
  auto log = read_file(log_of(git_dir_), kMaxLog);
  bytes_ = log && log->exists ? std::move(log->bytes) : std::string();
  was_ = now;
}

HeadMoves HeadLog::moves_since(const std::string& mark) {
  HeadMoves out;
  out.from = commit_in_mark(mark);
  read_if_changed();
  out.head = read_head(git_dir_);
  const auto seen = static_cast<std::size_t>(parse_positive(mark.substr(mark.rfind('@') + 1)).value_or(0));
  if (bytes_.size() <= seen) return out;
  bool chained = true;
  std::string at = out.from;
  for (const std::string_view line : split(std::string_view(bytes_).substr(seen), '\n')) {
    if (line.empty()) continue;
    auto entry = entry_in(line);
    chained = chained && entry && !entry->what.empty() && (entry->from == at || is_nothing(entry->from));
    if (!entry) continue;
    at = entry->to;
    out.entries.push_back(std::move(*entry));
  }
  out.whole = chained && !out.entries.empty() && at == out.head;
  return out;
}

bool HeadMoves::moved() const {
  if (head != from) return true;
  // The same commit; but HEAD may have been elsewhere since. Or it stayed where it was, and files were put back to it:
  // by `git stash`, or by `git reset --hard`.
  return std::any_of(entries.begin(), entries.end(), [](const HeadMove& one) {
    return one.from != one.to || one.what.starts_with("reset: moving to ");
  });
}

bool HeadMoves::only_committed() const {
  return whole &&
         std::all_of(entries.begin(), entries.end(), [](const HeadMove& one) { return is_ordinary_commit(one.what); });
}

std::vector<std::string> HeadMoves::heads() const {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> out;
  const auto add = [&out](const std::string& commit) {
    if (std::find(out.begin(), out.end(), commit) == out.end()) out.push_back(commit);
  };
  for (auto one = entries.rbegin(); one != entries.rend() && out.size() < kMost; ++one) add(one->from);
  add(from);
  return out;
}

std::optional<Brought> brought_before_commits(const HeadMoves& moves) {
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

}  // namespace pawl
