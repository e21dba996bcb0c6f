// What people typed for 0.1.0 goes on working, or the table beside this says what does it now.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "support/binary.h"
#include "support/paths.h"

namespace pawl::test {
namespace {

struct Row {
  std::string command;               // "issue set"
  std::vector<std::string> options;  // "--session S", "--strip"
  std::size_t words = 0;             // positional ones
  std::string fate;
};

bool is_value(std::string_view word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

// "pawl issue set N STATUS [--session S] [--strip]" without its brackets.
Row row_of(std::string usage, std::string_view fate) {
  std::erase_if(usage, [](char c) { return c == '[' || c == ']' || c == '.'; });
  Row row;
  row.fate = fate;
  for (const std::string_view word : split(usage, ' ')) {
    if (word.empty()) continue;
    if (word.starts_with('-')) {
      row.options.emplace_back(word);
    } else if (is_value(word) && !row.options.empty() && row.options.back().find(' ') == std::string::npos) {
      row.options.back() += " VALUE";
    } else if (is_value(word)) {
      ++row.words;
    } else if (word != "pawl") {
      row.command += cat(row.command.empty() ? "" : " ", word);
    }
  }
  return row;
}

std::vector<Row> rows() {
  std::vector<Row> out;
  const std::string table = read_all(cat(PAWL_SOURCE_DIR, "/tests/commands_0_1_0.txt")).value_or("");
  for (const std::string_view line : split(table, '\n')) {
    const std::size_t bar = line.find(" | ");
    if (!line.starts_with('#') && bar != std::string_view::npos)
      out.push_back(row_of(std::string(line.substr(0, bar)), line.substr(bar + 3)));
  }
  return out;
}

Ran help(std::string_view command) {
  std::vector<std::string> args = {"help"};
  for (const std::string_view word : split(command, ' ')) args.emplace_back(word);
  return run_pawl(args);
}

// The line below "Usage", put together again where it was wrapped.
std::string usage_in(const std::string& text) {
  const std::size_t at = text.find("\nUsage\n");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + std::string_view("\nUsage\n").size();
  std::string usage = text.substr(begin, text.find("\n\n", begin) - begin);
  std::replace(usage.begin(), usage.end(), '\n', ' ');
  return usage;
}

TEST(CommandsOf010, StayOrTheTableSaysWhatDoesItNow) {
  const auto table = rows();
  EXPECT_EQ(table.size(), 117U);
  for (const Row& row : table) {
    SCOPED_TRACE(row.command);
    const Ran ran = help(row.command);
    if (row.fate.starts_with("dropped, ")) {
      EXPECT_NE(ran.exit, 0) << "it is still there";
      EXPECT_EQ(help(row.fate.substr(std::string_view("dropped, ").size())).exit, 0);
      continue;
    }
    ASSERT_EQ(ran.exit, 0) << ran.err;
    if (row.fate.starts_with("alias of ")) {
      EXPECT_EQ(help(row.fate.substr(std::string_view("alias of ").size())).exit, 0);
      continue;
    }
    ASSERT_EQ(row.fate, "stays");
    const Row now = row_of(usage_in(ran.out), "stays");
    EXPECT_EQ(now.words, row.words);
    for (const std::string& option : row.options)
      EXPECT_TRUE(std::find(now.options.begin(), now.options.end(), option) != now.options.end()) << option;
  }
}

// As they are told at the end of each command's help.
TEST(CommandsOf010, OptionsOfEveryCommandStay) {
  const Ran ran = help("status");
  for (const char* const option : {"-C, --directory DIR", "--json", "--at OPERATION", "--actor NAME", "--reason TEXT",
                                   "--idempotency-key KEY", "--no-color", "-v, --verbose", "-h, --help"})
    EXPECT_TRUE(has(ran.out, cat("\n  ", option))) << option;
}

}  // namespace
}  // namespace pawl::test
