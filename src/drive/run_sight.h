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
  explicit Sessions(int patience_ms = Tmux::kPatienceMs) : patience_ms_(patience_ms) {}

  // unavailable, where tmux is not installed, counts as no session; busy, where it does not answer, does not.
  [[nodiscard]] Result<std::vector<TmuxSession>> on(const std::string& socket);
  // The session that carries the run's id.
  [[nodiscard]] Result<std::optional<TmuxSession>> find(const issue::Run& run);
  [[nodiscard]] Result<bool> has(const issue::Run& run);
  // The session that the status speaks of: the run's own, or one that a script has started under that name. One of
  // that name which carries another run's id is somebody else's.
  [[nodiscard]] Result<std::optional<TmuxSession>> of(const Record& record, const std::optional<issue::Run>& run);

 private:
  int patience_ms_;
  std::map<std::string, Result<std::vector<TmuxSession>>> known_;
};

// conflict: asked for a session that was not found, tmux knew nothing, and yet whoever keeps its output still has it.
// Its server lives and can not be reached: a second agent in the same worktree, or taking it away, would cost work.
[[nodiscard]] Done check_gone(Engine& engine, const issue::Run& run);

struct RunSight {
  issue::Seen seen;
  std::optional<Recorded> recorded;
  bool recorder_lives = false;
  std::vector<std::string> ignored;  // folders, links and pipes that are called like a signal file
  bool words_may_follow = false;     // an error's signal file has just been made, and is empty
  bool pane_lives = false;           // true without a look at tmux while the recorder lives
};

// `gap`: the recorder is a new one, and what came just before it is only on the screen.
[[nodiscard]] Result<RunSight> sight_of(Engine& engine, const issue::Run& run, bool gap = false);

// Ends the run as the verdict says, in its status and in what is known of it at once; unless it has ended otherwise
// meanwhile, or the issue is run anew. Returns the record as it then stands. A run without an id: of a session that is
// known by its status alone.
[[nodiscard]] Result<Record> conclude(Engine& engine, const Request& request, const issue::Run& run,
                                      const issue::Verdict& verdict);

// The same where somebody ends a run that is under way: an error, "Stopped".
[[nodiscard]] Result<Record> conclude_stopped(Engine& engine, const Request& request, const Record& record,
                                              const std::optional<issue::Run>& known);

// What to say about RunSight::ignored.
[[nodiscard]] std::string text_of_ignored(const std::vector<std::string>& ignored);

// Signal files: taken away when they were obeyed, and those of an earlier run before a new one begins. What is no
// regular file is none.
[[nodiscard]] Done remove_signals(Engine& engine, std::int64_t number);

// The record of an issue, with its file taken into account.
[[nodiscard]] Result<Record> read_issue(Engine& engine, std::int64_t number);
[[nodiscard]] Result<std::vector<Record>> read_issues(Engine& engine);

}  // namespace pawl
