#include "lifecycles/review/interchange.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/review/finding_text.h"
#include "lifecycles/review/outward.h"
#include "lifecycles/review/review.h"

namespace pawl::review {
namespace {

// Where others say how grave something is and nothing of how sure they are, they are sure.
constexpr std::int64_t kSure = kMostConfidence;

// A member by a way of names; null where it ends.
const Json& at(const Json& object, std::initializer_list<const char*> way) {
  static const Json kNull;
  const Json* here = &object;
  for (const char* name : way) {
    if (here->is_array()) {
      if (here->empty()) return kNull;
      here = &here->front();
    }
    const auto found = here->is_object() ? here->find(name) : here->end();
    if (!here->is_object() || found == here->end()) return kNull;
    here = &*found;
  }
  return *here;
}

std::string text_at(const Json& object, std::initializer_list<const char*> way) {
  const Json& found = at(object, way);
  return found.is_string() ? found.get<std::string>() : std::string();
}
std::optional<std::int64_t> number_at(const Json& object, std::initializer_list<const char*> way) {
  const Json& found = at(object, way);
  return found.is_number_integer() ? std::optional(found.get<std::int64_t>()) : std::nullopt;
}

std::string title_of(std::string_view message) {
  std::string_view line = trim(message.substr(0, message.find('\n')));
  constexpr std::size_t kMost = 200;
  return line.size() > kMost ? cat(stripped(line, kMost), "…") : std::string(line);
}

// "file:///repo/src/a.c", "./src/a.c", "src%20x/a.c"
std::string path_of_uri(std::string_view uri) {
  if (uri.starts_with("file://localhost/")) uri.remove_prefix(16);
  if (uri.starts_with("file://")) uri.remove_prefix(7);
  while (uri.starts_with("./")) uri.remove_prefix(2);
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const auto digit = [&](std::size_t place) {
      const char c = place < uri.size() ? uri[place] : ' ';
      return c >= '0' && c <= '9'   ? c - '0'
             : c >= 'a' && c <= 'f' ? c - 'a' + 10
             : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                    : -1;
    };
    if (uri[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0) {
      out += static_cast<char>(digit(i + 1) * 16 + digit(i + 2));
      i += 2;
    } else {
      out += uri[i];
    }
  }
  return out;
}

std::string severity_of(std::string_view level, std::string_view otherwise) {
  std::string word;
  for (const char c : level) word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (word == "error") return std::string(kSeverities[0].word);
  if (word == "warning") return std::string(kSeverities[1].word);
  if (word == "note" || word == "info" || word == "none") return std::string(kSeverities[2].word);
  return word.empty() || word == "unknown_severity" ? std::string(otherwise) : word;  // which is none, and is said
}

// What a tool says is no comment of a reviewer's, whatever is in it.
std::string without_comment_signs(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 4, "<!--") == 0) {
      out += "&lt;";
    } else if (text[i] == '>' && i >= 2 && text.compare(i - 2, 3, "-->") == 0) {
      out += "&gt;";
    } else {
      out += text[i];
    }
  }
  return out;
}

FindingValues from_message(const std::string& raw, const std::string& rule) {
  const std::string message = without_comment_signs(raw);
  FindingValues out;
  out.title = title_of(message);
  if (out.title->empty()) out.title = rule;
  std::string body = message;
  if (!rule.empty()) body += cat("\n\n(", rule, ")");
  out.body = body;
  return out;
}

auto not_findings(std::string what) {
  return fail(ErrorCode::invalid_argument, cat("the findings cannot be read: ", what),
              "they can be an object, a list, SARIF 2.1.0 or reviewdog's rdjson; none of them was added");
}

// Nothing where none is named; one that cannot be is not taken for none.
Result<std::optional<std::int64_t>> line_at(const Json& object, std::initializer_list<const char*> way) {
  const Json& found = at(object, way);
  if (!found.is_null() && !found.is_number_integer())
    return not_findings(cat("“", *(way.end() - 1), "” is no line: ", printable(to_line(found).substr(0, 40))));
  return number_at(object, way);
}

