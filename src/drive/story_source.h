// The project's list of stories as it lies on disk: which one a loop works on next.
#pragma once

#include <functional>
#include <optional>

#include "engine/workspace.h"
#include "lifecycle/loop/story_list.h"

namespace pawl {

// The first of the places where such a list is. Nothing where there is none, or where none can be read, which is noted.
[[nodiscard]] std::optional<loop::StoryList> find_story_list(const Workspace& workspace,
                                                             const std::function<void(std::string_view)>& note);

}  // namespace pawl
