// How urgent a story is: its tier, and its place within the tier. A rank sorts in the store's index, so that the next
// story among a million is a seek.
//
//   r{tier}{priority, 13 digits}{looked at, 13 digits}      ready
//   d{tier}{priority, 13 digits}{due, 13 digits}            not before a time
//   y                                                        nobody picks it: paused, given up, held
//   z                                                        ended
//
// Of those that wait, the one that is due first within a priority is found by a seek; whether any of that priority is
// due is then known, and the next priority is another seek. So time passes without a rank being written anew.
#pragma once

#include <array>
#include <optional>
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
[[nodiscard]] std::string_view status_of(Tier tier);  // that all stories of a tier have; "" of none
[[nodiscard]] std::string_view name_of(Tier tier);    // "urgent", "high", "medium", "normal", as the seed has it
[[nodiscard]] std::string_view why(Tier tier);        // a sentence

// The tiers, the most urgent first, as the setting `story.order` wants them.
[[nodiscard]] std::array<Tier, 4> order(const Settings& settings);

[[nodiscard]] std::string rank(const Record& record);
// The tier of a story that somebody may pick, now or later.
[[nodiscard]] std::optional<Tier> tier_in(std::string_view rank);
// When one that is left alone until a time is due; 0 of any other.
[[nodiscard]] std::int64_t due_in(std::string_view rank);
// When one that is ready was last looked at.
[[nodiscard]] std::int64_t looked_in(std::string_view rank);
// The rank as it sorts among those that may be picked now: one that was put off and is due stands with the others, and
// the tiers in the order of the setting.
[[nodiscard]] std::string picked_as(std::string_view rank, const std::array<Tier, 4>& tiers);
[[nodiscard]] std::string without_time(std::string_view rank);  // tier and priority alone
// The ranks of a tier's stories: those that are ready, and those that are left alone until a time.
struct RankRange {
  std::string from, below;
};
[[nodiscard]] RankRange ready(Tier tier);
[[nodiscard]] RankRange later(Tier tier);
[[nodiscard]] RankRange not_picked();  // of those that nobody picks
// Where the next priority of the tier begins.
[[nodiscard]] std::string behind_priority(const std::string& rank);

}  // namespace pawl::story
