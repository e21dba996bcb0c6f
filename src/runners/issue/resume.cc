// Going on with an issue whose session was lost.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "core/held_word.h"
#include "engine/effects.h"
#include "integrations/git_worktree.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/advice.h"
#include "runners/issue/before_start.h"
#include "runners/issue/end.h"
#include "runners/issue/past.h"
#include "runners/issue/run_issue.h"
#include "runners/issue/run_seal.h"
#include "runners/issue/sessions.h"
#include "runners/issue/starter.h"
#include "runners/issue/unfinished.h"

namespace pawl {
namespace {

Done check_given_here(const issue::Run& run) {
  if (is_sealed_here(run)) return done();
  return fail(ErrorCode::untrusted,
              cat("the command of issue ", run.number,
                  " was not given on this machine: ", printable(run.command.front().substr(0, 80))),
              cat("a store that came with a clone is not obeyed; say it yourself:\npawl issue run ", run.number,
                  " --again -- AGENT"));
}

// A start that was cut off before it had a worktree: it begins as it was to, with the title, branch, base and agent
// that were said then.
Result<Started> begin_anew(Engine& engine, issue::Run run, const Request& request, const std::string& self) {
  if (!run.command.empty()) PAWL_TRY(check_given_here(run));
  PAWL_TRY(find_program(engine, run, cat("pawl issue run ", run.number, " --again")));
  engine.note(cat("the start of issue ", run.number, " was cut off before it had a worktree: it begins anew"));
  PAWL_ASSIGN(run.id, new_marker());
  run.worktree = cat(engine.world().roots->absolute(issue::base_dir(engine.settings())), "/",
                     issue::worktree_name(run.number, run.title));
  run.session = issue::session_name(run.number, engine.settings());
  const std::string base = run.begins_at.empty() ? engine.settings().text("issue.base_branch") : run.begins_at;
  return Starter(engine, std::move(run), request, self, false).start(true, base);
}

}  // namespace

Result<Started> resume_issue(Engine& engine, std::int64_t number, const Request& request, const std::string& self) {
  PAWL_TRY(must_be_in_git(engine));
  PAWL_TRY(Tmux::must_be_there());
  RunBook book(engine);
  PAWL_ASSIGN(const Fd lock, book.lock(number));
  PAWL_ASSIGN(const Record record, read_issue(engine, number));
  PAWL_ASSIGN(const auto cut_off, find_cut_off(engine, number));
  if (cut_off) return Starter(engine, cut_off->run, request, self, true).finish(cut_off->session);
  // A start that was cut off, and there is no session: it goes on from what was to be started.
  PAWL_ASSIGN(const auto starting, record.present() ? cut_off_start(engine, number) : book.starting(number));
  if (!record.present() && !starting) {
    PAWL_ASSIGN(const std::string how, how_to_open(engine, record));
    return fail(ErrorCode::not_found, cat("issue ", number, " has no status, so there is nothing to resume"), how);
  }
  PAWL_ASSIGN(const bool untitled, needs_title(engine, number));
  const std::string again = again_command(engine, number, !untitled);
  if (record.status == issue::kComplete && !starting)
    return fail(ErrorCode::gate_failed, cat("issue ", number, " is complete"),
                cat(again, "  # runs it once more\npawl issue cleanup ", number, "  # takes it away"));
  PAWL_ASSIGN(const auto found_run, book.find(number));
  const std::optional<issue::Run> known = starting && record.status != issue::kRunning ? starting : found_run;
  if (record.status == issue::kRunning) {
    PAWL_ASSIGN(const auto already, already_running(engine, record, known, self));
    if (already) return *already;
    PAWL_ASSIGN(const bool about, is_about(engine, known, record));
    if (about) {  // it may have ended while nobody watched
      PAWL_ASSIGN(const RunSight sight, sight_of(engine, *known));
      const auto verdict = issue::judge(sight.seen);
      if (verdict && verdict->ended != issue::kLost && verdict->ended != issue::kEnded) {
        PAWL_TRY(conclude(engine, request, *known, *verdict));
        return Started{*known, false, verdict};
      }
    }
  }
  PAWL_ASSIGN(const std::string found, worktree_of(engine, number));
  if (found.empty() && starting) return begin_anew(engine, *starting, request, self);
  if (found.empty())
    return fail(ErrorCode::not_found, cat("the worktree of issue ", number, " is gone"),
                cat(again, "  # begins anew\npawl issue remove ", number, "  # forgets it"));
  issue::Run run = known.value_or(issue::Run{});
  run.number = number;
  PAWL_ASSIGN(const auto wanted, command_in(engine.settings(), "issue.resume_agent"));
  if (!wanted.empty()) run.command = wanted;
  if (known && run.command == known->command && !run.command.empty()) PAWL_TRY(check_given_here(*known));
  if (run.command.empty()) {
    PAWL_ASSIGN(run.command, command_in(engine.settings(), "issue.agent"));
  }
  PAWL_TRY(find_program(engine, run, cat("pawl issue run ", number, " --again")));
  if (known) PAWL_TRY(end_former(engine, *known));  // an agent that told of an error may still be at its prompt
  PAWL_ASSIGN(run.worktree, put_back(engine, known, found));
  PAWL_ASSIGN(const auto worktrees, git_worktrees(engine.workspace().root));
  const Worktree* const worktree = worktree_at(worktrees, run.worktree);
  if (worktree != nullptr && !worktree->branch.empty()) run.branch = worktree->branch;
  if (same_place(run.worktree, engine.workspace().root))
    return fail(ErrorCode::conflict, cat("issue ", number, " has no worktree of its own"));
  PAWL_TRY(git_check_worktree(engine.workspace().root, run.worktree));  // a copied project still names the first one's
  if (run.branch.empty())
    return fail(ErrorCode::conflict, cat(printable(run.worktree), " has no branch checked out"),
                "check one out there, then resume");
  PAWL_ASSIGN(std::string id, new_marker());
  issue::go_on_as(run, std::move(id));
  run.session = issue::session_name(number, engine.settings());
  run.watch = true;
  run.ended.clear();
  run.adopted = false;
  ++run.resumes;
  return Starter(engine, std::move(run), request, self, true).start(false, {});
}

namespace {

// Of one that is left as it is, whoever asks for all is told why: it may be the one that they miss.
Result<std::string> why_left(Engine& engine, const Record& record, const std::optional<issue::Run>& run,
                             const std::optional<TmuxSession>& session) {
  const std::int64_t number = issue::number_of(record);
  const std::string left = cat("issue ", number, " is left as it is: ");
  if (session) return cat(left, "it runs in session ", printable(session->name));
  if (record.held) return cat(left, "its status is ", in_quotes(*record.held));
  const std::string message = printable(string_or(record.doc, "error_message"));
  const std::string ended = cat(left, issue::status_word(record), message.empty() ? "" : ", ", message, "\n  ");
  PAWL_ASSIGN(const std::string worktree, worktree_of(engine, number));
  if (!worktree.empty())
    return cat(ended, resume_command(engine, number, has_agent(engine, run)), "  # goes on with it");
  PAWL_ASSIGN(const bool untitled, needs_title(engine, number));
  return cat(ended, again_command(engine, number, !untitled), "  # begins anew");
}

}  // namespace

Result<std::vector<std::int64_t>> lost_issues(Engine& engine, std::vector<std::string>& left) {
  std::vector<std::int64_t> lost;
  RunBook book(engine);
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto unfinished, unfinished_issues(engine));
  for (const std::int64_t number : unfinished) {
    PAWL_ASSIGN(const auto starting, book.starting(number));
    if (starting) lost.push_back(number);  // its start was cut off
  }
  const std::set<std::int64_t> cut_off(lost.begin(), lost.end());
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    const std::int64_t number = issue::number_of(record);
    if (cut_off.contains(number)) continue;
    PAWL_ASSIGN(const auto known, book.find(number));
    std::optional<TmuxSession> session;
    if (record.status == issue::kRunning) {
      PAWL_ASSIGN(session, sessions.of(record, known));
    }
    const bool runs = record.status == issue::kRunning;
    const bool was_lost = record.status == issue::kError && known && known->ended == issue::kLost &&
                          string_or(record.doc, "error_message") == issue::kSessionGone;
    if ((runs && !session) || was_lost) {
      lost.push_back(number);
    } else if (runs || (known && record.status != issue::kComplete)) {
      PAWL_ASSIGN(std::string why, why_left(engine, record, known, session));
      left.push_back(std::move(why));
    }
  }
  std::sort(lost.begin(), lost.end());
  return lost;
}

}  // namespace pawl
