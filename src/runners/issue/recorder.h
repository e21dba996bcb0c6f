// Keeps what a session prints: the newest of it in a capped log, and all that its markers say. tmux pipes the agent's
// pane to it, so it lives as long as the pane does, whether anybody watches or not: no marker scrolls by unseen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/process.h"
#include "base/result.h"
#include "lifecycles/issue/marker.h"

namespace pawl {

inline constexpr std::int64_t kRecorderStartMs = 5'000;  // how long one may take to say that it is there

// What the recorder has put down (said.json); read by whoever watches.
struct Recorded {
  issue::Said said;
  ProcessIdentity recorder;     // who keeps the output
  bool recorder_lives = false;  // unless it is seen to have ended
  bool ended = false;           // the pane is closed, and this is all that it said
  std::int64_t ended_ms = 0;    // when; 0 while it has not
};

[[nodiscard]] Result<std::optional<Recorded>> read_recorded(const std::string& folder);

// Behind which place in the output all of it was said.
[[nodiscard]] std::int64_t last_place(const issue::Said& said);

// What counts as said before anybody kept the output: for the recorder to go on from.
[[nodiscard]] Done write_said_before(const std::string& folder, const issue::Said& said);

// What a whole text says, such as a screen's: as the recorder of that folder would have read it.
[[nodiscard]] Result<issue::Said> said_in(std::int64_t number, const std::string& folder, std::string_view text);

// Reads `input` to its end. The folder is the run's; what its file `prompt` says may come back as an echo.
[[nodiscard]] Done record_output(std::int64_t number, const std::string& folder, int input);

}  // namespace pawl
