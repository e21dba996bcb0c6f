#include "runners/issue/cleanup.h"

#include <algorithm>

#include "base/clock.h"
#include "base/own_folder.h"
#include "base/text.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/advice.h"
#include "runners/issue/copied_files.h"
#include "runners/issue/end.h"
#include "runners/issue/run_issue.h"
#include "runners/issue/sessions.h"
#include "runners/issue/sight.h"
#include "runners/issue/unfinished.h"

namespace pawl {
namespace {

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
  RemovalTask task();
  Done keep_copied(const Worktree& worktree, const std::vector<std::string>& files);
  Result<std::vector<TmuxSession>> sessions();
  Done end_session();
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
};

// What there is of it. In a folder that is no worktree of this repository nothing is touched.
Done Cleanup::find() {
  PAWL_ASSIGN(record_, read_issue(engine_, number_));
  PAWL_ASSIGN(run_, book_.find(number_));
  PAWL_ASSIGN(const auto starting, book_.starting(number_));  // what it had made is pawl's too
  if (!run_) run_ = starting;
  if (run_ && starting && run_->made_branch.empty()) run_->made_branch = starting->made_branch;
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
  PAWL_ASSIGN(targets_, merged_into(engine_, branch_));
  bases_ = targets_;
  if (run_ && !run_->base.empty() && git_commit_of(repository(), run_->base)) {
    const bool goes = !branch_.empty() && run_->made_branch == branch_;
    PAWL_ASSIGN(const bool kept, git_is_kept(repository(), run_->base, goes ? branch_ : std::string()));
    if (kept) bases_.push_back(run_->base);
  }
  return done();
}

RemovalTask Cleanup::task() {
  RemovalTask out;
  out.record = issue::id_of(number_, engine_.settings());
  out.name = cat("issue-", number_);
  out.title = cat("issue ", number_);
  out.maker = "pawl issue run";
  if (!engine_.workspace().git_dir.empty()) out.repository = repository();
  out.worktree = worktree_;
  out.branch = branch_;
  out.made_branch = run_ ? run_->made_branch : std::string();
  out.targets = targets_;
  out.bases = bases_;
  if (run_) {
    out.put_there = [this](const Worktree& worktree) -> Result<PutThere> {
      PAWL_ASSIGN(CopiedNow copied, compare_copied(*engine_.world().roots, run_->copied, worktree.path));
      return PutThere{std::move(copied.same), std::move(copied.changed)};
    };
  }
  out.keep_changed = [this](const Worktree& worktree, const std::vector<std::string>& files) {
    return keep_copied(worktree, files);
  };
  return out;
}

// What git ignores cannot go into the stash.
Done Cleanup::keep_copied(const Worktree& worktree, const std::vector<std::string>& files) {
  PAWL_ASSIGN(const std::string store, engine_.folder_to_write());
  const std::string folder = cat("kept/issue-", number_, "-", stamp());
  for (const std::string& file : files) {
    const std::string from = cat(worktree.path, "/", file);
    const std::string to = cat(folder, "/", file);
    const std::size_t slash = to.rfind('/');
    PAWL_ASSIGN(const Fd place, make_below(store, to.substr(0, slash), 0700));
    PAWL_ASSIGN(const FileImage image, read_file(from, kMaxKept));
    if (image.too_large || !image.exists)
      return fail(ErrorCode::conflict, cat(printable(from), " cannot be kept: it is gone, or larger than 64 MiB"),
                  "copy it elsewhere, then remove it there");
    PAWL_TRY(write_synced_at(place.get(), to.substr(slash + 1), image.bytes, {0600, {}}));
    mark_copied(run_->copied, file, image.bytes);  // another change to it would be seen
    did(cat(file, " is kept as ", store, "/", to));
  }
  return done();
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

Done Cleanup::remove_status() {
  if (record_.present() && options_.dry_run) did("status removed; pawl undo brings that back, and that alone");
  if (options_.dry_run) return done();
  // The branch may stay, and the status may be brought back: whoever begins there again is told the same.
  std::optional<issue::Run> former = run_;
  if (former && !former->made_branch.empty() && !engine_.workspace().git_dir.empty()) {
    const auto tip = git_commit_of(repository(), cat("refs/heads/", former->made_branch));
    former->base = tip ? *tip : std::string();
    if (!tip) former->made_branch.clear();
  }
  Look look;
  look.records.push_back(record_.id);
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const Record current, view.load(record_.id));
    Decision decision;
    book_.forget(decision, number_);
    if (former) book_.keep_former(decision, *former);
    if (!current.present()) return decision;
    PAWL_ASSIGN(Change change, issue::decide(current, issue::Remove{options_.request.reason}));
    decision.changes.push_back(std::move(change));
    return decision;
  };
  PAWL_ASSIGN(const Outcome outcome, engine_.change(options_.request, look, decide));
  if (outcome.operation != 0)
    did(cat("status removed; pawl undo ", outcome.operation, " brings that back, and that alone"));
  else if (record_.present())
    did("status removed, by somebody else");
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
  WorktreeRemoval removal(engine_, task(), options_, out_);
  PAWL_ASSIGN(out_.work, removal.work());
  if (!out_.work.empty() && !(options_.force && out_.work.can_be_put_aside())) {
    out_.stopped = true;
    return out_;
  }
  PAWL_TRY(end_session());
  // The agent may have written something until its last moment.
  if (!options_.dry_run) {
    PAWL_ASSIGN(out_.work, removal.work());
  }
  if (!out_.work.empty()) {
    PAWL_ASSIGN(const bool aside, options_.force ? removal.put_work_aside() : Result<bool>(false));
    if (!aside) {
      out_.stopped = true;
      return out_;
    }
  }
  PAWL_ASSIGN(const bool removed, removal.remove_worktree());
  if (!removed) {
    out_.stopped = true;
    return out_;
  }
  PAWL_TRY(removal.remove_branch());
  PAWL_TRY(remove_status());
  return out_;
}

}  // namespace

Result<CleanedUp> clean_up_issue(Engine& engine, std::int64_t number, const CleanupOptions& options) {
  return Cleanup(engine, number, options).run();
}

}  // namespace pawl
