#include "frontends/cli/wrap.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::cli {
namespace {

TEST(Wrap, FillsEightyColumnsAndNoMore) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "wörter ";
  const std::string filled = wrapped(text, 4);
  for (const std::string_view line : split(filled, '\n')) {
    EXPECT_LE(columns(line), kHelpWidth);
    EXPECT_TRUE(line.empty() || line.starts_with("    w"));
  }
}

TEST(Wrap, JoinsLinesAndKeepsParagraphs) { EXPECT_EQ(wrapped("one\ntwo\n\nthree", 2), "  one two\n\n  three\n"); }

TEST(Wrap, CommandsAreNotBrokenOverLines) {
  const std::string text = std::string(72, 'x') + " `pawl issue set 42 running`, and so on";
  EXPECT_EQ(wrapped(text, 0), std::string(72, 'x') + "\n`pawl issue set 42 running`, and so on\n");
}

TEST(Wrap, AWordWiderThanTheLineStandsAlone) {
  EXPECT_EQ(wrapped("a " + std::string(100, 'x') + " b", 0), "a\n" + std::string(100, 'x') + "\nb\n");
}

TEST(Wrap, EntryHasTwoColumns) {
  EXPECT_EQ(entry("--json", "answer in JSON", 12), "  --json    answer in JSON\n");
  EXPECT_EQ(entry("--a-very-long-one", "what", 12), "  --a-very-long-one\n            what\n");
}

}  // namespace
}  // namespace pawl::cli
