// What there may be thousands of costs as much for each as for the first: files that git brought, findings, words that
// are no status.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "support/review_project.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

// How much longer it takes for four times as many: 4 where each costs the same, 16 where each is compared with each.
constexpr int kFew = 3'000, kMany = 4 * kFew;
constexpr double kTooMuch = 8;

// Of the processor, by processes that have ended: others on this machine do not count.
double seconds_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

template <class Work>
double seconds_for(const Work& work) {
  const double before = seconds_of_children();
  work();
  return seconds_of_children() - before;
}

// A git that writes down that it was run.
class CountedGit : public testing::Test {
 protected:
  CountedGit() {
    project.start_git();
    const std::string folder = project.home() + "/counted";
    std::filesystem::create_directories(folder);
    const std::string real = run_program("sh", {"-c", "command -v git"}).out;
    write_all(folder + "/git", cat("#!/bin/sh\necho >>'", count, "'\nexec ", trim(real), " \"$@\"\n"));
    EXPECT_EQ(::chmod((folder + "/git").c_str(), 0755), 0);
    path = cat("PATH=", folder, ":", ::getenv("PATH"));
  }
  std::size_t runs_of_git(const std::vector<std::string>& args) {
    std::filesystem::remove(count);
    RunOptions options;
    options.env = {path};
    const pawl::test::Ran ran = project.run(args, options);
    EXPECT_NE(ran.exit, 5) << ran.out << ran.err;
    return read_all(count).value_or("").size();
  }
  IssueProject project;
  const std::string count = project.home() + "/count";
  std::string path;
};

TEST_F(CountedGit, IsNotRunForEachFileThatItBrought) {
  constexpr int kFiles = 20;
  for (const char* status : {"running", "complete"}) {
    for (int i = 1; i <= kFiles; ++i) project.must({"issue", "set", std::to_string(i), status});
    project.commit_all(status);
  }
  project.must({"status"});
  project.git({"checkout", "-q", "HEAD~1", "--detach"});
  const std::size_t runs = runs_of_git({"issue", "list"});
  EXPECT_GT(runs, 0U);
  EXPECT_LT(runs, std::size_t{kFiles}) << "of files as of processes";
  for (int i = 1; i <= kFiles; ++i) EXPECT_EQ(project.content(i)["status"], "running") << "it is left to git";
  EXPECT_EQ(project.get(kFiles), "complete");
}

TEST_F(CountedGit, IsNotRunForEachFileInAMerge) {
  constexpr int kFiles = 20;
  for (int i = 1; i <= kFiles; ++i) project.must({"issue", "set", std::to_string(i), "running"});
  project.write("other.txt", "a\n");
  project.commit_all("base");
  project.git({"checkout", "-q", "-b", "other"});
  project.write("other.txt", "b\n");
  project.commit_all("theirs");
  project.git({"checkout", "-q", "main"});
  project.write("other.txt", "c\n");
  project.commit_all("ours");
  project.must({"status"});
  EXPECT_NE(project.try_git({"merge", "-q", "other"}).exit, 0);
  for (int i = 1; i <= kFiles; ++i) project.edit(i, "\"running\"", "\"complete\"");
  const std::size_t runs = runs_of_git({"issue", "list"});
  EXPECT_GT(runs, 0U);
  EXPECT_LT(runs, std::size_t{kFiles});
  EXPECT_EQ(project.get(kFiles), "running") << "a merge is under way";
}

// Its answers are told apart whatever a file says, and however it is called.
TEST_F(CountedGit, IsUnderstoodWhateverStandsInAFile) {
  project.write("pawl.toml", "[issue]\nbase_dir = \"work trees\"\n");
  const auto file = [](int i) { return cat("work trees/.status/", i, ".json"); };
  project.must({"issue", "set", "1", "running", "--session", "HEAD missing"});
  project.must({"issue", "set", "2", "running", "--session", "a blob 3"});
  project.commit_all("early");
  project.must({"issue", "set", "1", "complete"});
  project.must({"issue", "set", "2", "complete"});
  project.commit_all("late");
  project.must({"status"});
  project.git({"checkout", "-q", "HEAD~1", "--detach"});
  const std::string brought = project.read(file(1)).value_or("");
  project.write(file(2), replaced(project.read(file(2)).value_or(""), "\n", "\n\n"));
  EXPECT_GT(runs_of_git({"issue", "list"}), 0U);
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.get(2), "running") << "that one is not as git brought it, so it is an edit";
  EXPECT_EQ(project.read(file(1)), brought);
}

TEST(Many, WordsThatAreNoStatusAreToldOneByOne) {
  const auto doctor = [](int count) {
    StoryProject project;
    Json list = Json::array();
    for (int i = 0; i < count; ++i) list.push_back(StoryProject::story(cat("US-", i), "done"));
    project.write(kPrd, to_line(Json{{"project", "p"}, {"branchName", "b"}, {"userStories", list}}));
    return seconds_for([&] { EXPECT_TRUE(has(project.run({"doctor"}).out, "done")); });
  };
  const double few = doctor(kFew), many = doctor(kMany);
  EXPECT_LT(many / few, kTooMuch) << few << " s and " << many << " s";
}

TEST(Many, FindingsAreFoundAgainOneByOne) {
  const auto undo = [](int count) {
    ReviewProject project;
    project.start();
    std::string blocks;
    for (int i = 0; i < count; ++i)
      blocks +=
          cat(i == 0 ? "" : "---\n\n", "### \U0001F7E2 Minor Words ", i, "\n\n**File:** `a.ts:", i + 1,
              "` | **Category:** bug | **Confidence:** 90/100\n**Marked for GitHub:** true\n\nText of ", i, "\n\n");
    project.edit_file(kStateFile, "## Findings\n\n", cat("## Findings\n\n", blocks));
    EXPECT_EQ(project.json({"review", "finding", "list"}).size(), static_cast<std::size_t>(count));
    const std::string good = project.state_file();
    project.must({"review", "finding", "drop", std::to_string(count / 2)});
    const double seconds = seconds_for([&] { project.must({"undo"}); });
    EXPECT_EQ(project.state_file(), good);
    return seconds;
  };
  const double few = undo(kFew), many = undo(kMany);
  EXPECT_LT(many / few, kTooMuch) << few << " s and " << many << " s";
}

}  // namespace
}  // namespace pawl::test