// Lines that go backwards are left for check to name.
void one_line_is_no_end(FindingValues& one) {
  if (one.end_line && one.line && *one.end_line == *one.line) one.end_line.reset();
}

// "/repo/src/a.c" is src/a.c of the project in /repo.
std::string inside(std::string path, std::string_view root) {
  while (root.ends_with('/')) root.remove_suffix(1);
  const bool is = !root.empty() && path.size() > root.size() + 1 && path.starts_with(root) && path[root.size()] == '/';
  return is ? path.substr(root.size() + 1) : path;
}

// Something that is to stand in place of something else.
struct Fix {
  std::string file, text;
  std::int64_t line = 0, end_line = 0;
  bool whole_lines = false;
};

// GitHub puts a suggestion in place of all the lines that its comment is on: one that means just these becomes one, any
// other is shown.
void put_fixes(FindingValues& one, const std::vector<Fix>& fixes) {
  if (fixes.empty()) return;
  const std::int64_t line = one.line.value_or(0), end = one.end_line.value_or(line);
  const Fix& first = fixes.front();
  if (fixes.size() == 1 && first.whole_lines && first.file == one.file && first.line == line && first.end_line == end &&
      line > 0) {
    one.suggestion = first.text;
    return;
  }
  std::string body = one.body.value_or("");
  for (const Fix& fix : fixes) {
    const Location at{fix.file, fix.line, fix.end_line > fix.line ? fix.end_line : 0};
    const std::string fence = fence_around(fix.text);
    body += cat(body.empty() ? "" : "\n\n", "Proposed at ", as_code(at.text()), ":\n\n", fence, "\n", fix.text,
                fix.text.ends_with('\n') || fix.text.empty() ? "" : "\n", fence);
  }
  one.body = body;
}

// From a first line to a last one, by lines and columns as both formats have them. All of the lines: without columns,
// or from the first column of one line to the first column of the line behind the last.
Fix fix_over(const Json& first_line, const Json& first_column, const Json& last_line, const Json& last_column) {
  const auto number = [](const Json& value) { return value.is_number_integer() ? value.get<std::int64_t>() : 0; };
  Fix fix;
  fix.line = number(first_line);
  fix.end_line = std::max(fix.line, number(last_line));
  const bool from_first = first_column.is_null() || number(first_column) == 1;
  fix.whole_lines = fix.line > 0 && from_first && last_column.is_null();
  if (from_first && number(last_column) == 1 && fix.end_line > fix.line) {
    --fix.end_line;
    fix.whole_lines = fix.line > 0;
  }
  return fix;
}

const Json& list_at(const Json& object, const char* name) {
  static const Json kNone = Json::array();
  const Json& found = at(object, {name});
  return found.is_array() ? found : kNone;
}

std::vector<Fix> fixes_of_sarif(const Json& result, std::string_view root) {
  std::vector<Fix> out;
  for (const Json& fix : list_at(result, "fixes")) {
    for (const Json& change : list_at(fix, "artifactChanges")) {
      for (const Json& replacement : list_at(change, "replacements")) {
        const Json& region = at(replacement, {"deletedRegion"});
        Fix one = fix_over(at(region, {"startLine"}), at(region, {"startColumn"}), at(region, {"endLine"}),
                           at(region, {"endColumn"}));
        one.file = inside(path_of_uri(text_at(change, {"artifactLocation", "uri"})), root);
        one.text = text_at(replacement, {"insertedContent", "text"});
        out.push_back(std::move(one));
      }
    }
  }
  return out;
}

// A result that says there is nothing wrong, or that somebody has dealt with it.
bool is_no_finding(const Json& result) {
  const std::string kind = text_at(result, {"kind"});
  if (kind == "pass" || kind == "notApplicable" || kind == "informational") return true;
  if (text_at(result, {"baselineState"}) == "absent") return true;
  const Json& suppressions = list_at(result, "suppressions");
  return !suppressions.empty() && std::all_of(suppressions.begin(), suppressions.end(), [](const Json& one) {
    const std::string status = text_at(one, {"status"});
    return status.empty() || status == "accepted";
  });
}

