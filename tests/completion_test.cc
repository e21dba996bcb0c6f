// Completion where it is used: a real bash, zsh and fish at a terminal, typed at. A line is begun, Tab is pressed, then
// Enter; what the shell then hands to the command is the judge. So a word that was quoted wrongly, that runs as a
// command or that leaves the line open is seen, whatever it looks like.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"
#include "support/paths.h"
#include "support/terminal.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kPrompt = "ready>";
// No two begin alike, so that one letter is enough. In none of these may Enter run more than the command.
const std::vector<std::string> kHostile = {"b lank",
                                           "it's",
                                           "say \"hi\"",
                                           "end'",
                                           "$(touch RAN)",
                                           "`touch RAN`",
                                           "m;touch RAN",
                                           "wow!b",
                                           "ok!",
                                           "~home",
                                           "#hash",
                                           "c\\s",
                                           "{a,b}",
                                           "&amp",
                                           "<lt",
                                           "日本語",
                                           "é two",
                                           "(par)",
                                           "d$HOME",
                                           "v|b",
                                           "x:$(touch RAN)",
                                           "q'\"$(touch RAN)",
                                           "[set]",
                                           "?q"};

class ShellCompletion : public testing::TestWithParam<std::string> {
 protected:
  ShellCompletion() {
    Json stories = Json::array();
    const auto add = [&](const std::string& id) {
      stories.push_back({{"id", id},
                         {"title", "title of " + id},
                         {"description", ""},
                         {"acceptanceCriteria", {"x"}},
                         {"priority", 1},
                         {"status", "pending"},
                         {"notes", ""}});
    };
    for (const std::string& id : kHostile) add(id);
    for (const char* id : {"US:1", "US:22", "US:23", "-dash", "new\nline", "tab\there", "2\u202eidib"}) add(id);
    there_.write("prd.json", Json{{"userStories", stories}}.dump());
    EXPECT_EQ(there_.run({"init"}).exit, 0);
    EXPECT_EQ(there_.run({"issue", "set", "42", "running"}).exit, 0);
    EXPECT_EQ(there_.run({"ralph", "start", "--prompt", "go", "--session", "s1"}).exit, 0);
    start(there_.path());
  }

  // The command is a function that shows its words; completion asks the program of that name, as everywhere.
  void start(const std::string& folder) {
    RunOptions options;
    options.cwd = folder;
    options.timeout_ms = 10'000;
    options.env = {cat("PATH=", fs::path(PAWL_BINARY).parent_path().string(), ":/usr/bin:/bin"),
                   "HOME=" + there_.home(), "LC_ALL=C.UTF-8", cat("TERM=", GetParam() == "fish" ? "xterm" : "dumb")};
    options.env.insert(options.env.end(), env_.begin(), env_.end());
    std::string setup = setup_;
    if (GetParam() == "bash") {
      if (setup.empty()) setup = "source <(pawl completion bash)";
      terminal_ = std::make_unique<Terminal>("bash", std::vector<std::string>{"--norc", "--noprofile", "-i"}, options);
      setup += R"(; pawl() { printf '<<'; printf '[%s]' "$@"; printf '>>\n'; }; PS1=$'re\x61dy>')";
    } else if (GetParam() == "zsh") {
      if (setup.empty()) setup = "autoload -U compinit; compinit -D -u; source <(pawl completion zsh)";
      terminal_ = std::make_unique<Terminal>("zsh", std::vector<std::string>{"-f", "-i"}, options);
      setup += R"(; pawl() { printf '<<'; printf '[%s]' "$@"; printf '>>\n'; }; unsetopt prompt_sp; PS1=$'re\x61dy>')";
    } else {
      if (setup.empty()) setup = "command pawl completion fish | source";
      terminal_ = std::make_unique<Terminal>("fish", args_, options);
      setup +=
          R"(; set -g fish_autosuggestion_enabled 0; function pawl; printf '<<'; printf '[%s]' $argv; printf '>>\n'; end; function fish_prompt; printf 're\x61dy>'; end)";
    }
    terminal_->type(setup + "\r");
    ASSERT_FALSE(terminal_->until(kPrompt).empty()) << terminal_->shown();
  }

