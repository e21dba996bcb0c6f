#include "base/json_number.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include "base/json_edit.h"
#include "base/json_same.h"

namespace pawl {
namespace {

constexpr std::array<std::string_view, 9> kBeyond = {"18446744073709551616",           "-9223372036854775809",
                                                     "123456789012345678901234567890", "1e400",
                                                     "-1e999999999999999999999",       "1e-400",
                                                     "0.1234567890123456789",          "3.14159265358979323846264338",
                                                     "1E-999999999999999999999"};

TEST(JsonNumber, WhatHasNoRoomIsKeptAsWritten) {
  for (const std::string_view number : kBeyond) {
    SCOPED_TRACE(number);
    const Json value = json_number(number);
    EXPECT_TRUE(is_as_written(value));
    EXPECT_EQ(to_line(value), number);
    EXPECT_EQ(to_line(Json{{"a", Json::array({value, "\n"})}}),
              std::string("{\"a\":[") + std::string(number) + ",\"\\n\"]}");
    EXPECT_EQ(parse_json(to_pretty(Json::array({value})))->at(0), value);
  }
}

TEST(JsonNumber, CountedWithItIsTheLargestOrTheSmallest) {
  const auto counted = [](std::string_view number) { return integer_or(Json{{"n", json_number(number)}}, "n", 7); };
  EXPECT_EQ(counted("99999999999999999999"), INT64_MAX);
  EXPECT_EQ(counted("18446744073709551615"), INT64_MAX);
  EXPECT_EQ(counted("1e400"), INT64_MAX);
  EXPECT_EQ(counted("-1e400"), INT64_MIN);
  EXPECT_EQ(counted("0.1234567890123456789"), 7);
  EXPECT_EQ(counted("1e-400"), 7);
  EXPECT_EQ(counted("1.5"), 7);
}

TEST(JsonNumber, OrdinaryOnesAreNumbers) {
  for (const std::string_view number :
       {"0", "-0.0", "1.50", "0.1", "0.30000000000000004", "1e308", "5e-324", "1.7976931348623157e308", "1e23"}) {
    EXPECT_TRUE(json_number(number).is_number()) << number;
  }
  // Whatever the library writes for a double is read as that double.
  std::mt19937_64 random(7);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const Json again = json_number(Json(value).dump());
    ASSERT_TRUE(again.is_number_float() && again.get<double>() == value) << Json(value).dump() << " (seed 7)";
  }
}

TEST(JsonNumber, IsComparedByWhatItSays) {
  const auto same = [](std::string_view a, std::string_view b) {
    const Json left = json_number(a), right = json_number(b);
    const bool result = same_value(left, right);
    EXPECT_EQ(same_value(right, left), result);
    EXPECT_EQ(same_value(JsonText::scan(a)->root(), right), result);
    EXPECT_TRUE(!result || value_hash(left) == value_hash(right));
    EXPECT_EQ(one_spelling(a) == one_spelling(b), result);
    return result;
  };
  EXPECT_TRUE(same("-0", "0.0e7"));
  EXPECT_TRUE(same("1.10", "11e-1"));
  EXPECT_TRUE(same("1e400", "1E+400"));
  EXPECT_TRUE(same("1e400", "10.0e399"));
  EXPECT_TRUE(same("100000000000000000000", "1e20"));
  EXPECT_TRUE(same("0.1234567890123456789", "0.12345678901234567890"));
  EXPECT_FALSE(same("1e400", "1e401"));
  EXPECT_FALSE(same("1e400", "-1e400"));
  EXPECT_FALSE(same("123456789012345678901234567890", "123456789012345678901234567891"));
  EXPECT_FALSE(same("123456789012345678901234567890", "1.2345678901234568e29"));
  EXPECT_FALSE(same("1e999999999999999999999", "1e999999999999999999998"));
  EXPECT_FALSE(same("0.1234567890123456789", "0.1234567890123456788"));
}

TEST(JsonNumber, IsSortedByTheNearestDouble) {
  EXPECT_EQ(nearest_double(json_number("123456789012345678901234567890")), 123456789012345678901234567890.0);
  EXPECT_EQ(nearest_double(json_number("-1e400")), -HUGE_VAL);
  EXPECT_EQ(nearest_double(json_number("1e-400")), 0.0);
  EXPECT_EQ(nearest_double(json_number("1e999999999999999999999")), HUGE_VAL);
  EXPECT_EQ(nearest_double(json_number("7")), 7.0);
  EXPECT_EQ(nearest_double(Json("7")), std::nullopt);
}

TEST(JsonNumber, EditChangesItAndNothingElse) {
  const std::string text = R"({"a": 123456789012345678901234567890 , "b": 1e400, "c": 1})";
  Json wanted = parse_json(text).value();
  wanted["c"] = 2;
  EXPECT_EQ(conform(text, wanted).value(), R"({"a": 123456789012345678901234567890 , "b": 1e400, "c": 2})");
  wanted["a"] = json_number("123456789012345678901234567891");
  EXPECT_EQ(conform(text, wanted).value(), R"({"a": 123456789012345678901234567891 , "b": 1e400, "c": 2})");
}

}  // namespace
}  // namespace pawl
