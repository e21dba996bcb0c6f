// Times as a person reads them: by the clock on their wall.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pawl {

// "2026-01-30 10:00", in the zone that TZ or the machine names. For text alone: JSON has the exact UTC.
[[nodiscard]] std::string local_time(std::int64_t wall_ms);
// The same read back; the seconds or the time of day may be missing, and "9:30" is today's. Nothing: it is no such
// time, or has a zone of its own.
[[nodiscard]] std::optional<std::int64_t> parse_local_time(const std::string& text, std::int64_t now_ms);

}  // namespace pawl
