// Which files of a pull request are looked at together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl::review {

struct PlannedChunk {
  std::vector<std::string> files;
  std::int64_t loc = 0;
};

struct FileChange {
  std::string path;
  std::int64_t lines = 0;  // added and removed
};

// Of the files that a pull request changes, those whose names can stand in a review's files; the others cannot be
// planned, and a review that leaves some out does not approve.
struct Plannable {
  std::vector<FileChange> files;
  std::vector<std::string> left_out;
};
[[nodiscard]] Plannable plannable(std::vector<FileChange> files);
// May this name stand there: on one line, inside the repository, opening and closing no comment?
[[nodiscard]] bool can_stand(const std::string& path);
// What is said of the others: a sentence each.
[[nodiscard]] std::string why_left_out(std::string_view path);

// A chunk is about kChunkLines long, and at least and at most so, where the files allow it.
inline constexpr std::int64_t kChunkLines = 300, kFewestLines = 150, kMostLines = 500;

// Files of one folder together, those with a common name side by side, tests last.
[[nodiscard]] std::vector<PlannedChunk> make_plan(std::vector<FileChange> files);

// A plan that somebody made: JSON (`[{"files": ["a.ts"], "loc": 120}]`, also under "chunks"), or the seed's table.
[[nodiscard]] Result<std::vector<PlannedChunk>> read_plan(std::string_view text);

[[nodiscard]] bool is_test_file(std::string_view path);

}  // namespace pawl::review
