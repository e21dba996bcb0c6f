// main() without its name: whatever is thrown ends in a sentence and an exit code.
#pragma once

#include <span>

#include "commands/world.h"

namespace pawl {

[[nodiscard]] int guarded_main(int argc, char** argv, std::span<const WorldVerb> world);

}  // namespace pawl
