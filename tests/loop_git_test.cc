// Loops whose files are in git: what a checkout, a stash or a linked worktree does to them. Real git, the real binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

class LoopGit : public testing::Test {
 protected:
  LoopGit() { project.start_git(); }
  void commit(const std::string& message) const {
    project.git({"add", "-f", ".omc"});
    project.git({"commit", "-q", "-m", message});
  }
  // Three versions of session s1's loop; git has brought the first again.
  void go_back() const {
    project.must({"ralph", "start", "--session", "s1", "--prompt", "first"});
    project.must({"ralph", "tick", "--session", "s1"});
    commit("one");
    for (int i = 0; i < 2; ++i) project.must({"ralph", "tick", "--session", "s1"});
    commit("three");
    project.git({"checkout", "-q", "HEAD~1"});
  }
  // The file is on a branch alone, and git has taken it away with it.
  void take_away() const {
    project.git({"checkout", "-q", "-b", "loop"});
    commit("loop");
    project.git({"checkout", "-q", "main"});
    ASSERT_FALSE(project.exists(kLoopFile));
  }
  std::string status_of(const std::string& name) const {
    return string_or(project.json({"ralph", "show", name}), "status");
  }

  StoryProject project;
};

TEST_F(LoopGit, AnOlderVersionIsTakenAsItStands) {
  go_back();
  const std::string older = project.read(kLoopFile).value_or("");
  const Ran board = project.run({"status"});
  EXPECT_TRUE(has(board.out, "pawl accept .omc/ralph-state.json  # takes the file's version")) << board.out;
  const Ran ran = project.run({"accept", ".omc/ralph-state.json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(project.read(kLoopFile), older);
  EXPECT_EQ(project.json({"ralph", "show", "s1"})["state"]["iteration"], 1);
  EXPECT_FALSE(has(project.out({"status"}), "git changed it"));
  // By hand it only grows, as ever.
  project.must({"ralph", "tick", "--session", "s1"});
  project.write(kLoopFile, older);
  EXPECT_TRUE(has(project.run({"status"}).err, "is 2 and only grows"));
}

TEST_F(LoopGit, OneThatHasEndedDoesNotComeBackByAnOlderVersion) {
  go_back();
  project.git({"checkout", "-q", "main"});
  project.must({"ralph", "complete", "--session", "s1"});
  const std::string known = project.read(kLoopFile).value_or("");
  commit("done");
  project.git({"checkout", "-q", "HEAD~1"});
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"ralph", "list"}, {"status"}, {"doctor"}, {"leave", "--dry-run"}}) {
    const Ran ran = project.run(words);
    EXPECT_TRUE(has(cat(ran.out, ran.err), "pawl restore")) << ran.out << ran.err;
    EXPECT_FALSE(has(cat(ran.out, ran.err), "pawl accept")) << ran.out << ran.err;
  }
  EXPECT_TRUE(has(project.out({"status"}), "it has ended, and does not come back")) << project.out({"status"});
  const Ran ran = project.run({"accept", ".omc/ralph-state.json"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "has ended and does not come back\n  pawl restore .omc/ralph-state.json")) << ran.err;
  EXPECT_EQ(status_of("s1"), "complete");
  project.must({"restore", ".omc/ralph-state.json"});
  EXPECT_EQ(project.read(kLoopFile), known);
}

TEST_F(LoopGit, ANewLoopGoesElsewhereWhereGitTookTheFileAway) {
  project.must({"ralph", "start", "--session", "s1", "--prompt", "first"});
  project.must({"ralph", "complete", "--session", "s1"});
  take_away();
  EXPECT_TRUE(has(project.out({"ralph", "start", "--session", "s2", "--prompt", "b"}),
                  "in .omc/state/sessions/s2/ralph-state.json"));
  EXPECT_TRUE(has(project.read(".omc/state/sessions/s2/ralph-state.json").value_or(""), "\"prompt\": \"b\""));
  // Nobody's has the next place in which tools look; it is driven there as anywhere.
  EXPECT_TRUE(has(project.out({"ralph", "start", "--prompt", "c"}), "in .omc/state/ralph-state.json"));
  EXPECT_TRUE(has(project.read(".omc/state/ralph-state.json").value_or(""), "\"prompt\": \"c\""));
  EXPECT_EQ(project.run({"ralph", "start", "--prompt", "d"}).exit, 1) << "one of nobody's is under way";
  project.must({"ralph", "tick"});
  // Whoever settles the file that git took away ends what it showed, and nothing else.
  project.must({"accept", ".omc/ralph-state.json"});
  EXPECT_EQ(status_of("s2"), "active");
  EXPECT_EQ(string_or(project.json({"ralph", "show", "--session", "s2"})["state"], "prompt"), "b");
}

TEST_F(LoopGit, ANewLoopGoesElsewhereWhereGitBroughtAnother) {
  go_back();
  project.must({"ralph", "cancel", "s1"});
  const std::string theirs = project.read(kLoopFile).value_or("");
  project.must({"ralph", "start", "--session", "s2", "--prompt", "b"});
  EXPECT_EQ(project.read(kLoopFile), theirs);
  EXPECT_TRUE(project.exists(".omc/state/sessions/s2/ralph-state.json"));
  // The session's own next one, too.
  project.must({"ralph", "start", "--session", "s1", "--prompt", "again"});
  EXPECT_TRUE(project.exists(".omc/state/sessions/s1/ralph-state.json"));
}

TEST_F(LoopGit, InALinkedWorktreeItIsSaidWhereFilesAre) {
  const std::string linked = project.file("../linked");
  project.git({"worktree", "add", "-q", linked, "-b", "linked"});
  project.must({"init"});
  RunOptions there = project.options();
  there.cwd = linked;
  const auto in_it = [&](const std::vector<std::string>& words) { return run_pawl(words, there); };
  const Ran begun = in_it({"ralph", "start", "--session", "s1", "--prompt", "p"});
  EXPECT_EQ(begun.exit, 0) << begun.err;
  EXPECT_TRUE(has(begun.err, ".omc/ralph-state.json is in the main checkout, " + project.path())) << begun.err;
  EXPECT_TRUE(project.exists(kLoopFile));
  EXPECT_TRUE(has(in_it({"doctor"}).out, "files are named from the main checkout, " + project.path()));
  std::filesystem::create_directories(linked + "/.omc/state/sessions/s9");
  write_all(linked + "/.omc/state/sessions/s9/ralph-state.json", R"({"active": true, "session_id": "s9"})");
  const Ran told = in_it({"doctor"});
  EXPECT_TRUE(has(told.out, "nothing guards .omc/state/sessions/s9/ralph-state.json in it")) << told.out;
  EXPECT_FALSE(has(project.run({"doctor"}).out, "linked worktree"));
  std::filesystem::remove_all(linked);
}

}  // namespace
}  // namespace pawl::test
