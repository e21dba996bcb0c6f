// What a board says of an issue beyond its status: whether anybody is still at work on it, and what a person can do
// about it as things are. Cheap: files, /proc and the socket of tmux. tmux itself is asked, once for all of them, only
// where its server is there and an issue says running that pawl did not start, or whose output nobody keeps any more.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/placed.h"
#include "runners/issue/run_book.h"
#include "runners/issue/sessions.h"

namespace pawl {

// Who is there for an issue that runs.
struct AtWork {
  bool session = false;
  bool watched = false;
  std::string stop = {};  // what a person types to end its session without pawl
};

class IssuesOnBoard {
 public:
  IssuesOnBoard(Engine& engine, const View& view);
  ~IssuesOnBoard();
  IssuesOnBoard(const IssuesOnBoard&) = delete;
  IssuesOnBoard& operator=(const IssuesOnBoard&) = delete;

  // Also of one whose end was taken back, or that a script has started: tmux is asked for those. Where it does not say,
  // somebody may be at work.
  [[nodiscard]] Result<AtWork> at_work(const Record& record);
  // Of one that runs: it may need a person.
  [[nodiscard]] Done see_running(const Record& record, Placed& row);
  // Starts that were cut off before a status could tell of them, where an agent may be at work; and runs that go on
  // though their status was removed.
  [[nodiscard]] Result<std::vector<Placed>> without_status();
  // Of one that failed: what it says to type is something that can be done.
  [[nodiscard]] Done advise(Placed& row);

 private:
  [[nodiscard]] static AtWork at_work(const RunBook& book, const issue::Run& run);
  [[nodiscard]] static Done unwatched(std::int64_t number, Placed& row, std::string_view gone = "its watcher is gone");
  // One below another base folder is looked at as one would who works there; nullptr: it is below this one.
  [[nodiscard]] Result<IssuesOnBoard*> elsewhere(const Record& record);
  // A run that goes on without a status; nullopt where it does not.
  [[nodiscard]] Result<std::optional<Placed>> without_its_status(std::int64_t number);
  [[nodiscard]] Result<std::vector<issue::Run>> cut_off();
  // One that was cut off: why it needs somebody, and what can be done.
  [[nodiscard]] Done see_cut_off(const issue::Run& run, Placed& row);
  [[nodiscard]] Done see_others(const Record& record, const std::optional<issue::Run>& run, Placed& row);
  // Whether it is known what would go on with it.
  [[nodiscard]] bool knows_agent(const std::optional<issue::Run>& run);
  [[nodiscard]] Result<std::optional<TmuxSession>> session_of(const Record& record,
                                                              const std::optional<issue::Run>& run);
  // nullopt: tmux does not say.
  [[nodiscard]] std::optional<bool> has_session(const Record& record, const std::optional<issue::Run>& run);
  [[nodiscard]] bool has_worktree(std::int64_t number, const std::string& known);
  // Whether it is known what a worktree of it is to be called.
  [[nodiscard]] Result<bool> is_titled(const RunBook& book, std::int64_t number, const std::optional<issue::Run>& run);

  struct Elsewhere;

  Engine& engine_;
  const View& view_;
  Sessions sessions_;
  std::map<std::string, std::unique_ptr<Elsewhere>> elsewhere_;  // by base folder
  bool any_runs_;                                                // has pawl run an issue here at all?
  std::optional<bool> agent_;                                    // is the one that is set to be found?
  std::optional<std::set<std::int64_t>> worktrees_;              // of which issues there is a folder
  std::optional<std::vector<issue::Run>> cut_off_;               // starts
};

}  // namespace pawl
