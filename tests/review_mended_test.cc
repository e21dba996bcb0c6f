// What others write: exports, scans, bodies with code in them, plans and todo files.
#include <gtest/gtest.h>

#include "lifecycles/review/export_file.h"
#include "lifecycles/review/interchange.h"
#include "lifecycles/review/outward.h"
#include "support/review_on_github.h"

namespace pawl::test {
namespace {

class ReviewMended : public ReviewOnGithub {};

// --- the export ---

TEST_F(ReviewMended, AnExportThatNamesAnotherPullRequestIsDamage) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "one");
  json({"export"});
  const std::string good = project.read(kExportFile).value_or("");
  project.edit_file(kExportFile, "Findings: o/r#1", "Findings: o/r#9");
  const Ran ran = run({"status"});
  EXPECT_TRUE(has(ran.err, "it names o/r#9, and is an export of the review of o/r#1")) << ran.err;
  EXPECT_TRUE(has(ran.err, "the damaged one is kept in .pawl/damaged/")) << ran.err;
  EXPECT_EQ(project.read(kExportFile).value_or(""), good);
}

TEST_F(ReviewMended, ASecondExportKeepsTheEditedOne) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "one");
  EXPECT_TRUE(has(run({"export"}).out, "Exported 1 finding to"));
  EXPECT_FALSE(has(run({"export"}).out, "edited"));
  project.edit_file(kExportFile, "Minor one", "Minor one, in better words");
  const Ran again = run({"export"});
  EXPECT_TRUE(has(again.out, "had been edited; it is kept in .pawl/kept/")) << again.out;
  bool kept = false;
  for (const std::string& name : project.kept("kept"))
    kept = kept || has(project.read(".pawl/kept/" + name).value_or(""), "in better words");
  EXPECT_TRUE(kept);
  EXPECT_TRUE(project.kept("refused").empty());
  EXPECT_FALSE(has(run({"export"}).out, "edited"));
}

// --- code in what is posted ---

TEST_F(ReviewMended, CodeWithCommentsInItIsPosted) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "fenced",
      {"--body", "~~~html\n<!-- in tildes -->\n~~~\n\n```html\n<!-- left open\n```\n\nbehind <!-- secret --> it",
       "--suggestion", "```\n<!-- in four -->\n```"});
  json({"export"});
  EXPECT_EQ(json({"post", "--from", std::string(kExportFile), "--dry-run"})["inline"], 1);
  json({"post", "--yes"});
  const Json comments = inline_comments(1);
  std::string body;
  for (const Json& one : comments) {
    if (has(string_or(one, "body"), "fenced")) body = string_or(one, "body");
  }
  for (const char* part : {"~~~html\n<!-- in tildes -->\n~~~", "```html\n<!-- left open\n```", "behind  it",
                           "````suggestion\n```\n<!-- in four -->\n```\n````"})
    EXPECT_TRUE(has(body, part)) << part << "\n" << body;
  EXPECT_FALSE(has(body, "secret")) << body;
}

TEST(ReviewOutward, OnlyFencesBeyondDoubtKeepComments) {
  using review::outward_text;
  for (const std::string text : {"````suggestion\n```\n<!-- a -->\n```\n````\n", "~~~\n<!-- open\n~~~\nbehind\n",
                                 "text\n```js\n<!-- a -->\n```\n\n```\n<!--\n```\n", "a `<!--` b\n"})
    EXPECT_EQ(outward_text(text), text);
  for (const std::string text : {"<pre>\n\n```\n<!-- SECRET -->\n```\n", "- a\n\n  ```\n  <!-- SECRET -->\n  ```\n",
                                 "- ```\n  ```\n```\n<!-- x -->\n```\n<!-- SECRET -->", "\\`<!-- SECRET -->\\`",
                                 "### a <!-- b\n```\nSECRET\n```\n-->"})
    EXPECT_EQ(outward_text(text).find("SECRET"), std::string::npos) << text;
}

TEST_F(ReviewMended, ATextThatIsEditedKeepsItsSuggestion) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "one", {"--body", "old", "--suggestion", "x = 1;"});
  json({"finding", "edit", "L1", "--body", "new"});
  EXPECT_EQ(json({"finding", "show", "L1"})["suggestion"], "x = 1;");
  EXPECT_TRUE(has(string_or(json({"finding", "show", "L1"}), "body"), "new"));
  json({"finding", "edit", "L1", "--suggestion", ""});
  const Json bare = json({"finding", "show", "L1"});
  EXPECT_EQ(bare["body"], "new");
  EXPECT_FALSE(bare.contains("suggestion"));
}

