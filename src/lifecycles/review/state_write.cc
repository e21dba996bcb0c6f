#include "lifecycles/review/state_write.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "base/json_edit.h"
#include "base/text.h"
#include "lifecycles/review/finding_blocks.h"
#include "lifecycles/review/review.h"
#include "lifecycles/review/state_text.h"
#include "lifecycles/review/which_block.h"

namespace pawl::review {
namespace {

enum class FieldKind { text, number, boolean };
struct FieldSpec {
  const char* name;
  FieldKind kind;
};
// In the seed's order; `updated` belongs to no record of its own.
constexpr std::array kFields = {
    FieldSpec{"pr_owner", FieldKind::text},       FieldSpec{"pr_repo", FieldKind::text},
    FieldSpec{"pr_number", FieldKind::number},    FieldSpec{"head_sha", FieldKind::text},
    FieldSpec{"started", FieldKind::text},        FieldSpec{"updated", FieldKind::text},
    FieldSpec{"mode", FieldKind::text},           FieldSpec{"focus", FieldKind::text},
    FieldSpec{"self_review", FieldKind::boolean},
};

std::string plain_value(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? std::string() : to_line(value);
}

std::string spelled(const FieldSpec& field, const std::string& value) {
  return field.kind == FieldKind::text ? yaml_quoted(value) : value;
}

// The newest of the times that the records were changed at.
std::string newest(std::span<const Record> records) {
  std::string time;
  for (const Record& record : records) {
    if (record.present()) time = std::max(time, string_or(record.doc, "updated"));
  }
  return time;
}

// One blank for many, and none at its ends.
std::string squeezed(std::string_view line) {
  std::string out;
  for (const char c : trim(line)) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank || !out.ends_with(' ')) out += blank ? ' ' : c;
  }
  return out;
}

ChunkValues chunk_values(const Record& record) {
  ChunkValues out{number_of(record.id), {}, integer_or(record.doc, "loc"), record.held.value_or(record.status)};
  if (const auto files = record.doc.find("files"); files != record.doc.end() && files->is_array()) {
    for (const Json& file : *files) {
      if (file.is_string()) out.files.push_back(file.get<std::string>());
    }
  }
  return out;
}

// `updated`: "" where that is not to be written.
std::vector<Edit> front_edits(const StateText& state, const Record* review, const std::string& updated) {
  const std::string_view newline = newline_of(state.text);
  std::vector<Edit> edits;
  std::string added;
  for (const FieldSpec& field : kFields) {
    const bool is_time = std::string_view(field.name) == "updated";
    const bool is_head = std::string_view(field.name) == "head_sha";
    std::string wanted;
    if (is_time) {
      if (updated.empty() || updated <= state.says("updated")) continue;
      wanted = updated;
    } else {
      if (review == nullptr || !review->doc.contains(field.name)) continue;
      wanted = plain_value(review->doc[field.name]);
    }
    const FrontMatterField* const there = state.front.find(field.name);
    if (there == nullptr) {
      // What is missing reads as empty; only what says something is added.
      if (!wanted.empty() && wanted != "false") added += cat(field.name, ": ", spelled(field, wanted), newline);
    } else if (there->says != wanted && !(is_head && commit_hash(there->says).value_or("") == wanted)) {
      const bool bare = field.kind == FieldKind::text && !there->quoted && !wanted.empty() &&
                        wanted.find_first_of(" :#\"'&*!|>[]{}%@`,\n") == std::string::npos;
      const bool empty = there->value.empty() && state.text[there->value.begin - 1] == ':';
      edits.push_back({there->value, cat(empty ? " " : "", bare ? wanted : spelled(field, wanted))});
    }
  }
  if (!added.empty()) edits.push_back({{state.front.end, state.front.end}, added});
  return edits;
}

// The time goes with something else that is written. A file that says all else as it is stays as it stands: somebody
// may have taken it so.
void edit_front(const StateText& state, const Record* review, const std::string& updated, std::vector<Edit>& edits) {
  auto front = front_edits(state, review, {});
  if (!front.empty() || !edits.empty()) front = front_edits(state, review, updated);
  edits.insert(edits.end(), std::make_move_iterator(front.begin()), std::make_move_iterator(front.end()));
}

