#include "base/json_text.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace pawl {
namespace {

constexpr std::string_view kTwoStories = R"({
  "project": "Käse",
  "stories": [
    {"id": "US-1", "priority": 1.0, "tags": []},
    {"id": "US-\u0032", "done": false, "note": null}
  ]
}
)";

JsonText scanned(std::string_view text) {
  auto result = JsonText::scan(text);
  EXPECT_TRUE(result.has_value()) << text << ": " << (result ? "" : result.error().message);
  return result ? std::move(*result) : JsonText::scan("null").value();
}

std::string problem(std::string_view text) {
  const auto result = JsonText::scan(text);
  if (result) return "accepted";
  EXPECT_EQ(result.error().code, ErrorCode::corruption);
  return result.error().message;
}

TEST(JsonText, ValuesStandWhereTheySay) {
  const JsonText file = scanned(kTwoStories);
  const JsonRef root = file.root();
  ASSERT_TRUE(root.is_object());
  EXPECT_EQ(root.begin(), 0U);
  EXPECT_EQ(root.end(), kTwoStories.size() - 1);
  EXPECT_EQ(root.size(), 2U);
  const JsonRef stories = root.find("stories").value();
  std::vector<std::string> raw;
  for (const JsonRef story : stories.elements()) {
    for (const auto [key, value] : story.members()) {
      raw.push_back(std::string(key.raw()) + std::string(value.raw()));
      EXPECT_EQ(kTwoStories.substr(value.begin(), value.end() - value.begin()), value.raw());
    }
  }
  EXPECT_EQ(raw, (std::vector<std::string>{R"("id""US-1")", R"("priority"1.0)", R"("tags"[])", R"("id""US-\u0032")",
                                           R"("done"false)", R"("note"null)"}));
  EXPECT_EQ(root.find("project")->string(), "Käse");
}

TEST(JsonText, MovedTextKeepsItsReferencesGood) {
  std::optional<JsonText> file = scanned(kTwoStories);
  const JsonRef stories = file->root().find("stories").value();
  const JsonText moved = std::move(*file);
  file.reset();
  EXPECT_EQ(stories.size(), 2U);
  EXPECT_EQ(moved.root().find("stories")->index(), stories.index());
}

TEST(JsonText, WrongKindHasNeitherMembersNorElements) {
  const JsonText file = scanned(R"([["a"], {"b": 1}, "c", 4])");
  for (const JsonRef element : file.root().elements()) {
    std::size_t members = 0, elements = 0;
    for (const auto member : element.members()) members += member.key.is_string() ? 1U : 0U;
    for (const JsonRef inner : element.elements()) elements += inner.is_string() ? 1U : 0U;
    EXPECT_EQ(members, element.is_object() ? 1U : 0U);
    EXPECT_EQ(elements, element.is_array() ? 1U : 0U);
    EXPECT_EQ(element.string(), element.is_string() ? "c" : "");
    EXPECT_FALSE(element.find("x"));
    EXPECT_FALSE(element.has_duplicate_keys());
  }
}

TEST(JsonText, EscapesAreDecoded) {
  const JsonText file = scanned(R"("\"\\\/\b\f\n\r\t \u0000\u00e9\u20AC\ud83d\ude00")");
  EXPECT_EQ(file.root().string(), std::string("\"\\/\b\f\n\r\t \0é€😀", 19));
  EXPECT_TRUE(scanned(R"("st\u0061tus")").root().says("status"));
  EXPECT_TRUE(scanned(R"("status")").root().says("status"));
  EXPECT_FALSE(scanned(R"("status")").root().says("statu"));
  EXPECT_FALSE(scanned("1").root().says("1"));
}

TEST(JsonText, RepeatedKeyIsReportedAndTheLastCounts) {
  const JsonText file = scanned(R"({"a": 1, "b": 2, "\u0061": 3})");
  EXPECT_TRUE(file.root().has_duplicate_keys());
  EXPECT_EQ(file.root().find("a")->raw(), "3");
  EXPECT_EQ(file.root().size(), 3U);
  EXPECT_EQ(file.root().value().dump(), R"({"a":3,"b":2})");
  EXPECT_FALSE(scanned(R"({"a": 1, "b": 2})").root().has_duplicate_keys());
}

TEST(JsonText, ManyKeysKeepOrderAndTheLastValue) {
  std::string text = "{";
  for (int i = 0; i < 40; ++i) text += "\"k" + std::to_string(i) + "\": 0, ";
  text += R"("k7": 1})";
  const Json value = scanned(text).root().value();
  EXPECT_EQ(value.size(), 40U);
  EXPECT_EQ(value, Json::parse(text));
  EXPECT_EQ(value["k7"], 1);
}

