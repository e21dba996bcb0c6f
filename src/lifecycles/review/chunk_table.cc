#include "lifecycles/review/chunk_table.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.h"
#include "lifecycles/review/damaged.h"
#include "lifecycles/review/review.h"

namespace pawl::review {
namespace {

// Between the bars; `\|` does not end a cell.
std::vector<Span> cells_of(std::string_view text, Span line) {
  std::vector<Span> cells;
  std::size_t begin = line.begin;
  const auto add = [&](std::size_t end) {
    Span cell{begin, end};
    while (cell.begin < cell.end && (text[cell.begin] == ' ' || text[cell.begin] == '\t')) ++cell.begin;
    while (cell.end > cell.begin && (text[cell.end - 1] == ' ' || text[cell.end - 1] == '\t')) --cell.end;
    cells.push_back(cell);
  };
  for (std::size_t i = line.begin; i < line.end; ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '|') {
      add(i);
      begin = i + 1;
    }
  }
  add(line.end);
  // The bars at both ends enclose nothing.
  if (!cells.empty() && cells.front().empty()) cells.erase(cells.begin());
  if (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

bool is_table_line(std::string_view words) { return trim(words).find('|') != std::string_view::npos; }

bool is_delimiter(std::string_view words) {
  return words.find('-') != std::string_view::npos && words.find_first_not_of("|-: \t") == std::string_view::npos;
}

std::string plain(std::string_view cell) {
  std::string out;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell[i] == '\\' && i + 1 < cell.size() && cell[i + 1] == '|') continue;
    out += cell[i];
  }
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::vector<std::string> columns_of(std::string_view header) {
  std::vector<std::string> columns;
  for (const Span cell : cells_of(header, {0, header.size()})) columns.push_back(lower(plain(cell.of(header))));
  return columns;
}

std::optional<std::int64_t> count_in(std::string_view cell) {
  std::int64_t value = 0;
  std::string digits;
  for (const char c : cell) {
    if (c != ',' && c != '~' && c != '*') digits += c;  // "1,200", "~300"
  }
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || value < 0 || (end != digits.data() + digits.size() && *end != ' ')) return std::nullopt;
  return value;
}

std::string escaped_bars(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string row_text(const ChunkValues& chunk) {
  return cat("| ", chunk.number, " | ", cell_of_files(chunk.files), " | ", chunk.loc, " | ", escaped_bars(chunk.status),
             " |");
}

// A row in the table's own layout; what is in columns that pawl does not know stays empty.
std::string row_in(const ChunkTable& table, const ChunkValues& chunk, bool add_status) {
  std::string out = "|";
  for (const std::string& column : table.columns) {
    const std::string value = column == "chunk" || column == "#" ? std::to_string(chunk.number)
                              : column == "files"                ? cell_of_files(chunk.files)
                              : column == "loc"                  ? std::to_string(chunk.loc)
                              : column == "status"               ? escaped_bars(chunk.status)
                                                                 : std::string();
    out += cat(" ", value, value.empty() ? "|" : " |");
  }
  return add_status ? cat(out, " ", escaped_bars(chunk.status), " |") : out;
}

}  // namespace

const ChunkRow* ChunkTable::find(std::int64_t number) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const ChunkRow& row) { return row.number == number; });
  return found == rows.end() ? nullptr : &*found;
}

std::optional<std::int64_t> chunk_number_in(const ChunkTable& table, std::string_view line) {
  const std::vector<Span> cells = cells_of(line, {0, line.size()});
  for (std::size_t i = 0; i < table.columns.size() && i < cells.size(); ++i) {
    if (table.columns[i] != "chunk" && table.columns[i] != "#") continue;
    std::string_view cell = cells[i].of(line);
    // "**2**", "2."
    while (!cell.empty() && std::string_view("*_~`#. ").find(cell.front()) != std::string_view::npos)
      cell.remove_prefix(1);
    while (!cell.empty() && std::string_view("*_~`#. ").find(cell.back()) != std::string_view::npos)
      cell.remove_suffix(1);
    return parse_positive(cell);
  }
  return std::nullopt;
}

