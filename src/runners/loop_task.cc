#include "runners/loop_task.h"

#include "base/file.h"
#include "base/text.h"

namespace pawl {

std::optional<story::ListSummary> stories_for(const Engine& engine, const Json& doc,
                                              const std::function<void(std::string_view)>& note) {
  const auto mode = doc.find("prd_mode");
  if (mode == doc.end() || !mode->is_boolean() || !mode->get<bool>()) return std::nullopt;
  const MirrorFormat& format = story::prd_file();
  for (const MirrorPlace& place : format.places(engine.settings())) {
    const std::string path = place.folder == "." ? place.file : cat(place.folder, "/", place.file);
    const auto image = read_file(engine.world().roots->absolute(path), format.max_bytes());
    if (image && !image->exists) continue;
    auto list = image ? story::summary_of(image->bytes) : tl::unexpected(image.error());
    if (list) return *std::move(list);
    note(cat(path, " cannot be read as a list of stories: ", printable(list.error().message)));
  }
  return std::nullopt;
}

loop::TaskText task_for(std::int64_t iteration, const std::optional<story::ListSummary>& stories) {
  loop::TaskText task;
  task.iteration = iteration;
  if (!stories || stories->left == 0) return task;
  task.stories_left = stories->left;
  task.story = stories->next_title.empty() ? stories->next_id : cat(stories->next_id, ": ", stories->next_title);
  return task;
}

}  // namespace pawl
