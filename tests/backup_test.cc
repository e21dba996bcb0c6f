// `pawl backup` and `pawl compact`: a copy of one moment while others write; history goes, the present stays.
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "pawl/pawl.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class Backup : public testing::Test {
 protected:
  void set(const std::string& number, const std::string& status) {
    EXPECT_EQ(ws.run({"issue", "set", number, status, "--reason", "test"}).exit, 0);
  }
  Json log(const TempWorkspace& where) {
    const Ran ran = where.run({"log", "--json", "--limit", "1000000"});
    const auto parsed = parse_json(ran.out);
    EXPECT_TRUE(parsed) << ran.err;
    return parsed ? *parsed : Json();
  }
  TempWorkspace ws;
};

TEST_F(Backup, CopyIsAStoreThatCanBeUsed) {
  set("1", "running");
  set("2", "error");
  const std::string target = ws.home() + "/copy.db";
  const Ran ran = ws.run({"backup", target});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("copy.db"), std::string::npos);
  set("1", "complete");
  const TempWorkspace other;
  fs::create_directories(other.file(".pawl/tmp"));
  fs::copy_file(target, other.file(".pawl/pawl.db"));
  fs::create_directories(other.file(".worktrees/.status"));
  for (const char* name : {"1.json", "2.json"})
    fs::copy_file(ws.file(cat(".worktrees/.status/", name)), other.file(cat(".worktrees/.status/", name)));
  EXPECT_EQ(other.run({"issue", "list", "--at", "2"}).out, "1\trunning\n2\terror\n");
  EXPECT_EQ(other.run({"issue", "list"}).out, "1\tcomplete\n2\terror\n")
      << "the file is newer than the copy, and counts";
  EXPECT_EQ(log(other).size(), 3U) << "the two of the copy, and what the file said";
  EXPECT_EQ(other.run({"issue", "set", "3", "running"}).exit, 0);
  EXPECT_EQ(other.run({"doctor"}).exit, 0);
  EXPECT_EQ(ws.run({"issue", "list"}).out, "1\tcomplete\n2\terror\n") << "the copy is not the original";
}

TEST_F(Backup, TargetThatExistsIsRefusedAndNotTouched) {
  set("1", "running");
  const std::string target = ws.home() + "/mine.txt";
  write_all(target, "mine");
  const Ran ran = ws.run({"backup", target});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_NE(ran.err.find("mine.txt"), std::string::npos) << ran.err;
  EXPECT_EQ(read_all(target), "mine");
  fs::create_symlink("nothing", ws.home() + "/link");
  EXPECT_EQ(ws.run({"backup", ws.home() + "/link"}).exit, 1);
  EXPECT_EQ(ws.run({"backup", ws.file(".pawl/pawl.db")}).exit, 2);
  EXPECT_EQ(ws.run({"backup", ws.home() + "/no/folder/x.db"}).exit, 5);
  EXPECT_EQ(ws.run({"issue", "get", "1"}).out, "running\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(ws.home()), fs::directory_iterator()), 2)
      << "something was left behind";
}

TEST_F(Backup, WithoutAStoreThereIsNothingToCopy) {
  EXPECT_EQ(ws.run({"backup", ws.home() + "/copy.db"}).exit, 3);
  EXPECT_FALSE(fs::exists(ws.home() + "/copy.db"));
  EXPECT_FALSE(ws.exists(".pawl"));
}

TEST_F(Backup, RelativeTargetIsRelativeToWhereOneStands) {
  set("1", "running");
  RunOptions below;
  below.cwd = ws.home();
  EXPECT_EQ(ws.run({"-C", ws.path(), "backup", "copy.db"}, below).exit, 0);
  EXPECT_TRUE(ws.exists("copy.db")) << "-C says that other paths are relative to it";
}

// Every operation has its one event in the copy, and the copy is sound.
TEST_F(Backup, CopyMadeWhileOthersWriteIsOfOneMoment) {
  set("1", "running");
  std::vector<pid_t> writers;
  for (int writer = 0; writer < 2; ++writer) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      auto client = Client::open({ws.path(), cat("writer ", writer), writer == 1, {}});
      for (int i = 0; client; ++i) {
        if (!client->call(
                "issue set",
                {{"number", std::to_string(i % 20 + 1)}, {"status", "running"}, {"session", std::string(900, 's')}}))
          break;
      }
      ::_exit(1);
    }
    writers.push_back(pid);
  }
  std::int64_t last = 0;
  for (int copy = 0; copy < 8; ++copy) {
    const std::string target = cat(ws.home(), "/copy", copy, ".db");
    const Ran ran = ws.run({"backup", target});
    ASSERT_EQ(ran.exit, 0) << ran.err;
    const TempWorkspace other;
    fs::create_directories(other.file(".pawl/tmp"));
    fs::copy_file(target, other.file(".pawl/pawl.db"));
    const auto health = parse_json(other.run({"doctor", "--json"}).out);
    ASSERT_TRUE(health);
    EXPECT_TRUE((*health)["healthy"].get<bool>()) << to_line(*health);
    const auto operations = (*health)["operations"].get<std::int64_t>();
    EXPECT_GE(operations, last) << "a later copy knows less";
    EXPECT_EQ(operations, (*health)["events"].get<std::int64_t>());
    last = operations;
  }
  for (const pid_t pid : writers) {
    EXPECT_EQ(::waitpid(pid, nullptr, WNOHANG), 0) << "a writer had to give up";
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  EXPECT_GT(last, 1) << "nobody wrote meanwhile";
  EXPECT_EQ(ws.run({"doctor"}).exit, 0) << ws.run({"doctor"}).out;
}

