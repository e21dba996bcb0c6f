// Leaving with files that pawl could not bring up to date: they are named, and what pawl knew of them goes along.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

constexpr std::string_view kAllUpToDate = "your files are up to date, and stay as they are";

class LeaveBehind : public testing::Test {
 protected:
  LeaveBehind() {
    project.start_git();
    project.must({"issue", "set", "1", "running", "--session", "a"});
  }
  // What the copy of an issue's file says, as other tools read it.
  [[nodiscard]] Json known(int number) const {
    const auto text = project.read(cat("pawl-left/known/_.worktrees+.status+", number, ".json"));
    const auto json = parse_json(text.value_or("null"));
    return json ? *json : Json();
  }
  IssueProject project;
  const std::string file = IssueProject::path_of(1);
};

TEST_F(LeaveBehind, WhatGitPutBackIsNamedAndWhatPawlKnewIsKept) {
  project.commit_all("running");
  project.must({"issue", "set", "1", "complete"});
  project.commit_all("complete");
  project.git({"checkout", "-q", "HEAD~1"});
  const Ran would = project.run({"leave", "--dry-run"});
  EXPECT_FALSE(has(would.out, kAllUpToDate)) << would.out;
  for (const std::string& part : {cat(file, ": git changed it"),
                                  cat("      before you leave:\n        pawl accept ", file,
                                      "  # takes the file's version\n        pawl restore ", file),
                                  cat("pawl restore ", file), std::string("pawl-left/known/")})
    EXPECT_TRUE(has(would.out, part)) << part << "\nis not in\n" << would.out;
  EXPECT_FALSE(project.exists("pawl-left"));
  const Ran left = project.run({"leave"});
  EXPECT_EQ(left.exit, 0) << left.err;
  EXPECT_FALSE(has(left.out, kAllUpToDate)) << left.out;
  EXPECT_TRUE(has(left.out, cat(file, ": git changed it"))) << left.out;
  // What would be refused from now on is not advised.
  EXPECT_FALSE(has(left.out + left.err, "pawl accept") || has(left.out + left.err, "pawl restore")) << left.err;
  EXPECT_EQ(known(1)["status"], "complete");
  EXPECT_EQ(known(1)["session"], "a");
  EXPECT_EQ(project.content(1)["status"], "running");
}

TEST_F(LeaveBehind, AFileThatIsTooLargeToBeReadIsNamedAndStopsNothing) {
  project.write(file, std::string(std::size_t{5} << 20U, ' '));
  const Ran would = project.run({"leave", "--dry-run"});
  EXPECT_EQ(would.exit, 0) << would.err;
  const Ran left = project.run({"leave"});
  EXPECT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(has(left.out, file)) << left.out;
  EXPECT_EQ(known(1)["status"], "running");
}

TEST_F(LeaveBehind, NamesThatGitHasPackedAreNamedToo) {
  project.commit_all("one");
  EXPECT_FALSE(has(project.out({"leave", "--dry-run"}), "refs/pawl/"));
  project.git({"update-ref", "refs/pawl/issue-1/kept", "HEAD"});
  EXPECT_TRUE(has(project.out({"leave", "--dry-run"}), "refs/pawl/"));
  project.git({"pack-refs", "--all"});
  EXPECT_TRUE(has(project.out({"leave", "--dry-run"}), "refs/pawl/"));
}

TEST_F(LeaveBehind, WhatWasDoneWhileTheFileWasGitsIsKeptToo) {
  project.commit_all("running");
  project.must({"issue", "set", "1", "running", "--session", "b"});
  project.commit_all("again");
  project.git({"checkout", "-q", "HEAD~1"});
  project.must({"issue", "set", "1", "error", "--message", "meanwhile"});
  project.must({"leave"});
  EXPECT_EQ(known(1)["status"], "error");
  EXPECT_EQ(project.content(1)["session"], "a");
}

