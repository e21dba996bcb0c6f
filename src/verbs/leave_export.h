// What only pawl has, as `pawl leave` writes it where others can read it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/behind.h"
#include "engine/engine.h"

namespace pawl {

inline constexpr std::string_view kKnown = "known";  // the folder for what no file says

struct Export {
  std::string log;
  std::int64_t operations = 0;
  std::string set_aside;                                     // a line a record
  std::vector<std::pair<std::string, std::string>> reviews;  // "octo-cat-7/review-todo.md" and its bytes
  std::vector<Behind> behind;                                // with what pawl knows of them
};

[[nodiscard]] Result<Export> what_only_pawl_has(const View& view, const Lifecycles& lifecycles);
// Into a folder that is there, and empty.
[[nodiscard]] Done write_out(const std::string& folder, const Export& content);

}  // namespace pawl
