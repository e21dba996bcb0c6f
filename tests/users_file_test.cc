// Files of the user's that pawl enters itself into (`init --claude --agents --opencode`): nobody's words are lost by
// it, and taking pawl out gives back what was there, to the byte.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <optional>
#include <thread>

#include "base/text.h"
#include "runners/install/opencode_plugin.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSettings = ".claude/settings.json";

class UsersFiles : public testing::Test {
 protected:
  UsersFiles() { project.start_git(); }

  // Names of all that lies in a folder beside what is called here.
  [[nodiscard]] std::vector<std::string> strangers(const std::string& folder, const std::string& known) const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(project.file(folder))) {
      const std::string name = entry.path().filename();
      if (name != known && name.find(".pawl-") != std::string::npos) out.push_back(name);
    }
    return out;
  }

  IssueProject project;
};

struct Before {
  const char* called;
  std::optional<std::string> agents, claude, settings;
};

class ComeBackAsTheyWere : public UsersFiles, public testing::WithParamInterface<Before> {};

TEST_P(ComeBackAsTheyWere, AfterLeavingToTheByte) {
  const std::map<std::string, std::optional<std::string>> before = {
      {"AGENTS.md", GetParam().agents}, {"CLAUDE.md", GetParam().claude}, {kSettings, GetParam().settings}};
  for (const auto& [path, bytes] : before) {
    if (bytes) project.write(path, *bytes);
  }
  project.must({"init", "--all"});
  EXPECT_TRUE(has(project.read("AGENTS.md").value_or(""), "pawl"));
  EXPECT_TRUE(has(project.read(kSettings).value_or(""), "pawl hook claude"));
  project.must({"init", "--all"});  // once more changes nothing, and forgets nothing
  project.must({"leave"});
  for (const auto& [path, bytes] : before) {
    EXPECT_EQ(project.exists(path), bytes.has_value()) << path;
    EXPECT_EQ(project.read(path), bytes) << path;
  }
}

TEST_P(ComeBackAsTheyWere, AndWithWhatWasWrittenMeanwhile) {
  const auto agents = GetParam().agents;
  if (agents) project.write("AGENTS.md", *agents);
  project.must({"init", "--agents"});
  project.write("AGENTS.md", project.read("AGENTS.md").value_or("") + "\nmore of mine\n");
  project.must({"init", "--agents"});
  project.must({"init", "--agents", "--remove"});
  const std::string after = project.read("AGENTS.md").value_or("");
  EXPECT_TRUE(has(after, "more of mine")) << after;
  EXPECT_TRUE(after.starts_with(trim(agents.value_or("")))) << after;
  EXPECT_FALSE(has(after, "pawl")) << after;
}

INSTANTIATE_TEST_SUITE_P(Files, ComeBackAsTheyWere,
                         testing::Values(Before{"none", {}, {}, {}}, Before{"empty", "", "", "{\n}\n"},
                                         Before{"NoNewline", "x", "y", R"({"a":1})"},
                                         Before{"ManyNewlines", "x\n\n\n\n", "y\r\n", "{\"a\" :1 }\n\n"},
                                         Before{"EmptyHooks", "# A\n", "# B\n\n", R"({"hooks":{"Stop":[]},"a":1})"},
                                         Before{"NoUtf8", std::string("\xff\xfe\0z", 4), "y\n", "{}"}),
                         [](const auto& one) { return std::string(one.param.called); });

TEST_F(UsersFiles, OneThatWasEmptyAndWasWrittenIntoStays) {
  project.write("AGENTS.md", "");
  project.write(kSettings, "{}\n");
  project.must({"init", "--all"});
  // Somebody else's version of the same, laid out in another way: the way back by bytes is closed.
  project.write("AGENTS.md", "\n" + project.read("AGENTS.md").value_or(""));
  project.write(kSettings, " " + project.read(kSettings).value_or(""));
  project.must({"leave"});
  EXPECT_TRUE(project.exists("AGENTS.md"));
  EXPECT_EQ(trim(project.read("AGENTS.md").value_or("?")), "");
  EXPECT_EQ(trim(project.read(kSettings).value_or("?")), "{}");
}

TEST_F(UsersFiles, FilesOfANameLikePawlsOwnAreLeftAlone) {
  for (const char* const path : {".AGENTS.md.pawl", ".claude/.settings.json.pawl", ".opencode/plugins/.pawl.js.pawl"})
    project.write(path, "precious");
  project.must({"init", "--all"});
  project.must({"leave"});
  for (const char* const path : {".AGENTS.md.pawl", ".claude/.settings.json.pawl", ".opencode/plugins/.pawl.js.pawl"})
    EXPECT_EQ(project.read(path), "precious") << path;
}

