#include "crash/tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string_view>

#include "base/file.h"
#include "base/text.h"

namespace pawl::crash {
namespace {

constexpr std::size_t kLargest = std::size_t{64} << 20U;

Done read_into(Tree& tree, const std::string& root, const std::string& prefix) {
  const std::string here = prefix.empty() ? root : cat(root, "/", prefix);
  PAWL_ASSIGN(const Fd folder, open_folder(here));
  PAWL_ASSIGN(const std::vector<std::string> names, names_in(folder.get()));
  for (const std::string& name : names) {
    const std::string path = prefix.empty() ? name : cat(prefix, "/", name);
    struct stat facts {};
    if (fstatat(folder.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
      return tl::unexpected<Error>(io_error("look at", path, errno));
    }
    Node node{S_ISDIR(facts.st_mode), facts.st_mode & 07777U, {}};
    if (!node.folder) {
      PAWL_ASSIGN(FileImage image, read_file_at(folder.get(), name, kLargest));
      node.bytes = std::move(image.bytes);
    }
    tree.emplace(path, std::move(node));
    if (S_ISDIR(facts.st_mode)) PAWL_TRY(read_into(tree, root, path));
  }
  return done();
}

// Not write_synced_at: nothing here has to outlive a power cut, and a sync for each of thousands would be felt.
Done write_file(const std::string& path, const Node& node) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, node.mode));
  if (!file.valid() || fchmod(file.get(), node.mode) != 0) return tl::unexpected<Error>(io_error("make", path, errno));
  std::string_view rest = node.bytes;
  while (!rest.empty()) {
    const ssize_t wrote = write(file.get(), rest.data(), rest.size());
    if (wrote < 0) return tl::unexpected<Error>(io_error("write", path, errno));
    rest.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return done();
}

}  // namespace

Result<Tree> read_tree(const std::string& root) {
  Tree tree;
  PAWL_TRY(read_into(tree, root, {}));
  return tree;
}

Done write_tree(const Tree& tree, const std::string& root) {
  PAWL_TRY(remove_tree(root));
  if (mkdir(root.c_str(), 0755) != 0) return tl::unexpected<Error>(io_error("make", root, errno));
  for (const auto& [path, node] : tree) {
    const std::string absolute = cat(root, "/", path);
    if (!node.folder) {
      PAWL_TRY(write_file(absolute, node));
    } else if (mkdir(absolute.c_str(), node.mode) != 0) {
      return tl::unexpected<Error>(io_error("make", absolute, errno));
    }
  }
  return done();
}

Done remove_tree(const std::string& root) {
  if (rmdir(root.c_str()) == 0 || errno == ENOENT) return done();
  PAWL_ASSIGN(const Fd folder, open_folder(root));
  PAWL_ASSIGN(const std::vector<std::string> names, names_in(folder.get()));
  for (const std::string& name : names) {
    if (unlinkat(folder.get(), name.c_str(), 0) == 0) continue;
    if (errno != EISDIR) return tl::unexpected<Error>(io_error("remove", cat(root, "/", name), errno));
    PAWL_TRY(remove_tree(cat(root, "/", name)));
  }
  if (rmdir(root.c_str()) != 0) return tl::unexpected<Error>(io_error("remove", root, errno));
  return done();
}

std::uint64_t digest(const Tree& tree) {
  std::uint64_t sum = 0;
  const auto add = [&](std::string_view text) {
    sum = sum * 0x9E3779B97F4A7C15U + std::hash<std::string_view>{}(text);
  };
  for (const auto& [path, node] : tree) {
    add(path);
    add(node.folder ? "folder" : "file");
    add(std::to_string(node.mode));
    add(node.bytes);
  }
  return sum;
}

}  // namespace pawl::crash
