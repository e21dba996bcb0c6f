#include "runners/issue/health.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/shell_word.h"
#include "base/text.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/advice.h"
#include "runners/issue/before_start.h"
#include "runners/issue/end.h"
#include "runners/issue/past.h"
#include "runners/issue/recorder.h"
#include "runners/issue/run_issue.h"
#include "runners/issue/sessions.h"
#include "runners/issue/sight.h"
#include "runners/issue/unfinished.h"
#include "runners/issue/watcher.h"

namespace pawl {
namespace {

constexpr int kTmuxPatienceMs = 2'000;  // with a tmux that does not answer

// How one issue stands in the world.
struct Standing {
  std::int64_t number = 0;
  Record record;
  std::optional<issue::Run> run;  // that the status speaks of
  bool titled = false;            // it is known what it is called
  bool session = false;
  bool watched = false;
  bool reopened = false;  // its end was taken back, and it lives
};

struct HealthSurvey {
  std::vector<std::pair<std::int64_t, TmuxSession>> outlived;   // stopped by somebody, and the session is still there
  std::vector<Standing> running;                                // those whose status says so
  std::vector<std::pair<std::int64_t, TmuxSession>> unclaimed;  // sessions of this project without a status
  std::vector<std::pair<std::int64_t, std::string>> worktrees;  // worktrees without a status, and how they go on
  std::vector<std::string> folders;                             // called after an issue, and no worktree
  std::vector<std::int64_t> orphans;                            // statuses without a folder
};

// A linked worktree has a file .git.
Result<std::vector<std::int64_t>> worktree_numbers(Engine& engine, std::vector<std::string>& folders) {
  std::vector<std::int64_t> numbers;
  PAWL_ASSIGN(const auto folder, engine.world().roots->find_folder(issue::base_dir(engine.settings()), false));
  if (!folder) return numbers;
  PAWL_ASSIGN(const auto names, names_in(folder->get()));
  for (const std::string& name : names) {
    const auto number = issue::issue_of_worktree(name);
    if (!number) continue;
    if (faccessat(folder->get(), cat(name, "/.git").c_str(), F_OK, 0) == 0)
      numbers.push_back(*number);
    else
      folders.push_back(cat(issue::base_dir(engine.settings()), "/", name));
  }
  return numbers;
}

// Whoever looks has a transaction open, or none: what is known of a run, and whether a status speaks of it.
struct Known {
  std::function<Result<std::optional<issue::Run>>(std::int64_t)> run;
  std::function<Result<bool>(const std::optional<issue::Run>&, const Record&)> about;
  std::function<Result<std::optional<issue::Run>>(std::int64_t)> starting;  // a start that was cut off
};

// Those whose worktree is neither in the folder of worktrees nor where their run had it.
Result<std::vector<std::int64_t>> without_folder(const Engine& engine, const std::set<std::int64_t>& known,
                                                 const std::vector<std::int64_t>& worktrees,
                                                 const std::vector<std::string>& folders, const Known& known_runs) {
  std::set<std::int64_t> there(worktrees.begin(), worktrees.end());
  for (const std::string& folder : folders) {
    if (const auto number = issue::issue_of_worktree(folder.substr(folder.rfind('/') + 1))) there.insert(*number);
  }
  std::vector<std::int64_t> out;
  for (const std::int64_t number : known) {
    if (there.contains(number)) continue;
    PAWL_ASSIGN(const auto run, known_runs.run(number));
    if (run && !run->worktree.empty() && !real_path(engine.world().roots->absolute(run->worktree)).empty()) continue;
    out.push_back(number);
  }
  return out;
}

// The number that the issue's file has in it, where that is another than the file's name; one without any is common.
std::string other_number(const Record& record) {
  constexpr std::size_t kMost = 40;
  if (!record.doc.contains("issue")) return {};
  const Json& says = record.doc["issue"];
  if (says == Json(issue::number_of(record)) || says == Json(record.id.key)) return {};
  return stripped(printable(to_line(says)), kMost);
}

// Setting a status writes the number right, and leaves a message out that is not said again, as scripts rely on.
std::string how_to_renumber(const Record& record) {
  if (!string_or(record.doc, "error_message").empty())
    return cat("# write ", printable(record.id.key), " there; all else in the file stays");
  if (record.held)
    return cat("pawl issue set ", shell_word(record.id.key),
               " STATUS  # writes it right, and gives it a status: ", join_or(status_names(issue::machine())));
  return cat("pawl issue set ", shell_word(record.id.key), " ", record.status, "  # writes it right");
}

Result<HealthSurvey> survey(Engine& engine, const std::vector<Record>& records, const Known& known_runs,
                            int patience_ms = Tmux::kPatienceMs) {
  HealthSurvey found;
  RunBook book(engine);
  Sessions sessions(engine, patience_ms);
  std::set<std::int64_t> known;
  for (const Record& record : records) {
    Standing standing{issue::number_of(record), record, {}, false, false, false, false};
    known.insert(standing.number);
    const bool stopped = record.status == issue::kError && string_or(record.doc, "error_message") == issue::kStopped;
    if (record.status != issue::kRunning && !stopped) continue;
    PAWL_ASSIGN(standing.run, known_runs.run(standing.number));
    if (stopped) {  // whoever stopped it may have died between the status and the session
      if (!standing.run || standing.run->ended != issue::kStoppedByHand) continue;
      PAWL_ASSIGN(const auto own, sessions.find(*standing.run));
      if (own) found.outlived.emplace_back(standing.number, *own);
      continue;
    }
    PAWL_ASSIGN(const auto session, sessions.of(record, standing.run));
    standing.session = session.has_value();
    standing.titled = standing.run && !standing.run->title.empty();
    PAWL_ASSIGN(const bool about, known_runs.about(standing.run, record));
    standing.reopened = !about && carries(session, standing.run) && standing.run->watch;
    if (!about) standing.run.reset();
    standing.watched = standing.run && book.watcher(*standing.run).pid != 0;
    found.running.push_back(std::move(standing));
  }
  PAWL_ASSIGN(const auto worktrees, worktree_numbers(engine, found.folders));
  for (const std::int64_t number : worktrees) {
    if (known.contains(number)) continue;
    // A status that nobody can read is one: it is told of as a file that is damaged.
    const std::string status = cat(issue::base_dir(engine.settings()), "/.status/", number, ".json");
    if (access(engine.world().roots->absolute(status).c_str(), F_OK) == 0) continue;
    PAWL_ASSIGN(const auto starting, known_runs.starting(number));
    found.worktrees.emplace_back(number,
                                 cat(starting ? cat("pawl issue resume ", number) : start_command(engine, number, true),
                                     "  # goes on in it\npawl issue cleanup ", number, "  # takes it away"));
  }
  PAWL_ASSIGN(found.orphans, without_folder(engine, known, worktrees, found.folders, known_runs));
  // A status that somebody has removed does not end its run.
  PAWL_ASSIGN(const auto runs, book.numbers());
  std::set<std::int64_t> claimed = known;
  for (const std::int64_t number : runs) {
    if (known.contains(number)) continue;
    PAWL_ASSIGN(const auto run, known_runs.run(number));
    if (!run || !run->ended.empty()) continue;
    PAWL_ASSIGN(const auto own, sessions.find(*run));
    if (own && claimed.insert(number).second) found.unclaimed.emplace_back(number, *own);
  }
  // Without a worktree or a running status there is nothing that another session could belong to; tmux is not asked
  // then.
  if (worktrees.empty() && found.running.empty()) return found;
  PAWL_ASSIGN(const auto all, sessions.on({}));
  for (const TmuxSession& session : all) {
    const auto number = issue::issue_of_session(session.name, engine.settings());
    // Another project's issues have sessions of the same names.
    if (number && !claimed.contains(*number) && is_of_project(engine, session))
      found.unclaimed.emplace_back(*number, session);
  }
  return found;
}

}  // namespace

Done look_at_runs(Engine& engine, const View& view, std::vector<Finding>& findings) {
  const RunBook book(engine);
  Query query;
  query.kind = issue::kKind;
  query.scope = issue::id_of(1, engine.settings()).scope;
  PAWL_ASSIGN(const auto records, view.list(query));
  const Known known{[&](std::int64_t number) { return book.find(view.store(), number); },
                    [&](const std::optional<issue::Run>& run, const Record& record) {
                      return is_about(view.store(), book, run, record);
                    },
                    [&](std::int64_t number) { return book.starting(view.store(), number); }};
  const auto surveyed = survey(engine, records, known, kTmuxPatienceMs);
  if (!surveyed && surveyed.error().code == ErrorCode::untrusted) return done();  // the folder's files say so already
  if (!surveyed && surveyed.error().code == ErrorCode::corruption) return tl::unexpected(surveyed.error());
  if (!surveyed) {  // one thing that is wrong here hides nothing else
    findings.push_back({true, cat(surveyed.error().message, ", so runs were not looked at"), surveyed.error().hint});
    return done();
  }
  const HealthSurvey& found = *surveyed;
  const auto tell = [&](bool problem, std::string text, std::string advice) {
    findings.push_back({problem, std::move(text), std::move(advice), Finding::About::record});
  };
  std::vector<std::int64_t> sessionless;  // only where pawl has started it is it sure that there was a session
  for (const Standing& one : found.running) {
    if (!one.session && !one.run) {
      sessionless.push_back(one.number);
    } else if (!one.session) {
      const bool there = std::find(found.orphans.begin(), found.orphans.end(), one.number) == found.orphans.end();
      tell(true, cat("issue ", one.number, " is running, as its status says, but it has no session"),
           without_session(engine, one.number, {there, there || one.titled, has_agent(engine, one.run), true}));
    } else if (one.reopened || (one.run && one.run->watch && !one.watched)) {
      tell(true, cat("issue ", one.number, " is running, and its watcher is dead"),
           cat("pawl issue reconcile ", one.number, "  # starts another"));
    }
  }
  for (const auto& [number, session] : found.outlived) {
    tell(true, cat("issue ", number, " was stopped, and its session ", printable(session.name), " is still there"),
         cat("pawl issue reconcile ", number, "  # ends it"));
  }
  if (!sessionless.empty()) {
    const bool one = sessionless.size() == 1;
    tell(false,
         cat(one ? "issue " : "issues ", issue::some_numbers(sessionless),
             one ? " is running, as its status says, but it has no session"
                 : " are running, as their statuses say, but they have no session"),
         one ? cat("pawl issue reconcile ", sessionless.front(), "  # ends it")
             : std::string("pawl issue reconcile  # ends them"));
  }
  for (const Record& record : records) {
    if (const std::string says = other_number(record); !says.empty())
      tell(true,
           cat(printable(issue::base_dir(engine.settings())), "/.status/", printable(record.id.key),
               ".json says “issue”: ", says, "; the file's name counts"),
           how_to_renumber(record));
  }
  if (!found.orphans.empty()) {
    const bool one = found.orphans.size() == 1;
    tell(false,
         cat(one ? "issue " : "issues ", issue::some_numbers(found.orphans), one ? " has" : " have",
             " a status and no worktree"),
         cat("pawl issue remove ", one ? std::to_string(found.orphans.front()) : std::string("N"), "  # forgets ",
             one ? "it" : "one"));
  }
  PAWL_ASSIGN(const auto starts, cut_off_starts(engine, view.store()));
  const auto is_cut_off = [&](std::int64_t number) {
    return std::any_of(starts.begin(), starts.end(), [&](const issue::Run& run) { return run.number == number; });
  };
  for (const issue::Run& run : starts) {
    const auto recorded = read_recorded(book.folder(run));
    const bool at_work = recorded && *recorded && (*recorded)->recorder_lives;
    const bool made = at_work || !real_path(engine.world().roots->absolute(run.worktree)).empty();
    tell(true,
         cat("the start of issue ", run.number, " was cut off",
             at_work ? ", and its agent is at work"
             : made  ? ""
                     : " before it had a worktree"),
         how_to_take_up(run, made));
  }
  for (const auto& [number, session] : found.unclaimed) {
    if (is_cut_off(number)) continue;
    tell(true, cat("the session ", printable(session.name), " belongs to no status"),
         cat("pawl issue reconcile ", number, "  # takes it over"));
  }
  const auto is_at_work = [&](std::int64_t number) {
    return std::any_of(found.unclaimed.begin(), found.unclaimed.end(),
                       [&](const auto& one) { return one.first == number; });
  };
  for (const auto& [number, how] : found.worktrees) {
    if (!is_cut_off(number) && !is_at_work(number))
      tell(false, cat("the worktree of issue ", number, " is there, and the issue has no status"), how);
  }
  for (const std::string& folder : found.folders) {
    tell(false, cat(printable(folder), " is called after an issue, but it is no worktree of git's"),
         "# look at it, and move it elsewhere");
  }
  return done();
}

Result<std::vector<Reconciled>> reconcile_runs(Engine& engine, const Request& request, const std::string& self,
                                               std::optional<std::int64_t> only) {
  const auto is_other = [&](std::int64_t number) { return only && number != *only; };
  std::vector<Reconciled> out;
  if (engine.left()) PAWL_TRY(engine.store());  // it says that pawl was left
  RunBook book(engine);
  PAWL_ASSIGN(const auto unfinished, unfinished_issues(engine));
  for (const std::int64_t number : unfinished) {
    if (is_other(number)) continue;
    PAWL_ASSIGN(const Fd lock, book.lock(number));
    PAWL_ASSIGN(const auto start, close_but_start(engine, number));
    if (!start) continue;
    PAWL_ASSIGN(const std::string worktree, worktree_of(engine, number));
    std::string text =
        cat("its start was cut off", worktree.empty() ? " before it had a worktree" : "", ", and is left");
    const std::string how = how_to_take_up(*start, !worktree.empty());
    for (const std::string_view line : split(how, '\n')) text += cat("\n  ", line);
    out.push_back({number, std::move(text), true});
  }
  PAWL_ASSIGN(const auto records, read_issues(engine));
  const Known runs{
      [&](std::int64_t number) { return book.find(number); },
      [&](const std::optional<issue::Run>& run, const Record& record) { return is_about(engine, run, record); },
      [&](std::int64_t number) { return book.starting(number); }};
  PAWL_ASSIGN(const HealthSurvey found, survey(engine, records, runs));
  for (const Standing& one : found.running) {
    if (is_other(one.number)) continue;
    if (one.session && !one.reopened && (!one.run || !one.run->watch || one.watched)) continue;
    if (one.session) {
      PAWL_TRY(start_watcher(engine, one.number, self));
      out.push_back({one.number,
                     one.reopened ? "nobody watched it; somebody does" : "its watcher was dead; another one watches",
                     false});
      continue;
    }
    PAWL_ASSIGN(const Fd lock, book.lock(one.number));
    // Whoever had the lock may have resumed it.
    PAWL_ASSIGN(const Record now, read_issue(engine, one.number));
    PAWL_ASSIGN(const auto known, book.find(one.number));
    Sessions sessions(engine);
    PAWL_ASSIGN(const auto session, sessions.of(now, known));
    if (now.status != issue::kRunning || session) continue;
    PAWL_ASSIGN(const bool about, is_about(engine, known, now));
    issue::Run run = about ? *known : issue::Run{};  // what an earlier one said does not decide this one
    run.number = one.number;
    if (run.session.empty()) run.session = string_or(now.doc, "session");
    RunSight sight;
    if (!run.id.empty()) {
      PAWL_ASSIGN(sight, sight_of(engine, run));
      if (!sight.signals.ignored.empty()) engine.note(text_of_ignored(sight.signals.ignored));
    } else {
      sight.seen.gone = true;
    }
    const auto verdict = issue::judge(sight.seen);
    if (!verdict) continue;  // it has just been started
    PAWL_ASSIGN(const Record after, conclude(engine, request, run, *verdict));
    const std::string message = string_or(after.doc, "error_message");
    out.push_back({one.number,
                   cat("it had no session; it is ", issue::status_word(after),
                       message.empty() ? "" : cat(": ", printable(message))),
                   false});
  }
  for (const auto& [number, session] : found.outlived) {
    if (is_other(number)) continue;
    PAWL_TRY(Tmux(session.socket).end(session.name));
    out.push_back({number,
                   cat("it was stopped, and its session ", printable(session.name), " was still there; it is ended"),
                   false});
  }
  for (const auto& unclaimed : found.unclaimed) {
    const std::int64_t number = unclaimed.first;
    const TmuxSession& session = unclaimed.second;
    if (is_other(number)) continue;
    const RecordId id = issue::id_of(number, engine.settings());
    Look look;
    look.records.push_back(id);
    PAWL_TRY(engine.change(request, look, [&](const View& view, const Now& now) -> Result<Decision> {
      PAWL_ASSIGN(const Record current, view.load(id));
      Decision decision;
      if (current.present()) return decision;
      const issue::SetStatus command{number, std::string(issue::kRunning), session.name, std::nullopt, request.reason};
      PAWL_ASSIGN(Change change, issue::decide(current, command, now, engine.settings()));
      decision.changes.push_back(std::move(change));
      return decision;
    }));
    PAWL_TRY(start_watcher(engine, number, self));
    out.push_back(
        {number, cat("its session ", printable(session.name), " had no status; it is ", issue::kRunning), false});
  }
  for (const auto& worktree : found.worktrees) {
    const auto& [number, how] = worktree;
    const bool taken =
        std::any_of(out.begin(), out.end(), [&](const Reconciled& one) { return one.number == worktree.first; });
    std::string text = "its worktree has no status, and is left";
    for (const std::string_view line : split(how, '\n')) text += cat("\n  ", line);
    if (!taken && !is_other(number)) out.push_back({number, std::move(text), true});
  }
  if (only && out.empty()) {
    PAWL_ASSIGN(const Record record, read_issue(engine, *only));
    if (!record.present())
      return fail(ErrorCode::not_found, cat("issue ", *only, " has no status, no session and no worktree"),
                  "pawl issue list  # those that have a status");
  }
  return out;
}

}  // namespace pawl
