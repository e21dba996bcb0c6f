// What the spans of a JsonText mean: strings decoded, numbers read, keys found.
#include <algorithm>
#include <charconv>
#include <map>

#include "base/json_number.h"
#include "base/json_text.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kFewKeys = 16;  // up to here a loop over all keys is faster than a tree

unsigned hex4(std::string_view digits) {
  unsigned value = 0;
  std::from_chars(digits.data(), digits.data() + 4, value, 16);
  return value;
}

// `inside` is what stands between the quotes of a string that was scanned.
std::string decoded(std::string_view inside) {
  std::string out;
  out.reserve(inside.size());
  while (true) {
    const std::size_t slash = inside.find('\\');
    out += inside.substr(0, slash);
    if (slash == std::string_view::npos) return out;
    const char kind = inside[slash + 1];
    inside.remove_prefix(slash + 2);
    switch (kind) {
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        std::uint32_t c = hex4(inside);
        inside.remove_prefix(4);
        if (c >= 0xD800 && c <= 0xDBFF) {
          c = 0x10000 + ((c - 0xD800) << 10U) + (hex4(inside.substr(2)) - 0xDC00);
          inside.remove_prefix(6);
        }
        append_utf8(out, c);
        break;
      }
      default:
        out += kind;
    }
  }
}

// Each key once, in the order of its first appearance, with the last value: ordered_json without its quadratic search.
Json object_value(const JsonRef& object) {
  Json out = Json::object();
  auto& members = out.get_ref<Json::object_t&>();
  const std::size_t count = object.size();
  members.reserve(count);
  if (count <= kFewKeys) {
    for (const auto [key, value] : object.members()) members[key.string()] = value.value();
    return out;
  }
  std::map<std::string, std::size_t> place;
  for (const auto [key, value] : object.members()) {
    const auto [known, fresh] = place.try_emplace(key.string(), members.size());
    if (fresh) {
      members.emplace_back(known->first, value.value());
    } else {
      members.begin()[static_cast<std::ptrdiff_t>(known->second)].second = value.value();
    }
  }
  return out;
}

}  // namespace

std::string JsonRef::string() const {
  if (!is_string()) return {};
  const std::string_view inside = raw().substr(1, raw().size() - 2);
  return node().escaped ? decoded(inside) : std::string(inside);
}

bool JsonRef::says(std::string_view text) const {
  if (!is_string()) return false;
  return node().escaped ? string() == text : raw().substr(1, raw().size() - 2) == text;
}

JsonMembers JsonRef::members() const { return JsonMembers(*this); }
JsonElements JsonRef::elements() const { return JsonElements(*this); }

std::size_t JsonRef::size() const {
  const auto count = [](const auto& range) {
    return static_cast<std::size_t>(std::distance(range.begin(), range.end()));
  };
  return is_object() ? count(members()) : count(elements());
}

std::optional<JsonRef> JsonRef::find(std::string_view key) const {
  std::optional<JsonRef> found;
  for (const auto [name, value] : members()) {
    if (name.says(key)) found = value;
  }
  return found;
}

bool JsonRef::has_duplicate_keys() const {
  std::vector<std::string> keys;
  for (const auto [key, value] : members()) keys.push_back(key.string());
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

Json JsonRef::value() const {
  switch (kind()) {
    case JsonKind::object:
      return object_value(*this);
    case JsonKind::array: {
      Json out = Json::array();
      for (const JsonRef element : elements()) out.push_back(element.value());
      return out;
    }
    case JsonKind::string:
      return string();
    case JsonKind::number:
      return json_number(raw());
    case JsonKind::boolean:
      return raw() == "true";
    case JsonKind::null:
      break;
  }
  return nullptr;
}

}  // namespace pawl
