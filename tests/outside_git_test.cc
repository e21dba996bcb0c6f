// What git does to a file is nobody's wish about the work: it is neither taken over nor undone until a person settles
// it with `pawl accept` or `pawl restore`. Real git, the real binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/issue_project.h"

namespace pawl::test {
namespace {

// Issue 1 is tracked: three commits on `main` have it, and pawl knows the newest one.
class GitsFile : public testing::Test {
 protected:
  GitsFile() {
    project_.start_git();
    project_.must({"issue", "set", "1", "running", "--session", "early"});
    project_.commit_all("early");
    project_.must({"issue", "set", "1", "running", "--session", "middle"});
    project_.commit_all("middle");
    project_.must({"issue", "set", "1", "complete", "--session", "late"});
    project_.commit_all("late");
    project_.must({"issue", "get", "1"});
    known_ = project_.bytes(1);
  }
  // A checkout of the first of them, which brings its file.
  void go_back() {
    project_.git({"checkout", "-q", "HEAD~2"});
    ASSERT_EQ(project_.content(1)["status"], "running");
  }
  // Two branches that changed the same lines.
  void diverge() {
    project_.git({"checkout", "-q", "-b", "other", "HEAD~2"});
    project_.write(kPath, replaced(project_.bytes(1), "\"early\"", "\"theirs\""));
    project_.commit_all("theirs");
    project_.git({"checkout", "-q", "main"});
    ASSERT_EQ(project_.bytes(1), known_);
  }
  const std::string kPath = IssueProject::path_of(1);
  IssueProject project_;
  std::string known_;  // what pawl last wrote
};

// As a hook of a linked worktree would: git tells it which repository it was run for.
TEST_F(GitsFile, IsRecognisedWhicheverRepositoryTheCallerWasRunFor) {
  project_.git({"worktree", "add", "-q", project_.file("linked"), "HEAD~1"});
  go_back();
  RunOptions in_the_hook;
  in_the_hook.env = {"GIT_DIR=" + project_.file(".git/worktrees/linked"),
                     "GIT_INDEX_FILE=" + project_.file(".git/worktrees/linked/index")};
  const Ran ran = project_.run({"issue", "get", "1"}, in_the_hook);
  EXPECT_EQ(ran.out, "complete\n") << ran.err;
}

TEST_F(GitsFile, MovedByCheckoutIsNeitherTakenOverNorWritten) {
  const std::size_t operations = project_.operations();
  go_back();
  const std::string moved = project_.bytes(1);
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out, "complete\n");
  for (const std::string& part : {kPath, std::string("git"), "pawl accept " + kPath, "pawl restore " + kPath}) {
    EXPECT_TRUE(has(ran.err, part)) << part << "\nis not in\n" << ran.err;
  }
  EXPECT_EQ(project_.bytes(1), moved);
  EXPECT_EQ(project_.operations(), operations);
  EXPECT_EQ(project_.run({"doctor"}).exit, 1);
}

// The hardest of them: HEAD is then where it was when pawl last wrote, and the file is what pawl wrote before.
TEST_F(GitsFile, MovedOneCommitBackIsGitsToo) {
  const std::size_t operations = project_.operations();
  project_.git({"checkout", "-q", "HEAD~1"});
  const std::string moved = project_.bytes(1);
  ASSERT_TRUE(has(moved, "middle"));
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "complete\n");
  EXPECT_TRUE(has(ran.err, "git")) << ran.err;
  EXPECT_EQ(project_.bytes(1), moved);
  EXPECT_EQ(project_.operations(), operations);
}

// The same without the second half: HEAD is where it was, the file is one that pawl has not written.
TEST_F(GitsFile, MovedWhereHeadStoodAtTheLastWriteIsGitsToo) {
  project_.git({"config", "core.autocrlf", "true"});
  project_.git({"checkout", "-q", "HEAD~1"});
  const std::string moved = project_.bytes(1);
  ASSERT_TRUE(has(moved, "middle"));
  ASSERT_TRUE(has(moved, "\r\n"));
  EXPECT_EQ(project_.get(1), "complete");
  EXPECT_EQ(project_.bytes(1), moved);
}

TEST_F(GitsFile, AReadOfWhatGitTookAwayMakesNoFolder) {
  project_.git({"checkout", "-q", "HEAD~3"});
  ASSERT_FALSE(project_.exists(".worktrees"));
  EXPECT_EQ(project_.get(1), "complete");
  EXPECT_FALSE(project_.exists(".worktrees"));
}

