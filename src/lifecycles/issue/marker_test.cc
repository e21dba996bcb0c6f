#include "lifecycles/issue/marker.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "base/text.h"
#include "lifecycles/issue/run.h"

namespace pawl::issue {
namespace {

Said said_by(std::string_view output, std::string_view prompt = {}, std::size_t portion = std::string_view::npos) {
  MarkerReader reader(42, prompt);
  for (std::size_t at = 0; at < output.size(); at += std::min(portion, output.size()))
    reader.feed(output.substr(at, portion));
  reader.end();
  return reader.said();
}

struct Case {
  std::string_view name, output;
  bool complete = false;
  std::string_view error = {};  // the message; empty: no error marker
  std::string_view prompt = {};
};

constexpr std::string_view kPrompt = "Do it.\nWhen done, print this line:\n###TASK_COMPLETE_42###\nand stop.";

// Every width that somebody may print the prompt at.
TEST(MarkerEcho, APromptThatIsWrappedAnewSaysNothing) {
  issue::Run run;
  run.number = 42;
  run.title = "Fix the login page";
  run.branch = "feature/issue-42";
  const std::string prompt = prompt_for(run, "", false);
  for (std::size_t width = 1; width < 120; ++width) {
    std::string out, line;
    for (const std::string_view row : split(prompt, '\n')) {
      for (const std::string_view word : split(row, ' ')) {
        if (!line.empty() && line.size() + 1 + word.size() > width) out += std::exchange(line, {}) + "\n";
        line += cat(line.empty() ? "" : " ", word);
      }
      out += std::exchange(line, {}) + "\n";
    }
    const Said said = said_by(out, prompt);
    EXPECT_EQ(said.completes + said.errors, 0) << width << "\n" << out;
    EXPECT_EQ(said_by(out + "done\n###TASK_COMPLETE_42###\n", prompt).completes, 1) << width;
  }
}

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"alone on a line", "working\n###TASK_COMPLETE_42###\n", true},
      {"the words the other way round", "###COMPLETE_TASK_42###\n", true},
      {"without a newline at its end", "###TASK_COMPLETE_42###", true},
      {"with a carriage return", "###TASK_COMPLETE_42###\r\n", true},
      {"indented", "   ###TASK_COMPLETE_42###  \n", true},
      {"behind a bullet", "⏺ ###TASK_COMPLETE_42###\n", true},
      {"in a frame", "│ ###TASK_COMPLETE_42###      │\n", true},
      {"bold", "**###TASK_COMPLETE_42###**\n", true},
      {"coloured", "\x1b[32m###TASK_\x1b[1mCOMPLETE_42###\x1b[0m\r\n", true},
      {"drawn at a place", "\x1b[10;1Htext\x1b[11;3H###TASK_COMPLETE_42###\x1b[12;1H> ", true},
      {"broken by a narrow screen", "###TASK_COMPL\r\nETE_42###\r\n", true},
      {"broken in a frame", "│ ###TASK_COMPL │\r\n│ ETE_42###     │\r\n", true},
      {"after a line of 1 MB", "", true},  // filled in below
      {"another issue's", "###TASK_COMPLETE_4###\n###TASK_COMPLETE_421###\n###TASK_COMPLETE_142###\n"},
      {"a mention", "I will print ###TASK_COMPLETE_42### when I am done\n"},
      {"a mention at the beginning", "###TASK_COMPLETE_42### is what I print at the end\n"},
      {"as code", "`###TASK_COMPLETE_42###`\n"},
      {"quoted", "> ###TASK_COMPLETE_42###\n"},
      {"typed at a prompt", "$ echo ###TASK_COMPLETE_42###\n"},
      {"typed at an agent's prompt", "│ ❯ ###TASK_COMPLETE_42### │\n"},
      {"in a fence", "```\n###TASK_COMPLETE_42###\n```\n"},
      {"in a fence with a language", "```sh\necho\n###TASK_COMPLETE_42###\n```\n"},
      {"in a fence of tildes", "~~~\n###TASK_COMPLETE_42###\n~~~\n"},
      {"in a long fence around a short one", "````\n```\n###TASK_COMPLETE_42###\n```\n````\n"},
      {"after a fence", "```\ncode\n```\n###TASK_COMPLETE_42###\n", true},
      {"after something that is no fence", "```code``` is code\n###TASK_COMPLETE_42###\n", true},
      {"in a fence that nobody closes", "```\n###TASK_COMPLETE_42###\n"},
      {"the prompt repeated", kPrompt, false, {}, kPrompt},
      {"the prompt repeated in a frame",
       "│ > Do it.\n│ When done, print this line:\n│ ###TASK_COMPLETE_42###\n",
       false,
       {},
       kPrompt},
      {"the prompt repeated, then done",
       "When done, print this line:\n###TASK_COMPLETE_42###\nand stop.\n\nDone.\n"
       "###TASK_COMPLETE_42###\n",
       true,
       {},
       kPrompt},
      {"an error and its message", "###TASK_ERROR_42###\nテストが失敗しました\nmore\n", false, "テストが失敗しました"},
      {"an error the other way round", "###ERROR_TASK_42###\nno\n", false, "no"},
      {"an error without a message", "###TASK_ERROR_42###\n", false, "Unknown error"},
      {"an error and an empty line", "###TASK_ERROR_42###\n\nlater\n", false, "Unknown error"},
      {"the message of the last one", "###TASK_ERROR_42###\nfirst\n###TASK_ERROR_42###\nlast\n", false, "last"},
      {"a message with escapes", "###TASK_ERROR_42###\n\x1b[31mred\x1b]0;t\x07 alert\x1b[0m\n", false, "red alert"},
      {"a message that is not ended", "###TASK_ERROR_42###\nno newline", false, "no newline"},
      {"both", "###TASK_ERROR_42###\nno\n###TASK_COMPLETE_42###\n", true, "no"},
      {"a phase is no end", "###PHASE_COMPLETE_42###\n###COMPLETE_PHASE_42###\n"},
  };
  return kCases;
}

