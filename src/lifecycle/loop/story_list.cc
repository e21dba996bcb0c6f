#include "lifecycle/loop/story_list.h"

#include <algorithm>

#include "base/json.h"
#include "base/text.h"

namespace pawl::loop {
namespace {

constexpr std::int64_t kNoPriority = 999;

bool is_done(const Json& story) {
  const auto passes = story.find("passes");
  if (passes != story.end() && passes->is_boolean()) return passes->get<bool>();
  const std::string status = string_or(story, "status");
  return status == "merged" || status == "skipped" || status == "invalid";
}

std::string id_of(const Json& story) {
  const auto id = story.find("id");
  if (id == story.end() || id->is_null()) return {};
  return id->is_string() ? id->get<std::string>() : to_line(*id);
}

}  // namespace

Result<StoryList> read_story_list(std::string_view bytes) {
  PAWL_ASSIGN(const Json root, parse_json(bytes));
  const Json* stories = nullptr;
  for (const char* name : {"userStories", "stories"}) {
    if (root.is_object() && root.contains(name) && root[name].is_array()) stories = &root[name];
  }
  if (stories == nullptr) return fail(ErrorCode::corruption, "a list “stories” or “userStories” was expected");
  StoryList list;
  std::int64_t best = 0;
  for (const Json& story : *stories) {
    if (!story.is_object()) continue;
    ++list.stories;
    if (is_done(story)) continue;
    const std::int64_t priority = integer_or(story, "priority", kNoPriority);
    if (list.left++ != 0 && priority >= best) continue;
    best = priority;
    list.next_id = id_of(story);
    const std::string title = string_or(story, "title");
    list.next_title = title.substr(0, title.find('\n'));
  }
  return list;
}

}  // namespace pawl::loop
