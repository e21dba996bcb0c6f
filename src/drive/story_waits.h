// Which of the stories on a board are next: those that `pawl story next` would give, in the order in which it would.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "drive/story_choice.h"
#include "engine/engine.h"
#include "engine/placed.h"

namespace pawl {

// Where a list names no dependency no document is read: a board of hundreds costs nothing more.
class WaitingStories {
 public:
  WaitingStories(const Engine& engine, const View& view, const Now& now)
      : engine_(engine), view_(view), now_(now), cycles_(view) {}

  // Moves one to where it is by its time, and one that is next to waiting where it waits for others, and says for what.
  [[nodiscard]] Done see(const Record& record, Placed& row);
  // Those that are next among all rows, in the order in which they are picked.
  [[nodiscard]] Done sort(std::vector<Placed>& rows);

 private:
  // Whether any story of its list could wait for another.
  [[nodiscard]] bool may_wait(const RecordId& id);
  [[nodiscard]] Done see_time(const Record& record, Placed& row);
  [[nodiscard]] Done see_others(const Record& record, Placed& row);

  const Engine& engine_;
  const View& view_;
  Now now_;
  DependencyCycles cycles_;
  std::map<std::string, bool> by_scope_;
};

}  // namespace pawl
