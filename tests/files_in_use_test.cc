// Other programs take their time when they write. Whatever pawl does meanwhile, their bytes end in the file or in a
// record, and what a command did is there as well.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

struct Format {
  const char* name;
  std::string path, bytes;
  std::string before, after;             // another program's edit, of the same length
  std::vector<std::string> look;         // a command that reads it
  std::vector<std::string> change;       // a command that writes it,
  std::string ours;                      // and what the file has then
  std::vector<std::string> change_more;  // another one
  std::string more;
};

std::string issue(std::string_view session) {
  return cat("{\n  \"issue\": 1,\n  \"status\": \"running\",\n  \"session\": \"", session,
             "\",\n  \"timestamp\": \"2026-01-02T03:04:05Z\"\n}\n");
}

const Format kFormats[] = {
    {"issue",
     ".worktrees/.status/1.json",
     issue("pi-issue-1"),
     "pi-issue-1",
     "pi-issue-X",
     {"issue", "get", "1"},
     {"issue", "set", "1", "complete"},
     "\"complete\"",
     {"issue", "set", "1", "error", "--message", "m", "--reason", "r"},
     "\"error\""},
    {"story",
     "prd.json",
     R"({"project": "p", "userStories": [)"
     R"({"id": "US-1", "title": "One", "acceptanceCriteria": [], "priority": 1, "passes": false},)"
     R"({"id": "US-2", "title": "Two", "acceptanceCriteria": [], "priority": 2, "passes": false}]})",
     "One",
     "Uno",
     {"story", "list"},
     {"story", "move", "US-2", "passed"},
     "\"passes\": true",
     {"story", "add", "US-3", "--title", "Three"},
     "Three"},
    {"loop",
     ".omc/ralph-state.json",
     R"({"active": true, "iteration": 3, "max_iterations": 50, "prompt": "mend it", "session_id": "s",)"
     R"( "started_at": "2026-01-02T03:04:05.000Z"})",
     "mend it",
     "MEND IT",
     {"ralph", "show"},
     {"ralph", "tick", "--session", "s"},
     "\"iteration\": 4",
     {"ralph", "tick", "--session", "s"},
     "\"iteration\": 5"},
    {"review",
     ".review-buddy/review-buddy-state.md",
     "---\npr_owner: \"o\"\npr_repo: \"r\"\npr_number: 1\nhead_sha: \"abc123\"\nstarted: \"2026-01-02T03:04:05Z\"\n"
     "updated: \"2026-01-02T03:04:05Z\"\nmode: \"full\"\nfocus: \"\"\nself_review: false\n---\n\n## Chunk Plan\n\n"
     "| Chunk | Files | LOC | Status |\n|-------|-------|-----|--------|\n| 1 | a.ts | 1 | reviewed |\n"
     "| 2 | b.ts | 2 | pending |\n\n## Findings\n\n### 🟡 Recommended Slow loop\n\n"
     "**File:** `a.ts:1` | **Category:** bug | **Confidence:** 90/100\n**Marked for GitHub:** true\n\nIt is slow.\n\n"
     "## Comments by File\n\n```json\n{}\n```\n",
     "It is slow.",
     "It is SLOW.",
     {"review", "status"},
     {"review", "mark", "2", "in-progress"},
     "in-progress |",
     {"review", "mark", "2", "skipped"},
     "skipped |"},
};

