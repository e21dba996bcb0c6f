// The end of a session's transcript: what the agent said last, whether it did anything, and how full its context is.
// Claude Code writes a line of JSON for every piece of a message; a transcript may be hundreds of megabytes, and only
// its end is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::hook {

struct LastTurn {
  std::string text;          // of the last message of the agent's
  std::int64_t tokens = 0;   // in the context after it; 0 where that is not told
  bool used_a_tool = false;  // since somebody last said something to it
  bool found = false;        // a message of the agent's was there
};

// Of a transcript that is missing, damaged or another format's: not found.
[[nodiscard]] LastTurn read_last_turn(const std::string& path);

// The same of text, from its end; `whole`: there is nothing before it. Not `complete`: the beginning of the turn lies
// before the text.
struct TurnPart {
  LastTurn turn;
  bool complete = false;
};
[[nodiscard]] TurnPart last_turn_in(std::string_view text, bool whole);

// More than that is nearly full: a model's context is 200,000 tokens, or a million for those that are past it.
[[nodiscard]] bool is_nearly_full(std::int64_t tokens);

}  // namespace pawl::hook