TEST_F(GitsFile, StaysGitsUntilItIsSettledAlsoWhenACommandSetsTheStatus) {
  go_back();
  const std::string moved = project_.bytes(1);
  project_.must({"issue", "set", "1", "running", "--session", "newest"});
  EXPECT_EQ(project_.shown(1)["session"], "newest");
  EXPECT_EQ(project_.bytes(1), moved);
  project_.must({"restore", kPath});
  EXPECT_EQ(project_.content(1)["session"], "newest");
}

TEST_F(GitsFile, AcceptTakesTheFilesVersion) {
  go_back();
  project_.must({"issue", "get", "1"});
  project_.must({"accept", kPath, "--actor", "ada"});
  EXPECT_EQ(project_.get(1), "running");
  EXPECT_EQ(project_.shown(1)["session"], "early");
  EXPECT_EQ(project_.log()[0]["actor"], "ada");
  EXPECT_EQ(project_.run({"doctor"}).exit, 0);
  EXPECT_EQ(project_.run({"issue", "get", "1"}).err, "");
}

TEST_F(GitsFile, RestoreWritesPawlsVersionAndKeepsTheOther) {
  go_back();
  const std::string moved = project_.bytes(1);
  const Ran ran = project_.run({"restore", kPath});  // also when nobody has looked before
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(project_.bytes(1), known_);
  EXPECT_EQ(project_.read(project_.only_kept("refused/settled")), moved);
  EXPECT_TRUE(has(ran.err + ran.out, project_.only_kept("refused/settled"))) << ran.err;
  EXPECT_EQ(project_.get(1), "complete");
  EXPECT_EQ(project_.run({"doctor"}).exit, 0);
}

TEST_F(GitsFile, ComingBackByItselfIsSettled) {
  go_back();
  project_.must({"issue", "get", "1"});
  project_.git({"checkout", "-q", "main"});
  ASSERT_EQ(project_.bytes(1), known_);
  EXPECT_EQ(project_.run({"issue", "get", "1"}).err, "");
  EXPECT_EQ(project_.run({"doctor"}).exit, 0);
  // And from then on an edit is an edit again.
  project_.edit(1, "\"late\"", "\"by hand\"");
  EXPECT_EQ(project_.shown(1)["session"], "by hand");
}

TEST_F(GitsFile, TakenAwayByCheckoutIsNotGone) {
  project_.git({"checkout", "-q", "HEAD~3"});
  ASSERT_EQ(project_.bytes(1), "(none)");
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "complete\n");
  EXPECT_TRUE(has(ran.err, "git")) << ran.err;
  EXPECT_EQ(project_.bytes(1), "(none)");
  project_.must({"restore", kPath});
  EXPECT_EQ(project_.bytes(1), known_);
}

TEST_F(GitsFile, TakenAwayByCheckoutAndAcceptedIsRemoved) {
  project_.git({"checkout", "-q", "HEAD~3"});
  project_.must({"accept", kPath});
  EXPECT_EQ(project_.get(1), "unknown");
  EXPECT_EQ(project_.bytes(1), "(none)");
}

TEST_F(GitsFile, EditedByHandAfterHeadMovedIsAnEdit) {
  project_.commit_all("HEAD moves, the file does not");
  project_.edit(1, "\"late\"", "\"by hand\"");
  EXPECT_EQ(project_.shown(1)["session"], "by hand");
  EXPECT_EQ(project_.log()[0]["actor"], "outside");
}

TEST_F(GitsFile, EditedByHandAndThenCommittedIsAnEditNotGits) {
  project_.edit(1, "\"complete\"", "\"running\"");
  EXPECT_EQ(project_.get(1), "running");  // seen before the commit
  project_.commit_all("by hand");
  EXPECT_EQ(project_.run({"issue", "get", "1"}).err, "");
}

// A checkout that brought nothing of it does not make the edit git's.
TEST_F(GitsFile, EditedAndCommittedRightAfterACheckoutIsAnEdit) {
  project_.git({"checkout", "-q", "-b", "feature"});
  project_.edit(1, "\"late\"", "\"mine\"");
  project_.commit_all("mine");
  EXPECT_EQ(project_.shown(1)["session"], "mine");
  EXPECT_EQ(project_.log()[0]["outside"], true);
  // Also where what pawl wrote was in no commit yet.
  project_.must({"issue", "set", "1", "complete", "--session", "by pawl"});
  project_.git({"checkout", "-q", "-b", "another"});
  project_.edit(1, "\"by pawl\"", "\"mine again\"");
  project_.commit_all("mine again");
  EXPECT_EQ(project_.shown(1)["session"], "mine again");
  // What a checkout brought stays git's, whatever is committed on top.
  project_.git({"checkout", "-q", "-b", "old", "main~2"});
  project_.edit(1, "\"early\"", "\"theirs\"");
  project_.commit_all("theirs");
  EXPECT_EQ(project_.shown(1)["session"], "mine again");
}

