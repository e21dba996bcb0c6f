// A bare git repository, spoken to through the real `git`. Its reflog is kept for every branch, so that the time of a
// push is known even when nobody asked the server in between.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "practice/diff.h"

namespace pawl::practice {

struct Commit {
  std::string sha, tree;
  std::vector<std::string> parents;
  std::string author, author_email, committer, committer_email;
  std::int64_t authored_ms = 0, committed_ms = 0;
  std::string message;
};

struct Push {
  std::string ref, before, after, who, what;
  std::int64_t at_ms = 0;
};

// Who does something, and when.
struct Hand {
  std::string login;
  std::int64_t at_ms = 0;
};

// A file's new content, or nothing: it goes.
using Changes = std::map<std::string, std::optional<std::string>>;

class Git {
 public:
  static Result<Git> create(const std::string& path, const std::string& branch);

  [[nodiscard]] const std::string& path() const { return path_; }
  // The commit that a branch, a tag or (the beginning of) a hash names; empty: none.
  [[nodiscard]] std::string resolve(const std::string& name) const;
  // All branches and their commits, in one call.
  [[nodiscard]] std::map<std::string, std::string> branches() const;
  // A new commit on top of `parents`; the branch is not moved.
  Result<std::string> commit(const std::vector<std::string>& parents, const Changes& changes,
                             const std::string& message, const Hand& hand);
  Done move_branch(const std::string& ref, const std::string& sha, const Hand& hand, const std::string& why);
  Done remove_ref(const std::string& ref);
  [[nodiscard]] std::string merge_base(const std::string& one, const std::string& other) const;
  // Of base...head, as a pull request shows it: what git prints.
  [[nodiscard]] Result<std::string> diff(const std::string& base, const std::string& head) const;
  // Oldest first: those of head that base has not.
  [[nodiscard]] Result<std::vector<Commit>> commits(const std::string& base, const std::string& head) const;
  [[nodiscard]] Result<Commit> show(const std::string& sha) const;
  // The tree of a merge; nothing when the two conflict.
  [[nodiscard]] std::optional<std::string> merged_tree(const std::string& base, const std::string& head) const;
  Result<std::string> commit_tree(const std::string& tree, const std::vector<std::string>& parents,
                                  const std::string& message, const Hand& hand);
  Done fetch(const Git& other, const std::string& ref, const std::string& into);
  [[nodiscard]] std::vector<Push> pushes() const;  // newest first

 private:
  [[nodiscard]] Result<std::string> run(std::vector<std::string> words, const Hand& hand = {}) const;

  std::string path_;
  mutable std::map<std::string, Commit> shown_;  // a commit never changes
};

}  // namespace pawl::practice
