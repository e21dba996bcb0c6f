// What the JSON codec reads and writes, as tables. Random files, and the comparison with the model, are in
// json_codec_property_test.cc.
#include "lifecycles/json_codec.h"

#include <gtest/gtest.h>

#include "support/codec_shapes.h"
#include "support/merge_stage.h"
#include "support/model_lifecycles.h"

namespace pawl::merge {
namespace {

using model::kIssueShape;
using model::kLoopShape;
using model::kStoryShape;
using test::kFlagShape;
using test::kTwoFormsShape;

const JsonShape kFixedShape = {
    .law = &model::kIssueFile.kinds[0], .key = JsonShape::Key::fixed, .fixed_key = "settings"};

Content read(const JsonShape& shape, std::string_view bytes, const Known& known = {}) {
  const auto content = JsonCodec(shape).parse("some/42.json", bytes, known);
  EXPECT_TRUE(content) << bytes;
  return content.value_or(Content{});
}

template <class Case>
std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

// ---- reading

struct ReadCase {
  const char* name;
  const JsonShape* shape;
  const char* bytes;
  std::vector<std::string> shown;
};
void PrintTo(const ReadCase& one, std::ostream* out) { *out << one.bytes; }

class JsonCodecReads : public testing::TestWithParam<ReadCase> {};

TEST_P(JsonCodecReads, What) {
  const ReadCase& one = GetParam();
  const Content content = read(*one.shape, one.bytes);
  EXPECT_EQ(lines_of(content), one.shown);
  EXPECT_EQ(JsonCodec(*one.shape).owner(one.bytes), content.owner);
  for (const Entry& entry : content.entries) EXPECT_EQ(entry.kind, one.shape->law->kind);
}

const ReadCase kReadCases[] = {
    {"AnObject",
     &kIssueShape,
     R"({"issue": 42, "status": "running", "x": [1.0]})",
     {R"(42 is "running" {"issue":42,"x":[1.0]})"}},
    {"AMissingStatus", &kIssueShape, R"({"issue": 42})", {R"(42 is null {"issue":42})"}},
    {"ANullStatus", &kIssueShape, R"({"status": null})", {"42 is null {}"}},
    {"AStatusThatIsNoText", &kIssueShape, R"({"status": {"a": 7}})", {R"(42 is {"a":7} {})"}},
    {"AnEmptyObject", &kIssueShape, "{}", {"42 is null {}"}},
    {"RepeatedMembersTheLastCounts",
     &kIssueShape,
     R"({"status": "error", "a": 1, "status": "running", "a": 2})",
     {R"(42 is "running" {"a":2})"}},
    {"AFileOfAnotherEditor",
     &kIssueShape,
     "\xEF\xBB\xBF{\r\n\t\"status\" :\"error\"\r\n}\r\n",
     {R"(42 is "error" {})"}},
    {"LargeNumbersAsTheyAreSpelled",
     &kIssueShape,
     R"({"n": 123456789012345678901234567890})",
     {R"(42 is null {"n":123456789012345678901234567890})"}},
    {"AFixedKey", &kFixedShape, R"({"status": "running"})", {R"(settings is "running" {})"}},
    {"AList",
     &kStoryShape,
     R"({"project": "shop", "stories": [{"id": "B", "status": "pushed"}, {"id": "A", "x": 1}]})",
     {"owner shop", R"(B is "pushed" {"id":"B"})", R"(A is "pending" {"id":"A","x":1})", R"(file {"project":"shop"})"}},
    {"ANullStatusIsTheDefault",
     &kStoryShape,
     R"({"stories": [{"id": "A", "status": null}]})",
     {R"(A is "pending" {"id":"A"})"}},
    {"AnEmptyList", &kStoryShape, R"({"stories": []})", {}},
    {"IdsThatAreNumbers",
     &kStoryShape,
     R"({"stories": [{"id": 7}, {"id": 1.10}, {"id": 12345678901234567890123}]})",
     {R"(7 is "pending" {"id":7})", R"(1.10 is "pending" {"id":1.1})",
      R"(12345678901234567890123 is "pending" {"id":12345678901234567890123})"}},
    {"IdsThatNameNoRecord",
     &kStoryShape,
     R"({"stories": [{"id": ""}, {"id": "/"}, {"id": true}, {"id": null}, {"id": ["A"]}, {"title": "x"}]})",
     {R"(unread {"id":""})", R"(unread {"id":"/"})", R"(unread {"id":true})", R"(unread {"id":null})",
      R"(unread {"id":["A"]})", R"(unread {"title":"x"})"}},
    {"ElementsThatAreNoObjects",
     &kStoryShape,
     R"({"stories": [null, "A", [1], {"id": "A"}]})",
     {R"(A is "pending" {"id":"A"})", "unread null", R"(unread "A")", "unread [1]"}},
    {"OfEqualIdsTheFirst",
     &kStoryShape,
     R"({"stories": [{"id": 7, "x": 1}, {"id": "7", "x": 2}, {"id": 7}]})",
     {R"(7 is "pending" {"id":7,"x":1})", R"(unread {"id":"7","x":2})", R"(unread {"id":7})"}},
    {"UnreadPiecesUpToAHundredBytes",
     &kStoryShape,
     R"({"stories": ["xxéééééééééééééééééééééééééééééééééééééééééééééééééééééééé"]})",
     {"unread \"xxéééééééééééééééééééééééééééééééééééééééééééééééé"}},
    {"AnOwnerThatIsANumber", &model::kReviewShape, R"({"pr": 7, "items": []})", {"owner 7", R"(file {"pr":7})"}},
    {"AnOwnerThatIsNull", &model::kReviewShape, R"({"pr": null, "items": []})", {R"(file {"pr":null})"}},
    {"AnOwnerThatIsTheKey",
     &kLoopShape,
     R"({"status": "active", "session": "s1", "start": "t1"})",
     {"owner s1|t1", R"(s1|t1 is "active" {"session":"s1","start":"t1"})"}},
    {"HalfAnOwner", &kLoopShape, R"({"start": "t1"})", {"owner |t1", R"(|t1 is null {"start":"t1"})"}},
    {"NobodysObjectIsNamedByItsFile", &kLoopShape, R"({"session": ""})", {R"(42 is null {"session":""})"}},
    {"AnOwnerByAFunction",
     &kFlagShape,
     R"({"active": true, "session_id": "s1"})",
     {"owner s1", R"(s1 is "active" {"session_id":"s1"})"}},
    {"NobodyByAFunction",
     &kFlagShape,
     R"({"active": true, "session_id": "null"})",
     {R"(42 is "active" {"session_id":"null"})"}},
    {"AStatusFromSeveralMembers",
     &kFlagShape,
     R"({"active": false, "status": "weird", "cancelled_at": "t"})",
     {R"(42 is "cancelled" {"cancelled_at":"t"})"}},
    {"NoStatusFromSeveralMembers", &kFlagShape, R"({"status": "weird", "x": 1})", {R"(42 is null {"x":1})"}},
    {"TwoStatusForms",
     &kTwoFormsShape,
     R"({"stories": [{"id": 1, "passes": true}, {"id": 2, "status": "pushed"}, {"id": 3, "passes": null}, {"id": 4}]})",
     {R"(1 is "merged" {"id":1})", R"(2 is "pushed" {"id":2})", R"(3 is "pending" {"id":3})",
      R"(4 is "pending" {"id":4})"}},
    {"AValueThatAFormDoesNotKnow",
     &kTwoFormsShape,
     R"({"stories": [{"id": 1, "passes": "yes"}]})",
     {R"(1 is "yes" {"id":1})"}},
    {"BothStatusForms",
     &kTwoFormsShape,
     R"({"stories": [{"id": 1, "passes": false, "status": "pushed"}]})",
     {R"(1 is "pushed" {"id":1,"passes":false})"}},
    {"TwoNamesOfAList",
     &kTwoFormsShape,
     R"({"userStories": "none", "stories": [{"id": 1}]})",
     {R"(1 is "pending" {"id":1})", R"(file {"userStories":"none"})"}},
};
INSTANTIATE_TEST_SUITE_P(Table, JsonCodecReads, testing::ValuesIn(kReadCases), name_of_case<ReadCase>);

struct DamageCase {
  const char* name;
  const JsonShape* shape;
  const char* bytes;
  const char* message;
};
void PrintTo(const DamageCase& one, std::ostream* out) { *out << one.bytes; }

class JsonCodecDamage : public testing::TestWithParam<DamageCase> {};

TEST_P(JsonCodecDamage, IsNamed) {
  const DamageCase& one = GetParam();
  const auto content = JsonCodec(*one.shape).parse("42.json", one.bytes, {});
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::corruption);
  EXPECT_EQ(content.error().message, one.message);
  EXPECT_EQ(JsonCodec(*one.shape).owner(one.bytes), "");
}

const DamageCase kDamageCases[] = {
    {"Nothing", &kIssueShape, "", "line 1, column 1: there is nothing here: a value was expected"},
    {"CutOff", &kIssueShape, "{\n  \"status\": \"run",
     "line 2, column 17: the text ends inside a string: a closing quote was expected"},
    {"AnotherRoot", &kIssueShape, "\n[]", "line 2: an object was expected"},
    {"NoList", &kStoryShape, "{\n}", "line 1: a list \"stories\" was expected"},
    {"AnotherValueForTheList", &kStoryShape, "{\n  \"project\": 1,\n  \"stories\": {}\n}",
     "line 3: \"stories\" is no list"},
    {"TheLastOfTwoListsIsNone", &kStoryShape, "{\"stories\": [],\n\"stories\": null}",
     "line 2: \"stories\" is no list"},
};
INSTANTIATE_TEST_SUITE_P(Table, JsonCodecDamage, testing::ValuesIn(kDamageCases), name_of_case<DamageCase>);

// ---- writing

struct PatchCase {
  const char* name;
  const JsonShape* shape;
  const char* bytes;
  const char* wanted;  // as a file shows it
  const char* after;
  std::vector<std::pair<const char*, const char*>> left = {};  // key, member
  std::vector<std::string_view> earlier = {};
};
void PrintTo(const PatchCase& one, std::ostream* out) { *out << one.bytes << "\nwanted " << one.wanted; }

class JsonCodecPatches : public testing::TestWithParam<PatchCase> {};

TEST_P(JsonCodecPatches, What) {
  const PatchCase& one = GetParam();
  const JsonCodec codec(*one.shape);
  const Content content = read(*one.shape, one.wanted);
  Wanted wanted{content};
  for (const auto& [key, member] : one.left) wanted.left[key].insert(member);
  wanted.earlier = one.earlier;
  const std::string after = codec.patch("some/42.json", one.bytes, wanted);
  EXPECT_EQ(after, one.after);
  EXPECT_EQ(codec.patch("some/42.json", after, wanted), after);
  if (!one.left.empty()) return;
  Content shown = read(*one.shape, after), asked = content;
  shown.unread = asked.unread = {};
  for (Content* each : {&shown, &asked}) {
    for (Entry& entry : each->entries) entry.members = Json::parse(nlohmann::json(entry.members).dump());  // sorted
  }
  EXPECT_EQ(lines_of(shown), lines_of(asked));
}

constexpr char kList[] = R"({
  "project": "shop",
  "stories": [
    {
      "id": "A",
      "title": "Basket"
    },
    {
      "id": "B", "status": "pushed",
      "tags": [1.0, 2]
    },
    {
      "id": "C",
      "title": "Mail",
      "status": null
    }
  ]
})";
constexpr char kListShows[] = R"({"project": "shop", "stories": [{"id": "A", "title": "Basket"},
    {"id": "B", "status": "pushed", "tags": [1.0, 2]}, {"id": "C", "title": "Mail"}]})";
