// What can be seen of a run from outside: its session, what it said, the signal files. One look, without waiting.
#pragma once

#include <optional>
#include <vector>

#include "engine/engine.h"
#include "lifecycles/issue/run.h"
#include "runners/issue/recorder.h"
#include "runners/issue/run_book.h"
#include "runners/issue/sessions.h"
#include "runners/issue/signal_file.h"

namespace pawl {

struct RunSight {
  issue::Seen seen;
  std::optional<Recorded> recorded;
  bool recorder_lives = false;
  Signals signals;
  bool pane_lives = false;  // true without a look at tmux while the recorder lives
};

// `gap`: the recorder is a new one, and what came just before it is only on the screen.
[[nodiscard]] Result<RunSight> sight_of(Engine& engine, const issue::Run& run, bool gap = false);

// The record of an issue, with its file taken into account.
[[nodiscard]] Result<Record> read_issue(Engine& engine, std::int64_t number);
[[nodiscard]] Result<std::vector<Record>> read_issues(Engine& engine);

}  // namespace pawl
