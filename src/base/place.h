// Where a path really leads. Nobody gets pawl to write outside the folders it was given by planting a symbolic
// link: paths are opened beneath their root by the kernel (openat2), step by step where it is too old for that.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace pawl {

// A file's folder, held open, and its name in it: links on the way are resolved, the last part is no link.
struct Place {
  Fd folder;
  std::string name;
  std::string path;     // absolute, for messages
  bool linked = false;  // the path itself is a symbolic link, and this is where it leads
};

// With its links resolved; "" where nothing stands there.
[[nodiscard]] std::string real_path(const std::string& path);
// Whether two paths lead to the same place, however they are spelled.
[[nodiscard]] bool same_place(const std::string& a, const std::string& b);
// Whether the first is the folder or lies in it.
[[nodiscard]] bool lies_in(const std::string& path, const std::string& folder);

// A folder that is not allowed, although somebody has named it: whoever is kept from it is told where that stands.
struct NotAllowed {
  std::string folder;
  std::string named_by;  // "issue.base_dir in pawl.toml"
  std::string hint;
};

class Roots {
 public:
  // `workspace` absolute and resolved. `home` may be empty. `others` are absolute folders allowed by name. What lies in
  // `closed` (git's own folder, the store) is reached by no link.
  Roots(std::string workspace, std::string home, std::vector<std::string> others, std::vector<std::string> closed = {},
        std::vector<NotAllowed> not_allowed = {});

  // nullopt: its folder does not exist (and `make_folder` was not asked for). An error when it leads outside the
  // roots, when a link points to nothing, or when a part of it is not a folder.
  [[nodiscard]] Result<std::optional<Place>> find(std::string_view path, bool make_folder) const;

  // The same for a folder itself.
  [[nodiscard]] Result<std::optional<Fd>> find_folder(std::string_view path, bool make) const;

  // An absolute path as the roots spell it (relative to the workspace, or "~/…"), or as it is.
  [[nodiscard]] std::string shortened(std::string_view absolute) const;
  [[nodiscard]] std::string absolute(std::string_view path) const;

 private:
  struct Split {
    std::string root;
    std::string rest;
  };
  [[nodiscard]] Error is_outside(std::string_view path) const;
  [[nodiscard]] Done must_be_open(const std::string& real, std::string_view asked) const;
  [[nodiscard]] Result<Split> split_root(std::string_view path) const;
  [[nodiscard]] Result<std::optional<Fd>> open_beneath(const Split& where, bool make) const;

  std::string workspace_;
  std::string home_;
  std::vector<std::string> others_;
  std::vector<std::string> closed_;
  std::vector<NotAllowed> not_allowed_;
};

}  // namespace pawl
