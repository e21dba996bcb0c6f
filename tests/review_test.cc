// `pawl review` as people and agents use it, without GitHub: every verb, and the files that it leaves.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/paths.h"
#include "support/review_project.h"

namespace pawl::test {
namespace {

class Review : public testing::Test {
 protected:
  Ran refused(const std::vector<std::string>& args, const std::string& input = {}) const {
    RunOptions options;
    options.input = input;
    Ran ran = project.run(args, options);
    EXPECT_NE(ran.exit, 0) << ran.out;
    return ran;
  }
  ReviewProject project;
};

TEST_F(Review, StartWritesTheSeedsFile) {
  project.start("octo/cat#7", {"--focus", "security", "--mode", "quick", "--self"});
  const std::string time = string_or(project.state(), "started");
  EXPECT_EQ(project.state_file(),
            "---\npr_owner: \"octo\"\npr_repo: \"cat\"\npr_number: 7\nhead_sha: \"abc123def456\"\nstarted: \"" + time +
                "\"\nupdated: \"" + time +
                "\"\nmode: \"quick\"\nfocus: \"security\"\nself_review: true\n---\n\n## Chunk Plan\n\n"
                "| Chunk | Files | LOC | Status |\n|-------|-------|-----|--------|\n"
                "| 1 | types.ts, a.ts | 120 | pending |\n| 2 | core/engine.ts | 450 | pending |\n"
                "| 3 | tests/x.test.ts | 60 | pending |\n\n## Findings\n\n## Comments by File\n\n```json\n{}\n```\n");
  EXPECT_TRUE(has(project.todo(), "  - [ ] Chunk 2: core/engine.ts\n"));
}

TEST_F(Review, WithoutOneStatusIsThree) {
  EXPECT_EQ(refused({"review", "status", "--json"}).exit, 3);
  EXPECT_EQ(refused({"review", "mark", "1", "reviewed"}).exit, 3);
  EXPECT_EQ(project.out({"review", "clean"}), "there is no review here; nothing was removed\n");
}

TEST_F(Review, StatusIsTheSeedsLoadState) {
  project.start();
  project.add("One", "action-required", 42, {"--category", "bug", "--confidence", "95", "--suggestion", "x"});
  const Json state = project.state();
  EXPECT_EQ(state["pr_number"], 7);
  EXPECT_EQ(state["self_review"], false);
  EXPECT_EQ(to_line(state["chunks"][0]), R"({"chunk":1,"files":["types.ts","a.ts"],"loc":120,"status":"pending"})");
  EXPECT_EQ(state["findings"][0]["suggestion"], "x");
  EXPECT_EQ(state["comments_by_file"], Json::object());
  project.must({"review", "mark", "1", "in-progress"});
  project.must({"review", "mark", "1", "reviewed"});
  project.must({"review", "mark", "2", "skipped"});
  project.must({"review", "mark", "3", "in-progress"});
  const std::string text = project.out({"review", "status"});
  for (const char* part : {"[x] 1 ", "[-] 2 ", "[>] 3 ", "2 of 3 chunks done (66 %)", "🔴 1 action-required"})
    EXPECT_TRUE(has(text, part)) << part << text;
}

TEST_F(Review, SeveralChunksAreMarkedAtOnce) {
  project.start();
  EXPECT_EQ(project.out({"review", "mark", "1,3", "skipped"}), "chunk 1 is skipped\nchunk 3 is skipped\n");
  EXPECT_EQ(project.chunk(2), "pending");
  project.must({"review", "mark", "2", "in-progress"});
  // Those that cannot move are told of, the others move; with --strict none does.
  EXPECT_EQ(refused({"review", "mark", "1-2", "reviewed", "--strict"}).exit, 1);
  EXPECT_EQ(project.chunk(2), "in-progress");
  const Ran some = project.run({"review", "mark", "1-2", "reviewed"});
  EXPECT_EQ(some.exit, 0);
  EXPECT_EQ(some.out, "chunk 1 stays skipped\nchunk 2 is reviewed\n");
  EXPECT_TRUE(has(some.err, "Warning: ")) << some.err;
  EXPECT_EQ(refused({"review", "mark", "2-9", "skipped"}).exit, 3);
  for (const char* odd : {"0", "2-1", "1,", "x", "1-99999999"})
    EXPECT_EQ(refused({"review", "mark", odd, "skipped"}).exit, 2) << odd;
}

TEST_F(Review, OnlyOneOfSeveralIsInProgress) {
  project.start();
  EXPECT_EQ(project.out({"review", "mark", "1-3", "in-progress"}),
            "chunk 1 is in-progress\nchunk 2 stays pending\nchunk 3 stays pending\n");
}

TEST_F(Review, AFindingInAFileThatIsNotReviewedIsKeptAndTold) {
  project.start();
  const Ran ran = project.run({"review", "finding", "add", "--file", "no/such.ts", "--line", "4", "--severity", "minor",
                               "--title", "T", "--confidence", "90"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "no/such.ts is in no chunk of this review")) << ran.err;
  EXPECT_TRUE(has(ran.out, "no/such.ts:4")) << ran.out;
  const Ran known = project.run({"review", "finding", "add", "--file", "a.ts", "--line", "4", "--severity", "minor",
                                 "--title", "U", "--confidence", "90"});
  EXPECT_EQ(known.err, "");
}

TEST_F(Review, AFindingOnALineThatTheFileHasNotIsKeptAndTold) {
  project.start_git();
  project.write("a.ts", "one\ntwo\n");
  project.commit_all("two lines");
  const std::string head(trim(project.git({"rev-parse", "HEAD"})));
  project.write("plan.json", R"([{"chunk": 1, "files": ["a.ts"], "loc": 2}])");
  project.must({"review", "start", "octo/cat#9", "--head", head, "--plan", "plan.json"});
  const auto add = [&](const char* line) {
    return project.run({"review", "finding", "add", "--file", "a.ts", "--line", line, "--severity", "minor", "--title",
                        "T", "--confidence", "90"});
  };
  EXPECT_EQ(add("2").err, "");
  const Ran odd = add("3");
  EXPECT_EQ(odd.exit, 0);
  EXPECT_TRUE(has(odd.err, cat("a.ts has 2 lines at ", head.substr(0, 12), ", and no line 3"))) << odd.err;
}

TEST_F(Review, ContinueSaysHowToSeeWhetherTheHeadMoved) {
  project.start();
  EXPECT_TRUE(
      has(project.out({"review", "continue"}), "whether the pull request moved on since: pawl review validate"));
}

TEST_F(Review, TheExampleInTheDocumentationIsAReview) {
  const std::string page = read_all(cat(PAWL_SOURCE_DIR, "/docs/formats/review.md")).value_or("");
  constexpr std::string_view kFence = "````markdown\n";
  const std::size_t from = page.find(kFence) + kFence.size();
  project.write(kStateFile, page.substr(from, page.find("````", from) - from));
  const Json state = project.state();
  EXPECT_EQ(state["pr_number"], 7);
  EXPECT_EQ(state["chunks"][0]["status"], "in-progress");
  EXPECT_EQ(state["findings"][0]["suggestion"], "if (!user) return;");
}

TEST_F(Review, OneThatIsUnderWayIsCleanedByItsName) {
  project.start();
  project.write("plan.json", R"([{"chunk": 1, "files": ["a.ts"], "loc": 2}])");
  const Ran again = project.run({"review", "start", "octo/cat#7", "--head", "abc123", "--plan", "plan.json"});
  EXPECT_TRUE(has(again.err, "pawl review clean --pr octo/cat#7, then start")) << again.err;
}

TEST_F(Review, OnlyTheSeedsFourMovesAreMade) {
  project.start();
  const std::vector<std::string> statuses = {"pending", "in-progress", "reviewed", "skipped"};
  const std::set<std::pair<std::string, std::string>> legal = {
      {"pending", "in-progress"}, {"in-progress", "reviewed"}, {"in-progress", "skipped"}, {"pending", "skipped"}};
  for (const std::string& from : statuses) {
    for (const std::string& to : statuses) {
      const ReviewProject one;
      one.start();
      if (from == "in-progress" || from == "reviewed") one.must({"review", "mark", "1", "in-progress"});
      if (from == "reviewed" || from == "skipped") one.must({"review", "mark", "1", from});
      const Ran strict = one.run({"review", "mark", "1", to, "--strict"});
      const bool made = legal.contains({from, to});
      EXPECT_EQ(strict.exit, made ? 0 : 1) << from << " " << to << strict.err;
      EXPECT_EQ(one.chunk(1), made ? to : from);
      if (made) continue;
      const Ran lenient = one.run({"review", "mark", "1", to});
      EXPECT_EQ(lenient.exit, 0);
      EXPECT_TRUE(has(lenient.err, "Warning: chunk 1 is " + from)) << lenient.err;
      EXPECT_EQ(one.chunk(1), from);
    }
  }
}

TEST_F(Review, OneChunkAtATimeIsInProgress) {
  project.start();
  project.must({"review", "mark", "1", "in-progress"});
  const Ran second = project.run({"review", "mark", "2", "in-progress"});
  EXPECT_EQ(second.exit, 0);
  EXPECT_TRUE(has(second.err, "chunk 1 is in progress, and only one may be")) << second.err;
  EXPECT_EQ(project.chunk(2), "pending");
  EXPECT_EQ(refused({"review", "mark", "2", "in-progress", "--strict"}).exit, 1);
  EXPECT_TRUE(has(refused({"review", "mark", "9", "reviewed"}).err, "there is no chunk 9: the plan has 3"));
  EXPECT_TRUE(has(refused({"review", "mark", "1", "revewed"}).err, "did you mean reviewed?"));
}

TEST_F(Review, ConfidenceDecidesWhatIsMarked) {
  project.start("octo/cat#7", {"--focus", "security"});
  project.add("sure", "minor", 1, {"--confidence", "80", "--category", "bug"});
  project.add("unsure", "minor", 2, {"--confidence", "79", "--category", "bug"});
  project.add("in focus", "minor", 3, {"--confidence", "75", "--category", "security"});
  project.add("capped", "minor", 4, {"--confidence", "95", "--category", "security"});
  const Json findings = project.json({"review", "finding", "list"});
  EXPECT_EQ(findings[0]["marked"], true);
  EXPECT_EQ(findings[1]["marked"], false);
  EXPECT_EQ(findings[1]["below_threshold"], true);
  EXPECT_EQ(findings[2]["marked"], true);
  EXPECT_EQ(findings[2]["confidence"], 85);
  EXPECT_EQ(findings[3]["confidence"], 100);
  EXPECT_TRUE(has(project.out({"review", "finding", "list"}), "(confidence 79)"));
  const ReviewProject own;
  own.start("octo/cat#7", {"--self"});
  own.add("small", "minor", 1, {"--confidence", "99"});
  own.add("large", "recommended", 1, {"--confidence", "99"});
  EXPECT_EQ(own.json({"review", "finding", "list"})[0]["marked"], false);
  EXPECT_EQ(own.json({"review", "finding", "list"})[1]["marked"], true);
}

TEST_F(Review, IdsAreNeverUsedAgain) {
  project.start();
  project.add("one");
  project.add("two", "recommended");
  project.add("three", "minor");
  EXPECT_TRUE(has(project.out({"review", "finding", "drop", "L3"}), "L3"));
  project.add("four", "action-required");
  EXPECT_EQ(project.json({"review", "finding", "list"})[2]["id"], "H4");
  project.must({"undo"});
  project.add("five", "minor");
  EXPECT_EQ(project.json({"review", "finding", "list"})[2]["id"], "L5");
}

TEST_F(Review, FindingsAreNamedByIdIndexOrTitle) {
  project.start();
  project.add("null dereference in lookup");
  project.add("null dereference in list", "recommended");
  project.must({"review", "toggle", "H1"});
  EXPECT_EQ(project.json({"review", "finding", "show", "1"})["marked"], false);
  project.must({"review", "toggle", "1", "in list"});
  EXPECT_EQ(project.json({"review", "finding", "show", "H1"})["marked"], true);
  EXPECT_EQ(project.json({"review", "finding", "show", "M2"})["marked"], false);
  const Ran several = refused({"review", "toggle", "null dereference"});
  EXPECT_TRUE(has(several.err, "may be 2 findings") && has(several.err, "H1") && has(several.err, "M2")) << several.err;
  EXPECT_EQ(refused({"review", "toggle", "9"}).exit, 3);
  EXPECT_EQ(refused({"review", "toggle", "nothing"}).exit, 3);
  project.must({"review", "toggle", "all"});
  EXPECT_EQ(project.state()["progress"]["unmarked"], 0);
  project.must({"review", "toggle", "none"});
  EXPECT_EQ(project.state()["progress"]["unmarked"], 2);
}

TEST_F(Review, EditChangesWhatIsSaid) {
  project.start();
  project.add("one", "minor", 3, {"--body", "text", "--category", "bug", "--confidence", "90"});
  const std::string before = project.state_file();
  project.must(
      {"review", "finding", "edit", "L1", "--line", "5", "--severity", "recommended", "--suggestion", "y = 1"});
  const Json one = project.json({"review", "finding", "show", "L1"});
  EXPECT_EQ(one["line"], 5);
  EXPECT_EQ(one["severity"], "recommended");
  EXPECT_EQ(one["body"], "text\n\n```suggestion\ny = 1\n```");
  EXPECT_TRUE(has(project.state_file(), "### 🟡 Recommended one"));
  EXPECT_EQ(refused({"review", "finding", "edit", "L1"}).exit, 2);
  project.must({"undo"});
  EXPECT_EQ(project.json({"review", "finding", "show", "L1"})["line"], 3);
}

TEST_F(Review, ManyFindingsComeFromOtherTools) {
  project.start();
  RunOptions options;
  options.input = R"({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [
    {"ruleId": "R1", "level": "error", "message": {"text": "Bad thing\nmore"}, "locations": [{"physicalLocation":
      {"artifactLocation": {"uri": "file://src/a%20b.c"}, "region": {"startLine": 3, "endLine": 4}}}]},
    {"ruleId": "R2", "message": {"text": "Other"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "x.c"}}}]}]}]})";
  ASSERT_EQ(project.run({"review", "finding", "add"}, options).exit, 0);
  options.input = R"({"source": {"name": "lint"}, "severity": "WARNING", "diagnostics": [
    {"message": "m", "location": {"path": "y.c", "range": {"start": {"line": 7}}}, "severity": "INFO",
     "suggestions": [{"text": "z", "range": {"start": {"line": 7}}}]}]})";
  ASSERT_EQ(project.run({"review", "finding", "add"}, options).exit, 0);
  options.input = R"([{"file": "p.c", "line": 1, "severity": "minor", "title": "plain", "confidence": 10}])";
  ASSERT_EQ(project.run({"review", "finding", "add"}, options).exit, 0);
  const Json all = project.json({"review", "finding", "list"});
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0]["file"], "src/a b.c");
  EXPECT_EQ(all[0]["severity"], "action-required");
  EXPECT_EQ(all[0]["end_line"], 4);
  EXPECT_EQ(all[1]["severity"], "recommended");
  EXPECT_EQ(all[2]["severity"], "minor");
  EXPECT_EQ(all[2]["suggestion"], "z");
  EXPECT_EQ(all[3]["marked"], false);
  // All or none.
  const Ran bad = refused(
      {"review", "finding", "add"},
      R"([{"file": "p.c", "severity": "minor", "title": "ok"}, {"file": "../x", "severity": "minor", "title": "t"}])");
  EXPECT_TRUE(has(bad.err, "finding 2 of 2") && has(bad.err, "none of them was added")) << bad.err;
  EXPECT_EQ(project.json({"review", "finding", "list"}).size(), 4U);
  const Json sarif = Json::parse(project.out({"review", "export", "--sarif"}));
  EXPECT_EQ(sarif["version"], "2.1.0");
  EXPECT_EQ(sarif["runs"][0]["results"].size(), 3U);
}

