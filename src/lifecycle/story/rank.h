// How urgent a story is: its tier, and its place within the tier. A rank sorts in the store's index, so that the next
// story among a million is a seek.
//
//   r{tier}{priority, 10 digits}{looked at, 13 digits}      ready
//   d{due, 13 digits}{tier}                                  not before a time
//   y                                                        nobody picks it: stuck, held
//   z                                                        ended
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/record.h"
#include "core/settings.h"

namespace pawl::story {

enum class Tier : char {
  none = 0,
  reviewer = 'a',   // a human waits for us
  waiting = 'b',    // pushed, and we wait
  committed = 'c',  // to be made public
  pending = 'd',    // new work
};

[[nodiscard]] Tier tier_of(const Record& record);
[[nodiscard]] std::string_view name_of(Tier tier);  // "urgent", "high", "medium", "normal", as the seed has it
[[nodiscard]] std::string_view why(Tier tier);      // a sentence

// The tiers, the most urgent first, as the setting `story.order` wants them.
[[nodiscard]] std::array<Tier, 4> order(const Settings& settings);

[[nodiscard]] std::string rank(const Record& record);
// The ranks of a tier's ready stories, and of those that are due by now.
struct RankRange {
  std::string from, below;
};
[[nodiscard]] RankRange ready(Tier tier);
[[nodiscard]] RankRange due_by(std::int64_t now_ms);

}  // namespace pawl::story
