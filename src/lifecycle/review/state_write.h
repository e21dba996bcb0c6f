// The bytes of a state file after something changed in it: only the values that differ are written.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/record.h"
#include "lifecycle/review/state_text.h"

namespace pawl::review {

// A file after an edit, and what it must show to whoever reads it.
struct EditedState {
  std::optional<std::string> text;  // nullopt: the review is not there any more, and no file is left
  std::size_t chunks = 0, findings = 0;
};
// `before`: findings as they were, by which those without an id are found in the file.
[[nodiscard]] EditedState edit_state(const StateText& base, std::span<const Record> records,
                                     std::span<const Record> before);

// A whole file in the seed's form.
[[nodiscard]] std::optional<std::string> new_state(std::span<const Record> records);

// Is there a line in the file that pawl, which would write `own` for the same review, has not written?
[[nodiscard]] bool has_others_words(std::string_view text, std::string_view own);

}  // namespace pawl::review
