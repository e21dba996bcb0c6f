// The base, owners, order, questions about conflicts, and undo. The rows are in merge_rows_test.cc.
#include "core/merge.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/merge_rows.h"
#include "support/merge_stage.h"

namespace pawl::merge {
namespace {

// ---- the base

Content story_file(std::initializer_list<std::pair<const char*, Json>> stories, Json file = Json::object()) {
  Content content{"one", {}, std::move(file), {}};
  for (const auto& [key, members] : stories) content.entries.push_back({key, "story", "pending", members});
  return content;
}

TEST(MergeBase, NoImageIsNoBase) { EXPECT_EQ(choose_base({}, story_file({})), nullptr); }

TEST(MergeBase, AnOldCopyWithOneEditStartedFromTheOldImage) {
  const Content old = story_file({{"A", {{"x", 1}, {"y", 1}}}}), now = story_file({{"A", {{"x", 2}, {"y", 2}}}});
  const std::vector<Baseline> known = {{&old}, {&now, true}};
  EXPECT_EQ(choose_base(known, story_file({{"A", {{"x", 1}, {"y", 1}, {"z", 9}}}})), &old);
  EXPECT_EQ(choose_base(known, story_file({{"A", {{"x", 2}, {"y", 1}}}})), &now);  // as much as it became as it was
  EXPECT_EQ(choose_base(known, story_file({{"A", {{"z", 9}}}})), &now);            // what is missing tells nothing
}

TEST(MergeBase, WhatIsMissingTellsNothing) {
  const Content old = story_file({{"A", {{"y", 1}}}}), now = story_file({{"A", {{"x", 1}, {"y", 1}}}});
  const std::vector<Baseline> known = {{&old}, {&now, true}};
  EXPECT_EQ(choose_base(known, story_file({{"A", {{"y", 2}}}})), &now);
}

TEST(MergeBase, StatusesAndTheFilesOwnMembersCount) {
  const Content now = story_file({{"A", {{"x", 1}}}}, {{"f", 2}});
  const Content other_file = story_file({{"A", {{"x", 1}}}}, {{"f", 1}});
  Content other_status = now;
  other_status.entries[0].status = "committed";
  Content theirs = other_file;
  theirs.entries[0].members["z"] = 1;
  EXPECT_EQ(choose_base(std::vector<Baseline>{{&other_file}, {&now, true}}, theirs), &other_file);
  theirs = other_status;
  theirs.entries[0].members["z"] = 1;
  EXPECT_EQ(choose_base(std::vector<Baseline>{{&other_status}, {&now, true}}, theirs), &other_status);
}

TEST(MergeBase, PresenceAlwaysCounts) {
  const Content old = story_file({{"A", Json::object()}});
  const Content now = story_file({{"A", Json::object()}, {"B", Json::object()}});
  const std::vector<Baseline> known = {{&old}, {&now, true}};
  EXPECT_EQ(choose_base(known, story_file({{"A", {{"x", 1}}}})), &old);
}

TEST(MergeBase, ExactlyAnOlderImageIsAnOldCopyOnlyIfACommandWroteSince) {
  const Content old = story_file({{"A", {{"x", 1}}}}), now = story_file({{"A", {{"x", 2}}}});
  EXPECT_EQ(choose_base(std::vector<Baseline>{{&old}, {&now, true}}, old), &old);
  EXPECT_EQ(choose_base(std::vector<Baseline>{{&old, true}, {&now, false}}, old), &now);
  const Content more = story_file({{"A", {{"x", 1}, {"y", 1}}}});  // the command only added something
  EXPECT_EQ(choose_base(std::vector<Baseline>{{&old}, {&more, true}}, old), &old);
}

TEST(MergeBase, OfEqualsTheOneInTheirsOrderThenTheNewer) {
  const Content newest = story_file({{"A", {{"x", 9}}}, {"B", Json::object()}});
  const Content other = story_file({{"A", {{"x", 1}}}, {"B", Json::object()}});
  const Content swapped = story_file({{"B", Json::object()}, {"A", {{"x", 1}}}});
  const Content theirs = story_file({{"B", {{"y", 1}}}, {"A", {{"x", 1}}}});
  EXPECT_EQ(choose_base(std::vector<Baseline>{{&swapped}, {&other}, {&newest, true}}, theirs), &swapped);
  const Content twin = swapped;
  EXPECT_EQ(choose_base(std::vector<Baseline>{{&twin}, {&swapped}, {&newest, true}}, theirs), &swapped);
}

TEST(MergeBase, OnlyTheNewestEightAreCandidates) {
  const Content old = story_file({{"A", {{"x", 1}}}}), now = story_file({{"A", {{"x", 2}}}});
  std::vector<Baseline> known(8, Baseline{&now, true});
  known.front() = {&old};
  EXPECT_EQ(choose_base(known, old), &old);
  known.push_back({&now, true});
  EXPECT_EQ(choose_base(known, old), &now);
}

TEST(MergeBase, AnOlderBaseIsNoted) {
  const Content old = story_file({{"A", {{"x", 1}}}}), now = story_file({{"A", {{"x", 2}}}});
  Ours ours{{{now.entries[0]}}, Json::object(), {"A"}, {}};
  const Outcome out = merge_file({kStoryFile, ours, old}, std::vector<Baseline>{{&old}, {&now, true}});
  EXPECT_EQ(lines_of(out, ours), std::vector<std::string>{"// old_copy"});
}

// ---- owner and order

TEST(MergeOwner, AListWithMostOfTheSameRecordsIsTheSameList) {
  const Content shown = story_file({{"A", {{"title", "a"}}}, {"B", {{"title", "b"}}}, {"C", {{"title", "c"}}}});
  Content theirs = shown;
  EXPECT_FALSE(is_another_owner(kReviewFile, shown, theirs));
  theirs.owner = "two";
  EXPECT_FALSE(is_another_owner(kStoryFile, shown, theirs));
  EXPECT_TRUE(is_another_owner(kReviewFile, shown, theirs));  // the name counts
  theirs.entries[0].members["title"] = "x";
  EXPECT_FALSE(is_another_owner(kStoryFile, shown, theirs));
  theirs.entries.pop_back();
  EXPECT_TRUE(is_another_owner(kStoryFile, shown, theirs));
}

TEST(MergeOwner, AllIsOverOnlyIfEveryRecordWouldStaySo) {
  const auto loop = [](const char* key, const char* status) { return Entry{key, "loop", status}; };
  const std::vector<OurRecord> ours = {
      {loop("a", "complete")}, {loop("b", "active"), State::removed}, {loop("c", "active")}};
  const auto is_over = [&](std::vector<Entry> entries) {
    return all_over(kLoopFile, ours, {"two", std::move(entries), {}, {}});
  };
  EXPECT_TRUE(is_over({loop("a", "active"), loop("b", "active")}));
  EXPECT_TRUE(is_over({loop("a", "cancelled")}));
  EXPECT_FALSE(is_over({loop("a", "active"), loop("c", "active")}));
  EXPECT_FALSE(is_over({loop("d", "complete")}));
  EXPECT_FALSE(is_over({}));
  EXPECT_FALSE(all_over(kIssueFile, ours, {"two", {Entry{"a", "issue", "complete"}}, {}, {}}));
}

TEST(MergeOrder, WhatOnlyTheSecondHasStandsBehindItsPredecessor) {
  EXPECT_EQ(weave({"B", "A"}, {"x", "A", "y", "z", "B", "w"}), (Order{"x", "B", "w", "A", "y", "z"}));
  EXPECT_EQ(weave({}, {"A", "B"}), (Order{"A", "B"}));
  EXPECT_EQ(weave({"A"}, {}), (Order{"A"}));
  EXPECT_EQ(weave({"A"}, {"B", "B", "A"}), (Order{"B", "A"}));
}

TEST(MergeOrder, OursStaysUntilTheirsReordersOrAdds) {
  const Content base = story_file({{"A", {}}, {"B", {}}, {"C", {}}});
  const Order ours = {"C", "B", "A"};
  EXPECT_EQ(merge_order(base, base, ours), ours);
  EXPECT_EQ(merge_order(base, story_file({{"A", {}}, {"C", {}}}), ours), ours);
  EXPECT_EQ(merge_order(base, story_file({{"B", {}}, {"A", {}}}), ours), (Order{"C", "B", "A"}));
  EXPECT_EQ(merge_order(base, story_file({{"A", {}}, {"N", {}}}), ours), (Order{"C", "B", "A", "N"}));
  EXPECT_EQ(merge_order(base, base, {}), (Order{"A", "B", "C"}));
}

TEST(MergeOrder, TakeWholeTakesTheOrderOfTheFile) {
  const Content theirs = story_file({{"A", Json::object()}, {"B", Json::object()}});
  const Ours ours{{{theirs.entries[0]}, {theirs.entries[1]}}, Json::object(), {"B", "A"}, {}};
  EXPECT_EQ(merge_file({kStoryFile, ours, theirs, {.take_whole = true}}, {}).order, (Order{"A", "B"}));
}

// ---- what else the law says

TEST(MergeGone, TheLawSaysWhatBecomesOfARecord) {
  const OurRecord active{{"A", "", "active"}}, complete{{"A", "", "complete"}};
  EXPECT_EQ(spelled(gone(kIssueFile, active)), R"(A is "active" {} removed outside)");
  EXPECT_EQ(spelled(gone(kStoryFile, active)), R"(A is "active" {} inactive)");
  EXPECT_EQ(spelled(gone(kLoopFile, active)), R"(A is "cancelled" {} inactive)");
  EXPECT_EQ(spelled(gone(kLoopFile, complete)), R"(A is "complete" {} inactive)");
}

TEST(MergeLaw, TypesSayWhatAMemberMayBe) {
  const Json null, text = "x", empty = "", number = 1.5, large = parse_json("1e400").value(), truth = true;
  const auto takes = [](const MemberLaw& law, std::initializer_list<const Json*> values) {
    std::string out;
    for (const Json* value : values) out += is_bad(law, value) ? '-' : '+';
    return out;
  };
  const auto all = {static_cast<const Json*>(nullptr), &null, &text, &empty, &number, &large, &truth};
  EXPECT_EQ(takes({"m"}, all), "+++++++");
  EXPECT_EQ(takes({"m", MemberRule::free, MemberType::number}, all), "+---++-");
  EXPECT_EQ(takes({"m", MemberRule::free, MemberType::number, false, true}, all), "++--++-");
  EXPECT_EQ(takes({"m", MemberRule::counter}, all), "----++-");
  EXPECT_EQ(takes({"m", MemberRule::free, MemberType::text}, all), "+-++---");
  EXPECT_EQ(takes({"m", MemberRule::free, MemberType::text, true}, all), "--+----");
  EXPECT_EQ(takes({"m", MemberRule::free, MemberType::time}, all), "+-++---");
  EXPECT_EQ(takes({"m", MemberRule::free, MemberType::boolean}, all), "+-----+");
}

// ---- questions about conflicts

Conflict conflict_of(Code code, std::string_view member, std::optional<Json> ours = {},
                     std::optional<Json> theirs = {}) {
  return {"A", "story", std::string(member), std::move(ours), std::move(theirs), code};
}

TEST(MergeConflict, EachCodeHasANameAndIsFoundByIt) {
  for (int i = 0; i <= static_cast<int>(Code::unreadable); ++i) {
    const Code code = static_cast<Code>(i);
    EXPECT_EQ(code_named(name_of(code)), code);
  }
  EXPECT_EQ(name_of(Code::unreadable), "unreadable");
  EXPECT_EQ(name_of(Code::gate), "gate");
  EXPECT_EQ(name_of(NoteCode::old_copy), "old_copy");
  EXPECT_EQ(code_named("take"), std::nullopt);
}

TEST(MergeConflict, AcceptTakesFourCodes) {
  std::string accepted;
  for (int i = 0; i <= static_cast<int>(Code::unreadable); ++i) {
    const Code code = static_cast<Code>(i);
    const auto conflict = conflict_of(code, kStatus, "pending", Json{{"status", "committed"}});
    if (can_be_accepted(kStoryFile, conflict)) accepted += std::string(name_of(code)) + " ";
  }
  EXPECT_EQ(accepted, "gate not_a_start removed git ");
  EXPECT_FALSE(can_be_accepted(kStoryFile, conflict_of(Code::removed, kPresence, {}, Json{{"status", "done"}})));
  EXPECT_FALSE(can_be_accepted(kStoryFile, conflict_of(Code::removed, kPresence)));
}

TEST(MergeConflict, WhatIsLeftInTheFile) {
  const Policy restore, flag{.outside = Outside::flag}, whole{.take_whole = true};
  const auto move = conflict_of(Code::no_move, kStatus, "pending", "merged");
  const auto blocked = conflict_of(Code::unknown_status, kStatus, {}, "done");
  const auto bad = conflict_of(Code::bad_value, "iteration", {}, "x");
  const auto removed = conflict_of(Code::removed, kPresence, {}, Json::object());
  EXPECT_FALSE(is_left_in_file(move, restore, false, false));
  EXPECT_TRUE(is_left_in_file(move, flag, false, false));
  EXPECT_TRUE(is_left_in_file(move, whole, false, false));
  EXPECT_TRUE(is_left_in_file(move, restore, true, false));
  EXPECT_FALSE(is_left_in_file(move, flag, true, true));  // a displaced inode shows nothing
  EXPECT_TRUE(is_left_in_file(bad, restore, false, false));
  EXPECT_FALSE(is_left_in_file(blocked, restore, false, false));
  EXPECT_FALSE(is_left_in_file(removed, restore, false, false));
  EXPECT_TRUE(is_left_in_file(conflict_of(Code::git, kPresence), restore, false, false));
  EXPECT_FALSE(is_left_in_file(conflict_of(Code::unreadable, kPresence), restore, false, false));
  EXPECT_TRUE(is_left_in_file(conflict_of(Code::unreadable, kPresence), restore, true, false));

  EXPECT_FALSE(survives_write(move, Outside::restore));
  EXPECT_TRUE(survives_write(move, Outside::flag));
  EXPECT_TRUE(survives_write(blocked, Outside::restore));
  EXPECT_TRUE(survives_write(bad, Outside::restore));
  EXPECT_FALSE(survives_write(removed, Outside::restore));
  EXPECT_TRUE(survives_write(conflict_of(Code::git, kPresence), Outside::restore));
}

TEST(MergeConflict, OfTheWholeFile) {
  EXPECT_TRUE(is_of_whole_file(Code::unreadable));
  EXPECT_FALSE(leaves_file_alone(Code::unreadable));
  EXPECT_TRUE(leaves_file_alone(Code::markers));
  EXPECT_FALSE(is_of_whole_file(Code::unread));
}

// ---- undo

TEST(MergeUndo, PutsBackWhatTheOperationChangedAndNothingElse) {
  const OurRecord before{{"A", "story", "pending", {{"x", 1}}}};
  const OurRecord after{{"A", "story", "committed", {{"y", 2}}}, State::active, true};
  OurRecord now = after;
  now.entry.members["z"] = 3;
  const Reverted back = revert(&before, &after, &now);
  ASSERT_FALSE(back.refused);
  EXPECT_EQ(spelled(*back.record), R"(A is "pending" {"z":3,"x":1})");
  now.entry.members["y"] = 4;
  EXPECT_TRUE(revert(&before, &after, &now).refused);
  now = after;
  now.entry.status = "pushed";
  EXPECT_TRUE(revert(&before, &after, &now).refused);
}

TEST(MergeUndo, TakesAwayWhatTheOperationBrought) {
  const OurRecord after{{"A", "story", "pending"}};
  OurRecord now = after;
  const Reverted back = revert(nullptr, &after, &now);
  ASSERT_TRUE(back.record);
  EXPECT_EQ(spelled(*back.record), R"(A is "pending" {} removed by a command)");
  now.entry.members["x"] = 1;
  EXPECT_TRUE(revert(nullptr, &after, &now).refused);
  EXPECT_TRUE(revert(&after, nullptr, &now).refused);
  EXPECT_FALSE(revert(&after, nullptr, nullptr).refused);
}

// ---- gates

TEST(MergeGates, ARecordThatIsTriedAgainIsAsItWas) {
  const Content base = story_file({{"A", Json::object()}, {"B", Json::object()}});
  const Ours ours{{{base.entries[0]}, {base.entries[1]}}, Json::object(), {"A", "B"}, {}};
  Content theirs = base;
  for (Entry& entry : theirs.entries) {
    entry.status = "committed";
    entry.members["x"] = 1;
  }
  std::string asked;
  const GateMet gate_met = [&](const OurRecord& before, std::string_view gate, const Json& after,
                               const Records& siblings) {
    const OurRecord& other = *siblings.at(before.entry.key == "A" ? "B" : "A");
    asked += before.entry.key + ":" + std::string(gate) + (other.entry.members.contains("x") ? " edited " : " before ");
    EXPECT_TRUE(after.contains("x"));
    EXPECT_FALSE(siblings.at(before.entry.key)->entry.members.contains("x"));
    return before.entry.key == "B";
  };
  const Outcome out = merge({kStoryFile, ours, theirs, {}, gate_met}, &base);
  EXPECT_EQ(asked, "A:criteria before B:criteria edited A:criteria edited ");
  EXPECT_EQ(lines_of(out, ours), (std::vector<std::string>{R"(A is "pending" {"x":1})", R"(B is "committed" {"x":1})",
                                                           R"(A/status gate: "pending", not "committed")"}));
}

// ---- size

TEST(MergeSize, TenThousandRecordsThatAllChangeAtOnce) {
  Content base{"one", {}, Json::object(), {}}, theirs = base;
  Ours ours;
  constexpr int kMany = 10'000;
  for (int i = 0; i < kMany; ++i) {
    base.entries.push_back({"US-" + std::to_string(i), "story", "pending", {{"title", "t"}, {"number", i}}});
    ours.records.push_back({base.entries.back()});
    ours.order.push_back(base.entries.back().key);
  }
  theirs.entries.assign(base.entries.rbegin(), base.entries.rend());
  for (Entry& entry : theirs.entries) entry.status = "committed";
  const std::vector<Baseline> known(8, Baseline{&base, true});
  const Outcome out = merge_file({kStoryFile, ours, theirs, {}, test_gate_met}, known);
  EXPECT_EQ(out.conflicts.size(), kMany);
  EXPECT_EQ(out.order.front(), "US-9999");
}

}  // namespace
}  // namespace pawl::merge
