// Which project a command is about, and where its store is. Found without running git: this is on the way of
// every command.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl {

struct Workspace {
  std::string root;     // absolute, resolved; of a linked worktree: the main checkout
  std::string here;     // where the command was run
  std::string git_dir;  // the repository's own folder; empty outside of git
  std::string store;    // folder of the store; need not exist yet
  std::string home;     // from HOME; may be empty
};

// `dir` empty means the current folder.
[[nodiscard]] Result<Workspace> find_workspace(const std::string& dir);

// The store of the user's own, which belongs to no project. unavailable: HOME is not set.
[[nodiscard]] Result<Workspace> users_workspace();

// $XDG_STATE_HOME/pawl, or ~/.local/state/pawl; empty when neither is known.
[[nodiscard]] std::string state_home();

// The commit that HEAD names, or what HEAD says where it names none; empty outside of git.
[[nodiscard]] std::string read_head(const std::string& git_dir);
// The same with the length of its log: another mark after every move of HEAD, also when it came back to where it was.
[[nodiscard]] std::string head_mark(const std::string& git_dir);
[[nodiscard]] std::string commit_in_mark(const std::string& mark);
// HEAD went on by ordinary commits alone since the mark: these take files from the worktree and write none there. False
// where HEAD's log does not tell.
[[nodiscard]] bool only_committed_since(const std::string& git_dir, const std::string& mark);
// Where HEAD was brought to last since the mark by anything but a commit, and ordinary commits alone followed.
struct Brought {
  std::string commit;
  bool by_checkouts = true;  // all that moved it; these keep what is in the worktree and in no commit
};
// Nothing: no commit followed, or HEAD's log does not tell.
[[nodiscard]] std::optional<Brought> brought_before_commits(const std::string& git_dir, const std::string& mark);
// Where HEAD stood since the mark, newest first, as far as its log tells and no more than a few; the mark's own last.
[[nodiscard]] std::vector<std::string> heads_since(const std::string& git_dir, const std::string& mark);
[[nodiscard]] bool head_moved_since(const std::string& git_dir, const std::string& mark);

// "nfs", "cifs" …: SQLite's locks can not be relied on there. Empty for an ordinary file system.
[[nodiscard]] std::string_view network_file_system(const std::string& folder);

// Why the store's folder can not be a store at all; done() when it exists afterwards, with its .gitignore.
[[nodiscard]] Done make_store_folder(const Workspace& workspace);

}  // namespace pawl
