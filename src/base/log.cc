#include "base/log.h"

#include <time.h>
#include <unistd.h>

#include "base/text.h"

namespace pawl {
namespace {

// Quotes and backslashes of the value itself, marked so that it ends where it ends.
std::string escaped(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

namespace log_detail {

constinit LogLevel level = LogLevel::off;

void append_field(std::string& line, std::string_view name, std::string_view value) {
  if (!line.empty()) line += ' ';
  line += name;
  line += '=';
  const std::string shown = printable(escaped(value));
  const bool plain = !shown.empty() && shown.find_first_of(" =\"\\") == std::string::npos;
  line += plain ? shown : cat('"', shown, '"');
}

// One write, so that lines of several processes do not mix. Nothing depends on it, so nothing is done when it fails.
void write_line(std::string& line) {
  line += '\n';
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

std::int64_t monotonic_us() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t{t.tv_sec} * 1'000'000 + t.tv_nsec / 1000;
}

}  // namespace log_detail

std::optional<LogLevel> parse_log_level(std::string_view word) {
  if (word.empty() || word == "off") return LogLevel::off;
  if (word == "info") return LogLevel::info;
  if (word == "debug") return LogLevel::debug;
  return std::nullopt;
}

void set_log_level(LogLevel level) { log_detail::level = level; }

}  // namespace pawl
