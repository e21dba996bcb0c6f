// The gate: one lock file, taken before every write, in the order of asking (gate.cc tells how). SQLite's own waiting
// has no order: with several writers without pause, one of them starves there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file.h"
#include "store/store.h"

namespace pawl::sqlite {

enum class GateMode { exclusive, shared };  // shared keeps writers away without being one

class GateFile : public std::enable_shared_from_this<GateFile> {
 public:
  GateFile(std::string path, std::int64_t busy_ms) : path_(std::move(path)), busy_ms_(busy_ms) {}

  [[nodiscard]] Result<std::unique_ptr<Gate>> take(GateMode mode = GateMode::exclusive);
  [[nodiscard]] bool held() const { return held_; }

 private:
  class Held;

  [[nodiscard]] Done open(GateMode mode);
  [[nodiscard]] Done wait(int operation);
  [[nodiscard]] bool replaced();
  [[nodiscard]] Error in_use() const;

  std::string path_;
  std::int64_t busy_ms_;
  Fd fd_;
  std::int64_t in_place_since_ns_ = 0;  // the inode's change time when the path was last seen to lead to it
  bool held_ = false;
};

}  // namespace pawl::sqlite
