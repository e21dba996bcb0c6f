#include "base/json.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Json, KeysKeepTheirOrder) {
  const auto value = parse_json(R"({"z": 1, "a": {"y": 2, "b": 3}})");
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(to_line(*value), R"({"z":1,"a":{"y":2,"b":3}})");
}

TEST(Json, PrettyIsWhatJqPrints) {
  EXPECT_EQ(to_pretty(Json::parse(R"({"a": [1, "é"], "b": {}, "c": []})")),
            "{\n  \"a\": [\n    1,\n    \"é\"\n  ],\n  \"b\": {},\n  \"c\": []\n}");
}

TEST(Json, IntegersBeyondADoubleKeepTheirBits) {
  EXPECT_EQ(to_line(parse_json("[9007199254740993, 18446744073709551615, -9223372036854775808]").value()),
            "[9007199254740993,18446744073709551615,-9223372036854775808]");
}

TEST(Json, DepthIsBounded) {
  const auto nested = [](std::string_view open, std::string_view inside, std::string_view close, int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += inside;
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_TRUE(parse_json(nested("[", "", "]", kMaxJsonDepth)).has_value());
  EXPECT_FALSE(parse_json(nested("[", "", "]", kMaxJsonDepth + 1)).has_value());
  EXPECT_FALSE(parse_json(nested("{\"a\":", "1", "}", kMaxJsonDepth + 1)).has_value());
  EXPECT_FALSE(parse_json(nested("[", "", "", 5'000'000)).has_value());
  // Brackets in a string are text.
  EXPECT_TRUE(parse_json("[\"" + std::string(1000, '[') + "\\\"[\"]").has_value());
}

TEST(Json, InvalidInputIsAnErrorAndNotAnException) {
  using namespace std::string_view_literals;
  for (const std::string_view text :
       {""sv, "{"sv, "[1,]"sv, "\xFF"sv, "\"\xC3\""sv, "\"\\ud800\""sv, "nul"sv, "{} x"sv, "\0"sv, "\xEF\xBB"sv}) {
    const auto value = parse_json(text);
    ASSERT_FALSE(value.has_value()) << text;
    EXPECT_EQ(value.error().code, ErrorCode::corruption);
    EXPECT_TRUE(value.error().message.starts_with("line 1, column ")) << value.error().message;
  }
}

TEST(Json, ZeroedTailIsDamage) {
  using namespace std::string_view_literals;
  EXPECT_TRUE(Json::accept("{}\0\0\0"sv));  // why it is checked here
  EXPECT_FALSE(parse_json("{}\0\0\0"sv).has_value());
}

TEST(Json, ManyKeysTakeNoSquareOfTheirNumber) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  text += "\"k0\":2}";
  const auto value = parse_json(text);  // minutes, if it did
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->size(), 200'000U);
  EXPECT_EQ((*value)["k0"], 2);
}

TEST(Json, InvalidUtf8IsReplacedWhenPrinted) {
  EXPECT_EQ(to_line(Json("a\xFF")), "\"a\uFFFD\"");
  EXPECT_EQ(to_pretty(Json{{"a\xFF", 1}}), "{\n  \"a\uFFFD\": 1\n}");
}

TEST(StringOr, FallsBackWhateverTheValueIs) {
  const Json object = {{"a", "x"}, {"b", 1}, {"c", nullptr}};
  EXPECT_EQ(string_or(object, "a"), "x");
  EXPECT_EQ(string_or(object, "b", "none"), "none");
  EXPECT_EQ(string_or(object, "c", "none"), "none");
  EXPECT_EQ(string_or(object, "d"), "");
  EXPECT_EQ(string_or(Json(3), "a", "none"), "none");
  EXPECT_EQ(string_or(Json::array({"a"}), "a", "none"), "none");
}

}  // namespace
}  // namespace pawl