std::string output_of(const Case& one) {
  if (one.name == "after a line of 1 MB") return std::string(1 << 20, '#') + "\n###TASK_COMPLETE_42###\n";
  return std::string(one.output);
}

TEST(Marker, EachCase) {
  for (const Case& one : cases()) {
    const Said said = said_by(output_of(one), one.prompt);
    EXPECT_EQ(said.complete.has_value(), one.complete) << one.name;
    EXPECT_EQ(said.error.has_value(), !one.error.empty()) << one.name;
    EXPECT_EQ(said.message, one.error) << one.name;
  }
}

TEST(Marker, SplitOverReadsAnywhere) {
  for (const Case& one : cases()) {
    if (output_of(one).size() > 1000) continue;
    for (std::size_t portion = 1; portion < one.output.size(); ++portion) {
      const Said said = said_by(one.output, one.prompt, portion);
      EXPECT_EQ(said.complete.has_value(), one.complete) << one.name << " in portions of " << portion;
      EXPECT_EQ(said.message, one.error) << one.name << " in portions of " << portion;
    }
  }
}

TEST(Marker, PauseCountsALineThatWasNotEndedOnce) {
  MarkerReader reader(42, "");
  reader.feed("###TASK_COMPLETE_42###");
  EXPECT_FALSE(reader.said().complete);
  EXPECT_TRUE(reader.waiting());
  reader.pause();
  EXPECT_EQ(reader.said().completes, 1);
  reader.pause();
  reader.feed("\n");
  EXPECT_EQ(reader.said().completes, 1);
}

TEST(Marker, PauseDoesNotCountHalfAMarker) {
  MarkerReader reader(42, "");
  reader.feed("###TASK_COMPLETE_42");
  reader.pause();
  EXPECT_EQ(reader.said().completes, 0);
  reader.feed("###\n");
  EXPECT_EQ(reader.said().completes, 1);
}

TEST(Marker, OffsetsTellWhatCameBefore) {
  MarkerReader reader(42, "", {}, 1000);
  reader.feed("###TASK_COMPLETE_42###\n");
  EXPECT_EQ(reader.said().complete, 1023);
}

TEST(Marker, MessageHas200CharactersAndNoHalfOne) {
  std::string line;
  for (int i = 0; i < 300; ++i) line += "失";
  const std::string message = error_message(line);
  EXPECT_EQ(message.size(), 600U);
  EXPECT_TRUE(is_utf8(message));
  EXPECT_EQ(error_message("  │  │ "), kUnknownError);
  EXPECT_TRUE(is_utf8(error_message("broken \xe5\xa4")));
}

// Whatever is printed around it, and however it is cut: a marker alone on its line outside of fences is found.
TEST(Marker, RandomOutputAndPortions) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  SCOPED_TRACE(cat("seed ", seed));
  constexpr std::array<std::string_view, 8> kPieces = {"text ", "\x1b[31m", "\r\n",      "\n",
                                                       "### ",  "|",        "\x1b[2K\r", "日本"};
  for (int round = 0; round < 300; ++round) {
    std::string output;
    for (auto i = random() % 60; i > 0; --i) output += kPieces[random() % kPieces.size()];
    const bool with = random() % 2 == 0;
    if (with) output += "\n\x1b[0m###TASK_COMPLETE_42###\x1b[K\r\n";
    for (auto i = random() % 20; i > 0; --i) output += kPieces[random() % kPieces.size()];
    const Said said = said_by(output, {}, 1 + random() % 40);
    ASSERT_EQ(said.completes, with ? 1 : 0) << printable(output);
  }
}

}  // namespace
}  // namespace pawl::issue