TEST_F(LeaveBehind, ConflictMarkersAreLeftToWhoeverResolvesThem) {
  const std::string good = project.bytes(1);
  const std::string merged = cat("<<<<<<< ours\n", good, "=======\n{}\n>>>>>>> theirs\n");
  project.put(1, merged);
  const Ran left = project.run({"leave"});
  EXPECT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(has(left.out, cat(file, ": it has conflict markers in it"))) << left.out;
  EXPECT_FALSE(has(left.out, kAllUpToDate)) << left.out;
  EXPECT_EQ(project.bytes(1), merged);
  EXPECT_EQ(project.read("pawl-left/known/_.worktrees+.status+1.json"), good);
  // And who comes back is not told that they are written over.
  const Ran back = project.run({"init"});
  EXPECT_TRUE(has(back.out, cat("left alone: ", file, ": it has conflict markers in it"))) << back.out;
  EXPECT_FALSE(has(back.out, "the next command writes what pawl knows")) << back.out;
  project.must({"status"});
  EXPECT_EQ(project.bytes(1), merged);
}

TEST_F(LeaveBehind, ADamagedFileWithoutAnEarlierStateAndAFolderInTheWay) {
  project.put(2, "{\"issue\": 2, \"sta");
  project.drop(1);
  std::filesystem::create_directory(project.file(file));
  for (const bool dry_run : {true, false}) {
    const Ran left =
        project.run(dry_run ? std::vector<std::string>{"leave", "--dry-run"} : std::vector<std::string>{"leave"});
    EXPECT_EQ(left.exit, 0) << left.err;
    EXPECT_TRUE(has(left.out, cat(IssueProject::path_of(2), ": it cannot be read: "))) << left.out;
    EXPECT_TRUE(has(left.out, "it is a folder")) << left.out;
    EXPECT_FALSE(has(left.out, kAllUpToDate)) << left.out;
  }
  EXPECT_EQ(known(1)["status"], "running");
  EXPECT_TRUE(known(2).is_null());
  const Ran back = project.run({"init"});
  EXPECT_TRUE(has(back.out, "pawl takes nothing from it, and leaves it as it is")) << back.out;
  EXPECT_FALSE(has(back.out, "the next command writes what pawl knows")) << back.out;
  EXPECT_FALSE(has(back.out, "\n    \n") || has(back.out, "\n\n")) << back.out;
}

TEST_F(LeaveBehind, WhatIsRestoredOnLeavingIsToldBeforeAndAfter) {
  project.put(1, "{\"issue\": 1, \"sta");
  const Ran would = project.run({"leave", "--dry-run"});
  EXPECT_TRUE(has(would.out, cat("put back in ", file, " what stood there before: it is damaged"))) << would.out;
  EXPECT_TRUE(has(would.out, "leave all other files as they are")) << would.out;
  const Ran left = project.run({"leave"});
  EXPECT_TRUE(has(left.out, cat(file, ": what stood there before was put back: it is damaged"))) << left.out;
  EXPECT_FALSE(has(left.out, kAllUpToDate)) << left.out;
  EXPECT_EQ(project.content(1)["status"], "running");
  EXPECT_FALSE(project.exists("pawl-left/known"));
}

TEST_F(LeaveBehind, AValueThatIsNotAllowedIsToldBeforeItIsPutBack) {
  project.edit(1, "\"running\"", "\"shipped\"");
  const std::string edited = project.bytes(1);
  const Ran would = project.run({"leave", "--dry-run"});
  EXPECT_EQ(would.exit, 0) << would.err;
  EXPECT_TRUE(has(would.out, cat("put back in ", file, " what stood there before: ")) && has(would.out, "shipped"))
      << would.out;
  EXPECT_FALSE(has(would.out, "your files")) << would.out;
  EXPECT_EQ(project.bytes(1), edited) << "it was only told";
  const Ran left = project.run({"leave"});
  EXPECT_TRUE(has(left.out, cat(file, ": what stood there before was put back: "))) << left.out;
  EXPECT_FALSE(has(left.out, kAllUpToDate)) << left.out;
  EXPECT_EQ(project.content(1)["status"], "running");
}

TEST_F(LeaveBehind, AValueThatWillBeLeftStandingIsToldBefore) {
  project.write("pawl.toml", "outside = \"flag\"\n");
  project.edit(1, "\"running\"", "\"almost\"");
  const std::string edited = project.bytes(1);
  const Ran would = project.run({"leave", "--dry-run"});
  EXPECT_TRUE(has(would.out, cat(file, ": issue/1 is “almost” there (pawl knows it as “running”)"))) << would.out;
  EXPECT_FALSE(has(would.out, "they are up to date\n")) << would.out;
  EXPECT_EQ(project.bytes(1), edited);
  const Ran left = project.run({"leave"});
  EXPECT_TRUE(has(left.out, cat(file, ": issue/1 is “almost” there (pawl knows it as “running”)"))) << left.out;
  EXPECT_EQ(known(1)["status"], "running");
}

