// The comments that the bot writes: what people read, and behind it the block that the next run reads. Every one of
// them has a block, so that no JSON in its text can be taken for one (block.h).
#pragma once

#include <string>
#include <string_view>

#include "lifecycles/pr/answer.h"
#include "lifecycles/pr/trust.h"

namespace pawl::pr {

// How the bot writes: to whom it answers, and with which key it signs.
struct Pen {
  std::string scope;
  std::vector<std::string> names;  // of its mentions
  Mac mac;                         // empty: no key
  std::string now;                 // ISO: when the first of what is written now is signed
};

// "1 finding", "2 findings"
[[nodiscard]] std::string counted(std::int64_t count, std::string_view noun);

// The text, defused and cut to what GitHub takes, with its block. `identity` is what makes it this comment and no
// other: its nonce follows from it, so that the same comment posted twice has the same, and counts once.
[[nodiscard]] Result<std::string> comment_with(const Pen& pen, std::string_view text, std::string_view type, Json data,
                                               std::uint64_t parent, std::string_view identity);
// The same comment with another block; its text stays to the byte.
[[nodiscard]] Result<std::string> comment_changed(const Pen& pen, std::string_view body, std::string_view type,
                                                  Json data, std::uint64_t parent, std::string_view identity);

// What is said about a finding that has no thread says which one it is about.
[[nodiscard]] std::string beside_the_diff(const Finding& finding, const std::string& reply);
[[nodiscard]] std::string finding_text(const NewFinding& finding, bool with_place);
// The same text with another score; as it is where it does not show one.
[[nodiscard]] std::string with_score_shown(std::string_view body, std::string_view sentence, std::int64_t score,
                                           const std::vector<std::string>& names);
// Its name: the same for the same finding of the same review.
[[nodiscard]] std::string finding_id(const std::string& scope, const std::string& review, const NewFinding& finding);

}  // namespace pawl::pr
