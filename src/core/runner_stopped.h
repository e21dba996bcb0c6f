// The word that a runner leaves in a record's history when it stops in order and the work is not at its end: whoever
// looks then does not call it running. Whatever happens to the record next takes the word back. (One that was killed
// leaves its claim.) A session that its hook held and lets go leaves the other one.
#pragma once

#include <string_view>

namespace pawl {

inline constexpr std::string_view kRunnerStopped = "runner stopped";
inline constexpr std::string_view kLetGo = "let go";
inline constexpr std::string_view kStoppedWhy = "why";  // in the evidence of either

}  // namespace pawl
