#include "runners/install/claude_settings.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::install {
namespace {

constexpr std::string_view kTheirs =
    "{\n    \"model\":  \"opus\",\n    \"hooks\": {\n        \"Stop\": [{\"hooks\": [{\"type\": \"command\", "
    "\"command\": \"say done\"}]}],\n        \"Notification\": []\n    },\n    \"caf\\u00e9\": 1.50\n}\n";

TEST(ClaudeSettings, HooksAreAddedOnceAndNothingElseIsTouched) {
  for (const std::string_view before : {std::string_view(""), std::string_view("{}"), kTheirs}) {
    const auto with = with_claude_hooks(before, Drive::yes);
    ASSERT_TRUE(with) << with.error().message;
    EXPECT_TRUE(drives(*with));
    const Json root = parse_json(*with).value_or(Json());
    for (const char* event : {"Stop", "SessionStart", "PreToolUse", "PostToolUse"}) {
      EXPECT_NE(to_line(root["hooks"][event]).find(kClaudeCommand), std::string::npos) << event;
    }
    EXPECT_EQ(with_claude_hooks(*with, Drive::yes).value_or("?"), *with);
    // Another drives by now: what holds sessions goes, and the rest stays.
    const auto without = with_claude_hooks(*with, Drive::no);
    ASSERT_TRUE(without) << without.error().message;
    EXPECT_FALSE(drives(*without));
    EXPECT_EQ(parse_json(*without).value_or(Json())["hooks"]["PreToolUse"], root["hooks"]["PreToolUse"]);
  }
  const std::string with = with_claude_hooks(kTheirs, Drive::yes).value_or("");
  EXPECT_NE(with.find("\"caf\\u00e9\": 1.50"), std::string::npos);
  EXPECT_NE(with.find("\"model\":  \"opus\""), std::string::npos);
  EXPECT_NE(with.find("say done"), std::string::npos);
}

std::optional<std::string> without(std::string_view settings) {
  return without_claude_hooks(settings, {}).value_or(std::optional<std::string>("an error"));
}

TEST(ClaudeSettings, RemovingBringsBackEveryByte) {
  for (const std::string_view before : {kTheirs, std::string_view("{}"), std::string_view("{\"model\": 1}\n")}) {
    EXPECT_EQ(without(with_claude_hooks(before, Drive::yes).value_or("")), before);
  }
  for (const std::string_view theirs : {kTheirs, std::string_view("{}"), std::string_view("{\"hooks\":{}}")})
    EXPECT_EQ(without(theirs), theirs);
}

TEST(ClaudeSettings, ThatPawlMadeGoWithItsHooksAndNoOthersDo) {
  EXPECT_EQ(without(with_claude_hooks("", Drive::yes).value_or("")), std::nullopt);
  EXPECT_EQ(without(with_claude_hooks("", Drive::no).value_or("")), std::nullopt);
}

TEST(ClaudeSettings, RemovingLeavesAHookBesideOurs) {
  const std::string shared = R"({"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/opt/bin/pawl hook claude"},)"
                             R"({"type":"command","command":"mine"}]}]}})";
  const Json root = parse_json(without(shared).value_or("")).value_or(Json());
  EXPECT_EQ(to_line(root), R"({"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}})");
}

// A command that ends in pawl's is somebody's own: it is not taken out, and pawl is not entered beside it.
TEST(ClaudeSettings, AHookThatSomebodyWroteAroundOursIsTheirs) {
  for (const std::string own : {"tee -a audit.jsonl | ./deny.sh && timeout 5 pawl hook claude",
                                "PAWL_LOG=debug pawl hook claude", "$HOME/bin/pawl hook claude"}) {
    const std::string settings =
        to_pretty(Json{{"hooks", {{"Stop", {{{"hooks", {{{"type", "command"}, {"command", own}}}}}}}}}});
    EXPECT_EQ(without_claude_hooks(settings, settings).value_or("?").value_or("?"), settings) << own;
    const Json with = Json::parse(with_claude_hooks(settings, Drive::yes).value_or("{}"));
    EXPECT_EQ(with["hooks"]["Stop"].size(), 1U) << own;
  }
  const std::string ours = to_pretty(
      Json{{"hooks", {{"Stop", {{{"hooks", {{{"type", "command"}, {"command", "/opt/bin/pawl hook claude"}}}}}}}}}});
  EXPECT_EQ(without_claude_hooks(ours, "{}").value_or("?").value_or("?").find("pawl"), std::string::npos);
}

TEST(ClaudeSettings, StopIsLeftToAnotherDriver) {
  const auto with = with_claude_hooks("{}", Drive::no);
  EXPECT_FALSE(drives(with.value_or("")));
  EXPECT_NE(with.value_or("").find("PreToolUse"), std::string::npos);
}

TEST(ClaudeSettings, OtherDriversAreKnownByPluginAndByHook) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(other_drivers(R"({"enabledPlugins":{"oh-my-claudecode@omc":true}})"), Names{"oh-my-claudecode"});
  EXPECT_EQ(other_drivers(R"({"enabledPlugins":{"oh-my-claudecode@omc":false}})"), Names{});
  EXPECT_EQ(other_drivers(R"({"enabledPlugins":{"ralph-loop@claude-plugins-official":true}})"),
            Names{"Anthropic's ralph-loop"});
  EXPECT_EQ(other_drivers(R"({"hooks":{"Stop":[{"hooks":[{"command":"node ~/.claude/hooks/persistent-mode.mjs"}]}]}})"),
            Names{"oh-my-claudecode"});
  EXPECT_EQ(other_drivers(kTheirs), Names{});
  EXPECT_EQ(other_drivers("garbage"), Names{});
}

TEST(ClaudeSettings, ThatCanNotBeReadAreNotTouched) {
  for (const char* odd :
       {"{", "[]", "7", "{\"hooks\": []}", "{\"hooks\": {\"Stop\": 7}}", "{\"hooks\": {\"Stop\": {}}}"}) {
    EXPECT_FALSE(with_claude_hooks(odd, Drive::yes)) << odd;
  }
}

TEST(ClaudeSettings, WhatWasBeforeIsToldByItsBytes) {
  const std::string before = R"({"hooks":{ }})", with = with_claude_hooks(before, Drive::no).value_or("");
  EXPECT_TRUE(come_of(with, before));
  EXPECT_FALSE(come_of(with, R"({"hooks":{"Stop":[7]}})"));
  EXPECT_FALSE(come_of(with, with)) << "pawl's are in it";
  EXPECT_EQ(without_claude_hooks(with + "\n", before).value_or("?"), "{\"hooks\":{}}\n");
}

}  // namespace
}  // namespace pawl::install
