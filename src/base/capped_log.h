// A file that takes all that a program prints and does not grow without end: at its cap it becomes FILE.1, in place of
// the one before, and begins again. What was printed last is always there, up to twice the cap.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace pawl {

class CappedLog {
 public:
  CappedLog() = default;  // takes nothing
  // Below a folder that is trusted: "logs/run.log"; what is missing on the way is made, and no link is followed. Goes
  // on at the end of what is there.
  static Result<CappedLog> open(const std::string& root, const std::string& path, std::size_t cap);
  // Best effort: a full disk does not stop the program whose output this is.
  void append(std::string_view bytes);

 private:
  void begin_again();

  Fd folder_;
  std::string name_;
  std::size_t cap_ = 0;
  std::size_t size_ = 0;
  Fd file_;
};

}  // namespace pawl
