// What somebody wrote into a file, its lifecycle refused, and was left standing there (outside = "flag"): the file says
// one thing of a record, and pawl knows another. That lasts over any number of commands, so it is not remembered but
// seen: whatever the bytes that pawl last left in the file show otherwise than the store has it, stands.
//
// Invariant: what stands is written over only where the record has changed since, by a command or in another file, in a
// way that shows in this one; and then a copy is kept first, and that is said.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/absorb.h"

namespace pawl {

// `bytes`: those that pawl left there, or is about to, with the records as they were or will be then.
[[nodiscard]] Result<WhatStands> standing_in(const MirrorWorld& world, const View& view, const MirrorFile& file,
                                             std::string_view bytes);

// For a change that did not come from this file. What the file does not show (that a story is paused) replaces nothing;
// the same status given again does.
[[nodiscard]] Done give_way(Transaction& store, PlannedFile& planned, const Change& change);

// Once it is known what the file becomes.
[[nodiscard]] Done keep_what_stood(const MirrorWorld& world, const View& view, PlannedFile& planned,
                                   std::int64_t now_ms);

}  // namespace pawl
