#include "lifecycles/story/checks.h"

#include <gtest/gtest.h>

#include "lifecycles/story/naming.h"
#include "lifecycles/story/story.h"

namespace pawl::story {
namespace {

TEST(Checks, PatternsMatchWholeTexts) {
  EXPECT_TRUE(matches("Typecheck passes", "Typecheck passes"));
  EXPECT_FALSE(matches("Typecheck", "Typecheck passes"));
  EXPECT_TRUE(matches("*tests*", "All tests pass"));
  EXPECT_TRUE(matches("All * pass", "All unit tests pass"));
  EXPECT_FALSE(matches("All * pass", "All unit tests fail"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "aXbXbXc"));
  EXPECT_FALSE(matches(std::string(40, '*') + "b", std::string(100'000, 'a'))) << "and that quickly";
}

TEST(Checks, TheMostTellingEntryCounts) {
  const Json doc{{"acceptanceCriteria", {"unit tests pass", "lint is clean", "looks good"}},
                 {"checks", {{"lint*", {"own-lint"}}}}};
  const Json table{{"*", "any"}, {"*tests*", "some"}, {"unit tests pass", "exact"}, {"lint is clean", "table-lint"}};
  const auto plans = plan_checks(doc, table);
  ASSERT_EQ(plans.size(), 3U);
  EXPECT_EQ(plans[0].command, "exact");
  EXPECT_EQ(plans[1].command, Json({"own-lint"}));
  EXPECT_TRUE(plans[1].own);
  EXPECT_EQ(plans[2].command, "any");
  EXPECT_TRUE(plan_checks(doc, Json::object())[2].command.is_null());
}

TEST(Checks, FilledValuesStayInTheirWords) {
  const CheckValues values{"US-1", "b; rm -rf .", "{id} $(x)"};
  const auto filled = fill_check(Json({"run", "--filter={testFilter}", "{branch}"}), values, false);
  ASSERT_TRUE(filled);
  EXPECT_EQ(filled->argv, (std::vector<std::string>{"run", "--filter={id} $(x)", "b; rm -rf ."}));
  EXPECT_EQ(fill_check("npm run  test", values, false)->argv, (std::vector<std::string>{"npm", "run", "test"}));
  EXPECT_EQ(fill_check("echo {id} | cat", values, true)->argv[2], "echo \"$PAWL_STORY_ID\" | cat");
  EXPECT_FALSE(fill_check("a | b", values, false));
  EXPECT_FALSE(fill_check(Json({"ls", "{testFilter}"}), {"x", "b", "--help"}, false));
  EXPECT_FALSE(fill_check(Json({"{id}"}), values, false)) << "no value chooses the program";
  for (const Json& command :
       {Json({"sh", "-c", "run {testFilter}"}), Json({"python", "-c", "{id}"}), Json({"make", "TEST={testFilter}"})}) {
    const auto refused = fill_check(command, values, false);
    ASSERT_FALSE(refused) << command;
    EXPECT_NE(refused.error().hint.find("$PAWL_"), std::string::npos) << refused.error().hint;
  }
  EXPECT_FALSE(fill_check("{testFilter} | cat", values, true)) << "nor with a shell";
  EXPECT_FALSE(fill_check("ls {testFilter}", {"x", "b", "--help"}, true));
  EXPECT_TRUE(fill_check("ls --f={testFilter}", {"x", "b", "--help"}, true));
  EXPECT_FALSE(fill_check(Json::array(), values, false));
  EXPECT_FALSE(fill_check(Json::array({1}), values, false));
}

TEST(Checks, WhatWasShownHoldsForItsCommit) {
  Record story = absent_record({"story", "", "US-1"});
  story.status = "pending";
  story.doc = Doc(Json{{"acceptanceCriteria", {"a", "b", "c"}}});
  const CheckResult good{"a", true, "c1", "true", 0, 5, "fine", "", "", "x"};
  const CheckResult bad{"b", false, "c1", "false", 1, 5, "no", "", "", "x"};
  const auto noted = decide(story, NoteChecks{"work", "c1", {good, bad}, "ann"}, Now{});
  ASSERT_TRUE(noted);
  const Json table{{"a", "x"}, {"b", "x"}};
  using Kind = CriterionState::Kind;
  auto states = criteria_at(noted->after.doc, table, "c1");
  EXPECT_EQ(states[0].kind, Kind::passed);
  EXPECT_EQ(states[1].kind, Kind::failed);
  EXPECT_EQ(states[2].kind, Kind::no_command);
  states = criteria_at(noted->after.doc, table, "c2");
  EXPECT_EQ(states[0].kind, Kind::stale);
  EXPECT_EQ(criteria_at(noted->after.doc, {{"a", "y"}}, "c1")[0].kind, Kind::stale) << "of another command";
  EXPECT_EQ(criteria_at(noted->after.doc, Json::object(), "c1")[0].kind, Kind::no_command);
  const auto attested = decide(noted->after, AttestCriterion{"c", "seen", "work", "c1", "ann", table}, Now{});
  EXPECT_FALSE(decide(noted->after, AttestCriterion{"b", "seen", "work", "c1", "ann", table}, Now{}))
      << "a check that failed is not talked away";
  ASSERT_TRUE(attested);
  EXPECT_EQ(criteria_at(attested->after.doc, table, "c1")[2].kind, Kind::attested);
  EXPECT_EQ(criteria_at(attested->after.doc, {{"c", "x"}}, "c1")[2].kind, Kind::stale) << "it has a command by now";
  EXPECT_FALSE(decide(noted->after, AttestCriterion{"zzz", "seen", "work", "c1", "ann", table}, Now{}));
  EXPECT_FALSE(decide(noted->after, AttestCriterion{"c", "seen", "work", "c1", "", table}, Now{})) << "nobody attests";
}

TEST(Naming, NamesAreSafeAndTheirOwn) {
  EXPECT_EQ(file_name_of("US-001"), "US-001");
  for (const char* id : {"", "..", "../x", "a/b", "-rf", ".git", "a b", "x.lock", "ä"}) {
    const std::string name = file_name_of(id);
    EXPECT_EQ(name.find_first_of("/ ."), std::string::npos) << id;
    EXPECT_TRUE(is_branch_name("story/" + name)) << name;
  }
  EXPECT_NE(file_name_of("a/b"), file_name_of("a b"));
  EXPECT_NE(file_name_of(std::string(100, 'x')), file_name_of(std::string(101, 'x')));
  EXPECT_EQ(subject_of("US-1", Json{{"title", "one\ntwo\x1b[31m"}}), "US-1: one");
  EXPECT_EQ(branch_of("US-1", Json{{"branchName", "mine"}}, "story/"), "mine");
}

}  // namespace
}  // namespace pawl::story
