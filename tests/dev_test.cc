// ./dev, the one way in, through the real script.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "tidy/tree.h"

namespace pawl {
namespace {

namespace fs = std::filesystem;
using tidy::shell_word;

struct Outcome {
  int exit_code = -1;
  std::string output;  // stdout and stderr, as a person sees them
};

Outcome run(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(("{ " + command + "; } 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.output.append(buffer.data(), got);
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

Outcome dev(const std::string& arguments, const std::string& before = {}) {
  return run(before + shell_word(PAWL_SOURCE_DIR "/dev") + " " + arguments);
}

// A folder of its own, gone at the end, with a space in its name: somebody has one.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "pawl dev test.XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

TEST(Dev, HelpListsEveryCommand) {
  const Outcome help = dev("help");
  EXPECT_EQ(help.exit_code, 0);
  for (const std::string_view name :
       {"run", "test", "build", "bench", "crash", "fuzz", "asan", "tsan", "format", "install", "help"}) {
    EXPECT_NE(help.output.find("\n  " + std::string(name)), std::string::npos) << name << " is not in:\n"
                                                                               << help.output;
  }
}

TEST(Dev, HelpIsWhatNoCommandGets) { EXPECT_EQ(dev("").output, dev("--help").output); }

TEST(Dev, EveryCommandThatIsListedIsThere) {
  // Asking bash, not running it: most of them build something.
  const std::string script = shell_word(PAWL_SOURCE_DIR "/dev");
  const Outcome lost =
      run("bash " + script + " help | sed -n 's/^  \\([a-z]*\\).*/cmd_\\1()/p' | while read -r f; do grep -qF \"$f\" " +
          script + " || echo \"$f\"; done");
  EXPECT_EQ(lost.output, "");
}

TEST(Dev, UnknownCommandSuggestsTheNearest) {
  const Outcome outcome = dev("tset");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.output.find("did you mean ./dev test?"), std::string::npos) << outcome.output;
}

TEST(Dev, UnknownCommandFarFromAllSuggestsNone) {
  const Outcome outcome = dev("frobnicate");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.output.find("did you mean"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("./dev help"), std::string::npos) << outcome.output;
}

TEST(Dev, WorksFromAnyFolderAndThroughALink) {
  const Folder folder;
  fs::create_symlink(PAWL_SOURCE_DIR "/dev", folder.path() / "link");
  const Outcome outcome = run("cd " + shell_word(folder.path().string()) + " && ./link help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output, dev("help").output);
}

// The build that these tests belong to, when it is one that ./dev can install from: build/, where the release is.
class DevInstall : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path build = fs::path(PAWL_BINARY).parent_path();
    if (build.filename() != "build" || !fs::exists(build / "build.ninja")) GTEST_SKIP() << "not a build of ./dev test";
    before_ = "PAWL_DEV_LOCKED=" + shell_word(build.string()) +
              " PAWL_DEV_OUT=" + shell_word(build.parent_path().string()) + " ";
  }
  // The lock of that build is held by whoever runs the tests; taking it again would wait for ourselves.
  std::string before_;
};

TEST_F(DevInstall, PutsCommandLibraryAndHeadersUnderThePrefixAndSaysSo) {
  const Folder folder;
  const Outcome outcome = dev("install " + shell_word(folder.path().string()), before_);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  for (const std::string_view file : {"bin/pawl", "lib/libpawl.a", "include/pawl/error.h"}) {
    EXPECT_TRUE(fs::exists(folder.path() / file)) << file;
    EXPECT_NE(outcome.output.find((folder.path() / file).string()), std::string::npos) << outcome.output;
  }
  EXPECT_EQ(run(shell_word((folder.path() / "bin/pawl").string()) + " version").exit_code, 0);
}

TEST_F(DevInstall, RelativePrefixIsTheCallersFolder) {
  const Folder folder;
  const Outcome outcome = run("cd " + shell_word(folder.path().string()) + " && " + before_ +
                              shell_word(PAWL_SOURCE_DIR "/dev") + " install here");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(fs::exists(folder.path() / "here/bin/pawl"));
}

TEST_F(DevInstall, PrefixThatIsNoFolderIsRefusedWithAWayOut) {
  const Outcome outcome = dev("install /dev/null/nowhere", before_);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("choose another"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace pawl
