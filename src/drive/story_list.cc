#include "drive/story_list.h"

#include <limits>

#include "base/file.h"
#include "base/place.h"
#include "lifecycle/story/prd_file.h"
#include "lifecycle/story/story.h"

namespace pawl {

Look look_at_stories() {
  Look look;
  look.kinds = {std::string(story::kKind), std::string(story::kPasses)};
  return look;
}

Result<std::vector<Record>> all_stories(const View& view, const StoryFilter& filter) {
  std::vector<Record> all;
  for (const std::string_view kind : {story::kKind, story::kPasses}) {
    Query query;
    query.kind = kind;
    query.status = filter.status;
    query.include_aside = filter.include_aside;
    PAWL_ASSIGN(auto some, view.list(query));
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

Result<bool> is_unverified(const View& view, const Record& story) {
  if (story.held || view.unrecorded(story.id) || !needs_evidence(story::machine_of(story), story.status)) return false;
  const std::int64_t until = view.at().value_or(std::numeric_limits<std::int64_t>::max());
  PAWL_ASSIGN(const auto event, view.store().event_at(story.id, until));
  return event && event->unverified;
}

const StoryOrder::File& StoryOrder::file(const std::string& scope) {
  const auto known = files_.find(scope);
  if (known != files_.end()) return known->second;
  File order;
  const MirrorWorld world = engine_.world();
  const auto path = story::prd_file().path_of({std::string(story::kKind), scope, {}}, engine_.settings());
  const auto place = path ? world.roots->find(*path, false) : std::optional<Place>();
  if (place && *place) {
    const auto image = read_file_at((*place)->folder.get(), (*place)->name, story::prd_file().max_bytes());
    if (image && image->exists) order.ids = story::ids_in_order(image->bytes);
  }
  for (std::size_t i = 0; i < order.ids.size(); ++i) order.places[order.ids[i]] = i;
  return files_.emplace(scope, std::move(order)).first->second;
}

const std::vector<std::string>& StoryOrder::ids(const std::string& scope) { return file(scope).ids; }

std::size_t StoryOrder::position(const RecordId& id) {
  const File& its = file(id.scope);
  const auto place = its.places.find(id.key);
  return place == its.places.end() ? its.ids.size() : place->second;
}

}  // namespace pawl
