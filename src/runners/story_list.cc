#include "runners/story_list.h"

#include <limits>
#include <set>

#include "base/file.h"
#include "base/place.h"
#include "engine/doubt.h"
#include "lifecycles/story/prd_file.h"
#include "lifecycles/story/story.h"

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
  return came_unverified(view, story::machine_of(story), story);
}

std::optional<std::string> StoryOrder::path_of(const std::string& scope) const {
  return story::prd_file().path_of({std::string(story::kKind), scope, {}}, engine_.settings());
}

const StoryGlance& StoryOrder::glance(const std::string& scope) {
  const auto known = glances_.find(scope);
  if (known != glances_.end()) return known->second;
  const auto path = path_of(scope);
  return glances_.emplace(scope, path ? glance_at_stories(engine_.world().roots->absolute(*path)) : StoryGlance{})
      .first->second;
}

std::string StoryOrder::read(const std::string& scope) const {
  const MirrorWorld world = engine_.world();
  const auto path = path_of(scope);
  const auto place = path ? world.roots->find(*path, false) : std::optional<Place>();
  if (!place || !*place) return {};
  auto image = read_file_at((*place)->folder.get(), (*place)->name, story::prd_file().max_bytes());
  return image && image->exists ? std::move(image->bytes) : std::string();
}

const StoryOrder::File& StoryOrder::file(const std::string& scope) {
  const auto known = files_.find(scope);
  if (known != files_.end()) return known->second;
  File order;
  order.ids = story::ids_in_order(read(scope));
  for (std::size_t i = 0; i < order.ids.size(); ++i) {
    order.places[order.ids[i]] = i;
    if (auto number = story::number_in(order.ids[i])) order.numbers.emplace(std::move(*number), i);
  }
  return files_.emplace(scope, std::move(order)).first->second;
}

std::vector<std::size_t> StoryOrder::first_positions(const std::vector<RecordId>& some, std::size_t most) {
  std::vector<std::size_t> out(some.size(), std::numeric_limits<std::size_t>::max());
  std::map<std::string, std::map<std::string, std::vector<std::size_t>>> by_scope;  // by id, which of `some`
  for (std::size_t i = 0; i < some.size(); ++i) by_scope[some[i].scope][some[i].key].push_back(i);
  for (const auto& [scope, wanted] : by_scope) {
    const std::size_t enough = std::min(most, wanted.size());
    std::map<std::string, std::string_view> numbers;  // the ids among them that are numbers
    for (const auto& [id, which] : wanted) {
      if (auto number = story::number_in(id)) numbers.emplace(std::move(*number), id);
    }
    // By its own spelling, or else as the number that it is.
    const auto known_as = [&](const std::string& name) {
      const auto own = wanted.find(name);
      const auto number = own == wanted.end() && !numbers.empty() ? story::number_in(name) : std::nullopt;
      const auto same = number ? numbers.find(*number) : numbers.end();
      return same == numbers.end() ? own : wanted.find(std::string(same->second));
    };
    std::size_t found = 0;
    const auto place = [&](const std::vector<std::string>& names) {
      std::set<std::string_view> placed;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const auto there = known_as(names[i]);
        if (there == wanted.end() || (!placed.insert(there->first).second && there->first != names[i])) continue;
        for (const std::size_t which : there->second) out[which] = i;
      }
      found = placed.size();
    };
    const StoryGlance& first = glance(scope);
    if (first.front_leads) place(story::ids_at_front(first.front));
    if (found >= enough) continue;
    const std::string bytes = read(scope);
    for (std::size_t front = std::size_t{64} << 10U; found < enough; front *= 4) {
      const auto ids = story::ids_in_front(bytes, front);
      place(ids ? *ids : story::ids_in_order(bytes));
      if (!ids || front >= bytes.size()) break;
    }
  }
  return out;
}

const std::vector<std::string>& StoryOrder::ids(const std::string& scope) { return file(scope).ids; }

std::size_t StoryOrder::position(const RecordId& id) {
  const File& its = file(id.scope);
  if (const auto place = its.places.find(id.key); place != its.places.end()) return place->second;
  const auto number = story::number_in(id.key);
  const auto place = number ? its.numbers.find(*number) : its.numbers.end();
  return place == its.numbers.end() ? its.ids.size() : place->second;
}

}  // namespace pawl
