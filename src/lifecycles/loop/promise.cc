#include "lifecycles/loop/promise.h"

#include <algorithm>

#include "base/markdown.h"
#include "base/text.h"

namespace pawl::loop {
namespace {

constexpr std::size_t kIndentOfCode = 4;
constexpr std::size_t kShortestFence = 3;
constexpr std::size_t kMaxLine = 65'536;  // of a longer one the rest is not looked at: it is no promise

// In columns; a tab leads to the next multiple of four.
std::size_t indent_of(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) {
    if (c == ' ') {
      ++columns;
    } else if (c == '\t') {
      columns += kIndentOfCode - columns % kIndentOfCode;
    } else {
      break;
    }
  }
  return columns;
}

}  // namespace

PromiseWatch::PromiseWatch(std::string_view promise) : promise_(trim(promise)) {}

void PromiseWatch::read(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view piece = text.substr(0, end);
    line_ += piece.substr(0, kMaxLine - std::min(kMaxLine, line_.size()));
    if (end == std::string_view::npos) return;
    line(line_);
    line_.clear();
    text.remove_prefix(end + 1);
  }
}

void PromiseWatch::end() {
  line(line_);
  line_.clear();
}

// Opens or closes a fence, or is inside one.
bool PromiseWatch::fence(std::string_view line) {
  const std::string_view text = trim(line);
  const char mark = text.empty() ? '\0' : text.front();
  const bool fits = (mark == '`' || mark == '~') && indent_of(line) < kIndentOfCode;
  const std::size_t length = fits ? std::min(text.find_first_not_of(mark), text.size()) : 0;
  if (fence_mark_ == 0) {
    // What follows the backticks of one that opens has none.
    if (length < kShortestFence || (mark == '`' && text.find('`', length) != std::string_view::npos)) return false;
    fence_mark_ = mark;
    fence_ = length;
  } else if (mark == fence_mark_ && length >= fence_ && length == text.size()) {
    fence_mark_ = 0;
  }
  return true;
}

void PromiseWatch::line(std::string_view raw) {
  const std::string text = stripped(raw, kMaxLine);  // agents colour what they print
  const std::string_view words = trim(text);
  mentioned_ = mentioned_ || (!promise_.empty() && words.find(promise_) != std::string_view::npos);
  if (fence(text)) return;
  if (comment(words)) return;
  if (words.empty()) quoting_ = false;
  if (words.starts_with('>')) quoting_ = true;
  if (quoting_ || promise_.empty() || indent_of(text) >= kIndentOfCode) return;
  given_ = given_ || words == promise_;
}

// Begins, ends or goes on. One that stands in a sentence ends with its paragraph: where nobody closed it by then, it
// was no comment but a word of somebody who writes about HTML.
bool PromiseWatch::comment(std::string_view words) {
  constexpr std::string_view kOpen = "<!--", kClose = "-->";
  if (comment_ == Comment::in_sentence && words.empty()) comment_ = Comment::none;
  std::size_t at = 0;
  if (comment_ == Comment::none) {
    at = markdown::comment_start(words);
    if (at == std::string_view::npos) return false;
    comment_ = at == 0 ? Comment::of_its_own : Comment::in_sentence;
    at += kOpen.size();
  }
  // Another may begin where it ends, and stands in a sentence: a line has one beginning.
  while ((at = words.find(kClose, at)) != std::string_view::npos) {
    at = markdown::comment_start(words, at + kClose.size());
    comment_ = at == std::string_view::npos ? Comment::none : Comment::in_sentence;
    if (comment_ == Comment::none) break;
  }
  return true;
}

bool gives_promise(std::string_view text, std::string_view promise) {
  PromiseWatch watch(promise);
  watch.read(text);
  watch.end();
  return watch.given();
}

Done check_promise(std::string_view promise) {
  if (gives_promise(promise, promise) && promise.find_first_of("\r\n") == std::string_view::npos) return done();
  return fail(ErrorCode::invalid_argument,
              cat("--promise: “", printable(promise.substr(0, 80)), "” can never be a line of its own"),
              "one line of text that is neither a quotation (>), a code fence nor indented");
}

}  // namespace pawl::loop
