// The short way to "nothing changed". Nearly every file is as pawl left it nearly always, and a command that shows
// everything looks at all of them: so it is asked first whether the bytes are the same, with a folder opened once for
// all of its files. Whatever is not plain (a link, a file that waits in tmp/, one that git moved) goes the long way
// (sight), which alone decides what has happened.
#pragma once

#include <string>

#include "engine/mirror.h"

namespace pawl {

class AsLeft {
 public:
  AsLeft(const MirrorWorld& world, Transaction& store) : world_(world), store_(store) {}

  // False also where it cannot be told. Files of one folder are best asked for one after the other.
  [[nodiscard]] bool is(const MirrorFile& file);

 private:
  [[nodiscard]] int folder_of(const std::string& path);

  const MirrorWorld& world_;
  Transaction& store_;
  std::string path_;  // of the folder in hand
  Fd folder_;         // not valid: it is not there, or cannot be opened
  bool in_hand_ = false;
};

}  // namespace pawl
