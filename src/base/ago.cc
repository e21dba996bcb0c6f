#include "base/ago.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"

namespace pawl {

std::string ago(std::int64_t then_ms, std::int64_t now_ms) {
  struct Unit {
    std::int64_t ms;
    std::string_view name;
  };
  constexpr std::array kUnits = {Unit{86'400'000, "day"}, Unit{3'600'000, "hour"}, Unit{60'000, "minute"},
                                 Unit{1000, "second"}};
  const bool past = then_ms <= now_ms;
  // Of what is to come a second begun counts whole: "in 10 minutes" is not to read "in 9" at once.
  const std::int64_t apart = past ? now_ms - then_ms : then_ms - now_ms + 999;
  for (const Unit& unit : kUnits) {
    const std::int64_t count = apart / unit.ms;
    if (count == 0) continue;
    const std::string words = cat(count, " ", unit.name, count == 1 ? "" : "s");
    if (past) return cat(words, " ago");
    return then_ms - now_ms > 1000 ? cat("in ", words) : "just now";  // two clocks may differ by so much
  }
  return "just now";
}

std::string age_of(std::int64_t then_ms, std::int64_t now_ms) {
  const std::int64_t seconds = std::max<std::int64_t>(0, now_ms - then_ms) / 1000;
  if (seconds >= 86'400) return cat(seconds / 86'400, "d");
  if (seconds >= 3600) return cat(seconds / 3600, "h");
  return seconds >= 60 ? cat(seconds / 60, "m") : cat(seconds, "s");
}

}  // namespace pawl
