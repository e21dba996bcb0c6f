// Starts one run: the intent, the worktree, the session, the status, the watcher; and goes on where a command that did
// so has died.
//
//   intended ──> worktree made, files copied ──> session there ──commit──> status running, facts of the run ──> watcher
//      └ the run is kept as the one that is being started, until that commit ┘
#pragma once

#include <cstdint>
#include <string>

#include "integrations/git_worktree.h"
#include "integrations/tmux/tmux.h"
#include "runners/issue/room.h"
#include "runners/issue/run_book.h"
#include "runners/issue/run_issue.h"

namespace pawl {

// The issue's lock must be held.
class Starter {
 public:
  Starter(Engine& engine, issue::Run run, const Request& request, std::string self, bool resumed)
      : engine_(engine),
        book_(engine),
        run_(std::move(run)),
        request_(request),
        self_(std::move(self)),
        resumed_(resumed) {}

  // Commits the intent, does it, and commits what came of it.
  Result<Started> start(bool limited, const std::string& base);
  // Whether that failed because as many run as may.
  [[nodiscard]] const Room& room() const { return room_; }
  // The same from where a command that died had come to: this session is there.
  Result<Started> finish(const TmuxSession& session);

 private:
  Done plan(const std::string& base);
  Result<std::int64_t> intend(bool limited);
  Result<Json> act(const std::string& base);
  Done make_worktree(const std::string& base);
  Done unmake_worktree(const Error& why);
  Result<StartedSession> open_session();
  Done say_running();
  Result<Started> leave_running();

  Engine& engine_;
  RunBook book_;
  issue::Run run_;
  const Request& request_;
  std::string self_;
  bool resumed_;
  Room room_;
  MadeWorktree made_;
  std::optional<issue::Run> cut_off_;  // what an earlier command was about to start when it died
};

}  // namespace pawl
