// ./dev, the one way in, through the real script.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "support/binary.h"
#include "support/terminal.h"

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

// With stand-ins for what builds, tests and installs, and no other programs than those named here.
class DevAlone : public testing::Test {
 protected:
  DevAlone() {
    for (const char* tool : {"awk", "bash", "cat", "chmod", "env", "flock", "fold", "grep", "mkdir", "mktemp", "nproc",
                             "readlink", "rm", "sh", "stty", "tail", "tee"}) {
      const Ran found = run_program("sh", {"-c", cat("command -v ", tool, " | tr -d '\\n'")});
      fs::create_directories(place_.file("bin"));
      fs::create_symlink(found.out, place_.file(cat("bin/", tool)));
    }
    for (const char* tool : {"g++", "ninja", "git", "jq", "curl", "dpkg-shlibdeps", "gh", "zsh", "fish"})
      stand_in(tool, "exit 0");
    stand_in("sudo", "[ \"$1\" != -n ] || shift; exec \"$@\"");
    // Before an update it knows no packages. It brings what the package is called after, or has.
    stand_in("apt-get", R"sh(
case " $* " in
  *" --print-uris "*)
    [ -e updated ] || exit 100
    echo "'http://deb.example/a.deb' a.deb 1500000 SHA256:0"
    echo "'http://deb.example/b.deb' b.deb 600000 SHA256:0" ;;
  *" update "*) : >updated ;;
  *" install "*)
    for package; do :; done
    echo "$*" >>installed
    echo "Setting up $package (1) ..."
    echo '#!/bin/sh' >"bin/${package%js}"
    chmod +x "bin/${package%js}" ;;
esac)sh");
    stand_in("cmake", R"sh(
case " $* " in
  *" --preset "*) : >build/build.ninja ;;
  *) echo "[0/2] Re-checking globbed directories..."
     echo "[1/2] one"
     [ ! -e hold ] || read -r _ <hold
     echo "[2/2] two"
     printf '#!/bin/sh\necho "ran $*"\n' >build/pawl
     chmod +x build/pawl ;;
esac)sh");
    stand_in("tmux", "exit 0");
    stand_in("node", "exit 0");
    options_.cwd = place_.path();
    options_.env = {"PAWL_DEV_OUT=" + place_.path(), "PATH=" + place_.file("bin"), "HOME=" + place_.home()};
  }
  void stand_in(std::string_view name, std::string_view script) const {
    const std::string file = place_.file(cat("bin/", name));
    // What ./dev starts is in its own folder.
    write_all(file, cat("#!/bin/sh\ncd \"", place_.path(), "\" || exit\n", script, "\n"));
    fs::permissions(file, fs::perms::owner_all);
  }
  void lacks(std::string_view name) const { fs::remove(place_.file(cat("bin/", name))); }

  TempWorkspace place_;
  RunOptions options_;
};

TEST_F(DevAlone, RunSaysWhatItWillDoAndHowLongThatTakesBeforeItDoesIt) {
  lacks("tmux");
  const Ran ran = dev({"run"}, options_);
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "ran tour\n");
  std::size_t at = 0;
  for (const std::string_view part : {"lacks: tmux\n", " minutes the first time", "2 packages, 2 MB to download",
                                      " minutes\n", "installed in ", "building: 2 of 2, 0:0"}) {
    at = ran.err.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << " is not in its place in:\n" << ran.err;
  }
  const Ran again = dev({"run", "issue", "list"}, options_);
  EXPECT_EQ(again.out, "ran issue list\n");
  EXPECT_FALSE(says(again.err, "minutes")) << again.err;
}

TEST_F(DevAlone, TheTimeGoesOnInTheTerminalWhileAStepOfTheBuildIsWaitedFor) {
  ASSERT_EQ(run_program("mkfifo", {place_.file("hold")}).exit, 0);
  Terminal terminal(kDev, {"run"}, options_, 24, 60);
  EXPECT_FALSE(terminal.until("building: 1 of 2, 0:0").empty()) << terminal.shown();
  write_all(place_.file("hold"), "go\n");
  EXPECT_FALSE(terminal.until("ran tour").empty()) << terminal.shown();
}

// ctest's words, with a name that is wider than the terminal.
constexpr std::string_view kCtest = R"sh(
mkdir -p build/Testing/Temporary
cat >build/Testing/Temporary/LastTest.log <<'END'
2/3 Testing: Some.Test
2/3 Test: Some.Test
Output:
----------------------------------------------------------
[ RUN      ] Some.Test
/x/some_test.cc:46: Skipped
there is no moon tonight

[  SKIPPED ] Some.Test (0 ms)
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Some.Test
3/3 Testing: Fails
Output:
[  FAILED  ] Fails (0 ms)
END
cat <<'END'
Internal ctest changing into directory: /x
Test project /x
    Start 1: Passes
1/3 Test #1: Passes ..................................................................................   Passed    0.01 sec
2/3 Test #2: Some.Test ...............................................................................***Skipped   0.01 sec
3/3 Test #3: LongNameLongNameLongNameLongNameLongNameLongNameLongNameLongNameLongNameLongNameLongName ***Failed    0.01 sec

66% tests passed, 1 tests failed out of 3

Total Test time (real) =   0.03 sec

The following tests did not run:
  2 - Some.Test (Skipped)

The following tests FAILED:
  3 - LongNameLongNameLongNameLongNameLongNameLongNameLongNameLongNameLongNameLongNameLongName (Failed)
END
exit 8)sh";

TEST_F(DevAlone, TestInstallsWhatTestsNeedAndSaysWhyOneWasSkipped) {
  lacks("node");
  stand_in("ctest", kCtest);
  const Ran ran = dev({"test"}, options_);
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(place_.read("installed").value_or(""), " nodejs")) << ran.err;
  EXPECT_TRUE(says(ran.out, "Some.Test: there is no moon tonight\n")) << ran.out;
  EXPECT_FALSE(says(ran.out, "did not run")) << ran.out;
  EXPECT_TRUE(ran.out.ends_with("\n66% tests passed, 1 tests failed out of 3\n")) << ran.out;
}

TEST_F(DevAlone, ResultsOfTestsFitTheTerminal) {
  stand_in("ctest", kCtest);
  Terminal terminal(kDev, {"test"}, options_, 24, 60);
  EXPECT_NE(terminal.ended(), 0);
  std::string name;
  for (int i = 0; i < 11; ++i) name += "LongName";
  std::string joined;
  for (const std::string_view row : split(terminal.shown(), '\n')) {
    const std::size_t begin = row.find_last_of('\r', row.size() - std::min<std::size_t>(row.size(), 2));
    std::string_view shown = trim(row.substr(begin == std::string_view::npos ? 0 : begin + 1));
    if (shown.starts_with("\x1b[K")) shown.remove_prefix(3);
    EXPECT_LE(shown.size(), 60U) << shown;
    joined += shown;
  }
  EXPECT_TRUE(says(joined, name)) << "the whole of a name that failed\n" << terminal.shown();
  EXPECT_TRUE(joined.ends_with("66% tests passed, 1 tests failed out of 3")) << terminal.shown();
}

}  // namespace
}  // namespace pawl::test
