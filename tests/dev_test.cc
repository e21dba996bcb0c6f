// ./dev, the one way in, through the real script.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

const std::string kDev = std::string(PAWL_SOURCE_DIR) + "/dev";

Ran dev(const std::vector<std::string>& arguments, const RunOptions& options = {}) {
  return run_program(kDev, arguments, options);
}

bool says(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }

TEST(Dev, HelpListsEveryCommand) {
  const Ran help = dev({"help"});
  EXPECT_EQ(help.exit, 0);
  for (const std::string_view name :
       {"run", "test", "build", "bench", "crash", "fuzz", "asan", "tsan", "format", "install", "dist", "help"}) {
    EXPECT_TRUE(says(help.out, "\n  " + std::string(name))) << name << " is not in:\n" << help.out;
  }
}

TEST(Dev, HelpIsWhatNoCommandGets) { EXPECT_EQ(dev({}).out, dev({"--help"}).out); }

TEST(Dev, UnknownCommandSuggestsTheNearest) {
  const Ran ran = dev({"tset"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_TRUE(says(ran.err, "did you mean ./dev test?")) << ran.err;
}

TEST(Dev, UnknownCommandFarFromAllSuggestsNone) {
  const Ran ran = dev({"frobnicate"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_FALSE(says(ran.err, "did you mean")) << ran.err;
  EXPECT_TRUE(says(ran.err, "./dev help")) << ran.err;
}

TEST(Dev, WorksFromAnyFolderAndThroughALink) {
  const TempWorkspace elsewhere;
  fs::create_symlink(kDev, elsewhere.file("link"));
  RunOptions options;
  options.cwd = elsewhere.path();
  EXPECT_EQ(run_program("./link", {"help"}, options).out, dev({"help"}).out);
}

// Installs from the build that these tests belong to, when it is one that ./dev makes its releases in.
class DevInstall : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path build = fs::path(PAWL_BINARY).parent_path();
    if (build.filename() != "build" || !fs::exists(build / "build.ninja")) GTEST_SKIP() << "not a build of ./dev test";
    // The lock of that build is held by whoever runs the tests: waiting for it would be waiting for ourselves.
    options_.env = {"PAWL_DEV_OUT=" + build.parent_path().string(), "PAWL_DEV_LOCKED=" + build.string()};
    options_.cwd = place_.path();
  }
  TempWorkspace place_;
  RunOptions options_;
};

TEST_F(DevInstall, PutsEverythingUnderThePrefixAndSaysWhere) {
  const Ran ran = dev({"install", place_.file("pre fix")}, options_);
  ASSERT_EQ(ran.exit, 0) << ran.err;
  for (const std::string_view name : {"bin/pawl", "lib/libpawl.a", "include/pawl/pawl.h"}) {
    const std::string file = place_.file("pre fix/") + std::string(name);
    EXPECT_TRUE(fs::exists(file)) << file;
    EXPECT_TRUE(says(ran.out, file)) << ran.out;
  }
  EXPECT_EQ(run_program(place_.file("pre fix/bin/pawl"), {"version"}).exit, 0);
}

TEST_F(DevInstall, RelativePrefixIsTheCallersFolder) {
  const Ran ran = dev({"install", "here"}, options_);
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(place_.exists("here/bin/pawl"));
}

TEST_F(DevInstall, PrefixThatIsNoFolderIsRefusedWithAWayOut) {
  const Ran ran = dev({"install", "/dev/null/nowhere"}, options_);
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(says(ran.err, "choose another")) << ran.err;
}

// The line in the head of the example, as its reader will type it: are the installed headers all that it takes?
TEST_F(DevInstall, TheExampleCompilesAgainstWhatWasInstalled) {
  ASSERT_EQ(dev({"install", place_.path()}, options_).exit, 0);
  const Ran compiled = run_program("g++",
                                   {"-std=c++20", "-I" + place_.file("include"), "-L" + place_.file("lib"),
                                    std::string(PAWL_SOURCE_DIR) + "/examples/issue_board.cc", "-lpawl", "-lsqlite3",
                                    "-lutf8proc", "-o", "issue_board"},
                                   options_);
  ASSERT_EQ(compiled.exit, 0) << compiled.err;
  EXPECT_EQ(run_program("./issue_board", {}, place_.options()).exit, 0);
}

}  // namespace
}  // namespace pawl::test
