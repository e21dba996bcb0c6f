// Taking an operation back by a new one. What it did to the world is listed, not undone.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/engine.h"
#include "engine/undo_files.h"

namespace pawl {

// In an event's evidence: the operation that intended what this one stands for, so that undo can name that too.
inline constexpr const char* kActedIn = "acted_in";

struct Undone {
  Operation operation;          // the one that was taken back
  std::vector<Change> changes;  //
  std::vector<Effect> effects;  // these stay in the world
  std::vector<FileBack> files_back;
  std::int64_t by = 0;  // the operation that did it
  Json answer;          // what `answer` made of it; the first one again where an idempotency key was known
};

// Without an id: the newest operation that stands, so that asking again goes further back.
// conflict: a later operation stands on it; it is named. `dry_run`: only what it would come to; nothing is written.
[[nodiscard]] Result<Undone> undo(Engine& engine, const Request& request, std::optional<std::int64_t> operation,
                                  const std::function<Json(const Undone&)>& answer = {}, bool dry_run = false);

}  // namespace pawl
