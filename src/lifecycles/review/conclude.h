// A review that was posted: it is over and its parts go; but what was not said goes on as a review of its own. Pure.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "base/clock.h"
#include "core/decide.h"

namespace pawl::review {

struct ConcludePost {
  Json evidence;             // of the post
  std::set<RecordId> stays;  // findings that were not said
};
[[nodiscard]] Result<std::vector<Change>> decide(const Record& review, std::span<const Record> chunks,
                                                 std::span<const Record> findings, const ConcludePost& command,
                                                 const Now& now);

}  // namespace pawl::review