Result<ReadFindings> from_sarif(const Json& log, std::string_view root) {
  ReadFindings out;
  if (const std::string version = text_at(log, {"version"}); version != "2.1.0")
    return not_findings(version.empty() ? std::string("SARIF that does not say its version")
                                        : cat("SARIF of version “", printable(version.substr(0, 40)), "”"));
  const Json& runs = at(log, {"runs"});
  if (!runs.is_array()) return not_findings("SARIF without runs");
  for (const Json& run : runs) {
    const Json& results = at(run, {"results"});
    if (!run.is_object() || !results.is_array()) return not_findings("a run of SARIF has no list of results");
    for (const Json& result : results) {
      if (is_no_finding(result)) {
        ++out.passed_over;
        continue;
      }
      const std::string rule = text_at(result, {"ruleId"});
      FindingValues one = from_message(text_at(result, {"message", "text"}), rule);
      one.severity = severity_of(text_at(result, {"level"}), kSeverities[1].word);
      const Json& place = at(result, {"locations", "physicalLocation"});
      one.file = inside(path_of_uri(text_at(place, {"artifactLocation", "uri"})), root);
      PAWL_ASSIGN(one.line, line_at(place, {"region", "startLine"}));
      PAWL_ASSIGN(one.end_line, line_at(place, {"region", "endLine"}));
      one_line_is_no_end(one);
      const Json& own = at(result, {"properties"});
      one.category = text_at(own, {"category"});
      if (one.category->empty()) one.category = "bug";
      // What a person has to look at first is kept, but not marked.
      const std::string kind = text_at(result, {"kind"});
      const bool sure = kind.empty() || kind == "fail";
      one.confidence = number_at(own, {"confidence"}).value_or(sure ? kSure : kThreshold - 1);
      put_fixes(one, fixes_of_sarif(result, root));
      out.findings.push_back(std::move(one));
    }
  }
  return out;
}

Result<ReadFindings> from_rdjson(const Json& report, std::string_view root) {
  ReadFindings out;
  if (!at(report, {"diagnostics"}).is_array()) return not_findings("“diagnostics” is no list");
  for (const Json& diagnostic : at(report, {"diagnostics"})) {
    FindingValues one = from_message(text_at(diagnostic, {"message"}), text_at(diagnostic, {"code", "value"}));
    std::string level = text_at(diagnostic, {"severity"});
    if (level.empty()) level = text_at(report, {"severity"});
    one.severity = severity_of(level, kSeverities[1].word);
    one.file = inside(path_of_uri(text_at(diagnostic, {"location", "path"})), root);
    PAWL_ASSIGN(one.line, line_at(diagnostic, {"location", "range", "start", "line"}));
    PAWL_ASSIGN(one.end_line, line_at(diagnostic, {"location", "range", "end", "line"}));
    one_line_is_no_end(one);
    one.category = "bug";
    one.confidence = kSure;
    std::vector<Fix> fixes;
    for (const Json& suggestion : list_at(diagnostic, "suggestions")) {
      Fix fix = fix_over(at(suggestion, {"range", "start", "line"}), at(suggestion, {"range", "start", "column"}),
                         at(suggestion, {"range", "end", "line"}), at(suggestion, {"range", "end", "column"}));
      fix.file = *one.file;
      fix.text = text_at(suggestion, {"text"});
      fixes.push_back(std::move(fix));
    }
    put_fixes(one, fixes);
    out.findings.push_back(std::move(one));
  }
  return out;
}

