// What `doctor`, `init`, `leave --dry-run` and the board say before something is done, or cannot be done, is what comes
// of it: no advice that does nothing, nothing left out, nothing said twice.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class Foreseen : public testing::Test {
 protected:
  // The store of what all projects share, spoiled.
  void spoil_shared() const {
    project.must({"ultrawork", "start", "--prompt", "p", "--session", "s1", "--global"});
    const std::string database = cat(project.home(), "/.local/state/pawl/users-own/pawl.db");
    ASSERT_TRUE(fs::exists(database));
    write_all(database, std::string(8192, 'x'));
  }
  [[nodiscard]] static std::size_t times(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
    return count;
  }

  IssueProject project;
};

TEST_F(Foreseen, ASharedStoreThatCanNotBeReadHidesNoProjectsBoard) {
  project.must({"issue", "set", "7", "error", "--message", "m"});
  spoil_shared();
  fs::remove_all(project.file(".omc"));
  const Ran board = project.run({"status"});
  EXPECT_EQ(board.exit, 0) << board.err;
  EXPECT_TRUE(has(board.out, "issue/7")) << board.out;
  EXPECT_TRUE(has(board.out, "~/.opencode/ultrawork-state.json")) << board.out;
  const Ran line = project.run({"status", "--line"});
  EXPECT_EQ(line.exit, 0) << line.err;
}

TEST_F(Foreseen, FixMendsWhatDoctorSaysThatItMends) {
  project.must({"init"});
  spoil_shared();
  const Ran found = project.run({"doctor"});
  EXPECT_EQ(found.exit, 1) << found.out;
  EXPECT_TRUE(has(found.out, "pawl doctor --fix")) << found.out;
  const Ran mended = project.run({"doctor", "--fix"});
  EXPECT_TRUE(has(mended.out, "mended: shared by all projects: ")) << mended.out << mended.err;
  EXPECT_FALSE(has(project.run({"doctor"}).out, "pawl doctor --fix")) << project.run({"doctor"}).out;
}

TEST_F(Foreseen, AdviceOfDoctorsCanBeTyped) {
  project.must({"issue", "set", "1", "running"});
  project.put(1, "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n");
  const std::string found = project.run({"doctor"}).out;
  EXPECT_TRUE(has(found, cat(IssueProject::path_of(1), ": it has conflict markers in it"))) << found;
  EXPECT_TRUE(has(found, cat("\n    pawl restore ", IssueProject::path_of(1)))) << found;
  EXPECT_FALSE(has(found, "FILE")) << found;
  EXPECT_EQ(times(found, "it has conflict markers"), 1U) << found;
}

// One of the folders of a format that has two.
TEST_F(Foreseen, AFolderThatCanNotBeOpenedHidesNoFileElsewhere) {
  project.write(".omc/ralph-state.json",
                R"({"active": true, "iteration": 1, "max_iterations": 5, "prompt": "p", "started_at": "x"})");
  project.write(".omc/state", "in the way\n");
  const std::string found = project.run({"doctor"}).out;
  EXPECT_TRUE(has(found, ".omc/ralph-state.json")) << found;
}

TEST_F(Foreseen, DoctorSaysWhatInitWouldRefuseOfABotsSettings) {
  project.write("config.json", R"({"project": {"prRepository": "octo/cat", "defaultBranch": 7}, "bot": {}})");
  const Ran found = project.run({"doctor"});
  EXPECT_EQ(found.exit, 1);
  EXPECT_TRUE(has(found.out, "pawl init would refuse") && has(found.out, "project.defaultBranch must be a text"))
      << found.out;
  EXPECT_NE(project.run({"init"}).exit, 0);
}

TEST_F(Foreseen, DoctorSaysThatARunnersSettingsWouldBeWritten) {
  project.write(".pi-runner.yaml", "worktree:\n  base_dir: .wt\n");
  const Ran found = project.run({"doctor"});
  EXPECT_TRUE(has(found.out, "it would write pawl.toml")) << found.out << found.err;
  project.must({"init"});
  EXPECT_TRUE(project.exists("pawl.toml"));
}

