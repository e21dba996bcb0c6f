// What only pawl has, as `pawl leave` writes it where others can read it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/behind.h"
#include "engine/engine.h"

namespace pawl {

inline constexpr std::string_view kLogFile = "log.jsonl", kSetAsideFile = "set-aside.jsonl", kReviews = "reviews";
inline constexpr std::string_view kKnown = "known";  // the folder for what no file says
inline constexpr std::array kExportNames = {kLogFile, kSetAsideFile, kReviews, kKnown};

struct Export {
  std::string set_aside;                                     // a line a record
  std::vector<std::pair<std::string, std::string>> reviews;  // "octo-cat-7/review-todo.md" and its bytes
  std::vector<Behind> behind;                                // with what pawl knows of them
  std::vector<Error> left_out;                               // folders that could not be looked into
};

// All that happened, oldest first, a line each, into log.jsonl of a folder that is there; how many there were. A log
// may be larger than memory: it goes to the disk as it is read. Without a folder they are only counted.
[[nodiscard]] Result<std::int64_t> write_log(Transaction& store, const std::string& folder);

[[nodiscard]] Result<Export> what_only_pawl_has(const View& view, const Lifecycles& lifecycles);
// Into a folder that is there.
[[nodiscard]] Done write_out(const std::string& folder, const Export& content);

}  // namespace pawl