TEST_F(ReviewMended, AConfidenceBelowTheThresholdUnmarksUnlessAPersonMarkedIt) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "one", {"--confidence", "95"});
  EXPECT_EQ(json({"finding", "edit", "L1", "--confidence", "10"})[0]["marked"], false);
  EXPECT_EQ(json({"finding", "edit", "L1", "--confidence", "90"})[0]["marked"], true);
  add("core/engine.c", 43, "minor", "two", {"--confidence", "10"});
  json({"toggle", "L2"});
  EXPECT_EQ(json({"finding", "edit", "L2", "--confidence", "20"})[0]["marked"], true);
}

// --- what other tools found ---

review::ReadFindings read(const Json& text) {
  auto out = review::read_findings(text.dump());
  EXPECT_TRUE(out) << out.error().message;
  return out ? *out : review::ReadFindings{};
}

Json rdjson(const Json& suggestions) {
  return {{"diagnostics",
           Json::array({{{"message", "m"},
                         {"location", {{"path", "a.c"}, {"range", {{"start", {{"line", 3}}}, {"end", {{"line", 4}}}}}}},
                         {"suggestions", suggestions}}})}};
}

Json sarif(Json result) {
  result["message"] = {{"text", result.value("words", "m")}};
  result["locations"] =
      Json::array({{{"physicalLocation", {{"artifactLocation", {{"uri", "a.c"}}}, {"region", {{"startLine", 3}}}}}}});
  return {{"version", "2.1.0"}, {"runs", Json::array({{{"results", Json::array({result})}}})}};
}

Json sarif_fix(const std::string& uri, const Json& region) {
  return sarif(
      {{"fixes",
        Json::array(
            {{{"artifactChanges",
               Json::array({{{"artifactLocation", {{"uri", uri}}},
                             {"replacements", Json::array({{{"deletedRegion", region},
                                                            {"insertedContent", {{"text", "fixed"}}}}})}}})}}})}});
}

TEST(ReviewInterchange, OnlyWholeLinesOfTheFindingAreASuggestion) {
  const Json lines_of_it{{"start", {{"line", 3}}}, {"end", {{"line", 4}}}};
  const Json whole{{"range", lines_of_it}, {"text", "fixed"}};
  EXPECT_EQ(read(rdjson(Json::array({whole}))).findings[0].suggestion, "fixed");
  const auto becomes_text = [](const Json& report) {
    const auto found = read(report).findings.at(0);
    EXPECT_FALSE(found.suggestion) << report;
    EXPECT_TRUE(has(found.body.value_or(""), "```\nfixed\n```")) << found.body.value_or("");
  };
  becomes_text(rdjson(Json::array({whole, whole})));
  becomes_text(
      rdjson(Json::array({{{"range", {{"start", {{"line", 3}, {"column", 5}}}, {"end", {{"line", 4}, {"column", 9}}}}},
                           {"text", "fixed"}}})));
  becomes_text(
      rdjson(Json::array({{{"range", {{"start", {{"line", 3}}}, {"end", {{"line", 9}}}}}, {"text", "fixed"}}})));

  EXPECT_EQ(read(sarif_fix("a.c", {{"startLine", 3}})).findings[0].suggestion, "fixed");
  EXPECT_EQ(read(sarif_fix("a.c", {{"startLine", 3}, {"startColumn", 1}, {"endLine", 4}, {"endColumn", 1}}))
                .findings[0]
                .suggestion,
            "fixed");
  becomes_text(sarif_fix("b.c", {{"startLine", 3}}));
  becomes_text(sarif_fix("a.c", {{"startLine", 4}}));
  becomes_text(sarif_fix("a.c", {{"startLine", 3}, {"startColumn", 2}}));
  becomes_text(sarif_fix("a.c", {{"startLine", 3}, {"endColumn", 7}}));
  becomes_text(sarif_fix("a.c", {{"charOffset", 30}}));
}

TEST(ReviewInterchange, WhatIsNoFindingIsPassedOver) {
  for (const char* kind : {"pass", "notApplicable", "informational"}) {
    const auto out = read(sarif({{"kind", kind}}));
    EXPECT_TRUE(out.findings.empty()) << kind;
    EXPECT_EQ(out.passed_over, 1U);
  }
  EXPECT_EQ(read(sarif({{"suppressions", Json::array({{{"kind", "inSource"}}})}})).passed_over, 1U);
  EXPECT_EQ(read(sarif({{"suppressions", Json::array({{{"kind", "external"}, {"status", "rejected"}}})}})).passed_over,
            0U);
  EXPECT_LT(read(sarif({{"kind", "review"}})).findings.at(0).confidence, 80);
  EXPECT_EQ(read(sarif({{"kind", "fail"}})).findings.at(0).confidence, 100);
  EXPECT_TRUE(read({{"version", "2.1.0"}, {"runs", Json::array()}}).findings.empty());
}