TEST_F(LeaveBehind, WhatIsLeftAsItIsReadsSo) {
  EXPECT_TRUE(
      has(project.out({"leave", "--dry-run"}),
          "pawl leave would\n  leave your files as they are; they are up to date\n  write pawl-left/log.jsonl"));
  EXPECT_TRUE(has(project.out({"leave"}), kAllUpToDate));
}

TEST_F(LeaveBehind, OfManyAtOnceOneLeaves) {
  constexpr int kRounds = 5, kAtOnce = 6;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::unique_ptr<Child>> children;
    for (int i = 0; i < kAtOnce; ++i)
      children.push_back(std::make_unique<Child>(PAWL_BINARY, std::vector<std::string>{"leave"}, project.options()));
    int left = 0;
    for (const auto& child : children) {
      const Ran ran = child->finish();
      left += ran.exit == 0 ? 1 : 0;
      EXPECT_TRUE(ran.exit == 0 || (ran.exit == 3 && has(ran.err, "pawl was left here"))) << ran.exit << ran.err;
    }
    EXPECT_EQ(left, 1);
    EXPECT_TRUE(project.exists("pawl-left"));
    EXPECT_FALSE(project.exists("pawl-left-2"));
    std::filesystem::remove_all(project.file("pawl-left"));
    project.must({"init"});
  }
}

TEST(LeaveOnAFullDisk, SaysThatItIsFull) {
  namespace fs = std::filesystem;
  const TempWorkspace ws;
  const std::string disk = ws.home() + "/disk";
  fs::create_directory(disk);
  if (::mount("pawl-test", disk.c_str(), "tmpfs", 0, "size=2m") != 0)
    GTEST_SKIP() << "needs root, to mount a small disk";
  struct Unmount {
    std::string path;
    ~Unmount() { ::umount2(path.c_str(), MNT_DETACH); }
  } const unmount{disk};
  fs::create_directories(disk + "/.git");
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(disk + name, std::ios::binary) << bytes;
  };
  ASSERT_EQ(ws.run({"-C", disk, "issue", "set", "1", "running"}).exit, 0);
  fs::create_directories(disk + "/.pawl/refused");
  write("/.pawl/refused/prd.json.20260101T000000Z", std::string(std::size_t{400} << 10U, 'x'));
  write("/filler", std::string(fs::space(disk).available - (std::size_t{200} << 10U), 'f'));
  const Ran ran = ws.run({"-C", disk, "leave"});
  EXPECT_EQ(ran.exit, 5);
  EXPECT_TRUE(has(ran.err, "cannot copy") && has(ran.err, "no space left on the disk")) << ran.err;
  fs::remove(disk + "/filler");
  EXPECT_EQ(ws.run({"-C", disk, "leave"}).exit, 0);
  EXPECT_EQ(fs::file_size(disk + "/pawl-left/refused/prd.json.20260101T000000Z"), std::size_t{400} << 10U);
}

// Leaving took hooks out on one branch; another has them still.
TEST_F(LeaveBehind, HooksThatGitBringsBackAreNamed) {
  project.must({"init", "--all"});
  project.commit_all("hooks");
  project.git({"checkout", "-q", "-b", "other", "HEAD~1"});
  project.must({"leave"});
  project.git({"checkout", "-q", "-f", "main"});
  for (const char* const verb : {"doctor", "leave"}) {
    const Ran ran = project.run({verb});
    EXPECT_NE(ran.exit, 0);
    EXPECT_TRUE(has(ran.out + ran.err, "pawl init --all --remove")) << ran.out << ran.err;
    EXPECT_TRUE(has(ran.out + ran.err, ".claude/settings.json")) << ran.out << ran.err;
  }
  project.must({"init", "--all", "--remove"});
  EXPECT_FALSE(has(project.run({"doctor"}).out, "--remove"));
}

}  // namespace
}  // namespace pawl::test
