// English of outside changes: what a note about a file, its records or a conflict says to a person.
#pragma once

#include <string>

#include "core/note.h"

namespace pawl::english {

struct Said {
  std::string text;    // what happened, and why
  std::string advice;  // what to do, one line each; empty: nothing
};

// Text of others is cut and safe to print; commands can be pasted.
[[nodiscard]] Said say(const Note& note);

// The text, and the advice indented below it.
[[nodiscard]] std::string in_lines(const Note& note);

// One line of --json: {"note": text, "hint": advice, and the fields of to_json}.
[[nodiscard]] Json as_json(const Note& note);

}  // namespace pawl::english
