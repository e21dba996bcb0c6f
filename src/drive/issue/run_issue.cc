#include "drive/issue/run_issue.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "drive/issue/advice.h"
#include "drive/issue/end.h"
#include "drive/issue/run_seal.h"
#include "drive/issue/sessions.h"
#include "drive/issue/starter.h"
#include "drive/issue/unfinished.h"
#include "drive/issue/watcher.h"
#include "engine/effects.h"
#include "engine/watcher.h"
#include "lifecycle/issue/issue.h"
#include "world/git_branch.h"
#include "world/git_worktree.h"

namespace pawl {
namespace {

Done must_be_in_git(const Engine& engine) {
  if (!engine.workspace().git_dir.empty()) return done();
  return fail(ErrorCode::not_found, cat(printable(engine.workspace().root), " is not in a git repository"),
              "an issue is worked on in a git worktree: go to a repository, or make one with git init");
}

Result<std::vector<std::string>> command_in(const Settings& settings, std::string_view key) {
  const std::string& text = settings.text(key);
  if (!settings.trusted(key))
    return fail(ErrorCode::untrusted, cat(key, " in pawl.toml names a command, and nobody has said that it is trusted"),
                "read pawl.toml, then: pawl trust");
  std::vector<std::string> words;
  for (const std::string_view word : split(text, '\n')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

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

// What runs already, with a watcher: whoever started it may have died before it left one behind.
Result<std::optional<Started>> already_running(Engine& engine, const Record& record,
                                               const std::optional<issue::Run>& known, const std::string& self) {
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto session, sessions.of(record, known));
  if (!session) return std::optional<Started>();
  issue::Run run = known.value_or(issue::Run{});
  run.number = issue::number_of(record);
  run.session = session->name;
  if (session->run.empty()) run.socket = session->socket;
  if (known && known->watch && known->ended.empty() && RunBook(engine).watcher(*known).pid == 0)
    PAWL_TRY(start_watcher(engine, run.number, self));
  return std::optional(Started{run, true, std::nullopt});
}

// Worktrees and statuses that git does not ignore would go into the next commit of all that is there.
Done note_unignored(Engine& engine) {
  const std::string base = issue::base_dir(engine.settings());
  PAWL_ASSIGN(const bool ignored, git_ignores(engine.workspace().root, cat(base, "/.status/1.json")));
  if (!ignored) engine.note(cat("git does not ignore ", base, ": add a line ", base, "/ to .gitignore"));
  return done();
}

// Not an error: tmux may know another PATH.
void note_missing_program(const Engine& engine, const issue::Run& run) {
  if (run.command.empty() || is_in_path(run.command.front())) return;
  engine.note(cat("no program called ", printable(run.command.front()), " is in PATH: the session may end at once"));
}

// A cleanup that was cut off has moved it aside: it gets its name back.
Result<std::string> put_back(Engine& engine, const std::optional<issue::Run>& known, std::string worktree) {
  if (!known || known->worktree.empty() || !same_place(worktree, cat(known->worktree, kLeaving))) return worktree;
  PAWL_TRY(git_move_worktree(engine.workspace().root, worktree, known->worktree));
  return known->worktree;
}

// Whether the branch that a former run had made is the one that is there: its commits are in it. Somebody may have
// removed it, and made one of their own that is called the same.
Result<bool> is_still(const Engine& engine, const issue::Run& former) {
  const std::string& repository = engine.workspace().root;
  PAWL_ASSIGN(const bool there, git_has_branch(repository, former.made_branch));
  if (!there || !git_commit_of(repository, former.base)) return false;
  return git_is_ancestor(repository, former.base, cat("refs/heads/", former.made_branch));
}

// The session of a run that has ended, or of a status that was removed.
Done end_former(Engine& engine, const issue::Run& run) {
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto session, sessions.to_end(run.number, run));
  return session ? Tmux(session->socket).end(session->name) : check_gone(engine, run);
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

// `full`: as many run as may.
Result<Started> start_once(Engine& engine, const StartOptions& options, bool& full) {
  PAWL_TRY(must_be_in_git(engine));
  PAWL_TRY(Tmux::must_be_there());
  RunBook book(engine);
  issue::Run run;
  run.number = options.number;
  run.command = options.command;
  if (run.command.empty()) {
    PAWL_ASSIGN(run.command, command_in(engine.settings(), "issue.agent"));
  }
  if (run.command.empty())
    return fail(ErrorCode::invalid_argument, "there is no command to run", "say it behind --, or set issue.agent");

  PAWL_ASSIGN(const Fd lock, book.lock(options.number));
  PAWL_ASSIGN(const Record record, read_issue(engine, options.number));
  PAWL_ASSIGN(const auto known, book.find(options.number));
  PAWL_ASSIGN(const auto cut_off, find_cut_off(engine, options.number));
  if (cut_off)  // a command died between the session's start and its status
    return Starter(engine, cut_off->run, options.request, options.self, false).finish(cut_off->session);
  if (record.status == issue::kRunning) {
    PAWL_ASSIGN(const auto already, already_running(engine, record, known, options.self));
    if (already) return *already;
    return fail(ErrorCode::conflict,
                cat("issue ", options.number, " is running, as its status says, but its session is gone"),
                cat("pawl issue resume ", options.number, " goes on with it; pawl issue cleanup ", options.number,
                    " takes it away"));
  }
  if (record.held)
    return fail(ErrorCode::gate_failed,
                cat("the status of issue ", options.number, " is “", printable(*record.held), "”, which is none"),
                cat("pawl issue show ", options.number, " tells; pawl issue set ", options.number,
                    " running, complete or error mends it"));
  if (record.present() && !options.again) {
    return fail(ErrorCode::gate_failed, cat("issue ", options.number, " has ended: ", issue::status_word(record)),
                cat("pawl issue run ", options.number,
                    " --again runs it once more, in the worktree that it has; pawl issue cleanup ", options.number,
                    " takes it away"));
  }
  if (known && !record.present()) {
    Sessions sessions(engine);
    PAWL_ASSIGN(const bool there, sessions.has(*known));
    if (there)
      return fail(ErrorCode::conflict,
                  cat("issue ", options.number, " has no status any more, but its session ", printable(known->session),
                      " is still at work"),
                  cat("pawl issue stop ", options.number, " ends it; pawl issue reconcile makes it running again"));
  }
  if (known) PAWL_TRY(end_former(engine, *known));
  note_missing_program(engine, run);
  PAWL_TRY(note_unignored(engine));
  PAWL_ASSIGN(run.id, new_marker());
  PAWL_ASSIGN(const std::string found, worktree_of(engine, options.number));
  PAWL_ASSIGN(const std::string there, put_back(engine, known, found));
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
  full = starter.was_full();
  return started;
}

}  // namespace

Result<Started> start_issue(Engine& engine, const StartOptions& options) {
  constexpr int kWaitStepMs = 2'000;  // a process that died while it started a run leaves no sign in a file
  while (true) {
    bool full = false;
    auto started = start_once(engine, options, full);
    if (started || !full || !options.wait) return started;
    // Without the issue's lock: others may stop it, or start it, meanwhile.
    PAWL_ASSIGN(ChangeWaiter waiter, ChangeWaiter::open(engine));
    PAWL_TRY(waiter.wait(engine, kWaitStepMs));
  }
}

Result<Started> resume_issue(Engine& engine, std::int64_t number, const Request& request, const std::string& self) {
  PAWL_TRY(must_be_in_git(engine));
  PAWL_TRY(Tmux::must_be_there());
  RunBook book(engine);
  PAWL_ASSIGN(const Fd lock, book.lock(number));
  PAWL_ASSIGN(const Record record, read_issue(engine, number));
  PAWL_ASSIGN(const auto cut_off, find_cut_off(engine, number));
  if (cut_off) return Starter(engine, cut_off->run, request, self, true).finish(cut_off->session);
  // A start that was cut off, and the session is lost by now: it goes on from what was to be started.
  PAWL_ASSIGN(const auto starting,
              record.present() ? Result<std::optional<issue::Run>>(std::nullopt) : book.starting(number));
  if (!record.present() && !starting)
    return fail(ErrorCode::not_found, cat("issue ", number, " has no status, so there is nothing to resume"),
                cat("pawl issue run ", number, " starts it"));
  if (record.status == issue::kComplete)
    return fail(
        ErrorCode::gate_failed, cat("issue ", number, " is complete"),
        cat("pawl issue run ", number, " --again runs it once more; pawl issue cleanup ", number, " takes it away"));
  PAWL_ASSIGN(const auto found_run, book.find(number));
  const std::optional<issue::Run> known = starting ? starting : found_run;
  if (record.status == issue::kRunning) {
    PAWL_ASSIGN(const auto already, already_running(engine, record, known, self));
    if (already) return *already;
    if (known) {  // it may have ended while nobody watched
      PAWL_ASSIGN(const RunSight sight, sight_of(engine, *known));
      const auto verdict = issue::judge(sight.seen);
      if (verdict && verdict->ended != issue::kLost && verdict->ended != issue::kEnded) {
        PAWL_TRY(conclude(engine, request, *known, *verdict));
        return Started{*known, false, verdict};
      }
    }
  }
  if (known) PAWL_TRY(end_former(engine, *known));  // an agent that told of an error may still be at its prompt
  issue::Run run = known.value_or(issue::Run{});
  run.number = number;
  PAWL_ASSIGN(const std::string found, worktree_of(engine, number));
  PAWL_ASSIGN(run.worktree, put_back(engine, known, found));
  if (run.worktree.empty()) {
    PAWL_ASSIGN(const bool untitled, needs_title(engine, number));
    return fail(ErrorCode::not_found, cat("the worktree of issue ", number, " is gone"),
                cat(again_command(engine, number, !untitled), " begins anew"));
  }
  PAWL_ASSIGN(const auto worktrees, git_worktrees(engine.workspace().root));
  const Worktree* const worktree = worktree_at(worktrees, run.worktree);
  if (worktree != nullptr && !worktree->branch.empty()) run.branch = worktree->branch;
  if (same_place(run.worktree, engine.workspace().root))
    return fail(ErrorCode::conflict, cat("issue ", number, " has no worktree of its own"));
  PAWL_TRY(git_check_worktree(engine.workspace().root, run.worktree));  // a copied project still names the first one's
  if (run.branch.empty())
    return fail(ErrorCode::conflict, cat(printable(run.worktree), " has no branch checked out"),
                "check one out there, then resume");
  PAWL_ASSIGN(const auto wanted, command_in(engine.settings(), "issue.resume_agent"));
  if (!wanted.empty()) run.command = wanted;
  if (known && run.command == known->command && !run.command.empty() && !is_sealed_here(*known))
    return fail(ErrorCode::untrusted,
                cat("the command of issue ", number,
                    " was not given on this machine: ", printable(run.command.front().substr(0, 80))),
                cat("a store that came with a clone is not obeyed; say it yourself: pawl issue run ", number,
                    " --again -- COMMAND"));
  if (run.command.empty()) {
    PAWL_ASSIGN(run.command, command_in(engine.settings(), "issue.agent"));
  }
  note_missing_program(engine, run);
  PAWL_ASSIGN(run.id, new_marker());
  run.session = issue::session_name(number, engine.settings());
  run.watch = true;
  run.ended.clear();
  run.adopted = false;
  ++run.resumes;
  return Starter(engine, std::move(run), request, self, true).start(false, {});
}

Result<std::vector<std::int64_t>> lost_issues(Engine& engine) {
  std::vector<std::int64_t> lost;
  RunBook book(engine);
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto unfinished, unfinished_issues(engine));
  for (const std::int64_t number : unfinished) {
    PAWL_ASSIGN(const auto starting, book.starting(number));
    if (starting) lost.push_back(number);  // its start was cut off
  }
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    const std::int64_t number = issue::number_of(record);
    PAWL_ASSIGN(const auto known, book.find(number));
    if (record.status == issue::kRunning) {
      PAWL_ASSIGN(const auto session, sessions.of(record, known));
      if (!session) lost.push_back(number);
    } else if (record.status == issue::kError && known && known->ended == issue::kLost &&
               string_or(record.doc, "error_message") == issue::kSessionGone) {
      lost.push_back(number);
    }
  }
  std::sort(lost.begin(), lost.end());
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  return lost;
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
  return out;
}

}  // namespace pawl
