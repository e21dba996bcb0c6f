// Taking away what a story that has ended has left: its worktree and its branch, as `pawl issue cleanup` does it
// (runners/worktree_removal.h). The story itself stays in its list.
#pragma once

#include <optional>
#include <string>

#include "runners/worktree_removal.h"

namespace pawl {

struct CleanedStory : Cleaned {
  std::string id;
};

// A story that was dropped, as it was until then; nothing: it is there, or never was.
[[nodiscard]] Result<std::optional<Record>> as_dropped(const View& view, const RecordId& id);

// gate_failed: the story goes on, and its worktree is needed; busy: a worker has it.
[[nodiscard]] Result<CleanedStory> clean_up_story(Engine& engine, const Record& story, const RemovalOptions& options);

// Does it have a worktree or a branch that the bot made?
[[nodiscard]] Result<bool> has_left_something(Engine& engine, const Record& story);

// Is what the bot made for it merged, by what git knows? False where it made nothing, or all of that is gone.
[[nodiscard]] Result<bool> is_merged_in_git(Engine& engine, const Record& story);

}  // namespace pawl
