#include "lifecycle/story/depends.h"

#include <algorithm>
#include <map>

namespace pawl::story {

std::vector<std::string> depends_on(const Json& doc) {
  std::vector<std::string> ids;
  const auto add = [&](const Json& one) {
    std::string id;
    if (one.is_string()) {
      id = one.get<std::string>();
    } else if (one.is_number()) {
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
std::vector<std::string> cycle_from(const std::string& id, const WaitsFor& waits_for) {
  struct Step {
    std::string id;
    std::vector<std::string> next;
    std::size_t at = 0;
  };
  enum class Mark { on_the_way, done };
  std::map<std::string, Mark> marks;
  std::vector<Step> way;
  const auto enter = [&](const std::string& one) {
    marks[one] = Mark::on_the_way;
    way.push_back({one, waits_for(one), 0});
  };
  enter(id);
  while (!way.empty()) {
    Step& here = way.back();
    if (here.at == here.next.size()) {
      marks[here.id] = Mark::done;
      way.pop_back();
      continue;
    }
    const std::string next = here.next[here.at++];
    const auto known = marks.find(next);
    if (known == marks.end()) {
      enter(next);
    } else if (known->second == Mark::on_the_way) {
      std::vector<std::string> cycle;
      const auto begin = std::find_if(way.begin(), way.end(), [&](const Step& step) { return step.id == next; });
      for (auto step = begin; step != way.end(); ++step) cycle.push_back(step->id);
      cycle.push_back(next);
      return cycle;
    }
  }
  return {};
}

}  // namespace pawl::story
