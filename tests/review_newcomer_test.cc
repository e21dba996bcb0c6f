// What somebody new to reviews meets: files that other tools wrote, copies that are kept, and what the board and the
// log tell of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "commands/board.h"
#include "support/review_examples.h"
#include "support/review_on_github.h"

namespace pawl::test {
namespace {

constexpr std::string_view kTodoOfOthers = "# Review Todo\n\n- [ ] Chunk 1: types\n- [ ] ask Bob about the timeout\n";
constexpr std::string_view kExportOfOthers =
    "# Review Findings: octo/cat#7\n\n**Exported:** 2024-01-15T10:45:00Z\n**Head SHA:** abc123def456\n"
    "**Total findings:** 0\n\n---\n";

class ReviewNewcomer : public testing::Test {
 protected:
  // With words of others in each of the three files.
  void start_with_words() const {
    project.start();
    project.add("one");
    project.edit_file(kStateFile, "## Findings", "## Mine\n\nSTATENOTE\n\n## Findings");
    project.write(kTodoFile, kTodoOfOthers);
    project.write(kExportFile, kExportOfOthers);
    project.must({"review", "status"});
  }
  [[nodiscard]] bool is_kept(std::string_view folder, std::string_view bytes) const {
    const auto names = project.kept(folder);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return project.read(cat(".pawl/", folder, "/", name)) == std::string(bytes);
    });
  }
  [[nodiscard]] Json row_of(std::string_view ref) const {
    const Json board = project.json({"status"});
    for (const Json& row : board["work"]) {
      if (row["ref"] == ref) return row;
    }
    ADD_FAILURE() << ref << " is not on the board: " << board;
    return Json::object();
  }
  ReviewProject project;
};

// --- leaving and cleaning ---

TEST_F(ReviewNewcomer, LeavingWritesAReviewThatIsSetAsideOutToTheByte) {
  start_with_words();
  const auto state = project.read(kStateFile), todo = project.read(kTodoFile), exported = project.read(kExportFile);
  project.start("octo/cat#8", {"--yes"});
  const Ran left = project.run({"leave"});
  ASSERT_EQ(left.exit, 0) << left.err;
  const std::string folder = "pawl-left/reviews/octo-cat-7/";
  EXPECT_EQ(project.read(folder + "review-buddy-state.md"), state);
  EXPECT_EQ(project.read(folder + "review-todo.md"), todo);
  EXPECT_EQ(project.read(folder + "review-buddy-findings.md"), exported);
  EXPECT_TRUE(has(left.out, folder + "review-todo.md")) << left.out;
}

TEST_F(ReviewNewcomer, LeavingWritesWhatWasChangedSinceAReviewWasSetAside) {
  start_with_words();
  project.start("octo/cat#8", {"--yes"});
  project.must({"review", "mark", "1", "skipped", "--pr", "octo/cat#7"});
  project.must({"leave"});
  const std::string folder = "pawl-left/reviews/octo-cat-7/";
  const std::string state = project.read(folder + "review-buddy-state.md").value_or("");
  EXPECT_TRUE(has(state, "STATENOTE") && has(state, "skipped")) << state;
  EXPECT_TRUE(has(project.read(folder + "review-todo.md").value_or(""), "- [x] Chunk 1: types (skipped)"));
}

TEST_F(ReviewNewcomer, LeavingKeepsReviewsOfLikeNamesApart) {
  for (const char* pr : {"a/b-c#1", "a-b/c#1", "octo/cat#7"}) project.start(pr, {"--yes"});
  project.must({"leave"});
  const std::string one = project.read("pawl-left/reviews/a-b-c-1/review-buddy-state.md").value_or("");
  const std::string other = project.read("pawl-left/reviews/a-b-c-1_2/review-buddy-state.md").value_or("");
  EXPECT_NE(has(one, "pr_owner: \"a-b\""), has(other, "pr_owner: \"a-b\"")) << one << other;
  EXPECT_NE(has(one, "pr_owner: \"a\""), has(other, "pr_owner: \"a\"")) << one << other;
}

TEST_F(ReviewNewcomer, CleaningKeepsWhatOthersWroteIntoTheStateFile) {
  start_with_words();
  const std::string state = project.state_file();
  const Ran cleaned = project.run({"review", "clean"});
  EXPECT_EQ(cleaned.exit, 0);
  EXPECT_TRUE(has(cleaned.err, "review-buddy-state.md had words of others in it; as it was it is kept in .pawl/kept/"))
      << cleaned.err;
  EXPECT_TRUE(is_kept("kept", state));
  EXPECT_TRUE(is_kept("kept", kTodoOfOthers));
  EXPECT_TRUE(is_kept("kept", kExportOfOthers));
}

