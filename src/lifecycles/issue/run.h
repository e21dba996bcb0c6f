// A run: one time that an agent works on an issue in a terminal session. What is known of it, when it may begin, and
// how it ended. Pure; the session itself is integrations/tmux, what drives it runners/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "core/record.h"
#include "lifecycles/issue/marker.h"

namespace pawl::issue {

inline constexpr std::string_view kSessionGone = "Session unexpectedly terminated";
inline constexpr std::string_view kStopped = "Stopped";
inline constexpr std::string_view kNoProgram = "the agent's program ";  // with what is wrong with it behind

struct Run {
  std::int64_t number = 0;
  std::string id;           // unguessable; the session carries it, so that it is found again after a crash
  std::string title;        // "" when nobody told
  std::string branch;       // "" for a session that pawl did not start
  std::string base;         // what the branch began at
  std::string begins_at;    // what its branch is to begin at, as it was said; while it is being started
  std::string made_branch;  // the branch that was made for the issue; "" when it was there before
  std::string worktree;
  bool made_worktree = false;        // for the issue; not where it was there before
  std::string session;               // its name in tmux
  std::string socket;                // of the tmux server
  std::string pane;                  // "%3": where the agent is
  std::vector<std::string> command;  // before anything is filled in
  std::int64_t started_ms = 0;
  std::int64_t resumes = 0;
  std::vector<std::string> earlier;           // ids of the runs that it goes on from, oldest first: their output stays
  bool watch = true;                          // somebody is to watch it
  bool unready = false;                       // while it is being started: files are still to be copied in
  std::optional<std::int64_t> watched_from;   // markers before this many bytes of output do not count
  std::string ended;                          // "" while it runs; else complete, error, ended, lost or stopped
  std::int64_t revision = 0;                  // of the status when this run was put down; 0: not known
  bool adopted = false;                       // the session was somebody else's
  std::string seal;                           // that the command was given on this machine (runners/issue/run_seal.h)
  std::map<std::string, std::string> copied;  // file → what its content was, to tell whether it was changed

  [[nodiscard]] Json json() const;
  static Run from(const Json& json);
};

// Makes of what is known of a run the next one of the same work, which goes on from it.
void go_on_as(Run& run, std::string id);

// How a run can have ended, besides by its markers: the agent ended by itself, or the session was lost with it.
inline constexpr std::string_view kEnded = "ended", kLost = "lost", kStoppedByHand = "stopped";

// --- whether a run is the one that a running status speaks of ---

// What has happened to the status, as its history tells.
struct StatusPast {
  std::int64_t became_running = 0;  // the revision at which it last did; 0: not known
  std::int64_t said_again_ms = 0;   // when somebody last said so of one that was running; 0: nobody did
  std::int64_t said_again = 0;      // at which revision
};

// The status says running, and yet not of this run: it has ended, its status was another in between, or somebody has
// said anew that it is running after the run's output had ended (`output_ended_ms`; 0: it has not, or nobody knows).
// What a run printed that is over says nothing about what runs now.
[[nodiscard]] bool is_over(const Run& run, const StatusPast& past, std::int64_t output_ended_ms);

// --- what ends a run, in this order: two signal files, two markers, the loss of the session ---

struct Seen {
  std::optional<std::string> signal_complete, signal_error;  // the content of the signal files
  Said said;
  std::int64_t watched_from = 0;
  bool gone = false;        // the session is not there any more, and all of its output was read
  std::optional<int> exit;  // of the agent, as its shell noted it; not there where both were cut off
};

struct Verdict {
  std::string status;   // of the machine
  std::string message;  // of an error
  std::string why;      // for the log
  std::string ended;    // for the run
};

// nullopt: it goes on.
[[nodiscard]] std::optional<Verdict> judge(const Seen& seen);

// The status that markers speak of which were there before anybody watched, and so do not count; "" where there are
// none, or one that counts.
[[nodiscard]] std::string_view told_too_early(const Said& said, std::int64_t watched_from);

// --- when a run may begin ---

// Refuses where so many are under way already: those that run, and those that are being started. 0: no limit.
[[nodiscard]] Done check_limit(const std::vector<std::int64_t>& under_way, std::int64_t limit);

// "3, 7, 12 and 40 more"
[[nodiscard]] std::string some_numbers(const std::vector<std::int64_t>& numbers);

// Refuses `{title}` and what else others may have written where it could be read as a program or an option
// (core/placeholder.h).
[[nodiscard]] Done check_command(const Run& run);

[[nodiscard]] std::string prompt_for(const Run& run, std::string_view wanted, bool resumed);

}  // namespace pawl::issue
