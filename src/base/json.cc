#include "base/json.h"

#include <algorithm>
#include <limits>

#include "base/json_number.h"
#include "base/json_style.h"
#include "base/json_text.h"

namespace pawl {
namespace {

// The library writes such a value as an object of bytes.
bool holds_as_written(const Json& value) {
  if (!value.is_structured()) return is_as_written(value);
  return std::any_of(value.begin(), value.end(), holds_as_written);
}

}  // namespace

// Not nlohmann's own parser: that one stops at a NUL byte and takes it for the end, searches all earlier keys for every
// key of an object, and recurses when the value is destroyed or printed, however deep it is.
Result<Json> parse_json(std::string_view text) {
  PAWL_ASSIGN(const JsonText file, JsonText::scan(text));
  return file.root().value();
}

std::string to_line(const Json& value) {
  if (!holds_as_written(value)) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  JsonStyle style;
  style.colon = ":";
  style.comma = ",";
  std::string out;
  append_value(out, value, style, {}, JsonLayout::one_line);
  return out;
}

std::string to_pretty(const Json& value) {
  if (!holds_as_written(value)) return value.dump(2, ' ', false, Json::error_handler_t::replace);
  std::string out;
  append_value(out, value, JsonStyle(), {}, JsonLayout::spread);
  return out;
}

std::string string_or(const Json& object, std::string_view key, std::string_view fallback) {
  if (object.is_object()) {
    if (const auto found = object.find(std::string(key)); found != object.end() && found->is_string()) {
      return found->get<std::string>();
    }
  }
  return std::string(fallback);
}

std::int64_t integer_or(const Json& object, std::string_view key, std::int64_t fallback) {
  if (!object.is_object()) return fallback;
  const auto found = object.find(std::string(key));
  if (found == object.end()) return fallback;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (found->is_number_unsigned() && found->get<std::uint64_t>() > static_cast<std::uint64_t>(kMost)) return kMost;
  if (found->is_number_integer()) return found->get<std::int64_t>();
  // One that has no room is the largest or the smallest there is; a fraction is none.
  const double number = is_as_written(*found) ? nearest_double(*found).value_or(0) : 0;
  if (number >= static_cast<double>(kMost)) return kMost;
  return number <= -static_cast<double>(kMost) ? std::numeric_limits<std::int64_t>::min() : fallback;
}

bool bool_or(const Json& object, std::string_view key, bool fallback) {
  if (!object.is_object()) return fallback;
  const auto found = object.find(std::string(key));
  return found != object.end() && found->is_boolean() ? found->get<bool>() : fallback;
}

}  // namespace pawl
