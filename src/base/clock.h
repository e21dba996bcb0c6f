// Time as an input: everything below the engine is handed a Now and never asks for one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl {

inline constexpr std::int64_t kDayMs = 86'400'000;

struct Now {
  std::int64_t wall_ms = 0;  // since 1970, UTC: what people read
  std::int64_t boot_ms = 0;  // since the machine started, sleep included: what leases count on, as it never jumps
};

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Now now() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] Now now() const override;
};

// "2024-01-30T09:00:00Z"; with_ms gives "2024-01-30T09:00:00.000Z".
[[nodiscard]] std::string iso_time(std::int64_t wall_ms, bool with_ms = false);

// Reads both of the above, any number of decimals, "+00:00" for Z, a blank for T, and no zone at all, which is taken
// for UTC as other tools write it so; anything else is nullopt, which no caller may treat as fatal.
[[nodiscard]] std::optional<std::int64_t> parse_iso_time(std::string_view text);

// "2w", "90d", "12h", "10m" or "10min", "30s", "250ms"; a bare number is refused, as nobody agrees on its unit.
[[nodiscard]] std::optional<std::int64_t> parse_duration_ms(std::string_view text);

}  // namespace pawl
