// prd.json: a list of stories, as tools and agents write it. Two formats share the name, and a story is told apart by
// what it has: a `status`, or `passes`. docs/formats/story.md has the tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mirror_format.h"

namespace pawl::story {

[[nodiscard]] const MirrorFormat& prd_file();

// What a loop that works through the list needs to know of it.
struct ListSummary {
  std::size_t stories = 0;
  std::size_t left = 0;    // that have not ended
  std::string next_id;     // of the lowest priority that is left, then in the file's order
  std::string next_title;  // on one line
};
// corruption: it cannot be read as a list of stories.
[[nodiscard]] Result<ListSummary> summary_of(std::string_view bytes);

// What the second, third, … story with one id is known by.
[[nodiscard]] std::string key_of_double(std::string_view id, int number);

// The number that an id is, in one spelling: 1 and 1.0 are the same. Nothing of what is no number.
[[nodiscard]] std::optional<std::string> number_in(std::string_view id);

// The ids in the order of the file; nothing where it cannot be read.
[[nodiscard]] std::vector<std::string> ids_in_order(std::string_view bytes);
// The same of the beginning of a file, as far as it goes.
[[nodiscard]] std::vector<std::string> ids_at_front(std::string_view beginning);
// How both names of a list end; where that stands further on in a file, another list may follow.
inline constexpr std::string_view kListEnds = "tories\"";
// The first of them: those that stand in the first `front` bytes. nullopt where only the whole file tells, as another
// list may follow.
[[nodiscard]] std::optional<std::vector<std::string>> ids_in_front(std::string_view bytes, std::size_t front);

}  // namespace pawl::story
