// Markers: how an agent says in its terminal that it is done or has failed. Pure: bytes in, what they say out.
//
//   ###TASK_COMPLETE_42###   ###TASK_ERROR_42###   ###PHASE_COMPLETE_42###      the two words in either order
//
// A marker counts where it stands alone on its line: what agents' screens put around a line (bullets, frames) is not
// counted as text, a prompt sign is. So a mention is none, and neither is what a person types at a prompt. It does not
// count in a code fence, nor where the text around it is that of the prompt which the agent was started with. One that
// a narrow screen has broken into two lines counts. What follows an error marker on the next line is its message.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/terminal_lines.h"

namespace pawl::issue {

inline constexpr std::string_view kUnknownError = "Unknown error";

// What the output has said so far. Offsets count bytes from the beginning of the output.
struct Said {
  std::optional<std::int64_t> complete, error, phase;  // the last of each
  std::string message;                                 // of the last error; "" while its line has not come
  bool message_open = false;                           // it may still come
  std::int64_t completes = 0, errors = 0;              // how many

  bool operator==(const Said&) const = default;
};

class MarkerReader {
 public:
  // `prompt`: what the agent was told, which its screen may repeat.
  MarkerReader(std::int64_t number, std::string_view prompt, Said before = {}, std::int64_t offset = 0);

  // A line that is the issue's title is no marker, even one that looks like it: others write titles, and the agent
  // prints them.
  void leave_out(std::string_view title);

  void feed(std::string_view bytes);
  // Nothing has come for a moment: a line that was not ended counts as it stands.
  void pause();
  // The line after an error marker has been waited for long enough.
  void close_message();
  // Nothing more will come.
  void end();

  [[nodiscard]] const Said& said() const { return said_; }
  // Whether pause() could tell something new.
  [[nodiscard]] bool waiting() const;

 private:
  enum class Kind : std::uint8_t { complete, error, phase };
  struct Marker {
    Kind kind;
    std::string text;
  };
  void see_line(std::string_view line, bool cut);
  void note(Kind kind);
  [[nodiscard]] const Marker* marker_in(std::string_view bare) const;
  [[nodiscard]] bool is_echo() const;
  bool see_fence(std::string_view bare);
  [[nodiscard]] bool begins_marker(std::string_view bare) const;

  TerminalLines lines_;
  std::vector<Marker> markers_;
  std::vector<std::string> before_in_prompt_;  // the line before each marker that the prompt has
  std::vector<std::string> words_before_;      // those before each marker that the prompt has inside of a sentence
  Said said_;
  std::int64_t offset_ = 0;
  std::string previous_;  // the last line with text on it
  std::string broken_;    // the beginning of a marker, if the last line was nothing else
  bool early_ = false;    // the unfinished line was counted by pause()
  char fence_ = 0;        // '`' or '~' inside of one
  std::size_t fence_size_ = 0, fence_lines_ = 0;
};

// The message of an error as it is kept: one line without escapes, 200 characters at most; "Unknown error" for none.
[[nodiscard]] std::string error_message(std::string_view line);

// A line without the bullets, frames and blanks that a screen puts around it.
[[nodiscard]] std::string_view bare_line(std::string_view line);

}  // namespace pawl::issue
