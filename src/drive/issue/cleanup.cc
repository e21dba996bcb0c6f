#include "drive/issue/cleanup.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "drive/issue/copied_files.h"
#include "drive/issue/end.h"
#include "drive/issue/run_issue.h"
#include "drive/issue/sessions.h"
#include "drive/issue/sight.h"
#include "drive/issue/unfinished.h"
#include "engine/effects.h"
#include "lifecycle/issue/issue.h"

namespace pawl {
namespace {

constexpr std::string_view kIgnored = "!! ";
constexpr std::size_t kMaxKept = std::size_t{64} << 20U;

class Cleanup {
 public:
  Cleanup(Engine& engine, std::int64_t number, const CleanupOptions& options)
      : engine_(engine), book_(engine), number_(number), options_(options) {
    out_.number = number;
  }
  Result<CleanedUp> run();

 private:
  [[nodiscard]] const std::string& repository() const { return engine_.workspace().root; }
  Done find();
  Result<WorkLeft> work() const;
  Result<bool> put_work_aside();
  Done keep_copied(const std::vector<std::string>& files);
  Result<bool> is_still_without_work();
  Result<std::vector<TmuxSession>> sessions();
  Done end_session();
  Result<bool> remove_worktree();
  Done forget_gone();
  Done take_away();
  Done remove_branch();
  Done remove_status();
  [[nodiscard]] std::string stamp() const { return std::to_string(engine_.clock().now().wall_ms); }
  void did(std::string sentence) { out_.did.push_back(std::move(sentence)); }