TEST_F(Review, BadInputIsNamedAndNothingIsLost) {
  project.start();
  const std::string before = project.state_file();
  const auto add = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args = {"review", "finding", "add"};
    args.insert(args.end(), more.begin(), more.end());
    return refused(args).err;
  };
  EXPECT_TRUE(has(add({"--file", "a", "--severity", "minor", "--title", "t", "--confidence", "101"}), "from 0 to 100"));
  EXPECT_TRUE(
      has(add({"--file", "a", "--severity", "critical", "--title", "t"}), "action-required, recommended or minor"));
  EXPECT_TRUE(has(add({"--file", "../a", "--severity", "minor", "--title", "t"}), "not a path inside the repository"));
  EXPECT_TRUE(has(add({"--file", "/etc/passwd", "--severity", "minor", "--title", "t"}), "not a path inside"));
  EXPECT_TRUE(has(add({"--file", "a\nb", "--severity", "minor", "--title", "t"}), "must fit on one line"));
  EXPECT_TRUE(has(add({"--file", "a", "--severity", "minor", "--title", "t\nu"}), "must fit on one line"));
  EXPECT_TRUE(has(add({"--file", "a", "--severity", "minor"}), "needs --title"));
  EXPECT_TRUE(has(add({}), "there is nothing to add"));
  EXPECT_EQ(project.state_file(), before);
  // A bar in a name is no harm.
  project.must(
      {"review", "finding", "add", "--file", "a|b`c.ts", "--line", "3", "--severity", "minor", "--title", "t | u"});
  EXPECT_EQ(project.json({"review", "finding", "show", "1"})["file"], "a|b`c.ts");
  EXPECT_EQ(project.json({"review", "finding", "show", "1"})["title"], "t | u");
  project.must({"review", "mark", "1", "in-progress"});
  EXPECT_EQ(project.json({"review", "finding", "show", "1"})["file"], "a|b`c.ts");
}

