#include "base/json.h"

#include <algorithm>

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
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : fallback;
}

bool bool_or(const Json& object, std::string_view key, bool fallback) {
  if (!object.is_object()) return fallback;
  const auto found = object.find(std::string(key));
  return found != object.end() && found->is_boolean() ? found->get<bool>() : fallback;
}

}  // namespace pawl