TEST_F(ReviewNewcomer, CleaningAReviewThatIsSetAsideKeepsWhatOthersWrote) {
  start_with_words();
  const std::string state = project.state_file();
  project.start("octo/cat#8", {"--yes"});
  const std::string open = project.state_file(), todo = project.todo();
  EXPECT_TRUE(project.kept("kept").empty());
  const Ran cleaned = project.run({"review", "clean", "--pr", "octo/cat#7"});
  EXPECT_TRUE(has(cleaned.err, "review-todo.md of octo/cat#7 was another tool's list")) << cleaned.err;
  EXPECT_TRUE(is_kept("kept", state));
  EXPECT_TRUE(is_kept("kept", kTodoOfOthers));
  EXPECT_TRUE(is_kept("kept", kExportOfOthers));
  EXPECT_EQ(project.state_file(), open);
  EXPECT_EQ(project.todo(), todo);
}

TEST_F(ReviewNewcomer, CleaningWhatPawlAloneWroteKeepsNothing) {
  project.start();
  for (const char* title : {"one", "two", "three"}) project.add(title, "minor", 1, {"--body", "text\n\n- a\n- b"});
  project.must({"review", "mark", "1", "in-progress"});
  project.must({"review", "mark", "1", "reviewed"});
  project.must({"review", "finding", "drop", "L2"});
  project.must({"review", "toggle", "L1"});
  project.must({"review", "export"});
  const Ran cleaned = project.run({"review", "clean"});
  EXPECT_EQ(cleaned.err, "");
  EXPECT_TRUE(project.kept("kept").empty());
}

// --- the export ---

TEST_F(ReviewNewcomer, AnExportThatPawlDidNotWriteIsKeptAndNobodyIsAsked) {
  start_with_words();
  const Ran ran = project.run({"review", "export"});
  EXPECT_TRUE(has(ran.out, "the one that was there was not written by pawl; it is kept in .pawl/kept/")) << ran.out;
  EXPECT_TRUE(is_kept("kept", kExportOfOthers));
  EXPECT_TRUE(project.kept("refused").empty());
  EXPECT_EQ(project.json({"status"})["count"]["needs_person"], 0);
}

TEST_F(ReviewNewcomer, OfAnExportThatNobodyEditedItIsNotSaidThatSomebodyDid) {
  start_with_words();
  const Ran cleaned = project.run({"review", "clean"});
  EXPECT_TRUE(has(cleaned.err, "review-buddy-findings.md was not written by pawl")) << cleaned.err;
  EXPECT_FALSE(has(cleaned.err, "edited")) << cleaned.err;
}

TEST_F(ReviewNewcomer, NothingOfAReviewThatHasEndedComesBackWithAnother) {
  const auto is_clean = [&] {
    return !project.exists(kStateFile) && !project.exists(kTodoFile) && !project.exists(kExportFile);
  };
  project.start();
  project.add("one");
  project.must({"review", "export"});
  project.must({"review", "clean"});
  ASSERT_TRUE(is_clean());
  project.start("octo/cat#9");
  project.must({"review", "clean"});
  EXPECT_TRUE(is_clean());
  project.must({"undo"});
  EXPECT_TRUE(has(project.state_file(), "pr_number: 9") && !project.exists(kExportFile));
  // Nor with one of the same pull request.
  project.must({"review", "clean"});
  project.start();
  EXPECT_FALSE(project.exists(kExportFile));
  project.must({"review", "clean"});
  EXPECT_TRUE(is_clean());
  project.must({"undo"});
  EXPECT_TRUE(project.exists(kStateFile) && !project.exists(kExportFile));
}

TEST_F(ReviewNewcomer, NorWhenOneEndsThatWasSetAside) {
  project.start();
  project.start("octo/cat#8", {"--yes"});
  project.must({"review", "clean"});
  ASSERT_FALSE(project.exists(kStateFile));
  project.must({"review", "clean", "--pr", "octo/cat#7"});
  EXPECT_FALSE(project.exists(kStateFile)) << project.state_file();
  EXPECT_FALSE(project.exists(kTodoFile)) << project.todo();
}

// --- copies ---