TEST(JsonText, NumbersKeepAllBits) {
  const std::array<std::string_view, 13> numbers = {"0",
                                                    "-0",
                                                    "1",
                                                    "-1",
                                                    "9223372036854775807",
                                                    "-9223372036854775808",
                                                    "18446744073709551615",
                                                    "9007199254740993",
                                                    "1.0",
                                                    "-0.0",
                                                    "1e2",
                                                    "1E+2",
                                                    "2.5e-3"};
  for (const std::string_view number : numbers) {
    const Json ours = scanned(number).root().value(), theirs = Json::parse(number);
    EXPECT_EQ(ours.dump(), theirs.dump()) << number;
    EXPECT_EQ(ours.type(), theirs.type()) << number;
  }
  EXPECT_EQ(scanned("0e999999999999999999999").root().value(), 0.0);
  EXPECT_EQ(scanned("-5e-324").root().value(), -5e-324);
  const std::string long_zero = "0." + std::string(400, '0') + "1e401";
  EXPECT_EQ(scanned(long_zero).root().value(), Json::parse(long_zero));
}

TEST(JsonText, ByteOrderMarkIsTolerated) {
  const JsonText file = scanned("\xEF\xBB\xBF{\"a\": 1}");
  EXPECT_EQ(file.root().begin(), 3U);
  EXPECT_EQ(problem("\xEF\xBB\xBF{\"a\" 1}"), "line 1, column 6: a colon was expected after the key");
}

TEST(JsonText, DepthIsBounded) {
  const auto nested = [](int depth) {
    const auto count = static_cast<std::size_t>(depth);
    return std::string(count, '[') + std::string(count, ']');
  };
  EXPECT_EQ(problem(nested(kMaxJsonDepth)), "accepted");
  EXPECT_EQ(problem(nested(kMaxJsonDepth + 1)), "line 1, column 201: nested deeper than 200 levels");
  EXPECT_NE(problem(std::string(10'000'000, '[')), "accepted");
}

TEST(JsonText, BrokenInputIsNamedByLineAndColumn) {
  struct Broken {
    std::string_view text, message;
  };
  const std::array broken = {
      Broken{"", "line 1, column 1: there is nothing here: a value was expected"},
      Broken{" \n\n", "line 3, column 1: there is nothing here: a value was expected"},
      Broken{"{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: a comma or } was expected"},
      Broken{"[1 2]", "line 1, column 4: a comma or ] was expected"},
      Broken{"[1}", "line 1, column 3: a comma or ] was expected"},
      Broken{"{\"a\": 1]", "line 1, column 8: a comma or } was expected"},
      Broken{"{\"a\": 1,}", "line 1, column 9: a key in double quotes was expected after the comma"},
      Broken{"[1,]", "line 1, column 4: a value was expected"},
      Broken{"[,1]", "line 1, column 2: a value or ] was expected"},
      Broken{"{a: 1}", "line 1, column 2: a key in double quotes or } was expected"},
      Broken{"{'a': 1}", "line 1, column 2: a key in double quotes or } was expected"},
      Broken{"{1: 1}", "line 1, column 2: a key in double quotes or } was expected"},
      Broken{"{\"a\" 1}", "line 1, column 6: a colon was expected after the key"},
      Broken{"{\"a\":}", "line 1, column 6: a value was expected"},
      Broken{"{\"a\": 1", "line 1, column 8: the text ends where a comma or } was expected"},
      Broken{"{\"a\":", "line 1, column 6: the text ends where a value was expected"},
      Broken{"{\"a\"", "line 1, column 5: a colon was expected after the key"},
      Broken{"{", "line 1, column 2: the text ends where a key in double quotes or } was expected"},
      Broken{"[", "line 1, column 2: the text ends where a value or ] was expected"},
      Broken{"{\"s\": \"ab", "line 1, column 10: the text ends inside a string: a closing quote was expected"},
      Broken{"\"\\", "line 1, column 2: the text ends inside a string: a closing quote was expected"},
      Broken{"[\"a\nb\"]", "line 1, column 4: a string cannot go over a line: a closing quote was expected"},
      Broken{"\"a\tb\"", "line 1, column 3: a control character must be written as an escape"},
      Broken{"\"\\x\"", "line 1, column 2: after \\ one of \" \\ / b f n r t u was expected"},
      Broken{"\"\\u12g4\"", "line 1, column 2: four hexadecimal digits were expected after \\u"},
      Broken{"\"\\u12", "line 1, column 2: four hexadecimal digits were expected after \\u"},
      Broken{"\"\\ud800\"", "line 1, column 2: half a surrogate pair"},
      Broken{"\"\\ud800\\u0041\"", "line 1, column 2: half a surrogate pair"},
      Broken{"\"\\udc00\"", "line 1, column 2: half a surrogate pair"},
      Broken{"\"é\xff\"", "line 1, column 3: bytes that are not UTF-8"},
      Broken{"\"\xc0\x80\"", "line 1, column 2: bytes that are not UTF-8"},
      Broken{"\"\xed\xa0\x80\"", "line 1, column 2: bytes that are not UTF-8"},
      Broken{"\"\xf4\x90\x80\x80\"", "line 1, column 2: bytes that are not UTF-8"},
      Broken{"\"\xe2\x82", "line 1, column 2: bytes that are not UTF-8"},
      Broken{"tru", "line 1, column 1: a value was expected"},
      Broken{"nullx", "line 1, column 5: nothing was expected after the end of the value"},
      Broken{"NaN", "line 1, column 1: a value was expected"},
      Broken{"-", "line 1, column 2: a digit was expected"},
      Broken{"-a", "line 1, column 2: a digit was expected"},
      Broken{"+1", "line 1, column 1: a value was expected"},
      Broken{"01", "line 1, column 2: a number cannot start with 0"},
      Broken{"1.", "line 1, column 3: a digit was expected"},
      Broken{".5", "line 1, column 1: a value was expected"},
      Broken{"1e", "line 1, column 3: a digit was expected"},
      Broken{"1e+", "line 1, column 4: a digit was expected"},
      Broken{"// no\n{}", "line 1, column 1: a value was expected"},
      Broken{"{} {}", "line 1, column 4: nothing was expected after the end of the value"},
      Broken{std::string_view("{}\0", 3), "line 1, column 3: nothing was expected after the end of the value"},
      Broken{"<<<<<<< HEAD\n{}", "line 1, column 1: a value was expected"},
      Broken{"\xEF\xBB", "line 1, column 1: a value was expected"},
      Broken{"\xFF\xFE{", "line 1, column 1: a value was expected"},
  };
  for (const auto& [text, message] : broken) EXPECT_EQ(problem(text), message) << text;
}

