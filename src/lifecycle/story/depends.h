// What a story waits for: `dependsOn`, `dependencies` and `blockedBy` name others by their ids.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/record.h"

namespace pawl::story {

inline constexpr std::array kDependsMembers = {"dependsOn", "dependencies", "blockedBy"};

// The ids, each once, in the order in which they stand there.
[[nodiscard]] std::vector<std::string> depends_on(const Json& doc);

// Stories that wait for each other, each for the next one and the last for the first. It may be as long as the file,
// and each of them may be asked about: so it is found once, and told in part.
class Cycle {
 public:
  explicit Cycle(std::vector<std::string> ids);

  [[nodiscard]] bool has(const std::string& id) const { return place_.contains(id); }
  // From this one where it is one of them, and back to where it began: "A", "B", "A". Of a longer one only so many.
  [[nodiscard]] std::vector<std::string> from(const std::string& id, std::size_t most = SIZE_MAX) const;
  // The same for a person: "A → B → A".
  [[nodiscard]] std::string in_words(const std::string& id) const;

 private:
  std::vector<std::string> ids_;
  std::map<std::string, std::size_t> place_;
};

inline constexpr std::size_t kCycleNamed = 100;  // of one, to a program

// The one that is come to from `id`, nullptr when there is none. `waits_for` tells what a story that has not ended
// waits for, and nothing of any other.
using WaitsFor = std::function<std::vector<std::string>(const std::string&)>;
// What was found from each story that was passed, so that no way is gone twice.
using KnownCycles = std::map<std::string, std::shared_ptr<const Cycle>>;
[[nodiscard]] std::shared_ptr<const Cycle> cycle_from(const std::string& id, const WaitsFor& waits_for,
                                                      KnownCycles& known);

}  // namespace pawl::story
