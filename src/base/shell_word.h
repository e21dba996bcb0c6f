// A word as a person may paste it into a shell: as it is where it is plain, quoted where it is not, and with its
// control characters spelled out ($'…', as bash, zsh and ksh read it), which would not reach the shell from a screen.
#pragma once

#include <string>
#include <string_view>

namespace pawl {

[[nodiscard]] std::string shell_word(std::string_view word);

}  // namespace pawl
