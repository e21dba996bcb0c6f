// Another tool writes the file between pawl's reading and its exchange. Whatever it writes, nothing is lost: what was
// displaced is found and taken over under the same rules as any other change. The Decide callback runs in just that
// moment; while_rendering() gives the same moment of the rounds that follow.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "support/todo_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSharedList =
    R"({"project": "alpha", "items": [{"id": "a", "state": "open", "title": "one"}, {"id": "b", "state": "open"}]})";

std::string with(std::string_view from, std::string_view to, std::string text = std::string(kSharedList)) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const std::string kADoing = "\"a\", \"state\": \"doing\"";
const std::string kAOpen = "\"a\", \"state\": \"open\"";
const std::string kBOpen = "\"b\", \"state\": \"open\"";

class Meanwhile : public testing::Test {
 protected:
  Meanwhile() {
    project_.put(kSharedList);
    EXPECT_TRUE(project_.change({todo("a")}, [](const View&, const Now&) -> Result<Decision> { return Decision{}; }));
  }
  // At the end file and store say the same, nothing waits, and a further look finds nothing to do.
  ~Meanwhile() override {
    while_rendering() = nullptr;
    project_.look();
    const std::size_t operations = project_.operations().size();
    const std::string bytes = project_.bytes();
    project_.reopen();
    project_.look();
    EXPECT_EQ(project_.operations().size(), operations);
    EXPECT_EQ(project_.bytes(), bytes);
    EXPECT_TRUE(project_.kept("tmp").empty());
    const auto store = project_.engine().store();
    EXPECT_TRUE(store);
    const auto health = (*store)->check();
    EXPECT_TRUE(health);
    for (const std::string& problem : health->problems) ADD_FAILURE() << problem;
  }
  // As editors save: a new file, moved over the old one.
  void replace_file(std::string_view bytes) const {
    project_.write("plans/.todos.json.swp", bytes);
    fs::rename(project_.file("plans/.todos.json.swp"), project_.file(kTodoPath));
  }
  TodoProject project_;
};

TEST_F(Meanwhile, AnotherRecordEditedKeepsBoth) {
  const auto outcome = project_.move("a", "doing", [&] { project_.edit(kBOpen, "\"b\", \"state\": \"dropped\""); });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(project_.stored("a").status, "doing");  // already, without another command
  EXPECT_EQ(project_.stored("b").status, "dropped");
  EXPECT_EQ(project_.bytes(), with(kBOpen, "\"b\", \"state\": \"dropped\"", with(kAOpen, kADoing)));
}

TEST_F(Meanwhile, AnotherFieldOfTheSameRecordEditedKeepsBoth) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.edit("\"one\"", "\"uno\""); }));
  EXPECT_EQ(project_.stored("a").status, "doing");
  EXPECT_EQ(project_.stored("a").doc["title"], "uno");
  EXPECT_EQ(project_.bytes(), with("\"one\"", "\"uno\"", with(kAOpen, kADoing)));
}

TEST_F(Meanwhile, FileReplacedByANewOneKeepsBoth) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { replace_file(with("\"one\"", "\"uno\"")); }));
  EXPECT_EQ(project_.stored("a").status, "doing");
  EXPECT_EQ(project_.stored("a").doc["title"], "uno");
}

TEST_F(Meanwhile, SameRecordMovedElsewhereIsTakenFromWhereItStandsNow) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.edit(kAOpen, "\"a\", \"state\": \"dropped\""); }));
  EXPECT_EQ(project_.stored("a").status, "dropped");
  const auto events = project_.events();
  EXPECT_EQ(events[events.size() - 2].after.status, "doing");
  EXPECT_EQ(events.back().from, "doing");
}

TEST_F(Meanwhile, IllegalWordIsPutBackAndKept) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.edit(kAOpen, "\"a\", \"state\": \"shipped\""); }));
  EXPECT_EQ(project_.stored("a").status, "doing");
  EXPECT_EQ(project_.bytes(), with(kAOpen, kADoing));
  ASSERT_EQ(project_.kept("refused").size(), 1U);
  EXPECT_NE(project_.kept("refused").front().find("shipped"), std::string::npos);
  EXPECT_TRUE(project_.noted("shipped"));
}

TEST_F(Meanwhile, ExactlyTheSameWrittenIsNoEvent) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.put(with(kAOpen, kADoing)); }));
  EXPECT_EQ(project_.operations().size(), 2U);
  EXPECT_EQ(project_.bytes(), with(kAOpen, kADoing));
}

TEST_F(Meanwhile, SameMoveWithAnotherSpellingIsNoEvent) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.put(with(kAOpen, "\"a\",   \"state\": \"doing\"")); }));
  EXPECT_EQ(project_.operations().size(), 2U);
  EXPECT_EQ(project_.status("a"), "doing");
}

TEST_F(Meanwhile, OldBytesSavedAgainAreNoEvent) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { replace_file(kSharedList); }));
  EXPECT_EQ(project_.operations().size(), 2U);
  EXPECT_EQ(project_.bytes(), with(kAOpen, kADoing));
}