  Engine& engine_;
  RunBook book_;
  std::int64_t number_;
  const CleanupOptions& options_;
  CleanedUp out_;
  Record record_;
  std::optional<issue::Run> run_;
  std::optional<Worktree> worktree_;
  std::string branch_;
  std::vector<std::string> targets_;  // branches that its work is merged into
  std::vector<std::string> bases_;    // commits and branches that count as kept
  std::string kept_;                  // the commit that was given a name
};

// What there is of it. In a folder that is no worktree of this repository nothing is touched.
Done Cleanup::find() {
  PAWL_ASSIGN(record_, read_issue(engine_, number_));
  PAWL_ASSIGN(run_, book_.find(number_));
  if (run_) branch_ = run_->branch;
  if (engine_.workspace().git_dir.empty()) return done();
  PAWL_ASSIGN(const std::string path, worktree_of(engine_, number_));
  PAWL_ASSIGN(const auto known, git_worktrees(repository()));
  if (const Worktree* const there = path.empty() ? nullptr : worktree_at(known, path)) worktree_ = *there;
  for (const Worktree& worktree : known) {
    const std::string name = worktree.path.substr(worktree.path.rfind('/') + 1);
    if (path.empty() && worktree.gone && issue::issue_of_worktree(name) == number_) worktree_ = worktree;
  }
  if (!path.empty() && !worktree_) {
    return fail(ErrorCode::conflict,
                cat(printable(path), " is called after issue ", number_, ", but it is no worktree of this repository"),
                "look at it, and move it elsewhere");
  }
  if (worktree_ && known.front().path == worktree_->path)
    return fail(ErrorCode::conflict, cat(printable(worktree_->path), " is the main checkout"));
  if (worktree_ && !worktree_->branch.empty()) branch_ = worktree_->branch;
  for (const std::string& name : {engine_.settings().text("issue.base_branch"), std::string("HEAD")}) {
    if (name.empty()) continue;
    // A commit that is merely checked out keeps nothing, and neither does the branch itself.
    PAWL_ASSIGN(const std::string target, git_branch_called(repository(), name));
    if (!target.empty() && target != cat("refs/heads/", branch_)) targets_.push_back(target);
  }
  bases_ = targets_;
  if (run_ && !run_->base.empty() && git_commit_of(repository(), run_->base)) {
    const bool goes = !branch_.empty() && run_->made_branch == branch_;
    PAWL_ASSIGN(const bool kept, git_is_kept(repository(), run_->base, goes ? branch_ : std::string()));
    if (kept) bases_.push_back(run_->base);
  }
  return done();
}

Result<WorkLeft> Cleanup::work() const {
  if (!worktree_) return WorkLeft{};
  CopiedNow copied;
  if (run_ && !worktree_->gone) {
    PAWL_ASSIGN(copied, compare_copied(*engine_.world().roots, run_->copied, worktree_->path));
  }
  PAWL_ASSIGN(WorkLeft left, git_work_left(repository(), *worktree_, bases_, copied.same));
  if (worktree_->locked)
    left.by_hand.push_back(cat("it is locked", worktree_->locked->empty() ? "" : cat(" (", *worktree_->locked, ")"),
                               ": git worktree unlock ", worktree_->path));
  for (const std::string& file : copied.changed) {
    const auto is_it = [&](const std::string& line) { return line.size() > 3 && line.substr(3) == file; };
    if (std::none_of(left.uncommitted.begin(), left.uncommitted.end(), is_it))
      left.uncommitted.push_back(cat(kIgnored, file));  // git ignores it, and it was changed since it was copied
  }
  return left;
}

// What git ignores can not go into the stash.
Done Cleanup::keep_copied(const std::vector<std::string>& files) {
  const std::string folder = cat(engine_.workspace().store, "/kept/issue-", number_, "-", stamp());
  for (const std::string& file : files) {
    const std::string from = cat(worktree_->path, "/", file);
    const std::string to = cat(folder, "/", file);
    const std::size_t slash = to.rfind('/');
    PAWL_TRY(make_folders(to.substr(0, slash), 0700));
    PAWL_ASSIGN(const FileImage image, read_file(from, kMaxKept));
    if (image.too_large || !image.exists)
      return fail(ErrorCode::conflict, cat(printable(from), " can not be kept: it is gone, or larger than 64 MiB"),
                  "copy it elsewhere, then remove it there");
    PAWL_ASSIGN(const Fd place, open_folder(to.substr(0, slash)));
    PAWL_TRY(write_synced_at(place.get(), to.substr(slash + 1), image.bytes, {0600, {}}));
    mark_copied(run_->copied, file, image.bytes);  // another change to it would be seen
    did(cat(file, " is kept as ", to));
  }
  return done();
}

// False: something can not be put aside.
Result<bool> Cleanup::put_work_aside() {
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
  PAWL_ASSIGN(const Fd lock, book_.lock_stash());
  PAWL_TRY(keep_copied(ignored));
  if (left.uncommitted.size() > ignored.size()) {
    PAWL_TRY(git_unhide(worktree_->path, left.hidden));
    PAWL_ASSIGN(const std::string commit, git_stash(worktree_->path, cat("pawl: issue ", number_, ", ", branch_)));
    did(cat("what was not committed is in git's stash, as ", commit.substr(0, 12), ": git stash list"));
  }
  if (!left.unpushed.empty()) {
    PAWL_ASSIGN(kept_, git_commit_of(worktree_->path, "HEAD"));  // the agent may have gone on since
    PAWL_ASSIGN(const std::string ref, git_keep(repository(), kept_, cat("issue-", number_, "/", stamp())));
    did(cat("its commits are kept as ", ref));
  }
  return is_still_without_work();
}

// But for commits that have a name now.
Result<bool> Cleanup::is_still_without_work() {
  PAWL_ASSIGN(out_.work, work());
  if (!out_.work.can_be_put_aside() || !out_.work.uncommitted.empty()) return false;
  if (out_.work.unpushed.empty()) return true;
  return !kept_.empty() && git_commit_of(worktree_->path, "HEAD") == kept_;
}

// The run's, also of one whose start was cut off; else the one of this project that is called after the issue.
Result<std::vector<TmuxSession>> Cleanup::sessions() {
  Sessions sessions(engine_);
  std::vector<TmuxSession> found;
  PAWL_ASSIGN(const auto starting, book_.starting(number_));
  for (const auto& run : {run_, starting}) {
    PAWL_ASSIGN(const auto session, sessions.to_end(number_, run));
    if (!session && run && !run->adopted) PAWL_TRY(check_gone(engine_, *run));
    if (session && (found.empty() || found.front().name != session->name)) found.push_back(*session);
  }
  return found;
}

Done Cleanup::end_session() {
  PAWL_ASSIGN(const auto there, sessions());
  // The status first: where this stops or is cut off later on, nobody takes the run for one that was lost.
  if (!there.empty() && !options_.dry_run) PAWL_TRY(conclude_stopped(engine_, options_.request, record_, run_));
  for (const TmuxSession& session : there) {
    did(cat("session ", session.name, " ended", record_.status == issue::kRunning ? ", in which it was running" : ""));
    if (options_.dry_run) continue;
    PAWL_TRY(Tmux(session.socket).end(session.name));
  }
  return done();
}

// Of a folder that somebody has removed git still knows the commit; nothing else may lead to it.
Done Cleanup::forget_gone() {
  const bool unborn = worktree_->head.find_first_not_of('0') == std::string::npos;
  PAWL_ASSIGN(const bool kept, unborn ? Result<bool>(true) : git_is_kept(repository(), worktree_->head));
  if (!kept && options_.dry_run) did("the commit that it was at would get a name under refs/pawl/");
  if (!kept && !options_.dry_run) {
    PAWL_ASSIGN(const std::string ref, git_keep(repository(), worktree_->head, cat("issue-", number_, "/", stamp())));
    did(cat("the commit that it was at is kept as ", ref));
  }
  did(cat("worktree ", worktree_->path, " removed"));
  return options_.dry_run ? done() : git_remove_worktree(repository(), worktree_->path);
}

// It is moved aside first, so that whoever still writes by its name does not find it, and looked at once more. False:
// there is work in it after all, and it is where it was.
Result<bool> Cleanup::remove_worktree() {
  if (!worktree_) return true;
  if (worktree_->gone) {
    PAWL_TRY(forget_gone());
    return true;
  }
  const std::string path = worktree_->path;
  if (options_.dry_run) {
    did(cat("worktree ", path, " removed"));
    return true;
  }
  const std::string aside = cat(path, kLeaving);
  struct stat info {};
  if (!path.ends_with(kLeaving) && lstat(aside.c_str(), &info) != 0 && git_move_worktree(repository(), path, aside))
    worktree_->path = aside;  // else it stays where it is, as one with submodules does
  const auto clean = is_still_without_work();
  if (!clean || !*clean) {
    if (worktree_->path != path) PAWL_TRY(git_move_worktree(repository(), worktree_->path, path));
    worktree_->path = path;
    return clean;
  }
  did(cat("worktree ", path, " removed"));
  PAWL_TRY(take_away());
  return true;
}

Done Cleanup::take_away() {
  const RecordId id = issue::id_of(number_, engine_.settings());
  Look look;
  look.records.push_back(id);
  PAWL_ASSIGN(const Outcome outcome,
              engine_.change(options_.request, look, [&](const View&, const Now&) -> Result<Decision> {
                Effect effect;
                effect.record = id;
                effect.kind = kWorktreeEffect;
                effect.marker = worktree_->path;
                effect.request = Json{{"worktree", worktree_->path}, {"branch", branch_}, {"head", worktree_->head}};
                Decision decision;
                decision.effects.push_back(std::move(effect));
                return decision;
              }));
  const EffectHandler handler{[&](const Effect&) -> Result<Json> {
                                PAWL_TRY(git_remove_worktree(repository(), worktree_->path));
                                return Json{{"worktree", worktree_->path}};
                              },
                              {}};
  PAWL_TRY(carry_out(engine_, outcome.effects.at(0), handler));
  return done();
}

Done Cleanup::remove_branch() {
  if (branch_.empty() || engine_.workspace().git_dir.empty()) return done();
  PAWL_ASSIGN(const bool there, git_has_branch(repository(), branch_));
  if (!there) return done();
  if (!run_ || run_->made_branch != branch_) {
    did(cat("branch ", branch_, " stays: it was not made by pawl issue run"));
    return done();
  }
  bool merged = false;
  // What a branch began at says nothing; where its work has gone to does.
  for (const std::string& target : targets_) {
    if (merged) continue;
    PAWL_ASSIGN(merged, git_is_merged(repository(), branch_, target));
  }
  if (!merged && !options_.branch) {
    did(cat("branch ", branch_, " stays: it is not merged"));
    return done();
  }
  PAWL_ASSIGN(const auto worktrees, git_worktrees(repository()));
  for (const Worktree& other : worktrees) {
    if (other.branch == branch_ && !(worktree_ && other.path == worktree_->path)) {
      did(cat("branch ", branch_, " stays: it is checked out in ", other.path));
      return done();
    }
  }
  did(cat("branch ", branch_, " removed", merged ? ": it is merged" : ""));
  if (options_.dry_run) return done();
  if (!merged) {
    PAWL_ASSIGN(const std::string commit, git_commit_of(repository(), cat("refs/heads/", branch_)));
    PAWL_ASSIGN(const std::string ref, git_keep(repository(), commit, cat("issue-", number_, "/", branch_)));
    did(cat("what was on it is kept as ", ref));
  }
  return git_delete_branch(repository(), branch_);
}

Done Cleanup::remove_status() {
  if (record_.present()) did("status removed; pawl undo brings that back, and that alone");
  if (options_.dry_run) return done();
  Look look;
  look.records.push_back(record_.id);
  PAWL_TRY(engine_.change(options_.request, look, [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const Record current, view.load(record_.id));
    Decision decision;
    book_.forget(decision, number_);
    if (!current.present()) return decision;
    PAWL_ASSIGN(Change change, issue::decide(current, issue::Remove{options_.request.reason}));
    decision.changes.push_back(std::move(change));
    return decision;
  }));
  return book_.remove_folders(number_);
}

Result<CleanedUp> Cleanup::run() {
  PAWL_ASSIGN(const Fd lock, book_.lock(number_));
  PAWL_TRY(check_outside(engine_, number_));
  if (!options_.dry_run) PAWL_TRY(close_unfinished(engine_, number_));
  PAWL_TRY(find());
  PAWL_ASSIGN(const auto starting, book_.starting(number_));
  if (!record_.present() && !run_ && !starting && !worktree_)
    return fail(ErrorCode::not_found, cat("issue ", number_, " has neither status nor worktree"));
  PAWL_ASSIGN(out_.work, work());
  if (!out_.work.empty() && !(options_.force && out_.work.can_be_put_aside())) {
    out_.stopped = true;
    return out_;
  }
  PAWL_TRY(end_session());
  // The agent may have written something until its last moment.
  if (!options_.dry_run) {
    PAWL_ASSIGN(out_.work, work());
  }
  if (!out_.work.empty()) {
    PAWL_ASSIGN(const bool aside, options_.force ? put_work_aside() : Result<bool>(false));
    if (!aside) {
      out_.stopped = true;
      return out_;
    }
  }
  PAWL_ASSIGN(const bool removed, remove_worktree());
  if (!removed) {
    out_.stopped = true;
    return out_;
  }
  PAWL_TRY(remove_branch());
  PAWL_TRY(remove_status());
  return out_;
}

}  // namespace

Result<CleanedUp> clean_up_issue(Engine& engine, std::int64_t number, const CleanupOptions& options) {
  return Cleanup(engine, number, options).run();
}

}  // namespace pawl
