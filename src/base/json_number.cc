#include "base/json_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kSafeDigits = 15;  // so many decimal digits come back from any double of the normal range

// What a number says, whatever its spelling: digits without zeros at either end, times a power of ten.
struct Decimal {
  bool negative = false;
  std::string digits;  // empty: zero
  std::int64_t power = 0;

  bool operator==(const Decimal&) const = default;
};

// Nothing when its exponent is beyond all counting: such numbers are compared as they are spelled.
std::optional<Decimal> decimal_of(std::string_view number) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62U;
  Decimal out;
  if (number.front() == '-') {
    out.negative = true;
    number.remove_prefix(1);
  }
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  std::string_view power = number.substr(std::min(e + 1, number.size()));
  const std::string_view mantissa = number.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::string digits(mantissa.substr(0, point));
  if (point < mantissa.size()) digits += mantissa.substr(point + 1);
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return Decimal{};
  const std::size_t last = digits.find_last_not_of('0');
  out.digits = digits.substr(first, last + 1 - first);
  if (!power.empty()) {
    if (power.front() == '+') power.remove_prefix(1);
    const auto error = std::from_chars(power.data(), power.data() + power.size(), out.power).ec;
    if (error != std::errc{} || out.power > kFar || out.power < -kFar) return std::nullopt;
  }
  out.power += static_cast<std::int64_t>(point) - static_cast<std::int64_t>(last + 1);
  return out;
}

bool same_decimal(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto x = decimal_of(a), y = decimal_of(b);
  return x && y && *x == *y;
}

// The double that a number is nearest to: infinite when it is larger than any, zero when it is too near to zero.
double double_of(std::string_view number) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error == std::errc{}) return value;
  const auto decimal = decimal_of(number);
  // Nothing that fits in memory has a mantissa so long that it makes up for an exponent beyond counting.
  const std::size_t e = number.find_first_of("eE");
  const bool huge = decimal ? decimal->power + static_cast<std::int64_t>(decimal->digits.size()) > 0
                            : e != std::string_view::npos && number.find('-', e) == std::string_view::npos;
  const double size = huge && !(decimal && decimal->digits.empty()) ? std::numeric_limits<double>::infinity() : 0.0;
  return number.front() == '-' ? -size : size;
}

std::string shortest(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

// Whether writing the double says what was written. The library's way of writing one is mostly the shortest, and not
// always; what it wrote into a store must be read as what it was.
bool says_just_that(double value, std::string_view number) {
  if (!std::isfinite(value)) return false;
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  if (e <= kSafeDigits && std::fpclassify(value) == FP_NORMAL) return true;
  return same_decimal(shortest(value), number) || same_decimal(Json(value).dump(), number);
}

Json kept_as_written(std::string_view number) {
  return Json::binary(Json::binary_t::container_type(number.begin(), number.end()));
}

}  // namespace

Json json_number(std::string_view number) {
  const char* last = number.data() + number.size();
  if (number.find_first_of(".eE") == std::string_view::npos) {
    if (number.front() == '-') {
      std::int64_t value = 0;
      if (std::from_chars(number.data(), last, value).ec == std::errc{}) return value;
    } else {
      std::uint64_t value = 0;
      if (std::from_chars(number.data(), last, value).ec == std::errc{}) return value;
    }
    return kept_as_written(number);
  }
  const double value = double_of(number);
  return says_just_that(value, number) ? Json(value) : kept_as_written(number);
}

std::string as_written(const Json& value) {
  if (!value.is_binary()) return {};
  const Json::binary_t& bytes = value.get_binary();
  return {bytes.begin(), bytes.end()};
}

std::optional<double> nearest_double(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!is_as_written(value)) return std::nullopt;
  return double_of(as_written(value));
}

std::string one_spelling(std::string_view number) {
  const auto decimal = decimal_of(number);
  if (!decimal) return std::string(number);
  return cat(decimal->negative ? "-" : "", decimal->digits, "e", decimal->power);
}

bool same_as_written(const Json& a, const Json& b) {
  if (!is_as_written(a)) return is_as_written(b) && same_as_written(b, a);
  if (is_as_written(b)) return same_decimal(as_written(a), as_written(b));
  if (b.is_number_float())
    return double_of(as_written(a)) == b.get<double>() && says_just_that(b.get<double>(), as_written(a));
  return b.is_number() && same_decimal(as_written(a), b.dump());
}

}  // namespace pawl
