// The end of a session's transcript: what the agent said last, whether it did anything, and how full its context is.
// Claude Code writes a line of JSON for every piece of a message; a transcript may be hundreds of megabytes, and only
// its end is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::hook {

// What the agent said in the midst of its turn, and when.
struct Said {
  std::string text;
  std::int64_t at_ms = 0;
};

struct LastTurn {
  std::string text;  // of the last message of the agent's
  std::optional<std::int64_t> at_ms = {};
  std::vector<Said> earlier;  // of those before it in the same turn, as far as it is told when they were said
  std::int64_t tokens = 0;    // in the context after it; 0 where that is not told
  bool used_a_tool = false;   // since somebody last said something to it
  bool found = false;         // a message of the agent's was there
};

// Of a transcript that is missing, damaged or another format's: not found.
[[nodiscard]] LastTurn read_last_turn(const std::string& path);

// Did the agent give the promise of a loop that began then? What it said before a loop began is none of that loop's.
[[nodiscard]] bool promised_since(const LastTurn& turn, std::string_view promise, std::optional<std::int64_t> began_ms);

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
