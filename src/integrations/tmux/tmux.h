// tmux, as pawl uses it: sessions that carry the id of a run, and a pipe from an agent's pane to whoever keeps its
// output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl {

struct TmuxSession {
  std::string name;
  std::string run;    // the id that pawl gave it; "" when somebody else made it
  std::string store;  // of which project; "" as above
  std::string path;   // where it was started
  std::string socket;
  std::string pane;  // "%3": the active one
  std::int64_t created_s = 0;
};

struct SessionPlan {
  std::string name;
  std::string run;
  std::string store;
  std::string folder;
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> command;   // run as it is, without a shell
  std::vector<std::string> recorder;  // gets every byte that the command prints, from the first one on
};

struct StartedSession {
  std::string name;  // as tmux spells it
  std::string socket;
  std::string pane;
};

class Tmux {
 public:
  static constexpr int kPatienceMs = 5'000;
  // The server on this socket; where it is empty, the one that the environment leads to. One that does not answer for
  // so long, as when it was stopped, is busy: what it has is not known.
  explicit Tmux(std::string socket = {}, int patience_ms = kPatienceMs)
      : socket_(std::move(socket)), patience_ms_(patience_ms) {}

  // unavailable: it is not installed.
  [[nodiscard]] static Done must_be_there();

  // Whether a server listens on its socket, without starting tmux: a few microseconds. One that cannot be asked, or
  // stands still, counts as there.
  [[nodiscard]] bool listens() const;
  // None where no server runs.
  [[nodiscard]] Result<std::vector<TmuxSession>> sessions() const;
  [[nodiscard]] Result<std::optional<TmuxSession>> session(std::string_view name) const;
  [[nodiscard]] Result<bool> has_pane(const std::string& pane) const;

  // already_exists: a session of that name is there.
  [[nodiscard]] Result<StartedSession> start(const SessionPlan& plan) const;
  // In place of whatever the pane was piped to.
  [[nodiscard]] Result<StartedSession> record(const std::string& pane, const std::vector<std::string>& recorder) const;
  // Gives the id of a run to a session that somebody else has started.
  [[nodiscard]] Done mark(const std::string& pane, const std::string& run, const std::string& store) const;
  // What the pane shows and has shown, as long as tmux remembers it; lines that it wrapped are whole.
  [[nodiscard]] Result<std::string> history(const std::string& pane) const;
  // Gone is as good as ended. Waits until what ran in it has ended too; what does not listen is killed.
  [[nodiscard]] Done end(const std::string& name) const;

  // What a person types to end a session: "tmux kill-session -t '=pi-issue-42'".
  [[nodiscard]] std::string how_to_end(const std::string& name) const;
  // The command that shows a session to the person at this terminal.
  [[nodiscard]] std::vector<std::string> attach_command(const std::string& name, bool inside_tmux) const;

 private:
  [[nodiscard]] std::vector<std::string> command(std::vector<std::string> words) const;
  [[nodiscard]] Result<std::string> ask(std::vector<std::string> words) const;

  std::string socket_;
  int patience_ms_;
};

}  // namespace pawl