class FileInUse : public testing::TestWithParam<std::size_t> {
 protected:
  FileInUse() {
    project.write("pawl.toml", "gates = \"record\"\n");
    project.write(format.path, format.bytes);
    project.must({"init"});
    edited = replaced(format.bytes, format.before, format.after);
  }
  ~FileInUse() override {
    if (held >= 0) close(held);
    for (const std::string_view folder : {"damaged", "refused", "tmp"})
      EXPECT_EQ(project.kept(folder), std::vector<std::string>()) << folder;
    const Json checkup = *parse_json(project.run({"doctor", "--json"}).out);
    for (const Json& file : checkup["files"]) EXPECT_EQ(file["case"], "in-step") << file;
  }
  void open_file(int how) {
    held = open(project.file(format.path).c_str(), how | O_CLOEXEC);
    ASSERT_GE(held, 0);
  }
  void put(std::string_view bytes) const {
    ASSERT_EQ(write(held, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void close_file() { close(std::exchange(held, -1)); }
  [[nodiscard]] std::string now() const { return project.read(format.path).value_or("(none)"); }
  [[nodiscard]] ino_t inode() const {
    struct stat info {};
    EXPECT_EQ(stat(project.file(format.path).c_str(), &info), 0);
    return info.st_ino;
  }
  // A look succeeds, and says that the file is in use.
  void look_meanwhile() const {
    const std::string before = now();
    const ino_t same = inode();
    const Ran ran = project.run(format.look);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_TRUE(has(ran.err, cat(format.path, ": a program "))) << ran.err;
    EXPECT_EQ(now(), before);
    EXPECT_EQ(inode(), same);
  }
  void expect_in_file(const std::vector<std::string>& parts) const {
    const Ran ran = project.run(format.look);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    for (const std::string& part : parts) EXPECT_TRUE(has(now(), part)) << part << " is missing from\n" << now();
  }

  const Format& format = kFormats[GetParam()];
  IssueProject project;
  std::string edited;
  int held = -1;
};

TEST_P(FileInUse, ASlowWriterKeepsItsFile) {
  open_file(O_WRONLY | O_TRUNC);
  look_meanwhile();
  const std::size_t half = edited.size() / 2;
  put(edited.substr(0, half));
  look_meanwhile();
  project.must(format.change);
  EXPECT_EQ(now(), edited.substr(0, half));
  put(edited.substr(half));
  look_meanwhile();
  close_file();
  expect_in_file({format.after, format.ours});
}

TEST_P(FileInUse, AProgramThatEditsInPlaceKeepsItsFile) {
  open_file(O_RDWR);
  project.must(format.change);
  EXPECT_EQ(now(), format.bytes);
  put(edited);
  look_meanwhile();
  close_file();
  expect_in_file({format.after, format.ours});
}

TEST_P(FileInUse, AFileThatIsWrittenForTheFirstTimeIsTakenWhenItIsComplete) {
  TempWorkspace other;
  other.write("pawl.toml", "gates = \"record\"\n");
  other.write(format.path, "");
  const int fd = open(other.file(format.path).c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  const Ran ran = other.run({"init"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(write(fd, edited.data(), edited.size()), static_cast<ssize_t>(edited.size()));
  close(fd);
  EXPECT_EQ(other.run(format.change).exit, 0);
  EXPECT_TRUE(has(other.read(format.path).value_or(""), format.ours)) << other.read(format.path).value_or("(none)");
  EXPECT_TRUE(has(other.read(format.path).value_or(""), format.after));
}

// It is opened when pawl is about to exchange it: what is written then goes to a file that has no name any more.
TEST_P(FileInUse, WhatIsWrittenToADisplacedFileIsLookedAtWhenItIsClosed) {
  if (!project.run_with(
          SYS_renameat2, [&] { open_file(O_RDWR); }, format.change))
    GTEST_SKIP() << "this machine forbids tracing";
  EXPECT_TRUE(has(now(), format.ours)) << now();
  look_meanwhile();
  put(edited.substr(0, edited.size() / 2));
  look_meanwhile();
  put(edited.substr(edited.size() / 2));
  close_file();
  expect_in_file({format.after, format.ours});
}

TEST_P(FileInUse, AnotherCommandMeanwhileChangesNothingAboutThat) {
  if (!project.run_with(
          SYS_renameat2, [&] { open_file(O_RDWR); }, format.change))
    GTEST_SKIP() << "this machine forbids tracing";
  project.must(format.change_more);
  put(edited);
  project.must({"status"});
  close_file();
  expect_in_file({format.after, format.more});
}

INSTANTIATE_TEST_SUITE_P(Formats, FileInUse, testing::Range<std::size_t>(0, std::size(kFormats)),
                         [](const auto& one) { return std::string(kFormats[one.param].name); });

// Somebody watches all the while: a look of the watcher is a look like any other.
TEST(FilesInUse, AWatcherReplacesNothing) {
  IssueProject project;
  project.put(1, issue("one"));
  project.put(2, issue("two"));
  project.must({"init"});
  Child watch(PAWL_BINARY, {"watch", "--json"}, project.options());
  ASSERT_TRUE(watch.wait_for("listening"));
  const int held = open(project.file(IssueProject::path_of(1)).c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  project.put(2, replaced(issue("two"), "running", "complete"));
  EXPECT_TRUE(watch.wait_for("complete"));
  EXPECT_EQ(project.bytes(1), "");
  const std::string edited = issue("another");
  EXPECT_EQ(write(held, edited.data(), edited.size()), static_cast<ssize_t>(edited.size()));
  close(held);
  EXPECT_TRUE(watch.wait_for("another"));
  EXPECT_EQ(project.bytes(1), edited);
}

// Half a file is nothing that a person can settle.
TEST(FilesInUse, NeitherAcceptNorRestoreSettlesAFileThatIsBeingWritten) {
  IssueProject project;
  project.must({"issue", "set", "1", "running"});
  const std::string path = project.file(IssueProject::path_of(1));
  const Fd writer(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  ASSERT_EQ(::write(writer.get(), "{\"iss", 5), 5);
  for (const char* const verb : {"accept", "restore"}) {
    const Ran ran = project.run({verb, IssueProject::path_of(1), "--json"});
    EXPECT_TRUE(has(ran.err, "\"busy\"")) << ran.out << ran.err;
    EXPECT_EQ(project.bytes(1), "{\"iss");
  }
}

// Without leases nobody can say whether the file is open: it is judged once it has been unchanged for two seconds.
TEST(FilesInUse, WithoutLeasesAFileIsJudgedWhenItHasBeenUnchangedForAWhile) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can run pawl as another user";
  IssueProject project;
  project.put(1, issue("one"));
  ASSERT_EQ(run_program("chown", {"-R", "65534:65534", fs::path(project.path()).parent_path()}).exit, 0);
  ASSERT_EQ(run_program("chown", {"root:root", project.file(IssueProject::path_of(1))}).exit, 0);
  const auto as_nobody = [&](std::vector<std::string> args) {
    std::vector<std::string> all = {"--reuid", "65534", "--regid", "65534", "--clear-groups", PAWL_BINARY};
    all.insert(all.end(), args.begin(), args.end());
    RunOptions options = project.options();
    options.cwd = project.path();
    return run_program("setpriv", all, options);
  };
  const auto age = [&](int seconds) {
    fs::last_write_time(project.file(IssueProject::path_of(1)),
                        fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
  };
  age(10);
  const Ran began = as_nobody({"init"});
  ASSERT_EQ(began.exit, 0) << began.err;
  project.write(IssueProject::path_of(1), "");
  age(-1);  // within two seconds for the next three
  Ran ran = as_nobody({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "running\n") << ran.err;
  EXPECT_EQ(project.bytes(1), "");
  project.write(IssueProject::path_of(1), replaced(issue("one"), "running", "complete"));
  age(3);
  ran = as_nobody({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "complete\n") << ran.err;
}

}  // namespace
}  // namespace pawl::test