// HEAD's log has an entry that does not say what it was: what stood in the worktree then is not known from it.
TEST_F(GitsFile, BroughtWithoutAWordInHeadsLogStaysGitsWhateverIsCommittedOnTop) {
  const std::size_t operations = project_.operations();
  project_.git({"checkout", "-q", "-b", "feature"});
  project_.git({"update-ref", "HEAD", "main~2"});
  project_.git({"read-tree", "-u", "--reset", "HEAD"});
  ASSERT_EQ(project_.content(1)["session"], "early");
  project_.write("README", "mine\n");
  project_.commit_all("mine");
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "complete\n");
  EXPECT_TRUE(has(ran.err, "pawl accept " + kPath)) << ran.err;
  EXPECT_EQ(project_.operations(), operations);
}

// And one that begins elsewhere than the one before it ended: something between them is not in it.
TEST_F(GitsFile, BroughtPastHeadsLogStaysGitsWhateverIsCommittedOnTop) {
  const std::size_t operations = project_.operations();
  project_.git({"branch", "old", "main~2"});
  project_.git({"checkout", "-q", "-b", "feature"});
  project_.write(".git/HEAD", "ref: refs/heads/old\n");
  project_.git({"read-tree", "-u", "--reset", "HEAD"});
  ASSERT_EQ(project_.content(1)["session"], "early");
  project_.write("README", "mine\n");
  project_.commit_all("mine");
  EXPECT_EQ(project_.get(1), "complete");
  EXPECT_EQ(project_.operations(), operations);
}

TEST_F(GitsFile, UntrackedIsAnEditWhereverHeadIs) {
  project_.must({"issue", "set", "2", "running"});
  go_back();
  project_.edit(2, "\"running\"", "\"complete\"");
  EXPECT_EQ(project_.get(2), "complete");
}

TEST_F(GitsFile, WithConflictMarkersIsLeftAlone) {
  const std::size_t operations = project_.operations();
  diverge();
  EXPECT_NE(project_.try_git({"merge", "other"}).exit, 0);
  const std::string conflict = project_.bytes(1);
  ASSERT_TRUE(has(conflict, "<<<<<<< ")) << conflict;
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "complete\n");
  EXPECT_TRUE(has(ran.err, "conflict markers")) << ran.err;
  EXPECT_EQ(project_.bytes(1), conflict);
  EXPECT_EQ(project_.operations(), operations);
  EXPECT_TRUE(project_.kept("damaged").empty());
}

TEST_F(GitsFile, ConflictCanNotBeAcceptedButRestored) {
  diverge();
  EXPECT_NE(project_.try_git({"merge", "other"}).exit, 0);
  const std::string conflict = project_.bytes(1);
  const Ran ran = project_.run({"accept", kPath});
  EXPECT_NE(ran.exit, 0);
  EXPECT_EQ(project_.bytes(1), conflict);
  EXPECT_EQ(project_.get(1), "complete");
  project_.must({"restore", kPath});
  EXPECT_EQ(project_.bytes(1), known_);
  EXPECT_EQ(project_.read(project_.only_kept("refused/settled")), conflict);
}

TEST_F(GitsFile, ConflictResolvedByHandIsAccepted) {
  diverge();
  EXPECT_NE(project_.try_git({"merge", "other"}).exit, 0);
  project_.must({"issue", "get", "1"});
  project_.put(1, replaced(known_, "\"late\"", "\"resolved\""));
  project_.commit_all("merged");
  project_.must({"accept", kPath});
  EXPECT_EQ(project_.shown(1)["session"], "resolved");
  EXPECT_EQ(project_.run({"issue", "get", "1"}).err, "");
}

