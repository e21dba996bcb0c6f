// A workspace that can be read and not written, as a user without rights meets it: what the files say is shown and
// marked; what is asked for is refused with the place and the reason; nothing is half done. Through the real binary.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

// Root may write everywhere, so pawl runs as somebody else then.
class ReadOnly : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) return;
    if (run_program("setpriv", {"--reuid=65534", "--regid=65534", "--clear-groups", "true"}).exit != 0) {
      GTEST_SKIP() << "root, and no way to be somebody else";
    }
    if (run_as_user({"version"}).exit != 0) GTEST_SKIP() << "the binary is not for everybody: " << PAWL_BINARY;
  }

  [[nodiscard]] Ran run_as_user(const std::vector<std::string>& args) const {
    if (::geteuid() != 0) return project_.run(args);
    std::vector<std::string> whole = {"--reuid=65534", "--regid=65534", "--clear-groups", "--", PAWL_BINARY};
    whole.insert(whole.end(), args.begin(), args.end());
    return run_program("setpriv", whole, project_.options());
  }
  // All may look, nobody but root may write. The kernel does not tell a user who writes to another's file: then it
  // counts as being written for two seconds after a change, which was a minute ago here.
  void lock(const fs::path& where) const {
    open_the_way();
    for (const auto& entry : fs::recursive_directory_iterator(where)) {
      if (entry.is_regular_file() && entry.path().string().find("/.pawl/") == std::string::npos)
        fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::minutes(1));
    }
    const auto none = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
    const auto look = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
    for (const auto& entry : fs::recursive_directory_iterator(where)) {
      fs::permissions(entry, none, fs::perm_options::remove);
      fs::permissions(entry, entry.is_directory() ? look | fs::perms::others_exec : look, fs::perm_options::add);
    }
    fs::permissions(where, none, fs::perm_options::remove);
    fs::permissions(where, look | fs::perms::others_exec, fs::perm_options::add);
  }
  // Everybody may do everything.
  void unlock(const fs::path& where) const {
    open_the_way();
    fs::permissions(where, fs::perms::all);
    for (const auto& entry : fs::recursive_directory_iterator(where)) fs::permissions(entry, fs::perms::all);
  }
  // mkdtemp lets nobody in.
  void open_the_way() const { fs::permissions(fs::path(project_.path()).parent_path(), fs::perms::all); }

  IssueProject project_;
};

