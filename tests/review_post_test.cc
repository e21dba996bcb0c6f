// What a person agreed to is what is posted, once; and the head may go where it likes.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "support/review_on_github.h"

namespace pawl::test {
namespace {

class ReviewPosted : public ReviewOnGithub {
 protected:
  void lose_the_answer() const {
    practice.fault({{"path", "/repos/o/r/pulls/1/reviews"}, {"method", "POST"}, {"kind", "lost"}});
  }
};

// Between the lost answer and the next run a finding comes in, one is reworded, a note is written.
TEST_F(ReviewPosted, WhatCameSinceTheLostAnswerStays) {
  json({"start", "o/r#1"});
  mark_all();
  add("core/engine.c", 42, "action-required", "Posted");
  add("core/engine.c", 43, "minor", "Unmarked", {"--confidence", "5"});
  add("core/engine.c", 44, "minor", "To be reworded");
  lose_the_answer();
  EXPECT_NE(run({"post", "--yes"}).exit, 0);
  add("ui/form.c", 7, "recommended", "Added since");
  EXPECT_EQ(run({"finding", "edit", "L3", "--title", "Reworded since"}).exit, 0);
  project.edit_file(kStateFile, "## Findings", "## Mine\n\nwords\n\n## Findings");

  const Ran again = run({"post", "--yes"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_TRUE(has(again.out, "it had been posted before") &&
              has(again.out, "not posted, as they were added or changed"))
      << again.out;
  EXPECT_EQ(reviews(1).size(), 1U);
  const Json left = json({"finding", "list"});
  ASSERT_EQ(left.size(), 2U) << left;
  EXPECT_EQ(left[0]["title"], "Reworded since");
  EXPECT_EQ(left[1]["title"], "Added since");
  EXPECT_TRUE(has(project.state_file(), "words")) << project.state_file();
  // And are posted by the next one, which is another.
  const Json rest = json({"post", "--yes"});
  EXPECT_FALSE(rest.contains("already")) << rest;
  EXPECT_EQ(rest["findings"].size(), 2U);
  EXPECT_EQ(reviews(1).size(), 2U);
  EXPECT_FALSE(project.exists(kStateFile));
}

TEST_F(ReviewPosted, WhatWasShownIsWhatIsPosted) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "Shown");
  // While the question stands, somebody adds a finding by hand, and one is reworded.
  const std::string answer = project.file("../answer");
  ASSERT_EQ(mkfifo(answer.c_str(), 0600), 0);
  RunOptions options;
  options.env = env();
  Child asking(
      "sh",
      {"-c", "exec 3<>'" + answer + "'; exec script -qec '" + std::string(PAWL_BINARY) + " review post' /dev/null <&3"},
      project.options(options));
  ASSERT_TRUE(asking.wait_for("Post this review?"));
  project.edit_file(kStateFile, "## Comments by File",
                    "---\n\n### 🔴 Action Required Slipped in\n\n**File:** `core/engine.c:5`\n\n## Comments by File");
  std::ofstream(answer) << "y\n" << std::flush;
  const Ran ran = asking.finish();
  EXPECT_TRUE(has(ran.out, "the review was changed while this was asked; nothing was posted")) << ran.out;
  EXPECT_TRUE(reviews(1).empty());
  EXPECT_EQ(json({"finding", "list"}).size(), 2U);
}

TEST_F(ReviewPosted, ACutExportIsNotPosted) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "one");
  add("core/engine.c", 43, "minor", "two");
  json({"export"});
  const std::string whole = project.read(kExportFile).value_or("(none)");
  project.write("cut.md", whole.substr(0, whole.find("---\n\n### 🟢 Minor two")));
  const Ran cut = run({"post", "--from", "cut.md", "--yes"});
  EXPECT_NE(cut.exit, 0);
  EXPECT_TRUE(has(cut.err, "it says **Total findings:** 2 and has 1") && has(cut.err, "write **Total findings:** 1"))
      << cut.err;
  EXPECT_TRUE(reviews(1).empty());
  project.write("less.md", replaced(*project.read("cut.md"), "findings:** 2", "findings:** 1"));
  EXPECT_EQ(json({"post", "--from", "less.md", "--yes"})["inline"], 1);
}

TEST_F(ReviewPosted, WhatIsOverIsSaid) {
  json({"start", "o/r#1"});
  json({"post", "--yes"});
  for (const std::vector<std::string>& args : {std::vector<std::string>{"comments", "--pr", "o/r#1"},
                                               {"post", "--pr", "o/r#1", "--yes"},
                                               {"export", "--pr", "o/r#1"},
                                               {"continue", "o/r#1"}}) {
    const Ran ran = run(args);
    EXPECT_EQ(ran.exit, 1) << args[0] << ran.err;
    EXPECT_TRUE(has(ran.err, "the review of o/r#1 was posted")) << args[0] << ran.err;
  }
}

TEST_F(ReviewPosted, ChoicesExcludeEachOther) {
  json({"start", "o/r#1"});
  push(1, {{"ui/form.c", "other\n"}});
  const std::string before = project.state_file();
  for (const std::vector<std::string>& two :
       {std::vector<std::string>{"--continue", "--restart"}, {"--restart", "--update"}, {"--update", "--continue"}}) {
    const Ran ran = run({"validate", two[0], two[1]});
    EXPECT_EQ(ran.exit, 2) << ran.err;
    EXPECT_TRUE(has(ran.err, "exclude each other")) << ran.err;
  }
  EXPECT_EQ(project.state_file(), before);
}

TEST_F(ReviewPosted, AHeadInCapitalsIsTheSame) {
  const std::string head = string_or(practice.request("GET", "/repos/o/r/pulls/1").json()["head"], "sha");
  std::string capitals = head;
  for (char& c : capitals) c = static_cast<char>(toupper(c));
  json({"start", "o/r#1", "--head", capitals});
  EXPECT_EQ(json({"status"})["head_sha"], head);
  EXPECT_EQ(json({"validate"})["valid"], true);
}

TEST_F(ReviewPosted, AHeadThatIsForgottenIsFollowedAllTheSame) {
  json({"start", "o/r#1", "--head", "feedfacefeedfacefeedfacefeedfacefeedface"});
  mark_all();
  add("core/engine.c", 42, "minor", "on a line");
  add("core/engine.c", 1, "minor", "on two", {"--end-line", "2"});
  const Ran ran = run({"validate", "--update", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "does not know feedface")) << ran.err;
  const Json updated = Json::parse(ran.out)["updated"];
  EXPECT_EQ(updated["outdated"], 2) << updated;
  EXPECT_EQ(updated["chunks"].size(), 3U) << updated;
  EXPECT_EQ(json({"finding", "show", "2"})["end_line"], 2);
  EXPECT_EQ(json({"validate"})["valid"], true);
}

// A finding either goes with its lines, all of it, or is marked and otherwise left as it is.
TEST_F(ReviewPosted, AFindingIsNotHalfMoved) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "torn apart", {"--end-line", "44"});
  add("core/engine.c", 50, "minor", "whole", {"--end-line", "52"});
  push(1, {{"core/engine.c", "top\n" + lines(1, 42, "engine") + "between\n" + lines(43, 400, "engine")}});
  json({"validate", "--update"});
  const Json torn = json({"finding", "show", "1"}), whole = json({"finding", "show", "2"});
  EXPECT_EQ(torn["outdated"], true);
  EXPECT_EQ(torn["line"], 42);
  EXPECT_EQ(torn["end_line"], 44);
  EXPECT_EQ(whole["line"], 52);
  EXPECT_EQ(whole["end_line"], 54);
}

}  // namespace
}  // namespace pawl::test