TEST_F(Meanwhile, RecordAddedIsAdopted) {
  ASSERT_TRUE(project_.move("a", "doing",
                            [&] { project_.edit("}]}", "}, {\"id\": \"n\", \"state\": \"doing\", \"x\": 1}]}"); }));
  EXPECT_EQ(project_.stored("n").status, "doing");
  EXPECT_NE(project_.bytes().find("\"n\""), std::string::npos);
  EXPECT_NE(project_.bytes().find(kADoing), std::string::npos);
}

TEST_F(Meanwhile, RecordTakenOutIsPutBack) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.edit(", {\"id\": \"b\", \"state\": \"open\"}", ""); }));
  EXPECT_EQ(project_.status("b"), "open");
  EXPECT_NE(project_.bytes().find(kBOpen), std::string::npos);
  EXPECT_NE(project_.bytes().find(kADoing), std::string::npos);
}

TEST_F(Meanwhile, FileRemovedIsTheStopThatItAlwaysIs) {
  const auto outcome = project_.move("a", "doing", [&] { fs::remove(project_.file(kTodoPath)); });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(project_.bytes(), "(none)");
  EXPECT_TRUE(project_.stored("a").aside);
  EXPECT_EQ(project_.stored("a").status, "doing");  // what was acknowledged is there
}

TEST_F(Meanwhile, DamageIsKeptAsideAndSaid) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.put("{\"project\": \"al"); }));
  EXPECT_EQ(project_.bytes(), with(kAOpen, kADoing));
  ASSERT_EQ(project_.kept("damaged").size(), 1U);
  EXPECT_EQ(project_.kept("damaged").front(), "{\"project\": \"al");
  EXPECT_TRUE(project_.noted("damaged")) << "both are said: that it was damaged, and where it is kept";
}

TEST_F(Meanwhile, FileEmptiedIsKeptAsideAndRestored) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.put(""); }));
  EXPECT_EQ(project_.bytes(), with(kAOpen, kADoing));
}

TEST_F(Meanwhile, AnotherIdentitySetsAsideAndIsAdopted) {
  const std::string theirs = R"({"project": "beta", "items": [{"id": "x", "state": "doing", "note": "theirs"}]})";
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.put(theirs); }));
  EXPECT_EQ(project_.status("x"), "doing");
  EXPECT_EQ(project_.status("a"), "aside");
  EXPECT_EQ(project_.status("b"), "aside");
  EXPECT_EQ(project_.bytes(), theirs) << "the file is another project's now, and stays as that one wrote it";
}

TEST_F(Meanwhile, EditOfWhatPawlRemovesIsNotLost) {
  ASSERT_TRUE(project_.move("a", std::string(kAbsent), [&] { project_.edit("\"one\"", "\"important\""); }));
  project_.look();
  bool found = project_.stored("a").doc.json().value("title", "") == "important";
  for (const Event& event : project_.events())
    found = found || event.after.doc.json().value("title", "") == "important";
  for (const std::string& kept : project_.kept("refused")) found = found || kept.find("important") != std::string::npos;
  EXPECT_TRUE(found);
}

TEST_F(Meanwhile, EditUnderARefusedCommandIsTakenOverByTheNext) {
  const auto refused = project_.move("a", "done", [&] { project_.edit(kBOpen, "\"b\", \"state\": \"doing\""); });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::illegal_move);
  EXPECT_EQ(project_.status("b"), "doing");
  EXPECT_EQ(project_.status("a"), "open");
}

TEST_F(Meanwhile, EditBeforeAndEditDuringAreBothThere) {
  project_.edit("\"one\"", "\"uno\"");
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.edit(kBOpen, "\"b\", \"state\": \"doing\""); }));
  EXPECT_EQ(project_.status("a"), "doing");
  EXPECT_EQ(project_.stored("a").doc["title"], "uno");
  EXPECT_EQ(project_.stored("b").status, "doing");
}

TEST_F(Meanwhile, OneEditInEachRoundIsKept) {
  int rounds = 0;
  while_rendering() = [&] {
    if (++rounds > 4) return;
    project_.edit("\"items\": [", "\"items\": [{\"id\": \"n" + std::to_string(rounds) + "\", \"state\": \"open\"}, ");
  };
  ASSERT_TRUE(project_.move("a", "doing"));
  while_rendering() = nullptr;
  project_.look();
  EXPECT_EQ(project_.stored("a").status, "doing");
  for (int n = 1; n <= std::min(rounds, 4); ++n)
    EXPECT_EQ(project_.stored("n" + std::to_string(n)).status, "open") << n;
  EXPECT_GE(rounds, 4);
}

TEST_F(Meanwhile, AToolThatNeverStopsIsLeftForTheNextCommand) {
  int rounds = 0;
  while_rendering() = [&] {
    project_.edit("\"items\": [", "\"items\": [{\"id\": \"n" + std::to_string(++rounds) + "\", \"state\": \"open\"}, ");
  };
  ASSERT_TRUE(project_.move("a", "doing"));  // ends
  while_rendering() = nullptr;
  EXPECT_GT(rounds, 3);
  project_.look();
  EXPECT_EQ(project_.stored("a").status, "doing");
  for (int n = 1; n <= rounds; ++n) EXPECT_EQ(project_.stored("n" + std::to_string(n)).status, "open") << n;
}

