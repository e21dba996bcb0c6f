#include "lifecycles/review/finding_text.h"

#include <charconv>

#include "base/text.h"

namespace pawl::review {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "H1": the letter of a severity and a number.
std::size_t id_length(std::string_view text) {
  if (text.empty() || (text[0] != 'H' && text[0] != 'M' && text[0] != 'L')) return 0;
  std::size_t length = 1;
  while (length < text.size() && is_digit(text[length])) ++length;
  return length > 1 && text[1] != '0' && length <= 10 ? length : 0;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The end of a value: the next ` | ` outside of code, or the end of the line.
std::size_t value_end(std::string_view words, std::size_t at) {
  while (true) {
    const std::size_t bar = words.find('|', at);
    if (bar == std::string_view::npos) return words.size();
    const std::size_t tick = words.substr(0, bar).find('`', at);
    const auto code = tick == std::string_view::npos ? std::nullopt : code_span(words, tick);
    if (code && code->end > bar) {
      at = code->end;
      continue;
    }
    if (bar > 0 && words[bar - 1] == ' ' && (!code || code->end <= bar)) {
      // Another span of code may begin between the first and the bar.
      if (!code) return bar;
      const std::size_t next = words.substr(0, bar).find('`', code->end);
      if (next == std::string_view::npos) return bar;
      at = code->end;
      continue;
    }
    at = bar + 1;
  }
}

std::string text_or(const Json& doc, const char* member) { return string_or(doc, member); }

Location location_of(const Json& doc) {
  return {string_or(doc, "file"), integer_or(doc, "line"), integer_or(doc, "end_line")};
}

// A comment that begins among the values would swallow what follows them.
std::string without_opening(std::string text) {
  for (std::size_t at = 0; (at = text.find("<!--", at)) != std::string::npos; at += 5) text.insert(at + 2, " ");
  return text;
}

// "" where none is known: an empty one would not be read back as that.
std::string values_line(const Json& doc) {
  std::string out;
  const auto add = [&](std::string_view label, const std::string& value) {
    out += cat(out.empty() ? "" : " | ", "**", label, ":** ", value);
  };
  if (const std::string place = location_of(doc).text(); !place.empty()) add("File", as_code(place));
  if (doc.contains("category")) add("Category", without_opening(text_or(doc, "category")));
  if (doc.contains("confidence")) add("Confidence", cat(integer_or(doc, "confidence"), "/100"));
  return out;
}

}  // namespace

std::string Location::text() const {
  if (line == 0) return file;
  return end_line > line ? cat(file, ":", line, "-", end_line) : cat(file, ":", line);
}

Location location_in(std::string_view text) {
  Location out;
  out.file = text;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return out;
  std::string_view lines = text.substr(colon + 1);
  if (lines.starts_with('L')) lines.remove_prefix(1);
  const std::size_t dash = lines.find('-');
  const auto first = parse_positive(lines.substr(0, dash));
  if (!first) return out;
  if (dash != std::string_view::npos) {
    std::string_view rest = lines.substr(dash + 1);
    if (rest.starts_with('L')) rest.remove_prefix(1);
    const auto last = parse_positive(rest);
    if (!last) return out;
    out.end_line = *last;
  }
  out.file = text.substr(0, colon);
  out.line = *first;
  return out;
}

bool read_finding_heading(std::string_view text, Span line, FindingText& out) {
  const std::string_view words = line.of(text);
  if (!words.starts_with("### ")) return false;
  std::size_t at = 4;
  const auto skip_blanks = [&] {
    while (at < words.size() && (words[at] == ' ' || words[at] == '\t')) ++at;
  };
  skip_blanks();
  bool signed_ = false;
  for (const Severity& one : kSeverities) {
    for (const std::string_view sign : {one.sign, one.damaged}) {
      if (!signed_ && words.substr(at).starts_with(sign)) {
        out.sign = {line.begin + at, line.begin + at + sign.size()};
        at += sign.size();
        signed_ = true;
      }
    }
  }
  if (!signed_) return false;
  constexpr std::string_view kEmojiStyle = "\xEF\xB8\x8F";
  if (words.substr(at).starts_with(kEmojiStyle)) at += kEmojiStyle.size();
  skip_blanks();
  // "H1 Action Required: Title"
  std::size_t id = id_length(words.substr(at));
  if (id > 0 && at + id < words.size() && words[at + id] == ' ') {
    out.id = words.substr(at, id);
    at += id;
    skip_blanks();
  }
  for (const Severity& one : kSeverities) {
    if (words.substr(at).starts_with(one.name)) {
      out.severity = &one;
      out.name = {line.begin + at, line.begin + at + one.name.size()};
      break;
    }
  }
  if (out.severity == nullptr) return false;
  at += out.severity->name.size();
  // "Action RequiredH1 Title"
  if (out.id.empty() && (id = id_length(words.substr(at))) > 0) {
    out.id = words.substr(at, id);
    at += id;
  }
  if (at < words.size() && words[at] == ':') ++at;
  if (at < words.size() && words[at] != ' ' && words[at] != '\t') return false;
  skip_blanks();
  std::size_t end = words.size();
  while (end > at && (words[end - 1] == ' ' || words[end - 1] == '\t')) --end;
  out.title = {line.begin + at, line.begin + end};
  return true;
}

bool read_finding_values(std::string_view text, Span line, FindingText& out, std::string& wrong) {
  const std::string_view words = line.of(text);
  if (!words.starts_with("**")) return false;
  bool any = false;
  for (std::size_t at = 0; at < words.size();) {
    while (at < words.size() && (words[at] == ' ' || words[at] == '|')) ++at;
    const std::size_t colon = words.find(":**", at);
    if (!words.substr(at).starts_with("**") || colon == std::string_view::npos) break;
    const std::string_view name = words.substr(at + 2, colon - at - 2);
    std::size_t begin = colon + 3;
    while (begin < words.size() && words[begin] == ' ') ++begin;
    // Mostly a value is one span of code, or has none.
    const auto code = begin < words.size() && words[begin] == '`' ? code_span(words, begin) : std::nullopt;
    const bool code_alone = code && (code->end == words.size() || words.substr(code->end).starts_with(" | "));
    const std::size_t end = code_alone ? code->end : value_end(words, begin);
    std::size_t stop = end;
    while (stop > begin && (words[stop - 1] == ' ' || words[stop - 1] == '\t')) --stop;
    const Span value{line.begin + begin, line.begin + stop};
    const std::string_view says = value.of(text);
    if (name == "File") {
      out.location = value;
      out.location_text = code && line.begin + code->end == value.end ? code->inside.of(words) : says;
      if (out.location_text.find_first_not_of('`') == std::string_view::npos)
        out.location_text = {};  // code, of nothing
    } else if (name == "Category") {
      out.category = value;
    } else if (name == "Confidence") {
      out.confidence = value;
      std::string_view digits = says.substr(0, says.find('/'));
      if (digits.ends_with('%')) digits.remove_suffix(1);
      out.confidence_value = number_in(trim(digits));
      if (out.confidence_value && (*out.confidence_value < 0 || *out.confidence_value > kMostConfidence))
        wrong = cat("a confidence of ", *out.confidence_value, "; it goes from 0 to ", kMostConfidence);
    } else if (name == "Marked for GitHub") {
      out.marked = value;
      if (says != "true" && says != "false")
        wrong = cat("“", printable(says.substr(0, 40)), "” is neither true nor false (Marked for GitHub)");
    } else if (name == "Outdated") {
      out.outdated = value;
    } else if (!any && !out.meta_end) {
      return false;  // bold words that begin the text
    }
    any = true;
    at = end;
  }
  if (!any) return false;
  if (!out.first_end) out.first_end = line.end;
  out.meta_end = line.end;
  return true;
}

bool in_focus(std::string_view category, std::string_view focus) {
  return !focus.empty() && !category.empty() && category == focus;
}

bool marked_at_first(std::string_view severity_word, std::optional<std::int64_t> confidence, bool self) {
  if (self && severity_word == kSeverities.back().word) return false;
  return !confidence || *confidence >= kThreshold;
}

bool is_marked(std::string_view text, const FindingText& finding, std::string_view focus, bool self) {
  if (finding.marked) return finding.marked->of(text) == "true";
  std::optional<std::int64_t> confidence = finding.confidence_value;
  if (confidence && finding.category && in_focus(finding.category->of(text), focus)) *confidence += kFocusBonus;
  return marked_at_first(finding.severity->word, confidence, self);
}

Json finding_doc(std::string_view text, const FindingText& finding) {
  Json doc = Json::object();
  auto& members = doc.get_ref<Json::object_t&>();
  members.reserve(9);
  const auto put = [&](const char* name, Json value) { members.emplace_back(name, std::move(value)); };
  put("severity", finding.severity->word);
  put("title", finding.title.of(text));
  if (finding.location) {
    Location at = location_in(finding.location_text);
    put("file", std::move(at.file));
    if (at.line > 0) put("line", at.line);
    if (at.end_line > 0) put("end_line", at.end_line);
  }
  if (finding.category) put("category", finding.category->of(text));
  if (finding.confidence_value) put("confidence", *finding.confidence_value);
  if (finding.outdated && finding.outdated->of(text) == "true") put("outdated", true);
  put("body", without_returns(finding.body.of(text)));
  return doc;
}

std::string write_finding(const Json& doc, bool marked, Marks marks) {
  const Severity* const how = severity(string_or(doc, "severity"));
  const Severity& grave = how == nullptr ? kSeverities.back() : *how;
  std::string out = cat("### ", grave.sign, " ", grave.name, " ", string_or(doc, "title")), values = values_line(doc);
  const auto add_line = [&](std::string_view line) { values += cat(values.empty() ? "" : "\n", line); };
  if (marks == Marks::shown) add_line(cat("**Marked for GitHub:** ", marked ? "true" : "false"));
  if (doc.contains("outdated")) add_line("**Outdated:** true");
  if (!values.empty()) out += cat("\n\n", values);
  if (const std::string body = string_or(doc, "body"); !body.empty()) out += cat("\n\n", body);
  return out;
}

void edit_finding(std::string_view text, const FindingText& finding, const Json& doc, bool was_marked, bool marked,
                  std::vector<Edit>& edits) {
  const std::string_view newline = newline_of(text);
  const Json now = finding_doc(text, finding);
  const auto differs = [&](const char* name) {
    const auto a = now.find(name), b = doc.find(name);
    return (a == now.end()) != (b == doc.end()) || (a != now.end() && *a != *b);
  };
  if (const Severity* const how = severity(string_or(doc, "severity")); how != nullptr && how != finding.severity) {
    edits.push_back({finding.sign, std::string(how->sign)});
    edits.push_back({finding.name, std::string(how->name)});
  }
  if (differs("title")) edits.push_back({finding.title, string_or(doc, "title")});
  std::string first_line, further;
  if (differs("file") || differs("line") || differs("end_line")) {
    const std::string said = cat(as_code(location_of(doc).text()));
    if (finding.location) {
      edits.push_back({*finding.location, said});
    } else {
      first_line += cat(finding.first_end ? " | " : "", "**File:** ", said);
    }
  }
  const auto value = [&](const char* name, const std::optional<Span>& span, std::string_view label,
                         const std::string& said) {
    if (!differs(name)) return;
    if (span) {
      edits.push_back({*span, said});
    } else {
      first_line += cat(first_line.empty() && !finding.first_end ? "" : " | ", "**", label, ":** ", said);
    }
  };
  value("category", finding.category, "Category", string_or(doc, "category"));
  value("confidence", finding.confidence, "Confidence", cat(integer_or(doc, "confidence"), "/100"));
  const bool outdated = doc.contains("outdated");
  if (finding.outdated) {
    if (differs("outdated")) edits.push_back({*finding.outdated, outdated ? "true" : "false"});
  } else if (outdated) {
    further += cat(newline, "**Outdated:** true");
  }
  if (finding.marked) {
    if ((finding.marked->of(text) == "true") != marked) edits.push_back({*finding.marked, marked ? "true" : "false"});
  } else if (was_marked != marked) {
    further = cat(newline, "**Marked for GitHub:** ", marked ? "true" : "false", further);
  }
  if (finding.meta_end) {
    if (!first_line.empty()) edits.push_back({{*finding.first_end, *finding.first_end}, first_line});
    if (!further.empty()) edits.push_back({{*finding.meta_end, *finding.meta_end}, further});
  } else if (!first_line.empty() || !further.empty()) {
    if (first_line.empty() && further.starts_with(newline)) further.erase(0, newline.size());
    edits.push_back({{finding.heading_end, finding.heading_end}, cat(newline, first_line, further, newline)});
  }
  if (!differs("body")) return;
  const std::string body = with_newlines(string_or(doc, "body"), newline);
  if (!finding.body.empty() && body.empty() && finding.meta_end) {
    edits.push_back({{*finding.meta_end, finding.body.end}, ""});  // with the lines before it
  } else if (!finding.body.empty()) {
    edits.push_back({finding.body, body});
  } else if (!body.empty()) {
    edits.push_back({{finding.end, finding.end}, cat(newline, newline, body)});
  }
}

std::optional<Suggestion> suggestion_in(std::string_view body) {
  MarkdownReader reader(body);
  MarkdownLine line;
  std::optional<Suggestion> found;
  while (reader.next(line)) {
    if (line.kind == MarkdownLine::Kind::fence_opens && fence_in(line.span.of(body)).info == "suggestion") {
      found.emplace();
      found->fence = {line.span.begin, body.size()};
    } else if (found && line.kind == MarkdownLine::Kind::fenced) {
      found->text += cat(line.span.of(body), "\n");
      found->lines = true;
    } else if (found && line.kind == MarkdownLine::Kind::fence_closes) {
      found->fence.end = line.span.end;
      if (found->text.ends_with('\n')) found->text.pop_back();
      return found;
    }
  }
  return std::nullopt;
}

std::string without_suggestion(std::string_view body) {
  const auto there = suggestion_in(body);
  return there ? std::string(trim(edited(body, {{there->fence, ""}}))) : std::string(body);
}

std::string with_suggestion(std::string_view body, std::string_view suggestion) {
  const std::string_view end = suggestion.empty() ? "" : "\n";
  if (suggestion.ends_with('\n')) suggestion.remove_suffix(1);
  const std::string fence = fence_around(suggestion);
  const std::string written = cat(fence, "suggestion\n", suggestion, end, fence);
  if (const auto there = suggestion_in(body)) return edited(body, {{there->fence, written}});
  return body.empty() ? written : cat(body, "\n\n", written);
}

}  // namespace pawl::review
