// A command that pawl is to run later by itself (an issue's agent, a loop's check) is kept in the store. A store can
// come with a clone, and what stands in it is then the word of a stranger: so what was given on this machine carries a
// seal, made with a secret that is kept outside of every project.
#pragma once

#include <string>
#include <string_view>

namespace pawl {

// "" where no secret can be kept (no home folder); what is so sealed is not obeyed later.
[[nodiscard]] std::string users_seal(std::string_view what);

}  // namespace pawl
