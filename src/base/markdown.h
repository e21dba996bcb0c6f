// Markdown as far as the files of reviews and the texts of people need it: lines, and whether a line is text or stands
// inside a code fence or an HTML comment. Written by hand: what is wanted is where things stand in the bytes, which no
// packaged library tells (md4c gives events without positions), and edits must leave every other byte alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl::markdown {

// A piece of a text, by its bytes. In 32 bits, as there are thousands of them and no file is longer.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  Span() = default;
  Span(std::size_t from, std::size_t to)
      : begin(static_cast<std::uint32_t>(from)), end(static_cast<std::uint32_t>(to)) {}

  [[nodiscard]] bool empty() const { return begin == end; }
  [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

struct MarkdownLine {
  Span span;             // without its line end
  std::size_t next = 0;  // where the next line begins
  enum class Kind {
    text,
    fence_opens,
    fenced,
    fence_closes,
    comment,  // begun on an earlier line; also the line on which it ends
  } kind = Kind::text;
  bool after_blank = false;  // by next_filled: empty lines stood before it
};

// Goes through a text line by line. A fence is closed by one of the same sort that is at least as long.
class MarkdownReader {
 public:
  explicit MarkdownReader(std::string_view text, std::size_t at = 0, std::size_t number = 1);

  // False at the end of the text.
  bool next(MarkdownLine& line);
  // The same, past empty lines of text: a third of all lines are empty.
  bool next_filled(MarkdownLine& line) {
    const std::size_t before = at_;
    if (fence_ == 0 && !comment_) {
      while (at_ < text_.size() && text_[at_] == '\n') ++at_;
    }
    number_ += at_ - before;
    line.after_blank = at_ != before;
    return next(line);
  }
  // Behind the line that opened a fence: on to the one that closes it. False: none does.
  bool skip_fence(MarkdownLine& line);
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t number() const { return number_ - 1; }  // of the line that was read last
  // At the end: the line on which something was opened that is never closed, and what.
  [[nodiscard]] Done check_closed() const;

 private:
  bool comment_stays_open(std::string_view line, std::size_t from) const;

  std::string_view text_;
  std::size_t at_;
  std::size_t number_;
  char fence_ = 0;  // 0: none is open
  std::size_t fence_length_ = 0;
  std::size_t opened_on_ = 0;
  bool comment_ = false;
  std::size_t next_comment_;  // where the next one may begin: looked for once, not in every line
};

// "```suggestion" → the length of the fence and its info string; length 0: it opens none.
struct Fence {
  char sign = 0;
  std::size_t length = 0;
  std::string_view info;
};
[[nodiscard]] Fence fence_in(std::string_view line);
// A fence that the text can stand in: longer than any run of backticks in it, three at least.
[[nodiscard]] std::string fence_around(std::string_view text);

// Three dashes or more and nothing else.
[[nodiscard]] bool is_rule(std::string_view line);

// The span of code that begins at `at` (a backtick): what is inside, and where it ends. Nothing when it is not closed.
struct CodeSpan {
  Span inside;
  std::size_t end = 0;
};
[[nodiscard]] std::optional<CodeSpan> code_span(std::string_view text, std::size_t at);
// Where an HTML comment begins on a line, outside of `code`; npos: nowhere.
[[nodiscard]] std::size_t comment_start(std::string_view line, std::size_t from = 0);
// `x`, or with more backticks where x has some.
[[nodiscard]] std::string as_code(std::string_view text);

// HTML comments outside of code taken out, with the line where nothing else stands on it: what reviewers keep to
// themselves. `open_at_end`, where given, is told whether one is not closed at the end.
[[nodiscard]] std::string without_comments(std::string_view text, bool* open_at_end = nullptr);

// The lines that somebody says, in order and without blanks around them: outside of quotations, code and comments. What
// stands in `code` within a line is left out.
[[nodiscard]] std::vector<std::string> spoken_lines(std::string_view text);

// What is to stand in place of a span.
struct Edit {
  Span span;
  std::string text;
};
// All at once; they may come in any order and do not overlap. Several at one point keep their order.
[[nodiscard]] std::string edited(std::string_view text, std::vector<Edit> edits);

// The line ends of a file: "\r\n" where its first line has it.
[[nodiscard]] std::string_view newline_of(std::string_view text);
// With `\n` made into `newline`.
[[nodiscard]] std::string with_newlines(std::string text, std::string_view newline);
[[nodiscard]] std::string without_returns(std::string_view text);

}  // namespace pawl::markdown
