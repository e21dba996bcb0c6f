// Help, generated from the table of verbs: good enough to be the manual, and never a second list of anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "commands/verb.h"

namespace pawl::cli {

// What exit codes mean; the numbers come from the table of errors.
struct ExitCode {
  int code;
  std::string_view meaning;
};
[[nodiscard]] std::span<const ExitCode> exit_codes();

// Of the environment.
struct Variable {
  std::string_view name, meaning;
};
[[nodiscard]] std::span<const Variable> variables();

// pawl in two sentences.
[[nodiscard]] std::string_view what_it_is();

// The verb's own params, then the common ones that it takes. nullptr: the common ones.
[[nodiscard]] std::vector<Param> offered_params(const Verb* verb);

// A program and its words, which may look like options of pawl's: they stand behind --. nullptr: it takes none.
[[nodiscard]] const Param* command_param(const Verb& verb);
// "N", "-C, --directory DIR", "--json"
[[nodiscard]] std::string term(const Param& param);
// What it is, with its choices.
[[nodiscard]] std::string meaning(const Param& param);
// In the order of the table; of "" those without a noun.
[[nodiscard]] std::vector<const Verb*> of_noun(std::string_view noun);
[[nodiscard]] std::vector<std::string_view> nouns();

// "pawl issue set N STATUS [--session ID]"
[[nodiscard]] std::string usage_line(const Verb& verb);

// For whoever types `pawl` alone: what it is, where to begin, and what there is more.
[[nodiscard]] std::string overview(bool color);
[[nodiscard]] std::string help_on_everything(bool color);
[[nodiscard]] std::string help_on_noun(std::string_view noun, bool color);
[[nodiscard]] std::string help_on_verb(const Verb& verb, bool color);

}  // namespace pawl::cli