  // What the command is given after Tab and Enter, each word in brackets.
  std::string run(const std::string& line) {
    terminal_->type(line + "\t\r");
    seen_ = terminal_->until("<<");
    if (seen_.empty()) {
      ADD_FAILURE() << "nothing was run: " << line << "\n" << printable(terminal_->shown(), true);
      throw std::runtime_error("the line is still open");
    }
    std::string words = terminal_->until(">>");
    EXPECT_FALSE(terminal_->until(kPrompt).empty());
    return words.substr(0, words.size() - 2);
  }
  // The first letter of a word.
  static std::string first(std::string_view word) {
    std::size_t bytes = 1;
    while (bytes < word.size() && (static_cast<unsigned char>(word[bytes]) & 0xC0U) == 0x80U) ++bytes;
    return std::string(word.substr(0, bytes));
  }
  static bool begins_with_one_of(std::string_view word, std::string_view letters) {
    return letters.find(word[0]) != std::string_view::npos;
  }

  TempWorkspace there_;
  std::string setup_;
  std::vector<std::string> env_, args_ = {"--no-config", "-i"};
  std::unique_ptr<Terminal> terminal_;
  std::string seen_;  // of what the terminal showed before the command ran
};

TEST_P(ShellCompletion, NounsVerbsFlagsAndValues) {
  EXPECT_EQ(run("pawl iss"), "[issue]");
  EXPECT_EQ(run("pawl issue ge"), "[issue][get]");
  EXPECT_EQ(run("pawl review finding ad"), "[review][finding][add]");
  EXPECT_EQ(run("pawl story list --stat"), "[story][list][--status]");
  EXPECT_EQ(run("pawl story list --status pend"), "[story][list][--status][pending]");
  EXPECT_EQ(run("pawl story list --status=pend"), "[story][list][--status=pending]");
  EXPECT_EQ(run("pawl completion zs"), "[completion][zsh]");
  EXPECT_EQ(run("pawl help sto"), "[help][story]");
}

TEST_P(ShellCompletion, IdsStatusesAndBranchesOfTheStore) {
  ASSERT_EQ(run_program("sh",
                        {"-c",
                         "rm -rf .git; git init -q -b main; git -c user.name=n -c user.email=e commit -q "
                         "--allow-empty -m m; git branch 'feature/o\"ne;touch${IFS}RAN'"},
                        there_.options())
                .exit,
            0);
  EXPECT_EQ(run("pawl issue get 4"), "[issue][get][42]");
  EXPECT_EQ(run("pawl issue set 42 comp"), "[issue][set][42][complete]");
  EXPECT_EQ(run("pawl show issue/"), "[show][issue/42]");
  EXPECT_EQ(run("pawl ralph show s"),
            "[ralph][show][" + string_or(Json::parse(there_.run({"ralph", "list", "--json"}).out)[0], "loop") + "]");
  EXPECT_EQ(run("pawl ralph tick --session s"), "[ralph][tick][--session][s1]");
  EXPECT_EQ(run("pawl issue run 7 --base fea"), "[issue][run][7][--base][feature/o\"ne;touch${IFS}RAN]");
  EXPECT_FALSE(there_.exists("RAN"));
}

TEST_P(ShellCompletion, AWordWithAColonIsOneWord) {
  EXPECT_EQ(run("pawl story show US:22"), "[story][show][US:22]");
  EXPECT_EQ(run("pawl story show US:1"), "[story][show][US:1]");
  EXPECT_EQ(run("pawl story show U"), "[story][show][US:]") << "as far as all three go";
  EXPECT_EQ(run("pawl story show US:"), "[story][show][US:]");
  EXPECT_EQ(run("pawl story show 'US:1"), "[story][show][US:1]");
  EXPECT_EQ(run("pawl show story/US:1"), "[show][story/US:1]");
}

TEST_P(ShellCompletion, NothingInTheStoreRunsOrBreaksTheLine) {
  for (const std::string& id : kHostile) {
    const std::string all = cat("[story][show][", id, "]"), one = first(id);
    EXPECT_EQ(run(cat("pawl story show ", begins_with_one_of(id, "`$~#&<({[?") ? "\\" : "", one)), all);
    EXPECT_EQ(run(cat("pawl story show '", one)), all);
    if (!begins_with_one_of(id, "$`")) {
      EXPECT_EQ(run(cat("pawl story show \"", one)), all);
    }
  }
  EXPECT_FALSE(there_.exists("RAN"));
}