constexpr char kWithoutB[] = R"({
  "project": "shop",
  "stories": [
    {
      "id": "A",
      "title": "Basket"
    },
    {
      "id": "C",
      "title": "Mail",
      "status": null
    }
  ]
})";

const PatchCase kPatchCases[] = {
    // one object
    {"OneValue", &kIssueShape, "{ \"status\" :\"running\" ,\n\"a\":1.50 }\n\n", R"({"status": "complete", "a": 1.5})",
     "{ \"status\" :\"complete\" ,\n\"a\":1.50 }\n\n"},
    {"ANewMemberInItsPlace", &kIssueShape, "{\n  \"issue\": 1,\n  \"session\": \"s\",\n  \"timestamp\": \"t\"\n}\n",
     R"({"timestamp": "t", "error_message": "disk", "mine": 1, "session": "s", "status": "error", "issue": 1})",
     "{\n  \"issue\": 1,\n  \"status\": \"error\",\n  \"session\": \"s\",\n  \"error_message\": \"disk\",\n"
     "  \"timestamp\": \"t\",\n  \"mine\": 1\n}\n"},
    {"ARemovedMember", &kIssueShape, R"({"status": "running", "a": 1, "b": 2})", R"({"status": "running", "b": 2})",
     R"({"status": "running", "b": 2})"},
    {"AnIntegerForANumberWithAPoint", &kIssueShape, R"({"status": "running", "a": [1.0, 2.0]})",
     R"({"status": "running", "a": [1, 2.0]})", R"({"status": "running", "a": [1, 2.0]})"},
    {"TheOrderOfMembersIsNoDifference", &kIssueShape, R"({"a": {"x": 1, "y": 2}, "status": "error"})",
     R"({"status": "error", "a": {"y": 2, "x": 1}})", R"({"a": {"x": 1, "y": 2}, "status": "error"})"},
    {"RepeatedMembersTheLastIsChanged", &kIssueShape, R"({"a": 1, "status": "error", "a": 2, "status": "running"})",
     R"({"a": 3, "status": "complete"})", R"({"a": 1, "status": "error", "a": 3, "status": "complete"})"},
    {"RepeatedMembersAllGo", &kIssueShape, R"({"a": 1, "status": "error", "a": 2})", R"({"status": "error"})",
     R"({"status": "error"})"},
    {"AMissingStatusStaysWhereItIsUnknown", &kIssueShape, R"({"a": 1})", R"({"a": 2, "status": null})", R"({"a": 2})"},
    {"AnEmptyObject", &kIssueShape, "{}\n", R"({"status": "error"})", "{\n  \"status\": \"error\"\n}\n"},
    {"AStatusThatIsLeft",
     &kIssueShape,
     R"({"status": "d\u006fne", "a": 1})",
     R"({"status": "running", "a": 2})",
     R"({"status": "d\u006fne", "a": 2})",
     {{"42", "status"}}},
    {"MembersThatAreLeftMissingOnesToo",
     &kIssueShape,
     R"({"status": "error", "a" : 1e2, "c": 1})",
     R"({"status": "error", "a": 5, "b": 6, "c": 7})",
     R"({"status": "error", "a" : 1e2, "c": 7})",
     {{"42", "a"}, {"42", "b"}}},
    {"AnObjectThatIsLeft",
     &kIssueShape,
     R"({"status": "done"})",
     R"({"status": "running", "a": 2})",
     R"({"status": "done"})",
     {{"42", ""}}},

    // statuses of several members
    {"AStatusByAFunction", &kFlagShape, R"({"active": true, "n": 1})", R"({"active": false, "n": 2})",
     R"({"active": false, "n": 2})"},
    {"AStatusThatFollowsFromAnotherMember", &kFlagShape, R"({"active": false, "status": "weird"})",
     R"({"active": false, "cancelled_at": "t"})", R"({"active": false, "status": "weird", "cancelled_at": "t"})"},
    {"AStatusThatNeedsAnotherMember", &kFlagShape, R"({"active": true})", R"({"active": false, "status": "cancelled"})",
     R"({"active": false, "status": "cancelled"})"},
    {"AStatusOfSeveralMembersThatIsLeft",
     &kFlagShape,
     R"({"active": "maybe", "status": 1, "n": 1})",
     R"({"active": true, "n": 2})",
     R"({"active": "maybe", "status": 1, "n": 2})",
     {{"42", "status"}}},

    // a list
    {"NothingDiffers", &kStoryShape, kList, kListShows, kList},
    {"AStatusWhereThereWasNone", &kStoryShape, R"({"stories": [{"id": 1, "x": 2}, {"id": 3, "status": null}]})",
     R"({"stories": [{"id": 1, "x": 2, "status": "pushed"}, {"id": 3, "status": "merged"}]})",
     R"({"stories": [{"id": 1, "x": 2, "status": "pushed"}, {"id": 3, "status": "merged"}]})"},
    {"TheDefaultStatusAgain", &kStoryShape, R"({"stories": [{"id": 1, "status": "pushed"}]})",
     R"({"stories": [{"id": 1}]})", R"({"stories": [{"id": 1, "status": "pending"}]})"},
    {"AnIdKeepsItsSpelling", &kStoryShape, R"({"stories": [{"id": 7}, {"id": "\u0041"}]})",
     R"({"stories": [{"id": 7, "x": 1}, {"id": "A", "x": 1}]})",
     R"({"stories": [{"id": 7, "x": 1}, {"id": "\u0041", "x": 1}]})"},
    {"ARemovedRecord", &kStoryShape, kList,
     R"({"project": "shop", "stories": [{"id": "A", "title": "Basket"}, {"id": "C", "title": "Mail"}]})", kWithoutB},
    {"ARecordThatComesBackToTheByte", &kStoryShape, kWithoutB, kListShows, kList, {}, {kList}},
    {"ARecordThatComesBackFromTheNewestImageThatHasIt",
     &kStoryShape,
     kWithoutB,
     kListShows,
     kList,
     {},
     {kWithoutB, "not JSON", kList, R"({"stories": [{"id": "B"}]})"}},
    {"ARecordThatComesBackChanged",
     &kStoryShape,
     R"({"stories": [{"id": "A"}]})",
     R"({"stories": [{"id": "A"}, {"id": "B", "status": "merged", "y": 2}]})",
     R"({"stories": [{"id": "A"}, {"y" : 2, "status":"merged", "id": "\u0042"}]})",
     {},
     {R"({"stories": [{"y" : 1, "z": 0, "status":"pushed", "id": "\u0042"}]})"}},
    {"ARecordThatComesBackInTheFilesStyle",
     &kStoryShape,
     R"({"stories": [{"id": "A"}]})",
     R"({"stories": [{"id": "A"}, {"id": "B", "status": "pushed", "tags": [1.0, 2]}]})",
     R"({"stories": [{"id": "A"}, {"id": "B", "status": "pushed", "tags": [1.0, 2]}]})",
     {},
     {kList}},
    {"ANewRecord", &kStoryShape, R"({"stories": [{"id": "A", "x": 1}]})",
     R"({"stories": [{"id": "B", "status": "pending"}, {"id": "A", "x": 1}]})",
     R"({"stories": [{"id": "B", "status": "pending"}, {"id": "A", "x": 1}]})"},
    {"AnEmptyListThatIsFilled",
     &kStoryShape,
     "{\n  \"project\": \"shop\",\n  \"stories\": []\n}",
     kListShows,
     kList,
     {},
     {kList}},
    {"AListThatIsEmptied", &kStoryShape, R"({"stories": [ {"id": "A"} ]})", R"({"stories": []})", R"({"stories": []})"},
    {"AnotherOrderWithTheSameSpelling", &kStoryShape, R"({"stories": [{"id":"A"} , {"id": "B","n":1.50},  {"id": 3}]})",
     R"({"stories": [{"id": "B", "n": 1.5}, {"id": 3}, {"id": "A", "x": 1}]})",
     R"({"stories": [{"id": "B","n":1.50},  {"id": 3} , {"id":"A" , "x":1}]})"},
    {"AnotherOrderWithGapsAndNewRecords", &kStoryShape,
     R"({"stories": [{"id": "A"}, {"id": "B"}, {"id": "C"}, {"id": "D"}]})",
     R"({"stories": [{"id": "D"}, {"id": "E", "status": "pushed"}, {"id": "A"}, {"id": "C"}]})",
     R"({"stories": [{"id": "D"}, {"id": "E", "status": "pushed"}, {"id": "A"}, {"id": "C"}]})"},
    {"UnreadElementsStayBehindTheirNeighbours", &kStoryShape,
     R"({"stories": [ 1, {"id": "A"}, {"id":""}, 2, {"id": "B"}, [3] ]})", R"({"stories": [{"id": "B"}, {"id": "A"}]})",
     R"({"stories": [ 1, {"id": "B"}, [3], {"id": "A"}, {"id":""}, 2 ]})"},
    {"AnElementWithTheIdOfAnotherStays", &kStoryShape, R"({"stories": [{"id": "A"}, {"id": "A", "x": 1.0}]})",
     R"({"stories": [{"id": "A", "status": "pushed"}]})",
     R"({"stories": [{"id": "A", "status": "pushed"}, {"id": "A", "x": 1.0}]})"},
    {"AnElementWithTheIdOfAnotherGoesWithIt", &kStoryShape, R"({"stories": [{"id": "A"}, {"id": "B"}, {"id": "A"}]})",
     R"({"stories": [{"id": "B"}]})", R"({"stories": [{"id": "B"}]})"},
    {"ARecordThatIsLeft",
     &kStoryShape,
     R"({"stories": [{"id": "A"}, {"id": "X", "status": "done"}, {"id": "X"}]})",
     R"({"stories": [{"id": "A", "x": 1}]})",
     R"({"stories": [{"id": "A", "x": 1}, {"id": "X", "status": "done"}, {"id": "X"}]})",
     {{"X", ""}}},
    {"CellsThatAreLeft",
     &kStoryShape,
     R"({"v": 1.00, "stories": [{"id": "A", "priority": "\u0031", "status": 7}]})",
     R"({"v": 2, "w": 3, "stories": [{"id": "A", "priority": 5, "x": 1}]})",
     R"({"v": 1.00, "w": 3, "stories": [{"id": "A", "priority": "\u0031", "x": 1, "status": 7}]})",
     {{"/", "v"}, {"A", "priority"}, {"A", "status"}}},
    {"TheFilesOwnMembers", &kStoryShape, R"({"stories": [ {"id": "A"} ], "a": 1, "b" : 2})",
     R"({"b": 3, "stories": [{"id": "A"}], "c": 4})", R"({"stories": [ {"id": "A"} ], "b" : 3, "c" : 4})"},
    {"AnIntegerForANumberWithAPointInTheFile", &kStoryShape, R"({"v": 1.0, "stories": []})",
     R"({"v": 1, "stories": []})", R"({"v": 1, "stories": []})"},
    {"RepeatedLists", &kStoryShape, R"({"stories": [7], "stories": [{"id": "A"}]})",
     R"({"v": 1, "stories": [{"id": "A", "x": 1}]})", R"({"v": 1, "stories": [7], "stories": [{"id": "A", "x": 1}]})"},

    // two status forms
    {"AFormIsKept", &kTwoFormsShape, R"({"stories": [{"id": 1, "passes": false}, {"id": 2, "status": "pushed"}]})",
     R"({"stories": [{"id": 1, "status": "merged"}, {"id": 2, "status": "merged"}]})",
     R"({"stories": [{"id": 1, "passes": true}, {"id": 2, "status": "merged"}]})"},
    {"AFormThatCannotSayTheStatusGivesWay", &kTwoFormsShape, R"({"stories": [{"id": 1, "passes": false, "x": 1}]})",
     R"({"stories": [{"id": 1, "status": "skipped", "x": 1}]})",
     R"({"stories": [{"id": 1, "status": "skipped", "x": 1}]})"},
    {"ANewRecordHasTheFormOfTheOthers", &kTwoFormsShape, R"({"stories": [3, {"id": 1}, {"id": 2, "passes": true}]})",
     R"({"stories": [{"id": 1}, {"id": 2, "passes": true}, {"id": 4, "passes": false, "title": "x"}]})",
     R"({"stories": [3, {"id": 1}, {"id": 2, "passes": true}, {"id": 4, "title": "x", "passes": false}]})"},
    {"AMemberOfTheRecordIsNoForm", &kTwoFormsShape, R"({"stories": [{"id": 1, "passes": false}]})",
     R"({"stories": [{"id": 1, "passes": false, "status": "pushed"}]})",
     R"({"stories": [{"id": 1, "status": "pushed", "passes": false}]})"},
    {"AMemberOfTheRecordDoesNotSayTheStatus", &kTwoFormsShape, R"({"stories": [{"id": 1, "passes": true}]})",
     R"({"stories": [{"id": 1, "passes": false, "status": "pending"}]})",
     R"({"stories": [{"id": 1, "status": "pending", "passes": false}]})"},
};
INSTANTIATE_TEST_SUITE_P(Table, JsonCodecPatches, testing::ValuesIn(kPatchCases), name_of_case<PatchCase>);

