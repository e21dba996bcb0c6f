// Taking away a worktree that is done with, and its branch, whoever made them: work that nobody else has stops it; put
// out of the way it stays in the repository. Each step can be taken up again after any interruption.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "integrations/git_work.h"

namespace pawl {

inline constexpr std::string_view kWorktreeEffect = "worktree removal";
inline constexpr std::string_view kInStash = "pawl: ";    // before what was put there, and whose it is
inline constexpr std::string_view kLeaving = "-leaving";  // behind the name of a worktree that is about to go

struct RemovalOptions {
  bool force = false;   // put work aside, and go on
  bool branch = false;  // the branch too, also when it is not merged
  bool dry_run = false;
  Request request;
};

struct Cleaned {
  std::vector<std::string> did;  // sentences: what was done, or would be
  WorkLeft work;                 // what stopped it
  bool stopped = false;
  IgnoredFiles ignored;  // what went with the worktree, or would
};

// Files that whoever made the worktree has put into it: not anybody's work while they are the same.
struct PutThere {
  std::vector<std::string> same, changed;
};

struct RemovalTask {
  RecordId record;    // what it was made for
  std::string name;   // "issue-42": under refs/pawl/
  std::string title;  // "issue 42": in the stash
  std::string maker;  // "pawl issue run"
  std::string repository;
  std::optional<Worktree> worktree;
  std::string branch, made_branch;
  std::vector<std::string> targets;  // branches that its work is merged into
  std::vector<std::string> bases;    // commits and branches that count as kept
  bool is_in = false;                // its work is in the base, though maybe by other commits, as a squash makes them
  std::function<Result<PutThere>(const Worktree&)> put_there = {};
  std::function<Done(const Worktree&, const std::vector<std::string>& files)> keep_changed = {};
};

class WorktreeRemoval {
 public:
  WorktreeRemoval(Engine& engine, RemovalTask task, const RemovalOptions& options, Cleaned& out)
      : engine_(engine), task_(std::move(task)), options_(options), out_(out) {}

  [[nodiscard]] Result<WorkLeft> work() const;
  // What stands in the way is in `out.work`. False: something cannot be put aside, or came in meanwhile.
  [[nodiscard]] Result<bool> put_work_aside();
  // It is moved aside first, so that whoever still writes by its name does not find it, and looked at once more. False:
  // there is work in it after all, and it is where it was.
  [[nodiscard]] Result<bool> remove_worktree();
  [[nodiscard]] Done remove_branch();

 private:
  Result<bool> is_still_without_work();
  Done forget_gone();
  Done take_away();
  void tell_ignored();
  [[nodiscard]] std::string stamp() const { return std::to_string(engine_.clock().now().wall_ms); }
  void did(std::string sentence) { out_.did.push_back(std::move(sentence)); }

  Engine& engine_;
  RemovalTask task_;
  const RemovalOptions& options_;
  Cleaned& out_;
  std::string kept_;  // the commit that was given a name
};

// Removals of this record's that a command had begun when it died: it is put down what came of them.
[[nodiscard]] Done close_removals(Engine& engine, const RecordId& record);
[[nodiscard]] Result<std::optional<Json>> what_came_of_removal(const Effect& effect);

}  // namespace pawl
