// Screens at the width of the terminal they are on: no line is wider, whatever is in a title. What is there to be
// copied is left whole: a command to type, and a path or an id that is longer than the whole line.
#include <gtest/gtest.h>

#include "base/columns.h"
#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"
#include "support/terminal.h"

namespace pawl::test {
namespace {

// Every screen after another, at a terminal of this many columns.
std::string screen(const TempWorkspace& ws, const std::string& command, unsigned columns) {
  RunOptions options;
  options.cwd = ws.path();
  options.timeout_ms = 30'000;
  options.env = {"HOME=" + ws.home(), "LC_ALL=C.UTF-8", "TERM=xterm", "NO_COLOR=1", "PATH=/usr/bin:/bin"};
  Terminal terminal(
      "sh", {"-c", cat("stty cols ", columns, " -onlcr; ", PAWL_BINARY, " ", command, "; printf '\\nEND'")}, options);
  const std::string shown = terminal.until("\nEND");
  EXPECT_FALSE(shown.empty()) << command << "\n" << terminal.shown();
  return shown.empty() ? shown : shown.substr(0, shown.size() - 4);
}

bool is_whole_on_purpose(std::string_view line) {
  const std::string_view bare = trim(line);
  return bare.find(' ') == std::string_view::npos || bare.starts_with("pawl ");
}

TEST(Width, NoLineIsWiderThanTheTerminal) {
  const TempWorkspace ws;
  const std::vector<std::string> titles = {"日本語のタイトルはとても長いので折り返す必要があります",
                                           "🚀🚀🚀 rocket 👩‍👩‍👧‍👦 and words that go on",
                                           "plain words whose number is large indeed and that go on", "ünïcödé"};
  Json stories = Json::array();
  for (int i = 0; i < 12; ++i)
    stories.push_back({{"id", i % 2 == 0 ? cat("US-", i) : cat("物語-", i)},
                       {"title", titles[static_cast<std::size_t>(i) % titles.size()]},
                       {"description", ""},
                       {"acceptanceCriteria", {"条件"}},
                       {"priority", i + 1},
                       {"status", i == 11 ? "merged" : "pending"},
                       {"dependsOn", i == 5 ? Json::array({"US-0", "US-2"}) : Json::array()},
                       {"notes", ""}});
  ws.write("prd.json", Json{{"userStories", stories}}.dump());
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  for (const char* number : {"1", "2"})
    ASSERT_EQ(ws.run({"issue", "set", number, "running", "--session", "セッション-long-name-of-a-session"}).exit, 0);
  ASSERT_EQ(ws.run({"issue", "set", "3", "error", "--message", titles[0] + " " + titles[1]}).exit, 0);
  ASSERT_EQ(ws.run({"ralph", "start", "--prompt", titles[0] + titles[1], "--session", "s1"}).exit, 0);
  ASSERT_EQ(ws.run({"ralph", "start", "--prompt", "p", "--session", std::string(60, 's')}).exit, 0);
  for (const char* command :
       {"status", "status --all", "status --line", "story list", "issue list", "issue ps", "review list", "ralph list",
        "log", "story log", "show story/US-0", "story show US-4", "issue show 3", "doctor"}) {
    for (const unsigned columns : {20U, 40U, 80U, 160U}) {
      const std::string shown = screen(ws, command, columns);
      for (const std::string_view line : split(shown, '\n')) {
        if (!is_whole_on_purpose(line)) {
          EXPECT_LE(columns_of(line), columns) << command << " at " << columns << ":\n" << line;
        }
      }
    }
  }
  EXPECT_EQ(ws.run({"story", "list"}).out.find("…"), std::string::npos) << "what goes to another program is not cut";
}

TEST(Width, WhatGoesIntoAFileIsNotFolded) {
  const TempWorkspace ws;
  ws.write("prd.json", R"({"userStories": [{"id": "US-1", "title": "a", "priority": 1, "status": "pending",
    "acceptanceCriteria": ["a criterion of many words, which would not stand on one line of that terminal"]}]})");
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  for (const std::string command : {"story checks --suggest", "machine show story --mermaid"}) {
    std::vector<std::string> words;
    for (const std::string_view word : split(command, ' ')) words.emplace_back(word);
    EXPECT_EQ(screen(ws, command, 30), ws.run(words).out);
  }
}

TEST(Width, TheFootersCommandIsNeverCut) {
  const TempWorkspace ws;
  for (int i = 1; i < 20; ++i)
    ASSERT_EQ(ws.run({"issue", "set", std::to_string(i), i < 3 ? "complete" : "error"}).exit, 0);
  for (const unsigned columns : {20U, 25U, 30U, 40U, 80U}) {
    const std::string shown = screen(ws, "status", columns);
    std::size_t found = 0;
    for (std::size_t at = shown.find("pawl status --all"); at != std::string::npos;
         at = shown.find("pawl status --all", at + 1))
      ++found;
    EXPECT_EQ(found, 2U) << columns << "\n" << shown;
  }
}

TEST(Width, ColumnsStandBelowEachOtherWhereSignsAreWide) {
  const TempWorkspace ws;
  ws.write("prd.json", R"({"userStories": [
    {"id": "日本", "title": "a", "acceptanceCriteria": ["x"], "priority": 1, "status": "pending"},
    {"id": "US-1", "title": "b", "acceptanceCriteria": ["x"], "priority": 2, "status": "pending"}]})");
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  EXPECT_EQ(ws.run({"story", "list"}).out, "日本  pending    a\nUS-1  pending    b\n");
}

}  // namespace
}  // namespace pawl::test
