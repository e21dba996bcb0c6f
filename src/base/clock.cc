#include "base/clock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

namespace pawl {
namespace {

std::int64_t read_ms(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return std::int64_t{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000;
}

// A container's boot clock may be set off from the machine's (a time namespace); a lease counts the same in both.
std::int64_t boot_offset_ms() {
  constexpr ino_t kFirstNamespace = 0xEFFFFFFA;  // the kernel's PROC_TIME_INIT_INO
  struct stat own {
  }, childrens{};
  if (stat("/proc/self/ns/time", &own) != 0 || own.st_ino == kFirstNamespace) return 0;
  // The offsets that can be read are those that children get.
  if (stat("/proc/self/ns/time_for_children", &childrens) != 0 || childrens.st_ino != own.st_ino) return 0;
  const int file = open("/proc/self/timens_offsets", O_RDONLY | O_CLOEXEC);
  char text[256];
  const ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (length <= 0) return 0;
  text[length] = '\0';
  long long seconds = 0, nanoseconds = 0;
  const char* const line = strstr(text, "boottime");
  if (line == nullptr || sscanf(line, "boottime %lld %lld", &seconds, &nanoseconds) != 2) return 0;
  return seconds * 1000 + nanoseconds / 1'000'000;
}

// Two or four digits at `at`; -1 when they are not digits.
int digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return -1;
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

// At least `width` digits.
void append_digits(std::string& out, int value, std::size_t width) {
  std::array<char, 12> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  const auto used = static_cast<std::size_t>(end - text.data());
  const bool negative = value < 0;
  if (negative) out += '-';
  if (used - negative < width) out.append(width - (used - negative), '0');
  out.append(text.data() + negative, used - negative);
}

}  // namespace

Now SystemClock::now() const {
  static const std::int64_t offset_ms = boot_offset_ms();
  return {read_ms(CLOCK_REALTIME), read_ms(CLOCK_BOOTTIME) - offset_ms};
}

std::string iso_time(std::int64_t wall_ms, bool with_ms) {
  std::int64_t seconds = wall_ms / 1000;
  std::int64_t rest = wall_ms % 1000;
  if (rest < 0) {
    rest += 1000;
    --seconds;
  }
  const time_t when = seconds;
  tm parts{};
  gmtime_r(&when, &parts);
  std::string out;
  out.reserve(24);
  append_digits(out, parts.tm_year + 1900, 4);
  for (const auto& [mark, value] : {std::pair('-', parts.tm_mon + 1),
                                    {'-', parts.tm_mday},
                                    {'T', parts.tm_hour},
                                    {':', parts.tm_min},
                                    {':', parts.tm_sec}}) {
    append_digits(out += mark, value, 2);
  }
  if (with_ms) append_digits(out += '.', static_cast<int>(rest), 3);
  return out += 'Z';
}

std::optional<std::int64_t> parse_iso_time(std::string_view text) {
  const int year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
  const int hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 || minute < 0 ||
      minute > 59 || second < 0 || second > 60) {
    return std::nullopt;
  }
  if (text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  std::size_t at = 19;
  int ms = 0;
  if (at < text.size() && text[at] == '.') {
    int scale = 100;
    const std::size_t first = ++at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, scale /= 10) {
      ms += (text[at] - '0') * scale;
    }
    if (at == first) return std::nullopt;
  }
  const std::string_view zone = text.substr(at);
  if (zone != "Z" && zone != "+00:00" && zone != "-00:00" && !zone.empty()) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;  // the 31st of April
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms;
}

std::optional<std::int64_t> parse_duration_ms(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count < 0) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  std::int64_t factor = 0;
  if (unit == "ms") factor = 1;
  if (unit == "s") factor = 1000;
  if (unit == "m" || unit == "min") factor = 60'000;
  if (unit == "h") factor = 3'600'000;
  if (unit == "d") factor = 86'400'000;
  if (unit == "w") factor = 604'800'000;
  if (factor == 0 || count > std::numeric_limits<std::int64_t>::max() / factor) return std::nullopt;
  return count * factor;
}

}  // namespace pawl