struct FreshCase {
  const char* name;
  const JsonShape* shape;
  const char* wanted;
  const char* bytes;
};
void PrintTo(const FreshCase& one, std::ostream* out) { *out << one.wanted; }

class JsonCodecFresh : public testing::TestWithParam<FreshCase> {};

TEST_P(JsonCodecFresh, IsInTheFormatsStyle) {
  const FreshCase& one = GetParam();
  const Content content = read(*one.shape, one.wanted);
  EXPECT_EQ(JsonCodec(*one.shape).fresh("some/42.json", {content}), one.bytes);
  EXPECT_EQ(lines_of(read(*one.shape, one.bytes)).size(), lines_of(content).size());
}

const FreshCase kFreshCases[] = {
    {"AnObject", &kIssueShape, R"({"timestamp": "t", "mine": 1, "session": "s", "issue": 42, "status": "running"})",
     "{\n  \"issue\": 42,\n  \"status\": \"running\",\n  \"session\": \"s\",\n  \"timestamp\": \"t\",\n  \"mine\": "
     "1\n}\n"},
    {"AnObjectWithoutAStatus", &kIssueShape, R"({"issue": 42})", "{\n  \"issue\": 42\n}\n"},
    {"NoNewlineAtTheEnd", &kLoopShape, R"({"status": "active", "session": "é"})",
     "{\n  \"status\": \"active\",\n  \"session\": \"é\"\n}"},
    {"AStatusByAFunction", &kFlagShape, R"({"active": false, "status": "cancelled", "n": [1, 2]})",
     "{\n  \"active\": false,\n  \"status\": \"cancelled\",\n  \"n\": [\n    1,\n    2\n  ]\n}"},
    {"AListSaysTheDefaultStatus", &kTwoFormsShape, R"({"v": 1, "stories": [{"notes": "", "id": "A", "title": "x"}]})",
     "{\n  \"v\": 1,\n  \"userStories\": [\n    {\n      \"id\": \"A\",\n      \"title\": \"x\",\n"
     "      \"status\": \"pending\",\n      \"notes\": \"\"\n    }\n  ]\n}\n"},
    {"AnEmptyList", &kStoryShape, R"({"stories": []})", "{\n  \"stories\": []\n}\n"},
};
INSTANTIATE_TEST_SUITE_P(Table, JsonCodecFresh, testing::ValuesIn(kFreshCases), name_of_case<FreshCase>);

