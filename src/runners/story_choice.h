// Which story is to be worked on next: the most urgent tier, in it the lowest priority, then the one that was looked at
// least recently, then the order of the file; of these the first that no other worker holds and that waits for no
// other. Seeks in the index of ranks (lifecycles/story/rank.h), so that it costs the same among a thousand and a
// million.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/doctor.h"
#include "engine/engine.h"
#include "lifecycles/story/depends.h"
#include "lifecycles/story/rank.h"

namespace pawl {

struct StoryChoice {
  std::optional<Record> story;
  story::Tier tier = story::Tier::none;
  // Why others, or all, were passed over.
  std::vector<std::vector<std::string>> cycles;              // each back to its first id, if it is not too long
  std::map<std::string, std::vector<std::string>> waiting;   // id → the ids it waits for
  std::map<std::string, std::vector<std::string>> nameless;  // id → ids that it waits for and nobody has
  std::map<std::string, std::string> held;                   // id → the worker that has it
  std::optional<std::int64_t> due_ms;                        // the first of those that are left alone until a time
  bool paused = false;                                       // some are, or are held for a word that is no status
};

// What a story that has not ended waits for: ids of stories of its file that have not ended either. Those that nobody
// has go to `nameless`, and nobody waits for them.
[[nodiscard]] Result<std::vector<std::string>> open_dependencies(const View& view, const Record& story,
                                                                 std::vector<std::string>* nameless = nullptr);
// Stories that wait for each other, on the way from one. What was found of one list is remembered: to ask about all of
// them costs each a look, and not each its whole way.
class DependencyCycles {
 public:
  explicit DependencyCycles(const View& view) : view_(view) {}
  [[nodiscard]] Result<std::shared_ptr<const story::Cycle>> from(const Record& story);

 private:
  const View& view_;
  std::map<std::string, story::KnownCycles> known_;  // by scope
};

// What no story's worker could mend: dependencies that go in a circle, or name what nobody has.
[[nodiscard]] Done look_at_dependencies(const View& view, std::vector<Finding>& findings);

// `worker`: may have what it holds already; "" holds nothing.
[[nodiscard]] Result<StoryChoice> choose_story(const Engine& engine, const View& view, const Now& now,
                                               const std::string& worker);

}  // namespace pawl
