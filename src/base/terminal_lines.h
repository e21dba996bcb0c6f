// The lines that a terminal's output makes, without its escapes: for whoever reads what a program printed to a person.
//
// Bytes may come in any pieces. A line ends where the terminal would go to another one: at a newline, at a carriage
// return that something follows, and at an escape that moves the cursor up, down or to a place. What programs draw with
// (colours, titles, erasing) is taken out. Written by hand: no packaged library reads escapes without being a terminal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace pawl {

class TerminalLines {
 public:
  // What is longer is cut: a line of 100 MB costs no more memory than this.
  static constexpr std::size_t kMaxLine = 4096;

  // Calls `line(text, cut)` for each line that `bytes` end.
  template <class Line>
  void feed(std::string_view bytes, Line&& line) {
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    while (at != end) {
      if (state_ == State::text && is_plain(*at)) {
        if (returned_) end_line(line);
        const char* const stop = end_of_plain(at, end);
        append(at, static_cast<std::size_t>(stop - at));
        at = stop;
        continue;
      }
      if (take(static_cast<unsigned char>(*at++))) end_line(line);
    }
  }

  // The line that nothing has ended yet.
  [[nodiscard]] std::string_view unfinished() const { return returned_ ? std::string_view() : line_; }
  [[nodiscard]] bool unfinished_cut() const { return cut_; }

 private:
  enum class State : std::uint8_t { text, escape, sequence, string, string_escape, charset };

  static bool is_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7F;
  }
  // Eight bytes at a time: this is what a flood of output is made of.
  static const char* end_of_plain(const char* at, const char* end) {
    constexpr std::uint64_t kOnes = 0x0101010101010101U, kHighs = 0x8080808080808080U;
    while (end - at >= 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, at, sizeof eight);
      const std::uint64_t delete_sign = eight ^ (kOnes * 0x7FU);
      // Neither a byte below 0x20 nor 0x7F; that a byte behind such a one may look like it does no harm.
      if ((((eight - kOnes * 0x20U) & ~eight) | ((delete_sign - kOnes) & ~delete_sign)) & kHighs) break;
      at += 8;
    }
    while (at != end && is_plain(*at)) ++at;
    return at;
  }
  void append(const char* text, std::size_t size) {
    const std::size_t room = kMaxLine - line_.size();
    cut_ = cut_ || size > room;
    line_.append(text, size < room ? size : room);
  }
  template <class Line>
  void end_line(Line& line) {
    line(std::string_view(line_), cut_);
    line_.clear();
    cut_ = returned_ = false;
  }
  bool take(unsigned char byte);  // whether the line ends here
  bool take_text(unsigned char byte);
  bool take_escape(unsigned char byte);
  bool take_sequence(unsigned char byte);

  std::string line_;
  State state_ = State::text;
  bool cut_ = false;
  bool returned_ = false;        // a carriage return that nothing has followed yet
  std::size_t string_size_ = 0;  // of a title or the like, which a broken program may never end
};

}  // namespace pawl
