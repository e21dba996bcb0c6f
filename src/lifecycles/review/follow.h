// What becomes of a review when the head of its pull request moves: which files are to be looked at again, and where
// its findings stand then. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/patch.h"
#include "core/decide.h"
#include "core/mirror_format.h"
#include "lifecycles/review/finding_text.h"
#include "lifecycles/review/plan.h"

namespace pawl::review {

// In a finding's document: what its file was called before, oldest first. It is the same finding still.
inline constexpr const char* kWasAt = "was_at";

// What changed between two heads of a pull request.
struct Moved {
  std::vector<ChangedFile> to_old, to_new;  // from the common ancestor; the first is empty where nothing was rewritten
  std::vector<FileChange> changed;          // files of the pull request that are not what they were
  std::vector<std::string> left_out;        // its files that no plan can name
  bool lost = false;                        // it cannot be told, so nothing can be followed
};

// `files`: those of the pull request now. `ahead`: from the old head to the new one; nothing where nobody knows the old
// one any more. `back`: the other way, where the old one was rewritten.
[[nodiscard]] Moved moved_between(std::vector<ChangedFile> files, std::optional<Comparison> ahead,
                                  std::optional<Comparison> back);

// A finding's place at the new head; nothing where that cannot be told, or it is gone.
[[nodiscard]] std::optional<Location> followed(const Location& at, const Moved& moved);

struct FollowHead {
  std::string head;  // the new one
};
struct Followed {
  std::vector<Change> changes;
  std::vector<Record> chunks;  // the new ones
  std::int64_t moved = 0, outdated = 0;
};
// `known` tells what was ever under the id of a new chunk.
[[nodiscard]] Result<Followed> decide(const Record& review, std::span<const Record> chunks,
                                      std::span<const Record> findings, const Moved& moved, const FollowHead& command,
                                      const KnownRecords& known, const Now& now);

}  // namespace pawl::review
