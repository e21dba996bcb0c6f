// Which project a command is about, and where its store is. Found without running git: this is on the way of
// every command.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl {

struct Workspace {
  std::string root;     // absolute, resolved; of a linked worktree: the main checkout
  std::string here;     // where the command was run
  std::string git_dir;  // the repository's own folder; empty outside of git
  std::string store;    // folder of the store; need not exist yet
  std::string home;     // from HOME; may be empty
  std::string linked;   // the linked worktree that `here` is in; empty in the main checkout
};

// `dir` empty means the current folder.
[[nodiscard]] Result<Workspace> find_workspace(const std::string& dir);

// The store of the user's own, which belongs to no project. unavailable: HOME is not set.
[[nodiscard]] Result<Workspace> users_workspace();

// $XDG_STATE_HOME/pawl, or ~/.local/state/pawl; empty when neither is known.
[[nodiscard]] std::string state_home();

// The commit that HEAD names, or what HEAD says where it names none; empty outside of git.
[[nodiscard]] std::string read_head(const std::string& git_dir);

// Whether there can be one, without making it: the nearest folder that is there must let it be made.
[[nodiscard]] Done store_can_be_made(const Workspace& workspace);

// Why the store's folder cannot be a store at all; done() when it exists afterwards, with its .gitignore.
[[nodiscard]] Done make_store_folder(const Workspace& workspace);

}  // namespace pawl
