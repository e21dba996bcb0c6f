// What others write (a title, a branch, a filter) is filled into the commands that a project has set up: `{title}` in a
// word becomes the title. Without a shell it stays within its word; but a word may itself be a program that something
// reads (`sh -c`, `awk`, `find -exec`), or the name of what is run, and then whoever wrote the title runs what they
// like. So a placeholder for what others write
//
//   1. is a word of its own, or all that stands behind `--option=`;
//   2. is never the first word, nor the program that an earlier word runs or reads (the table is in placeholder.cc);
//   3. takes no value that begins with “-” where it is a word of its own: that would be an option.
//
// Everywhere else the value is in the environment, where nothing takes it for a program. Pure; one rule for the checks
// of stories, their agent and the runs of issues.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl {

struct Placeholder {
  std::string_view name;     // "{title}"
  std::string_view instead;  // how a shell gets it from the environment: "\"$PAWL_TITLE\""
  bool ours = false;         // pawl's own word (a path): it may be part of a word, but of no program
};

// Refuses the command, before anything is filled in, where one of them stands where it must not. invalid_argument, with
// where the value is to be had instead.
[[nodiscard]] Done check_placeholders(const std::vector<std::string>& command, std::span<const Placeholder> written);
// The same for a line that a shell reads.
[[nodiscard]] Done check_placeholders_in_shell(std::string_view line, std::span<const Placeholder> written);

// Rule 3, for a word and what it became.
[[nodiscard]] Done check_filled(std::string_view word, std::string_view filled);

// In one pass: what was filled in is not looked at again. A word that is not known stays as it is.
[[nodiscard]] std::string filled_in(std::string_view text, const std::map<std::string, std::string>& values);

}  // namespace pawl
