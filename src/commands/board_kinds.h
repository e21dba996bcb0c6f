// What a board can tell of a record beyond its own document: whether a process lives, what a list waits for, what is
// not known yet. Each kind's look is a row of one table (board_kinds.cc); a kind that has none stands as its lifecycle
// says.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/placed.h"
#include "lifecycles/pr/pr.h"
#include "runners/issue/on_board.h"
#include "runners/story_waits.h"

namespace pawl {

struct KindLook;

// For one look at the store: what is found out for one row is known for the next.
class BoardKinds {
 public:
  BoardKinds(Engine& engine, const View& view, const Now& now);

  // Puts a row elsewhere, and says why. Its document may be in the store yet; on a measured path.
  [[nodiscard]] Done see(const Record& record, Placed& row);
  // What is next in the order in which it would be picked; only so many of them are shown.
  [[nodiscard]] Done sort(std::vector<Placed>& rows, std::size_t most_next);
  // Of a row that is shown, and whole: what it says to type is something that can be done.
  [[nodiscard]] Done advise(Placed& row);
  // What is under way and has no record that says so.
  [[nodiscard]] Result<std::vector<Placed>> without_record();

  // What the looks share.
  Engine& engine;
  const View& view;
  const Now now;
  IssuesOnBoard issues;
  WaitingStories stories;
  const pr::Rules rules;

 private:
  [[nodiscard]] const KindLook* look_of(const std::string& kind);

  std::string kind_;                // that was asked for last: rows come kind by kind
  const KindLook* look_ = nullptr;  // of it
};

}  // namespace pawl