std::string comments_fence(const Json& comments, std::string_view newline) {
  return with_newlines(cat("```json\n", comments.empty() ? "{}" : to_pretty(comments), "\n```\n"), newline);
}

void edit_comments(const StateText& state, const Record& review, std::vector<Edit>& edits) {
  const auto found = review.doc.find("comments");
  if (found == review.doc.end() || !found->is_object()) return;
  const std::string_view newline = newline_of(state.text);
  if (!state.comments) {
    if (found->empty()) return;
    const std::size_t end = state.text.size();
    const std::string_view gap = state.text.ends_with('\n') ? newline : std::string_view("\n\n");
    edits.push_back({{end, end}, cat(gap, "## Comments by File", newline, newline, comments_fence(*found, newline))});
    return;
  }
  const std::string_view json = state.comments->of(state.text);
  const auto scanned = JsonText::scan(json);
  if (!scanned || trim(json).empty()) {
    if (!found->empty()) edits.push_back({*state.comments, with_newlines(to_pretty(*found) + "\n", newline)});
    return;
  }
  std::string after = conform(*scanned, scanned->root(), *found);
  if (after != json) edits.push_back({*state.comments, std::move(after)});
}

std::string block_of(const Record& record, std::string_view newline) {
  return with_newlines(write_finding(record.doc, record.status == kMarked, Marks::shown), newline);
}

}  // namespace

