// The rules of the three kinds of loops, and what their files are read as.
#include <gtest/gtest.h>

#include <array>

#include "lifecycles/loop/begin.h"
#include "lifecycles/loop/choose.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/ralph.h"
#include "lifecycles/loop/ultrawork.h"
#include "lifecycles/loop/verification.h"

namespace pawl::loop {
namespace {

constexpr Now kNow{1'737'541'800'000, 0};  // 2025-01-22T10:30:00Z

Json json(std::string_view text) { return parse_json(text).value_or(Json("not JSON")); }

std::string status_of(const Shape& shape, std::string_view bytes) {
  const auto content = StateFile(shape).parse(".omc/x.json", "", bytes);
  return content ? content->shown[0].status.value_or("(none)") : "(damaged)";
}

std::string key_of(const Shape& shape, std::string_view bytes) {
  const auto content = StateFile(shape).parse(".omc/x.json", "", bytes);
  return content ? content->shown[0].id.key : "(damaged)";
}

Record loop_in(const Shape& shape, std::string_view object, std::string scope = {}) {
  const Shown shown = shown_by(shape, scope, json(object));
  Record record = absent_record(shown.id);
  record.status = *shown.status;
  record.doc = shown.doc;
  record.revision = 1;
  return record;
}

Record ralph(const std::string& session, std::int64_t iteration, std::int64_t most) {
  StartRalph command{session, "p", most, true, "DONE"};
  Json doc = new_ralph(command, kNow);
  doc["iteration"] = iteration;
  doc["active"] = true;
  return loop_in(ralph_shape(), to_line(doc));
}

TEST(LoopSession, IdsAreWhatTheFormatAllows) {
  for (const char* good : {"a", "0", "uuid-string", "A_b-9", "6f1c2d3e-0000-4000-8000-000000000000"})
    EXPECT_TRUE(is_session_id(good)) << good;
  EXPECT_TRUE(is_session_id(std::string(256, 'a')));
  for (const char* bad : {"", "null", "-a", "_a", ".", "..", "../x", "a/b", "a b", "a\n", "ä", "a.b", "$(x)"})
    EXPECT_FALSE(is_session_id(bad)) << bad;
  EXPECT_FALSE(is_session_id(std::string(257, 'a')));
  EXPECT_FALSE(is_session_id(std::string(10'240, 'a')));
}

TEST(LoopSession, NobodysLoopMatchesNobody) {
  for (const char* doc : {"{}", R"({"session_id": ""})", R"({"session_id": "null"})", R"({"session_id": null})"}) {
    EXPECT_FALSE(owner_of(json(doc))) << doc;
    EXPECT_FALSE(is_owned_by(json(doc), "")) << doc;
    EXPECT_FALSE(is_owned_by(json(doc), "null")) << doc;
  }
  for (const char* doc : {R"({"session_id": "../up"})", R"({"session_id": 5})", R"({"session_id": ["s1"]})"}) {
    EXPECT_TRUE(owner_of(json(doc))) << doc << ": it is somebody's";
    EXPECT_FALSE(is_owned_by(json(doc), "../up")) << doc;
    EXPECT_FALSE(is_owned_by(json(doc), "5")) << doc;
  }
  EXPECT_TRUE(is_owned_by(json(R"({"session_id": "s1"})"), "s1"));
}

TEST(LoopIdentity, IsSessionAndStartHoweverTheTimeIsSpelled) {
  const std::string key = key_of(ralph_shape(), R"({"session_id": "s1", "started_at": "2025-01-22T10:30:00.000Z"})");
  EXPECT_EQ(key, "s1@20250122T103000.000Z");
  EXPECT_EQ(key_of(ralph_shape(), R"({"session_id": "s1", "started_at": "2025-01-22T10:30:00+00:00"})"), key);
  EXPECT_NE(key_of(ralph_shape(), R"({"session_id": "s2", "started_at": "2025-01-22T10:30:00Z"})"), key);
  EXPECT_NE(key_of(ralph_shape(), R"({"session_id": "s1", "started_at": "2025-01-22T10:30:01Z"})"), key);
  EXPECT_EQ(key_of(ralph_shape(), R"({"started_at": "2025-01-22T10:30:00Z"})"), "20250122T103000.000Z");
  EXPECT_EQ(key_of(ralph_shape(), "{}"), "unknown");
  for (const char* odd :
       {R"({"session_id": "a/../b\u001b", "started_at": "yesterday/../"})", R"({"started_at": 17})"}) {
    for (const char c : key_of(ralph_shape(), odd)) EXPECT_TRUE(isalnum(c) || c == '@') << odd;
  }
}

TEST(RalphFile, StatusIsReadFromWhatThereIs) {
  struct Row {
    const char* bytes;
    const char* status;
  };
  constexpr std::array kRows = {
      Row{R"({"active": true})", "active"},
      Row{R"({"active": true, "iteration": 50, "max_iterations": 50})", "active"},
      Row{R"({"active": true, "status": "complete", "cancelled_at": "x"})", "active"},
      Row{R"({"active": false})", "complete"},
      Row{R"({})", "complete"},
      Row{R"({"active": null})", "complete"},
      Row{R"({"active": false, "completed_at": "2026-01-28T21:35:00Z"})", "complete"},
      Row{R"({"active": false, "cancelled_at": "2026-02-12T09:00:00.000Z"})", "cancelled"},
      Row{R"({"active": false, "cancelled_at": null})", "complete"},
      Row{R"({"active": false, "status": "canceled"})", "cancelled"},
      Row{R"({"active": false, "status": "completed", "iteration": 9, "max_iterations": 9})", "complete"},
      Row{R"({"active": false, "iteration": 9, "max_iterations": 9})", "exhausted"},
      Row{R"({"active": false, "iteration": 9, "max_iterations": 9, "completed_at": "x"})", "complete"},
      Row{R"({"active": false, "iteration": 90})", "complete"},
      Row{R"({"active": false, "iteration": 9, "max_iterations": 0})", "complete"},
      Row{R"({"active": "yes"})", "\"yes\""},
      Row{R"({"active": "active"})", "\"active\""},
      Row{R"({"active": 1})", "1"},
      Row{R"({"active": true, "active": false})", "complete"},
      Row{"[]", "(damaged)"},
      Row{"", "(damaged)"},
      Row{"{\"active\": tr", "(damaged)"},
      Row{"null", "(damaged)"},
  };
  for (const Row& row : kRows) EXPECT_EQ(status_of(ralph_shape(), row.bytes), row.status) << row.bytes;
}

TEST(VerificationFile, IsApprovedOnlyWhereItSaysSo) {
  struct Row {
    const char* bytes;
    const char* status;
  };
  constexpr std::array kRows = {
      Row{R"({"pending": true})", "pending"},
      Row{R"({"pending": true, "verification_attempts": 2})", "pending"},
      Row{R"({"pending": true, "verification_attempts": 3})", "exhausted"},
      Row{R"({"pending": true, "verification_attempts": 3, "max_verification_attempts": 5})", "pending"},
      Row{R"({"pending": true, "verification_attempts": 5, "max_verification_attempts": 5})", "exhausted"},
      Row{R"({"pending": false})", "approved"},
      Row{R"({"pending": false, "verification_attempts": 3})", "approved"},
      Row{R"({"pending": false, "architect_approved": false})", "false"},
      Row{R"({})", "pending"},
      Row{R"({"architect_approved": true})", "approved"},
      Row{R"({"verification_attempts": 3})", "exhausted"},
      Row{R"({"pending": "no"})", "\"no\""},
  };
  for (const Row& row : kRows) EXPECT_EQ(status_of(verification_shape(), row.bytes), row.status) << row.bytes;
}

TEST(UltraworkFile, IsActiveOrEnded) {
  EXPECT_EQ(status_of(ultrawork_shape(), R"({"active": true})"), "active");
  EXPECT_EQ(status_of(ultrawork_shape(), R"({"active": false})"), "ended");
  EXPECT_EQ(status_of(ultrawork_shape(), "{}"), "ended");
  EXPECT_EQ(status_of(ultrawork_shape(), R"({"active": 0})"), "0");
}

TEST(LoopFile, FreshOneIsAsTheSeedWritesIt) {
  Record record = absent_record({"ralph", "", "k"});
  record.status = "active";
  record.doc = new_ralph({"uuid-string", "Büro", 50, true, std::string(kStandardPromise)}, kNow);
  EXPECT_EQ(StateFile(ralph_shape()).render(std::nullopt, std::array{record}), R"({
  "active": true,
  "iteration": 0,
  "max_iterations": 50,
  "completion_promise": "<promise>TASK_COMPLETE</promise>",
  "started_at": "2025-01-22T10:30:00.000Z",
  "prompt": "Büro",
  "session_id": "uuid-string",
  "prd_mode": true,
  "current_story_id": null,
  "last_activity_at": "2025-01-22T10:30:00.000Z"
})");
}

TEST(LoopFile, WhatIsShownReadsAsTheStatusThatItShows) {
  // Members that say something else do not win over the record.
  for (const char* status : {"active", "complete", "exhausted", "cancelled"}) {
    for (const char* rest : {"{}", R"({"cancelled_at": "x"})", R"({"completed_at": "x"})", R"({"status": "cancelled"})",
                             R"({"iteration": 5, "max_iterations": 5})"}) {
      Record record = absent_record({"ralph", "", "unknown"});
      record.status = status;
      record.doc = json(rest);
      for (const auto base : {std::optional<std::string_view>(), std::optional<std::string_view>("{\"active\": true}"),
                              std::optional<std::string_view>("{\"active\": false}\n")}) {
        const auto bytes = StateFile(ralph_shape()).render(base, std::array{record});
        ASSERT_TRUE(bytes);
        EXPECT_EQ(status_of(ralph_shape(), *bytes), status) << *bytes;
      }
    }
  }
}

TEST(LoopFile, WhatEndedIsNotAdmittedAgain) {
  const StateFile file(ralph_shape());
  const Shown again = shown_by(ralph_shape(), "", json(R"({"active": true, "started_at": "2025-01-22T10:30:00Z"})"));
  Record before = absent_record(again.id);
  EXPECT_TRUE(file.admits(before, again));
  before.revision = 3;  // cleared
  EXPECT_FALSE(file.admits(before, again));
  before.aside = true;
  before.status = "cancelled";
  EXPECT_FALSE(file.admits(before, again));
  before.status = "active";
  EXPECT_TRUE(file.admits(before, again));
  // Without a start nothing tells a new one from the old.
  const Shown unknown = shown_by(ralph_shape(), "", json(R"({"active": true})"));
  Record gone = absent_record(unknown.id);
  gone.revision = 3;
  EXPECT_TRUE(file.admits(gone, unknown));
}

TEST(RalphRules, TickCountsUntilTheMaximumAndThenExhausts) {
  Record loop = ralph("s1", 0, 2);
  for (const std::int64_t expected : {1, 2}) {
    const auto ticked = decide(loop, TickRalph{}, kNow);
    ASSERT_TRUE(ticked);
    EXPECT_EQ(ticked->after.status, "active");
    EXPECT_EQ(integer_or(ticked->after.doc, "iteration"), expected);
    loop = ticked->after;
  }
  const auto last = decide(loop, TickRalph{}, kNow);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->after.status, "exhausted");
  EXPECT_EQ(integer_or(last->after.doc, "iteration"), 2);
  EXPECT_FALSE(decide(last->after, TickRalph{}, kNow));
}

TEST(RalphRules, StoryIsSetOnlyWhereOneIsGiven) {
  const auto first = decide(ralph("s1", 0, 9), TickRalph{"US-1"}, kNow);
  ASSERT_TRUE(first);
  EXPECT_EQ(string_or(first->after.doc, "current_story_id"), "US-1");
  const auto second = decide(first->after, TickRalph{}, kNow);
  ASSERT_TRUE(second);
  EXPECT_EQ(string_or(second->after.doc, "current_story_id"), "US-1");
}

TEST(RalphRules, NoEndLeadsBackToWork) {
  for (const char* end : {"complete", "exhausted", "cancelled"}) {
    Record loop = ralph("s1", 1, 9);
    loop.status = end;
    EXPECT_FALSE(decide(loop, TickRalph{}, kNow)) << end;
    EXPECT_FALSE(decide(loop, absent_record(owned_id(loop, "s2")), OwnRalph{"s2"}, kNow)) << end;
    EXPECT_EQ(ralph_machine().move(end, "active"), nullptr) << end;
  }
}

TEST(RalphRules, OneThatIsHeldIsNotDriven) {
  Record loop = ralph("s1", 1, 9);
  loop.status.clear();
  loop.held = "\"yes\"";
  EXPECT_FALSE(decide(loop, TickRalph{}, kNow));
  EXPECT_TRUE(decide(loop, CancelRalph{}, kNow));
}

TEST(VerificationRules, LastRejectionExhaustsAndNothingApprovesIt) {
  Record claim = loop_in(verification_shape(), R"({"pending": true, "max_verification_attempts": 2})");
  const auto first = decide(claim, AttemptVerification{"no", false}, kNow);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->after.status, "pending");
  const auto second = decide(first->after, AttemptVerification{"no", false}, kNow);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->after.status, "exhausted");
  EXPECT_EQ(integer_or(second->after.doc, "verification_attempts"), 2);
  EXPECT_FALSE(decide(second->after, AttemptVerification{"yes", true}, kNow));
  EXPECT_EQ(verification_machine().move("exhausted", "approved"), nullptr);
  const auto bytes = StateFile(verification_shape()).render(std::nullopt, std::array{second->after});
  EXPECT_NE(bytes->find("\"pending\": true"), std::string::npos);
  const auto approved = decide(first->after, AttemptVerification{"yes", true}, kNow);
  ASSERT_TRUE(approved);
  EXPECT_EQ(approved->after.status, "approved");
}

TEST(LoopChoice, ASessionMeansItsOwnAndNobodyElses) {
  const std::vector<Record> loops = {ralph("s1", 1, 9), ralph("s2", 2, 9), ralph("", 3, 9)};
  const Machine& machine = ralph_machine();
  for (const Purpose purpose : {Purpose::drive, Purpose::look, Purpose::stop}) {
    const auto chosen = choose(machine, loops, "s2", purpose);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(integer_or(chosen->doc, "iteration"), 2);
  }
  EXPECT_FALSE(choose(machine, loops, "s3", Purpose::drive));
  EXPECT_FALSE(choose(machine, loops, "s3", Purpose::look));
  const auto stopped = choose(machine, loops, "s3", Purpose::stop);
  ASSERT_TRUE(stopped);
  EXPECT_EQ(integer_or(stopped->doc, "iteration"), 3) << "nobody's may be ended by everybody";
  EXPECT_FALSE(choose(machine, loops, "", Purpose::stop)) << "three are under way";
  EXPECT_FALSE(choose(machine, std::span(loops).first(1), "", Purpose::drive)) << "a session's is driven by it alone";
  EXPECT_EQ(choose(machine, {}, "", Purpose::look).error().code, ErrorCode::not_found);
}

TEST(LoopBegin, NoLoopUnderWayIsDisplaced) {
  const std::vector<Record> loops = {ralph("s1", 1, 9)};
  EXPECT_EQ(scope_for(ralph_shape(), {}, "s1").value_or("?"), "");
  EXPECT_EQ(scope_for(ralph_shape(), loops, "s1").error().code, ErrorCode::already_exists);
  EXPECT_EQ(scope_for(ralph_shape(), loops, "").error().code, ErrorCode::already_exists);
  EXPECT_EQ(scope_for(ralph_shape(), loops, "s2").value_or("?"), ".omc/state/sessions/s2/ralph-state.json");
  std::vector<Record> ended = loops;
  ended[0].status = "complete";
  EXPECT_EQ(scope_for(ralph_shape(), ended, "s1").value_or("?"), "");
  // A file that is git's for now is written by nobody.
  Places gits{[](std::string_view scope) { return scope.empty(); }};
  EXPECT_EQ(scope_for(ralph_shape(), ended, "s1", gits).value_or("?"), ".omc/state/sessions/s1/ralph-state.json");
  EXPECT_EQ(scope_for(ralph_shape(), ended, "", gits).value_or("?"), ".omc/state/ralph-state.json");
  gits.left_to_git = [](std::string_view) { return true; };
  EXPECT_EQ(scope_for(ralph_shape(), ended, "", gits).error().code, ErrorCode::conflict);
}

TEST(LoopWrite, IsCheckedAgainstTheRevisionThatWasRead) {
  const Record current = ralph("s1", 4, 9);
  Json doc = current.doc;
  doc["iteration"] = 5;
  doc["active"] = true;
  const Shown state = shown_by(ralph_shape(), "", doc);
  ASSERT_EQ(state.id, current.id);
  EXPECT_TRUE(decide(ralph_shape(), {}, current, WriteState{state, 1}));
  EXPECT_EQ(decide(ralph_shape(), {}, current, WriteState{state, 2}).error().code, ErrorCode::conflict);
  Record cleared = absent_record(current.id);
  cleared.revision = 2;
  EXPECT_EQ(decide(ralph_shape(), {}, cleared, WriteState{state, 1}).error().code, ErrorCode::conflict);
  EXPECT_EQ(decide(ralph_shape(), {}, cleared, WriteState{state, 0}).error().code, ErrorCode::illegal_move);
  Json path = doc;
  path["session_id"] = "../../etc";
  const Shown bad = shown_by(ralph_shape(), "", path);
  EXPECT_EQ(decide(ralph_shape(), {}, absent_record(bad.id), WriteState{bad, 0}).error().code,
            ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace pawl::loop
