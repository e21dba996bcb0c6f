#include "lifecycles/review/command.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/review/finding_text.h"
#include "lifecycles/review/follow.h"
#include "lifecycles/review/markdown.h"
#include "lifecycles/review/review.h"

namespace pawl::review {
namespace {

Result<Change> moved(const Machine& machine, const Record& record, std::string_view to, std::optional<Json> doc,
                     std::string_view what, Json evidence = {}) {
  MoveRequest request;
  request.to = to;
  if (doc) request.doc = Doc(std::move(*doc));
  request.what = what;
  request.evidence = std::move(evidence);
  // A change of a review that is set aside does not bring it back into its file.
  const bool aside = record.aside;
  PAWL_ASSIGN(Change change, decide_move(machine, record, std::move(request)));
  change.after.aside = aside;
  return change;
}

Done one_line(std::string_view name, std::string_view text, std::size_t most) {
  if (trim(text).empty()) return fail(ErrorCode::invalid_argument, cat("the ", name, " is empty"));
  if (text.size() > most)
    return fail(ErrorCode::invalid_argument, cat("the ", name, " has ", text.size(), " bytes"),
                cat("at most ", most, " are allowed"));
  if (!is_utf8(text)) return fail(ErrorCode::invalid_argument, cat("the ", name, " is not UTF-8"));
  if (has_control(text) || text.find_first_of("\n\r\t") != std::string_view::npos)
    return fail(ErrorCode::invalid_argument,
                cat("the ", name, " “", printable(text.substr(0, 80)), "” has line ends or control characters"),
                "it must fit on one line");
  return done();
}

void put(Json& doc, const char* name, const auto& value) {
  if (value) doc[name] = *value;
}

Json with_values(Json doc, const FindingValues& values) {
  put(doc, "severity", values.severity);
  if (values.title) doc["title"] = std::string(trim(*values.title));
  if (values.file) {
    doc["file"] = tidy_path(*values.file);
    doc.erase(kWasAt);
  }
  if (values.line) {
    doc["line"] = *values.line;
    doc.erase("end_line");
  }
  if (values.end_line) doc.erase("end_line");
  if (values.end_line && *values.end_line > integer_or(doc, "line")) doc["end_line"] = *values.end_line;
  put(doc, "category", values.category);
  put(doc, "confidence", values.confidence);
  const auto had = suggestion_in(string_or(doc, "body"));
  if (values.body) doc["body"] = fit_body(*values.body);
  const bool takes_out = had && values.suggestion && values.suggestion->empty();
  if (takes_out) {
    doc["body"] = without_suggestion(string_or(doc, "body"));
  } else if (values.suggestion) {
    doc["body"] = with_suggestion(string_or(doc, "body"), *values.suggestion);
  } else if (had && values.body && !suggestion_in(string_or(doc, "body"))) {
    doc["body"] = with_suggestion(string_or(doc, "body"), had->lines ? cat(had->text, "\n") : std::string());
  }
  if (!doc.contains("body")) doc["body"] = "";
  return doc;
}

bool is_own(const Record& review) {
  const auto self = review.doc.find("self_review");
  return self != review.doc.end() && *self == true;
}

// What a finding that says this is marked as when nobody says otherwise.
bool marked_by_itself(const Record& review, const Json& doc) {
  const std::optional<std::int64_t> confidence =
      doc.contains("confidence") ? std::optional(integer_or(doc, "confidence")) : std::nullopt;
  return marked_at_first(string_or(doc, "severity"), confidence, is_own(review));
}

std::string_view mark_word(bool marked) { return marked ? kMarked : kUnmarked; }

}  // namespace

Result<std::vector<Change>> decide(const Record& review, std::span<const Record> chunks, const StartReview& command,
                                   const Now& now) {
  if (review.present() && review.status != kPosted)
    return fail(ErrorCode::already_exists, cat("a review of ", printable(review.id.key), " is under way"),
                cat("go on with it: pawl review continue ", printable(review.id.key),
                    "; or begin anew: pawl review clean --pr ", printable(review.id.key), ", then start"));
  if (command.chunks.empty()) return fail(ErrorCode::invalid_argument, "there is nothing to review: the plan is empty");
  const std::string time = iso_time(now.wall_ms);
  std::vector<Change> changes;
  Json doc{{"pr_owner", command.owner},
           {"pr_repo", command.repo},
           {"pr_number", command.number},
           {"head_sha", command.head_sha},
           {"started", time},
           {"mode", command.mode},
           {"focus", command.focus},
           {"self_review", command.self},
           {"comments", Json::object()},
           {"updated", time}};
  if (!command.left_out.empty()) doc[kLeftOut] = command.left_out;
  Record fresh = review;
  fresh.aside = false;
  PAWL_ASSIGN(Change begun, moved(review_machine(), fresh, kActive, std::move(doc), "started"));
  begun.before = review;
  changes.push_back(std::move(begun));
  for (std::size_t i = 0; i < command.chunks.size(); ++i) {
    const PlannedChunk& chunk = command.chunks[i];
    PAWL_ASSIGN(Change planned, moved(chunk_machine(), chunks[i], kPending,
                                      Json{{"files", chunk.files}, {"loc", chunk.loc}, {"updated", time}}, "planned"));
    changes.push_back(std::move(planned));
  }
  return changes;
}

std::vector<Change> put_aside(std::span<const Record> records) {
  std::vector<Change> changes;
  for (const Record& record : records) {
    if (!record.present() || record.aside) continue;
    Change change{record, record, "set aside", Json(), false};
    change.after.aside = true;
    changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<Change> take_up(std::span<const Record> records) {
  std::vector<Change> changes;
  for (const Record& record : records) {
    if (!record.present() || !record.aside) continue;
    Change change{record, record, "continued", Json(), false};
    change.after.aside = false;
    changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<Change> cleaned(std::span<const Record> records) {
  std::vector<Change> changes;
  for (const Record& record : records) {
    if (!record.present()) continue;
    Change change{record, record, "cleaned", Json(), false};
    change.after.status.clear();
    change.after.held.reset();
    change.after.aside = false;
    change.after.doc = Doc();
    changes.push_back(std::move(change));
  }
  return changes;
}

const Record* next_chunk(std::span<const Record> chunks) {
  for (const std::string_view wanted : {kInProgress, kPending}) {
    const Record* first = nullptr;
    for (const Record& chunk : chunks) {
      if (chunk.present() && chunk.status == wanted && (first == nullptr || number_of(chunk.id) < number_of(first->id)))
        first = &chunk;
    }
    if (first != nullptr) return first;
  }
  return nullptr;
}

Result<Change> decide(const Record& chunk, std::span<const Record> chunks, const MarkChunk& command, const Now& now) {
  if (chunk_machine().status(command.status) == nullptr)
    return fail(ErrorCode::invalid_argument, unknown_status(chunk_machine(), command.status).message,
                unknown_status(chunk_machine(), command.status).hint);
  Json evidence;
  std::string others, first;
  for (const Record& other : chunks) {
    if (other.id == chunk.id || other.status != kInProgress) continue;
    if (first.empty()) first = std::to_string(number_of(other.id));
    others += cat(others.empty() ? "" : " and ", number_of(other.id));
  }
  if (others.empty()) evidence[std::string(kAlone)] = true;
  if (!others.empty() && command.status == kInProgress && chunk.status == kPending)
    return fail(ErrorCode::gate_failed,
                cat("chunk ", others, others == first ? " is" : " are", " in progress, and only one may be; chunk ",
                    number_of(chunk.id), " stays pending"),
                cat("end it first: pawl review mark ", first, " reviewed, or skipped"));
  Json doc = chunk.doc;
  doc["updated"] = iso_time(now.wall_ms);
  auto change = moved(chunk_machine(), chunk, command.status, std::move(doc), "marked", std::move(evidence));
  if (change) return change;
  Error error = change.error();
  error.message =
      state_of(chunk) == command.status
          ? cat("chunk ", number_of(chunk.id), " is ", command.status, " already")
          : cat("chunk ", number_of(chunk.id), " is ", state_of(chunk), " and cannot become ", command.status);
  std::vector<std::string_view> ways;  // not those of other verbs
  for (const Move& move : chunk_machine().moves) {
    if (move.from == state_of(chunk) && move.kind != MoveKind::removal) ways.push_back(move.to);
  }
  error.hint = ways.empty() ? std::string("that is its end") : cat("it can become ", join_or(ways));
  return tl::unexpected(std::move(error));
}

Done check_lines(std::int64_t line, const std::optional<std::int64_t>& end_line) {
  if (!end_line || (line > 0 && *end_line >= line)) return done();
  if (line == 0) return fail(ErrorCode::invalid_argument, "a last line needs a first one", "say --line N too");
  return fail(ErrorCode::invalid_argument, cat("the last line, ", *end_line, ", is before the first, ", line));
}

std::string tidy_path(std::string_view path) {
  std::string out;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part != "." && !part.empty()) out += cat(out.empty() ? "" : "/", part);
    at = end + 1;
  }
  return out;
}

Done check_path(std::string_view path) {
  PAWL_TRY(one_line("file", path, kMaxPathBytes));
  bool leaves = path.starts_with('/');
  for (std::size_t at = path.find(".."); at != std::string_view::npos && !leaves; at = path.find("..", at + 1)) {
    const bool begins = at == 0 || path[at - 1] == '/';
    leaves = begins && (at + 2 == path.size() || path[at + 2] == '/');
  }
  if (!leaves) return done();
  return fail(ErrorCode::invalid_argument,
              cat("the file “", printable(path.substr(0, 80)), "” is not a path inside the repository"),
              "name it as the pull request does: src/engine.ts");
}

Done check(const FindingValues& values) {
  if (values.severity) PAWL_TRY(severity_named(*values.severity));
  if (values.title) PAWL_TRY(one_line("title", *values.title, kMaxTitleBytes));
  // A comment that begins in a heading would swallow what follows it in the file.
  for (const auto& text : {values.title, values.category, values.file}) {
    if (text && (text->find("<!--") != std::string::npos || text->find("-->") != std::string::npos))
      return fail(ErrorCode::invalid_argument, "<!-- and --> stand in the text of a finding only",
                  "put it into --body");
  }
  if (values.file) PAWL_TRY(check_path(*values.file));
  if (values.category) {
    PAWL_TRY(one_line("category", *values.category, 100));
    if (values.category->find('|') != std::string::npos)
      return fail(ErrorCode::invalid_argument, "a category has no | in it", cat("such as: ", join_or(kCategories)));
  }
  if (values.confidence && (*values.confidence < 0 || *values.confidence > kMostConfidence))
    return fail(
        ErrorCode::invalid_argument, cat("a confidence of ", *values.confidence, " cannot be"),
        cat("it goes from 0 to ", kMostConfidence, "; from ", kThreshold, " on a finding is marked for GitHub"));
  for (const auto& line : {values.line, values.end_line}) {
    if (line && *line < 1) return fail(ErrorCode::invalid_argument, "lines are counted from 1");
  }
  for (const auto& text : {values.body, values.suggestion}) {
    if (!text) continue;
    if (text->size() > kMaxBodyBytes)
      return fail(ErrorCode::invalid_argument, cat("a text of ", text->size(), " bytes is too long for a finding"),
                  cat("at most ", kMaxBodyBytes, " are allowed"));
    if (!is_utf8(*text) || has_control(*text))
      return fail(ErrorCode::invalid_argument, "the text is not UTF-8, or has control characters",
                  "tabs and newlines are allowed, terminal escapes are not");
  }
  return done();
}

Result<Change> add_finding(const Record& review, const Record& fresh, const FindingValues& values, const Now& now) {
  if (!values.severity || !values.title || !values.file)
    return fail(ErrorCode::invalid_argument, "a finding needs a severity, a title and a file");
  PAWL_TRY(check(values));
  PAWL_TRY(check_lines(values.line.value_or(0), values.end_line));
  Json doc = with_values(Json::object(), values);
  if (doc.contains("confidence") && in_focus(string_or(doc, "category"), string_or(review.doc, "focus")))
    doc["confidence"] = std::min(kMostConfidence, integer_or(doc, "confidence") + kFocusBonus);
  const bool marked = marked_by_itself(review, doc);
  doc["updated"] = iso_time(now.wall_ms);
  PAWL_ASSIGN(Change change, moved(finding_machine(), fresh, mark_word(marked), std::move(doc), "added"));
  change.after.aside = review.aside;
  return change;
}

Result<Change> edit_finding(const Record& review, const Record& finding, const FindingValues& values, const Now& now) {
  PAWL_TRY(check(values));
  PAWL_TRY(check_lines(values.line.value_or(integer_or(finding.doc, "line")), values.end_line));
  Json doc = with_values(finding.doc, values);
  if (values.line || values.file) doc.erase("outdated");  // somebody has looked
  const bool by_itself = (finding.status == kMarked) == marked_by_itself(review, finding.doc);
  const std::string status =
      by_itself ? std::string(mark_word(marked_by_itself(review, doc))) : std::string(finding.status);
  doc["updated"] = iso_time(now.wall_ms);
  return moved(finding_machine(), finding, status, std::move(doc), "edited");
}

Result<Change> drop_finding(const Record& finding) {
  PAWL_ASSIGN(Change change, moved(finding_machine(), finding, kAbsent, std::nullopt, "dropped"));
  change.after.aside = false;
  return change;
}

Result<Change> bring_back_finding(const Record& review, const Record& gone, const Record& was, const Now& now) {
  Json doc = was.doc;
  doc["updated"] = iso_time(now.wall_ms);
  PAWL_ASSIGN(Change change, moved(finding_machine(), gone, was.status, std::move(doc), "brought back"));
  change.after.aside = review.aside;
  return change;
}

Result<Change> mark_finding(const Record& finding, bool marked, const Now& now) {
  Json doc = finding.doc;
  doc["updated"] = iso_time(now.wall_ms);
  return moved(finding_machine(), finding, mark_word(marked), std::move(doc), "toggled");
}

Result<const Record*> find_finding(std::span<const Record> findings, std::string_view ref) {
  for (const Record& finding : findings) {
    if (part_of_key(finding.id.key) == ref) return &finding;
  }
  if (const auto index = parse_positive(ref)) {
    if (static_cast<std::size_t>(*index) <= findings.size()) return &findings[static_cast<std::size_t>(*index) - 1];
    return fail(ErrorCode::not_found, cat("there is no finding ", *index, ": there are ", findings.size()),
                "pawl review finding list shows them");
  }
  std::vector<const Record*> found;
  for (const bool whole : {true, false}) {
    for (const Record& finding : findings) {
      const std::string title = string_or(finding.doc, "title");
      if (whole ? title == ref : title.find(ref) != std::string::npos) found.push_back(&finding);
    }
    if (!found.empty()) break;
  }
  if (found.size() == 1) return found.front();
  if (found.empty())
    return fail(ErrorCode::not_found, cat("there is no finding “", printable(ref.substr(0, 80)), "”"),
                "it can be an id (H2), an index from 1, or a title; pawl review finding list shows them");
  std::string candidates;
  for (const Record* one : found)
    candidates +=
        cat(candidates.empty() ? "" : "\n", part_of_key(one->id.key), "  ", printable(string_or(one->doc, "title")));
  return fail(ErrorCode::invalid_argument,
              cat("“", printable(ref.substr(0, 80)), "” may be ", found.size(), " findings; name one by its id"),
              candidates);
}

std::string fit_body(std::string_view text) {
  const std::string plain = without_returns(trim(text));
  std::string out;
  MarkdownReader reader(plain);
  MarkdownLine line;
  std::string open_fence;
  while (reader.next(line)) {
    const std::string_view words = line.span.of(plain);
    if (line.kind == MarkdownLine::Kind::fence_opens) {
      const Fence fence = fence_in(words);
      open_fence = std::string(fence.length, fence.sign);
    } else if (line.kind == MarkdownLine::Kind::fence_closes) {
      open_fence.clear();
    }
    FindingText ignored;
    if (line.kind == MarkdownLine::Kind::text && is_rule(words)) {
      out += "***";
    } else if (line.kind == MarkdownLine::Kind::text && (words.starts_with("# ") || words.starts_with("## "))) {
      out += cat("###", words.substr(words.find(' ')));
    } else if (line.kind == MarkdownLine::Kind::text && read_finding_heading(plain, line.span, ignored)) {
      out += cat("#", words);
    } else if (out.empty() && words.starts_with("**Marked for GitHub:**")) {
      out += cat("\\", words);
    } else if (line.kind == MarkdownLine::Kind::text && words.starts_with("**File:**")) {
      out += cat(" ", words);  // under a heading it would look like a finding's that cannot be read
    } else {
      out += words;
    }
    out += "\n";
  }
  if (!reader.check_closed()) out += open_fence.empty() ? std::string("-->\n") : cat(open_fence, "\n");
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

}  // namespace pawl::review
