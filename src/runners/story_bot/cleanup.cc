#include "runners/story_bot/cleanup.h"

#include <unistd.h>

#include <limits>

#include "base/text.h"
#include "engine/claims.h"
#include "integrations/git_branch.h"
#include "integrations/git_worktree.h"
#include "lifecycles/story/bot_note.h"
#include "lifecycles/story/naming.h"
#include "lifecycles/story/story.h"
#include "runners/story_bot/hold.h"
#include "runners/story_list.h"
#include "runners/story_place.h"

namespace pawl {
namespace {

std::string without_leaving(const std::string& path) {
  return path.ends_with(kLeaving) ? path.substr(0, path.size() - kLeaving.size()) : path;
}

// The one that the bot made for the story. An earlier story of this id may have left one beside it, on its own branch.
Result<std::optional<Worktree>> worktree_of_story(const Engine& engine, const Record& story,
                                                  const std::string& repository, const std::string& branch) {
  PAWL_ASSIGN(const auto known, git_worktrees(repository));
  for (std::size_t i = 1; i < known.size(); ++i) {  // the first is the main checkout
    if (known[i].branch == branch && is_called_as_bots(engine, story.id, without_leaving(known[i].path)))
      return std::optional(known[i]);
  }
  return std::optional<Worktree>();
}

// Branches, here and of the remote, that a story's work goes into.
Result<std::vector<std::string>> targets_of(const Engine& engine, const std::string& repository,
                                            const std::string& branch) {
  const std::string base = engine.settings().text("story.base");
  PAWL_ASSIGN(const std::string remote, story_remote(engine, repository));
  std::vector<std::string> names = {"HEAD", cat(remote, "/HEAD")};
  if (!base.empty()) names.insert(names.end(), {base, cat(remote, "/", base)});
  std::vector<std::string> out;
  for (const std::string& name : names) {
    PAWL_ASSIGN(const std::string target, git_branch_called(repository, name));
    if (!target.empty() && target != cat("refs/heads/", branch) && !target.ends_with(cat("/", branch)))
      out.push_back(target);
  }
  return out;
}

// The branch that the bot made for the story, and the one that a person named for it: of that one the bot may have made
// a worktree.
std::vector<std::string> branches_of(const Record& story) {
  const std::string made = story::note_of(story.doc).branch, named = string_or(story.doc, "branchName");
  std::vector<std::string> out;
  if (!made.empty()) out.push_back(made);
  if (named != made && story::is_branch_name(named)) out.push_back(named);
  return out;
}

// A status that nothing has shown says nothing of where its work is.
Result<bool> is_known_to_be_merged(Engine& engine, const Record& story) {
  bool shown = false;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const bool doubted, is_unverified(view, story));
    shown = !doubted;
    return done();
  }));
  return shown && story.status == story::kMerged;
}

Result<RemovalTask> task_for(Engine& engine, const Record& story, const std::string& branch) {
  RemovalTask task;
  const story::BotNote note = story::note_of(story.doc);
  task.record = story.id;
  task.name = cat(kStoryFolder, story::file_name_of(story.id));
  task.title = cat("story ", printable(story.id.key));
  task.maker = "pawl story run";
  PAWL_ASSIGN(task.repository, story_repository(engine));
  task.branch = branch;
  task.made_branch = note.branch;
  PAWL_ASSIGN(task.worktree, worktree_of_story(engine, story, task.repository, task.branch));
  PAWL_ASSIGN(task.targets, targets_of(engine, task.repository, task.branch));
  task.bases = task.targets;
  // What was pushed and then merged is in the base, be it as one commit that nobody here has made.
  PAWL_ASSIGN(const bool merged, is_known_to_be_merged(engine, story));
  if (merged && !note.pushed.empty() && git_commit_of(task.repository, note.pushed)) {
    task.bases.push_back(note.pushed);
    const auto tip = git_commit_of(task.repository, cat("refs/heads/", task.branch));
    if (tip) {
      PAWL_ASSIGN(task.is_in, git_is_ancestor(task.repository, *tip, note.pushed));
    }
  }
  return task;
}

// Of a person's branch only the bot's worktree is anything that it left.
Result<std::vector<RemovalTask>> tasks_for(Engine& engine, const Record& story) {
  std::vector<RemovalTask> out;
  for (const std::string& branch : branches_of(story)) {
    PAWL_ASSIGN(RemovalTask task, task_for(engine, story, branch));
    if (task.worktree || branch == task.made_branch) out.push_back(std::move(task));
  }
  return out;
}

Done remove_one(Engine& engine, RemovalTask task, const RemovalOptions& options, CleanedStory& out) {
  WorktreeRemoval removal(engine, std::move(task), options, out);
  PAWL_ASSIGN(out.work, removal.work());
  if (!out.work.empty()) {
    PAWL_ASSIGN(const bool aside, options.force ? removal.put_work_aside() : Result<bool>(false));
    out.stopped = !aside;
  }
  if (out.stopped) return done();
  PAWL_ASSIGN(const bool gone, removal.remove_worktree());
  out.stopped = !gone;
  return gone ? removal.remove_branch() : done();
}

