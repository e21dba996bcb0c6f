#include "lifecycles/issue/issue.h"

#include <gtest/gtest.h>

#include <array>

#include "lifecycles/issue/status_file.h"

namespace pawl::issue {
namespace {

constexpr Now kNow{1'706'605'200'000, 0};  // 2024-01-30T09:00:00Z

Record issue_in(const std::string& status) {
  Record record = absent_record({"issue", "", "42"});
  record.status = status;
  if (!status.empty()) record.doc = Json{{"issue", 42}, {"session", "mine"}, {"timestamp", "then"}, {"label", "kept"}};
  return record;
}

Result<Change> set(const std::string& from, const std::string& to, const std::string& reason = {}) {
  return decide(issue_in(from), SetStatus{42, to, std::nullopt, std::nullopt, reason}, kNow, Settings{});
}

TEST(IssueRules, EveryPairIsAsTheTableSays) {
  struct Row {
    const char* from;
    const char* to;
    bool plain, with_reason;
  };
  constexpr std::array kRows = {
      Row{"", "running", true, true},         Row{"", "complete", true, true},
      Row{"", "error", true, true},           Row{"running", "running", true, true},
      Row{"running", "complete", true, true}, Row{"running", "error", true, true},
      Row{"complete", "running", true, true}, Row{"complete", "complete", true, true},
      Row{"complete", "error", false, true},  Row{"error", "running", true, true},
      Row{"error", "complete", false, true},  Row{"error", "error", true, true},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(set(row.from, row.to).has_value(), row.plain) << row.from << " → " << row.to;
    EXPECT_EQ(set(row.from, row.to, "because").has_value(), row.with_reason) << row.from << " → " << row.to;
  }
}

TEST(IssueRules, CorrectionWithoutReasonNamesWhatIsMissing) {
  const auto refused = set("complete", "error");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::gate_failed);
  EXPECT_NE(refused.error().hint.find("--reason"), std::string::npos);
}

TEST(IssueRules, UnknownStatusSuggestsTheOneThatWasMeant) {
  const auto refused = set("running", "completed");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::illegal_move);
  EXPECT_EQ(refused.error().hint, "did you mean complete?");
}

TEST(IssueRules, SetKeepsSessionAndUnknownMembers) {
  const auto change = set("running", "complete");
  ASSERT_TRUE(change);
  EXPECT_EQ(string_or(change->after.doc, "session"), "mine");
  EXPECT_EQ(string_or(change->after.doc, "label"), "kept");
  EXPECT_EQ(string_or(change->after.doc, "timestamp"), "2024-01-30T09:00:00Z");
}

TEST(IssueRules, RunningAgainForgetsTheError) {
  Record failed = issue_in("error");
  Json doc = failed.doc;
  doc["error_message"] = "tests fail";
  failed.doc = doc;
  const auto change = decide(failed, SetStatus{42, "running", {}, {}, {}}, kNow, Settings{});
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->after.doc.contains("error_message"));
}

TEST(IssueRules, AHeldOneMayBeGivenAnyStatus) {
  Record held = issue_in("");
  held.held = "done";
  const auto change = decide(held, SetStatus{42, "complete", {}, {}, {}}, kNow, Settings{});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->after.status, "complete");
  EXPECT_FALSE(change->after.held);
}

TEST(IssueRules, SessionNamesFollowThePrefix) {
  Settings settings;
  EXPECT_EQ(session_name(7, settings), "pi-issue-7");
  settings.set("issue.session_prefix", "team", SettingSource::environment);
  EXPECT_EQ(session_name(7, settings), "team-issue-7");
  settings.set("issue.session_prefix", "my-issue", SettingSource::environment);
  EXPECT_EQ(session_name(7, settings), "my-issue-7");
}

TEST(IssueRules, TextThatCanNotBeKeptIsRefusedByName) {
  EXPECT_FALSE(check_text("message", std::string(70'000, 'x'), kMaxMessageBytes));
  EXPECT_FALSE(check_text("message", "\x1b[31mred", kMaxMessageBytes));
  EXPECT_FALSE(check_text("message", "\xff", kMaxMessageBytes));
  EXPECT_TRUE(check_text("message", "zwei\nZeilen\tund テスト", kMaxMessageBytes));
}

TEST(StatusFile, FreshFileIsAsJqWritesIt) {
  const StatusFile format;
  Record record = absent_record({"issue", "", "42"});
  record.status = "error";
  record.doc = Json{
      {"issue", 42}, {"session", "pi-issue-42"}, {"error_message", "テスト"}, {"timestamp", "2024-01-30T09:05:00Z"}};
  EXPECT_EQ(format.render(std::nullopt, std::array{record}),
            "{\n  \"issue\": 42,\n  \"status\": \"error\",\n  \"session\": \"pi-issue-42\",\n"
            "  \"error_message\": \"テスト\",\n  \"timestamp\": \"2024-01-30T09:05:00Z\"\n}\n");
}

TEST(StatusFile, AcceptsNumbersOnly) {
  const StatusFile format;
  EXPECT_TRUE(format.accepts("42.json"));
  for (const char* name : {"0.json", "042.json", "-1.json", "x.json", "42.json.tmp.1", ".42.json", "42.pid", ".json"}) {
    EXPECT_FALSE(format.accepts(name)) << name;
  }
}

TEST(StatusFile, EveryLenientFormIsRead) {
  const StatusFile format;
  const auto status_in = [&](std::string_view bytes) {
    const auto content = format.parse("a/42.json", "", bytes);
    return content ? content->shown[0].status.value_or("(none)") : "(damaged)";
  };
  EXPECT_EQ(status_in(R"({"status":"running"})"), "running");
  EXPECT_EQ(status_in(R"({"timestamp":"x","status":"error","error_message":""})"), "error");
  EXPECT_EQ(status_in(R"({"issue":42})"), "(none)");
  EXPECT_EQ(status_in(R"({"status":null})"), "(none)");
  EXPECT_EQ(status_in(R"({"status":5})"), "5");
  EXPECT_EQ(status_in("[]"), "(damaged)");
  EXPECT_EQ(status_in(""), "(damaged)");
}

TEST(StatusFile, AHeldStatusStaysAsItIsSpelled) {
  const StatusFile format;
  Record record = absent_record({"issue", "", "42"});
  record.held = "";
  record.doc = Json{{"issue", 42}};
  for (const std::string_view bytes : {R"({"issue":42,"status":null})", R"({"issue":42})"}) {
    EXPECT_EQ(format.render(bytes, std::array{record}), bytes);
  }
}

}  // namespace
}  // namespace pawl::issue
