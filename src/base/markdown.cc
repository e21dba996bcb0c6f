#include "base/markdown.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace pawl::markdown {
namespace {

constexpr std::string_view kOpen = "<!--", kClose = "-->";

inline std::size_t line_end(std::string_view text, std::size_t at) {
  if (text[at] == '\n') return at;  // a third of all lines
  const void* const found = std::memchr(text.data() + at, '\n', text.size() - at);
  return found == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

bool closes(std::string_view line, char sign, std::size_t length) {
  if (line.size() == length && line.front() == sign) return line.find_first_not_of(sign) == std::string_view::npos;
  const Fence fence = fence_in(line);
  return fence.sign == sign && fence.length >= length && fence.info.empty();
}

// A heading and a row of a table are one line long, and so is a comment in them.
bool is_one_line_block(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos || begin > 3) return false;
  if (line[begin] == '|') return true;
  const std::size_t end = line.find_first_not_of('#', begin);
  const std::size_t signs = (end == std::string_view::npos ? line.size() : end) - begin;
  return signs > 0 && signs <= 6 && (end == std::string_view::npos || line[end] == ' ' || line[end] == '\t');
}

// "\\`" begins no code.
bool is_escaped(std::string_view line, std::size_t at) {
  std::size_t strokes = 0;
  while (strokes < at && line[at - 1 - strokes] == '\\') ++strokes;
  return strokes % 2 == 1;
}

}  // namespace

std::size_t comment_start(std::string_view line, std::size_t from) {
  while (true) {
    const std::size_t found = line.find(kOpen, from);
    if (found == std::string_view::npos) return found;
    std::size_t at = from;
    bool in_code = false;
    while (!in_code) {
      const std::size_t tick = line.find('`', at);
      if (tick == std::string_view::npos || tick > found) return found;
      if (is_escaped(line, tick)) {
        at = tick + 1;
        continue;
      }
      const auto code = code_span(line, tick);
      if (!code) {
        at = line.find_first_not_of('`', tick);
        if (at == std::string_view::npos) return found;
        continue;
      }
      in_code = code->end > found;
      at = code->end;
    }
    from = at;
  }
}

namespace {

// With a blank in place of each span of code.
std::string without_code(std::string_view line) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] != '`' || is_escaped(line, at)) {
      out += line[at++];
      continue;
    }
    const auto code = code_span(line, at);
    out += ' ';
    at = code ? code->end : std::min(line.find_first_not_of('`', at), line.size());
  }
  return out;
}

}  // namespace

bool MarkdownReader::comment_stays_open(std::string_view line, std::size_t from) const {
  while (true) {
    const std::size_t begin = comment_start(line, from);
    if (begin == std::string_view::npos) return false;
    const std::size_t end = line.find(kClose, begin + kOpen.size());
    if (end == std::string_view::npos) return true;
    from = end + kClose.size();
  }
}

MarkdownReader::MarkdownReader(std::string_view text, std::size_t at, std::size_t number)
    : text_(text), at_(at), number_(number), next_comment_(text.find(kOpen, at)) {}

bool MarkdownReader::next(MarkdownLine& line) {
  if (at_ >= text_.size()) return false;
  const std::size_t end = line_end(text_, at_);
  line.span = {at_, end > at_ && text_[end - 1] == '\r' ? end - 1 : end};
  line.next = end == text_.size() ? end : end + 1;
  line.kind = MarkdownLine::Kind::text;
  const std::string_view words = line.span.of(text_);
  const char first = words.empty() ? '\0' : words.front();
  if (first == '\0' && fence_ == 0 && !comment_) {
    at_ = line.next;
    ++number_;
    return true;
  }
  if (fence_ != 0) {
    const bool last = (first == fence_ || first == ' ') && closes(words, fence_, fence_length_);
    line.kind = last ? MarkdownLine::Kind::fence_closes : MarkdownLine::Kind::fenced;
    if (last) fence_ = 0;
  } else if (comment_) {
    line.kind = MarkdownLine::Kind::comment;
    const std::size_t close = words.find(kClose);
    if (close != std::string_view::npos) comment_ = comment_stays_open(words, close + kClose.size());
  } else if (first == '`' || first == '~' || first == ' ') {
    if (const Fence fence = fence_in(words); fence.length > 0) {
      line.kind = MarkdownLine::Kind::fence_opens;
      fence_ = fence.sign;
      fence_length_ = fence.length;
      opened_on_ = number_;
    }
  }
  if (next_comment_ < end) {
    if (next_comment_ < at_) next_comment_ = text_.find(kOpen, at_);
    if (line.kind == MarkdownLine::Kind::text && next_comment_ < end && !is_one_line_block(words) &&
        comment_stays_open(words, 0)) {
      comment_ = true;
      opened_on_ = number_;
    }
    next_comment_ = text_.find(kOpen, line.next);
  }
  at_ = line.next;
  ++number_;
  return true;
}

