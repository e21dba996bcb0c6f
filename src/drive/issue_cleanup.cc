#include "drive/issue_cleanup.h"

#include <signal.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "drive/copied_files.h"
#include "drive/issue_run.h"
#include "drive/run_sight.h"
#include "engine/effects.h"
#include "lifecycle/issue/issue.h"

namespace pawl {
namespace {

constexpr std::string_view kWorktreeEffect = "worktree removal";

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
  Done end_session();
  Done remove_worktree();
  Done remove_branch();
  Done remove_status();
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
  std::vector<std::string> bases_;  // commits and branches that count as kept
};

// What there is of it. In a folder that is no worktree of this repository nothing is touched.
Done Cleanup::find() {
  PAWL_ASSIGN(record_, read_issue(engine_, number_));
  PAWL_ASSIGN(run_, book_.find(number_));
  if (run_) branch_ = run_->branch;
  if (engine_.workspace().git_dir.empty()) return done();
  PAWL_ASSIGN(const std::string path, worktree_of(engine_, number_));
  PAWL_ASSIGN(const auto known, git_worktrees(repository()));
  for (const Worktree& worktree : known) {
    const std::string name = worktree.path.substr(worktree.path.rfind('/') + 1);
    if (!path.empty() && worktree.path == path) worktree_ = worktree;
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
  if (run_ && !run_->base.empty()) bases_.push_back(run_->base);
  for (const std::string& name : {engine_.settings().text("issue.base_branch"), std::string("HEAD")}) {
    if (name.empty()) continue;
    if (const auto commit = git_commit_of(repository(), name)) bases_.push_back(*commit);
  }
  return done();
}

Result<WorkLeft> Cleanup::work() const {
  if (!worktree_ || worktree_->gone) return WorkLeft{};
  CopiedNow copied;
  if (run_) {
    PAWL_ASSIGN(copied, compare_copied(run_->copied, worktree_->path));
  }
  PAWL_ASSIGN(WorkLeft left, git_work_left(*worktree_, bases_, copied.same));
  for (const std::string& file : copied.changed) {
    const auto is_it = [&](const std::string& line) { return line.size() > 3 && line.substr(3) == file; };
    if (std::none_of(left.uncommitted.begin(), left.uncommitted.end(), is_it))
      left.uncommitted.push_back(cat("!! ", file));  // git ignores it, and it was changed since it was copied
  }
  return left;
}

// False: something can not be put aside.
Result<bool> Cleanup::put_work_aside() {
  WorkLeft& left = out_.work;
  const bool ignored = std::any_of(left.uncommitted.begin(), left.uncommitted.end(),
                                   [](const std::string& line) { return line.starts_with("!! "); });
  if (!left.under_way.empty() || ignored) return false;
  if (options_.dry_run) {
    did("what is not committed would go into git's stash");
    return true;
  }
  PAWL_ASSIGN(const Fd lock, book_.lock(0));  // one at a time, so that each names its own entry
  if (!left.uncommitted.empty()) {
    PAWL_ASSIGN(const std::string commit, git_stash(worktree_->path, cat("pawl: issue ", number_, ", ", branch_)));
    did(cat("what was not committed is in git's stash, as ", commit.substr(0, 12), ": git stash list"));
  }
  if (!left.unpushed.empty()) {
    const std::string stamp = std::to_string(engine_.clock().now().wall_ms);
    PAWL_ASSIGN(const std::string ref, git_keep(repository(), worktree_->head, cat("issue-", number_, "/", stamp)));
    did(cat("its commits are kept as ", ref));
  }
  PAWL_ASSIGN(left, work());
  return left.uncommitted.empty();
}

Done Cleanup::end_session() {
  const std::string name = run_ ? run_->session : issue::session_name(number_, engine_.settings());
  const Tmux tmux(run_ ? run_->socket : std::string());
  const auto found = tmux.session(name);
  if (!found && found.error().code != ErrorCode::unavailable) return tl::unexpected(found.error());
  const bool there = found && *found;
  // Another project's issue may have a session of the same name.
  const std::string root = repository() + "/";
  const bool ours = there && (run_ ? (*found)->run == run_->id : ((*found)->path + "/").starts_with(root));
  if (!ours) return done();
  did(cat("session ", name, " ended"));
  if (options_.dry_run) return done();
  if (const ProcessIdentity watcher = run_ ? book_.watcher(*run_) : ProcessIdentity{}; lives(watcher))
    kill(static_cast<pid_t>(watcher.pid), SIGTERM);
  return tmux.end(name);
}

Done Cleanup::remove_worktree() {
  if (!worktree_) return done();
  did(cat("worktree ", worktree_->path, " removed"));
  if (options_.dry_run) return done();
  if (worktree_->gone) return git_prune_worktrees(repository());
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
  bool merged = false;
  // What a branch began at says nothing; where its work has gone to does.
  for (const std::string& name : {engine_.settings().text("issue.base_branch"), std::string("HEAD")}) {
    if (name.empty() || merged) continue;
    PAWL_ASSIGN(merged, git_is_merged(repository(), branch_, name));
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
  if (record_.present()) {
    did("status removed");
    if (options_.dry_run) return done();
    Look look;
    look.records.push_back(record_.id);
    PAWL_TRY(engine_.change(options_.request, look, [&](const View& view, const Now&) -> Result<Decision> {
      PAWL_ASSIGN(const Record current, view.load(record_.id));
      Decision decision;
      if (!current.present()) return decision;
      PAWL_ASSIGN(Change change, issue::decide(current, issue::Remove{options_.request.reason}));
      decision.changes.push_back(std::move(change));
      return decision;
    }));
  }
  return options_.dry_run ? done() : book_.forget(number_);
}

Result<CleanedUp> Cleanup::run() {
  PAWL_ASSIGN(const Fd lock, book_.lock(number_));
  PAWL_TRY(find());
  if (!record_.present() && !run_ && !worktree_)
    return fail(ErrorCode::not_found, cat("issue ", number_, " has neither status nor worktree"));
  PAWL_ASSIGN(out_.work, work());
  if (!out_.work.empty() && !options_.force) {
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
  PAWL_TRY(remove_worktree());
  PAWL_TRY(remove_branch());
  PAWL_TRY(remove_status());
  return out_;
}

std::int64_t number_of(const Record& record) { return parse_positive(record.id.key).value_or(0); }

}  // namespace

Result<CleanedUp> clean_up_issue(Engine& engine, std::int64_t number, const CleanupOptions& options) {
  return Cleanup(engine, number, options).run();
}

Result<std::vector<std::int64_t>> orphaned_issues(Engine& engine) {
  std::vector<std::int64_t> found;
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    PAWL_ASSIGN(const std::string worktree, worktree_of(engine, number_of(record)));
    if (worktree.empty()) found.push_back(number_of(record));
  }
  return found;
}

Result<std::vector<std::int64_t>> complete_issues(Engine& engine) {
  std::vector<std::int64_t> found;
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    if (record.status == issue::kComplete) found.push_back(number_of(record));
  }
  return found;
}

Result<std::vector<std::int64_t>> stale_issues(Engine& engine, std::int64_t older_than_ms) {
  std::vector<std::int64_t> found;
  const std::int64_t now = engine.clock().now().wall_ms;
  RunBook book(engine);
  Sessions sessions;
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    const auto when = parse_iso_time(string_or(record.doc, "timestamp"));
    if (!when || now - *when < older_than_ms) continue;
    PAWL_ASSIGN(const auto run, book.find(number_of(record)));
    if (run) {
      PAWL_ASSIGN(const bool alive, sessions.has(*run));
      if (alive && record.status == issue::kRunning) continue;
    }
    found.push_back(number_of(record));
  }
  return found;
}

}  // namespace pawl
