// What lies in the store's folder beside the database, and nowhere else: files that a cleanup kept, damaged ones that
// were replaced, what was refused, and what agents, checks and sessions printed. Whoever removes the store loses them,
// so they are copied out before that is said to be safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/workspace.h"

namespace pawl {

struct OnlyCopies {
  std::string folder;  // in the store: "kept"
  std::string_view what;
  std::size_t files = 0;
  std::uintmax_t bytes = 0;
  bool too_much = false;                      // output that would fill a disk: told of, and not copied
  std::vector<std::string> passed_over = {};  // no files: pipes, sockets, devices
  bool hidden = false;                        // its copy is hidden from git: secrets may be in it
};

[[nodiscard]] Result<std::vector<OnlyCopies>> only_copies(const Workspace& workspace);

// The names of all folders that copy_out may make.
[[nodiscard]] std::vector<std::string_view> folders_of_copies();

// One more that is about to be kept there.
void add_copy(std::vector<OnlyCopies>& copies, std::string_view folder);

// Into a folder of the same name in `folder`, which must be there. When it returns all names in `folder` are synced,
// and its own; what was copied is, too. Links are copied as links.
[[nodiscard]] Done copy_out(const Workspace& workspace, const std::vector<OnlyCopies>& copies,
                            const std::string& folder);

// Databases that were set aside: too large to copy, and told of.
[[nodiscard]] std::vector<std::string> databases_set_aside(const Workspace& workspace);

}  // namespace pawl
