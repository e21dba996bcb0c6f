#include "lifecycles/story/depends.h"

#include <algorithm>

#include "base/json_number.h"
#include "base/text.h"

namespace pawl::story {
namespace {

constexpr std::size_t kNowhere = SIZE_MAX;

// The shortest ways from the first along `edges`: of each, the one before it.
std::vector<std::size_t> ways_from_first(const std::vector<std::vector<std::size_t>>& edges) {
  std::vector<std::size_t> before(edges.size(), kNowhere), reached = {0};
  before[0] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const std::size_t next : edges[reached[i]]) {
      if (before[next] != kNowhere) continue;
      before[next] = reached[i];
      reached.push_back(next);
    }
  }
  return before;
}

}  // namespace

Cycle::Cycle(std::vector<std::string> ids, const std::vector<std::vector<std::string>>& waits) : ids_(std::move(ids)) {
  for (std::size_t i = 0; i < ids_.size(); ++i) place_.emplace(ids_[i], i);
  std::vector<std::vector<std::size_t>> onward(ids_.size()), backward(ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    for (const std::string& id : waits[i]) {
      const auto found = place_.find(id);
      if (found == place_.end()) continue;
      onward[i].push_back(found->second);
      backward[found->second].push_back(i);
    }
  }
  here_ = ways_from_first(onward);
  back_ = ways_from_first(backward);
  back_[0] = onward[0].front();  // its ring goes on there
  keep_rings();
}

// To the first and from there back, but for what would be gone over twice.
Cycle::Ring Cycle::ring_through(std::size_t one) const {
  Ring ring = {one};
  std::vector<std::size_t> place(ids_.size(), kNowhere);
  place[one] = 0;
  for (std::size_t at = back_[one]; place[at] == kNowhere; at = back_[at]) {
    place[at] = ring.size();
    ring.push_back(at);
    if (at == 0) break;
  }
  if (one == 0) return ring;
  Ring rest;
  std::size_t at = here_[one];
  for (; place[at] == kNowhere; at = here_[at]) rest.push_back(at);
  ring.resize(place[at] + 1);
  ring.insert(ring.end(), rest.rbegin(), rest.rend());
  return ring;
}

// One is kept where it is the first ring of half of those in it: so that all that are kept are no longer than twice
// the stories, and one that has as many as the file is not gone round for each of them.
void Cycle::keep_rings() {
  in_ring_.assign(ids_.size(), {kNowhere, 0});
  for (std::size_t one = 0; one < ids_.size(); ++one) {
    if (in_ring_[one].first != kNowhere) continue;
    Ring ring = ring_through(one);
    const auto is_new = [&](std::size_t other) { return in_ring_[other].first == kNowhere; };
    if (static_cast<std::size_t>(std::count_if(ring.begin(), ring.end(), is_new)) * 2 < ring.size()) continue;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      if (is_new(ring[i])) in_ring_[ring[i]] = {rings_.size(), i};
    }
    rings_.push_back(std::move(ring));
  }
}

std::pair<std::vector<std::string>, std::size_t> Cycle::told(const std::string& id, std::size_t most) const {
  const auto found = place_.find(id);
  const std::size_t one = found == place_.end() ? 0 : found->second;
  const auto [which, first] = in_ring_[one];
  const Ring own = which == kNowhere ? ring_through(one) : Ring();
  const Ring& ring = which == kNowhere ? own : rings_[which];
  std::pair<std::vector<std::string>, std::size_t> out{{}, ring.size()};
  for (std::size_t i = 0; i < ring.size() && i < most; ++i) out.first.push_back(ids_[ring[(first + i) % ring.size()]]);
  return out;
}

std::vector<std::string> Cycle::from(const std::string& id, std::size_t most) const {
  auto [ids, size] = told(id, most);
  if (size <= most) ids.push_back(std::string(ids.front()));
  return std::move(ids);
}

std::string Cycle::in_words(const std::string& id) const {
  constexpr std::size_t kNamed = 6;
  auto [ids, size] = told(id, kNamed);
  if (size > kNamed) ids.push_back(cat(size - kNamed, " more"));
  ids.push_back(std::string(ids.front()));
  std::string out;
  for (const std::string& one : ids) out += cat(out.empty() ? "" : " → ", one);
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

namespace {

// Tarjan's walk: each story and each dependency once. Without recursion: a chain may be as long as the file.
class CycleWalk {
 public:
  CycleWalk(const WaitsFor& waits_for, KnownCycles& known) : waits_for_(waits_for), known_(known) {}

  void walk(const std::string& id) {
    enter(id);
    while (!way_.empty()) {
      Seen& here = seen_[way_.back().seen];
      if (way_.back().at == here.waits.size()) {
        leave();
        continue;
      }
      const std::string& next = here.waits[way_.back().at++];
      if (known_.contains(next)) continue;
      if (const auto open = place_.find(next); open != place_.end()) {
        here.lowest = std::min(here.lowest, open->second);
      } else {
        enter(std::string(next));
      }
    }
  }

 private:
  // Of those that are not known yet, in the order in which they were come to.
  struct Seen {
    std::string id;
    std::vector<std::string> waits;
    std::size_t lowest;  // the first of them that a way leads back to
  };
  struct Step {
    std::size_t seen;
    std::size_t at = 0;  // the next of what it waits for
  };

  void enter(std::string id) {
    place_.emplace(id, seen_.size());
    way_.push_back({seen_.size()});
    auto waits = waits_for_(id);
    seen_.push_back({std::move(id), std::move(waits), seen_.size()});
  }

  void leave() {
    const std::size_t first = way_.back().seen;
    way_.pop_back();
    const std::size_t lowest = seen_[first].lowest;
    if (lowest < first) {  // it waits for one before it: the two are told together
      Seen& before = seen_[way_.back().seen];
      before.lowest = std::min(before.lowest, lowest);
      return;
    }
    const std::shared_ptr<const Cycle> cycle = closed(first);
    for (std::size_t i = first; i < seen_.size(); ++i) {
      place_.erase(seen_[i].id);
      known_[seen_[i].id] = cycle;
    }
    seen_.erase(seen_.begin() + static_cast<std::ptrdiff_t>(first), seen_.end());
  }

  // All from `first` on wait for each other; or there is one alone, which may wait for itself, or for such as do.
  std::shared_ptr<const Cycle> closed(std::size_t first) {
    const std::vector<std::string>& waits = seen_[first].waits;
    if (seen_.size() - first == 1 && std::find(waits.begin(), waits.end(), seen_[first].id) == waits.end()) {
      for (const std::string& id : waits) {
        if (const auto& further = known_.at(id)) return further;
      }
      return nullptr;
    }
    std::vector<std::string> ids;
    std::vector<std::vector<std::string>> all_waits;
    for (std::size_t i = first; i < seen_.size(); ++i) {
      ids.push_back(seen_[i].id);
      all_waits.push_back(std::move(seen_[i].waits));
    }
    return std::make_shared<const Cycle>(std::move(ids), all_waits);
  }

  const WaitsFor& waits_for_;
  KnownCycles& known_;
  std::vector<Seen> seen_;
  std::map<std::string, std::size_t> place_;  // in seen_
  std::vector<Step> way_;
};

}  // namespace

std::shared_ptr<const Cycle> cycle_from(const std::string& id, const WaitsFor& waits_for, KnownCycles& known) {
  if (!known.contains(id)) CycleWalk(waits_for, known).walk(id);
  return known.at(id);
}

}  // namespace pawl::story
