#include "base/local_time.h"

#include <array>
#include <ctime>

namespace pawl {

std::string local_time(std::int64_t wall_ms) {
  const time_t when = wall_ms / 1000;
  tm parts{};
  if (localtime_r(&when, &parts) == nullptr) return "?";
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts)};
}

std::optional<std::int64_t> parse_local_time(const std::string& text, std::int64_t now_ms) {
  constexpr std::array kForms = {"%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S",
                                 "%Y-%m-%dT%H:%M",    "%Y-%m-%d",       "%H:%M"};
  for (const char* const form : kForms) {
    const time_t now = now_ms / 1000;
    tm parts{};
    if (localtime_r(&now, &parts) == nullptr) return std::nullopt;
    parts.tm_sec = parts.tm_min = parts.tm_hour = 0;
    const char* const end = strptime(text.c_str(), form, &parts);
    if (end == nullptr || *end != '\0') continue;
    parts.tm_isdst = -1;
    const time_t when = mktime(&parts);
    if (when != -1) return std::int64_t{when} * 1000;
  }
  return std::nullopt;
}

}  // namespace pawl
