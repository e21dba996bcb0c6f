#include "base/json_edit.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/json_same.h"

namespace pawl {
namespace {

// The text after `change` was made to what it says, and again after nothing was: the second must not touch it.
template <class Change>
std::string edited(std::string_view text, Change change) {
  Json wanted = JsonText::scan(text).value().root().value();
  EXPECT_EQ(conform(text, wanted).value(), text);
  change(wanted);
  const std::string result = conform(text, wanted).value();
  const auto again = JsonText::scan(result);
  EXPECT_TRUE(again.has_value()) << result;
  EXPECT_TRUE(again && same_value(again->root(), wanted)) << result << "\nwanted " << wanted;
  EXPECT_EQ(conform(result, wanted).value(), result);
  return result;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// Every style of its own: spelled numbers, needless escapes, uneven blanks, no newline at the end.
constexpr std::string_view kLoopFile = R"({
  "active" : true,
  "iteration": 3.0,
  "max_iterations":50,
  "prompt": "fix the \u0062uild in a\/b — see 设计",
  "_meta": { "ownerPid": 4711,   "mode":"ralph" },

  "started_at": "2026-01-28T21:26:00.000Z"
})";

constexpr std::string_view kStoryFile = R"({
  "project": "shop",
  "stories": [
    {
      "id": "US-001",
      "title": "Basket",
      "acceptanceCriteria": [
        "holds items",
        "survives a reload"
      ],
      "status": "pending",
      "prNumber": null
    },
    {
      "id": "US-002",
      "title": "Checkout",
      "acceptanceCriteria": [],
      "status": "pushed",
      "prNumber": 12
    },
    {
      "id": "US-003",
      "title": "Mail",
      "acceptanceCriteria": [
        "is sent once"
      ],
      "status": "pending",
      "prNumber": null
    }
  ]
}
)";