TEST_F(Backup, CompactKeepsThePresent) {
  for (const char* word : {"running", "error", "running", "complete"}) set("1", word);
  set("2", "running");
  ASSERT_EQ(ws.run({"issue", "remove", "2"}).exit, 0);
  const std::string shown = ws.run({"issue", "show", "1", "--json"}).out,
                    file = ws.read(".worktrees/.status/1.json").value_or("");
  const std::int64_t revision =
      parse_json(ws.run({"show", "issue/1", "--json"}).out)->at("revision").get<std::int64_t>();
  const Ran ran = ws.run({"compact", "--keep", "0s", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(parse_json(ran.out)->at("events_removed"), 4) << "three of issue 1 and one of issue 2";
  EXPECT_EQ(ws.run({"issue", "list"}).out, "1\tcomplete\n");
  EXPECT_EQ(ws.run({"issue", "show", "1", "--json"}).out, shown);
  EXPECT_EQ(ws.read(".worktrees/.status/1.json"), file);
  EXPECT_EQ(ws.run({"doctor"}).exit, 0) << ws.run({"doctor"}).out;
  set("1", "running");
  EXPECT_EQ(parse_json(ws.run({"show", "issue/1", "--json"}).out)->at("revision"), revision + 1) << "revisions go on";
}

TEST_F(Backup, CompactOfYoungHistoryRemovesNothing) {
  for (const char* word : {"running", "error", "running"}) set("1", word);
  const std::string before = ws.run({"log", "--json"}).out;
  const Ran ran = ws.run({"compact", "--keep", "90d", "--json"});
  EXPECT_EQ(parse_json(ran.out)->at("events_removed"), 0);
  EXPECT_EQ(ws.run({"log", "--json"}).out, before);
  for (const char* keep : {"90", "", "-1d", "soon"}) EXPECT_EQ(ws.run({"compact", "--keep", keep}).exit, 2) << keep;
  EXPECT_EQ(ws.run({"compact"}).exit, 2) << "how much is to be kept has to be said";
}

TEST_F(Backup, CompactedHistoryIsSaidToBeSo) {
  for (const char* word : {"running", "error", "running"}) set("1", word);
  ASSERT_EQ(ws.run({"issue", "get", "1", "--at", "1"}).out, "running\n");
  ASSERT_EQ(ws.run({"issue", "get", "1", "--at", "2"}).out, "error\n");
  ASSERT_EQ(ws.run({"compact", "--keep", "0s"}).exit, 0);
  for (const char* verb : {"get", "show", "error"}) {
    const Ran ran = ws.run({"issue", verb, "1", "--at", "1"});
    EXPECT_EQ(ran.exit, 3) << ran.out;
    EXPECT_NE(ran.err.find("older than what is kept"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(ws.run({"issue", "get", "1", "--at", "3"}).out, "running\n");
  const Ran never = ws.run({"issue", "get", "1", "--at", "999"});
  EXPECT_EQ(never.exit, 3);
  EXPECT_NE(never.err.find("there is no operation 999"), std::string::npos) << never.err;
}

// An operation that is kept has others before it that are not: what stood then is not made up.
TEST_F(Backup, PastThatIsPartlyCompactedIsNotMadeUp) {
  set("1", "running");
  set("2", "running");
  set("2", "error");
  set("1", "complete");
  ASSERT_EQ(ws.run({"compact", "--keep", "0s"}).exit, 0);
  // Operation 3 is kept, as it is issue 2's newest; issue 1 was running then, which nobody knows any more.
  const Ran ran = ws.run({"issue", "get", "1", "--at", "3"});
  EXPECT_TRUE(ran.exit == 3 || ran.out == "running\n") << "it says: " << ran.out;
  const Ran list = ws.run({"issue", "list", "--at", "3"});
  EXPECT_TRUE(list.exit == 3 || list.out == "1\trunning\n2\terror\n") << "it says: " << list.out;
}

TEST_F(Backup, UndoOfCompactedHistoryIsRefused) {
  set("1", "running");
  set("1", "error");
  ASSERT_EQ(ws.run({"compact", "--keep", "0s"}).exit, 0);
  const Ran ran = ws.run({"undo"});
  EXPECT_EQ(ran.exit, 3) << ran.out;
  EXPECT_NE(ran.err.find("no longer kept"), std::string::npos) << ran.err;
  EXPECT_EQ(ws.run({"issue", "get", "1"}).out, "error\n");
}

}  // namespace
}  // namespace pawl::test