bool MarkdownReader::skip_fence(MarkdownLine& line) {
  line.after_blank = false;
  while (at_ < text_.size()) {
    const char first = text_[at_];
    if (first == fence_ || first == ' ') {
      next(line);
      if (line.kind == MarkdownLine::Kind::fence_closes) return true;
      continue;
    }
    const std::size_t end = line_end(text_, at_);
    at_ = end == text_.size() ? end : end + 1;
    ++number_;
  }
  return false;
}

Done MarkdownReader::check_closed() const {
  if (fence_ == 0 && !comment_) return done();
  return fail(ErrorCode::corruption,
              cat("line ", opened_on_, ": ", comment_ ? "a comment" : "a code fence", " is opened and never closed"));
}

Fence fence_in(std::string_view line) {
  std::size_t at = 0;
  while (at < 3 && at < line.size() && line[at] == ' ') ++at;
  if (at >= line.size() || (line[at] != '`' && line[at] != '~')) return {};
  const char sign = line[at];
  std::size_t length = 0;
  while (at + length < line.size() && line[at + length] == sign) ++length;
  if (length < 3) return {};
  const std::string_view info = trim(line.substr(at + length));
  if (sign == '`' && info.find('`') != std::string_view::npos) return {};
  return {sign, length, info};
}

std::string fence_around(std::string_view text) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

bool is_rule(std::string_view line) {
  line = trim(line);
  return line.size() >= 3 && line.find_first_not_of('-') == std::string_view::npos;
}

std::optional<CodeSpan> code_span(std::string_view text, std::size_t at) {
  std::size_t length = 0;
  while (at + length < text.size() && text[at + length] == '`') ++length;
  for (std::size_t i = text.find('`', at + length); i < text.size(); i = text.find('`', i)) {
    std::size_t run = 0;
    while (i + run < text.size() && text[i + run] == '`') ++run;
    if (run == length) {
      Span inside{at + length, i};
      const std::string_view words = inside.of(text);
      if (words.size() > 2 && words.front() == ' ' && words.back() == ' ') ++inside.begin, --inside.end;
      return CodeSpan{inside, i + run};
    }
    i += run;
  }
  return std::nullopt;
}

std::string as_code(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string ticks(longest + 1, '`');
  const std::string_view pad = longest > 0 ? " " : "";
  return cat(ticks, pad, text, pad, ticks);
}

std::string without_comments(std::string_view text, bool* open_at_end) {
  std::string out;
  MarkdownReader reader(text);
  MarkdownLine line;
  bool open = false;
  while (reader.next(line)) {
    const std::string_view words = line.span.of(text);
    // One that begins in a heading ends there for a reader of Markdown, but not for whoever wrote it so.
    if (!open && (line.kind == MarkdownLine::Kind::fence_opens || line.kind == MarkdownLine::Kind::fenced ||
                  line.kind == MarkdownLine::Kind::fence_closes)) {
      out += text.substr(line.span.begin, line.next - line.span.begin);
      continue;
    }
    std::string kept;
    bool cut = open;
    std::size_t at = 0;
    while (at <= words.size()) {
      if (open) {
        const std::size_t close = words.find(kClose, at);
        if (close == std::string_view::npos) break;
        at = close + kClose.size();
        open = false;
        continue;
      }
      const std::size_t begin = comment_start(words, at);
      kept += words.substr(at, begin == std::string_view::npos ? begin : begin - at);
      if (begin == std::string_view::npos) break;
      open = cut = true;
      at = begin + kOpen.size();
    }
    if (cut && trim(kept).empty()) continue;
    out += kept;
    out += text.substr(line.span.end, line.next - line.span.end);
  }
  if (open_at_end != nullptr) *open_at_end = open;
  return out;
}

std::vector<std::string> spoken_lines(std::string_view text) {
  std::vector<std::string> lines;
  const std::string said = without_comments(text);
  MarkdownReader reader(said);
  MarkdownLine line;
  while (reader.next_filled(line)) {
    const std::string_view words = line.span.of(said);
    if (line.kind != MarkdownLine::Kind::text || words.starts_with("    ") || words.starts_with('\t')) continue;
    std::string spoken(trim(without_code(words)));
    if (!spoken.empty() && !spoken.starts_with('>')) lines.push_back(std::move(spoken));
  }
  return lines;
}

std::string edited(std::string_view text, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
  std::size_t more = 0;
  for (const Edit& edit : edits) more += edit.text.size();
  std::string out;
  out.reserve(text.size() + more);
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    if (edit.span.begin < at) continue;  // inside one that was made already
    out += text.substr(at, edit.span.begin - at);
    out += edit.text;
    at = edit.span.end;
  }
  out += text.substr(at);
  return out;
}

std::string_view newline_of(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

std::string with_newlines(std::string text, std::string_view newline) {
  if (newline == "\n") return text;
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += newline;
    } else {
      out += c;
    }
  }
  return out;
}

std::string without_returns(std::string_view text) {
  std::string out(text);
  if (out.find('\r') == std::string::npos) return out;
  std::size_t to = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '\r' && i + 1 < out.size() && out[i + 1] == '\n') continue;
    out[to++] = out[i];
  }
  out.resize(to);
  return out;
}

}  // namespace pawl::markdown