TEST_F(Review, ExportIsTheSeedsFile) {
  project.start();
  project.add("one", "action-required", 42,
              {"--category", "bug", "--confidence", "95", "--body", "text\n\n<!-- to myself -->"});
  project.add("two", "minor", 1, {"--confidence", "10"});
  EXPECT_EQ(project.out({"review", "export"}), "Exported 1 finding to .review-buddy/review-buddy-findings.md\n");
  const std::string text = project.read(kExportFile).value_or("(none)");
  const std::size_t time = text.find("**Exported:** ") + 14;
  EXPECT_EQ(
      text.substr(0, time) + text.substr(time + 20),
      "# Review Findings: octo/cat#7\n\n**Exported:** \n**Head SHA:** abc123def456\n**Total findings:** 1\n\n---\n\n"
      "### 🔴 Action Required one\n\n**File:** `core/engine.ts:42` | **Category:** bug | **Confidence:** "
      "95/100\n\ntext\n");
  // Removed by hand it is gone, and the review is not.
  std::filesystem::remove(project.file(kExportFile));
  EXPECT_EQ(project.state()["findings"].size(), 2U);
  EXPECT_FALSE(project.exists(kExportFile));
}

TEST_F(Review, CleanRemovesThreeFilesAndUndoBringsThemBack) {
  project.start();
  project.add("one");
  project.must({"review", "export"});
  project.write(".review-buddy/notes.txt", "mine");
  project.edit_file(kTodoFile, "## Tasks\n", "## Tasks\n\n- [ ] ask ann\n");
  project.edit_file(kStateFile, "## Findings", "## Notes\n\nmine\n\n## Findings");
  project.must({"review", "status"});
  const std::string state = project.state_file(), todo = project.todo();
  const auto exported = project.read(kExportFile);
  EXPECT_EQ(project.out({"review", "clean"}), "Cleaned up review state and todo files.\n");
  for (const auto name : {kStateFile, kExportFile, kTodoFile}) EXPECT_FALSE(project.exists(name)) << name;
  EXPECT_TRUE(project.exists(".review-buddy/notes.txt"));
  project.must({"undo"});
  EXPECT_EQ(project.state_file(), state);
  EXPECT_EQ(project.todo(), todo);
  EXPECT_EQ(project.read(kExportFile), exported);
}

