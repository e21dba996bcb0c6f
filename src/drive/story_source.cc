#include "drive/story_source.h"

#include "base/file.h"
#include "base/text.h"

namespace pawl {

std::optional<loop::StoryList> find_story_list(const Workspace& workspace,
                                               const std::function<void(std::string_view)>& note) {
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

}  // namespace pawl
