#include "lifecycle/story/depends.h"

#include <algorithm>
#include <set>

#include "base/json_number.h"
#include "base/text.h"

namespace pawl::story {
Cycle::Cycle(std::vector<std::string> ids) : ids_(std::move(ids)) {
  for (std::size_t i = 0; i < ids_.size(); ++i) place_.emplace(ids_[i], i);
}

std::vector<std::string> Cycle::from(const std::string& id, std::size_t most) const {
  const auto found = place_.find(id);
  const std::size_t first = found == place_.end() ? 0 : found->second;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < ids_.size() && i < most; ++i) out.push_back(ids_[(first + i) % ids_.size()]);
  out.push_back(ids_[first]);
  return out;
}

std::string Cycle::in_words(const std::string& id) const {
  constexpr std::size_t kNamed = 6;
  std::vector<std::string> way = from(id, kNamed);
  if (ids_.size() > kNamed) way.insert(way.end() - 1, cat(ids_.size() - kNamed, " more"));
  std::string out;
  for (const std::string& one : way) out += cat(out.empty() ? "" : " → ", one);
  return out;
}

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
std::shared_ptr<const Cycle> cycle_from(const std::string& id, const WaitsFor& waits_for, KnownCycles& known) {
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
  const auto found = [&](const std::shared_ptr<const Cycle>& cycle) {
    for (const Step& step : way) known[step.id] = cycle;
    return cycle;
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
      return found(std::make_shared<const Cycle>(std::move(cycle)));
    }
    const auto before = known.find(next);
    if (before == known.end()) {
      enter(next);
    } else if (before->second) {
      return found(std::shared_ptr<const Cycle>(before->second));
    }
  }
  return nullptr;
}

}  // namespace pawl::story
