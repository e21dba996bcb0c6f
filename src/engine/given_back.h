// What is undone gives a file back as it was, to the byte: what pawl's own writing added to another tool's file (a
// section, a column, a time) goes with what it was added for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/absorb.h"
#include "engine/view.h"

namespace pawl {

// The bytes that stood there before pawl last wrote become those that are planned; not where they do not say what is
// recorded after the undo, or where anything but pawl's own writing is between them and what stands there now. Members
// of the file's own that went with what is undone come back as well.
[[nodiscard]] Done give_back(const View& after, PlannedFile& planned);

// What comes back comes back as it was spelled: the bytes that a file had which is not there any more. One that did not
// say whose it was, where others of its format do, went with those it stood beside, and only an undo gives it back:
// what begins there now has one of its own.
[[nodiscard]] std::optional<std::string_view> spelled_before(const PlannedFile& planned, bool undoing);

}  // namespace pawl
