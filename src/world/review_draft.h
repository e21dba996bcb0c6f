// A review as it is said on GitHub: the verdict, what is said on lines of the diff, and the rest.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "world/forge.h"

namespace pawl {

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
[[nodiscard]] Verdict verdict(std::span<const Json> findings, const Circumstances& circumstances);

struct DraftedReview {
  ReviewDraft draft;
  std::size_t in_line = 0, in_body = 0;
};
// `findings` are documents; what reviewers keep to themselves, and how sure they are, is left out.
[[nodiscard]] DraftedReview draft_review(std::span<const Json> findings, std::span<const ChangedFile> files,
                                         const std::string& head, const Verdict& verdict,
                                         const Circumstances& circumstances);

}  // namespace pawl
