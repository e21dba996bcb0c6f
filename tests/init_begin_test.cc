// `pawl init` where there is nothing yet says how the first story, loop and issue run are begun. Every command that it
// prints is run as it stands there.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "support/binary.h"
#include "support/paths.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class InitBegin : public testing::Test {
 protected:
  InitBegin() {
    fs::remove_all(project.file(""));
    fs::create_directories(project.path());
    project.git({"init", "-q", "-b", "main", "."});
    fs::create_directories(bin());
  }
  [[nodiscard]] std::string bin() const { return project.home() + "/bin"; }
  void install(const std::string& program, std::string_view script) const {
    write_all(bin() + "/" + program, script);
    fs::permissions(bin() + "/" + program, fs::perms::owner_all);
  }
  // A line that the user pastes. In PATH: pawl, what was installed, and (if `all`) what this machine has.
  [[nodiscard]] Ran paste(const std::string& line, bool all = true) const {
    const std::string pawl = fs::path(PAWL_BINARY).parent_path();
    const std::string path = cat(bin(), ":", pawl, all ? cat(":", getenv("PATH")) : "");
    return run_program("/bin/bash", {"-c", line},
                       project.with_tmux({"PATH=" + path, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
                                          "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org"}));
  }
  [[nodiscard]] Json ways(bool all = true) const {
    const Ran ran = paste("pawl init --json", all);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return Json::parse(ran.out).value("begin", Json());
  }

  RunProject project;
};

// Says that it is done, in the words of a loop and of an issue run.
constexpr std::string_view kAgent =
    "#!/bin/sh\n"
    "[ -z \"$PAWL_ISSUE\" ] || echo \"###TASK_COMPLETE_${PAWL_ISSUE}###\"\n"
    "echo '<promise>TASK_COMPLETE</promise>'\n";

TEST_F(InitBegin, EveryCommandWorksWhereItIsPrinted) {
  install("claude", kAgent);
  const std::string shown = paste("pawl init").out;
  const Json begin = ways();
  ASSERT_EQ(begin.size(), 3U) << begin.dump(1);
  for (const Json& way : begin) {
    EXPECT_TRUE(way["needs"].empty()) << way.dump(1);
    EXPECT_FALSE(way["commands"].empty()) << way.dump(1);
    for (const Json& command : way["commands"]) {
      const auto line = command.get<std::string>();
      EXPECT_TRUE(has(shown, cat("    ", line, "\n"))) << shown;
      const Ran ran = paste(line);
      EXPECT_EQ(ran.exit, 0) << line << "\n" << ran.out << ran.err;
    }
  }
  EXPECT_TRUE(has(project.read("prd.json").value_or(""), "US-1"));
  EXPECT_EQ(paste("pawl ralph list --json | jq -r '.[].status'").out, "complete\n");
  EXPECT_EQ(project.end_of(1), "complete");
}

TEST_F(InitBegin, WhatIsMissingIsNamedInPlaceOfACommandThatWouldFail) {
  const std::string git = run_program("sh", {"-c", "command -v git | tr -d '\\n'"}).out;
  fs::create_symlink(git, bin() + "/git");
  const Json without_agent = ways(false);
  EXPECT_TRUE(without_agent[0]["needs"].empty());
  EXPECT_EQ(without_agent[1]["needs"], Json({"agent"}));
  EXPECT_EQ(without_agent[2]["needs"], Json({"agent", "tmux"}));
  EXPECT_TRUE(without_agent[2]["commands"].empty());

  install("claude", kAgent);
  const Json without_tmux = ways(false);
  EXPECT_TRUE(without_tmux[1]["needs"].empty());
  EXPECT_EQ(without_tmux[2]["needs"], Json({"tmux"}));
}

TEST_F(InitBegin, NothingIsSaidOnceThereIsWork) {
  EXPECT_FALSE(ways().is_null());
  EXPECT_FALSE(ways().is_null()) << "the second init is as good as the first";
  EXPECT_EQ(paste("pawl story add US-1 --title One").exit, 0);
  EXPECT_TRUE(ways().is_null());
}

}  // namespace
}  // namespace pawl::test
