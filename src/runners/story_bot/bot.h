// `pawl story run`: carries stories from pending to merged. Each iteration looks at what is on GitHub, takes the most
// urgent story and does what its tier says; a story that fails is put off and holds up no other. Everything it does
// outside is an effect (acts.h), and how far it came is noted in the story (lifecycles/story/bot_note.h): killed at any
// point, the next run goes on. Several share the work by claims.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runners/story_bot/left.h"
#include "runners/story_bot/tools.h"

namespace pawl {

struct BotPlan {
  std::int64_t max = 0;     // so many stories are worked on; 0: any number
  bool until_idle = false;  // end when nothing can be done now
  std::int64_t for_ms = 0;  // 0: any time
};

enum class BotEnd { idle, maximum, time, stopped };

struct BotRan {
  BotEnd end = BotEnd::idle;
  std::int64_t iterations = 0;
  std::int64_t failures = 0;
  StoriesLeft left;
  int stop_signal = 0;
};

[[nodiscard]] Result<BotRan> run_story_bot(BotTools& tools, const Request& request, const BotPlan& plan);

// What it would do now, a line each; nothing is changed, here or anywhere.
[[nodiscard]] Result<std::vector<std::string>> dry_run(BotTools& tools);

}  // namespace pawl
