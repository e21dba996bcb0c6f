// What could come next on a command line: the table of verbs for nouns, verbs, options and choices; the store for ids;
// git for branches. Shells ask `pawl __complete -- WORDS…`, the last word being the one under way, and get a line each:
// the word, a tab, what it is. A line `:files` asks the shell to offer its files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/verb.h"

namespace pawl::cli {

inline constexpr std::string_view kComplete = "__complete";

struct Candidate {
  std::string word;
  std::string meaning;
};

// Where the last word stands: what it may be, by the table alone.
struct Expected {
  std::vector<Candidate> candidates;
  const Param* value = nullptr;     // it is a value of this one
  std::string_view noun = {};       // of the verb
  std::string_view first = {};      // the first word behind it: what is to be moved
  std::string_view directory = {};  // the value of -C
  std::string_view before = {};     // "--status=" of a last word like "--status=r"
  std::string_view begun = {};      // of the last word, what is to be completed: "r"
  bool no_option = false;           // one that looks like an option would be read as one
};
[[nodiscard]] Expected expected(std::span<const std::string_view> words);

// All of it, as the shell reads it. Never fails: without a store nothing is offered from it.
[[nodiscard]] std::string complete(std::span<const std::string_view> words);

}  // namespace pawl::cli
