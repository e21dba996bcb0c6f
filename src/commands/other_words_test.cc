#include "commands/other_words.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "commands/verb.h"

namespace pawl {
namespace {

// `pawl noun verb …` or `pawl verb …` as the first words of what stands between backticks.
bool is_command(std::string_view words) {
  const auto parts = split(words, ' ');
  return parts.size() > 1 && parts[0] == "pawl" &&
         (find_verb("", parts[1]) != nullptr || (parts.size() > 2 && find_verb(parts[1], parts[2]) != nullptr));
}

TEST(OtherWords, EachIsOfferedForAVerbThatExists) {
  for (const auto& [other, here] : other_words::kSynonyms) {
    EXPECT_TRUE(std::ranges::any_of(all_verbs(), [&](const Verb* verb) { return verb->name == here; })) << here;
    EXPECT_NE(other, here);
  }
}

TEST(OtherWords, NoneIsAVerbAndEachHintNamesCommandsThatExist) {
  for (const auto& [noun, word, hint] : other_words::kMeanings) {
    EXPECT_EQ(find_verb(noun, word), nullptr) << noun << " " << word << " is a verb; its hint is never seen";
    std::size_t commands = 0;
    for (std::size_t at = hint.find('`'); at != std::string_view::npos;) {
      const std::size_t end = hint.find('`', at + 1);
      ASSERT_NE(end, std::string_view::npos) << hint;
      const std::string_view command = hint.substr(at + 1, end - at - 1);
      EXPECT_TRUE(is_command(command)) << command;
      ++commands;
      at = hint.find('`', end + 1);
    }
    EXPECT_GT(commands, 0U) << hint;
  }
}

}  // namespace
}  // namespace pawl
