// Starting, resuming and stopping the work on an issue: worktree, session, status, watcher.
//
// Starting a session is an act in the world (engine/effects.h): the intent is committed with the run's id, the session
// carries the id, and the result is committed. A command that died in between is found by that id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "lifecycles/issue/run.h"
#include "runners/issue/sight.h"
#include "runners/worktree_removal.h"

namespace pawl {

struct StartOptions {
  std::int64_t number = 0;
  std::string title;
  std::string branch;  // "" : by issue::branch_name
  std::string base;
  std::vector<std::string> command;  // none: the settings'
  bool watch = true;
  bool again = false;  // one that has ended
  bool wait = false;   // where too many are running
  Request request;
  std::string self;
};

struct Started {
  issue::Run run;
  bool already = false;                 // it was running
  std::optional<issue::Verdict> ended;  // of a resume: it had ended while nobody watched
};

[[nodiscard]] Result<Started> start_issue(Engine& engine, const StartOptions& options);

// A new session in the old worktree, where the session is lost; the agent is told that it resumes.
[[nodiscard]] Result<Started> resume_issue(Engine& engine, std::int64_t number, const Request& request,
                                           const std::string& self);
// Those that were running and whose session is lost. `left`: a line on each of the others that has a run and is not
// complete, why it is none of them.
[[nodiscard]] Result<std::vector<std::int64_t>> lost_issues(Engine& engine, std::vector<std::string>& left);

struct Stopped {
  Record record;
  std::string session;  // that was ended; "" when there was none
};
// Ends the session, and says that somebody wanted it so.
[[nodiscard]] Result<Stopped> stop_issue(Engine& engine, std::int64_t number, const Request& request);

// The issue's worktree: the one its run is in, else the one that is called after it. Empty: it has none.
[[nodiscard]] Result<std::string> worktree_of(Engine& engine, std::int64_t number);
// Whether a title must be asked for: nothing that is there tells what the worktree is called.
[[nodiscard]] Result<bool> needs_title(Engine& engine, std::int64_t number);

}  // namespace pawl
