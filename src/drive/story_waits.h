// Which of the stories on a board are not next because they wait for others.
#pragma once

#include <map>
#include <string>

#include "drive/story_choice.h"
#include "engine/engine.h"
#include "engine/placed.h"

namespace pawl {

// Where a list names no dependency no document is read: a board of hundreds costs nothing more.
class WaitingStories {
 public:
  WaitingStories(const Engine& engine, const View& view) : engine_(engine), view_(view), cycles_(view) {}

  // Moves one that is next to waiting where it waits, and says for what.
  [[nodiscard]] Done see(const Record& record, Placed& row);

 private:
  // Whether any story of its list could wait for another.
  [[nodiscard]] bool may_wait(const RecordId& id);

  const Engine& engine_;
  const View& view_;
  DependencyCycles cycles_;
  std::map<std::string, bool> by_scope_;
};

}  // namespace pawl