std::vector<std::string> files_in_cell(std::string_view cell) {
  std::vector<std::string> files;
  const std::string text = plain(cell);
  std::string file;
  const auto add = [&] {
    if (const std::string_view name = trim(file); !name.empty()) files.emplace_back(name);
    file.clear();
  };
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '`') {
      if (const auto code = code_span(text, i)) {
        file += code->inside.of(text);
        i = code->end;
        continue;
      }
    }
    if (text[i] == ',') {
      add();
    } else if (text.compare(i, 4, "<br>") == 0) {
      add();
      i += 3;
    } else {
      file += text[i];
    }
    ++i;
  }
  add();
  return files;
}

std::string cell_of_files(std::span<const std::string> files) {
  std::string out;
  for (const std::string& file : files) {
    const bool plain_enough = file.find_first_of(",`<") == std::string::npos && trim(file) == file;
    out += cat(out.empty() ? "" : ", ", escaped_bars(plain_enough ? file : as_code(file)));
  }
  return out;
}

Done ChunkTableReader::header(const MarkdownLine& line, std::size_t number) {
  ChunkTable table;
  table.header = line.span;
  table.columns = columns_of(line.span.of(text_));
  const auto column = [&](std::initializer_list<std::string_view> names) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (std::find(names.begin(), names.end(), table.columns[i]) != names.end()) return i;
    }
    return std::nullopt;
  };
  const auto chunk = column({"chunk", "#"}), files = column({"files"}), loc = column({"loc"});
  for (const auto& [found, name] : {std::pair{chunk, "Chunk"}, {files, "Files"}, {loc, "LOC"}}) {
    if (!found) return damaged(number, cat("the chunk plan has no column “", name, "” (Chunk, Files, LOC, Status)"));
  }
  chunk_ = *chunk, files_ = *files, loc_ = *loc;
  table.status_column = column({"status"});
  table.end = line.next;
  table_ = std::move(table);
  return done();
}

Done ChunkTableReader::row(const MarkdownLine& line, std::size_t number) {
  const std::vector<Span> cells = cells_of(text_, line.span);
  table_->end = line.next;
  const std::string first = cells.empty() ? std::string() : lower(plain(cells.front().of(text_)));
  if (first.find("total") != std::string::npos) {
    table_->other_rows.push_back(line.span);
    return done();
  }
  const std::size_t needed = std::max({chunk_, files_, loc_, table_->status_column.value_or(0)}) + 1;
  if (cells.size() < needed)
    return damaged(
        number, cat("a row of the chunk plan has ", cells.size(), " cells for ", table_->columns.size(), " columns"));
  // One too many comes from a bar in a name that is not written `\\|`, and shifts all that follow it.
  for (std::size_t i = table_->columns.size(); i < cells.size(); ++i) {
    if (!cells[i].empty())
      return damaged(number, cat("a row of the chunk plan has ", cells.size(), " cells for ", table_->columns.size(),
                                 " columns (a bar in a name is written \\|)"));
  }
  ChunkRow row;
  const auto at = parse_positive(cells[chunk_].of(text_));
  if (!at)
    return damaged(number, cat("“", printable(cells[chunk_].of(text_).substr(0, 40)), "” is not a chunk's number"));
  row.number = *at;
  if (table_->find(row.number) != nullptr) return damaged(number, cat("chunk ", row.number, " is there twice"));
  row.files_cell = cells[files_];
  row.loc_cell = cells[loc_];
  row.files = files_in_cell(row.files_cell.of(text_));
  row.loc = count_in(row.loc_cell.of(text_)).value_or(0);
  if (table_->status_column) row.status_cell = cells[*table_->status_column];
  row.status = table_->status_column ? plain(row.status_cell.of(text_)) : std::string(kPending);
  row.line = {line.span.begin, line.next};
  table_->rows.push_back(std::move(row));
  return done();
}

