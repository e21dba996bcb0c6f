// A review as it is said on GitHub: what is said on lines of the diff, and the rest.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "integrations/forge.h"
#include "lifecycles/review/verdict.h"

namespace pawl {

struct DraftedReview {
  ReviewDraft draft;
  std::size_t in_line = 0, in_body = 0;
  std::vector<bool> on_line = {};  // of each finding: is it said on a line, or in the text?
};
// `findings` are documents; what reviewers keep to themselves, and how sure they are, is left out. What is posted by
// the account that a bot on pull requests also writes with cannot pass for that bot's state, or speak to it by one of
// `names`.
[[nodiscard]] DraftedReview draft_review(std::span<const Json> findings, std::span<const ChangedFile> files,
                                         const std::string& head, const review::Verdict& verdict,
                                         const review::Circumstances& circumstances,
                                         const std::vector<std::string>& names);

}  // namespace pawl
