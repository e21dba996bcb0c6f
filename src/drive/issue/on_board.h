// What a board says of an issue beyond its status: whether anybody is still at work on it, and what a person can do
// about it as things are. Cheap: files and /proc, no process is started and tmux is not asked.
#pragma once

#include <optional>
#include <set>

#include "drive/issue/run_book.h"
#include "engine/engine.h"
#include "engine/placed.h"

namespace pawl {

// Who is there for an issue that runs. Of a session that pawl did not start nothing is known without asking tmux.
struct AtWork {
  bool session = false;
  bool watched = false;
};

class IssuesOnBoard {
 public:
  IssuesOnBoard(Engine& engine, const View& view);

  [[nodiscard]] Result<AtWork> at_work(const Record& record) const;
  // Of one that runs: it may need a person.
  [[nodiscard]] Done see_running(const Record& record, Placed& row) const;
  // Of one that failed: what it says to type is something that can be done.
  [[nodiscard]] Done advise(Placed& row);

 private:
  [[nodiscard]] static AtWork at_work(const RunBook& book, const issue::Run& run);
  void see_others(Placed& row) const;
  [[nodiscard]] Result<bool> has_worktree(std::int64_t number, const std::string& known);

  Engine& engine_;
  const View& view_;
  bool any_runs_;                                    // has pawl run an issue here at all?
  std::optional<std::set<std::int64_t>> worktrees_;  // of which issues there is a folder
};

}  // namespace pawl
