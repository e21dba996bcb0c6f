// Where on GitHub the pull requests of this project's stories are.
#pragma once

#include "drive/story_bot/tools.h"
#include "verbs/world/forge_for.h"

namespace pawl {

[[nodiscard]] Result<ForgeSeat> story_seat(ForgeFor& open, const Engine& engine);

}  // namespace pawl
