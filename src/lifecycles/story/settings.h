// What a project may decide about its stories and about the bot that carries them.
#pragma once

#include <span>

#include "core/settings.h"

namespace pawl::story {

[[nodiscard]] std::span<const SettingSpec> settings();

}  // namespace pawl::story
