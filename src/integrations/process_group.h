// A program in a process group of its own that ends with pawl, whatever ends pawl.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <vector>

#include "base/file.h"
#include "base/result.h"

namespace pawl {

struct ProgramStart {
  std::vector<char*> argv;         // ended by a null
  std::vector<char*> environment;  // the same
  const char* folder = nullptr;    // nullptr: here
  int input = -1, output = -1, errors = -1;
  const sigset_t* signals = nullptr;  // its mask
};

class ProcessGroup {
 public:
  static Result<ProcessGroup> start(const ProgramStart& program);
  ProcessGroup(ProcessGroup&& other) noexcept;
  ProcessGroup& operator=(ProcessGroup&&) = delete;
  ~ProcessGroup();  // what still runs of it is killed

  [[nodiscard]] int exited_fd() const { return exited_.get(); }  // readable once the program itself has ended
  void send(int signal) const;                                   // to all of it
  // Waits for the program, and returns its wait status. Its children live on if it ended by itself; otherwise
  // (`with_children`) they are killed first.
  [[nodiscard]] int finish(bool with_children);

 private:
  ProcessGroup() = default;

  pid_t guard_ = -1;    // leads the group, so that its number stays taken
  pid_t program_ = -1;  // -1: not, or no longer
  Fd leash_;            // as long as it is open, the guard waits
  Fd exited_;
};

}  // namespace pawl
