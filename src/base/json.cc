#include "base/json.h"

namespace pawl {
namespace {

int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = ++depth > deepest ? depth : deepest;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Result<Json> parse_json(std::string_view text) {
  if (depth_of(text) > kMaxJsonDepth) {
    return fail(ErrorCode::corruption, "JSON nested deeper than " + std::to_string(kMaxJsonDepth) + " levels");
  }
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    return fail(ErrorCode::corruption, "not JSON: byte " + std::to_string(error.byte));
  } catch (const Json::exception& error) {
    return fail(ErrorCode::corruption, std::string("not JSON: ") + error.what());
  }
}

std::string to_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string to_pretty(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace); }

std::string string_or(const Json& object, std::string_view key, std::string_view fallback) {
  if (object.is_object()) {
    if (const auto found = object.find(std::string(key)); found != object.end() && found->is_string()) {
      return found->get<std::string>();
    }
  }
  return std::string(fallback);
}

}  // namespace pawl