Done ChunkTableReader::line(const MarkdownLine& line, std::size_t number) {
  const std::string_view words = line.span.of(text_);
  const bool in_table = line.kind == MarkdownLine::Kind::text && is_table_line(words);
  if (!in_table) {
    if (table_ && !delimited_) return damaged(number, "the chunk plan's header has no line of dashes under it");
    apart_ = table_.has_value();
    other_ = false;
    return done();
  }
  if (!table_) return header(line, number);
  if (!delimited_) {
    if (!is_delimiter(words)) return damaged(number, "the chunk plan's header has no line of dashes under it");
    table_->delimiter = line.span;
    table_->end = line.next;
    delimited_ = true;
    return done();
  }
  // Rows go on behind a blank line or words of somebody's: a chunk that was left out there would count as dropped.
  if (apart_) {
    apart_ = false;
    other_ = !trim(words).starts_with('|') || !chunk_number_in(*table_, words);
    if (other_ && columns_of(words) == table_->columns) return damaged(number, "a second table in the chunk plan");
  }
  return other_ ? done() : row(line, number);
}

Result<ChunkTable> ChunkTableReader::take(std::size_t number) {
  if (!table_) return damaged(number, "the chunk plan has no table (Chunk, Files, LOC, Status)");
  if (!delimited_) return damaged(number, "the chunk plan's header has no line of dashes under it");
  return std::move(*table_);
}

void edit_chunks(std::string_view text, const ChunkTable& table, std::span<const ChunkValues> wanted,
                 std::span<const std::int64_t> gone, std::vector<Edit>& edits) {
  const std::string_view newline = newline_of(text);
  // A table without statuses gets the column when there is something to say in it.
  const bool add_status = !table.status_column && std::any_of(wanted.begin(), wanted.end(), [](const ChunkValues& one) {
    return one.status != kPending;
  });
  const std::set<std::int64_t> removed(gone.begin(), gone.end());
  if (add_status) {
    const auto append = [&](Span line, std::string_view cell) {
      std::string_view words = line.of(text);
      while (!words.empty() && (words.back() == ' ' || words.back() == '\t')) words.remove_suffix(1);
      const std::size_t at = line.begin + words.size();
      edits.push_back({{at, at}, cat(words.ends_with('|') ? "" : " |", cell, "|")});
    };
    append(table.header, " Status ");
    append(table.delimiter, "--------");
    for (const Span& line : table.other_rows) append(line, " ");
    for (const ChunkRow& row : table.rows) {
      if (removed.contains(row.number)) continue;
      const auto found =
          std::find_if(wanted.begin(), wanted.end(), [&](const ChunkValues& one) { return one.number == row.number; });
      std::size_t end = row.line.end;
      while (end > row.line.begin && (text[end - 1] == '\n' || text[end - 1] == '\r')) --end;
      append({row.line.begin, end},
             cat(" ", found == wanted.end() ? std::string(kPending) : escaped_bars(found->status), " "));
    }
  }
  std::string added;
  for (const ChunkValues& chunk : wanted) {
    const ChunkRow* const row = table.find(chunk.number);
    if (row == nullptr) {
      added += cat(row_in(table, chunk, add_status), newline);
      continue;
    }
    const auto put = [&](Span cell, std::string value) {
      const bool bare = cell.begin > 0 && text[cell.begin - 1] == '|';
      edits.push_back({cell, cat(cell.empty() && bare ? " " : "", value, cell.empty() ? " " : "")});
    };
    if (row->files != chunk.files) put(row->files_cell, cell_of_files(chunk.files));
    if (row->loc != chunk.loc) put(row->loc_cell, std::to_string(chunk.loc));
    if (table.status_column && row->status != chunk.status) put(row->status_cell, escaped_bars(chunk.status));
  }
  for (const ChunkRow& row : table.rows) {
    if (removed.contains(row.number)) edits.push_back({row.line, ""});
  }
  if (added.empty()) return;
  // Before a row of totals, behind all others.
  std::size_t at = table.end;
  if (!table.other_rows.empty()) at = std::min<std::size_t>(at, table.other_rows.front().begin);
  const bool open_line = at > 0 && text[at - 1] != '\n';
  edits.push_back({{at, at}, cat(open_line ? newline : "", added)});
}

std::string new_chunk_table(std::span<const ChunkValues> chunks) {
  std::string out = "| Chunk | Files | LOC | Status |\n|-------|-------|-----|--------|\n";
  for (const ChunkValues& chunk : chunks) out += row_text(chunk) + "\n";
  return out;
}

}  // namespace pawl::review
