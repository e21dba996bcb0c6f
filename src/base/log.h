// What pawl does, step by step, for whoever wants to know: PAWL_LOG=info|debug, or -v.
//
//   log_debug("absorb", "file", path, "us", 123);   →   level=debug step=absorb file=.worktrees/42.json us=123
//
// One line a step on stderr (logfmt), every value made printable. When it is off, a call is one branch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace pawl {

enum class LogLevel : std::uint8_t { off, info, debug };

// "off", "info", "debug"; empty is off.
[[nodiscard]] std::optional<LogLevel> parse_log_level(std::string_view word);

void set_log_level(LogLevel level);

namespace log_detail {
extern LogLevel level;

void append_field(std::string& line, std::string_view name, std::string_view value);
void write_line(std::string& line);

template <class Value>
void append_value(std::string& line, std::string_view name, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    append_field(line, name, value ? "true" : "false");
  } else if constexpr (std::is_arithmetic_v<Value>) {
    append_field(line, name, std::to_string(value));
  } else {
    append_field(line, name, value);
  }
}

inline void append_all(std::string&) {}
template <class Value, class... Rest>
void append_all(std::string& line, std::string_view name, const Value& value, const Rest&... rest) {
  append_value(line, name, value);
  append_all(line, rest...);
}

// Out of the way of the code that logs.
template <class... Fields>
[[gnu::noinline, gnu::cold]] void tell(std::string_view level_name, std::string_view step, const Fields&... fields) {
  std::string line;
  append_field(line, "level", level_name);
  append_field(line, "step", step);
  append_all(line, fields...);
  write_line(line);
}

[[nodiscard]] std::int64_t monotonic_us();
}  // namespace log_detail

[[nodiscard]] inline bool logs(LogLevel level) { return level <= log_detail::level; }

// Names and values in turn.
template <class... Fields>
void log_info(std::string_view step, const Fields&... fields) {
  static_assert(sizeof...(fields) % 2 == 0, "every field has a name and a value");
  if (logs(LogLevel::info)) log_detail::tell("info", step, fields...);
}
template <class... Fields>
void log_debug(std::string_view step, const Fields&... fields) {
  static_assert(sizeof...(fields) % 2 == 0, "every field has a name and a value");
  if (logs(LogLevel::debug)) log_detail::tell("debug", step, fields...);
}

// How long a step took: the microseconds since it was made. Asks for the time only when somebody wants to know.
class StepTimer {
 public:
  StepTimer() : start_us_(logs(LogLevel::info) ? log_detail::monotonic_us() : 0) {}
  [[nodiscard]] std::int64_t us() const { return logs(LogLevel::info) ? log_detail::monotonic_us() - start_us_ : 0; }

 private:
  std::int64_t start_us_;
};

}  // namespace pawl
