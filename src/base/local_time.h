// Times as a person reads them: by the clock on their wall.
#pragma once

#include <cstdint>
#include <string>

namespace pawl {

// "2026-01-30 10:00", in the zone that TZ or the machine names. For text alone: JSON has the exact UTC.
[[nodiscard]] std::string local_time(std::int64_t wall_ms);

}  // namespace pawl
