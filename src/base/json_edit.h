// Changing a JSON file without rewriting it: only the bytes of what differs in meaning change. The key order, the white
// space, the spelling of every other value, unknown members, the newline at the end (or none) stay as their tool left
// them.
//
//   PAWL_ASSIGN(JsonText file, JsonText::scan(bytes));
//   const JsonRef story = ...;
//   Json wanted = story.value();
//   wanted["status"] = "merged";
//   bytes = conform(file, story, wanted);
//
// What is kept:
//   values    Equal ones keep their spelling (1.0 for 1, \u0041 for A, blanks inside). Equal as json_same.h says: by
//             value, or as text (1.0 becomes 1).
//   objects   Members are edited one by one and stay in the file's order. One that is missing is added after the
//             member that precedes it in `wanted`; one that is not wanted goes with its comma and white space.
//   arrays    Equal elements stay, wherever others were added or removed; of the rest, objects with the same "id" (else
//             those at the same place) are edited.
//   style     What is new is written as its neighbours and the file are (json_style.h).
//   duplicates  Of a repeated key the last one is the value: it is edited, the others stay; all go when it is not
//   wanted.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/json_same.h"
#include "base/json_text.h"

namespace pawl {

// One element of an array, where the caller knows which element became which.
struct JsonItem {
  std::size_t from = kNoMember;   // its place in the file's array, in any order; kNoMember: a new one
  const Json* wanted = nullptr;   // what it is to mean; nullptr: it stays as it is spelled
  std::string_view spelled = {};  // JSON for a new one, used if its lines fit into the file; else `wanted` is written
};

// `value`, mostly an object, is to mean what `wanted` means. Both must outlive the call only.
struct JsonChange {
  JsonRef value;
  const Json* wanted;
  std::span<const JsonItem> items = {};  // of an array that is to have elements; `wanted` does not count then
};

enum class JsonEqual { value, text };  // same_value or same_text

// The text after all changes, in one pass. The values are of `file` and may come in any order; a change of something
// inside another changed value is left out, as the outer one already says what is wanted.
[[nodiscard]] std::string conform(const JsonText& file, std::span<const JsonChange> changes,
                                  JsonEqual equal = JsonEqual::value);
[[nodiscard]] std::string conform(const JsonText& file, const JsonRef& value, const Json& wanted,
                                  JsonEqual equal = JsonEqual::value);

// The whole text. An error when it is not JSON.
[[nodiscard]] Result<std::string> conform(std::string_view text, const Json& wanted);

}  // namespace pawl
