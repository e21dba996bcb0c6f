// The scanner: one pass, a table of states instead of recursion, one vector of nodes.
#include "base/json_text.h"

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "base/text.h"

namespace pawl {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101U;
constexpr std::uint64_t kHighs = kOnes * 0x80U;

// The high bit of every byte that is zero. A byte above a zero byte may be marked wrongly, the lowest mark is right.
constexpr std::uint64_t zero_bytes(std::uint64_t word) { return (word - kOnes) & ~word & kHighs; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A root, a list in it, and what that consists of.
constexpr int kFrontDepth = 2;

// What may stand next. The names are those of RFC 8259's grammar, read from left to right.
enum class State : std::uint8_t { value, first_element, first_key, key, after_element, after_member, done };

constexpr std::array<std::string_view, 7> kExpected = {
    "a value was expected",
    "a value or ] was expected",
    "a key in double quotes or } was expected",
    "a key in double quotes was expected after the comma",
    "a comma or ] was expected",
    "a comma or } was expected",
    "nothing was expected after the end of the value",
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {
    // Room for a file of middling density; addresses only, until nodes are written there.
    nodes.reserve(text.size() / 12 + 8);
  }

  // False with `problem` and `problem_at` set when the text is not JSON.
  bool run() {
    if (end_ - at_ >= 3 && std::memcmp(at_, "\xEF\xBB\xBF", 3) == 0) at_ += 3;
    while (true) {
      skip_blank();
      if (at_ == end_) return state_ == State::done || missing();
      if (!step()) return false;
    }
  }

  // After a run that came to nothing: leaves what was complete. False when not even the root was.
  bool keep_front() {
    if (whole_nodes_ == 0) return false;
    nodes.resize(whole_nodes_);
    for (int i = 0; i < whole_depth_; ++i) {
      JsonNode& container = nodes[open_[static_cast<std::size_t>(i)]];
      container.end = nodes.back().end;
      container.next = static_cast<std::uint32_t>(nodes.size());
    }
    return true;
  }

  std::vector<JsonNode> nodes;
  std::string problem;
  const char* problem_at = nullptr;

 private:
  bool step() {
    switch (state_) {
      case State::first_element:
        if (*at_ == ']') return close();
        [[fallthrough]];
      case State::value:
        return value();
      case State::first_key:
        if (*at_ == '}') return close();
        [[fallthrough]];
      case State::key:
        return key();
      case State::after_element:
      case State::after_member:
        if (*at_ == ',') {
          ++at_;
          state_ = state_ == State::after_member ? State::key : State::value;
          return true;
        }
        if (*at_ == (state_ == State::after_member ? '}' : ']')) return close();
        return missing();
      case State::done:
        return missing();
    }
    return false;
  }

  bool value() {
    switch (*at_) {
      case '{':
        return open(JsonKind::object, State::first_key);
      case '[':
        return open(JsonKind::array, State::first_element);
      case '"':
        return string() && after_value();
      case 't':
        return literal("true", JsonKind::boolean);
      case 'f':
        return literal("false", JsonKind::boolean);
      case 'n':
        return literal("null", JsonKind::null);
      default:
        return *at_ == '-' || is_digit(*at_) ? number() : missing();
    }
  }

  bool key() {
    if (*at_ != '"') return missing();
    if (!string()) return false;
    skip_blank();
    if (at_ == end_ || *at_ != ':') return wrong("a colon was expected after the key");
    ++at_;
    state_ = State::value;
    return true;
  }

  bool open(JsonKind kind, State inside) {
    if (depth_ == kMaxJsonDepth) return wrong(cat("nested deeper than ", kMaxJsonDepth, " levels"));
    open_[static_cast<std::size_t>(depth_++)] = static_cast<std::uint32_t>(nodes.size());
    add(kind, at_, false);
    ++at_;
    state_ = inside;
    return true;
  }

  bool close() {
    ++at_;
    JsonNode& container = nodes[open_[static_cast<std::size_t>(--depth_)]];
    container.end = offset(at_);
    container.next = static_cast<std::uint32_t>(nodes.size());
    return after_value();
  }

  bool after_value() {
    if (depth_ == 0) {
      state_ = State::done;
    } else {
      const JsonKind around = nodes[open_[static_cast<std::size_t>(depth_ - 1)]].kind;
      state_ = around == JsonKind::object ? State::after_member : State::after_element;
      if (depth_ <= kFrontDepth && at_ != end_) {  // a number may go on behind the end
        whole_nodes_ = nodes.size();
        whole_depth_ = depth_;
      }
    }
    return true;
  }

  bool literal(std::string_view word, JsonKind kind) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) return missing();
    const char* start = at_;
    at_ += word.size();
    add(kind, start, false);
    return after_value();
  }

  bool number() {
    const char* start = at_;
    if (*at_ == '-') ++at_;
    if (at_ < end_ && *at_ == '0') {
      ++at_;
      if (at_ < end_ && is_digit(*at_)) return wrong("a number cannot start with 0");
    } else if (!digits()) {
      return false;
    }
    if (at_ < end_ && *at_ == '.') {
      ++at_;
      if (!digits()) return false;
    }
    if (at_ < end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      if (at_ < end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!digits()) return false;
    }
    add(JsonKind::number, start, false);
    return after_value();
  }

  bool digits() {
    if (at_ == end_ || !is_digit(*at_)) return wrong("a digit was expected");
    while (at_ < end_ && is_digit(*at_)) ++at_;
    return true;
  }

