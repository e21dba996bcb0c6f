// Listings of GitHub's as values. A busy pull request has tens of thousands of comments, each with kilobytes that
// nobody asked for; simdjson skips those where nlohmann would build them first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "integrations/forge.h"

namespace pawl::github {

// Each appends the elements of one page, whose bytes are not needed afterwards. On an error nothing was appended that
// may be used: a part is not the whole.
[[nodiscard]] Done read_comments(std::string page, std::vector<Comment>& out);
[[nodiscard]] Done read_review_comments(std::string page, std::vector<ReviewComment>& out);
[[nodiscard]] Done read_reviews(std::string page, std::vector<Review>& out);
[[nodiscard]] Done read_files(std::string page, std::vector<ChangedFile>& out);

// Does a page hold so many elements?
[[nodiscard]] bool has_elements(std::string_view page, std::size_t count);

}  // namespace pawl::github
