// Verbs that talk to the world over the network. Their rows stand in the one table like all others, so that help and
// arguments are the same; what they do is linked only into a second executable, as the libraries it takes cost more at
// start than everything else together. The first hands its whole command line over to the second.
#pragma once

#include <span>
#include <string_view>

#include "commands/verb.h"

namespace pawl {

inline constexpr std::string_view kWorldProgram = "pawl-world";

struct WorldVerb {
  const Verb* verb = nullptr;
  Result<Reply> (*run)(Context&, const Arguments&) = nullptr;
};

// In the second executable: every verb of the table that says `world`, and those that may hand over
// (Context::hand_over).
[[nodiscard]] std::span<const WorldVerb> world_verbs();

}  // namespace pawl