TEST(ReviewInterchange, AMessageWithACommentSignIsTakenAsWords) {
  const auto found = read(sarif({{"words", "found <!-- x --> here\nand <!-- there"}})).findings.at(0);
  EXPECT_EQ(found.title, "found &lt;!-- x --&gt; here");
  EXPECT_FALSE(has(found.body.value_or(""), "<!--"));
}

TEST_F(ReviewMended, WhatIsPassedOverIsSaid) {
  json({"start", "o/r#1"});
  const Ran ran = run({"finding", "add"}, sarif({{"kind", "pass"}}).dump());
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "passed over: 1 result")) << ran.err;
}

// --- plan and todo ---

TEST_F(ReviewMended, ABarTooManyInThePlanIsDamage) {
  json({"start", "o/r#1"});
  const std::string good = project.state_file();
  project.edit_file(kStateFile, "core/engine.c", "core/en|gine.c");
  const Ran ran = run({"status"});
  EXPECT_TRUE(has(ran.err, "5 cells for 4 columns (a bar in a name is written \\|)")) << ran.err;
  EXPECT_EQ(project.state_file(), good);
}

TEST_F(ReviewMended, EveryItemOfAChunkIsKeptInStep) {
  json({"start", "o/r#1"});
  project.edit_file(kTodoFile, "## Tasks\n", "## Tasks\n\n- [ ] Chunk 1: look twice\n");
  json({"mark", "1", "skipped"});
  EXPECT_TRUE(has(project.todo(), "- [x] Chunk 1: look twice (skipped)")) << project.todo();
}

TEST_F(ReviewMended, ATodoFileFromBeforeKeepsItsTicksAndTasks) {
  project.write(kTodoFile,
                "# Review todo: o/r#1\n\n## Phases\n\n- [x] Plan the chunks\n- [ ] Review the chunks\n"
                "- [x] Check the findings\n\n## Tasks\n\n- [x] mine\n- [ ] yours\n");
  json({"start", "o/r#1"});
  for (const char* item : {"- [x] Check the findings", "- [x] mine", "- [ ] yours", "Chunk 1: core/engine.c"})
    EXPECT_TRUE(has(project.todo(), item)) << item << "\n" << project.todo();
}

// --- what is undone ---

TEST_F(ReviewMended, UndoGivesAFileOfAnothersBackToTheByte) {
  const std::string theirs =
      "---\npr_owner: o\npr_repo: r\npr_number: 8\nhead_sha: abcd1234\n---\n\nwords\n\n## Chunk Plan\n\n"
      "| # | Files | LOC |\n|---|---|---|\n| 1 | `a.c` | 3 |\n| 2 | `b.c` | 4 |";
  project.write(kStateFile, theirs);
  json({"status"});
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"finding", "add", "--file", "a.c", "--severity", "minor", "--title", "x"},
        {"mark", "1", "in-progress"}}) {
    EXPECT_EQ(run(args).exit, 0);
    EXPECT_NE(project.state_file(), theirs);
    EXPECT_EQ(project.run({"undo"}).exit, 0);
    EXPECT_EQ(project.state_file(), theirs) << args[0];
  }
  // What somebody wrote in between is not taken back with it.
  json({"mark", "1", "in-progress"});
  project.edit_file(kStateFile, "words", "other words");
  json({"status"});
  EXPECT_EQ(project.run({"undo"}).exit, 0);
  EXPECT_TRUE(has(project.state_file(), "other words")) << project.state_file();
}

TEST_F(ReviewMended, UndoneStartGivesTheTodoFileBack) {
  const std::string theirs = "# Todo\n\n- [x] Chunk 1: look\n- [x] mine\n";
  project.write(kTodoFile, theirs);
  json({"start", "o/r#1"});
  EXPECT_EQ(project.run({"undo"}).exit, 0);
  EXPECT_EQ(project.todo(), theirs);
}

TEST_F(ReviewMended, ATickThatIsTakenAwayIsPutBackAndSaid) {
  json({"start", "o/r#1"});
  json({"mark", "1", "skipped"});
  project.edit_file(kTodoFile, "- [x] Chunk 1", "- [ ] Chunk 1");
  const Ran ran = run({"status"});
  EXPECT_FALSE(has(ran.err, "missing")) << ran.err;
  EXPECT_TRUE(has(ran.err, "“skipped” was put back")) << ran.err;
  EXPECT_TRUE(has(project.todo(), "- [x] Chunk 1")) << project.todo();
}

TEST_F(ReviewMended, OfTwoChunksBegunByHandTheSecondIsPutBack) {
  json({"start", "o/r#1"});
  std::string state = project.state_file();
  for (std::size_t at = state.find("| pending |"); at != std::string::npos; at = state.find("| pending |"))
    state.replace(at, 11, "| in-progress |");
  project.write(kStateFile, state);
  const Ran ran = run({"status"});
  EXPECT_TRUE(has(ran.err, "put back")) << ran.err;
  EXPECT_EQ(project.chunk(1), "in-progress");
  EXPECT_EQ(project.chunk(2), "pending");
}

