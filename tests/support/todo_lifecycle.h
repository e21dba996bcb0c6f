// A lifecycle that only the tests have: a to-do list, many records in one file, with an owner, gates and ranks. It is
// all that a lifecycle may be (one folder, one row of the table), so what holds for it holds for those that come later.
//
//   {"project": "alpha", "items": [{"id": "a", "state": "open", "title": "…", "priority": 2}, …]}
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/lifecycle.h"

namespace pawl::test {

inline constexpr std::string_view kTodoKind = "todo";
inline constexpr std::string_view kTodoPath = "plans/todos.json";  // the folder is the setting todo.folder

[[nodiscard]] const Machine& todo_machine();
[[nodiscard]] const Lifecycles& todo_lifecycles();
[[nodiscard]] RecordId todo(std::string_view key);

// Called while pawl makes the file's new bytes: after it has read the file and before it exchanges it, in each round.
std::function<void()>& while_rendering();

}  // namespace pawl::test
