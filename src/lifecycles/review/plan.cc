#include "lifecycles/review/plan.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/json.h"
#include "base/text.h"
#include "lifecycles/review/chunk_table.h"
#include "lifecycles/review/command.h"

namespace pawl::review {
namespace {

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// "Form" of "components/Form.module.css": what related files have in common.
std::string_view stem_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.find('.', 1));
}

// One after the other, until a chunk is full or a folder ends.
void fill(std::span<const FileChange> files, std::vector<PlannedChunk>& out) {
  const std::size_t first = out.size();
  std::string_view folder, stem;
  for (const FileChange& file : files) {
    const bool begin = out.size() == first;
    const bool other_folder = folder_of(file.path) != folder, related = !other_folder && stem_of(file.path) == stem;
    const bool full =
        !begin && (out.back().loc + file.lines > kMostLines || (out.back().loc >= kChunkLines && !related) ||
                   (out.back().loc >= kFewestLines && other_folder));
    if (begin || full) out.emplace_back();
    out.back().files.push_back(file.path);
    out.back().loc += file.lines;
    folder = folder_of(file.path);
    stem = stem_of(file.path);
  }
  // A last one that is too short goes with the one before.
  if (out.size() < first + 2) return;
  PlannedChunk& before = out[out.size() - 2];
  PlannedChunk& last = out.back();
  if (last.loc >= kFewestLines || before.loc + last.loc > kMostLines) return;
  before.files.insert(before.files.end(), last.files.begin(), last.files.end());
  before.loc += last.loc;
  out.pop_back();
}

auto not_a_plan(std::string what) {
  return fail(ErrorCode::invalid_argument, cat("the chunk plan cannot be read: ", what),
              "it can be JSON, [{\"files\": [\"a.ts\"], \"loc\": 120}], or a table Chunk | Files | LOC | Status");
}

Result<std::vector<PlannedChunk>> read_json_plan(std::string_view text) {
  auto json = parse_json(text);
  if (!json) return not_a_plan(json.error().message);
  const auto inside = json->is_object() ? json->find("chunks") : json->end();
  const Json list = inside != json->end() && json->is_object() ? *inside : *json;
  if (!list.is_array()) return not_a_plan("a list of chunks was expected");
  std::vector<PlannedChunk> out;
  for (const Json& one : list) {
    const auto files = one.is_object() ? one.find("files") : one.end();
    if (!one.is_object() || files == one.end() || !files->is_array())
      return not_a_plan(cat("chunk ", out.size() + 1, " has no list “files”"));
    PlannedChunk chunk;
    for (const Json& file : *files) {
      if (!file.is_string()) return not_a_plan(cat("a file of chunk ", out.size() + 1, " is no text"));
      chunk.files.push_back(file.get<std::string>());
    }
    const std::int64_t loc = integer_or(one, "loc");
    if (loc < 0) return not_a_plan(cat("chunk ", out.size() + 1, " has less than no lines"));
    chunk.loc = loc;
    out.push_back(std::move(chunk));
  }
  return out;
}

Result<std::vector<PlannedChunk>> read_table_plan(std::string_view text) {
  ChunkTableReader table(text);
  MarkdownReader reader(text);
  MarkdownLine line;
  while (reader.next(line)) {
    if (const Done read = table.line(line, reader.number()); !read) return not_a_plan(read.error().message);
  }
  auto read = table.take(reader.number());
  if (!read) return not_a_plan(read.error().message);
  std::sort(read->rows.begin(), read->rows.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  std::vector<PlannedChunk> out;
  for (ChunkRow& row : read->rows) out.push_back({std::move(row.files), row.loc});
  return out;
}

}  // namespace

bool is_test_file(std::string_view path) {
  const auto parts = split(path, '/');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    for (const std::string_view folder : {"test", "tests", "__tests__", "spec", "specs", "testing", "e2e"}) {
      if (parts[i] == folder) return true;
    }
  }
  const std::string_view name = parts.back();
  for (const std::string_view part : {".test.", ".spec.", "_test.", "_spec.", "Test.", "Tests."}) {
    if (name.find(part) != std::string_view::npos) return true;
  }
  return name.starts_with("test_");
}

std::vector<PlannedChunk> make_plan(std::vector<FileChange> files) {
  const auto order = [](const FileChange& file) {
    return std::tuple(is_test_file(file.path), folder_of(file.path), stem_of(file.path), std::string_view(file.path));
  };
  std::sort(files.begin(), files.end(), [&](const FileChange& a, const FileChange& b) { return order(a) < order(b); });
  const auto tests =
      std::find_if(files.begin(), files.end(), [](const FileChange& file) { return is_test_file(file.path); });
  std::vector<PlannedChunk> out;
  fill({files.begin(), tests}, out);
  fill({tests, files.end()}, out);
  return out;
}

bool can_stand(const std::string& path) {
  FindingValues values;
  values.file = path;
  return check(values).has_value();
}

Plannable plannable(std::vector<FileChange> files) {
  Plannable out;
  for (FileChange& file : files) {
    if (can_stand(file.path)) {
      out.files.push_back(std::move(file));
    } else {
      out.left_out.push_back(std::move(file.path));
    }
  }
  return out;
}

std::string why_left_out(std::string_view path) {
  constexpr std::size_t kMost = 200;
  return cat("left out of the plan: “", printable(path.substr(0, kMost)), path.size() > kMost ? "…" : "",
             "”, as line ends, control characters, <!-- and --> in a name cannot stand there; the review does not "
             "approve without it");
}

Result<std::vector<PlannedChunk>> read_plan(std::string_view text) {
  if (!is_utf8(text)) return not_a_plan("it is not UTF-8");
  const std::string_view begin = trim(text);
  PAWL_ASSIGN(auto plan,
              begin.starts_with('[') || begin.starts_with('{') ? read_json_plan(text) : read_table_plan(text));
  if (plan.empty()) return not_a_plan("it has no chunks");
  std::set<std::string> seen;
  for (PlannedChunk& chunk : plan) {
    if (chunk.files.empty()) return not_a_plan("a chunk has no files");
    for (std::string& file : chunk.files) {
      FindingValues path;
      path.file = file;
      PAWL_TRY(check(path));
      file = tidy_path(file);
      if (!seen.insert(file).second) return not_a_plan(cat(printable(file), " is in it twice"));
    }
  }
  return plan;
}

}  // namespace pawl::review