TEST_P(ShellCompletion, WhatNoLineCanHoldIsNotOffered) {
  EXPECT_EQ(run("pawl story show ne"), "[story][show][ne]");
  EXPECT_EQ(run("pawl story show ta"), "[story][show][ta]");
  EXPECT_EQ(run("pawl story show 2"), "[story][show][2]") << "it would look like another";
  EXPECT_EQ(run("pawl story show -das"), "[story][show][-das]") << "it would be read as an option";
  EXPECT_EQ(run("pawl story show -- -das"), "[story][show][--][-dash]");
}

TEST_P(ShellCompletion, AfterAnotherFolder) {
  start("/");
  EXPECT_EQ(run("pawl story show US:1"), "[story][show][US:1]") << "as typed";
  EXPECT_EQ(run("pawl story show b"), "[story][show][b]") << "none here";
  EXPECT_EQ(run("pawl -C " + there_.path() + " story show b"), "[-C][" + there_.path() + "][story][show][b lank]");
  EXPECT_EQ(run("pawl story --directory=" + there_.path() + " show b"),
            "[story][--directory=" + there_.path() + "][show][b lank]");
  EXPECT_EQ(run("pawl -C '/no where' story show b"), "[-C][/no where][story][show][b]");
  EXPECT_THAT(run("pawl -C \"$(touch " + there_.file("RAN") + ")/x\" story show b"), HasSubstr("[b]"));
  EXPECT_EQ(run("echo x; pawl issue ge"), "[issue][get]");
}

TEST_P(ShellCompletion, HomeIsKnownByItsShortName) {
  fs::create_symlink(there_.path(), there_.home() + "/link");
  start("/");
  EXPECT_THAT(run("pawl -C ~/link story show b"), HasSubstr("[show][b lank]"));
}

TEST_P(ShellCompletion, InTheMiddleOfALine) {
  // Back to behind the id's first letter, over " --json".
  EXPECT_EQ(run("pawl story show b --json\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D"), "[story][show][b lank][--json]");
  EXPECT_EQ(run("pawl  get 42\x01\x1b[C\x1b[C\x1b[C\x1b[C\x1b[Ciss"), "[issue][get][42]");
}

TEST_P(ShellCompletion, WithoutStoreItOffersNothingAndWritesNothing) {
  const TempWorkspace empty;
  start(empty.path());
  EXPECT_EQ(run("pawl story show U"), "[story][show][U]");
  EXPECT_THAT(seen_, Not(HasSubstr("rror")));
  EXPECT_THAT(seen_, Not(HasSubstr("store")));
  EXPECT_FALSE(empty.exists(".pawl"));
  EXPECT_EQ(run("pawl issue ge"), "[issue][get]") << "commands are there";
}

TEST_P(ShellCompletion, WhatIsOfferedIsExplained) {
  if (GetParam() == "bash") GTEST_SKIP() << "bash shows words alone";
  EXPECT_EQ(run("pawl story show US:2"), "[story][show][US:2]");
  EXPECT_THAT(seen_, HasSubstr("title of US:22"));
  EXPECT_THAT(seen_, HasSubstr("title of US:23"));
}

// As they are installed: below the prefix's share, with nothing in the user's own settings but what the shell asks for.
TEST_P(ShellCompletion, AFreshShellFindsWhatIsInstalled) {
  const std::string share = (fs::path(PAWL_BINARY).parent_path() / "share").string();
  ASSERT_TRUE(fs::exists(share)) << "the build makes it";
  env_ = {"XDG_DATA_DIRS=" + share};
  args_ = {"-i"};
  std::vector<std::string> setups = {"true"};
  if (GetParam() == "bash") setups = {"source /usr/share/bash-completion/bash_completion"};
  if (GetParam() == "zsh") {
    setups.clear();
    for (const char* folder : {"/zsh/site-functions", "/zsh/vendor-completions"})
      setups.push_back(cat("fpath=('", share, folder, "' $fpath); autoload -U compinit; compinit -D -u"));
  }
  for (const std::string& setup : setups) {
    setup_ = setup;
    start(there_.path());
    EXPECT_EQ(run("pawl issue ge"), "[issue][get]");
    EXPECT_EQ(run("pawl story show b"), "[story][show][b lank]");
  }
}

INSTANTIATE_TEST_SUITE_P(Shells, ShellCompletion, testing::Values("bash", "zsh", "fish"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace pawl::test
