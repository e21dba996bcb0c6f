#include "drive/loop_task.h"

#include "base/file.h"
#include "base/text.h"

namespace pawl {

std::optional<loop::StoryList> stories_for(const Workspace& workspace, const Json& doc,
                                           const std::function<void(std::string_view)>& note) {
  const auto mode = doc.find("prd_mode");
  if (mode == doc.end() || !mode->is_boolean() || !mode->get<bool>()) return std::nullopt;
  constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;
  for (const std::string_view path : loop::kStoryLists) {
    const auto image = read_file(cat(workspace.root, "/", path), kMaxBytes);
    if (image && !image->exists) continue;
    auto list = image ? loop::read_story_list(image->bytes) : tl::unexpected(image.error());
    if (list) return *std::move(list);
    note(cat(path, " can not be read as a list of stories: ", printable(list.error().message)));
  }
  return std::nullopt;
}

loop::TaskText task_for(std::int64_t iteration, const std::optional<loop::StoryList>& stories) {
  loop::TaskText task;
  task.iteration = iteration;
  if (!stories || stories->left == 0) return task;
  task.stories_left = stories->left;
  task.story = stories->next_title.empty() ? stories->next_id : cat(stories->next_id, ": ", stories->next_title);
  return task;
}

}  // namespace pawl
