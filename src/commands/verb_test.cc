#include "commands/verb.h"
#include "commands/world.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "base/text.h"

namespace pawl {
namespace {

std::string refusal(const Param& param, std::string_view value) {
  const Done checked = check_value(param, value);
  return checked ? "" : checked.error().message;
}

TEST(CheckValue, TypesAreHeldTo) {
  const Param positive{.name = "number", .type = ParamType::positive};
  EXPECT_EQ(refusal(positive, "42"), "");
  for (const std::string_view bad : {"0", "-5", "+5", "042", "4.2", " 4", "4 ", "", "four"}) {
    EXPECT_EQ(refusal(positive, bad), "number: “" + std::string(bad) + "” is not a positive whole number");
  }
  EXPECT_EQ(refusal(positive, "9223372036854775808"),
            "number: “9223372036854775808” is larger than any positive number here");
  const Param integer{.name = "offset", .type = ParamType::integer};
  EXPECT_EQ(refusal(integer, "-5"), "");
  EXPECT_NE(refusal(integer, "5x"), "");
  const Param duration{.name = "keep", .type = ParamType::duration};
  EXPECT_EQ(refusal(duration, "90d"), "");
  EXPECT_EQ(refusal(duration, "90"), "keep: “90” is not a time span");
  const Param operation{.name = "at", .type = ParamType::operation};
  EXPECT_EQ(refusal(operation, "17"), "");
  EXPECT_NE(refusal(operation, "last"), "");
}

TEST(CheckValue, ChoiceSuggestsTheNearestWord) {
  constexpr std::array<std::string_view, 2> kWords = {"require", "record"};
  const Param param{.name = "gates", .choices = kWords};
  EXPECT_TRUE(check_value(param, "record"));
  const Done refused = check_value(param, "recrod");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(refused.error().message, "gates: “recrod” is not require or record");
  EXPECT_EQ(refused.error().hint, "did you mean record?");
}

TEST(CheckValue, LongValuesAreNotRepeatedAtLength) {
  const Param param{.name = "number", .type = ParamType::positive};
  EXPECT_LT(refusal(param, std::string(1 << 20, 'x')).size(), 200U);
}

TEST(Arguments, NumbersAndDurationsAreRead) {
  Arguments arguments;
  arguments.add("limit", "-7");
  arguments.add("keep", "2h");
  EXPECT_EQ(arguments.number("limit"), -7);
  EXPECT_EQ(arguments.duration_ms("keep"), 7'200'000);
  EXPECT_EQ(arguments.number("keep"), std::nullopt);
  EXPECT_EQ(arguments.number("none"), std::nullopt);
}

TEST(Arguments, CanonicalIsTheSameInAnyOrderAndNeverForOthers) {
  Arguments a, b;
  a.add("x", "1");
  a.set_flag("force");
  b.set_flag("force");
  b.add("x", "1");
  EXPECT_EQ(a.canonical(), b.canonical());

  std::set<std::string> all;
  const std::vector<std::vector<std::pair<std::string, std::string>>> different = {{},
                                                                                   {{"x", ""}},
                                                                                   {{"x", "1"}},
                                                                                   {{"x", "1"}, {"x", "1"}},
                                                                                   {{"x", "11"}},
                                                                                   {{"x", "1;y=1:2"}},
                                                                                   {{"x", "1"}, {"y", "2"}},
                                                                                   {{"x1", "1"}},
                                                                                   {{"x", "1:1"}}};
  for (const auto& values : different) {
    Arguments arguments;
    for (const auto& [name, value] : values) arguments.add(name, value);
    EXPECT_TRUE(all.insert(arguments.canonical()).second) << arguments.canonical();
  }
}

// The rules that let every door read the table without asking further.
TEST(Verbs, TheTableIsUnambiguous) {
  std::set<std::string> names, nouns;
  for (const Verb* verb : all_verbs()) {
    EXPECT_TRUE(names.insert(full_name(*verb)).second) << full_name(*verb);
    EXPECT_EQ(find_verb(verb->noun, verb->name), verb);
    EXPECT_EQ(verb->run == nullptr, verb->world) << full_name(*verb);
    nouns.emplace(verb->noun);
  }
  for (const Verb* verb : all_verbs()) {
    EXPECT_FALSE(verb->noun.empty() && nouns.contains(std::string(verb->name)))
        << verb->name << " is a noun and a verb";
    EXPECT_NE(verb->name, "help");
    EXPECT_NE(verb->noun, "help");
  }
}

TEST(Verbs, EveryOneOfTheWorldIsCarriedOutByTheSecondExecutable) {
  std::set<const Verb*> carried_out;
  for (const WorldVerb& row : world_verbs()) {
    EXPECT_TRUE(row.run != nullptr && row.verb->world == (row.verb->run == nullptr)) << full_name(*row.verb);
    carried_out.insert(row.verb);
  }
  for (const Verb* verb : all_verbs()) EXPECT_TRUE(carried_out.contains(verb) || !verb->world) << full_name(*verb);
}

TEST(Verbs, ParamsAreUnambiguous) {
  for (const Verb* verb : all_verbs()) {
    SCOPED_TRACE(full_name(*verb));
    std::set<std::string_view> names;
    std::set<char> letters;
    for (const Param& param : common_params()) {
      names.insert(param.name);
      if (param.letter != 0) letters.insert(param.letter);
    }
    bool optional_seen = false, many_seen = false;
    for (const Param& param : verb->params) {
      EXPECT_TRUE(names.insert(param.name).second) << param.name << " is taken";
      EXPECT_TRUE(param.letter == 0 || letters.insert(param.letter).second) << param.letter << " is taken";
      if (!param.positional) continue;
      EXPECT_FALSE(many_seen) << param.name << " can never be reached";
      EXPECT_FALSE(param.required && optional_seen) << param.name << " is required behind an optional one";
      EXPECT_NE(param.type, ParamType::flag);
      optional_seen = optional_seen || !param.required;
      many_seen = many_seen || param.many;
    }
  }
}

// Help puts the choices and "may be given again" behind a summary; one that says them itself says them twice.
TEST(Verbs, NoSummarySaysWhatHelpAddsToIt) {
  for (const Verb* verb : all_verbs()) {
    SCOPED_TRACE(full_name(*verb));
    for (const Param& param : verb->params) {
      EXPECT_FALSE(param.summary.empty()) << param.name;
      EXPECT_EQ(param.summary.find("given again"), std::string_view::npos) << param.name;
      if (param.choices.size() < 2) continue;
      EXPECT_EQ(param.summary.find(join_or(param.choices)), std::string_view::npos) << param.name;
    }
  }
}

}  // namespace
}  // namespace pawl