// Killed between the exchange and its look at what was displaced: that lies beside the file.
TEST_F(UsersFiles, WhatAKilledPawlDisplacedIsNamedUntilItIsInTheFile) {
  project.write(kSettings, R"({"z":1})");
  project.must({"init", "--claude"});
  const std::string edit = R"({"z":1,"my_new_work":true})";
  project.write(".claude/.settings.json.pawl-77-1", edit);
  project.write(".claude/.settings.json.pawl-77-2", R"({"z":1})");  // says nothing that the file does not
  EXPECT_TRUE(has(project.run({"doctor"}).out, ".claude/.settings.json.pawl-77-1")) << project.run({"doctor"}).out;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"init", "--claude"}, {"init", "--claude", "--remove"}, {"leave"}}) {
    const Ran ran = project.run(command);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_TRUE(has(ran.out, ".settings.json.pawl-77-1")) << command[0] << ": " << ran.out;
    EXPECT_FALSE(has(ran.out, ".settings.json.pawl-77-2")) << ran.out;
  }
  EXPECT_EQ(project.read(".claude/.settings.json.pawl-77-1"), edit);
  EXPECT_FALSE(project.exists(".claude/.settings.json.pawl-77-2"));
}

// A program opened the file before pawl came, and writes into it when pawl has put another in its place.
TEST_F(UsersFiles, WhoHasItOpenIsWaitedFor) {
  project.write("AGENTS.md", "mine\n");
  project.must({"init"});
  const std::string path = project.file("AGENTS.md");
  const int held = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  struct stat first {};
  ASSERT_EQ(::fstat(held, &first), 0);
  Child pawl(PAWL_BINARY, {"init", "--agents"}, project.options());
  struct stat now {};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  do {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
  } while (::stat(path.c_str(), &now) != 0 || now.st_ino == first.st_ino);
  ASSERT_EQ(::write(held, "a late line\n", 12), 12);
  ::close(held);
  const Ran ran = pawl.finish();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const std::string text = project.read("AGENTS.md").value_or("");
  EXPECT_TRUE(text.starts_with("mine\na late line\n")) << text;
  EXPECT_TRUE(has(text, "pawl")) << text;
  EXPECT_TRUE(strangers(".", "AGENTS.md").empty());
}

TEST_F(UsersFiles, EightAtOnceLoseNothing) {
  std::string lines, settings = R"({"z": [)";
  for (int i = 0; i < 2'000; ++i) {
    lines += cat("line ", i, " of mine\n");
    settings += cat(i == 0 ? "" : ", ", "\"entry ", i, "\"");
  }
  settings += "]}";
  project.write("AGENTS.md", lines);
  project.write(kSettings, settings);
  project.must({"init"});
  constexpr int kRounds = 12;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::thread> at_once;
    for (int i = 0; i < 8; ++i) {
      at_once.emplace_back([&, i] {
        std::vector<std::string> words = {"init", "--claude", "--agents"};
        if (i % 2 == 1) words.emplace_back("--remove");
        const Ran ran = project.run(words);
        EXPECT_EQ(ran.exit, 0) << ran.err;
      });
    }
    for (std::thread& one : at_once) one.join();
    ASSERT_TRUE(has(project.read("AGENTS.md").value_or(""), lines)) << "round " << round;
    ASSERT_TRUE(has(project.read(kSettings).value_or(""), settings.substr(0, settings.size() - 1)))
        << "round " << round;
  }
  EXPECT_TRUE(strangers(".", "AGENTS.md").empty());
  EXPECT_TRUE(strangers(".claude", "settings.json").empty());
}

