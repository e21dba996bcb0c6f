// Which terminal session belongs to which run. A session that pawl has started, or has begun to watch, carries the
// run's id: by that it is known, whatever its name and whatever a status says. One without an id was started by a
// script; it belongs to an issue here where it is called as the status says and was started in this project, as other
// projects have issues of the same numbers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "integrations/tmux/tmux.h"
#include "lifecycles/issue/run.h"
#include "runners/issue/run_book.h"

namespace pawl {

// The sessions of all servers that runs are on; each server is asked once, so it is for one look.
class Sessions {
 public:
  explicit Sessions(Engine& engine, int patience_ms = Tmux::kPatienceMs) : engine_(engine), patience_ms_(patience_ms) {}

  // Whether a server is there at all, without starting tmux.
  [[nodiscard]] bool listens(const std::string& socket);
  // unavailable, where tmux is not installed, counts as no session; busy, where it does not answer, does not.
  [[nodiscard]] Result<std::vector<TmuxSession>> on(const std::string& socket);
  // The session that carries the run's id.
  [[nodiscard]] Result<std::optional<TmuxSession>> find(const issue::Run& run);
  [[nodiscard]] Result<bool> has(const issue::Run& run);
  // The one of this project that is called after the issue: a script's, or one whose run is not known any more.
  [[nodiscard]] Result<std::optional<TmuxSession>> called_after(std::int64_t number);
  // The one that a script has started in this project under a name that a status gives.
  [[nodiscard]] Result<std::optional<TmuxSession>> by_script(std::string_view name);
  // The session that the status speaks of, in this order.
  [[nodiscard]] Result<std::optional<TmuxSession>> of(const Record& record, const std::optional<issue::Run>& run);
  // The one that may be ended with the issue. Statuses are written by everybody, so a name in one is not enough.
  [[nodiscard]] Result<std::optional<TmuxSession>> to_end(std::int64_t number, const std::optional<issue::Run>& run);

 private:
  Engine& engine_;
  int patience_ms_;
  std::map<std::string, Result<std::vector<TmuxSession>>> known_;
  std::map<std::string, bool> listens_;
};

// Whether a session is this project's; also one that was started before the project was moved here.
[[nodiscard]] bool is_of_project(const Engine& engine, const TmuxSession& session);

// The session of a run whose start was cut off before its status said so.
struct CutOff {
  issue::Run run;
  TmuxSession session;
};
[[nodiscard]] Result<std::optional<CutOff>> find_cut_off(Engine& engine, std::int64_t number);

// Is it the very session of the run? Where that has ended and its status says running again (the end was undone, or
// corrected by hand), it goes on as the same run.
[[nodiscard]] bool carries(const std::optional<TmuxSession>& session, const std::optional<issue::Run>& run);

// The status names another session, which a script has started, and the run's own is gone: the work goes on there.
[[nodiscard]] Result<bool> has_moved(Engine& engine, const Record& record, const issue::Run& run);

// conflict: this command runs in the issue's own session, and would end with it halfway.
[[nodiscard]] Done check_outside(Engine& engine, std::int64_t number);

// conflict: asked for a session that was not found, tmux knew nothing, and yet whoever keeps its output still has it.
// Its server lives and cannot be reached: a second agent in the same worktree, or taking it away, would cost work.
// Waits a moment for its last words.
[[nodiscard]] Done check_gone(Engine& engine, const issue::Run& run);

}  // namespace pawl
