// The task of a loop's next iteration: which story of the project's list it is about, and how much is left.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "lifecycles/loop/task_text.h"
#include "lifecycles/story/prd_file.h"

namespace pawl {

// Nothing where the loop does not go by a list, and where there is none; one that cannot be read is noted.
[[nodiscard]] std::optional<story::ListSummary> stories_for(const Engine& engine, const Json& doc,
                                                            const std::function<void(std::string_view)>& note);

[[nodiscard]] loop::TaskText task_for(std::int64_t iteration, const std::optional<story::ListSummary>& stories);

}  // namespace pawl