TEST(JsonEdit, ChangedScalarIsReplacedInPlace) {
  const std::string text(kLoopFile);
  EXPECT_EQ(edited(text, [](Json& w) { w["iteration"] = 4; }), replaced(text, "3.0", "4"));
  EXPECT_EQ(edited(text, [](Json& w) { w["active"] = false; }), replaced(text, "true", "false"));
  EXPECT_EQ(edited(text, [](Json& w) { w["max_iterations"] = nullptr; }), replaced(text, "50", "null"));
  EXPECT_EQ(edited(text, [](Json& w) { w["prompt"] = "设计 \"done\"\n"; }),
            replaced(text, R"("fix the \u0062uild in a\/b — see 设计")", R"("设计 \"done\"\n")"));
  EXPECT_EQ(edited(text, [](Json& w) { w["_meta"]["mode"] = "ulw"; }), replaced(text, "\"ralph\"", "\"ulw\""));
}

TEST(JsonEdit, EqualMeaningKeepsItsSpelling) {
  EXPECT_EQ(edited(kLoopFile, [](Json& w) { w["iteration"] = 3; }), kLoopFile);
  EXPECT_EQ(edited(kLoopFile, [](Json& w) { w["max_iterations"] = 50.0; }), kLoopFile);
  EXPECT_EQ(edited(kLoopFile,
                   [](Json& w) {
                     Json other;
                     for (auto at = w.rbegin(); at != w.rend(); ++at) other[at.key()] = at.value();
                     w = other;
                   }),
            kLoopFile);
}

TEST(JsonEdit, NewMemberStandsAfterItsPredecessor) {
  EXPECT_EQ(edited("{\n  \"a\": 1,\n  \"c\": 3\n}\n",
                   [](Json& w) {
                     w = {{"a", 1}, {"b", 2}, {"c", 3}};
                   }),
            "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n");
  EXPECT_EQ(edited("{\n\t\"a\": 1\n}",
                   [](Json& w) {
                     w["b"] = {{"c", {1, 2}}};
                   }),
            "{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"c\": [\n\t\t\t1,\n\t\t\t2\n\t\t]\n\t}\n}");
  EXPECT_EQ(edited("{\n  \"b\": 2\n}", [](Json& w) { w = {{"a", 1}, {"b", 2}}; }), "{\n  \"a\": 1,\n  \"b\": 2\n}");
  EXPECT_EQ(edited("{\n  \"b\": 2,\n  \"c\": 3\n}",
                   [](Json& w) {
                     w = {{"x", 0}, {"y", 1}, {"b", 2}, {"c", 3}, {"z", 4}};
                   }),
            "{\n  \"x\": 0,\n  \"y\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"z\": 4\n}");
}

TEST(JsonEdit, NewMemberFollowsTheStyleAroundIt) {
  const auto add = [](Json& w) { w["z"] = Json::parse(R"({"k": [1, {"l": "é"}]})"); };
  EXPECT_EQ(edited(R"({"a":1,"b":2})", add), R"({"a":1,"b":2,"z":{"k":[1,{"l":"é"}]}})");
  EXPECT_EQ(edited(R"({"a": 1, "b": 2})", add), R"({"a": 1, "b": 2, "z": {"k": [1, {"l": "é"}]}})");
  EXPECT_EQ(edited(R"({ "a" : 1 , "b" : 2 })", add), R"({ "a" : 1 , "b" : 2 , "z" : { "k" : [1 , { "l" : "é" }] } })");
  EXPECT_EQ(edited(R"({"a":1})", add), R"({"a":1,"z":{"k":[1,{"l":"é"}]}})");
  EXPECT_EQ(edited("{\r\n    \"a\":1\r\n}\r\n", [](Json& w) { w["z"] = {1}; }),
            "{\r\n    \"a\":1,\r\n    \"z\":[\r\n        1\r\n    ]\r\n}\r\n");
  EXPECT_EQ(edited("{ \"a\": 1\n, \"b\": 2\n}", [](Json& w) { w["z"] = 3; }), "{ \"a\": 1\n, \"b\": 2\n, \"z\": 3\n}");
  EXPECT_EQ(edited("{\n\"a\": 1\n}", [](Json& w) { w["z"] = {1}; }), "{\n\"a\": 1,\n\"z\": [\n1\n]\n}");
}

TEST(JsonEdit, EmptyLineBetweenMembersIsNotCopied) {
  EXPECT_EQ(edited(kLoopFile, [](Json& w) { w["status"] = "ok"; }),
            replaced(std::string(kLoopFile), "00.000Z\"", "00.000Z\",\n  \"status\": \"ok\""));
}

TEST(JsonEdit, FileWithoutStyleGetsTwoSpaces) {
  EXPECT_EQ(edited("{}\n", [](Json& w) { w["a"] = {1}; }), "{\n  \"a\": [\n    1\n  ]\n}\n");
  EXPECT_EQ(edited("null", [](Json& w) { w = {{"a", 1}}; }), "{\n  \"a\": 1\n}");
}

TEST(JsonEdit, EmptyContainerIsFilledInTheStyleOfTheFile) {
  EXPECT_EQ(edited("{\n  \"a\": {}\n}", [](Json& w) { w["a"]["b"] = 1; }), "{\n  \"a\": {\n    \"b\": 1\n  }\n}");
  EXPECT_EQ(edited(R"({"a": {}})", [](Json& w) { w["a"]["b"] = 1; }), R"({"a": {"b": 1}})");
  EXPECT_EQ(edited("{\n  \"a\": {\"x\": {}}\n}", [](Json& w) { w["a"]["x"]["b"] = {1}; }),
            "{\n  \"a\": {\"x\": {\"b\": [1]}}\n}");
  EXPECT_EQ(edited("{\n  \"a\": [1, 2],\n  \"b\": []\n}",
                   [](Json& w) {
                     w["b"] = {3, 4};
                   }),
            "{\n  \"a\": [1, 2],\n  \"b\": [3, 4]\n}");
}

TEST(JsonEdit, SurplusMemberGoesWithoutATrace) {
  const auto without = [](std::string key) { return [key](Json& w) { w.erase(key); }; };
  EXPECT_EQ(edited("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", without("a")), "{\n  \"b\": 2,\n  \"c\": 3\n}");
  EXPECT_EQ(edited("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", without("b")), "{\n  \"a\": 1,\n  \"c\": 3\n}");
  EXPECT_EQ(edited("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", without("c")), "{\n  \"a\": 1,\n  \"b\": 2\n}");
  EXPECT_EQ(edited("{\n  \"a\": 1\n}\n", without("a")), "{}\n");
  EXPECT_EQ(edited(R"({ "a":1 , "b":2 })", without("b")), R"({ "a":1 })");
  EXPECT_EQ(edited(R"({"a": 1, "b": 2, "c": 3, "d": 4})",
                   [](Json& w) {
                     w = {{"b", 2}, {"d", 5}};
                   }),
            R"({"b": 2, "d": 5})");
}

TEST(JsonEdit, MembersAreExchangedInOneGo) {
  EXPECT_EQ(edited("{\n  \"a\": 1\n}", [](Json& w) { w = {{"b", 1}, {"c", 2}}; }), "{\n  \"b\": 1,\n  \"c\": 2\n}");
  EXPECT_EQ(edited(R"({"a": 1, "b": 2, "c": 3})",
                   [](Json& w) {
                     w = {{"x", 0}, {"c", 3}, {"y", 0}};
                   }),
            R"({"x": 0, "c": 3, "y": 0})");
  EXPECT_EQ(edited(R"({"a": 1, "b": 2, "c": 3})", [](Json& w) { w = {{"a", 1}, {"x", 0}}; }), R"({"a": 1, "x": 0})");
}

TEST(JsonEdit, ArrayKeepsItsEqualElements) {
  EXPECT_EQ(edited("[1.0, 2.0, 3.0]", [](Json& w) { w = {1, 5, 3}; }), "[1.0, 5, 3.0]");
  EXPECT_EQ(edited("[1.0, 2.0, 3.0]", [](Json& w) { w = {1, 3}; }), "[1.0, 3.0]");
  EXPECT_EQ(edited("[1.0, 2.0, 3.0]", [](Json& w) { w = {0, 1, 9, 2, 3, 4}; }), "[0, 1.0, 9, 2.0, 3.0, 4]");
  EXPECT_EQ(edited("[1.0, 2.0, 3.0]", [](Json& w) { w = {2, 9}; }), "[2.0, 9]");
  EXPECT_EQ(edited("[ 1 ]", [](Json& w) { w = {1, 2}; }), "[ 1, 2 ]");
  EXPECT_EQ(edited("[1,\n 2]", [](Json& w) { w = Json::array(); }), "[]");
  EXPECT_EQ(edited("{\n  \"c\": [\n    \"x\"\n  ]\n}",
                   [](Json& w) {
                     w["c"] = {"x", "y"};
                   }),
            "{\n  \"c\": [\n    \"x\",\n    \"y\"\n  ]\n}");
}

TEST(JsonEdit, StoryRemovedAndAnotherChangedTouchesTwoPlaces) {
  const std::string result = edited(kStoryFile, [](Json& w) {
    w["stories"][2]["status"] = "committed";
    w["stories"].erase(1);
  });
  std::string expected(kStoryFile);
  const std::size_t begin = expected.find(",\n    {\n      \"id\": \"US-002\"");
  const std::size_t end = expected.find(",\n    {\n      \"id\": \"US-003\"");
  expected.erase(begin, end - begin);
  const std::size_t last = expected.rfind("\"pending\"");
  expected.replace(last, 9, "\"committed\"");
  EXPECT_EQ(result, expected);
}

TEST(JsonEdit, NewStoryLooksLikeTheOthers) {
  const auto add = [](Json& w) { w["stories"].push_back({{"id", "US-004"}, {"acceptanceCriteria", {"x"}}}); };
  EXPECT_EQ(edited(kStoryFile, add), replaced(std::string(kStoryFile), "\n    }\n  ]",
                                              "\n    },\n    {\n      \"id\": \"US-004\",\n      "
                                              "\"acceptanceCriteria\": [\n        \"x\"\n      ]\n    }\n  ]"));
  EXPECT_EQ(
      edited("{\n  \"stories\": [\n    { \"id\": 1, \"passes\": true },\n    { \"id\": 2, \"passes\": false }\n  ]\n}",
             [](Json& w) {
               w["stories"].push_back({{"id", 3}, {"passes", false}});
             }),
      "{\n  \"stories\": [\n    { \"id\": 1, \"passes\": true },\n    { \"id\": 2, \"passes\": false },\n"
      "    { \"id\": 3, \"passes\": false }\n  ]\n}");
  EXPECT_EQ(edited("{\n  \"stories\": [{\n    \"id\": 1\n  }]\n}",
                   [](Json& w) {
                     w["stories"].push_back({{"id", 2}});
                   }),
            "{\n  \"stories\": [{\n    \"id\": 1\n  }, {\n    \"id\": 2\n  }]\n}");
}

TEST(JsonEdit, SeveralObjectsOfOneFileInOnePass) {
  const JsonText file = JsonText::scan(kStoryFile).value();
  std::vector<JsonRef> stories;
  for (const JsonRef story : file.root().find("stories")->elements()) stories.push_back(story);
  Json first = stories[0].value(), third = stories[2].value();
  first["status"] = "committed";
  first["branchName"] = "feature/basket";
  third["prNumber"] = 9007199254740993;
  const std::vector<JsonChange> changes = {{stories[2], &third}, {stories[0], &first}};
  std::string expected =
      replaced(std::string(kStoryFile), "\"pending\",\n      \"prNumber\": null",
               "\"committed\",\n      \"prNumber\": null,\n      \"branchName\": \"feature/basket\"");
  const std::size_t last = expected.rfind("\"prNumber\": null");
  expected.replace(last, 16, "\"prNumber\": 9007199254740993");
  EXPECT_EQ(conform(file, changes), expected);
}

TEST(JsonEdit, ChangeInsideAChangedValueIsLeftOut) {
  const JsonText file = JsonText::scan(R"({"a": {"b": 1}})").value();
  const JsonRef inner = file.root().find("a").value();
  const Json all = Json::parse(R"({"a": {"b": 2}})"), other = Json::parse(R"({"b": 3})");
  const std::vector<JsonChange> changes = {{inner, &other}, {file.root(), &all}};
  EXPECT_EQ(conform(file, changes), R"({"a": {"b": 2}})");
  EXPECT_EQ(conform(file, std::vector<JsonChange>{}), file.text());
}

TEST(JsonEdit, MemberThatIsNotTheRootIsFilledInPlace) {
  const JsonText file = JsonText::scan("{\n  \"x\": \"y\",\n  \"a\": {}\n}").value();
  EXPECT_EQ(conform(file, file.root().find("a").value(), Json{{"b", 1}}),
            "{\n  \"x\": \"y\",\n  \"a\": {\n    \"b\": 1\n  }\n}");
}

TEST(JsonEdit, EscapingOfTheFileIsKept) {
  const auto say = [](std::string text) { return [text](Json& w) { w["b"] = text; }; };
  // Python: everything that is not ASCII.
  EXPECT_EQ(edited(R"({"a": "caf\u00e9", "b": ""})", say("é😀/<")),
            R"({"a": "caf\u00e9", "b": "\u00e9\ud83d\ude00/<"})");
  EXPECT_EQ(edited(R"({"a": "caf\u00E9", "b": ""})", say("é")), R"({"a": "caf\u00E9", "b": "\u00E9"})");
  EXPECT_EQ(edited(R"({"a": "caf\u00e9"})", [](Json& w) { w["é"] = 1; }), R"({"a": "caf\u00e9", "\u00e9": 1})");
  // One raw character: the file is not written that way.
  EXPECT_EQ(edited(R"({"a": "caf\u00e9 ü", "b": ""})", say("é")), R"({"a": "caf\u00e9 ü", "b": "é"})");
  EXPECT_EQ(edited(R"({"a": "\u001b", "b": ""})", say("é\x1b")), R"({"a": "\u001b", "b": "é\u001b"})");
  // PHP and Go escape some of ASCII.
  EXPECT_EQ(edited(R"({"a": "x\/y", "b": ""})", say("/<")), R"({"a": "x\/y", "b": "\/<"})");
  EXPECT_EQ(edited(R"({"a": "x\/y /", "b": ""})", say("/")), R"({"a": "x\/y /", "b": "/"})");
  EXPECT_EQ(edited(R"({"a": "\u003cp\u003e", "b": ""})", say("<promise>")),
            R"({"a": "\u003cp\u003e", "b": "\u003cpromise\u003e"})");
}

TEST(JsonEdit, RepeatedKeyIsEditedWhereItCounts) {
  EXPECT_EQ(edited(R"({"a": 1, "b": 2, "a": 3})", [](Json& w) { w["a"] = 4; }), R"({"a": 1, "b": 2, "a": 4})");
  EXPECT_EQ(edited(R"({"a": 1, "b": 2, "a": 3})", [](Json& w) { w["b"] = 4; }), R"({"a": 1, "b": 4, "a": 3})");
  EXPECT_EQ(edited(R"({"a": 1, "b": 2, "a": 3})", [](Json& w) { w.erase("a"); }), R"({"b": 2})");
  EXPECT_EQ(edited(R"({"a": 1, "a": 2})", [](Json& w) { w["b"] = 3; }), R"({"a": 1, "a": 2, "b": 3})");
}

TEST(JsonEdit, IntegersKeepAllBits) {
  EXPECT_EQ(edited(R"({"id": 1})", [](Json& w) { w["id"] = std::numeric_limits<std::uint64_t>::max(); }),
            R"({"id": 18446744073709551615})");
  EXPECT_EQ(edited(R"({"id": 9007199254740992})", [](Json& w) { w["id"] = 9007199254740993; }),
            R"({"id": 9007199254740993})");
  EXPECT_EQ(edited(R"({"id": 18446744073709551615})", [](Json& w) { w["id"] = -1; }), R"({"id": -1})");
  EXPECT_EQ(edited(R"({"id": 1})", [](Json& w) { w["id"] = std::numeric_limits<std::int64_t>::min(); }),
            R"({"id": -9223372036854775808})");
}

TEST(JsonEdit, WhatJsonCanNotWriteBecomesNullOrAReplacement) {
  EXPECT_EQ(
      conform(R"({"a": 1, "b": null})", Json{{"a", std::numeric_limits<double>::quiet_NaN()}, {"b", nullptr}}).value(),
      R"({"a": null, "b": null})");
  EXPECT_EQ(conform(R"({"a": 1})", Json{{"a", "x\xff"}}).value(), "{\"a\": \"x\xEF\xBF\xBD\"}");
}

TEST(JsonEdit, ByteOrderMarkAndTrailingBlanksStay) {
  EXPECT_EQ(edited("\xEF\xBB\xBF{\n  \"a\": []\n}  \n\n", [](Json& w) { w["a"] = {1}; }),
            "\xEF\xBB\xBF{\n  \"a\": [\n    1\n  ]\n}  \n\n");
}

TEST(JsonEdit, BrokenTextIsAnError) {
  const auto result = conform("{\"a\": 1", Json::object());
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::corruption);
}

}  // namespace
}  // namespace pawl
