// What changed in files between two commits, as unified diffs tell it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

struct ChangedFile {
  std::string path;
  std::string previous_path;  // where it was renamed
  std::string status;         // added, modified, removed, renamed, …
  std::int64_t changes = 0;   // lines that came or went
  std::string patch;          // empty: binary, or too large to be shown
  std::string blob = {};      // the name of its content, where it is told
  std::string commit = {};    // of which it is; empty: nobody says
};

// From the common ancestor of two commits to the second.
struct Comparison {
  bool straight = false;  // the first is that ancestor: nothing was rewritten
  std::vector<ChangedFile> files;
  bool cut = false;  // there are more than were told
};

// One line on which a comment may stand.
struct DiffLine {
  char sign = ' ';        // '+', '-', ' '
  std::int64_t left = 0;  // its number before; 0 where it was added
  std::int64_t right = 0;
  std::string_view text = {};  // without its sign
};

// The lines of a patch, as they are numbered on both sides.
[[nodiscard]] std::vector<DiffLine> diff_lines(std::string_view patch);

}  // namespace pawl
