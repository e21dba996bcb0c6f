#include "runners/issue/run_issue.h"

#include <sys/stat.h>

#include "base/text.h"
#include "engine/effects.h"
#include "engine/watcher.h"
#include "integrations/git_branch.h"
#include "integrations/git_worktree.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/advice.h"
#include "runners/issue/before_start.h"
#include "runners/issue/end.h"
#include "runners/issue/sessions.h"
#include "runners/issue/starter.h"

namespace pawl {
namespace {

// A folder of the base folder that is called after the issue, as an absolute path.
Result<std::string> folder_called_after(Engine& engine, std::int64_t number) {
  const std::string base = issue::base_dir(engine.settings());
  PAWL_ASSIGN(const auto folder, engine.world().roots->find_folder(base, false));
  if (!folder) return std::string();
  PAWL_ASSIGN(const auto names, names_in(folder->get()));
  std::string first;
  for (const std::string& name : names) {
    struct stat info {};
    if (issue::issue_of_worktree(name) == number && fstatat(folder->get(), name.c_str(), &info, 0) == 0 &&
        S_ISDIR(info.st_mode) && (first.empty() || name < first))
      first = name;
  }
  return first.empty() ? first : cat(engine.world().roots->absolute(base), "/", first);
}

// Worktrees and statuses that git does not ignore would go into the next commit of all that is there.
Done note_unignored(Engine& engine) {
  const std::string base = issue::base_dir(engine.settings());
  PAWL_ASSIGN(const bool ignored, git_ignores(engine.workspace().root, cat(base, "/.status/1.json")));
  if (!ignored) engine.note(cat("git does not ignore ", base, ": add a line ", base, "/ to .gitignore"));
  return done();
}

// Whether the branch that a former run had made is the one that is there: its commits are in it. Somebody may have
// removed it, and made one of their own that is called the same.
Result<bool> is_still(const Engine& engine, const issue::Run& former) {
  const std::string& repository = engine.workspace().root;
  PAWL_ASSIGN(const bool there, git_has_branch(repository, former.made_branch));
  if (!there || !git_commit_of(repository, former.base)) return false;
  return git_is_ancestor(repository, former.base, cat("refs/heads/", former.made_branch));
}

}  // namespace

Result<std::string> worktree_of(Engine& engine, std::int64_t number) {
  PAWL_ASSIGN(const auto known, RunBook(engine).find(number));
  struct stat info {};
  if (known && !known->worktree.empty() && stat(known->worktree.c_str(), &info) == 0 && S_ISDIR(info.st_mode))
    return known->worktree;
  return folder_called_after(engine, number);
}

Result<bool> needs_title(Engine& engine, std::int64_t number) {
  const RunBook book(engine);
  PAWL_ASSIGN(const auto known, book.find(number));
  PAWL_ASSIGN(const std::string worktree, worktree_of(engine, number));
  if (!worktree.empty() || (known && !known->title.empty())) return false;
  // One that was cleaned up begins anew with what it is called now, unless somebody took that back.
  PAWL_ASSIGN(const auto former, book.former(number));
  if (!former || former->title.empty()) return true;
  PAWL_ASSIGN(const Record record, read_issue(engine, number));
  return !record.present();
}

namespace {

// `room`: whether there was any.
Result<Started> start_once(Engine& engine, const StartOptions& options, Room& room) {
  PAWL_TRY(must_be_in_git(engine));
  PAWL_TRY(Tmux::must_be_there());
  RunBook book(engine);
  issue::Run run;
  run.number = options.number;
  run.command = options.command;
  if (run.command.empty()) {
    PAWL_ASSIGN(run.command, command_in(engine.settings(), "issue.agent"));
  }

  PAWL_ASSIGN(const Fd lock, book.lock(options.number));
  PAWL_ASSIGN(const Record record, read_issue(engine, options.number));
  PAWL_ASSIGN(const auto known, book.find(options.number));
  PAWL_ASSIGN(const auto cut_off, find_cut_off(engine, options.number));
  if (cut_off)  // a command died between the session's start and its status
    return Starter(engine, cut_off->run, options.request, options.self, false).finish(cut_off->session);
  if (record.status == issue::kRunning) {
    PAWL_ASSIGN(const auto already, already_running(engine, record, known, options.self));
    if (already) return *already;
    PAWL_TRY(check_may_begin(engine, options, known));
  }
  if (record.held)
    return fail(ErrorCode::gate_failed,
                cat("the status of issue ", options.number, " is “", printable(*record.held), "”, which is none"),
                cat("pawl issue show ", options.number, "  # tells\npawl issue set ", options.number,
                    " STATUS  # running, complete or error: mends it"));
  PAWL_ASSIGN(const bool untitled, needs_title(engine, options.number));
  if (record.present() && !options.again) {
    return fail(ErrorCode::gate_failed, cat("issue ", options.number, " has ended: ", issue::status_word(record)),
                cat(again_command(engine, options.number, !untitled),
                    "  # runs it once more, in the worktree that it has\npawl issue cleanup ", options.number,
                    "  # takes it away"));
  }
  if (known && !record.present()) {
    Sessions sessions(engine);
    PAWL_ASSIGN(const bool there, sessions.has(*known));
    if (there)
      return fail(ErrorCode::conflict,
                  cat("issue ", options.number, " has no status any more, but its session ", printable(known->session),
                      " is still at work"),
                  cat("pawl issue stop ", options.number, "  # ends it\npawl issue reconcile ", options.number,
                      "  # makes it running again"));
  }
  PAWL_TRY(find_program(
      engine, run,
      cat("pawl issue run ", options.number, options.again ? " --again" : "", untitled ? " --title TITLE" : "")));
  if (known) PAWL_TRY(end_former(engine, *known));
  PAWL_TRY(note_unignored(engine));
  PAWL_ASSIGN(run.id, new_marker());
  PAWL_ASSIGN(const std::string found, worktree_of(engine, options.number));
  PAWL_ASSIGN(const std::string there, put_back(engine, known, found));
  if (record.status == issue::kRunning)
    engine.note(cat("issue ", options.number, " was running by its status alone, without a session",
                    there.empty() ? " and without a worktree: it begins anew" : ": it begins anew in its worktree"));
  const std::string base_folder = engine.world().roots->absolute(issue::base_dir(engine.settings()));
  PAWL_ASSIGN(const auto former, book.former(options.number));
  run.title = options.title;
  for (const issue::Run* const earlier : {known ? &*known : nullptr, former ? &*former : nullptr}) {
    if (run.title.empty() && earlier != nullptr) run.title = earlier->title;
  }
  run.worktree = there.empty() ? cat(base_folder, "/", issue::worktree_name(options.number, run.title)) : there;
  run.branch = options.branch;
  if (known && !there.empty() && same_place(known->worktree, there)) {  // the work goes on where it was
    if (run.branch.empty()) run.branch = known->branch;
    run.base = known->base;
    run.made_worktree = known->made_worktree;
    run.copied = known->copied;
  }
  if (run.branch.empty() && !there.empty()) {
    PAWL_ASSIGN(const auto worktrees, git_worktrees(engine.workspace().root));
    if (const Worktree* const worktree = worktree_at(worktrees, there)) run.branch = worktree->branch;
  }
  if (run.branch.empty()) run.branch = issue::branch_name(options.number, run.title);
  if (known && known->made_branch == run.branch) run.made_branch = run.branch;
  if (former && former->made_branch == run.branch) {
    PAWL_ASSIGN(const bool same, is_still(engine, *former));
    if (same) run.made_branch = run.branch;
  }
  run.session = issue::session_name(options.number, engine.settings());
  run.watch = options.watch;
  const std::string base = options.base.empty() ? engine.settings().text("issue.base_branch") : options.base;
  Starter starter(engine, std::move(run), options.request, options.self, false);
  auto started = starter.start(true, base);
  room = starter.room();
  return started;
}

}  // namespace

Result<Started> start_issue(Engine& engine, const StartOptions& options) {
  constexpr int kWaitStepMs = 2'000;  // a process that died while it started a run leaves no sign in a file
  std::string told;
  const auto tell = [&](std::string text) {
    if (text != told) engine.note(text);
    told = std::move(text);
  };
  std::optional<ChangeWaiter> waiter;
  while (true) {
    Room room;
    auto started = start_once(engine, options, room);
    const std::string uncounted = text_of_uncounted(room);
    if (!room.full || !options.wait) {
      if (!uncounted.empty()) tell(uncounted);
      if (room.full) started.error().hint += "\n--wait waits for one of them to end";
      return started;
    }
    tell(cat(started.error().message, ": this waits for one of them to end", uncounted.empty() ? "" : "\n", uncounted));
    // Without the issue's lock: others may stop it, or start it, meanwhile.
    if (!waiter) {  // whoever ended before it watched is seen by another look
      PAWL_ASSIGN(waiter, ChangeWaiter::open(engine));
      continue;
    }
    PAWL_TRY(waiter->wait(engine, kWaitStepMs));
  }
}

Result<Stopped> stop_issue(Engine& engine, std::int64_t number, const Request& request) {
  RunBook book(engine);
  PAWL_ASSIGN(const Fd lock, book.lock(number));
  PAWL_TRY(check_outside(engine, number));
  PAWL_ASSIGN(const Record record, read_issue(engine, number));
  PAWL_ASSIGN(const auto known, book.find(number));
  PAWL_ASSIGN(const auto cut_off, find_cut_off(engine, number));
  if (!record.present() && !known && !cut_off)
    return fail(ErrorCode::not_found, cat("issue ", number, " has no status"));
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto session, sessions.to_end(number, known));
  if (!session && known && !known->adopted) PAWL_TRY(check_gone(engine, *known));
  Stopped out;
  // The status first: whoever watches then knows that the session's end was wanted.
  PAWL_ASSIGN(out.record, conclude_stopped(engine, request, record, known));
  for (const auto& one : {session, cut_off ? std::optional(cut_off->session) : std::nullopt}) {
    if (!one) continue;
    PAWL_TRY(Tmux(one->socket).end(one->name));
    out.session = one->name;
  }
  // Of a run whose status was removed nothing else says that it has ended.
  if (known && !record.present() && known->ended.empty())
    PAWL_TRY(book.amend(*known, [](issue::Run& run) { run.ended = issue::kStoppedByHand; }));
  return out;
}

}  // namespace pawl
