// The files .status/signal-complete-N and signal-error-N, by which an agent or a script says how an issue ended. Only a
// regular file is one: what a link leads to is somebody else's, and a folder or a pipe says nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"

namespace pawl {

struct Signals {
  std::optional<std::string> complete, error;  // what they say; "" as well
  bool words_may_follow = false;               // an error's has just been made, and is empty: a shell makes it so first
  std::vector<std::string> ignored;            // folders, links and pipes of such a name
};
[[nodiscard]] Result<Signals> read_signals(const Engine& engine, std::int64_t number);

// Taken away when they were obeyed, and those of an earlier run before a new one begins.
[[nodiscard]] Done remove_signals(const Engine& engine, std::int64_t number);

// What to say about Signals::ignored.
[[nodiscard]] std::string text_of_ignored(const std::vector<std::string>& ignored);

}  // namespace pawl