  bool string() {
    const char* start = at_++;
    bool escaped = false;
    while (true) {
      skip_plain();
      if (at_ == end_) return wrong("the text ends inside a string: a closing quote was expected");
      const auto c = static_cast<unsigned char>(*at_);
      if (c == '"') {
        ++at_;
        add(JsonKind::string, start, escaped);
        return true;
      }
      if (c == '\\') {
        escaped = true;
        if (!escape()) return false;
      } else if (c >= 0x80) {
        const std::size_t length = decode_utf8({at_, static_cast<std::size_t>(end_ - at_)}, 0).length;
        if (length == 0) return wrong("bytes that are not UTF-8");
        at_ += length;
      } else {
        return wrong(c == '\n' || c == '\r' ? "a string cannot go over a line: a closing quote was expected"
                                            : "a control character must be written as an escape");
      }
    }
  }

  // To the next byte of a string that needs a look, eight at a time.
  void skip_plain() {
    if constexpr (std::endian::native == std::endian::little) {
      while (end_ - at_ >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at_, 8);
        const std::uint64_t special = zero_bytes(word ^ (kOnes * '"')) | zero_bytes(word ^ (kOnes * '\\')) |
                                      ((word - kOnes * 0x20U) & ~word & kHighs) | (word & kHighs);
        if (special != 0) {
          at_ += std::countr_zero(special) / 8;
          return;
        }
        at_ += 8;
      }
    }
    while (at_ < end_ && static_cast<unsigned char>(*at_) >= 0x20 && static_cast<unsigned char>(*at_) < 0x80 &&
           *at_ != '"' && *at_ != '\\') {
      ++at_;
    }
  }

  bool escape() {
    if (end_ - at_ < 2) return wrong("the text ends inside a string: a closing quote was expected");
    switch (at_[1]) {
      case '"':
      case '\\':
      case '/':
      case 'b':
      case 'f':
      case 'n':
      case 'r':
      case 't':
        at_ += 2;
        return true;
      case 'u':
        break;
      default:
        return wrong("after \\ one of \" \\ / b f n r t u was expected");
    }
    const int unit = hex4(at_ + 2);
    if (unit < 0) return wrong("four hexadecimal digits were expected after \\u");
    if (unit >= 0xDC00 && unit <= 0xDFFF) return wrong("half a surrogate pair");
    if (unit >= 0xD800 && unit <= 0xDBFF) {
      const bool another = end_ - at_ >= 12 && at_[6] == '\\' && at_[7] == 'u';
      const int low = another ? hex4(at_ + 8) : -1;
      if (low < 0xDC00 || low > 0xDFFF) return wrong("half a surrogate pair");
      at_ += 6;
    }
    at_ += 6;
    return true;
  }

  int hex4(const char* at) const {
    if (end_ - at < 4) return -1;
    int value = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = at[i];
      const char lower = static_cast<char>(c | 0x20);
      if (is_digit(c)) {
        value = value * 16 + (c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        value = value * 16 + (lower - 'a' + 10);
      } else {
        return -1;
      }
    }
    return value;
  }

  void skip_blank() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  void add(JsonKind kind, const char* start, bool escaped) {
    nodes.push_back({offset(start), offset(at_), static_cast<std::uint32_t>(nodes.size() + 1), kind, escaped});
  }

  std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - begin_); }

  // Something else stands here than what the state allows, or nothing.
  bool missing() {
    const std::string_view expected = kExpected[static_cast<std::size_t>(state_)];
    if (at_ != end_) return wrong(std::string(expected));
    return wrong(nodes.empty() ? "there is nothing here: a value was expected" : cat("the text ends where ", expected));
  }

  bool wrong(std::string what) {
    problem = std::move(what);
    problem_at = at_;
    return false;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  State state_ = State::value;
  int depth_ = 0;
  std::array<std::uint32_t, kMaxJsonDepth> open_{};
  // Where the text could be cut off and closed: how many nodes there were, in how many open containers. Nothing that is
  // open there is closed later without another such place coming after it.
  std::size_t whole_nodes_ = 0;
  int whole_depth_ = 0;
};

// Lines and columns count from 1, columns in characters, as editors do.
std::string place(std::string_view before) {
  if (before.starts_with("\xEF\xBB\xBF")) before.remove_prefix(3);
  std::size_t line = 1, column = 1;
  for (const char c : before) {
    if (c == '\n') {
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++column;
    }
  }
  return cat("line ", line, ", column ", column);
}

}  // namespace

Result<JsonText> JsonText::scan(std::string_view text) {
  if (text.size() > std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorCode::corruption, "more than 4 GiB of JSON");
  }
  Scanner scanner(text);
  if (!scanner.run()) {
    const auto at = static_cast<std::size_t>(scanner.problem_at - text.data());
    return fail(ErrorCode::corruption, cat(place(text.substr(0, at)), ": ", scanner.problem));
  }
  return JsonText(text, std::move(scanner.nodes));
}

Result<JsonText> JsonText::scan_front(std::string_view text) {
  Scanner scanner(text.substr(0, std::numeric_limits<std::uint32_t>::max()));
  if (!scanner.run() && !scanner.keep_front()) return fail(ErrorCode::corruption, "there is nothing whole here");
  return JsonText(text, std::move(scanner.nodes));
}

}  // namespace pawl
