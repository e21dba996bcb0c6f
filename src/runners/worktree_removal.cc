#include "runners/worktree_removal.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/text.h"
#include "engine/effects.h"

namespace pawl {
namespace {

constexpr std::string_view kIgnored = "!! ";

}  // namespace

Result<WorkLeft> WorktreeRemoval::work() const {
  if (!task_.worktree) return WorkLeft{};
  const Worktree& worktree = *task_.worktree;
  PutThere there;
  if (task_.put_there && !worktree.gone) {
    PAWL_ASSIGN(there, task_.put_there(worktree));
  }
  PAWL_ASSIGN(WorkLeft left, git_work_left(task_.repository, worktree, task_.bases, there.same));
  if (worktree.locked)
    left.by_hand.push_back(cat("it is locked", worktree.locked->empty() ? "" : cat(" (", *worktree.locked, ")"),
                               ": git worktree unlock ", worktree.path));
  for (const std::string& file : there.changed) {
    const auto is_it = [&](const std::string& line) { return line.size() > 3 && line.substr(3) == file; };
    if (std::none_of(left.uncommitted.begin(), left.uncommitted.end(), is_it))
      left.uncommitted.push_back(cat(kIgnored, file));  // git ignores it, and it was changed since it was copied
  }
  return left;
}

Result<bool> WorktreeRemoval::put_work_aside() {
  WorkLeft& left = out_.work;
  if (!left.can_be_put_aside()) return false;
  std::vector<std::string> ignored;
  for (const std::string& line : left.uncommitted) {
    if (line.starts_with(kIgnored)) ignored.push_back(line.substr(kIgnored.size()));
  }
  if (options_.dry_run) {
    if (left.uncommitted.size() > ignored.size()) did("what is not committed would go into git's stash");
    for (const std::string& file : ignored) did(cat(file, " would be kept in .pawl/kept"));
    if (!left.unpushed.empty()) did("its commits would get a name under refs/pawl/");
    return true;
  }
  if (!ignored.empty()) PAWL_TRY(task_.keep_changed(*task_.worktree, ignored));
  if (left.uncommitted.size() > ignored.size()) {
    PAWL_TRY(git_unhide(task_.worktree->path, left.hidden));
    PAWL_ASSIGN(const std::string commit,
                git_stash(task_.worktree->path, cat(kInStash, task_.title, ", ", task_.branch)));
    did(cat("what was not committed is in git's stash, as ", commit.substr(0, 12), ": git stash list"));
  }
  if (!left.unpushed.empty()) {
    PAWL_ASSIGN(kept_, git_commit_of(task_.worktree->path, "HEAD"));  // the agent may have gone on since
    PAWL_ASSIGN(const std::string ref, git_keep(task_.repository, kept_, cat(task_.name, "/", stamp())));
    did(cat("its commits are kept as ", ref));
  }
  return is_still_without_work();
}

// But for commits that have a name now.
Result<bool> WorktreeRemoval::is_still_without_work() {
  PAWL_ASSIGN(out_.work, work());
  if (!out_.work.can_be_put_aside() || !out_.work.uncommitted.empty()) return false;
  if (out_.work.unpushed.empty()) return true;
  return !kept_.empty() && git_commit_of(task_.worktree->path, "HEAD") == kept_;
}

// Of a folder that somebody has removed git still knows the commit; nothing else may lead to it.
Done WorktreeRemoval::forget_gone() {
  const bool unborn = task_.worktree->head.find_first_not_of('0') == std::string::npos;
  PAWL_ASSIGN(const bool kept, unborn ? Result<bool>(true) : git_is_kept(task_.repository, task_.worktree->head));
  if (!kept && options_.dry_run) did("the commit that it was at would get a name under refs/pawl/");
  if (!kept && !options_.dry_run) {
    PAWL_ASSIGN(const std::string ref, git_keep(task_.repository, task_.worktree->head, cat(task_.name, "/", stamp())));
    did(cat("the commit that it was at is kept as ", ref));
  }
  did(cat("worktree ", task_.worktree->path, " removed"));
  return options_.dry_run ? done() : git_remove_worktree(task_.repository, task_.worktree->path);
}

// It stops nothing, as what builds leave behind is mostly of that kind; but a report may be among it.
void WorktreeRemoval::tell_ignored() {
  const IgnoredFiles& ignored = out_.work.ignored;
  if (ignored.empty()) return;
  const std::string_view goes = !options_.dry_run ? " went" : ignored.count == 1 ? " goes" : " go";
  did(cat(ignored_count(ignored), goes, " with it: ", ignored_places(ignored)));
  out_.ignored = ignored;
}

Result<bool> WorktreeRemoval::remove_worktree() {
  if (!task_.worktree) return true;
  if (task_.worktree->gone) {
    PAWL_TRY(forget_gone());
    return true;
  }
  const std::string path = task_.worktree->path;
  if (options_.dry_run) {
    did(cat("worktree ", path, " removed"));
    tell_ignored();
    return true;
  }
  const std::string aside = cat(path, kLeaving);
  struct stat info {};
  if (!path.ends_with(kLeaving) && lstat(aside.c_str(), &info) != 0 && git_move_worktree(task_.repository, path, aside))
    task_.worktree->path = aside;  // else it stays where it is, as one with submodules does
  const auto clean = is_still_without_work();
  if (!clean || !*clean) {
    if (task_.worktree->path != path) PAWL_TRY(git_move_worktree(task_.repository, task_.worktree->path, path));
    task_.worktree->path = path;
    return clean;
  }
  did(cat("worktree ", path, " removed"));
  tell_ignored();
  PAWL_TRY(take_away());
  return true;
}

Done WorktreeRemoval::take_away() {
  Look look;
  look.records.push_back(task_.record);
  PAWL_ASSIGN(const Outcome outcome,
              engine_.change(options_.request, look, [&](const View&, const Now&) -> Result<Decision> {
                Effect effect;
                effect.record = task_.record;
                effect.kind = kWorktreeEffect;
                effect.marker = task_.worktree->path;
                effect.request =
                    Json{{"worktree", task_.worktree->path}, {"branch", task_.branch}, {"head", task_.worktree->head}};
                Decision decision;
                decision.effects.push_back(std::move(effect));
                return decision;
              }));
  const EffectHandler handler{[&](const Effect&) -> Result<Json> {
                                PAWL_TRY(git_remove_worktree(task_.repository, task_.worktree->path));
                                return Json{{"worktree", task_.worktree->path}};
                              },
                              {}};
  PAWL_TRY(carry_out(engine_, outcome.effects.at(0), handler));
  return done();
}

Done WorktreeRemoval::remove_branch() {
  if (task_.branch.empty() || task_.repository.empty()) return done();
  PAWL_ASSIGN(const bool there, git_has_branch(task_.repository, task_.branch));
  if (!there) return done();
  if (task_.made_branch != task_.branch) {
    did(cat("branch ", task_.branch, " stays: it was not made by ", task_.maker));
    return done();
  }
  bool merged = false;
  // What a branch began at says nothing; where its work has gone to does.
  for (const std::string& target : task_.targets) {
    if (merged) continue;
    PAWL_ASSIGN(merged, git_is_merged(task_.repository, task_.branch, target));
  }
  if (!merged && !task_.is_in && !options_.branch) {
    did(cat("branch ", task_.branch, " stays: it is not merged"));
    return done();
  }
  PAWL_ASSIGN(const auto worktrees, git_worktrees(task_.repository));
  for (const Worktree& other : worktrees) {
    if (other.branch == task_.branch && !(task_.worktree && other.path == task_.worktree->path)) {
      did(cat("branch ", task_.branch, " stays: it is checked out in ", other.path));
      return done();
    }
  }
  did(cat("branch ", task_.branch, " removed", merged || task_.is_in ? ": it is merged" : ""));
  if (options_.dry_run) return done();
  if (!merged) {
    PAWL_ASSIGN(const std::string commit, git_commit_of(task_.repository, cat("refs/heads/", task_.branch)));
    PAWL_ASSIGN(const std::string ref, git_keep(task_.repository, commit, cat(task_.name, "/", task_.branch)));
    did(cat("what was on it is kept as ", ref));
  }
  return git_delete_branch(task_.repository, task_.branch);
}

Result<std::optional<Json>> what_came_of_removal(const Effect& effect) {
  struct stat info {};
  const std::string path = string_or(effect.request, "worktree");
  return lstat(path.c_str(), &info) != 0 ? std::optional<Json>(Json{{"worktree", path}}) : std::nullopt;
}

Done close_removals(Engine& engine, const RecordId& record) {
  return close_effects(
      engine, [&](const Effect& effect) { return effect.record == record && effect.kind == kWorktreeEffect; },
      what_came_of_removal);
}

}  // namespace pawl
