// A program at a terminal of its own, typed at key by key: what a shell does between two keystrokes is seen in no other
// way.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/binary.h"

namespace pawl::test {

class Terminal {
 public:
  // stdin, stdout and stderr are the terminal; of the options env, cwd and timeout_ms count.
  Terminal(const std::string& program, const std::vector<std::string>& args, const RunOptions& options, int rows = 50,
           int columns = 200);
  ~Terminal();  // kills what still runs there
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(std::string_view keys) const;
  // Reads until `text` came, and gives all since the last call up to its end; empty when it does not come in time.
  [[nodiscard]] std::string until(std::string_view text);
  // Waits until the program has ended: its exit code, or 128 + the signal that killed it.
  [[nodiscard]] int ended();
  [[nodiscard]] pid_t pid() const { return pid_; }
  // All that was ever shown, for the message of a test that fails.
  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  pid_t pid_ = -1;
  int fd_ = -1;
  std::string shown_;
  std::size_t read_ = 0;
  int timeout_ms_;
};

}  // namespace pawl::test