TEST(JsonCodec, ARecordWithoutItsIdIsWrittenWithItsKey) {
  const Content content{"", {{"A", "story", "pushed", {{"x", 1}}}}, Json::object(), {}};
  const JsonCodec codec(kStoryShape);
  EXPECT_EQ(codec.patch("prd.json", R"({"stories": []})", {content}),
            R"({"stories": [{"x": 1, "id": "A", "status": "pushed"}]})");
  EXPECT_EQ(codec.patch("prd.json", R"({"stories": [{"id": "\u0041"}]})", {content}),
            R"({"stories": [{"x": 1, "id": "\u0041", "status": "pushed"}]})");
}

TEST(JsonCodec, WhatSaysTheStatusIsNoMemberOfTheRecord) {
  const Content content{"", {{"42", "issue", "error", {{"a", 1}, {"status", "x"}}}}, Json::object(), {}};
  EXPECT_EQ(JsonCodec(kIssueShape).patch("42.json", R"({"status": "running"})", {content}),
            R"({"status": "error", "a": 1})");
}

TEST(JsonCodec, BytesThatCannotBeReadAreWrittenAnew) {
  const Content content = read(kIssueShape, R"({"status": "running"})");
  EXPECT_EQ(JsonCodec(kIssueShape).patch("42.json", "{", {content}), "{\n  \"status\": \"running\"\n}\n");
}