// Chunk 1 is in progress; chunk 2 is begun by hand, which is refused.
TEST_F(ReviewNewcomer, ARefusedBeginningIsTakenByWhatIsUnderWayByNow) {
  project.start();
  project.must({"review", "mark", "1", "in-progress"});
  project.edit_file(kStateFile, "| 450 | pending |", "| 450 | in-progress |");
  project.must({"review", "status"});
  const std::string copy = project.only_kept("refused");
  project.must({"review", "mark", "1", "reviewed"});
  const Ran taken = project.run({"accept", copy});
  EXPECT_EQ(taken.exit, 0) << taken.err;
  EXPECT_FALSE(has(taken.err, "unverified")) << taken.err;
  EXPECT_EQ(project.chunk(2), "in-progress");
}

TEST_F(ReviewNewcomer, NorIsItVerifiedWhileAThirdOneIsUnderWay) {
  project.start();
  project.must({"review", "mark", "1", "in-progress"});
  project.edit_file(kStateFile, "| 450 | pending |", "| 450 | in-progress |");
  project.must({"review", "status"});
  const std::string copy = project.only_kept("refused");
  project.must({"review", "mark", "1", "reviewed"});
  project.must({"review", "mark", "3", "in-progress"});
  const Ran taken = project.run({"accept", copy});
  EXPECT_TRUE(has(taken.err, "unverified: nothing shows “no other chunk in progress”")) << taken.err;
}

TEST_F(ReviewNewcomer, WhatCameAboutByItselfIsNotAskedAboutOnceTheReviewHasEnded) {
  project.start();
  project.edit_file(kTodoFile, "- [ ] Chunk 1", "- [x] Chunk 1");
  project.must({"review", "status"});
  const std::string copy = project.only_kept("refused");
  EXPECT_TRUE(has(project.out({"status"}), copy));
  for (const char* status : {"in-progress", "reviewed"}) project.must({"review", "mark", "1", status});
  EXPECT_FALSE(has(project.out({"status"}), copy));
  project.start("octo/cat#8", {"--yes"});
  EXPECT_FALSE(has(project.out({"status"}), copy));
  project.must({"review", "clean", "--pr", "octo/cat#7"});
  EXPECT_FALSE(has(project.out({"status"}), copy));
}

TEST_F(ReviewNewcomer, ARefusedCopyIsLetGoOfWithoutAReasonAndAGivenOneIsTold) {
  project.start();
  project.must({"review", "mark", "1", "skipped"});
  const auto refused = [&](std::string_view to) {
    project.edit_file(kStateFile, "| skipped |", cat("| ", to, " |"));
    project.must({"review", "status"});
    auto names = project.kept("refused");
    std::erase(names, "settled");
    EXPECT_EQ(names.size(), 1U);
    return names.empty() ? std::string("(none)") : ".pawl/refused/" + names.front();
  };
  const std::string first = refused("pending");
  EXPECT_FALSE(has(project.out({"status"}), "--reason TEXT"));
  project.must({"dismiss", first});
  const Ran again = project.run({"dismiss", first});
  EXPECT_TRUE(has(again.out, "decided about before")) << again.out;

  project.must({"dismiss", refused("in-progress"), "--reason", "a slip of the hand"});
  const std::string log = project.out({"log", "review/octo/cat#7"});
  EXPECT_TRUE(has(log, "let go of what was refused") && has(log, "a slip of the hand")) << log;
}

TEST_F(ReviewNewcomer, AcceptingADamagedCopySaysWhichIsToBeMended) {
  project.start();
  project.write(kStateFile, "---\npr_owner: \"octo\"\n");
  project.must({"review", "status"});
  const std::string copy = project.only_kept("damaged");
  const Ran ran = project.run({"accept", copy});
  EXPECT_EQ(ran.exit, 5);
  EXPECT_TRUE(has(ran.err, copy + " cannot be read: ") && has(ran.err, "mend this copy, then\n  pawl accept "))
      << ran.err;
}

// --- names, times, the board ---

TEST_F(ReviewNewcomer, AKeyWithASlashInItIsFoundByItself) {
  project.start();
  EXPECT_TRUE(has(project.out({"show", "octo/cat#7"}), "review/octo/cat#7"));
  EXPECT_TRUE(has(project.out({"log", "octo/cat#7"}), "review/octo/cat#7"));
  const Ran none = project.run({"show", "octo/dog#7"});
  EXPECT_EQ(none.exit, 2);
  EXPECT_TRUE(has(none.err, "there is no kind “octo”")) << none.err;
}

