// An open conflict as a note, for everybody who lists them.
#pragma once

#include <optional>

#include "engine/engine.h"

namespace pawl {

[[nodiscard]] std::optional<Note> note_of(const Engine& engine, const StoredConflict& conflict);

}  // namespace pawl
