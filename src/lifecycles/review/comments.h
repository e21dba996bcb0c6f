// Comments by file: what others said on the diff, as it is brought into what a review has of it already. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "core/record.h"

namespace pawl::review {

// One that was made on GitHub.
struct FileComment {
  std::string file;
  Json entry;  // {"author", "line", "body", "created_at"}
};

// `there` with those that it lacks, and a list for every file of the plan. What others put there stays. A comment is
// known by who wrote what when, not by its line, which moves; two that say the same are two.
[[nodiscard]] Json with_comments(Json there, std::span<const Record> chunks, std::span<const FileComment> comments);

}  // namespace pawl::review
