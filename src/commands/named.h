// Which thing is meant, for verbs that take any: KIND/KEY or the key alone, and the file where two have one key.
#pragma once

#include "commands/verb.h"
#include "engine/engine.h"

namespace pawl {

inline constexpr Param kNamedIn{.name = "file",
                                .value = "FILE",
                                .summary = "the file that it is in, where two have something of this name",
                                .not_empty = true};

// By the arguments "ref" and "file".
[[nodiscard]] Result<RecordId> named(const Engine& engine, const View& view, const Arguments& arguments);

}  // namespace pawl
