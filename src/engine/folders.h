// The folders that one look at all files goes through. Several formats stand in the same ones (all loops in .omc, say),
// and each is opened, and listed, once. Of a folder for each of a thousand sessions no handle is kept.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/place.h"

namespace pawl {

class Folders {
 public:
  explicit Folders(const Roots& roots) : roots_(&roots) {}

  // What is in it, by name; nullptr: there is no such folder. One that cannot be opened (a file stands in its way) is
  // told once and then as if not there.
  [[nodiscard]] Result<const std::vector<std::string>*> names(const std::string& path);
  // Those of them that are folders themselves.
  [[nodiscard]] Result<const std::vector<std::string>*> folders_in(const std::string& path);
  [[nodiscard]] Result<bool> has(const std::string& path, const std::string& file);

 private:
  struct Seen {
    bool there = false;
    std::optional<std::vector<std::string>> names, folders;  // once somebody has asked for them
    std::map<std::string, bool> files;
  };
  // Fills in what `look` asks for, unless it is known that there is no such folder.
  template <class Look>
  [[nodiscard]] Result<Seen*> open(const std::string& path, const Look& look);

  const Roots* roots_;
  std::map<std::string, Seen> seen_;
};

}  // namespace pawl