TEST_F(Review, TwoAreCarriedSideBySide) {
  project.start("octo/cat#7");
  project.add("of seven");
  project.must({"review", "mark", "1", "in-progress"});
  project.edit_file(kStateFile, "## Findings", "## Mine\n\nwords about seven\n\n## Findings");
  project.edit_file(kTodoFile, "## Tasks\n", "## Tasks\n\n- [x] about seven\n");
  project.must({"review", "export"});
  const std::string state = project.state_file(), todo = project.todo();
  const auto exported = project.read(kExportFile);
  // Elsewhere than at a terminal it needs --yes.
  RunOptions options;
  options.input = R"([{"files": ["z.ts"], "loc": 1}])";
  const std::vector<std::string> second = {"review", "start", "octo/cat#8", "--plan", "-", "--head", "ffff0000"};
  const Ran no = project.run(second, options);
  EXPECT_EQ(no.exit, 1);
  EXPECT_TRUE(has(no.err, "--yes sets it aside") && has(no.err, "pawl review continue octo/cat#7")) << no.err;
  EXPECT_EQ(project.state_file(), state);
  auto yes = second;
  yes.emplace_back("--yes");
  ASSERT_EQ(project.run(yes, options).exit, 0);
  EXPECT_TRUE(has(project.state_file(), "pr_number: 8") && !has(project.state_file(), "seven"));
  EXPECT_FALSE(project.exists(kExportFile));
  EXPECT_TRUE(has(project.todo(), "octo/cat#8") && !has(project.todo(), "about seven"));
  // The one that is set aside can be worked on by its name, and no file shows it.
  project.must({"review", "mark", "1", "reviewed", "--pr", "octo/cat#7"});
  project.must({"review", "finding", "add", "--pr", "7", "--file", "a.ts", "--severity", "minor", "--title", "late"});
  project.add("of eight");
  EXPECT_FALSE(has(project.state_file(), "late"));
  EXPECT_EQ(project.json({"review", "list"}).size(), 2U);
  EXPECT_TRUE(has(project.out({"review", "list"}), "* octo/cat#8"));
  const std::string eight = project.state_file();
  // Back: everything is as it was left, with what was done meanwhile.
  project.must({"review", "continue", "octo/cat#7"});
  EXPECT_TRUE(has(project.state_file(), "words about seven") && has(project.state_file(), "Minor late"));
  EXPECT_TRUE(has(project.state_file(), "| 120 | reviewed |"));
  EXPECT_TRUE(has(project.todo(), "- [x] about seven") && has(project.todo(), "- [x] Chunk 1"));
  EXPECT_EQ(project.read(kExportFile), exported);
  project.must({"review", "continue", "https://github.com/octo/cat/pull/8/files"});
  EXPECT_EQ(project.state_file(), eight);
  EXPECT_EQ(refused({"review", "status", "--pr", "octo/cat#9"}).exit, 3);
  EXPECT_EQ(
      refused({"review", "start", "octo/cat#7", "--plan", "-", "--head", "abcd"}, R"([{"files": ["z.ts"]}])").exit, 1);
}