TEST(JsonText, EveryPrefixOfAFileIsRefused) {
  const std::string_view whole = kTwoStories.substr(0, kTwoStories.size() - 1);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(problem(whole.substr(0, length)), "accepted") << length;
  }
}

TEST(JsonText, EverySingleByteChangeAgreesWithNlohmann) {
  std::string text(kTwoStories);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char kept = text[at];
    for (int byte = 1; byte < 256; ++byte) {
      text[at] = static_cast<char>(byte);
      EXPECT_EQ(JsonText::scan(text).has_value(), Json::accept(text)) << text;
    }
    text[at] = kept;
  }
}

// Equal, or a container whose first are equal and whose last may again be only the beginning.
bool begins(const Json& front, const Json& whole) {
  if (front == whole) return true;
  if (front.type() != whole.type() || !front.is_structured() || front.size() > whole.size()) return false;
  auto of_whole = whole.begin();
  for (auto at = front.begin(); at != front.end(); ++at, ++of_whole) {
    if (front.is_object() && at.key() != of_whole.key()) return false;
    if (*at == *of_whole) continue;
    return std::next(at) == front.end() && begins(*at, *of_whole);
  }
  return true;
}

TEST(JsonText, TheFrontOfATextIsItsCompletePart) {
  const std::string text = R"({"project": "p", "count": 1234, "stories": [{"id": "A", "n": [1, 2]}, "odd", 5678,
      {"id": "B", "t": "a \"quoted\" one"}], "after": {"x": 12, "y": {"z": null}}, "last": [[1], {"k": 2}]})";
  const Json whole = Json::parse(text);
  std::size_t most = 0;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string_view cut = std::string_view(text).substr(0, length);
    const auto front = JsonText::scan_front(cut);
    if (!front) {
      EXPECT_EQ(most, 0U) << cut;
      continue;
    }
    const Json is = front->root().value();
    EXPECT_TRUE(begins(is, whole)) << cut;
    EXPECT_GE(is.size(), most) << cut;
    most = is.size();
  }
  EXPECT_EQ(most, 5U);
  EXPECT_EQ(JsonText::scan_front(text)->root().value(), whole);
  EXPECT_EQ(JsonText::scan_front("[1, 23")->root().value(), Json::parse("[1]"));
  EXPECT_FALSE(JsonText::scan_front("{\"stories\": [").has_value());
}

TEST(JsonText, StringsOfEveryLengthEndWhereTheyEnd) {
  for (std::size_t length = 0; length < 40; ++length) {
    for (const std::string_view special : {"", "é", "\\n", "\\\\", "\\\""}) {
      for (std::size_t at = 0; at <= length; ++at) {
        std::string text(length, 'x');
        text.insert(at, special);
        const std::string file = "[\"" + text + "\", 1]";
        EXPECT_EQ(scanned(file).root().value(), Json::parse(file)) << file;
      }
    }
  }
}

}  // namespace
}  // namespace pawl