TEST(JsonCodec, AnObjectWithoutARecordStaysAsItIs) {
  EXPECT_EQ(JsonCodec(kIssueShape).patch("42.json", "{ }", {Content{}}), "{ }");
}

TEST(JsonCodec, KeysOfObjectsAreTheNamesOfTheirFiles) {
  const auto key = [](std::string_view path) {
    return JsonCodec(kIssueShape).parse(path, "{}", {}).value().entries.front().key;
  };
  EXPECT_EQ(key(".worktrees/.status/42.json"), "42");
  EXPECT_EQ(key("a.b/c.d.json"), "c.d");
  EXPECT_EQ(key("a.b/c"), "c");
}

// ---- elements with equal ids

constexpr char kTwins[] = R"({"stories": [{"id": "A", "x": 1}, {"id": "A", "x": 2, "y": 3}]})";

TEST(JsonCodecTwins, TheNearestToTheKnownRecordIsTheRecord) {
  const OurRecord known{{"A", "story", "pending", {{"id", "A"}, {"x", 2}, {"y", 0}}}, State::removed};
  const Content content = read(kStoryShape, kTwins, {std::span(&known, 1)});
  EXPECT_EQ(lines_of(content),
            (std::vector<std::string>{R"(A is "pending" {"id":"A","x":2,"y":3})", R"(unread {"id":"A","x":1})"}));
}

