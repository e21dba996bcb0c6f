// Has the agent given its promise? It counts only as a line of its own: not in a code fence or an indented block, not
// in a quotation, not in the midst of a sentence. Whoever mentions the promise has not given it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::loop {

// Reads text as it comes, in pieces of any size.
class PromiseWatch {
 public:
  explicit PromiseWatch(std::string_view promise);
  void read(std::string_view text);
  // The text is over; its last line may have no end.
  void end();
  [[nodiscard]] bool given() const { return given_; }
  // It stood there, and in a way that does not count.
  [[nodiscard]] bool only_mentioned() const { return mentioned_ && !given_; }

 private:
  void line(std::string_view text);
  [[nodiscard]] bool fence(std::string_view line);
  [[nodiscard]] bool comment(std::string_view words);

  enum class Comment { none, of_its_own, in_sentence };

  std::string promise_;
  std::string line_;
  bool given_ = false;
  bool quoting_ = false;  // until an empty line
  bool mentioned_ = false;
  Comment comment_ = Comment::none;  // between <!-- and -->
  char fence_mark_ = 0;              // 0: outside
  std::size_t fence_ = 0;            // how long the one that opened was
};

[[nodiscard]] bool gives_promise(std::string_view text, std::string_view promise);

// One that could never be given (of two lines, a quotation, nothing) would make a loop without end.
[[nodiscard]] Done check_promise(std::string_view promise);

}  // namespace pawl::loop
