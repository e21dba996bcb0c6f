#include "engine/workspace.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/file.h"
#include "base/place.h"
#include "base/text.h"
#include "engine/store_links.h"

namespace pawl {
namespace {

constexpr std::size_t kSmallFile = 64 << 10;

std::string environment(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? std::string() : value;
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

// The first line of a small file, without blanks at its end; empty when there is none.
std::string first_line(const std::string& path) {
  const auto image = read_file(path, kSmallFile);
  if (!image || !image->exists) return {};
  std::string line = image->bytes.substr(0, image->bytes.find('\n'));
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
  return line;
}

std::string joined(const std::string& folder, const std::string& path) {
  return path.starts_with('/') ? path : cat(folder, "/", path);
}

// What `folder/.git` leads to, if anything: the checkout that counts, and the repository.
Result<bool> git_here(const std::string& folder, std::string& root, std::string& git_dir) {
  const std::string entry = folder == "/" ? "/.git" : folder + "/.git";
  struct stat info {};
  if (stat(entry.c_str(), &info) != 0) {
    // Only what is surely not there is no repository; anything else would lead to another store.
    if (errno == ENOENT || errno == ENOTDIR) return false;
    return tl::unexpected(io_error("look at", entry, errno));
  }
  if (S_ISDIR(info.st_mode)) {
    root = folder;
    git_dir = entry;
    return true;
  }
  const std::string line = first_line(entry);
  if (!line.starts_with("gitdir: ")) return false;
  const std::string own = real_path(joined(folder, line.substr(8)));
  root = folder;
  git_dir = own;
  const std::string common_name = own.empty() ? std::string() : first_line(own + "/commondir");
  if (common_name.empty()) return true;  // a submodule, or a repository kept elsewhere: its own workspace
  const std::string common = real_path(joined(own, common_name));
  if (common.empty()) return true;
  git_dir = common;
  // A linked worktree belongs to the main checkout; a bare repository has none, unless its folder points to it.
  const std::string main = parent_of(common);
  if (common.ends_with("/.git") || access((main + "/.git").c_str(), F_OK) == 0) root = main;
  return true;
}

// A folder without git: its store is kept elsewhere, under a name that a person can recognise.
std::string store_name(const std::string& folder) {
  std::string name = folder.substr(folder.rfind('/') + 1).substr(0, 40);
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!plain) c = '_';
  }
  const XXH128_hash_t hash = XXH3_128bits(folder.data(), folder.size());
  std::array<char, 17> hex{};
  snprintf(hex.data(), hex.size(), "%016llx", static_cast<unsigned long long>(hash.high64 ^ hash.low64));
  return cat(name.empty() ? "root" : name, "-", hex.data());
}

}  // namespace

std::string state_home() {
  if (const std::string state = environment("XDG_STATE_HOME"); state.starts_with('/')) return state + "/pawl";
  const std::string home = environment("HOME");
  return home.starts_with('/') ? home + "/.local/state/pawl" : std::string();
}

