// action.yml, run step by step as GitHub's runner runs it: from a released archive, from the sources, and not at all.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "support/action_runner.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class PrAction : public testing::Test {
 protected:
  PrAction() : runner_(PAWL_SOURCE_DIR) {
    runner_.context = {{"github.token", "practice"}, {"github.action_repository", "octo/pawl"}};
    runner_.inputs["agent"] = stage_.agent_command();
  }
  Ran run() {
    runner_.env = {"GITHUB_REPOSITORY=o/r", "GITHUB_SERVER_URL=file://" + server_.path(),
                   "PAWL_GITHUB_BETWEEN_WRITES=1ms", "GITHUB_API_URL=" + stage_.practice.url()};
    for (const std::string& one : stage_.options(server_).env) {
      if (one.starts_with("GITHUB_EVENT_")) runner_.env.push_back(one);
    }
    runner_.env.insert(runner_.env.end(), more_.begin(), more_.end());
    return runner_.run();
  }
  // Where the release of 0.1.0 would be; real curl fetches it from there.
  [[nodiscard]] std::string release() const {
    const Ran machine = run_program("uname", {"-m"});
    return cat("octo/pawl/releases/download/v0.1.0/pawl-0.1.0-linux-", trim(machine.out), ".tar.gz");
  }
  [[nodiscard]] bool installed() const { return fs::exists(runner_.temp() + "/pawl/bin/pawl"); }
  // ./dev in the build that these tests belong to; false where that is not one of ./dev's.
  bool with_dev(std::vector<std::string>& env) const {
    const fs::path build = fs::path(PAWL_BINARY).parent_path();
    if (build.filename() != "build" || !fs::exists(build / "build.ninja")) return false;
    env.push_back("PAWL_DEV_OUT=" + build.parent_path().string());
    env.push_back("PAWL_DEV_LOCKED=" + build.string());
    return true;
  }

  PrStage stage_;
  ActionRunner runner_;
  TempWorkspace server_;
  std::vector<std::string> more_;
};

TEST_F(PrAction, ReleasedArchiveIsTakenByItsChecksumAndDoesTheWork) {
  RunOptions dev;
  if (!with_dev(dev.env)) GTEST_SKIP() << "not a build of ./dev test";
  const std::string folder = server_.file(release().substr(0, release().rfind('/')));
  const Ran made = run_program(std::string(PAWL_SOURCE_DIR) + "/dev", {"dist", folder}, dev);
  ASSERT_EQ(made.exit, 0) << made.err;
  ASSERT_TRUE(fs::exists(server_.file(release()))) << made.out;
  runner_.inputs["version"] = "0.1.0";
  runner_.inputs["checksum"] = made.out.substr(0, 64);
  runner_.inputs["block-key"] = std::string(64, 'k');
  runner_.inputs["blocking-score"] = "8";
  stage_.answers("full-review", R"({"findings": [
    {"path": "a.txt", "line": 2, "finding": "2 is not two", "assessment": "Write two.", "score": 7}]})");
  // What came with the pull request has no say.
  runner_.place().write("pawl.toml", "[pr]\nagent = \"touch ran; false\"\nblocking_score = 1\n");
  stage_.opened();
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_FALSE(runner_.place().exists("ran"));
  const std::map<std::string, std::string> expected = {
      {"review_status", "passed"}, {"issues_found", "1"}, {"blocking_issues", "0"}, {"tasks_executed", "1"}};
  EXPECT_EQ(runner_.outputs(), expected);
  EXPECT_NE(runner_.summary().find("| review/auto |"), std::string::npos) << runner_.summary();
  EXPECT_EQ(runner_.path_file(), runner_.temp() + "/pawl/bin\n");
  EXPECT_NE(ran.out.find("::warning file=a.txt,line=2::"), std::string::npos) << ran.out;
  ASSERT_EQ(stage_.blocks("review-finding").size(), 1U);
  EXPECT_TRUE(stage_.blocks("review-finding")[0].contains("signature"));
  EXPECT_FALSE(fs::exists(cat(runner_.temp(), "/pawl-0.1.0.tar.gz")));
  // Its libraries came with it.
  const Ran needs = run_program("ldd", {runner_.temp() + "/pawl/libexec/pawl/pawl-world"});
  for (const char* library : {"libcurl.so.4", "libsimdjson.so", "libcrypto.so"}) {
    const std::size_t at = needs.out.find(library);
    ASSERT_NE(at, std::string::npos) << library << needs.out;
    EXPECT_NE(needs.out.substr(at, needs.out.find('\n', at) - at).find("/libexec/pawl/lib/"), std::string::npos)
        << needs.out;
  }
}

TEST_F(PrAction, ArchiveThatIsNotWhatTheChecksumSaysIsNotRun) {
  server_.write(release(), "something else");
  runner_.inputs["version"] = "0.1.0";
  runner_.inputs["checksum"] = std::string(64, '0');
  stage_.comment("ann", "@rmc-bot why?");
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_NE(ran.out.find("::error::"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("checksum"), std::string::npos) << ran.out;
  EXPECT_FALSE(installed());
  EXPECT_TRUE(stage_.asked().empty());
  EXPECT_TRUE(fs::is_empty(runner_.temp() + "/pawl"));
}

TEST_F(PrAction, VersionWithoutAChecksumOrThatIsNoneIsRefusedBeforeAnythingIsFetched) {
  runner_.inputs["version"] = "0.1.0";
  Ran ran = run();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_NE(ran.out.find("::error::with version the input checksum is needed"), std::string::npos) << ran.out;
  runner_.inputs["version"] = "../../evil";
  runner_.inputs["checksum"] = std::string(64, '0');
  ran = run();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_NE(ran.out.find("::error::the input version"), std::string::npos) << ran.out;
  runner_.inputs["version"] = "9.9.9";
  ran = run();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_NE(ran.out.find("could not be fetched"), std::string::npos) << ran.out;
  EXPECT_FALSE(installed());
}

TEST_F(PrAction, WithoutAVersionItIsBuiltFromTheActionsOwnSources) {
  if (!with_dev(more_)) GTEST_SKIP() << "not a build of ./dev test";
  stage_.comment("ann", "@rmc-bot why?");
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_TRUE(installed());
  EXPECT_EQ(runner_.outputs()["tasks_executed"], "2");  // the head has not been reviewed either
  EXPECT_EQ(stage_.blocks("question-answer").size(), 1U);
}

TEST_F(PrAction, StepFailsWhileSomethingBlocks) {
  if (!with_dev(more_)) GTEST_SKIP() << "not a build of ./dev test";
  stage_.answers("full-review", R"({"findings": [
    {"path": "a.txt", "line": 2, "finding": "2 is not two", "assessment": "Write two.", "score": 7}]})");
  stage_.opened();
  EXPECT_EQ(run().exit, 1);
  EXPECT_EQ(runner_.outputs()["review_status"], "has_blocking_issues");
  EXPECT_EQ(runner_.outputs()["blocking_issues"], "1");
}

}  // namespace
}  // namespace pawl::test
