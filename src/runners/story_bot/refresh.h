// What became of a story's pull request: merged, closed, done elsewhere, ready to be merged, or somebody's turn.
// Merging comes first, whoever went last.
#pragma once

#include <optional>
#include <string>

#include "runners/story_bot/acts.h"
#include "runners/story_bot/hold.h"
#include "runners/story_bot/tools.h"

namespace pawl {

struct Refreshed {
  std::string line;   // what was found or done, for people; empty: nothing new
  bool over = false;  // the story has ended
  story::PullFacts facts;
  story::Turn turn;
};

[[nodiscard]] Result<Refreshed> refresh_story(BotTools& tools, const StoryActs& acts, const Hold& hold);
// Of one that is held or paused: only whether its pull request is over.
[[nodiscard]] Result<Refreshed> watch_story(BotTools& tools, const StoryActs& acts, const Hold& hold);
// What it would do, for --dry-run.
[[nodiscard]] Result<std::string> foresee(BotTools& tools, const Record& story);

}  // namespace pawl
