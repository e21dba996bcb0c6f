#include "base/json_same.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "base/json_number.h"

namespace pawl {
namespace {

constexpr std::size_t kFewMembers = 16;  // up to here a loop over all keys is faster than sorting them

bool is_null(const Json& value) {
  if (value.is_number_float()) return !std::isfinite(value.get<double>());
  return value.is_null() || value.is_discarded();
}

template <class Integer>
bool is_exactly(double number, Integer integer) {
  // 2^63 or 2^64: the first double that the integer type has no room for.
  const double limit = std::ldexp(1.0, std::is_signed_v<Integer> ? 63 : 64);
  return number >= (std::is_signed_v<Integer> ? -limit : 0.0) && number < limit && std::trunc(number) == number &&
         static_cast<Integer>(number) == integer;
}

bool same_number(const Json& a, const Json& b) {
  if (a.is_number_float() && b.is_number_float()) {
    const double x = a.get<double>(), y = b.get<double>();
    return !(x < y) && !(y < x);
  }
  if (b.is_number_float()) return same_number(b, a);
  if (a.is_number_float()) {
    return b.is_number_unsigned() ? is_exactly(a.get<double>(), b.get<std::uint64_t>())
                                  : is_exactly(a.get<double>(), b.get<std::int64_t>());
  }
  if (a.is_number_unsigned() == b.is_number_unsigned()) {
    return a.get<std::int64_t>() == b.get<std::int64_t>();
  }
  return a.is_number_unsigned() ? std::cmp_equal(a.get<std::uint64_t>(), b.get<std::int64_t>())
                                : std::cmp_equal(a.get<std::int64_t>(), b.get<std::uint64_t>());
}

// The keys of an object, to be looked up many times.
class KeyIndex {
 public:
  explicit KeyIndex(const Json& object) {
    for (const auto& [key, value] : object.get_ref<const Json::object_t&>()) keys_.emplace_back(key, keys_.size());
    if (keys_.size() > kFewMembers) std::sort(keys_.begin(), keys_.end());
  }

  [[nodiscard]] std::size_t find(std::string_view key) const {
    if (keys_.size() > kFewMembers) {
      const auto found = std::lower_bound(keys_.begin(), keys_.end(), std::pair{key, std::size_t{0}});
      return found != keys_.end() && found->first == key ? found->second : kNoMember;
    }
    for (const auto& [known, index] : keys_) {
      if (known == key) return index;
    }
    return kNoMember;
  }