TEST_F(Foreseen, EverySettingThatNeedsTrustIsNamed) {
  project.write("config.json", R"({"project": {"prRepository": "octo/cat", "org": "octo"}, "bot": {}})");
  const Ran ran = project.run({"init"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "story.trusted_org counts only after you have read it and typed: pawl trust")) << ran.out;
}

TEST_F(Foreseen, InitSaysOfADamagedFileOnce) {
  project.write("prd.json", "{\"stories\": [");
  const Ran ran = project.run({"init"});
  EXPECT_EQ(times(ran.out + ran.err, "prd.json"), 1U) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "left alone: prd.json: it cannot be read")) << ran.out;
}

TEST_F(Foreseen, WhoComesBackIsToldWhichHooksLeavingTookOut) {
  constexpr const char* kPutsBack = "    pawl init --claude  # puts it back\n";
  project.must({"init", "--claude"});
  project.must({"leave"});
  EXPECT_TRUE(has(project.out({"init"}), kPutsBack));
  EXPECT_FALSE(has(project.out({"init"}), kPutsBack)) << "it is said to whoever comes back";
  project.must({"init", "--claude"});
  project.must({"leave"});
  EXPECT_FALSE(has(project.out({"init", "--claude"}), "puts it back")) << "who asks for them has them";
}

// Nothing is opened, and nothing made, for what cannot be meant.
TEST_F(Foreseen, WhatInitIsAskedIsLookedAtBeforeAllElse) {
  project.write("pawl.toml", "[[[\n");
  const Ran ran = project.run({"init", "--drive"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "--drive goes with --claude")) << ran.err;
}

TEST_F(Foreseen, WhoComesBackIsOfferedTheHooksThatLeavingTookOut) {
  project.must({"init", "--all"});
  project.must({"leave"});
  EXPECT_TRUE(has(project.out({"init"}), "pawl init --all"));
}

TEST_F(Foreseen, DryRunNamesTheCopyOfWhatWillBePutBack) {
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"shipped\"");
  EXPECT_TRUE(has(project.out({"leave", "--dry-run"}), "write pawl-left/refused/: 1 file with what was refused"));
  EXPECT_TRUE(has(project.out({"leave"}), "pawl-left/refused/: 1 file with what was refused"));
}

TEST_F(Foreseen, OnlyFoldersOfEarlierLeavesAreCalledSo) {
  project.must({"issue", "set", "1", "running"});
  project.write("pawl-leftovers.md", "mine\n");
  project.write("pawl-left-over/mine", "mine\n");
  project.write("pawl-left-2/log.jsonl", "");
  const std::string would = project.out({"leave", "--dry-run"});
  EXPECT_FALSE(has(would, "pawl-leftovers.md") || has(would, "pawl-left-over")) << would;
  EXPECT_TRUE(has(would, "pawl-left-2: written by an earlier pawl leave")) << would;
}

TEST_F(Foreseen, AMarkWithoutATimeHasNone) {
  project.must({"issue", "set", "1", "running"});
  project.must({"leave"});
  project.write(".pawl/left", "{}\n");
  const auto back = parse_json(project.out({"init", "--json"}));
  ASSERT_TRUE(back);
  EXPECT_TRUE((*back)["came_back"]["left_at"].is_null()) << *back;
}

// Outside git the store is elsewhere.
TEST_F(Foreseen, WhereDismissedCopiesAreIsSaidAsItIs) {
  fs::remove_all(project.file(".git"));
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"shipped\"");
  project.must({"status"});
  const std::string said = project.out({"dismiss", "--all"});
  EXPECT_TRUE(has(said, "/refused/settled/")) << said;
  EXPECT_FALSE(has(said, " .pawl/refused")) << said;
}

TEST(InitRemove, AloneNamesALineThatWorks) {
  TempWorkspace ws;
  const Ran ran = ws.run({"init", "--remove"});
  EXPECT_EQ(ran.exit, 2) << ran.out;
  EXPECT_TRUE(has(ran.err, "pawl init --all --remove")) << ran.err;
}

}  // namespace
}  // namespace pawl::test
