#include "frontends/cli/parse.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "commands/table.h"

// Parsed against the verbs that need no store; what all verbs have in common is in tests/cli_test.cc.

namespace pawl::cli {
namespace {

Result<CommandLine> read(std::initializer_list<std::string_view> words) {
  return parse(std::vector<std::string_view>(words));
}

std::string message(std::initializer_list<std::string_view> words) {
  const auto request = read(words);
  return request ? "accepted" : request.error().message;
}

TEST(Parse, NounAndVerbAreFound) {
  const auto request = read({"machine", "show", "issue"});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->verb, &kMachineShow);
  EXPECT_EQ(request->arguments.text("name"), "issue");
  EXPECT_EQ(read({"version"})->verb, &kVersion);
  EXPECT_EQ(read({"--version"})->verb, &kVersion);
}

TEST(Parse, CommonOptionsStandAnywhere) {
  const std::vector<std::vector<std::string_view>> lines = {
      {"-C", "d", "--json", "machine", "show", "issue"},
      {"machine", "-C", "d", "--json", "show", "issue"},
      {"machine", "show", "-C", "d", "--json", "issue"},
      {"machine", "show", "issue", "--json", "-C", "d"},
      {"-Cd", "machine", "show", "issue", "--json"},
      {"--directory=d", "machine", "show", "--json", "issue"},
      {"machine", "--directory", "d", "show", "--json", "--", "issue"},
  };
  for (const auto& line : lines) {
    const auto request = parse(line);
    ASSERT_TRUE(request) << request.error().message;
    EXPECT_EQ(request->verb, &kMachineShow);
    EXPECT_EQ(request->directory, "d");
    EXPECT_TRUE(request->json);
    EXPECT_EQ(request->arguments.text("name"), "issue");
  }
}

TEST(Parse, ValuesMayLookLikeAnything) {
  EXPECT_EQ(read({"version", "--reason", "-x"})->flags.reason, "-x");
  EXPECT_EQ(read({"version", "--reason", "--json"})->flags.reason, "--json");
  EXPECT_EQ(read({"version", "--reason=--json"})->flags.reason, "--json");
  EXPECT_EQ(read({"version", "--reason=a=b"})->flags.reason, "a=b");
  EXPECT_EQ(read({"version", "--reason", "--"})->flags.reason, "--");
  EXPECT_EQ(read({"version", "--reason", ""})->flags.reason, "");
  EXPECT_EQ(read({"machine", "show", "-5"})->arguments.text("name"), "-5");
  EXPECT_EQ(read({"machine", "show", "-"})->arguments.text("name"), "-");
  EXPECT_EQ(read({"machine", "show", ""})->arguments.text("name"), "");
  EXPECT_EQ(read({"machine", "show", "--", "--json"})->arguments.text("name"), "--json");
  EXPECT_EQ(read({"machine", "show", "--", "--"})->arguments.text("name"), "--");
}

TEST(Parse, CommonFlagsReachTheContext) {
  const auto request =
      read({"version", "--actor", "ann", "--reason=why", "--idempotency-key", "k1", "--at", "7", "-v", "--no-color"});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->flags.actor, "ann");
  EXPECT_EQ(request->flags.reason, "why");
  EXPECT_EQ(request->flags.idempotency_key, "k1");
  EXPECT_EQ(request->flags.at, 7);
  EXPECT_TRUE(request->flags.verbose);
  EXPECT_TRUE(request->no_color);
}

TEST(Parse, LettersMayBeWrittenTogether) {
  const auto request = read({"version", "-vCd"});
  ASSERT_TRUE(request);
  EXPECT_TRUE(request->flags.verbose);
  EXPECT_EQ(request->directory, "d");
  EXPECT_EQ(message({"version", "-vx"}), "there is no option “-vx” for `pawl version`");
}

TEST(Parse, WhatIsMissingOrTooMuchIsNamed) {
  EXPECT_EQ(message({"machine"}), "`pawl machine` needs to know what: list, show or check");
  EXPECT_EQ(message({"machine", "show"}), "`pawl machine show` needs NAME: which one; `pawl machine list` shows them");
  EXPECT_EQ(message({"machine", "show", "a", "b"}), "“b” is one word too many");
  EXPECT_EQ(message({"version", "--reason"}), "--reason needs a value: TEXT");
  EXPECT_EQ(message({"version", "--json=yes"}), "--json takes no value");
  EXPECT_EQ(message({"version", "--actor", "a", "--actor", "b"}), "--actor is given twice");
  EXPECT_EQ(message({"version", "--at", "1", "--at", "2"}), "--at is given twice");
  EXPECT_EQ(message({"version", "--at", "yesterday"}), "--at: “yesterday” is not an operation");
}

TEST(Parse, TextForTheLogIsChecked) {
  EXPECT_EQ(message({"version", "--actor", "a\x1b[31m"}), "--actor: “a\\x1b[31m” has control characters");
  EXPECT_EQ(message({"version", "--reason", "\xff"}), "--reason: the text is not UTF-8");
  EXPECT_EQ(message({"version", "--actor", std::string(201, 'a')}), "--actor: 201 bytes are too many");
  EXPECT_EQ(message({"version", "--reason", "two\nlines"}), "accepted");
}

TEST(Parse, HelpIsGivenWhateverElseIsWrong) {
  for (const auto& line : std::vector<std::vector<std::string_view>>{{"machine", "show", "--help"},
                                                                     {"machine", "-h", "show"},
                                                                     {"-h", "machine", "show", "a", "b", "c"},
                                                                     {"machine", "show", "--bogus", "-h"},
                                                                     {"help", "machine", "show"},
                                                                     {"help", "machine", "show", "issue"}}) {
    const auto request = parse(line);
    ASSERT_TRUE(request) << request.error().message;
    EXPECT_TRUE(request->help);
    EXPECT_EQ(request->verb, &kMachineShow);
  }
  EXPECT_EQ(read({"help", "machine"})->noun, "machine");
  EXPECT_EQ(read({"machine", "--help"})->noun, "machine");
  EXPECT_TRUE(read({"help"})->help);
  EXPECT_TRUE(read({"help", "help"})->help);
  EXPECT_EQ(read({})->verb, nullptr);
}

TEST(Parse, WordsBehindTheDashesAreNoHelp) {
  EXPECT_FALSE(read({"machine", "show", "--", "--help"})->help);
  EXPECT_FALSE(read({"version", "--reason", "--help"})->help);
}

}  // namespace
}  // namespace pawl::cli
