// What a review says to a pull request as a whole. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "lifecycles/review/look_alike.h"

namespace pawl::review {

// What the verdict depends on besides the findings.
struct Circumstances {
  bool own_pull = false;
  bool all_chunks_over = true;
  std::vector<std::int64_t> open_chunks = {};  // those that are not, by number
  std::size_t open_threads = 0;
  std::string moved_from;                  // another head that is spoken of: lines may be others by now, none is used
  std::string reviewed_head, head;         // only one that was looked at, by all of its digits, is approved
  std::vector<std::string> not_planned;    // files of the pull request that are in no chunk: nobody looked at them
  std::size_t grave_unmarked = 0;          // action-required findings that are kept back
  std::size_t grave_unsaid = 0;            // and marked ones of which an export says nothing, or nothing so grave
  std::size_t unread = 0;                  // copies of its file that could not be read: a finding may be in one
  std::vector<LookAlike> look_alikes;      // what in its file is read as no finding, and looks like one
  std::vector<LookAlike> in_export;        // and in the export
  std::vector<std::string> vanished = {};  // findings that an edit took out of its file, by id
  bool file_is_gits = false;  // its file is as git left it, perhaps in the midst of a merge, and is not read

  [[nodiscard]] bool head_moved() const { return !moved_from.empty(); }
};

struct Verdict {
  std::string event;  // APPROVE, REQUEST_CHANGES, COMMENT
  std::string why;    // where it is not what the findings alone would say
};
// `findings` are documents.
[[nodiscard]] Verdict verdict(std::span<const Json> findings, const Circumstances& circumstances);

}  // namespace pawl::review
