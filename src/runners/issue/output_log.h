// The capped log of a session's output: pieces of equal size, of which the newest two stay. A piece's number and its
// length tell how much came in all, so an offset means the same before and after old pieces went. What a full disk did
// not take is a hole in a piece: offsets stay true, and what comes when there is room again stands where it belongs.
//
// base/capped_log.h is the log of a program whose output nobody refers to by its place; it has two files and no
// numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace pawl {

inline constexpr std::int64_t kOutputPiece = std::int64_t{2} << 20U;

// As its one writer has it.
class OutputLog {
 public:
  // Goes on behind what is there, and behind `at_least`: a place that somebody knows of.
  static Result<OutputLog> open(const std::string& folder, std::int64_t at_least = 0);
  void append(std::string_view bytes);
  // Where what is appended next will stand.
  [[nodiscard]] std::int64_t offset() const { return offset_; }

 private:
  void write_at(std::int64_t piece, std::int64_t at, std::string_view bytes);

  Fd folder_, file_;
  std::int64_t piece_ = -1;  // that `file_` is
  std::int64_t offset_ = 0;
};

// How many bytes of output there were so far.
[[nodiscard]] Result<std::int64_t> recorded_bytes(const std::string& folder);
// What the log has behind `from`, as it was printed; `from` is moved to its end. Empty: nothing more so far.
[[nodiscard]] Result<std::string> read_output(const std::string& folder, std::int64_t& from, std::size_t max_bytes);
// The last line with text on it, fit to be shown.
[[nodiscard]] std::string last_line(const std::string& folder);

}  // namespace pawl
