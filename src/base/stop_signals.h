// What asks a process to stop (Ctrl-C, kill, a closed terminal), taken as something to wait for beside everything else.
// While one of these lives the signals do not end the process by themselves. Programs that are started are not to
// inherit that: base/process.h gives them none blocked, integrations/process_group.h what was before.
#pragma once

#include <signal.h>

#include <optional>

#include "base/file.h"

namespace pawl {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  [[nodiscard]] int fd() const { return fd_.get(); }                // readable when one has come; -1: out of files
  [[nodiscard]] const sigset_t& before() const { return before_; }  // for the programs that are started
  // The next one that has come; does not wait.
  [[nodiscard]] std::optional<int> next();
  // One that was taken by who could not end the run comes once more. When this goes it ends the process, as it would
  // have.
  static void put_back(int signal);
  // Waits so long at most, and less when one comes, which stays to be taken.
  [[nodiscard]] bool come_within(int ms) const;

 private:
  Fd fd_;
  sigset_t before_{};
};

}  // namespace pawl
