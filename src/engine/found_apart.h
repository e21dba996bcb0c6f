// What was found in files, as operations: each can be taken back for itself, so what has nothing to do with each other
// is not in one. All that one look finds would be, and whoever wants a removed file back would lose an edit elsewhere.
//
//   - What stands in files that were not there before is one operation: it is somebody's work, and undo leaves it.
//   - What went with its files is one: whoever removes a folder wants it back whole.
//   - A file whose records show nowhere else, and which is of no one of several, is an operation of its own.
//   - All else is one: a record that shows in two files, or makes room for another, changes in both; and so does what
//     was moved from one file to another, with what it took the place of there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/engine.h"

namespace pawl {

// What an event says of a record that came in from a file (adopt() in core/outside.h).
inline constexpr std::string_view kAdopted = "adopted";
// Of one whose file was moved elsewhere (absorb_moved.cc).
inline constexpr std::string_view kMovedAway = "moved";

// For each of `absorbed.changes`, the place of its operation among those that are to be made, from 0 on.
[[nodiscard]] std::vector<std::size_t> found_apart(const MirrorWorld& world, const Absorbed& absorbed);

// All operations of what a command found: they follow each other, and come before its own.
[[nodiscard]] Result<std::vector<std::int64_t>> found_operations(Transaction& store, const Outcome& outcome);

}  // namespace pawl
