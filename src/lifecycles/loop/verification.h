// The verification of a claim that a loop is done: pending until somebody approves it, or until the attempts have run
// out. One that ran out is exhausted, and never approved by that.
#pragma once

#include "base/clock.h"
#include "core/decide.h"
#include "core/lifecycle.h"
#include "lifecycles/loop/state_file.h"

namespace pawl::loop {

inline constexpr std::string_view kVerification = "verification";
inline constexpr std::int64_t kStandardAttempts = 3;
inline constexpr std::size_t kMaxFeedbackBytes = 262'144;

[[nodiscard]] const Machine& verification_machine();
[[nodiscard]] const Shape& verification_shape();
[[nodiscard]] const Lifecycle& verification_lifecycle();

struct StartVerification {
  std::string session;
  std::string task;
  std::string claim;
  std::int64_t max_attempts = kStandardAttempts;
  std::string request;    // what it is about, where somebody has a name for that: a loop's key
  std::int64_t made = 0;  // attempts, before its file was taken away; one is always left
};
[[nodiscard]] Json new_verification(const StartVerification& command);
// The folder among those of sessions in which the check of this session's loop (of nobody's: "") finds room where
// another verification has its place; and whether one is in such a folder: it is answered by its check, and by nobody
// else. A session has one loop under way, so there is one of each.
[[nodiscard]] std::string check_folder(std::string_view session);
[[nodiscard]] bool is_in_check_folder(const Record& verification);

struct AttemptVerification {
  std::string feedback;
  bool approved = false;
  // How many there are by the word of whoever asks; 0: as its file says, which anybody may write.
  std::int64_t max_attempts = 0;
};
[[nodiscard]] Result<Change> decide(const Record& current, const AttemptVerification& command, const Now& now);

// The loop that it was made for ends, however it does: nobody waits for an answer any more, nor has to do anything
// about a claim that was never found true. Nothing: it is another's, or was approved.
[[nodiscard]] Result<std::optional<Change>> ended_with(const Record& verification, std::string_view loop);

[[nodiscard]] bool is_exhausted(std::string_view status);
// It was made for the loop of this key, and the claim was not found true: the loop is not complete by its promise.
[[nodiscard]] bool is_unconfirmed(const Record& verification, std::string_view loop);
[[nodiscard]] std::int64_t max_attempts(const Json& doc);

}  // namespace pawl::loop
