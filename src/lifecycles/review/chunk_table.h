// The chunk plan: a table whose columns are known by their names. Two layouts are met: the seed's
// (`Chunk | Files | LOC | Status`) and one without a status, with more columns and a bold row of totals.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lifecycles/review/markdown.h"

namespace pawl::review {

struct ChunkRow {
  std::int64_t number = 0;
  std::vector<std::string> files;
  std::int64_t loc = 0;
  std::string status;                      // as it stands there; "pending" where the table has no such column
  Span line;                               // with its line end
  Span files_cell, loc_cell, status_cell;  // between the bars, trimmed
};

struct ChunkTable {
  std::vector<ChunkRow> rows;
  std::vector<std::string> columns;  // in small letters
  std::optional<std::size_t> status_column;
  Span header, delimiter;        // the lines, without line ends
  std::vector<Span> other_rows;  // of totals; without line ends
  std::size_t end = 0;           // behind the last row

  [[nodiscard]] const ChunkRow* find(std::int64_t number) const;
};

struct ChunkValues {
  std::int64_t number = 0;
  std::vector<std::string> files;
  std::int64_t loc = 0;
  std::string status;
};

// Feeds lines one by one, so that the file is gone through once.
class ChunkTableReader {
 public:
  explicit ChunkTableReader(std::string_view text) : text_(text) {}
  // A text line of the section. `number` is the line's, for messages.
  Done line(const MarkdownLine& line, std::size_t number);
  // An error where there is none, or half of one. `number`: the last line's.
  [[nodiscard]] Result<ChunkTable> take(std::size_t number);

 private:
  Done header(const MarkdownLine& line, std::size_t number);
  Done row(const MarkdownLine& line, std::size_t number);

  std::string_view text_;
  std::optional<ChunkTable> table_;
  bool delimited_ = false;
  bool apart_ = false;  // something else stands between this line and the rows before it
  bool other_ = false;  // in a table of somebody's own
  std::size_t chunk_ = 0, files_ = 0, loc_ = 0;
};

// The number in a line that looks like a row of this table, wherever it stands.
[[nodiscard]] std::optional<std::int64_t> chunk_number_in(const ChunkTable& table, std::string_view line);

// What must be written so that the table says this. Chunks in `gone` are taken out.
void edit_chunks(std::string_view text, const ChunkTable& table, std::span<const ChunkValues> wanted,
                 std::span<const std::int64_t> gone, std::vector<Edit>& edits);

// A table of its own, in the seed's form.
[[nodiscard]] std::string new_chunk_table(std::span<const ChunkValues> chunks);

// Of a cell: "a.ts, `b, c.ts`" → a.ts and "b, c.ts".
[[nodiscard]] std::vector<std::string> files_in_cell(std::string_view cell);
[[nodiscard]] std::string cell_of_files(std::span<const std::string> files);

}  // namespace pawl::review
