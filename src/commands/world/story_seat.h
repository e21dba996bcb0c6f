// Where on GitHub the pull requests of this project's stories are.
#pragma once

#include "commands/world/forge_for.h"
#include "runners/story_bot/tools.h"

namespace pawl {

[[nodiscard]] Result<ForgeSeat> story_seat(ForgeFor& open, const Engine& engine);

}  // namespace pawl
