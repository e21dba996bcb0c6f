// One driver of a loop at a time, wherever its file is: whoever drives it follows a file that is moved, and holds it
// there too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/claims.h"
#include "engine/engine.h"

namespace pawl {

class LoopHold {
 public:
  LoopHold(Engine& engine, const Request& request) : engine_(engine), request_(request) {}

  // conflict: another process drives it.
  [[nodiscard]] Done take(const RecordId& loop);
  // conflict alike, and nothing is taken: before anything is said that would only hold if it were.
  [[nodiscard]] Done must_be_free(const RecordId& loop) const;
  // All that was taken; `tell` is told of what could not be.
  void release(const std::function<void(const std::string&)>& tell);

 private:
  Engine& engine_;
  const Request& request_;
  std::vector<Claim> claims_;  // on it, and on where it was
};

}  // namespace pawl