Result<FindingValues> from_json(const Json& object) {
  FindingValues out;
  if (!object.is_object()) return not_findings("one of them is no object");
  for (const auto& [name, value] : object.items()) {
    const bool number = name == "line" || name == "end_line" || name == "confidence";
    const bool text = name == "severity" || name == "title" || name == "file" || name == "category" || name == "body" ||
                      name == "suggestion";
    if ((number && !value.is_number_integer() && !value.is_null()) || (text && !value.is_string() && !value.is_null()))
      return not_findings(cat("“", name, "” is no ", number ? "whole number" : "text"));
  }
  const auto text = [&](const char* name, std::optional<std::string>& into) {
    if (const std::string value = string_or(object, name); !value.empty()) into = value;
  };
  text("severity", out.severity);
  text("title", out.title);
  text("file", out.file);
  text("category", out.category);
  text("body", out.body);
  text("suggestion", out.suggestion);
  out.line = number_at(object, {"line"});
  out.end_line = number_at(object, {"end_line"});
  out.confidence = number_at(object, {"confidence"});
  return out;
}

}  // namespace

Result<ReadFindings> read_findings(std::string_view text, std::string_view root) {
  const auto json = parse_json(text);
  if (!json) return fail(ErrorCode::invalid_argument, cat("the findings are not JSON: ", json.error().message));
  ReadFindings read;
  std::vector<FindingValues>& out = read.findings;
  const bool object = json->is_object();
  if (object && json->contains("diagnostics")) {
    PAWL_ASSIGN(read, from_rdjson(*json, root));
  } else if (object && !json->contains("findings") &&
             (json->contains("runs") || json->contains("$schema") || json->contains("version"))) {
    PAWL_ASSIGN(read, from_sarif(*json, root));
  } else if (object && !json->contains("findings")) {
    PAWL_ASSIGN(out.emplace_back(), from_json(*json));
  } else {
    const Json& list = json->is_object() ? (*json)["findings"] : *json;
    if (!list.is_array()) return not_findings("they are no list");
    for (const Json& one : list) {
      PAWL_ASSIGN(out.emplace_back(), from_json(one));
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const FindingValues& one = out[i];
    Done good = check(one);
    for (const auto& [value, name] : {std::pair{one.severity, "severity"}, {one.title, "title"}, {one.file, "file"}}) {
      if (!value || value->empty()) good = fail(ErrorCode::invalid_argument, cat("it has no ", name));
    }
    if (good) good = check_lines(one.line.value_or(0), one.end_line);
    if (!good)
      return fail(good.error().code, cat("finding ", i + 1, " of ", out.size(), ": ", good.error().message),
                  good.error().hint.empty() ? std::string("none of them was added")
                                            : cat(good.error().hint, "; none of them was added"));
  }
  return read;
}

Json to_sarif(std::span<const Record> findings, std::string_view head_sha) {
  Json results = Json::array();
  for (const Record& finding : findings) {
    const Json doc = outward(finding.doc);
    const Severity* const how = severity(string_or(doc, "severity"));
    const std::string body = string_or(doc, "body");
    Json result{
        {"ruleId", string_or(doc, "category", "bug")},
        {"level", how == nullptr ? "warning" : how->sarif},
        {"message", {{"text", body.empty() ? string_or(doc, "title") : cat(string_or(doc, "title"), "\n\n", body)}}}};
    Json place{{"artifactLocation", {{"uri", string_or(doc, "file")}}}};
    if (const std::int64_t line = integer_or(doc, "line"); line > 0) {
      place["region"]["startLine"] = line;
      if (integer_or(doc, "end_line") > line) place["region"]["endLine"] = integer_or(doc, "end_line");
    }
    result["locations"] = Json::array({Json{{"physicalLocation", std::move(place)}}});
    result["properties"] = {{"id", part_of_key(finding.id.key)}, {"category", string_or(doc, "category")}};
    if (doc.contains("confidence")) result["properties"]["confidence"] = doc["confidence"];
    results.push_back(std::move(result));
  }
  Json run{{"tool", {{"driver", {{"name", "pawl"}, {"rules", Json::array()}}}}}, {"results", std::move(results)}};
  if (!head_sha.empty()) run["properties"] = {{"head_sha", head_sha}};
  return Json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({std::move(run)})}};
}

}  // namespace pawl::review
