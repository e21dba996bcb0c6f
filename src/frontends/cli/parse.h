// The command line, read by the table of verbs:
//
//   pawl [COMMON…] [NOUN] VERB [WORD | OPTION | COMMON]…
//
// Common options may stand anywhere; those of a verb stand behind it. An option takes the next word as its value
// whatever that looks like (`--message -x`), or what follows its equals sign. `--` ends the options. A word that
// starts with a dash and a digit is a value, so that `-5` is refused by what it is meant for.
//
// It is read by hand and not with CLI11: that library costs a tenth of a millisecond at every start, more than
// all the rest of a small command's start together (docs/architecture.md), and guesses where this must not.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "commands/context.h"
#include "commands/verb.h"

namespace pawl::cli {

struct CommandLine {
  const Verb* verb = nullptr;  // nullptr: help on `noun`, or on everything
  std::string_view noun;
  Arguments arguments;
  CommonFlags flags;
  std::string directory;  // -C
  bool json = false;
  bool no_color = false;
  bool help = false;
};

// Every Error here is a usage error; its hint is what was probably meant, or the usage line.
[[nodiscard]] Result<CommandLine> parse(std::span<const std::string_view> words);

// Would `word` be an option and not a value?
[[nodiscard]] bool looks_like_option(std::string_view word);

// Does the line ask for this flag, as far as that can be told when it cannot be read?
[[nodiscard]] bool mentions(std::span<const std::string_view> words, std::string_view flag);

}  // namespace pawl::cli