TEST(JsonCodecTwins, OfTwoThatAreEquallyNearTheFirst) {
  const OurRecord known{{"A", "story", "pending", {{"id", "A"}, {"x", 3}, {"y", 3}}}};
  const std::string twins = R"({"stories": [{"id": "A", "x": 3}, {"id": "A", "y": 3, "status": null}]})";
  EXPECT_EQ(read(kStoryShape, twins, {std::span(&known, 1)}).entries.front().members, Json({{"id", "A"}, {"x", 3}}));
}

TEST(JsonCodecTwins, TheSameElementIsPatchedThatWasTheRecord) {
  const OurRecord known{{"A", "story", "pending", {{"id", "A"}, {"x", 1}}}};
  // A command made the record look like the other one.
  const Content content{"", {{"A", "story", "pending", {{"id", "A"}, {"x", 2}, {"y", 3}}}}, Json::object(), {}};
  const JsonCodec codec(kStoryShape);
  EXPECT_EQ(codec.patch("prd.json", kTwins, {content, {}, {}, {std::span(&known, 1)}}),
            R"({"stories": [{"id": "A", "x": 2, "y": 3}, {"id": "A", "x": 2, "y": 3}]})");
  EXPECT_EQ(codec.patch("prd.json", kTwins, {content}),
            R"({"stories": [{"id": "A", "x": 2, "y": 3}, {"id": "A", "x": 2, "y": 3}]})");
}

