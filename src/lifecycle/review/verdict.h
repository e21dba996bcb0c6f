// What a review says to a pull request as a whole. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/json.h"

namespace pawl::review {

// What the verdict depends on besides the findings.
struct Circumstances {
  bool own_pull = false;
  bool all_chunks_over = true;
  std::size_t open_threads = 0;
  bool head_moved = false;  // lines may be others by now: nothing is said on them
};

struct Verdict {
  std::string event;  // APPROVE, REQUEST_CHANGES, COMMENT
  std::string why;    // where it is not what the findings alone would say
};
// `findings` are documents.
[[nodiscard]] Verdict verdict(std::span<const Json> findings, const Circumstances& circumstances);

}  // namespace pawl::review
