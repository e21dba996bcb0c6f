// A small folder, held in memory: how a prepared workspace is put back thousands of times.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"

namespace pawl::crash {

struct Node {
  bool folder = false;
  mode_t mode = 0;
  std::string bytes;

  bool operator==(const Node&) const = default;
};

// By path relative to the root, which is not in it; a folder stands before what is inside.
using Tree = std::map<std::string, Node>;

// An error where something is neither a file nor a folder: nothing else belongs into a workspace.
[[nodiscard]] Result<Tree> read_tree(const std::string& root);

// Afterwards the root has this and nothing else.
[[nodiscard]] Done write_tree(const Tree& tree, const std::string& root);

[[nodiscard]] Done remove_tree(const std::string& root);

[[nodiscard]] std::uint64_t digest(const Tree& tree);

}  // namespace pawl::crash