Result<CleanedStory> removed(Engine& engine, const Record& story, const RemovalOptions& options) {
  CleanedStory out;
  out.id = story.id.key;
  PAWL_ASSIGN(auto tasks, tasks_for(engine, story));
  for (RemovalTask& task : tasks) {
    if (!out.stopped) PAWL_TRY(remove_one(engine, std::move(task), options, out));
  }
  return out;
}

// A pending one that was begun may be begun anew, if somebody says so: what is on its branch is kept.
bool may_begin_anew(const Record& story) {
  return !story.held && story.status == story::kPending && !story::note_of(story.doc).branch.empty();
}

Done must_have_ended(const Record& story, const RemovalOptions& options) {
  if (!story.held && story::machine_of(story).terminal(story.status)) return done();
  if (may_begin_anew(story) && options.force) return done();
  const std::string id = story::as_typed(story.id.key);
  return fail(ErrorCode::gate_failed,
              cat("story ", printable(story.id.key), " is ", story.held ? "held" : story.status,
                  ", and its worktree and branch are needed"),
              may_begin_anew(story) ? cat("pawl story cleanup ", id,
                                          " --force  # begins it anew; what is on its branch is kept under refs/pawl")
                                    : cat("pawl story show ", id, "  # only what has ended is cleaned up"));
}

// One that was dropped has no worker, but for one that has not seen it yet.
Result<bool> is_dropped(Engine& engine, const RecordId& id) {
  bool dropped = false;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto was, as_dropped(view, id));
    dropped = was.has_value();
    PAWL_ASSIGN(const auto claim, view.store().claim(id));
    if (!dropped || !claim || !claim_lives(*claim, engine.clock().now())) return done();
    return fail(ErrorCode::busy, cat("a worker has story ", printable(id.key)), "pawl claim list");
  }));
  return dropped;
}

}  // namespace

Result<std::optional<Record>> as_dropped(const View& view, const RecordId& id) {
  PAWL_ASSIGN(const auto gone, view.store().event_at(id, std::numeric_limits<std::int64_t>::max()));
  if (!gone || gone->after.present()) return std::optional<Record>();
  PAWL_ASSIGN(const auto before, view.store().event_before(id, gone->id));
  return before && before->after.present() ? std::optional(before->after) : std::nullopt;
}

Result<bool> has_left_something(Engine& engine, const Record& story) {
  PAWL_ASSIGN(const auto tasks, tasks_for(engine, story));
  for (const RemovalTask& task : tasks) {
    PAWL_ASSIGN(const bool branch, git_has_branch(task.repository, task.branch));
    if (task.worktree || branch) return true;
  }
  return false;
}

Result<bool> is_merged_in_git(Engine& engine, const Record& story) {
  PAWL_ASSIGN(const auto tasks, tasks_for(engine, story));
  bool merged = false;
  for (const RemovalTask& task : tasks) {
    PAWL_ASSIGN(const bool there, git_has_branch(task.repository, task.branch));
    if (!there) continue;
    merged = false;
    for (const std::string& target : task.targets) {
      if (merged) break;
      PAWL_ASSIGN(merged, git_is_merged(task.repository, task.branch, target));
    }
    if (!merged) return false;
  }
  return merged;
}

Result<CleanedStory> clean_up_story(Engine& engine, const Record& story, const RemovalOptions& asked) {
  PAWL_ASSIGN(const bool dropped, is_dropped(engine, story.id));
  if (dropped) {
    if (!asked.dry_run) PAWL_TRY(close_removals(engine, story.id));
    return removed(engine, story, asked);
  }
  PAWL_TRY(must_have_ended(story, asked));
  RemovalOptions options = asked;
  options.branch = options.branch || may_begin_anew(story);  // a branch that stays would be gone on with
  if (options.dry_run) return removed(engine, story, options);
  PAWL_ASSIGN(const auto hold, Hold::take(engine, options.request, story.id, cat("story cleanup ", getpid())));
  if (!hold) return fail(ErrorCode::busy, cat("a worker has story ", printable(story.id.key)), "pawl claim list");
  PAWL_ASSIGN(const Record now, hold->record());  // somebody may have reset it before it was taken
  PAWL_TRY(must_have_ended(now, options));
  PAWL_TRY(close_removals(engine, story.id));
  PAWL_ASSIGN(CleanedStory out, removed(engine, now, options));
  if (out.stopped || !may_begin_anew(now)) return out;
  PAWL_TRY(hold->change([](const Record& current, const Now&) { return story::decide(current, story::ForgetWork{}); }));
  out.did.emplace_back("forgot what was begun: the next run begins at the base");
  return out;
}

}  // namespace pawl
