// The list of stories that a loop works through in `prd_mode`, as far as a loop needs it: what is next, and how much is
// left. Both forms of prd.json are read, by story: `passes`, or a `status`.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::loop {

inline constexpr std::array<std::string_view, 4> kStoryLists = {"prd.json", ".omc/prd.json", ".ralph/prd.json",
                                                                "data/prd.json"};

struct StoryList {
  std::size_t stories = 0;
  std::size_t left = 0;
  std::string next_id;     // of the lowest priority that is left, then in the file's order
  std::string next_title;  // on one line
};

// corruption: it can not be read as a list of stories.
[[nodiscard]] Result<StoryList> read_story_list(std::string_view bytes);

}  // namespace pawl::loop
