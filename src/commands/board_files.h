// Rows of the board that are no work of pawl's own: copies of what was put back, files that wait for somebody, and
// another tool's loop.
#pragma once

#include <cstdint>

#include "base/json.h"
#include "commands/context.h"
#include "engine/engine.h"
#include "engine/placed.h"

namespace pawl {

// Outside changes that were not taken, of files that go through the merge. Records that a conflict blocks have a row of
// their own.
[[nodiscard]] Done add_conflicts(const Context& context, const Engine& engine, const View& view, Json& work);
// What somebody wrote into a file in the last day, and pawl put back: a person may want it after all.
void add_put_back(const Engine& engine, const View& view, std::int64_t now_ms, Json& work);
// Files that do not say what pawl knows, and wait for somebody.
[[nodiscard]] Done add_left_alone(const Engine& engine, const View& view, Json& work);
// The one that Anthropic's plugin keeps in a file of its own, while it is active.
void add_foreign_loop(const Engine& engine, std::int64_t now_ms, Json& work, PlaceCounts& count);

}  // namespace pawl
