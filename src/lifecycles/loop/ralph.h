// A ralph loop: an agent is given the same prompt again and again until it has done what it promised. Active, complete,
// exhausted (the maximum was reached) or cancelled; an end is an end. Pure; the file is state_file.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "core/decide.h"
#include "core/lifecycle.h"
#include "lifecycles/loop/state_file.h"

namespace pawl::loop {

inline constexpr std::string_view kRalph = "ralph";
inline constexpr std::string_view kCancelled = "cancelled";
inline constexpr std::string_view kStandardPromise = "<promise>TASK_COMPLETE</promise>";
inline constexpr std::int64_t kStandardIterations = 50;
inline constexpr std::size_t kMaxPromptBytes = 262'144;
inline constexpr std::size_t kMaxPromiseBytes = 4'096;
inline constexpr std::size_t kMaxStoryBytes = 1'024;

[[nodiscard]] const Machine& ralph_machine();
[[nodiscard]] const Shape& ralph_shape();
[[nodiscard]] const Lifecycle& ralph_lifecycle();

struct StartRalph {
  std::string session;  // "": nobody's
  std::string prompt;
  std::int64_t max_iterations = kStandardIterations;
  bool prd_mode = true;
  std::string promise{kStandardPromise};
};
// The document of a new loop, in the order of the seed's interface, `active` left out.
[[nodiscard]] Json new_ralph(const StartRalph& command, const Now& now);

// One more iteration; at the maximum the loop is exhausted instead.
struct TickRalph {
  std::optional<std::string> story;
};
[[nodiscard]] Result<Change> decide(const Record& current, const TickRalph& command, const Now& now);

// The story that the next iteration is about.
struct WorkOnStory {
  std::string story;
};
[[nodiscard]] Result<Change> decide(const Record& current, const WorkOnStory& command, const Now& now);

// Another maximum for one that goes on.
struct LimitRalph {
  std::int64_t max_iterations = kStandardIterations;
};
[[nodiscard]] Result<Change> decide(const Record& current, const LimitRalph& command, const Now& now);

// Its runner stops, and it is not at its end: nothing of it changes but when it was last heard of, and the word is
// there.
struct LeaveRalph {
  std::string why;
};
[[nodiscard]] Result<Change> decide(const Record& current, const LeaveRalph& command, const Now& now);

// Under this name in the store is what checks whether it is done (runners/loop_check.h), and as long as there is one no
// file says that it is.
[[nodiscard]] std::string check_name(const RecordId& loop);

// With the iteration in which it was done, where somebody counts: it has ended like the ones before it.
struct CompleteRalph {
  std::optional<std::int64_t> iteration = std::nullopt;
  bool unchecked = false;     // the loop has a check that was not asked
  bool record_gates = false;  // gates = "record": then that is marked, but for the agent of a run, which asks it next
  bool driven = false;        // by a run that is under way
};
[[nodiscard]] Result<Change> decide(const Record& current, const CompleteRalph& command, const Now& now);

// What is under way; one that came to another end stays what it is.
struct CancelRalph {
  std::string reason;
};
[[nodiscard]] Result<Change> decide(const Record& current, const CancelRalph& command, const Now& now);

// The loop goes over to another session. It is another record then, as a loop's session is part of what it is; the
// one that it was has ended, and does not come back when its session writes it again.
struct OwnRalph {
  std::string session;
};
[[nodiscard]] Result<std::vector<Change>> decide(const Record& current, const Record& theirs, const OwnRalph& command,
                                                 const Now& now);
[[nodiscard]] RecordId owned_id(const Record& current, std::string_view session, std::span<const Record> loops = {});

// What the agent is told, under whichever name a tool keeps it.
[[nodiscard]] std::string prompt_of(const Json& doc);
// The maximum that counts: 50 where none stands, and nothing (0) where a tool wrote one that is not positive.
[[nodiscard]] std::int64_t max_iterations(const Json& doc);
// What ends it when the agent says it. A file that does not speak of one means the standard one, as with the maximum;
// one that says null or nothing means none.
[[nodiscard]] std::string promise_of(const Json& doc);
[[nodiscard]] bool at_maximum(const Json& doc);
// How far a loop is, said alike wherever it is said: "iteration 3/50". Those count that have ended.
[[nodiscard]] std::string how_far(const Json& doc);
[[nodiscard]] std::string how_far(std::int64_t iteration, const Json& doc);
[[nodiscard]] bool is_complete(std::string_view status);
// Under way, and told so by a status of its own.
[[nodiscard]] bool is_active(const Record& record);

}  // namespace pawl::loop
