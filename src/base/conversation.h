// A program that is asked one question after another, and answers each before it is asked the next: for what would
// otherwise be started anew for every question.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/result.h"

namespace pawl {

class Conversation {
 public:
  // Nothing is started yet. The program is one that changes nothing: it is killed at the end. What it says on its
  // standard error is dropped.
  Conversation(std::vector<std::string> argv, std::vector<std::string> also, std::size_t max_bytes, int timeout_ms);
  ~Conversation() { end(); }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // What it says to `question`, up to where `is_whole`. After an error it has ended, and the next question starts it
  // anew: what it stumbled over is no fault of that one's.
  [[nodiscard]] Result<std::string> ask(std::string_view question,
                                        const std::function<bool(std::string_view)>& is_whole);
  void end();

 private:
  Done start();
  Result<std::string> answer_to(std::string_view question, const std::function<bool(std::string_view)>& is_whole);

  const std::vector<std::string> argv_;
  const std::vector<std::string> also_;  // variables of its environment, besides
  const std::size_t max_bytes_;
  const int timeout_ms_;  // of one answer
  Fd line_;
  pid_t pid_ = 0;  // 0: it does not run
};

}  // namespace pawl
