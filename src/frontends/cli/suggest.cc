#include "frontends/cli/suggest.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "commands/other_words.h"
#include "frontends/cli/help.h"

namespace pawl::cli {
namespace {

std::string quoted(std::string_view word) { return cat("“", printable(word.substr(0, 80)), "”"); }

std::string did_you_mean(std::string_view what) { return cat("did you mean `", what, "`?"); }

std::string one_of(const std::vector<std::string>& lines) {
  std::vector<std::string> marked;
  for (const std::string& line : lines) marked.push_back(cat("`", line, "`"));
  const std::vector<std::string_view> views(marked.begin(), marked.end());
  return cat("did you mean ", join_or(views), "?");
}

std::optional<std::string_view> meant(std::string_view word, std::span<const std::string_view> candidates) {
  for (const other_words::Synonym& synonym : other_words::kSynonyms) {
    if (synonym.other == word && std::ranges::find(candidates, synonym.here) != candidates.end()) return synonym.here;
  }
  return nearest(word, candidates);
}

std::vector<std::string_view> first_words() {
  std::vector<std::string_view> words = {"help"};
  for (const Verb* verb : all_verbs()) {
    const std::string_view word = verb->noun.empty() ? verb->name : verb->noun;
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  return words;
}

// `pawl set`: every noun that has such a verb, as it would be typed.
std::vector<std::string> lines_with_verb(std::string_view name) {
  std::vector<std::string> lines;
  for (const Verb* verb : all_verbs()) {
    if (!verb->noun.empty() && verb->name == name) lines.push_back(cat("pawl ", full_name(*verb)));
  }
  return lines;
}

}  // namespace

bool is_noun(std::string_view word) {
  return !word.empty() && std::ranges::any_of(all_verbs(), [&](const Verb* verb) { return verb->noun == word; });
}

std::vector<std::string_view> verbs_of(std::string_view noun) {
  std::vector<std::string_view> names;
  for (const Verb* verb : all_verbs()) {
    if (verb->noun == noun) names.push_back(verb->name);
  }
  return names;
}

Error unknown_command(std::string_view word, std::string_view next) {
  Error error{ErrorCode::invalid_argument, cat(quoted(word), " is not a command"), "`pawl help` lists the commands"};
  // `pawl set issue 42`, `pawl issue-set 42`
  if (is_noun(next) && find_verb(next, word) != nullptr) {
    error.hint = did_you_mean(cat("pawl ", next, " ", word));
    return error;
  }
  const std::string two = cat(word, " ", next);  // a verb may have two words
  for (const char separator : {'-', '_', ':', '.', '/', ' '}) {
    const std::size_t at = word.find(separator);
    if (at == std::string_view::npos) continue;
    const Verb* verb = find_verb(word.substr(0, at), word.substr(at + 1));
    if (verb == nullptr) verb = find_verb(word.substr(0, at), two.substr(at + 1));
    if (verb != nullptr) {
      error.hint = did_you_mean(cat("pawl ", full_name(*verb)));
      return error;
    }
  }
  auto lines = lines_with_verb(two);
  if (lines.empty()) lines = lines_with_verb(word);
  if (!lines.empty()) {
    error.hint = one_of(lines);
    return error;
  }
  const auto words = first_words();
  if (const auto found = meant(word, words)) {
    const bool whole = !is_noun(*found) || find_verb(*found, next) == nullptr;
    error.hint = did_you_mean(whole ? cat("pawl ", *found) : cat("pawl ", *found, " ", next));
    return error;
  }
  std::vector<std::string_view> names;
  for (const Verb* verb : all_verbs()) names.push_back(verb->name);
  if (const auto found = meant(word, names)) {
    if (auto others = lines_with_verb(*found); !others.empty()) error.hint = one_of(others);
  }
  return error;
}

Error unknown_verb(std::string_view noun, std::string_view word) {
  const auto names = verbs_of(noun);
  Error error{ErrorCode::invalid_argument,
              cat("`pawl ", noun, "` has no ", quoted(word), ": there is ", join_or(names)),
              cat("`pawl help ", noun, "` explains them")};
  const auto meaning = std::ranges::find_if(
      other_words::kMeanings, [&](const other_words::Meaning& one) { return one.noun == noun && one.word == word; });
  if (meaning != other_words::kMeanings.end()) {
    error.hint = meaning->hint;
  } else if (const auto found = meant(word, names)) {
    error.hint = did_you_mean(cat("pawl ", noun, " ", *found));
  } else if (find_verb("", word) != nullptr) {
    error.hint = did_you_mean(cat("pawl ", word));
  }
  return error;
}

Error unknown_option(const Verb* verb, std::string_view option) {
  const std::string where = verb == nullptr ? " before a command" : cat(" for `pawl ", full_name(*verb), "`");
  Error error{ErrorCode::invalid_argument, cat("there is no option ", quoted(option), where), {}};
  const std::string_view bare = option.substr(std::min(option.find_first_not_of('-'), option.size()));

  std::vector<std::string_view> names;
  for (const Param& param : offered_params(verb)) {
    if (!param.positional) names.push_back(param.name);
    if (param.positional && param.name == bare) {
      error.hint = cat("it is given as a word: ", usage_line(*verb));
      return error;
    }
  }
  if (const auto found = meant(bare, names)) {
    error.hint = did_you_mean(cat("--", *found));
    return error;
  }
  if (verb != nullptr && command_param(*verb) != nullptr) {
    error.hint = cat("a command with options of its own stands behind --:\n  pawl ", full_name(*verb), " … -- AGENT ",
                     printable(option));
    return error;
  }
  error.hint = verb == nullptr ? std::string("options of a command stand behind it; `pawl help` lists the common ones")
                               : cat("`pawl help ", full_name(*verb), "` lists the options");
  return error;
}

}  // namespace pawl::cli
