#include "base/terminal_lines.h"

namespace pawl {
namespace {

constexpr unsigned char kEscape = 0x1B;
constexpr unsigned char kBell = 0x07;
constexpr unsigned char kCancel = 0x18, kSubstitute = 0x1A;
constexpr std::size_t kMaxString = 4096;

// The cursor goes to another line.
bool moves_away(unsigned char final_byte) {
  constexpr std::string_view kMoves = "ABEFHfd";
  return kMoves.find(static_cast<char>(final_byte)) != std::string_view::npos;
}

}  // namespace

bool TerminalLines::take(unsigned char byte) {
  if (state_ != State::text && (byte == kCancel || byte == kSubstitute)) {
    state_ = State::text;
    return false;
  }
  switch (state_) {
    case State::text:
      return take_text(byte);
    case State::escape:
      return take_escape(byte);
    case State::sequence:
      return take_sequence(byte);
    case State::charset:
      state_ = State::text;
      return false;
    case State::string:
      if (byte == kEscape) {
        state_ = State::string_escape;
      } else if (byte == kBell || ++string_size_ > kMaxString) {
        state_ = State::text;
      }
      return false;
    case State::string_escape:
      // ESC \ ends it; any other escape ends it too, and begins anew.
      state_ = State::escape;
      return byte == '\\' ? (state_ = State::text, false) : take_escape(byte);
  }
  return false;
}

bool TerminalLines::take_text(unsigned char byte) {
  switch (byte) {
    case '\n':
    case '\v':
    case '\f':
      return true;
    case '\r':
      returned_ = returned_ || !line_.empty();
      return false;
    case '\t':
      append("\t", 1);
      return false;
    case '\b':
      if (!line_.empty() && !cut_ && !returned_) line_.pop_back();
      return false;
    case kEscape:
      state_ = State::escape;
      return false;
    default:
      return false;
  }
}

bool TerminalLines::take_escape(unsigned char byte) {
  state_ = State::text;
  switch (byte) {
    case '[':
      state_ = State::sequence;
      return false;
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
    case 'k':  // a window's title, as screen writes it
      state_ = State::string;
      string_size_ = 0;
      return false;
    case '(':
    case ')':
    case '*':
    case '+':
    case '#':
    case '%':
    case ' ':
      state_ = State::charset;
      return false;
    case kEscape:
      state_ = State::escape;
      return false;
    case 'D':
    case 'E':
    case 'M':
      return !line_.empty();
    default:
      return false;
  }
}

bool TerminalLines::take_sequence(unsigned char byte) {
  if (byte == kEscape) {
    state_ = State::escape;
    return false;
  }
  if (byte == '\n') {  // no sequence has one: what began here was none
    state_ = State::text;
    return true;
  }
  if (byte < 0x40 || byte > 0x7E) return false;
  state_ = State::text;
  if (moves_away(byte)) return !line_.empty();
  if ((byte == 'C' || byte == 'G') && !returned_) append(" ", 1);  // along the line
  return false;
}

}  // namespace pawl