// "The older one says so and touches nothing."
TEST_F(UsersFiles, NoHookIsEnteredWhereTheStoreCanNotBeUsed) {
  project.write(kSettings, R"({"a":1})");
  project.write(".pawl/pawl.db", std::string(4'096, 'x'));
  const Ran ran = project.run({"init", "--all"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_EQ(project.read(kSettings), R"({"a":1})") << ran.err;
  EXPECT_FALSE(project.exists("AGENTS.md"));
  EXPECT_FALSE(project.exists(".opencode"));
}

TEST_F(UsersFiles, AFileThatCanNotBeEnteredIntoIsToldOfBeforeAnythingIsChanged) {
  fs::create_directories(project.file("AGENTS.md"));
  const Ran ran = project.run({"init", "--all"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "AGENTS.md")) << ran.err;
  EXPECT_FALSE(project.exists(kSettings));
  EXPECT_FALSE(project.exists(".pawl"));
}

TEST_F(UsersFiles, NobodyIsKeptFromLeavingByWhatPawlNeverWroteInto) {
  project.must({"init"});
  fs::create_directories(project.file("AGENTS.md"));
  project.write(".opencode/plugins/pawl.js", "// somebody else's\n");
  const Ran ran = project.run({"leave"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "AGENTS.md: left alone: cannot read AGENTS.md")) << ran.out;
  EXPECT_EQ(project.read(".opencode/plugins/pawl.js"), "// somebody else's\n");
}

TEST_F(UsersFiles, APluginThatSomebodyChangedIsTheirs) {
  project.must({"init", "--opencode"});
  const std::string path = ".opencode/plugins/pawl.js";
  const std::string changed = project.read(path).value_or("") + "// mine\n";
  project.write(path, changed);
  EXPECT_NE(project.run({"init", "--opencode"}).exit, 0);
  EXPECT_NE(project.run({"init", "--opencode", "--remove"}).exit, 0);
  const Ran left = project.run({"leave"});
  EXPECT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(has(left.out, "pawl.js: left alone: .opencode/plugins/pawl.js was changed by somebody")) << left.out;
  EXPECT_EQ(project.read(path), changed);
}

// A colleague committed it, and pawl has gone on since.
TEST_F(UsersFiles, APluginOfAnotherPawlIsPawls) {
  const std::string path = ".opencode/plugins/pawl.js";
  const std::string older = install::marked_plugin("export const Pawl = async () => ({})\n");
  project.write(path, older);
  project.must({"init", "--all"});
  EXPECT_EQ(project.read(path), install::opencode_plugin());
  project.must({"leave"});

  project.must({"init"});
  project.write(path, older);
  project.must({"leave"});
  EXPECT_FALSE(project.exists(path));
  const std::string changed = older + "// mine\n";
  project.write(path, changed);
  EXPECT_NE(project.run({"init", "--opencode"}).exit, 0);
  EXPECT_EQ(project.read(path), changed);
}

TEST_F(UsersFiles, WhatIsLeftOfAPluginGoesOnlyAsPawlWroteIt) {
  const std::string beside = ".opencode/plugins/.pawl.js.pawl-77-";
  project.must({"init", "--opencode"});
  project.write(beside + "1", install::opencode_plugin() + "// mine\n");
  project.write(beside + "2", install::opencode_plugin());
  project.write(beside + "3", install::marked_plugin("// older\n"));
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"init", "--opencode"}, {"init", "--opencode", "--remove"}}) {
    EXPECT_TRUE(has(project.out(command), ".pawl.js.pawl-77-1"));
    EXPECT_FALSE(project.exists(beside + "2"));
    EXPECT_FALSE(project.exists(beside + "3"));
  }
  EXPECT_EQ(project.read(beside + "1"), install::opencode_plugin() + "// mine\n");
}

// Somebody wrote into it, so the way back by bytes is closed; then it was emptied, which is their wish too.
TEST_F(UsersFiles, OneThatWasEmptiedStaysEmpty) {
  project.write("AGENTS.md", "before pawl\n");
  project.must({"init", "--agents"});
  // In the section that pawl renews, and below it.
  std::string text = project.read("AGENTS.md").value_or("");
  project.write("AGENTS.md", text.replace(text.find("pawl status"), 11, "pawl STATUS") + "more\n");
  project.must({"init", "--agents"});
  project.write("AGENTS.md", "");
  project.must({"init", "--agents"});
  project.must({"init", "--agents", "--remove"});
  EXPECT_EQ(trim(project.read("AGENTS.md").value_or("")), "");
}

TEST_F(UsersFiles, TheOwnerOfAFileStaysItsOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root changes files of others";
  constexpr uid_t kNobody = 65'534;
  project.write("AGENTS.md", "mine\n");
  project.must({"issue", "set", "1", "running"});
  const std::string status = project.file(IssueProject::path_of(1));
  for (const std::string& path : {project.file("AGENTS.md"), status}) {
    ASSERT_EQ(::chown(path.c_str(), kNobody, kNobody), 0);
    ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  }
  project.must({"init", "--agents"});
  project.must({"issue", "set", "1", "complete"});
  for (const std::string& path : {project.file("AGENTS.md"), status}) {
    struct stat now {};
    ASSERT_EQ(::stat(path.c_str(), &now), 0);
    EXPECT_EQ(now.st_uid, kNobody) << path;
    EXPECT_EQ(now.st_gid, kNobody) << path;
    EXPECT_EQ(now.st_mode & 07777U, 0640U) << path;
  }
}

}  // namespace
}  // namespace pawl::test