 private:
  std::vector<std::pair<std::string_view, std::size_t>> keys_;
};

bool same_number_text(const Json& a, const Json& b) {
  if (is_as_written(a) || is_as_written(b)) return as_written(a) == as_written(b);
  if (a.is_number_float() != b.is_number_float()) return false;
  if (a.is_number_float()) return same_number(a, b) && std::signbit(a.get<double>()) == std::signbit(b.get<double>());
  return same_number(a, b);
}

using Same = bool (*)(const Json& a, const Json& b);

bool same_object(const Json& a, const Json& b, Same same) {
  if (a.size() != b.size()) return false;
  if (a.empty()) return true;
  const auto& members = a.get_ref<const Json::object_t&>();
  const auto& others = b.get_ref<const Json::object_t&>();
  // Nearly always both have the same keys in the same order.
  auto other = others.begin();
  for (auto member = members.begin(); member->first == other->first; ++member, ++other) {
    if (!same(member->second, other->second)) return false;
    if (std::next(member) == members.end()) return true;
  }
  const KeyIndex keys(b);
  for (const auto& [key, value] : members) {
    const std::size_t at = keys.find(key);
    if (at == kNoMember || !same(value, (others.begin() + static_cast<std::ptrdiff_t>(at))->second)) return false;
  }
  return true;
}

bool same_array(const Json& a, const Json& b, Same same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool same_object(const JsonRef& a, const Json& b) {
  const auto& wanted = b.get_ref<const Json::object_t&>();
  // Nearly always both have the same keys in the same order.
  auto next = wanted.begin();
  bool in_step = true;
  for (const auto [key, value] : a.members()) {
    in_step = next != wanted.end() && key.says(next->first) && same_value(value, next->second);
    if (!in_step) break;
    ++next;
  }
  if (in_step && next == wanted.end()) return true;

  const MatchedMembers matched = match_members(a, b);
  const auto& unknown = matched.key;
  if (std::find(unknown.begin(), unknown.end(), kNoMember) != unknown.end()) return false;
  std::size_t at = 0;
  for (const auto [key, value] : a.members()) {
    const std::size_t wants = matched.key[at];
    const auto member = wanted.begin() + static_cast<std::ptrdiff_t>(wants);
    if (matched.holder[wants] == at && !same_value(value, member->second)) return false;
    ++at;
  }
  return std::find(matched.holder.begin(), matched.holder.end(), kNoMember) == matched.holder.end();
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15U + b;
  x ^= x >> 32U;
  return x * 0xD6E8FEB86659FD93U;
}

}  // namespace

bool same_value(const Json& a, const Json& b) {
  if (is_null(a) || is_null(b)) return is_null(a) && is_null(b);
  if (a.is_number() && b.is_number()) return same_number(a, b);
  if (is_as_written(a) || is_as_written(b)) return same_as_written(a, b);
  if (a.is_object() && b.is_object()) return same_object(a, b, same_value);
  if (a.is_array() && b.is_array()) return same_array(a, b, same_value);
  return a.type() == b.type() && a == b;
}

bool same_text(const Json& a, const Json& b) {
  if (is_null(a) || is_null(b)) return is_null(a) && is_null(b);
  const bool numbers = (a.is_number() || is_as_written(a)) && (b.is_number() || is_as_written(b));
  if (numbers) return same_number_text(a, b);
  if (a.is_object() && b.is_object()) return same_object(a, b, same_text);
  if (a.is_array() && b.is_array()) return same_array(a, b, same_text);
  return a.type() == b.type() && a == b;
}

bool same_value(const JsonRef& a, const Json& b) {
  switch (a.kind()) {
    case JsonKind::object:
      return b.is_object() && same_object(a, b);
    case JsonKind::array: {
      if (!b.is_array()) return false;
      auto next = b.begin();
      for (const JsonRef element : a.elements()) {
        if (next == b.end() || !same_value(element, *next)) return false;
        ++next;
      }
      return next == b.end();
    }
    case JsonKind::string:
      return b.is_string() && a.says(b.get_ref<const std::string&>());
    case JsonKind::number:
      return same_value(json_number(a.raw()), b);
    case JsonKind::boolean:
      return b.is_boolean() && b.get<bool>() == (a.raw() == "true");
    case JsonKind::null:
      break;
  }
  return is_null(b);
}

MatchedMembers match_members(const JsonRef& object, const Json& wanted) {
  MatchedMembers matched;
  matched.holder.assign(wanted.size(), kNoMember);
  const KeyIndex keys(wanted);
  for (const auto [key, value] : object.members()) {
    const std::size_t at = keys.find(key.string());
    if (at != kNoMember) matched.holder[at] = matched.key.size();  // a later member of the same name takes over
    matched.key.push_back(at);
  }
  return matched;
}

std::uint64_t value_hash(const Json& value) {
  if (is_null(value)) return 1;
  if (value.is_string()) return mixed(2, std::hash<std::string>{}(value.get_ref<const std::string&>()));
  if (const auto number = nearest_double(value)) return mixed(3, std::hash<double>{}(*number));
  if (value.is_boolean()) return mixed(4, value.get<bool>() ? 1U : 0U);
  if (value.is_array()) {
    std::uint64_t sum = 5;
    for (const Json& element : value) sum = mixed(sum, value_hash(element));
    return sum;
  }
  std::uint64_t sum = 6;  // added up, as the order of keys says nothing
  for (const auto& [key, member] : value.get_ref<const Json::object_t&>()) {
    sum += mixed(std::hash<std::string>{}(key), value_hash(member));
  }
  return sum;
}

}  // namespace pawl
