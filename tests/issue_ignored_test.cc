// What git ignores in a worktree is in no commit: whoever waits for the work and whoever takes it away is told of it.
#include <gtest/gtest.h>

#include "base/json.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

class IssueIgnored : public testing::Test {
 protected:
  IssueIgnored() {
    project.write(".gitignore", ".worktrees/\nout/\n*.log\n");
    project.commit_all("what is ignored");
  }
  void completed(int number, const std::string& script) const {
    const std::string n = std::to_string(number);
    project.start(number, script + "; echo '###TASK_COMPLETE_" + n + "###'; exec tail -f /dev/null");
    EXPECT_EQ(project.end_of(number), "complete");
  }
  RunProject project;
};

TEST_F(IssueIgnored, IsCountedAndNamedBeforeAndAfterItGoes) {
  completed(1, "mkdir out; echo precious >out/report.txt; echo more >out/more.txt; echo x >build.log");
  const Ran waited = project.pawl({"issue", "wait", "1"});
  EXPECT_TRUE(has(waited.out, "3 ignored files are only in its worktree: ")) << waited.out;
  EXPECT_TRUE(has(waited.out, "out/")) << waited.out;
  const std::string would = project.ok({"issue", "cleanup", "1", "--dry-run"});
  EXPECT_TRUE(has(would, "3 ignored files go with it: build.log, out/\n")) << would;
  const Json answer = parse_json(project.ok({"issue", "cleanup", "1", "--json"})).value_or(Json());
  const Json& row = answer["issues"][0];
  EXPECT_EQ(row["ignored"]["files"], 3) << answer;
  EXPECT_EQ(row["ignored"]["places"], Json::array({"build.log", "out/"})) << answer;
  EXPECT_TRUE(has(to_line(row["did"]), "3 ignored files went with it: build.log, out/")) << answer;
}

TEST_F(IssueIgnored, NothingIsSaidWhereThereIsNone) {
  completed(2, "mkdir out");
  EXPECT_FALSE(has(project.pawl({"issue", "wait", "2"}).out, "ignored"));
  const std::string did = project.ok({"issue", "cleanup", "2"});
  EXPECT_FALSE(has(did, "ignored")) << did;
}

}  // namespace
}  // namespace pawl::test
