// What can be seen of a run from outside: its session, what it said, the signal files. One look, without waiting.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "drive/recorder.h"
#include "drive/run_book.h"
#include "engine/engine.h"
#include "lifecycle/issue/run.h"
#include "world/tmux/tmux.h"

namespace pawl {

// The sessions of all servers that runs are on; each server is asked once.
class Sessions {
 public:
  // unavailable, where tmux is not installed, counts as no session.
  [[nodiscard]] Result<std::vector<TmuxSession>> on(const std::string& socket);
  // The session that carries the run's id.
  [[nodiscard]] Result<bool> has(const issue::Run& run);

 private:
  std::map<std::string, std::vector<TmuxSession>> known_;
};

struct RunSight {
  issue::Seen seen;
  std::optional<Recorded> recorded;
  bool recorder_lives = false;
  bool pane_lives = false;  // true without a look at tmux while the recorder lives
};

// `gap`: the recorder is a new one, and what came just before it is only on the screen.
[[nodiscard]] Result<RunSight> sight_of(Engine& engine, const issue::Run& run, bool gap = false);

// Ends the run as the verdict says, unless it has ended otherwise meanwhile. Returns the record as it then stands.
[[nodiscard]] Result<Record> conclude(Engine& engine, const Request& request, issue::Run run,
                                      const issue::Verdict& verdict);

// Signal files: taken away when they were obeyed, and those of an earlier run before a new one begins.
[[nodiscard]] Done remove_signals(Engine& engine, std::int64_t number);

// The record of an issue, with its file taken into account.
[[nodiscard]] Result<Record> read_issue(Engine& engine, std::int64_t number);
[[nodiscard]] Result<std::vector<Record>> read_issues(Engine& engine);

}  // namespace pawl
