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

}  // namespace pawl