TEST_F(Review, UndoOfAStartGivesTheOtherItsPlaceBack) {
  project.start("octo/cat#7");
  const std::string seven = project.state_file();
  project.start("octo/cat#8", {"--yes"});
  project.must({"undo"});
  EXPECT_EQ(project.state_file(), seven);
  // What comes back while another is shown comes back set aside.
  project.must({"review", "clean"});
  project.start("octo/cat#8");
  const std::string eight = project.state_file();
  const Json log = project.log();
  std::int64_t cleaned = 0;
  for (const Json& operation : log) {
    if (operation["verb"] == "review clean") cleaned = operation["operation"].get<std::int64_t>();
  }
  project.must({"undo", std::to_string(cleaned)});
  EXPECT_EQ(project.state_file(), eight);
  EXPECT_EQ(project.json({"review", "list"}).size(), 2U);
  project.must({"review", "continue", "7"});
  EXPECT_TRUE(has(project.state_file(), "pr_number: 7"));
}

TEST_F(Review, TheTerminalIsAskedBeforeAnotherIsSetAside) {
  project.start("octo/cat#7");
  project.write("plan.json", R"([{"files": ["z.ts"], "loc": 1}])");
  const std::vector<std::string> args = {"review", "start", "octo/cat#8", "--plan", "plan.json", "--head", "ffff0000"};
  const Ran no = project.at_terminal(args, "n\n");
  EXPECT_TRUE(has(no.out, "An existing review session was found for octo/cat#7.")) << no.out;
  EXPECT_TRUE(has(no.out, "Starting a new review for octo/cat#8 will set the previous session aside.")) << no.out;
  EXPECT_TRUE(has(no.out, "Continue? [y/n]") && has(no.out, "pawl review continue octo/cat#7")) << no.out;
  EXPECT_TRUE(has(project.state_file(), "pr_number: 7"));
  const Ran yes = project.at_terminal(args, "y\n");
  EXPECT_TRUE(has(project.state_file(), "pr_number: 8")) << yes.out;
}

TEST_F(Review, ContinueSaysWhereToGoOn) {
  project.start();
  project.must({"review", "mark", "1", "skipped"});
  EXPECT_EQ(project.json({"review", "continue"})["next"]["chunk"], 2);
  project.must({"review", "mark", "3", "in-progress"});
  EXPECT_EQ(project.json({"review", "continue"})["next"]["chunk"], 3);
  EXPECT_TRUE(has(project.out({"review", "continue"}), "next: chunk 3 (in-progress)"));
}

TEST_F(Review, PlanCanBeUsedAgain) {
  project.start();
  EXPECT_TRUE(has(project.out({"review", "plan"}), "| 2 | core/engine.ts | 450 | pending |"));
  RunOptions options;
  options.input = project.out({"review", "plan", "--json"});
  EXPECT_EQ(project.run({"review", "start", "octo/cat#9", "--plan", "-", "--head", "abcd12", "--yes"}, options).exit,
            0);
  EXPECT_EQ(project.state()["chunks"].size(), 3U);
}

}  // namespace
}  // namespace pawl::test