// ---- size

TEST(JsonCodecSize, TenThousandRecordsWithOneChangeInAll) {
  constexpr int kMany = 10'000;
  const auto file = [](int first, bool changed) {
    std::string out = "{\n  \"stories\": [";
    for (int i = first; i < kMany; ++i) {
      const std::string n = std::to_string(i);
      out +=
          (i == first ? "\n" : ",\n") + std::string("    {\n      \"id\": \"US-") + n + "\",\n      \"n\": " + n + ".0";
      out += changed && i == kMany - 1 ? ",\n      \"x\": 1\n    }" : "\n    }";
    }
    return out + "\n  ]\n}\n";
  };
  const JsonCodec codec(kStoryShape);
  Content content = read(kStoryShape, file(1, true));
  EXPECT_EQ(codec.patch("prd.json", file(0, false), {content}), file(1, true));
  // All come back, and the order is turned round.
  const std::string before = file(0, false);
  const std::string_view earlier[] = {before};
  content = read(kStoryShape, before);
  EXPECT_EQ(codec.patch("prd.json", "{\n  \"stories\": []\n}\n", {content, {}, earlier}), before);
  std::reverse(content.entries.begin(), content.entries.end());
  EXPECT_EQ(codec.patch("prd.json", codec.patch("prd.json", before, {content}), {read(kStoryShape, before)}), before);
}

TEST(JsonCodecSize, TenThousandEqualIds) {
  std::string bytes = R"({"stories": [)";
  for (int i = 0; i < 10'000; ++i) bytes += R"({"id": "A", "n": )" + std::to_string(i) + "}, ";
  bytes += R"({"id": "B"}]})";
  const OurRecord known{{"A", "story", "pending", {{"id", "A"}, {"n", 5000}}}};
  Content content = read(kStoryShape, bytes, {std::span(&known, 1)});
  EXPECT_EQ(content.unread.size(), 9'999U);
  EXPECT_EQ(content.entries.front().members["n"], 5000);
  content.entries.erase(content.entries.begin());
  EXPECT_EQ(JsonCodec(kStoryShape).patch("prd.json", bytes, {content}), R"({"stories": [{"id": "B"}]})");
}

}  // namespace
}  // namespace pawl::merge