Result<Workspace> find_workspace(const std::string& dir) {
  Workspace found;
  found.here = real_path(dir.empty() ? "." : dir);
  if (found.here.empty()) return tl::unexpected(io_error("open", dir.empty() ? "." : dir, errno));
  struct stat info {};
  if (stat(found.here.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return fail(ErrorCode::invalid_argument, cat(printable(dir), " is not a folder"));
  }
  found.home = real_path(environment("HOME"));

  for (std::string folder = found.here;; folder = parent_of(folder)) {
    PAWL_ASSIGN(const bool is_git, git_here(folder, found.root, found.git_dir));
    if (is_git) {
      if (found.root != folder) found.linked = folder;
      found.store = found.root + "/.pawl";
      return found;
    }
    if (folder == "/") break;
  }

  const std::string state = state_home();
  if (state.empty()) {
    return fail(ErrorCode::unavailable,
                cat(printable(found.here), " is not in a git repository, and neither HOME nor XDG_STATE_HOME is set"),
                "pawl keeps the store of such a folder under XDG_STATE_HOME/pawl");
  }
  // The nearest folder above that has a store, or this one.
  found.root = found.here;
  found.store = cat(state, "/", store_name(found.here));
  for (std::string folder = found.here; folder != "/"; folder = parent_of(folder)) {
    const std::string store = cat(state, "/", store_name(folder));
    if (access(store.c_str(), F_OK) == 0) {
      found.root = folder;
      found.store = store;
      break;
    }
  }
  return found;
}

Result<Workspace> users_workspace() {
  Workspace found;
  found.home = real_path(environment("HOME"));
  const std::string state = state_home();
  struct stat info {};
  const bool is_folder = !found.home.empty() && stat(found.home.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
  if (!is_folder || state.empty())
    return fail(ErrorCode::unavailable, "HOME is not set, or is no folder; the user's own store is found by it");
  found.store = cat(state, "/users-own");
  // No project's folder: paths are told from the home folder on, so that whoever reads one finds what it names.
  found.root = found.here = cat(found.store, "/no-project");
  return found;
}

std::string read_head(const std::string& git_dir) {
  if (git_dir.empty()) return {};
  const std::string head = first_line(git_dir + "/HEAD");
  if (!head.starts_with("ref: ")) return head;
  const std::string ref = head.substr(5);
  if (ref.find("..") != std::string::npos) return head;
  if (std::string commit = first_line(cat(git_dir, "/", ref)); !commit.empty()) return commit;
  if (const auto packed = read_file(git_dir + "/packed-refs", std::size_t{64} << 20U); packed && packed->exists) {
    const std::size_t at = packed->bytes.find(" " + ref + "\n");
    if (at != std::string::npos && at > 0) {
      const std::size_t before = packed->bytes.rfind('\n', at - 1);
      const std::size_t begin = before == std::string::npos ? 0 : before + 1;
      return packed->bytes.substr(begin, at - begin);
    }
  }
  return head;  // a branch without a commit
}

namespace {

// Where it is kept is nobody's choice in a repository, and the user's in any other folder.
tl::unexpected<Error> no_place(Error error, const Workspace& workspace) {
  error.hint = workspace.git_dir.empty()
                   ? "set XDG_STATE_HOME to a folder that can be written: the store of a folder without git goes there"
                   : cat("its store goes to ", printable(workspace.store),
                         ": run pawl as somebody who may write there, or in a clone of your own");
  return tl::unexpected(std::move(error));
}

// What stands where the store goes, and keeps it from being made there.
Done must_not_be_in_the_way(const Workspace& workspace) {
  struct stat there {};
  if (lstat(workspace.store.c_str(), &there) != 0) return done();
  if (S_ISLNK(there.st_mode))
    return fail(ErrorCode::untrusted,
                cat(printable(workspace.store), " is a symbolic link; pawl's store is not kept behind one"),
                "replace the link by what it leads to, if you made it");
  if (!S_ISDIR(there.st_mode))
    return fail(ErrorCode::io, cat(printable(workspace.store), " is in the way: it is not a folder"),
                "move it away, if nothing of yours needs it there");
  return must_have_no_links(workspace);
}

}  // namespace

Done store_can_be_made(const Workspace& workspace) {
  PAWL_TRY(must_not_be_in_the_way(workspace));
  std::string there = workspace.store;
  struct stat info {};
  while (stat(there.c_str(), &info) != 0) {
    if ((errno != ENOENT && errno != ENOTDIR) || there == "/")
      return no_place(io_error("look at", there, errno), workspace);
    there = parent_of(there);
  }
  const std::size_t next = workspace.store.find('/', there == "/" ? 1 : there.size() + 1);
  const std::string missing = workspace.store.substr(0, next);
  if (!S_ISDIR(info.st_mode)) return no_place(io_error("make", missing, ENOTDIR), workspace);
  if (faccessat(AT_FDCWD, there.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return done();
  return no_place(io_error("make", missing, errno), workspace);
}

Done make_store_folder(const Workspace& workspace) {
  PAWL_TRY(must_not_be_in_the_way(workspace));
  if (const Done made = make_folders(workspace.store, 0777); !made) return no_place(made.error(), workspace);
  if (access((workspace.store + "/tmp").c_str(), F_OK) == 0) return done();
  PAWL_ASSIGN(const Fd folder, open_folder(workspace.store));
  PAWL_ASSIGN(const auto ignore, read_file_at(folder.get(), ".gitignore", kSmallFile));
  // Empty where a full disk or a kill came between its making and its writing: git would see the store.
  if (!ignore.exists || ignore.bytes.empty()) PAWL_TRY(write_synced_at(folder.get(), ".gitignore", "*\n"));
  PAWL_TRY(make_folders(workspace.store + "/tmp", 0777));
  // Once, so that a power cut does not take the folder away from under a database that was synced.
  PAWL_TRY(sync_folder(folder.get()));
  PAWL_ASSIGN(const Fd root, open_folder(parent_of(workspace.store)));
  return sync_folder(root.get());
}

}  // namespace pawl