TEST_F(ReviewNewcomer, WhatCameInWithItsFilesIsAsOldAsTheySay) {
  project.write(kStateFile, kSeed);
  project.write(kTodoFile, "# Review Todo\n\n- [x] Chunk 1: types\n");
  project.write(kExportFile, "# Review Findings: owner/repo#123\n\n**Total findings:** 0\n\n---\n");
  project.must({"init"});
  EXPECT_TRUE(string_or(row_of("review/owner/repo#123"), "since").starts_with("2024-01-15T10:45:00"));
}

// Whoever writes into the file is at work, whatever time stands there.
TEST_F(ReviewNewcomer, AnEditIsAsOldAsItWasSeen) {
  project.write(kStateFile, kSeed);
  project.must({"init"});
  EXPECT_TRUE(has(project.out({"status"}), "nobody has been in it for"));
  project.edit_file(kStateFile, "| 450 | in-progress |", "| 450 | reviewed |");
  const std::string edited = project.state_file();
  EXPECT_FALSE(has(project.out({"status"}), "nobody has been in it for"));
  EXPECT_TRUE(has(project.out({"review", "status"}), "last changed just now"));
  EXPECT_EQ(project.state_file(), edited) << "nothing is written into it for that";
}

TEST_F(ReviewNewcomer, OneThatIsSetAsideSaysHowItAndNoOtherIsTakenUp) {
  project.start();
  project.start("octo/cat#8", {"--yes"});
  EXPECT_TRUE(has(project.out({"review", "status", "--pr", "octo/cat#7"}),
                  "(set aside; pawl review continue octo/cat#7 takes it up)"));
}

TEST_F(ReviewNewcomer, ContinuingSaysWhichChunkIsHeld) {
  project.start();
  project.edit_file(kStateFile, "\n\n## Findings", "\n| 4 | ui/more.c | 9 | almost done |\n\n## Findings");
  project.must({"review", "status"});
  const std::string said = project.out({"review", "continue"});
  EXPECT_TRUE(has(said, "next: chunk 1") && has(said, "chunk 4: “almost done” is not a status")) << said;
  project.must({"review", "mark", "1-3", "skipped"});
  const std::string last = project.out({"review", "continue"});
  EXPECT_TRUE(has(last, "every other chunk is reviewed or skipped") && has(last, "pawl review mark 4 STATUS")) << last;
}

TEST_F(ReviewNewcomer, FindingsThatATitleMayMeanStandBelowEachOther) {
  project.start();
  project.add("a leak here");
  project.add("a leak there");
  const Ran ran = project.run({"review", "finding", "show", "leak"});
  EXPECT_TRUE(has(ran.err, "\n  H1  a leak here\n  H2  a leak there\n")) << ran.err;
}

TEST(BoardNames, TheNumberOfAPullRequestIsCutLast) {
  Json data{{"work", Json::array()},
            {"count", {{"waiting", 2}}},
            {"progress", Json::array()},
            {"ended", 0},
            {"recorded", true}};
  for (const char* number : {"123", "200"})
    data["work"].push_back({{"ref", cat("review/owner/repository#", number)},
                            {"status", "active"},
                            {"stands", "waiting"},
                            {"why", "set aside"},
                            {"advice", cat("pawl review continue owner/repository#", number)}});
  TextStyle style;
  style.terminal = true;
  style.width = 50;
  const std::string text = board(data, style);
  for (const char* number : {"123", "200"}) {
    EXPECT_TRUE(has(text, cat("…#", number))) << text;
    EXPECT_TRUE(has(text, cat("\n    pawl review continue owner/repository#", number, "\n"))) << text;
  }
}

// --- what is posted ---

class ReviewNewcomerOnGithub : public ReviewOnGithub {};

TEST_F(ReviewNewcomerOnGithub, ADryRunSaysWhatIsSaidWhere) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "on a line");
  add("nowhere.c", 1, "minor", "in the text");
  const Json answer = json({"post", "--dry-run"});
  ASSERT_EQ(answer["findings"].size(), 2U) << answer;
  EXPECT_EQ(answer["findings"][0]["inline"], true);
  EXPECT_EQ(answer["findings"][1]["inline"], false);
  const std::string text = run({"post", "--dry-run"}).out;
  const std::size_t lines = text.find("on lines of the diff:"), body = text.find("in the review's text:");
  ASSERT_TRUE(lines != std::string::npos && body != std::string::npos && lines < body) << text;
  EXPECT_TRUE(has(text.substr(lines, body - lines), "core/engine.c:42") && has(text.substr(body), "nowhere.c:1"))
      << text;
}

}  // namespace
}  // namespace pawl::test
