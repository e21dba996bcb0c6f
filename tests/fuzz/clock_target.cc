// Times and durations as other tools write them: never fatal, and what was read can be written.
#include "base/clock.h"

#include "targets.h"

namespace pawl {

void fuzz_clock(std::string_view bytes) {
  if (const auto ms = parse_iso_time(bytes)) {
    const std::string written = iso_time(*ms, true);
    // The last second of 9999 may be a leap second.
    fuzz_require(written.size() != 24 || parse_iso_time(written) == ms, "a time that was read is read again");
  }
  if (const auto ms = parse_duration_ms(bytes)) fuzz_require(*ms >= 0, "a duration is not negative");
  std::int64_t any = 0;
  for (const char c : bytes.substr(0, 8))
    any = static_cast<std::int64_t>(static_cast<std::uint64_t>(any) << 8U) | static_cast<unsigned char>(c);
  fuzz_require(iso_time(any, true).ends_with('Z'), "every time can be written");
}

}  // namespace pawl