TEST_F(GitsFile, DuringAMergeIsLeftAloneEvenWithoutMarkers) {
  diverge();
  project_.write("README", "ours\n");
  project_.commit_all("ours");
  project_.git({"checkout", "-q", "other"});
  project_.write("README", "theirs\n");
  project_.commit_all("theirs");
  project_.git({"checkout", "-q", "main"});
  EXPECT_NE(project_.try_git({"merge", "other", "-X", "theirs", "--no-commit"}).exit, 1)
      << "the merge stops before its commit";
  ASSERT_TRUE(std::filesystem::exists(project_.file(".git/MERGE_HEAD")));
  ASSERT_EQ(project_.shown(1)["session"], "late");
  EXPECT_TRUE(has(project_.bytes(1), "theirs")) << project_.bytes(1);
  EXPECT_EQ(project_.get(1), "complete");
}

TEST_F(GitsFile, DuringARebaseIsLeftAlone) {
  const std::size_t operations = project_.operations();
  diverge();
  project_.git({"checkout", "-q", "-b", "mine", "main"});
  EXPECT_NE(project_.try_git({"rebase", "other"}).exit, 0);
  ASSERT_TRUE(std::filesystem::exists(project_.file(".git/rebase-merge")));
  const std::string conflict = project_.bytes(1);
  EXPECT_EQ(project_.get(1), "complete");
  EXPECT_EQ(project_.bytes(1), conflict);
  EXPECT_EQ(project_.operations(), operations);
  project_.git({"rebase", "--abort"});
  EXPECT_EQ(project_.get(1), "complete");
  EXPECT_EQ(project_.bytes(1), known_);
}

TEST_F(GitsFile, LineEndingsThatGitConvertsAreStillGits) {
  project_.git({"config", "core.autocrlf", "true"});
  go_back();
  ASSERT_TRUE(has(project_.bytes(1), "\r\n"));
  EXPECT_EQ(project_.get(1), "complete");
}

// HEAD stays where it is, and files go back to it: so they do when they are stashed.
TEST_F(GitsFile, PutBackByAStashIsNeitherTakenOverNorWritten) {
  project_.must({"issue", "set", "1", "running", "--session", "stashed"});
  const std::string stashed = project_.bytes(1);
  project_.git({"stash", "-q"});
  ASSERT_EQ(project_.bytes(1), known_);
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "running\n");
  EXPECT_TRUE(has(ran.err, "was changed by git")) << ran.err;
  EXPECT_EQ(project_.bytes(1), known_);
  project_.git({"stash", "pop", "-q"});
  EXPECT_EQ(project_.bytes(1), stashed);
  EXPECT_EQ(project_.run({"issue", "get", "1"}).err, "");
  EXPECT_EQ(project_.run({"doctor"}).exit, 0);
}

// Its status is the one that pawl last wrote there; but not the one that pawl knows by now.
TEST_F(GitsFile, AcceptTakesItAsItIsWhateverWasDoneMeanwhile) {
  go_back();
  project_.must({"issue", "get", "1"});
  project_.must({"issue", "set", "1", "error", "--reason", "meanwhile"});
  const std::string moved = project_.bytes(1);
  ASSERT_TRUE(has(moved, "running"));
  project_.must({"accept", kPath});
  EXPECT_EQ(project_.bytes(1), moved);
  EXPECT_EQ(project_.get(1), "running");
  EXPECT_EQ(project_.shown(1)["session"], "early");
  EXPECT_EQ(project_.run({"issue", "get", "1"}).err, "");
  EXPECT_EQ(project_.bytes(1), moved);
}

TEST_F(GitsFile, AcceptTakesItAsItIsAlsoWhereTheStatusIsTheOneThatWasWrittenLast) {
  project_.must({"issue", "set", "1", "running", "--session", "again"});
  project_.commit_all("again");
  project_.must({"issue", "get", "1"});
  project_.git({"checkout", "-q", "HEAD~3"});
  project_.must({"issue", "set", "1", "complete"});
  const std::string moved = project_.bytes(1);
  ASSERT_TRUE(has(moved, "early"));
  project_.must({"accept", kPath});
  EXPECT_EQ(project_.bytes(1), moved);
  EXPECT_EQ(project_.get(1), "running");
}

TEST_F(GitsFile, AnAbortedRebaseLeavesWhatWasDoneMeanwhileInTheFile) {
  diverge();
  EXPECT_NE(project_.try_git({"rebase", "other"}).exit, 0);
  project_.must({"issue", "set", "1", "error", "--reason", "meanwhile"});
  project_.git({"rebase", "--abort"});
  ASSERT_EQ(project_.bytes(1), known_);
  EXPECT_EQ(project_.get(1), "error");
  EXPECT_EQ(project_.content(1)["status"], "error");
  const std::string written = project_.bytes(1);
  project_.must({"accept", kPath});
  EXPECT_EQ(project_.bytes(1), written);
  EXPECT_EQ(project_.get(1), "error");
}

