// Loops, with types: ralph, ultrawork and verification. Names and defaults are those of the TypeScript module whose
// files these are; a project is a Client. docs/formats/loop.md has the files.
//
//   auto state = pawl::create_ralph_state("s1", "make the tests pass");
//   pawl::write_ralph_state(client, state);
//   ++state.iteration;
//   pawl::update_ralph_state_iteration(client, state, "US-3");
//   pawl::mark_ralph_state_complete(client, state);
//
// A state that was read, or written before, has a revision: writing it is then checked against that revision, and
// refused with ErrorCode::conflict when somebody changed or cleared the loop meanwhile. A state with revision 0
// replaces what there is. A loop that has ended is never written active again: ErrorCode::illegal_move.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pawl/client.h"

namespace pawl {

struct RalphState {
  bool active = true;
  std::int64_t iteration = 0;
  std::int64_t max_iterations = 50;
  std::string completion_promise = "<promise>TASK_COMPLETE</promise>";
  std::string started_at;
  std::string prompt;
  std::string session_id;  // "": nobody's
  bool prd_mode = true;
  std::optional<std::string> current_story_id;
  std::string last_activity_at;

  std::string status;         // "active", "complete", "exhausted" or "cancelled"; only read
  std::int64_t revision = 0;  // 0: not read; writing replaces
};

RalphState create_ralph_state(const std::string& session_id, const std::string& prompt,
                              std::int64_t max_iterations = 50, bool prd_mode = true);
// The session's; "" for the only one there is. nullopt: there is none.
Result<std::optional<RalphState>> read_ralph_state(Client& client, const std::string& session_id = {});
Result<void> write_ralph_state(Client& client, RalphState& state);
// False: there was none.
Result<bool> clear_ralph_state(Client& client, const std::string& session_id = {});
// Sets the time of the last activity, and the story where one is given. Does not count: the caller does.
Result<void> update_ralph_state_iteration(Client& client, RalphState& state,
                                          const std::optional<std::string>& current_story_id = {});
Result<void> mark_ralph_state_complete(Client& client, RalphState& state);

struct UltraworkState {
  bool active = true;
  std::string started_at;
  std::string original_prompt;
  std::string session_id;
  std::int64_t reinforcement_count = 0;
  std::string last_checked_at;

  std::string status;  // "active" or "ended"; only read
  std::int64_t revision = 0;
  bool global = false;  // read from the copy that all projects share
};

UltraworkState create_ultrawork_state(const std::string& session_id, const std::string& original_prompt);
// The project's, else the copy that all projects share.
Result<std::optional<UltraworkState>> read_ultrawork_state(Client& client, const std::string& session_id = {});
Result<void> write_ultrawork_state(Client& client, UltraworkState& state, bool write_global = false);
Result<bool> clear_ultrawork_state(Client& client, bool clear_global = false, const std::string& session_id = {});
// One more reinforcement, and the time.
Result<void> update_ultrawork_state_checked(Client& client, UltraworkState& state);

struct VerificationState {
  bool pending = true;
  std::string original_task;
  std::string completion_claim;
  std::int64_t verification_attempts = 0;
  std::int64_t max_verification_attempts = 3;
  std::optional<std::string> oracle_feedback;
  std::optional<std::string> last_attempt_at;
  std::string session_id;

  std::string status;  // "pending", "approved" or "exhausted"; only read
  std::int64_t revision = 0;
};

VerificationState create_verification_state(const std::string& session_id, const std::string& original_task,
                                            const std::string& completion_claim, std::int64_t max_attempts = 3);
Result<std::optional<VerificationState>> read_verification_state(Client& client, const std::string& session_id = {});
Result<void> write_verification_state(Client& client, VerificationState& state);
Result<bool> clear_verification_state(Client& client, const std::string& session_id = {});
// One more attempt with its feedback; `pending` ends only with an approval.
Result<void> update_verification_attempt(Client& client, VerificationState& state, const std::string& feedback,
                                         bool approved);

}  // namespace pawl