EditedState edit_state(const StateText& state, std::span<const Record> records, std::span<const Record> before,
                       std::span<const Record> others) {
  const std::string_view base = state.text;
  const Record* review = nullptr;
  std::vector<ChunkValues> chunks;
  std::vector<std::int64_t> gone;
  std::vector<Record> findings;
  std::vector<const Record*> which;  // of them, the caller's
  for (const Record& record : records) {
    if (record.id.kind == kReview) {
      if (!record.present()) return {};
      review = &record;
    } else if (record.id.kind == kChunk) {
      if (record.present()) {
        chunks.push_back(chunk_values(record));
      } else {
        gone.push_back(number_of(record.id));
      }
    } else {
      findings.push_back(record);
      which.push_back(&record);
    }
  }
  EditedState out;
  for (const ChunkRow& row : state.chunks.rows) out.chunks[row.number] = row.status;
  for (const ChunkValues& chunk : chunks) out.chunks[chunk.number] = chunk.status;
  for (const std::int64_t number : gone) out.chunks.erase(number);
  std::vector<Edit> edits;
  std::sort(chunks.begin(), chunks.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  edit_chunks(base, state.chunks, chunks, gone, edits);
  const auto blocks = blocks_of(state, findings, before);
  std::vector<std::pair<std::int64_t, const Record*>> added;
  std::vector<std::size_t> goes;  // blocks whose finding is gone
  std::vector<MeantFinding> stand;
  for (const FindingText& block : state.findings) stand.push_back({Span(block.begin, block.end).of(base), nullptr});
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Record& record = findings[i];
    if (!blocks[i]) {
      if (record.present()) added.emplace_back(finding_number(part_of_key(record.id.key)), which[i]);
    } else if (!record.present()) {
      goes.push_back(*blocks[i]);
    } else {
      const FindingText& block = state.findings[*blocks[i]];
      edit_finding(base, block, record.doc, is_marked(base, block, state.focus, state.self), record.status == kMarked,
                   edits);
      stand[*blocks[i]].shows = which[i];
    }
  }
  std::sort(added.begin(), added.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::sort(goes.begin(), goes.end());
  // One that comes while another goes takes its place: what undo brings back stands where it stood, and nothing is
  // written behind a block that is taken out.
  const std::size_t both = std::min(added.size(), goes.size());
  for (std::size_t i = 0; i < both; ++i) {
    const FindingText& block = state.findings[goes[i]];
    edits.push_back({{block.begin, block.end}, block_of(*added[i].second, newline_of(base))});
    stand[goes[i]].shows = added[i].second;
  }
  const std::span<const std::size_t> out_of_it = std::span(goes).subspan(both);
  take_out(state, out_of_it, edits);
  BlockNumbers numbers(stand.size(), 0);
  for (std::size_t b = 0; b < stand.size(); ++b) {
    if (stand[b].shows != nullptr) numbers[b] = finding_number(part_of_key(stand[b].shows->id.key));
  }
  numbers = numbers_of(state, std::move(numbers), others);
  std::vector<std::string> texts;
  std::vector<std::vector<MeantFinding>> before_each(stand.size() + 1);
  for (std::size_t i = both; i < added.size(); ++i) {
    std::string text = block_of(*added[i].second, newline_of(base));
    const auto place = others.empty() ? std::nullopt : place_of(numbers, added[i].first);
    before_each[place.value_or(stand.size())].push_back({{}, added[i].second});
    if (place)
      insert_finding(state, *place, text, edits);
    else
      texts.push_back(std::move(text));
  }
  for (std::size_t i = 0; i <= stand.size(); ++i) {
    out.findings.insert(out.findings.end(), before_each[i].begin(), before_each[i].end());
    if (i < stand.size() && !std::binary_search(out_of_it.begin(), out_of_it.end(), i))
      out.findings.push_back(stand[i]);
  }
  append_findings(state, texts, edits);
  if (review != nullptr) edit_comments(state, *review, edits);
  edit_front(state, review, newest(records), edits);
  out.text = edited(base, std::move(edits));
  return out;
}

std::optional<std::string> new_state(std::span<const Record> records) { return new_file(records).text; }

EditedState new_file(std::span<const Record> records) {
  EditedState made;
  const auto review =
      std::find_if(records.begin(), records.end(), [](const Record& r) { return r.id.kind == kReview && r.present(); });
  if (review == records.end()) return made;
  std::string out = "---\n";
  for (const FieldSpec& field : kFields) {
    std::string value = plain_value(review->doc.contains(field.name) ? review->doc[field.name] : Json());
    if (std::string_view(field.name) == "updated") value = newest(records);
    if (field.kind == FieldKind::boolean && value.empty()) value = "false";
    out += cat(field.name, ": ", spelled(field, value), "\n");
  }
  std::vector<ChunkValues> chunks;
  std::vector<const Record*> findings;
  for (const Record& record : records) {
    if (record.id.kind == kChunk && record.present()) chunks.push_back(chunk_values(record));
    if (record.id.kind == kFinding && record.present()) findings.push_back(&record);
  }
  std::sort(chunks.begin(), chunks.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  std::sort(findings.begin(), findings.end(), [](const Record* a, const Record* b) {
    return finding_number(part_of_key(a->id.key)) < finding_number(part_of_key(b->id.key));
  });
  for (const ChunkValues& chunk : chunks) made.chunks[chunk.number] = chunk.status;
  for (const Record* finding : findings) made.findings.push_back({{}, finding});
  out += cat("---\n\n## Chunk Plan\n\n", new_chunk_table(chunks), "\n## Findings\n\n");
  for (std::size_t i = 0; i < findings.size(); ++i)
    out += cat(i == 0 ? "" : "---\n\n", block_of(*findings[i], "\n"), "\n\n");
  const auto comments = review->doc.find("comments");
  const bool some = comments != review->doc.end() && comments->is_object();
  made.text = cat(out, "## Comments by File\n\n", comments_fence(some ? *comments : Json::object(), "\n"));
  return made;
}

bool has_others_words(std::string_view text, std::string_view own) {
  const auto state = scan_state(text);
  if (!state) return true;
  std::set<std::string> ours;
  for (const std::string_view line : split(own, '\n')) ours.insert(squeezed(line));
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    // The comments are all in the record; what a field says is, and when it was written last is nobody's words.
    if (state->comments && at >= state->comments->begin && at < state->comments->end) continue;
    const std::string line = squeezed(text.substr(at, end - at));
    if (line.find_first_not_of('-') == std::string::npos || ours.contains(line)) continue;
    const bool is_field = at < state->front.end && std::any_of(kFields.begin(), kFields.end(), [&](const auto& field) {
                            return line.starts_with(cat(field.name, ":"));
                          });
    if (!is_field) return true;
  }
  return false;
}

}  // namespace pawl::review
