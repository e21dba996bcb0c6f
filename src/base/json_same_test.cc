#include "base/json_same.h"

#include <gtest/gtest.h>

#include <limits>

namespace pawl {
namespace {

TEST(JsonSame, NumbersAreComparedInAllTheirBits) {
  const auto same = [](std::string_view a, std::string_view b) {
    const Json left = Json::parse(a), right = Json::parse(b);
    const bool result = same_value(left, right);
    EXPECT_EQ(same_value(right, left), result);
    EXPECT_EQ(same_value(JsonText::scan(a)->root(), right), result);
    EXPECT_TRUE(!result || value_hash(left) == value_hash(right));
    return result;
  };
  EXPECT_TRUE(same("1", "1.0"));
  EXPECT_TRUE(same("100", "1e2"));
  EXPECT_TRUE(same("0", "-0.0"));
  EXPECT_TRUE(same("-9223372036854775808", "-9223372036854775808.0"));
  EXPECT_TRUE(same("9223372036854775808", "9223372036854775808.0"));
  EXPECT_FALSE(same("9007199254740993", "9007199254740992.0"));
  EXPECT_FALSE(same("18446744073709551615", "-1"));
  EXPECT_FALSE(same("18446744073709551615", "18446744073709551616"));
  EXPECT_FALSE(same("9223372036854775807", "9223372036854775808"));
  EXPECT_FALSE(same("1", "1.5"));
  EXPECT_FALSE(same("1", "true"));
  EXPECT_FALSE(same("0", "null"));
  EXPECT_FALSE(same("\"1\"", "1"));
}

TEST(JsonSame, OrderOfKeysSaysNothing) {
  const Json a = Json::parse(R"({"a": 1, "b": [1, {"x": 1, "y": 2}]})");
  const Json b = Json::parse(R"({"b": [1, {"y": 2, "x": 1.0}], "a": 1})");
  EXPECT_NE(a, b);  // why same_value exists
  EXPECT_TRUE(same_value(a, b));
  EXPECT_EQ(value_hash(a), value_hash(b));
  EXPECT_FALSE(same_value(a, Json::parse(R"({"a": 1})")));
  EXPECT_FALSE(same_value(Json::parse("[1, 2]"), Json::parse("[2, 1]")));
}

TEST(JsonSame, OfARepeatedKeyTheLastIsCompared) {
  const JsonText file = JsonText::scan(R"({"a": 1, "b": 2, "a": 3})").value();
  EXPECT_TRUE(same_value(file.root(), Json::parse(R"({"a": 3, "b": 2})")));
  EXPECT_FALSE(same_value(file.root(), Json::parse(R"({"a": 1, "b": 2})")));
  EXPECT_FALSE(same_value(file.root(), Json::parse(R"({"a": 3, "c": 2})")));
}

TEST(JsonSame, TextTellsSpellingsOfANumberApart) {
  const auto same = [](std::string_view a, std::string_view b) {
    return same_text(parse_json(a).value(), parse_json(b).value());
  };
  EXPECT_TRUE(same(R"({"a": 1, "b": [1, {"x": 1.50, "y": null}]})", R"({"b": [1, {"y": null, "x": 1.5}], "a": 1})"));
  EXPECT_TRUE(same("{}", "{}"));
  EXPECT_FALSE(same("1", "1.0"));
  EXPECT_FALSE(same("[0.0]", "[-0.0]"));
  EXPECT_TRUE(same("-1", "-1"));
  EXPECT_FALSE(same("-1", "18446744073709551615"));
  EXPECT_TRUE(same("123456789012345678901234567890", "123456789012345678901234567890"));
  EXPECT_FALSE(same("123456789012345678901234567890", "123456789012345678901234567891"));
  EXPECT_FALSE(same("1e400", "10e399"));
  EXPECT_FALSE(same("1e400", "1"));
  EXPECT_FALSE(same("1", "true"));
  EXPECT_FALSE(same("0", "null"));
  EXPECT_FALSE(same("{}", "[]"));
  EXPECT_FALSE(same(R"({"a": 1, "b": 2})", R"({"a": 1, "c": 2})"));
}

TEST(JsonSame, WhatJsonCanNotWriteIsNull) {
  EXPECT_TRUE(same_value(Json(std::numeric_limits<double>::quiet_NaN()), Json(nullptr)));
  EXPECT_TRUE(same_value(JsonText::scan("null")->root(), Json(std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(same_value(JsonText::scan("1")->root(), Json(std::numeric_limits<double>::infinity())));
}

}  // namespace
}  // namespace pawl