// What belongs to no record is the other tool's as much as the rest.
TEST_F(Meanwhile, MemberOutsideAnyRecordEditedIsNotLost) {
  ASSERT_TRUE(project_.move("a", "doing", [&] { project_.edit("{\"project\"", "{\"owner\": \"ada\", \"project\""); }));
  EXPECT_EQ(project_.status("a"), "doing");
  EXPECT_EQ(project_.bytes(), with("{\"project\"", "{\"owner\": \"ada\", \"project\"", with(kAOpen, kADoing)));
}

// It opened the file before the exchange, which then waits for it.
TEST_F(Meanwhile, AToolThatHasTheFileOpenKeepsIt) {
  int fd = -1;
  ASSERT_TRUE(project_.move("a", "doing", [&] {
    fd = ::open(project_.file(kTodoPath).c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
  }));
  EXPECT_EQ(project_.bytes(), kSharedList) << "pawl writes it when the tool is done";
  const std::string late = with("\"one\"", "\"late\"");
  EXPECT_EQ(::ftruncate(fd, 0), 0);
  EXPECT_EQ(::pwrite(fd, late.data(), late.size(), 0), static_cast<ssize_t>(late.size()));
  ::close(fd);
  EXPECT_EQ(project_.status("a"), "doing");
  EXPECT_EQ(project_.stored("a").doc["title"], "late");
  EXPECT_EQ(project_.bytes(), with("\"one\"", "\"late\"", with(kAOpen, kADoing)));
}

// Killed after the exchange and before what was displaced has been looked at.
TEST_F(Meanwhile, AnEditDisplacedByAProcessThatDiedIsFoundByTheNext) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    TodoProject* const mine = &project_;
    mine->open_in_child();
    bool moving = false;
    mine->clock.looked = [&](int) {
      if (moving) ::_exit(9);  // the second round begins with a look at the clock
    };
    static_cast<void>(mine->move("a", "doing", [&] {
      moving = true;
      mine->edit("\"one\"", "\"displaced\"");
    }));
    ::_exit(1);
  }
  int ended = 0;
  ASSERT_EQ(::waitpid(child, &ended, 0), child);
  ASSERT_EQ(WEXITSTATUS(ended), 9);
  ASSERT_EQ(project_.kept("tmp").size(), 1U);
  EXPECT_EQ(project_.bytes(), with(kAOpen, kADoing));
  project_.reopen();
  EXPECT_EQ(project_.status("a"), "doing");
  EXPECT_EQ(project_.stored("a").doc["title"], "displaced");
}

// The same, and the tool has written a second time since.
TEST_F(Meanwhile, ADisplacedEditAndOneAfterTheDeathAreBothTaken) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    project_.open_in_child();
    bool moving = false;
    project_.clock.looked = [&](int) {
      if (moving) ::_exit(9);
    };
    static_cast<void>(project_.move("a", "doing", [&] {
      moving = true;
      project_.edit("\"one\"", "\"displaced\"");
    }));
    ::_exit(1);
  }
  int ended = 0;
  ASSERT_EQ(::waitpid(child, &ended, 0), child);
  ASSERT_EQ(WEXITSTATUS(ended), 9);
  project_.edit(kBOpen, "\"b\", \"state\": \"dropped\"");
  project_.reopen();
  EXPECT_EQ(project_.status("b"), "dropped");
  EXPECT_EQ(project_.stored("a").status, "doing");
  EXPECT_EQ(project_.stored("a").doc["title"], "displaced");
}

TEST(MeanwhileFresh, AFileMadeWherePawlMakesItsFirstKeepsBoth) {
  TodoProject project;
  int decided = 0;
  ASSERT_TRUE(project.move("a", "open", [&] {
    if (++decided == 2) project.put(R"({"items": [{"id": "z", "state": "doing", "their": 1}]})");
  }));
  EXPECT_EQ(project.status("z"), "doing");
  EXPECT_EQ(project.status("a"), "open");
  EXPECT_NE(project.bytes().find("\"z\""), std::string::npos);
  EXPECT_NE(project.bytes().find("\"a\""), std::string::npos);
}

TEST(MeanwhileFresh, SameRecordMadeByBothIsOneRecordWithBothFields) {
  TodoProject project;
  int decided = 0;  // where there is no store yet once to see whether it is refused, and then in earnest
  ASSERT_TRUE(project.move("a", "open", [&] {
    if (++decided == 2) project.put(R"({"items": [{"id": "a", "state": "open", "their": 1}]})");
  }));
  EXPECT_EQ(project.status("a"), "open");
  EXPECT_EQ(project.stored("a").doc["their"], 1);
}

}  // namespace
}  // namespace pawl::test