TEST_F(ReviewMended, WhatIsSaidIsMeant) {
  json({"start", "o/r#1"});
  const Ran moved = run({"mark", "1", "reviewed", "--strict"});
  EXPECT_TRUE(has(moved.err, "it can become in-progress or skipped") && !has(moved.err, "clean")) << moved.err;
  const Ran added = run({"finding", "add", "--file", "core/engine.c", "--severity", "minor", "--title", "x", "--body",
                         "a\n\n---\n\n## Steps"});
  EXPECT_TRUE(has(added.err, "the text of “x” was changed")) << added.err;
  EXPECT_EQ(json({"list", "--pr", "o/r#1"}).size(), 1U);
  EXPECT_EQ(run({"list", "--pr", "o/r#9"}).exit, 3);
}

// --- what is cleaned up, held, and asked for twice ---

TEST_F(ReviewMended, ATodoFileOfOnesOwnDoesNotComeBackWithAnotherReview) {
  json({"start", "o/r#1"});
  const std::string mine = "# mine\n- [ ] buy milk\n";
  project.write(kTodoFile, mine);
  json({"status"});
  json({"clean"});
  EXPECT_FALSE(project.exists(kTodoFile));
  project.must({"undo"});
  EXPECT_EQ(project.todo(), mine);
  json({"clean"});
  json({"start", "o/r#2"});
  EXPECT_TRUE(has(project.todo(), "# Review todo: o/r#2") && has(project.todo(), "Chunk 1: b.c")) << project.todo();
  EXPECT_FALSE(has(project.todo(), "milk")) << project.todo();
}

TEST_F(ReviewMended, AChunkThatIsHeldStandsOnTheBoardWithWhatToType) {
  json({"start", "o/r#1"});
  project.edit_file(kStateFile, "\n\n## Findings", "\n| 4 | ui/more.c | 9 | donee |\n\n## Findings");
  json({"status"});
  const std::string number = "4", type = "pawl review mark " + number + " STATUS";
  const Ran doctor = project.run({"doctor"});
  EXPECT_TRUE(has(doctor.out, type)) << doctor.out;
  const Json board = Json::parse(project.run({"status", "--json"}).out);
  EXPECT_EQ(board["count"]["needs_person"], 1) << board;
  EXPECT_EQ(board["count"]["running"], 0) << board;
  EXPECT_EQ(board["work"][0]["ref"], "review/o/r#1") << board;
  EXPECT_TRUE(has(string_or(board["work"][0], "why"), "donee") && board["work"][0]["advice"] == type) << board;
  EXPECT_TRUE(has(run({"status"}).out, type));
  project.must({"review", "mark", number, "reviewed"});
  EXPECT_EQ(Json::parse(project.run({"status", "--json"}).out)["count"]["needs_person"], 0);
}

TEST_F(ReviewMended, AFindingThatIsAddedAgainByItsKeyIsNotWarnedOf) {
  json({"start", "o/r#1"});
  const std::vector<std::string> words = {
      "finding", "add",     "--file", "core/engine.c",     "--line", "3", "--severity",
      "minor",   "--title", "one",    "--idempotency-key", "k"};
  EXPECT_EQ(run(words).err, "");
  const Ran again = run(words);
  EXPECT_EQ(again.exit, 0);
  EXPECT_EQ(again.err, "");
}

TEST_F(ReviewMended, NobodyIsAskedAboutAReviewThatIsUnderWay) {
  json({"start", "o/r#2"});
  json({"start", "o/r#1", "--yes"});
  const Ran ran = project.at_terminal({"review", "start", "o/r#2"}, "y\n", env());
  EXPECT_TRUE(has(ran.out, "a review of o/r#2 is under way") && !has(ran.out, "Continue?")) << ran.out;
}

TEST_F(ReviewMended, WhatIsNotReviewedYetIsSaidWithEveryVerdict) {
  json({"start", "o/r#1"});
  EXPECT_TRUE(has(run({"mark", "1", "in-progress"}).out, "chunk 1 is in-progress"));
  const Ran again = run({"mark", "1", "in-progress"});
  EXPECT_TRUE(has(again.err, "chunk 1 is in-progress already") && !has(again.err, "cannot become")) << again.err;
  add("core/engine.c", 42, "action-required", "one");
  const Ran dry = run({"post", "--dry-run"});
  EXPECT_TRUE(has(dry.out, "REQUEST_CHANGES") && has(dry.out, "not reviewed yet: chunks 1, 2")) << dry.out;
}

}  // namespace
}  // namespace pawl::test
