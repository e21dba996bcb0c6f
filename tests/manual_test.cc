// The manual outside of the program, and what shells are given to complete commands.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "commands/verb.h"
#include "frontends/cli/complete.h"
#include "frontends/manual/manual.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

std::vector<std::string> words_of(const cli::Expected& expected) {
  std::vector<std::string> words;
  for (const cli::Candidate& one : expected.candidates) words.push_back(one.word);
  return words;
}

bool offers(std::vector<std::string_view> line, std::string_view word) {
  const auto words = words_of(cli::expected(line));
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(Completion, TableOffersNounsVerbsOptionsAndChoices) {
  EXPECT_TRUE(offers({""}, "issue"));
  EXPECT_TRUE(offers({""}, "status"));
  EXPECT_TRUE(offers({"help", ""}, "issue"));
  EXPECT_TRUE(offers({"issue", ""}, "set"));
  EXPECT_FALSE(offers({"issue", ""}, "status"));
  EXPECT_TRUE(offers({"review", ""}, "finding"));
  EXPECT_TRUE(offers({"review", "finding", ""}, "add"));
  EXPECT_TRUE(offers({"issue", "set", "--"}, "--session"));
  EXPECT_TRUE(offers({"issue", "set", "--"}, "--json"));
  EXPECT_TRUE(offers({"-C", "/somewhere", "completion", ""}, "zsh"));
  EXPECT_FALSE(offers({"--actor", "completion", ""}, "zsh")) << "that was a value of --actor";
  EXPECT_TRUE(offers({"completion", ""}, "zsh"));
  EXPECT_TRUE(words_of(cli::expected(std::vector<std::string_view>{"nonsense", "more", ""})).empty());
}

TEST(Completion, StoreOffersIdsWithWhatTheyAre) {
  const TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  EXPECT_EQ(ws.run({"__complete", "--", "issue", "get", ""}).out, "42\trunning: pi-issue-42\n");
  EXPECT_EQ(ws.run({"__complete", "--", "issue", "get", "5"}).out, "");
  EXPECT_EQ(ws.run({"__complete", "--", "issue", "resume", ""}).out, "42\trunning: pi-issue-42\n");
  EXPECT_EQ(ws.run({"__complete", "--", "issue", "wait", ""}).out, "42\trunning: pi-issue-42\n");
  EXPECT_EQ(ws.run({"__complete", "--", "issue", "list", "--status", "c"}).out, "complete\tan end\n");
  EXPECT_EQ(ws.run({"__complete", "--", "show", "iss"}).out, "issue/42\trunning: pi-issue-42\n");
  EXPECT_EQ(ws.run({"__complete", "--", "undo", ""}).out, "1\tissue set\n");
  EXPECT_EQ(ws.run({"__complete", "--", "issue", "set", "42", "c"}).out, "complete\tan end\n");
  EXPECT_EQ(ws.run({"__complete", "--", "issue", "set", "--session", "s", "42", "r"}).out, "running\t\n");
  EXPECT_EQ(ws.run({"__complete", "--", "issue", "set", "--session", ""}).out, "") << "its value is anything";
}

TEST(Completion, WithoutStoreNothingIsOfferedAndNothingMade) {
  const TempWorkspace ws;
  const Ran ran = ws.run({"__complete", "--", "issue", "get", ""});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out + ran.err, "");
  EXPECT_FALSE(ws.exists(".pawl"));
}

TEST(Manual, PageOfTheCommandsIsUpToDate) {
  EXPECT_EQ(read_all(cat(PAWL_SOURCE_DIR, "/docs/cli.md")), manual::markdown()) << "./dev manual writes it anew";
}

TEST(Manual, EveryVerbHasItsPlaceOnAPage) {
  const auto pages = manual::man_pages("1.2.3");
  for (const Verb* verb : all_verbs()) {
    const std::string name = verb->noun.empty() ? "pawl.1" : cat("pawl-", verb->noun, ".1");
    const auto page = std::find_if(pages.begin(), pages.end(), [&](const auto& one) { return one.name == name; });
    ASSERT_NE(page, pages.end()) << name;
    EXPECT_NE(page->text.find(cat(".SS \"", full_name(*verb), "\"\n")), std::string::npos) << full_name(*verb);
  }
}

// A line that begins with a dot is a macro's; text must not become one.
TEST(Manual, NothingInATextIsTakenForAMacro) {
  for (const manual::Page& page : manual::man_pages("1.2.3")) {
    for (const std::string_view line : split(page.text, '\n')) {
      if (!line.starts_with('.')) continue;
      const std::string_view macro = line.substr(0, line.find(' '));
      constexpr std::array<std::string_view, 10> kKnown = {".TH", ".SH", ".SS", ".PP", ".TP",
                                                           ".B",  ".nf", ".fi", ".RS", ".RE"};
      EXPECT_NE(std::find(kKnown.begin(), kKnown.end(), macro), kKnown.end()) << page.name << ": " << line;
    }
  }
}

}  // namespace
}  // namespace pawl::test
