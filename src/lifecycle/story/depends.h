// What a story waits for: `dependsOn`, `dependencies` and `blockedBy` name others by their ids.
#pragma once

#include <array>
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

// Stories that wait for each other, beginning and ending with the same one: "A", "B", "A". Empty when nobody on the way
// from `id` does. `waits_for` tells what a story that has not ended waits for, and nothing of any other.
using WaitsFor = std::function<std::vector<std::string>(const std::string&)>;
// What was found from each story that was passed, nullptr for none, so that no way is gone twice.
using KnownCycles = std::map<std::string, std::shared_ptr<const std::vector<std::string>>>;
[[nodiscard]] std::vector<std::string> cycle_from(const std::string& id, const WaitsFor& waits_for, KnownCycles& known);

}  // namespace pawl::story
