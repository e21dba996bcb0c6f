// A wrong word suggests the right one. Everything is searched in the table of verbs.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "commands/verb.h"

namespace pawl::cli {

[[nodiscard]] bool is_noun(std::string_view word);

// The verbs of a noun, by name and in the order of the table.
[[nodiscard]] std::vector<std::string_view> verbs_of(std::string_view noun);

// The first word is neither a noun nor a verb. `next` is the one behind it, which may tell what was meant.
[[nodiscard]] Error unknown_command(std::string_view word, std::string_view next);

// The noun is right, the verb is not.
[[nodiscard]] Error unknown_verb(std::string_view noun, std::string_view word);

// The option (with its dashes) is not one of `verb`; nullptr while no verb was named.
[[nodiscard]] Error unknown_option(const Verb* verb, std::string_view option);

}  // namespace pawl::cli
