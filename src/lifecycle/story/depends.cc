#include "lifecycle/story/depends.h"

#include <algorithm>
#include <set>

#include "base/json_number.h"

namespace pawl::story {
namespace {

// The same cycle, told from this story where it is one of them.
std::vector<std::string> from_itself(std::vector<std::string> cycle, const std::string& id) {
  const auto self = std::find(cycle.begin(), cycle.end(), id);
  if (self == cycle.end() || self == cycle.begin()) return cycle;
  cycle.pop_back();
  std::rotate(cycle.begin(), std::find(cycle.begin(), cycle.end(), id), cycle.end());
  cycle.push_back(id);
  return cycle;
}

}  // namespace

std::vector<std::string> depends_on(const Json& doc) {
  std::vector<std::string> ids;
  const auto add = [&](const Json& one) {
    std::string id;
    if (one.is_string()) {
      id = one.get<std::string>();
    } else if (nearest_double(one)) {
      id = to_line(one);
    } else if (one.is_object()) {
      id = string_or(one, "id");
    }
    if (!id.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
  };
  if (!doc.is_object()) return ids;
  for (const char* member : kDependsMembers) {
    const auto found = doc.find(member);
    if (found == doc.end()) continue;
    if (found->is_array()) {
      for (const Json& one : *found) add(one);
    } else {
      add(*found);
    }
  }
  return ids;
}

// Without recursion: a chain may be as long as the file.
std::vector<std::string> cycle_from(const std::string& id, const WaitsFor& waits_for, KnownCycles& known) {
  struct Step {
    std::string id;
    std::vector<std::string> next;
    std::size_t at = 0;
  };
  std::vector<Step> way;
  std::set<std::string> on_the_way;
  const auto enter = [&](const std::string& one) {
    on_the_way.insert(one);
    way.push_back({one, waits_for(one), 0});
  };
  const auto found = [&](const KnownCycles::mapped_type& cycle) {
    for (const Step& step : way) known[step.id] = cycle;
    return cycle ? from_itself(*cycle, id) : std::vector<std::string>();
  };
  if (const auto before = known.find(id); before != known.end()) return found(before->second);
  enter(id);
  while (!way.empty()) {
    Step& here = way.back();
    if (here.at == here.next.size()) {
      known[here.id] = nullptr;
      on_the_way.erase(here.id);
      way.pop_back();
      continue;
    }
    const std::string next = here.next[here.at++];
    if (on_the_way.contains(next)) {
      std::vector<std::string> cycle;
      const auto begin = std::find_if(way.begin(), way.end(), [&](const Step& step) { return step.id == next; });
      for (auto step = begin; step != way.end(); ++step) cycle.push_back(step->id);
      cycle.push_back(next);
      return found(std::make_shared<const std::vector<std::string>>(std::move(cycle)));
    }
    const auto before = known.find(next);
    if (before == known.end()) {
      enter(next);
    } else if (before->second) {
      return found(KnownCycles::mapped_type(before->second));
    }
  }
  return {};
}

}  // namespace pawl::story
