// What `git diff` prints, taken apart: the files of a pull request, and which lines a comment may stand on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::practice {

struct ChangedFile {
  std::string name, previous_name;
  std::string status = "modified";  // added, removed, modified, renamed
  std::string sha;                  // of the new content
  std::int64_t additions = 0, deletions = 0;
  std::string patch;  // from the first @@ on; empty for binary files
};

// Of `git diff --full-index -M`.
[[nodiscard]] std::vector<ChangedFile> parse_diff(std::string_view text);

// The part of the patch that ends with this line of this side ("LEFT": before, "RIGHT": after), as comments show it;
// empty when the diff does not have the line.
[[nodiscard]] std::string hunk_at(std::string_view patch, std::int64_t line, std::string_view side);

}  // namespace pawl::practice
