#include "lifecycle/review/state_write.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/json_edit.h"
#include "base/text.h"
#include "lifecycle/review/match.h"
#include "lifecycle/review/review.h"
#include "lifecycle/review/state_text.h"

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

void edit_front(const StateText& state, const Record* review, const std::string& updated, std::vector<Edit>& edits) {
  const std::string_view newline = newline_of(state.text);
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

// Which block of the file each record is, by its id or by what it says, now or before.
std::vector<std::optional<std::size_t>> blocks_of(const StateText& state, std::span<const Record> findings,
                                                  std::span<const Record> before) {
  std::vector<std::optional<std::size_t>> out(findings.size());
  // One that a command has just made (it says when) is in no file yet; one that was never seen and is not such came
  // from there.
  std::set<RecordId> known;
  for (const Record& was : before) known.insert(was.id);
  const auto is_new = [&](const Record& one) { return !known.contains(one.id) && one.doc.contains("updated"); };
  if (std::all_of(findings.begin(), findings.end(), is_new)) return out;
  std::vector<FindingTraits> blocks;
  blocks.reserve(state.findings.size());
  for (const FindingText& finding : state.findings) blocks.push_back(traits_of(state.text, finding));
  std::vector<bool> taken(blocks.size(), false);
  std::map<std::string_view, std::size_t> by_id;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].id.empty()) by_id.emplace(blocks[i].id, i);
  }
  std::vector<FindingTraits> wanted;
  std::vector<std::size_t> which;
  const auto settle = [&] {
    const auto partners = match(wanted, blocks, taken);
    for (std::size_t i = 0; i < partners.size(); ++i) out[which[i]] = partners[i];
    wanted.clear();
    which.clear();
  };
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto named = by_id.find(part_of_key(findings[i].id.key));
    if (named != by_id.end()) {
      out[i] = named->second;
      taken[named->second] = true;
    }
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (out[i] || !findings[i].present() || is_new(findings[i])) continue;
    const FindingTraits mine = traits_of(findings[i]);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (taken[b] || mine.title != blocks[b].title || mine.file != blocks[b].file || mine.line != blocks[b].line ||
          mine.severity != blocks[b].severity || without_returns(blocks[b].body) != mine.body)
        continue;
      taken[b] = true;
      out[i] = b;
      break;
    }
  }
  for (const Record& was : before) {
    const auto at = std::find_if(findings.begin(), findings.end(), [&](const Record& r) { return r.id == was.id; });
    const auto index = static_cast<std::size_t>(at - findings.begin());
    if (at == findings.end() || out[index] || !was.present()) continue;
    wanted.push_back(traits_of(was));
    which.push_back(index);
  }
  settle();
  return out;
}

std::string block_of(const Record& record, std::string_view newline) {
  return with_newlines(write_finding(record.doc, record.status == kMarked, Marks::shown), newline);
}

// From its heading to the next one's, with the line between them.
void take_out(const StateText& state, std::size_t index, std::vector<Edit>& edits) {
  const FindingText& finding = state.findings[index];
  std::size_t begin = finding.begin, end = finding.end;
  const auto skip_line_ends = [&](std::size_t at) {
    while (at < state.text.size() && (state.text[at] == '\n' || state.text[at] == '\r')) ++at;
    return at;
  };
  if (finding.separator) {
    end = skip_line_ends(finding.separator->end);
  } else if (index > 0 && state.findings[index - 1].separator && state.findings[index - 1].separator->end <= begin &&
             trim(state.text.substr(state.findings[index - 1].separator->end,
                                    begin - state.findings[index - 1].separator->end))
                 .empty()) {
    begin = state.findings[index - 1].end;  // the line before it separated nothing else
  } else {
    end = skip_line_ends(end);
  }
  edits.push_back({{begin, end}, ""});
}