TEST_F(GitsFile, PutBackByAResetIsGitsToo) {
  project_.must({"issue", "set", "1", "running", "--session", "lost"});
  project_.git({"reset", "-q", "--hard"});
  ASSERT_EQ(project_.bytes(1), known_);
  EXPECT_EQ(project_.get(1), "running");
  EXPECT_EQ(project_.bytes(1), known_);
  project_.must({"accept", kPath});
  EXPECT_EQ(project_.get(1), "complete");
  EXPECT_EQ(project_.run({"doctor"}).exit, 0);
}

// What a command did meanwhile is in the file as soon as that is back.
TEST_F(GitsFile, ComesBackWithWhatWasDoneMeanwhile) {
  project_.git({"checkout", "-q", "HEAD~2"});
  const std::string moved = project_.bytes(1);
  project_.must({"issue", "set", "1", "running", "--session", "newer"});
  project_.must({"issue", "set", "1", "running", "--session", "newest"});
  EXPECT_EQ(project_.bytes(1), moved);
  project_.git({"checkout", "-q", "main"});
  ASSERT_EQ(project_.bytes(1), known_);
  EXPECT_EQ(project_.run({"issue", "get", "1"}).err, "");
  EXPECT_EQ(project_.content(1)["session"], "newest");
  EXPECT_EQ(project_.content(1)["status"], "running");
  EXPECT_EQ(project_.run({"doctor"}).exit, 0);
}

// With all that git does not track.
TEST_F(GitsFile, TakenAwayByAStashIsNotGone) {
  project_.must({"issue", "set", "2", "running"});
  const std::string stashed = project_.bytes(2);
  project_.git({"stash", "-q", "-u"});
  ASSERT_EQ(project_.bytes(2), "(none)");
  EXPECT_EQ(project_.get(2), "running");
  EXPECT_EQ(project_.bytes(2), "(none)");
  project_.git({"stash", "pop", "-q"});
  EXPECT_EQ(project_.run({"issue", "get", "2"}).err, "");
  EXPECT_EQ(project_.bytes(2), stashed);
  // Taken away by hand it is gone.
  project_.git({"stash", "-q", "-u"});
  project_.git({"stash", "pop", "-q"});
  std::filesystem::remove(project_.file(IssueProject::path_of(2)));
  EXPECT_EQ(project_.get(2), "unknown");
}

// What is taken from the index leaves the files alone: what changes in them then is somebody's edit.
TEST_F(GitsFile, EditedByHandAfterAResetOfTheIndexIsAnEdit) {
  project_.git({"reset", "-q"});
  project_.edit(1, "\"late\"", "\"by hand\"");
  EXPECT_EQ(project_.shown(1)["session"], "by hand");
}

// What a filter makes of a file is not compared, but commits are: none of these brought anything.
TEST_F(GitsFile, BehindAFilterABranchAndACommitBringNothing) {
  project_.write(".gitattributes", "*.json filter=x\n");
  project_.commit_all("filtered");
  project_.must({"issue", "set", "1", "running", "--session", "again"});
  project_.git({"checkout", "-q", "-b", "work"});
  project_.commit_all("work");
  project_.edit(1, "\"running\"", "\"complete\"");
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "complete\n") << ran.err;
  EXPECT_FALSE(has(ran.err, "git")) << ran.err;
}

TEST_F(GitsFile, BroughtBackFromHeadIsGitsThoughHeadStaysWhereItIs) {
  project_.must({"issue", "set", "1", "running", "--session", "again"});
  project_.git({"checkout", "-q", "--", kPath});
  ASSERT_EQ(project_.bytes(1), known_);
  const std::size_t operations = project_.operations();
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "running\n") << ran.err;
  EXPECT_TRUE(has(ran.err, "was changed by git") && has(ran.err, "pawl restore")) << ran.err;
  EXPECT_EQ(project_.operations(), operations);
  EXPECT_EQ(project_.bytes(1), known_);
  project_.must({"accept", kPath});
  EXPECT_EQ(project_.out({"issue", "get", "1"}), "complete\n");
}

TEST_F(GitsFile, WrittenByHandAsHeadHasItIsAnEdit) {
  project_.must({"issue", "set", "1", "running", "--session", "again"});
  project_.write(kPath, known_);
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "complete\n");
  EXPECT_EQ(ran.err, "");
}

}  // namespace
}  // namespace pawl::test
