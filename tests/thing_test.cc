// What shows one thing shows it alike: a head with its name, where it stands and its title; what is known of it; and
// what happened: who, what, why, when, and what showed that it may.
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

constexpr std::string_view kReview =
    "---\npr_owner: \"octo\"\npr_repo: \"cat\"\npr_number: 7\nhead_sha: \"abc123def456\"\n"
    "started: \"2026-01-30T09:00:00Z\"\nupdated: \"2026-01-30T09:00:00Z\"\nmode: \"full\"\nfocus: \"\"\n"
    "self_review: false\n---\n\n## Chunk Plan\n\n| Chunk | Files | LOC | Status |\n|-------|-------|-----|--------|\n"
    "| 1 | a.cc | 10 | in-progress |\n| 2 | b.cc | 10 | pending |\n\n## Findings\n";

class AThing : public testing::Test {
 protected:
  AThing() {
    ws.write("prd.json", R"({"stories": [{"id": "US-1", "title": "Pay", "status": "pending"},
      {"id": "US-2", "title": "Show the basket", "status": "done"}]})");
    ws.write(".review-buddy/review-buddy-state.md", kReview);
    ok({"init"});
    ok({"story", "fix", "US-2", "pending", "--reason", "never built", "--actor", "ann"});
    ok({"review", "mark", "1", "reviewed", "--reason", "read twice", "--actor", "bob"});
    ok({"ralph", "start", "--prompt", "make the tests pass", "--session", "s1", "--actor", "cid"});
    ok({"ralph", "tick", "--session", "s1", "--reason", "one more", "--actor", "cid"});
  }
  std::string ok(const std::vector<std::string>& args) {
    const Ran ran = ws.run(args);
    EXPECT_EQ(ran.exit, 0) << args.front() << ": " << ran.err;
    return ran.out;
  }
  // Head, then lines below it that are indented or of its own kind, then operations behind an empty line.
  static void expect_layout(const std::string& out, const std::string& head, const std::string& who,
                            const std::string& why) {
    EXPECT_TRUE(out.starts_with(head)) << out;
    const std::size_t history = out.find("\n\n", out.find("\n"));
    ASSERT_NE(history, std::string::npos) << out;
    const std::size_t by = out.find(cat("  just now  ", who, "  "));
    const std::size_t by_later = by == std::string::npos ? out.find(cat(" ago  ", who, "  ")) : by;
    ASSERT_NE(by_later, std::string::npos) << out;
    EXPECT_GT(by_later, history) << out;
    EXPECT_NE(out.find(cat("\n    because: ", why, "\n"), by_later), std::string::npos) << out;
  }

  TempWorkspace ws;
};

TEST_F(AThing, LooksTheSameInEveryVerb) {
  expect_layout(ok({"show", "story/US-2"}), "story/US-2: pending  Show the basket\n", "ann  story fix", "never built");
  expect_layout(ok({"story", "show", "US-2"}), "story/US-2: pending  Show the basket\n", "ann  story fix",
                "never built");
  expect_layout(ok({"story", "log", "US-2"}), "story/US-2: pending  Show the basket\n", "ann  story fix",
                "never built");
  expect_layout(ok({"review", "show"}), "review/octo/cat#7: active  full review at abc123def456\n", "bob  review mark",
                "read twice");
  expect_layout(ok({"ralph", "show", "--session", "s1"}), "ralph/s1@", "cid  ralph tick", "one more");
}

TEST_F(AThing, HistoryIsOfThatThingAlone) {
  // One operation has taken over both stories and the review.
  const std::string story = ok({"story", "show", "US-2"});
  EXPECT_EQ(story.find("US-1"), std::string::npos) << story;
  EXPECT_EQ(story.find("octo/cat"), std::string::npos) << story;
  // Of a review, what happened to its chunks too.
  const std::string review = ok({"review", "show"});
  EXPECT_NE(review.find("chunk/octo/cat#7/1: in-progress → reviewed"), std::string::npos) << review;
  EXPECT_NE(review.find("[x] 1  a.cc"), std::string::npos) << "as in review status";
  EXPECT_EQ(review.find("US-"), std::string::npos) << review;
  EXPECT_EQ(parse_json(ok({"review", "show", "--limit", "1", "--json"}))->at("log").size(), 1U);
}

TEST_F(AThing, HistoryEndsAtTheOperationThatIsLookedBackTo) {
  const Json then = *parse_json(ok({"ralph", "show", "--session", "s1", "--json"}));
  ASSERT_EQ(then["log"].size(), 2U);
  const std::string first = to_line(then["log"][1]["operation"]);
  const Json before = *parse_json(ok({"ralph", "show", "--session", "s1", "--at", first, "--json"}));
  EXPECT_EQ(before["log"].size(), 1U);
  EXPECT_EQ(before["log"][0]["verb"], "ralph start");
}

TEST_F(AThing, TimesAreRelativeInText) {
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"review", "status"}, {"review", "show"}, {"review", "list"}}) {
    const std::string out = ok(verb);
    EXPECT_EQ(out.find("T09:00:00Z"), std::string::npos) << out;
    EXPECT_TRUE(out.find(" ago") != std::string::npos || out.find("just now") != std::string::npos) << out;
  }
}

TEST_F(AThing, SaysThatThereIsMoreThanItTells) {
  EXPECT_FALSE(has(ok({"show", "story/US-2"}), " more: ")) << "all of it is told";
  for (const char* const word : {"complete", "running", "error", "running", "complete", "running"})
    ok({"issue", "set", "9", word, "--reason", "r"});
  const std::string out = ok({"show", "issue/9"});
  EXPECT_TRUE(has(out, " more: pawl log issue/9\n")) << out;
  for (int i = 0; i < 6; ++i) ok({"ralph", "tick", "--session", "s1"});
  const std::string loop = ok({"ralph", "show", "--session", "s1"});
  EXPECT_TRUE(has(loop, "and 3 more: pawl log ralph/s1@")) << loop;
}

TEST_F(AThing, WhatWasFoundAndHadNotChangedIsTakenOver) {
  const std::string log = ok({"log"});
  EXPECT_TRUE(has(log, "found in a file, taken over")) << log;
  EXPECT_FALSE(has(log, "changed outside pawl")) << log;
  ws.write("prd.json", replaced(ws.read("prd.json").value_or(""), "Pay", "Pay later"));
  const std::string later = ok({"log", "story/US-1"});
  EXPECT_TRUE(has(later, "found in a file, changed outside pawl")) << later;
}

TEST_F(AThing, OneIterationIsOne) {
  EXPECT_TRUE(has(ok({"ralph", "start", "--prompt", "p", "--max", "1", "--session", "s2"}), "at most 1 iteration has"));
}

}  // namespace
}  // namespace pawl::test
