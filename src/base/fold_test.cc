#include "base/fold.h"

#include <gtest/gtest.h>

#include "base/columns.h"
#include "base/text.h"

namespace pawl {
namespace {

TEST(Fold, WhatFitsIsLeftAsItIs) {
  EXPECT_EQ(folded("one\n  two  three\n\nfour", 12), "one\n  two  three\n\nfour");
  EXPECT_EQ(folded("", 12), "");
  EXPECT_EQ(folded("\n", 12), "\n");
}

TEST(Fold, BreaksBetweenWordsAndGoesOnFurtherIn) {
  EXPECT_EQ(folded("problem: this is no status\n", 14), "problem: this\n    is no\n    status\n");
  EXPECT_EQ(folded("  held: by somebody who is away", 20), "  held: by somebody\n      who is away");
}

TEST(Fold, GoesOnUnderTheSecondColumn) {
  EXPECT_EQ(folded("  a.json  15 stories: 5 merged", 20), "  a.json  15\n          stories: 5\n          merged");
}

TEST(Fold, ACommandStaysWholeToBeCopied) {
  const std::string command = "    pawl story fix US-099 STATUS --reason R\n";
  EXPECT_EQ(folded(command, 20), command);
  EXPECT_EQ(folded("    pawl status    what is under way\n", 24), "    pawl status    what\n        is under way\n")
      << "one that is explained is a column";
}

TEST(Fold, WhatACommandDoesGoesBelowIt) {
  const std::string line = "  pawl issue resume 7  # goes on with it\n";
  EXPECT_EQ(folded(line, 60), line);
  EXPECT_EQ(folded(line, 30), "  pawl issue resume 7\n    # goes on with it\n");
  EXPECT_EQ(folded(line, 20), "  pawl issue resume 7\n    # goes on with\n    # it\n");
  EXPECT_EQ(folded("  tmux kill-session -t x  # stops it\n", 24), "  tmux kill-session -t x\n    # stops it\n");
}

TEST(Fold, ACommentIsOneToItsEnd) {
  EXPECT_EQ(folded("    # mend it, or move it away\n", 20), "    # mend it, or\n    # move it away\n");
}

TEST(Fold, ColourTakesNoRoomAndWideSignsTakeTwo) {
  EXPECT_EQ(folded("\x1b[31mpawl:\x1b[0m no", 8), "\x1b[31mpawl:\x1b[0m no");
  EXPECT_EQ(folded("日本 日本", 6), "日本\n日本");
}

TEST(Fold, SeveralCommandsInOneLineAreASentence) {
  EXPECT_EQ(folded("  pawl issue run 1 --again runs it; pawl issue cleanup 1 takes it away\n", 40),
            "  pawl issue run 1 --again runs it; pawl\n      issue cleanup 1 takes it away\n");
}

TEST(Fold, AWordWiderThanTheTerminalStandsAlone) {
  EXPECT_EQ(folded("a " + std::string(30, 'x') + " b", 10), "a\n    " + std::string(30, 'x') + "\n    b");
}

TEST(Fold, AWordInAScriptWithoutBlanksIsBrokenBetweenSigns) {
  EXPECT_EQ(folded("t: 日本語日本語日本語", 10), "t: 日本語\n    日本語\n    日本語");
  EXPECT_EQ(folded("日本語日本語", 5), "日本\n語日\n本語");
  EXPECT_EQ(folded("a: pending  日本語日本語日本語", 11), "a: pending\n    日本語\n    日本語\n    日本語")
      << "no blanks behind it";
}

TEST(Fold, NoLineIsWiderThanTheTerminal) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += cat(i % 7 == 0 ? "\n  name  " : "", "wörter und ");
  for (std::size_t width = 20; width < 100; ++width) {
    const std::string lines = folded(text, width);
    for (const std::string_view line : split(lines, '\n')) EXPECT_LE(columns_of(line), width) << line;
  }
}

TEST(Fold, WhereThereIsNoRoomForTheIndentItGoesOnWithoutIt) {
  EXPECT_EQ(folded("        # 日本語日本語\n", 10), "        #\n# 日本語日\n# 本語\n");
  EXPECT_NE(folded("# 日本語\n", 2), "");
}

}  // namespace
}  // namespace pawl