TEST_F(ReadOnly, UnchangedWorkspaceReadsAsAlways) {
  project_.must({"issue", "set", "1", "running"});
  lock(project_.path());
  const Ran ran = run_as_user({"issue", "get", "1"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "running\n");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(run_as_user({"status"}).exit, 0);
  EXPECT_EQ(run_as_user({"log"}).exit, 0);
}

TEST_F(ReadOnly, EditShowsAsTheFileSaysItMarkedNotRecorded) {
  project_.must({"issue", "set", "1", "running"});
  project_.edit(1, "\"running\"", "\"complete\"");
  lock(project_.path());
  const Ran got = run_as_user({"issue", "get", "1"});
  EXPECT_EQ(got.exit, 0) << got.err;
  EXPECT_EQ(got.out, "complete\n");
  EXPECT_TRUE(has(got.err, "not recorded")) << got.err;
  const Ran shown = run_as_user({"show", "issue/1"});
  EXPECT_TRUE(has(shown.out, "not recorded")) << shown.out << shown.err;
  const Ran status = run_as_user({"status", "--all"});
  EXPECT_TRUE(has(status.out, "(not recorded)")) << status.out << status.err;
  // Whoever may write records it.
  unlock(project_.path());
  EXPECT_EQ(project_.run({"issue", "get", "1"}).err, "");
  EXPECT_EQ(project_.operations(), 2U);
}

TEST_F(ReadOnly, OfAFileWithManyEditsThatIsSaidOnce) {
  const auto list = [](std::string_view title) {
    std::string stories;
    for (const char* id : {"A", "B", "C"})
      stories += cat(stories.empty() ? "" : ",", R"({"id":")", id, R"(","title":")", title, R"(","status":"pending"})");
    return cat(R"({"stories":[)", stories, "]}");
  };
  project_.write("prd.json", list("before"));
  project_.must({"init"});
  project_.write("prd.json", list("after"));
  lock(project_.path());
  const Ran ran = run_as_user({"story", "list"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "story/A and 2 more are shown as prd.json says, not recorded")) << ran.err;
  EXPECT_FALSE(has(ran.err, "story/B")) << ran.err;
}

TEST_F(ReadOnly, InventedStatusIsNotShownAsOneAndNothingIsWritten) {
  project_.must({"issue", "set", "1", "running"});
  project_.edit(1, "\"running\"", "\"done\"");
  lock(project_.path());
  const Ran got = run_as_user({"issue", "get", "1"});
  EXPECT_EQ(got.exit, 0) << got.err;
  EXPECT_EQ(got.out, "running\n");
  EXPECT_FALSE(fs::exists(project_.file(".pawl/refused")));
  EXPECT_TRUE(has(project_.bytes(1), "done"));
}

TEST_F(ReadOnly, SetIsRefusedWithThePlaceAndNothingHappens) {
  project_.must({"issue", "set", "1", "running"});
  const std::string before = project_.bytes(1);
  lock(project_.path());
  const Ran ran = run_as_user({"issue", "set", "1", "complete"});
  EXPECT_EQ(ran.exit, 5);
  EXPECT_NE(ran.err, "");
  unlock(project_.path());
  EXPECT_EQ(project_.bytes(1), before);
  EXPECT_EQ(project_.operations(), 1U);
}

TEST_F(ReadOnly, FolderOfTheFileAloneRefusesASetAndTheStoreStaysAsItWas) {
  project_.must({"issue", "set", "1", "running"});
  unlock(project_.path());
  lock(project_.file(".worktrees/.status"));
  const Ran ran = run_as_user({"issue", "set", "1", "complete"});
  EXPECT_EQ(ran.exit, 5);
  EXPECT_TRUE(has(ran.err, ".worktrees/.status")) << ran.err;
  EXPECT_TRUE(has(ran.err, "nothing was changed")) << ran.err;
  EXPECT_EQ(run_as_user({"issue", "get", "1"}).out, "running\n");
  EXPECT_EQ(project_.operations(), 1U);
  EXPECT_TRUE(project_.kept("tmp").empty());
}

// The edit needs no writing in the file's folder, so it can be recorded.
TEST_F(ReadOnly, FolderOfTheFileAloneStillRecordsALegalEdit) {
  project_.must({"issue", "set", "1", "running"});
  project_.edit(1, "\"running\"", "\"complete\"");
  unlock(project_.path());
  lock(project_.file(".worktrees/.status"));
  const Ran got = run_as_user({"issue", "get", "1"});
  EXPECT_EQ(got.out, "complete\n");
  EXPECT_FALSE(has(got.err, "not recorded")) << got.err;
  EXPECT_EQ(project_.operations(), 2U);
}

TEST_F(ReadOnly, WithoutAStoreFilesAreStillShown) {
  project_.put(1, "{\"issue\": 1, \"status\": \"complete\"}");
  lock(project_.path());
  EXPECT_EQ(run_as_user({"issue", "get", "1"}).out, "complete\n");
  const Ran doctor = run_as_user({"doctor"});
  EXPECT_EQ(doctor.exit, 1);
  EXPECT_TRUE(has(doctor.out, "pawl init would find no place for its store")) << doctor.out;
  const Ran set = run_as_user({"issue", "set", "1", "running"});
  EXPECT_EQ(set.exit, 5);
  EXPECT_FALSE(project_.exists(".pawl"));
}

}  // namespace
}  // namespace pawl::test
