// Which of the stories on a board are next: those that `pawl story next` would give, in the order in which it would.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/placed.h"
#include "lifecycles/story/rank.h"
#include "runners/story_choice.h"
#include "runners/story_list.h"

namespace pawl {

// Where a list names no dependency no document is read: a board of hundreds costs nothing more.
class WaitingStories {
 public:
  WaitingStories(const Engine& engine, const View& view, const Now& now)
      : engine_(engine),
        view_(view),
        now_(now),
        cycles_(view),
        in_files_(engine),
        tiers_(story::order(engine.settings())) {}

  // Moves one to where it is by its time, and one that is next to waiting where it waits for others, and says for what.
  [[nodiscard]] Done see(const Record& record, Placed& row);
  // Those that are next among all rows, the first `most` of them in the order in which they are picked.
  [[nodiscard]] Done sort(std::vector<Placed>& rows, std::size_t most);

 private:
  // Whether any story of its list could wait for another.
  [[nodiscard]] bool may_wait(const RecordId& id);
  [[nodiscard]] Done see_time(const Record& record, Placed& row);
  [[nodiscard]] Done see_others(const Record& record, Placed& row);

  const Engine& engine_;
  const View& view_;
  Now now_;
  DependencyCycles cycles_;
  StoryOrder in_files_;
  std::array<story::Tier, 4> tiers_;
  std::map<std::string, bool> by_scope_;
  const std::pair<const std::string, bool>* asked_ = nullptr;  // of these, the last
};

}  // namespace pawl
