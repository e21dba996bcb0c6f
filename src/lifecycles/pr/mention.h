// Being spoken to: a mention outside of code and quotations, what is asked, and whether that is a review.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::pr {

// The text after the first mention of one of these names (without the @), or, where nothing follows it, what stands
// around it. nullopt: none of them is mentioned, or nothing else is said.
[[nodiscard]] std::optional<std::string> asked_of(std::string_view body, const std::vector<std::string>& names);

// A request to review, and not a question about one. By rules; the table of examples is in mention_test.cc.
[[nodiscard]] bool wants_review(std::string_view text);

// Tells an edited text from the one that was answered. Not a secret and not a proof.
[[nodiscard]] std::string text_hash(std::string_view text);

// How long the mention at `at` (its @) is; 0 when it is none.
[[nodiscard]] std::size_t mention_length(std::string_view text, std::size_t at, const std::vector<std::string>& names);

}  // namespace pawl::pr
