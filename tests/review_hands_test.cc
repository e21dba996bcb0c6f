// Commands and hands in any order, with kills in between: every note, task and finding is there at the end.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "support/review_project.h"

namespace pawl::test {
namespace {

// What somebody must find again in one review.
struct Left {
  std::set<std::string> notes, tasks, titles;
};

class Hands {
 public:
  explicit Hands(unsigned seed) : random_(seed) {
    project_.start("octo/cat#8");
    project_.start("octo/cat#7", {"--yes"});
  }

  void step() {
    switch (pick(10)) {
      case 0:
        return note();
      case 1:
        return task();
      case 2:
        return turn();
      case 3:
        return reword();
      case 4:
        return command({"review", "mark", std::to_string(1 + pick(3)), pick(2) == 0 ? "in-progress" : "skipped"});
      case 5:
        return command({"review", "toggle", pick(2) == 0 ? "all" : "none"});
      case 6:
        return command({"review", "export"});
      case 7:
        project_.must({"review", "clean"});
        return project_.must({"undo"});
      case 8:
        return command({"review", "validate", "--pr", "nobody/none#1"});
      default:
        return add();
    }
  }

  void all_is_there() {
    for (const char* pr : {"octo/cat#7", "octo/cat#8"}) {
      project_.must({"review", "continue", pr});
      const std::string state = project_.state_file(), todo = project_.todo();
      for (const std::string& note : left_[pr].notes) EXPECT_TRUE(has(state, note)) << pr << note << state;
      for (const std::string& task : left_[pr].tasks) EXPECT_TRUE(has(todo, task)) << pr << task << todo;
      const Json findings = project_.json({"review", "finding", "list"});
      EXPECT_EQ(findings.size(), left_[pr].titles.size()) << pr << findings;
      std::set<std::string> titles;
      for (const Json& one : findings) titles.insert(string_or(one, "title"));
      EXPECT_EQ(titles, left_[pr].titles) << pr;
      for (const std::string& title : titles) EXPECT_TRUE(has(state, title)) << pr << title << state;
    }
    const Json list = project_.json({"review", "list"});
    EXPECT_NE(list[0]["current"], list[1]["current"]) << list;
  }

 private:
  std::size_t pick(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
  std::string word() { return "w" + std::to_string(++words_) + "x"; }
  // The one that the file shows: that is the one into which a hand writes.
  [[nodiscard]] std::string shown() const {
    return has(project_.state_file(), "pr_number: 7") ? "octo/cat#7" : "octo/cat#8";
  }
  // The one that pawl means, which after a kill need not be the one that its file shows.
  [[nodiscard]] std::string meant() const { return string_or(project_.state(), "pr"); }
  [[nodiscard]] std::string other() const { return shown() == "octo/cat#7" ? "octo/cat#8" : "octo/cat#7"; }

  // Whether it is allowed at this moment or not.
  void command(const std::vector<std::string>& args) {
    const Ran ran = project_.run(args);
    EXPECT_LT(ran.exit, 5) << ran.err;  // it may be refused, but nothing may break
  }
  void turn() {
    const std::vector<std::string> args = {"review", "continue", other()};
    if (pick(3) == 0 && project_.killed_at(SYS_renameat2, args)) return;
    project_.must(args);
  }

  void note() {
    const std::string text = "A note, " + word() + ".";
    left_[shown()].notes.insert(text);
    const std::string before = pick(2) == 0 ? "## Findings" : "## Comments by File";
    const std::string heading = pick(2) == 0 ? "" : "## Mine " + word() + "\n\n";
    project_.edit_file(kStateFile, before, heading + text + "\n\n" + before);
  }
  void task() {
    const std::string text = "- [x] do " + word() + "\n";
    const std::string todo = project_.todo();
    left_[has(todo, "octo/cat#7") ? "octo/cat#7" : "octo/cat#8"].tasks.insert(text);
    project_.write(kTodoFile, todo + text);
  }
  void add() {
    const std::string title = "Finding " + word();
    const std::string pr = meant();
    const std::vector<std::string> args = {
        "review",     "finding", "add",     "--file", "core/engine.ts", "--line", "3",
        "--severity", "minor",   "--title", title,    "--pr",           pr};
    left_[pr].titles.insert(title);
    if (pick(4) == 0 && project_.killed_at(SYS_renameat2, args)) return;
    project_.must(args);
  }
  void reword() {
    const std::string pr = shown(), text = project_.state_file();
    for (const std::string& title : left_[pr].titles) {
      if (!has(text, title)) continue;
      const std::string after = title + " again";
      project_.write(kStateFile, replaced(text, title, after));
      left_[pr].titles.erase(title);
      left_[pr].titles.insert(after);
      return;
    }
  }

  ReviewProject project_;
  std::mt19937 random_;
  std::map<std::string, Left> left_;
  int words_ = 0;
};

// A command that was killed had given the files to the other review; what is written into them now is for the one that
// they still show.
TEST(ReviewHands, WhatIsWrittenAfterAKilledTurnIsKept) {
  for (const bool back : {true, false}) {
    const ReviewProject project;
    project.start("octo/cat#8");
    project.start("octo/cat#7", {"--yes"});
    ASSERT_TRUE(project.killed_at(SYS_renameat2, {"review", "continue", "octo/cat#8"}));
    ASSERT_TRUE(has(project.todo(), "octo/cat#7")) << project.todo();
    project.write(kTodoFile, project.todo() + "- [x] do it\n");
    project.edit_file(kStateFile, "## Findings", "A note.\n\n## Findings");
    if (!back) project.must({"review", "continue", "octo/cat#8"});
    project.must({"review", "continue", "octo/cat#7"});
    EXPECT_TRUE(has(project.todo(), "do it")) << project.todo();
    EXPECT_TRUE(has(project.state_file(), "A note.")) << project.state_file();
  }
}

TEST(ReviewHands, NothingIsLost) {
  const char* const given = std::getenv("PAWL_TEST_SEED");
  const unsigned first = given != nullptr ? static_cast<unsigned>(std::stoul(given)) : std::random_device()();
  for (unsigned seed = first; seed < first + 4 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Hands hands(seed);
    for (int step = 0; step < 40; ++step) hands.step();
    hands.all_is_there();
  }
}

}  // namespace
}  // namespace pawl::test