void append_findings(const StateText& state, const std::vector<std::string>& blocks, std::vector<Edit>& edits) {
  if (blocks.empty()) return;
  const std::string_view newline = newline_of(state.text);
  const std::string rule = cat(newline, "---", newline, newline);
  std::string joined;
  for (const std::string& block : blocks) joined += cat(joined.empty() ? "" : rule, block, newline);
  if (!state.findings_section) {
    std::size_t at = state.comments_heading.value_or(state.text.size());
    const bool behind = at == state.text.size();
    edits.push_back(
        {{at, at}, cat(behind ? newline : "", "## Findings", newline, newline, joined, behind ? "" : newline)});
    return;
  }
  // Words of others that follow in the section are not to become a finding's.
  const auto and_rule = [&](std::size_t at) {
    const bool more = !trim(state.text.substr(at, state.findings_section->end - at)).empty();
    return more ? cat(newline, "---", newline) : std::string();
  };
  if (state.findings.empty()) {
    const std::size_t at = state.findings_section->begin;
    edits.push_back(
        {{at, at}, cat(at > 0 && state.text[at - 1] != '\n' ? newline : "", newline, joined, and_rule(at))});
    return;
  }
  const FindingText& last = state.findings.back();
  if (!last.separator) {
    edits.push_back({{last.end, last.end}, cat(newline, rule, joined.substr(0, joined.size() - newline.size()))});
    return;
  }
  const std::size_t at = last.separator->end;
  edits.push_back({{at, at}, cat(state.text[at - 1] == '\n' ? "" : newline, newline, joined, and_rule(at))});
}

}  // namespace

EditedState edit_state(const StateText& state, std::span<const Record> records, std::span<const Record> before) {
  const std::string_view base = state.text;
  const Record* review = nullptr;
  std::vector<ChunkValues> chunks;
  std::vector<std::int64_t> gone;
  std::vector<Record> findings;
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
    }
  }
  EditedState out;
  std::set<std::int64_t> numbers;
  for (const ChunkRow& row : state.chunks.rows) numbers.insert(row.number);
  for (const ChunkValues& chunk : chunks) numbers.insert(chunk.number);
  for (const std::int64_t number : gone) numbers.erase(number);
  out.chunks = numbers.size();
  std::vector<Edit> edits;
  edit_front(state, review, newest(records), edits);
  std::sort(chunks.begin(), chunks.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  edit_chunks(base, state.chunks, chunks, gone, edits);
  const auto blocks = blocks_of(state, findings, before);
  std::vector<std::pair<std::int64_t, std::string>> added;
  std::vector<std::size_t> goes;  // blocks whose finding is gone
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Record& record = findings[i];
    if (!blocks[i]) {
      if (record.present())
        added.emplace_back(finding_number(part_of_key(record.id.key)), block_of(record, newline_of(base)));
    } else if (!record.present()) {
      goes.push_back(*blocks[i]);
    } else {
      const FindingText& block = state.findings[*blocks[i]];
      edit_finding(base, block, record.doc, is_marked(base, block, state.focus, state.self), record.status == kMarked,
                   edits);
    }
  }
  out.findings = state.findings.size() + added.size() - goes.size();
  std::sort(added.begin(), added.end());
  std::sort(goes.begin(), goes.end());
  // One that comes while another goes takes its place: what undo brings back stands where it stood, and nothing is
  // written behind a block that is taken out.
  const std::size_t both = std::min(added.size(), goes.size());
  for (std::size_t i = 0; i < both; ++i) {
    const FindingText& block = state.findings[goes[i]];
    edits.push_back({{block.begin, block.end}, std::move(added[i].second)});
  }
  for (std::size_t i = both; i < goes.size(); ++i) take_out(state, goes[i], edits);
  std::vector<std::string> texts;
  for (std::size_t i = both; i < added.size(); ++i) texts.push_back(std::move(added[i].second));
  append_findings(state, texts, edits);
  if (review != nullptr) edit_comments(state, *review, edits);
  out.text = edited(base, std::move(edits));
  return out;
}

std::optional<std::string> new_state(std::span<const Record> records) {
  const auto review =
      std::find_if(records.begin(), records.end(), [](const Record& r) { return r.id.kind == kReview && r.present(); });
  if (review == records.end()) return std::nullopt;
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
  out += cat("---\n\n## Chunk Plan\n\n", new_chunk_table(chunks), "\n## Findings\n\n");
  for (std::size_t i = 0; i < findings.size(); ++i)
    out += cat(i == 0 ? "" : "---\n\n", block_of(*findings[i], "\n"), "\n\n");
  const auto comments = review->doc.find("comments");
  const bool some = comments != review->doc.end() && comments->is_object();
  return cat(out, "## Comments by File\n\n", comments_fence(some ? *comments : Json::object(), "\n"));
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
