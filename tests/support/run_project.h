// A real repository, a tmux server of its own, and agents that are small shell scripts.
#pragma once

#include <string>
#include <vector>

#include "support/issue_project.h"

namespace pawl::test {

// Agents that go on until they are ended; the second says when it has begun.
inline constexpr const char* kWaits = "exec tail -f /dev/null";
inline constexpr const char* kReadyAndWaits = "echo ready; exec tail -f /dev/null";

class RunProject : public IssueProject {
 public:
  RunProject();
  ~RunProject();  // ends the tmux server, and waits for what was left behind

  // pawl with the project's tmux; `more` are variables of the environment.
  [[nodiscard]] Ran pawl(const std::vector<std::string>& args, const std::vector<std::string>& more = {}) const;
  // The same for what has to go well; returns its output.
  std::string ok(const std::vector<std::string>& args) const;
  [[nodiscard]] RunOptions with_tmux(const std::vector<std::string>& more = {}) const;

  // `issue run NUMBER --title … -- sh -c SCRIPT`, with `more` before the command.
  void start(int number, const std::string& script, const std::vector<std::string>& more = {}) const;
  // Waits until it has ended; "complete", "error: MESSAGE".
  [[nodiscard]] std::string end_of(int number) const;
  // Waits until the session's output has this text.
  [[nodiscard]] bool says(int number, const std::string& text) const;

  [[nodiscard]] Ran tmux(const std::vector<std::string>& args) const;
  // A variable for pawl(): whenever tmux is asked, this shell command runs first.
  [[nodiscard]] std::string before_tmux(const std::string& command) const;
  [[nodiscard]] bool has_session(const std::string& name) const;
  void end_server() const;
  [[nodiscard]] std::string worktree(int number) const;  // from `issue ps` or its folder; "" when there is none

  // Processes of this project whose command line has all of these words.
  [[nodiscard]] std::vector<pid_t> processes(const std::vector<std::string>& words) const;
  // Kills them with this signal and waits until they are gone; how many there were.
  std::size_t kill_all(const std::vector<std::string>& words, int signal = 9) const;
};

// Waits until a process is gone; false when it takes too long.
[[nodiscard]] bool gone(pid_t pid, int timeout_ms = 20'000);

}  // namespace pawl::test
