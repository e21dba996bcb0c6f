// What a story waits for: `dependsOn`, `dependencies` and `blockedBy` name others by their ids.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/record.h"

namespace pawl::story {

inline constexpr std::array kDependsMembers = {"dependsOn", "dependencies", "blockedBy"};

// The ids, each once, in the order in which they stand there.
[[nodiscard]] std::vector<std::string> depends_on(const Json& doc);

// Tells what a story that has not ended waits for, and nothing of any other.
using WaitsFor = std::function<std::vector<std::string>(const std::string&)>;

// Stories that wait for each other: from each a way leads to each other one, and back. Through each of them goes a
// ring, of which each waits for the next one and the last for the first. There may be as many as the file has, and each
// may be asked about: so they are found once, and told in part.
class Cycle {
 public:
  // `waits`: what each of `ids` waits for; what is none of them is left out.
  Cycle(std::vector<std::string> ids, const std::vector<std::vector<std::string>>& waits);

  [[nodiscard]] bool has(const std::string& id) const { return place_.contains(id); }
  // The ring through this one, or through some where it is none of them, back to where it began: "A", "B", "A". Of one
  // that is longer than `most` only so many, and not closed: whoever reads it sees that it goes on.
  [[nodiscard]] std::vector<std::string> from(const std::string& id, std::size_t most = SIZE_MAX) const;
  // The same for a person: "A → B → A".
  [[nodiscard]] std::string in_words(const std::string& id) const;

 private:
  using Ring = std::vector<std::size_t>;  // places in ids_
  [[nodiscard]] Ring ring_through(std::size_t one) const;
  void keep_rings();
  // The ring of `id` with it in front; `most` of it. And how long it is.
  [[nodiscard]] std::pair<std::vector<std::string>, std::size_t> told(const std::string& id, std::size_t most) const;

  std::vector<std::string> ids_;
  std::map<std::string, std::size_t> place_;
  std::vector<std::size_t> back_;  // the next one on the shortest way from each to the first
  std::vector<std::size_t> here_;  // the one before on the shortest way from the first to each
  std::vector<Ring> rings_;
  std::vector<std::pair<std::size_t, std::size_t>> in_ring_;  // of each: which of rings_, and where in it
};

inline constexpr std::size_t kCycleNamed = 100;  // of one, to a program

// What was found from each story that was passed, so that no way is gone twice.
using KnownCycles = std::map<std::string, std::shared_ptr<const Cycle>>;
// The one that `id` is in; else one that is come to from it; nullptr when there is none.
[[nodiscard]] std::shared_ptr<const Cycle> cycle_from(const std::string& id, const WaitsFor& waits_for,
                                                      KnownCycles& known);

}  // namespace pawl::story
