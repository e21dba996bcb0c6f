// `pawl issue remove`: an issue's status is forgotten, and its file goes.
#include <unistd.h>

#include <array>

#include "base/shell_word.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/issue_params.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "lifecycles/issue/issue.h"
#include "lifecycles/issue/status_file.h"
#include "runners/issue/run_book.h"
#include "runners/issue/run_issue.h"
#include "runners/issue/sessions.h"
#include "runners/issue/sight.h"
#include "runners/issue/unfinished.h"

namespace pawl {
namespace {

constexpr int kRemovePatienceMs = 2'000;

// A file that cannot be read, and of which there was never a good one, is no status; it goes all the same, and is kept
// in .pawl/damaged.
bool has_file(const Engine& engine, const RecordId& id) {
  const auto path = issue::StatusFile().path_of(id, engine.settings());
  return path && access(engine.world().roots->absolute(*path).c_str(), F_OK) == 0;
}

// Removing a status ends nobody's work: it is said, and how that is done.
Done tell_of_session(Context& context, Engine& engine, const Record& was) {
  const std::int64_t number = issue::number_of(was);
  PAWL_ASSIGN(const auto run, RunBook(engine).find(number));
  if (was.status != issue::kRunning && !run) return done();
  Sessions sessions(engine, kRemovePatienceMs);
  const auto session = sessions.of(was, run);
  if (!session || !*session) return done();  // a tmux that does not answer does not keep a status from going
  const std::string& name = (*session)->name;
  context.note(cat("session ", printable(name), " goes on\n  ",
                   run ? cat("pawl issue stop ", number) : Tmux((*session)->socket).how_to_end(name), "  # ends it"));
  return done();
}

// A start that was cut off and of which nothing is there. Of one that has a worktree or a session something would be
// left that nobody knows of any more: it is said who takes that away.
Result<std::optional<issue::Run>> start_to_forget(Context& context, Engine& engine, std::int64_t number) {
  PAWL_ASSIGN(auto start, cut_off_start(engine, number));
  if (!start) return start;
  PAWL_ASSIGN(const std::string worktree, worktree_of(engine, number));
  const auto session = Sessions(engine, kRemovePatienceMs).has(*start);
  if (session && !*session && worktree.empty()) return start;
  std::string text = cat("the start of issue ", number, " was cut off, and what it had made stays");
  const std::string how = how_to_take_up(*start, true);
  for (const std::string_view line : split(how, '\n')) text += cat("\n  ", line);
  context.note(text);
  return std::optional<issue::Run>();
}

Result<Reply> run_remove(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const RecordId id = issue::id_of(issue_number(arguments), engine->settings());
  Request request = context.request();
  request.token = arguments.number("token");
  const std::int64_t number = issue_number(arguments);
  const RunBook book(*engine);
  PAWL_ASSIGN(const Record was, read_issue(*engine, number));
  PAWL_ASSIGN(auto start, start_to_forget(context, *engine, number));
  Fd lock;
  if (start) {
    PAWL_ASSIGN(lock, book.lock(number));
  }
  Look look;
  look.records.push_back(id);
  PAWL_ASSIGN(Outcome outcome, engine->change(request, look, [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const Record current, view.load(id));
    Decision decision;
    const bool damaged = !current.present() && has_file(*engine, id);
    if (start) {  // unless somebody has taken it up meanwhile
      PAWL_ASSIGN(const auto starting, book.starting(view.store(), number));
      if (!starting || starting->id != start->id) start.reset();
    }
    decision.answer = Json{{"issue", number}, {"removed", current.present() || damaged || start}};
    if (damaged) decision.answer["damaged"] = true;
    if (start) {
      decision.answer["cut_off"] = true;
      book.forget(decision, number);
      book.keep_former(decision, *start);
    }
    if (!current.present() && !damaged) return decision;  // gone is as good as removed
    PAWL_ASSIGN(Change change, issue::decide(current, issue::Remove{context.flags.reason}));
    decision.changes.push_back(std::move(change));
    return decision;
  }));
  if (start) PAWL_TRY(close_unfinished(*engine, number));
  if (outcome.operation != 0) outcome.answer["operation"] = outcome.operation;
  if (!was.present()) return Reply{std::move(outcome.answer)};
  if (const Done told = tell_of_session(context, *engine, was); !told)  // it is removed by now, whatever else is so
    context.note(cat("whether a session of it goes on could not be told: ", told.error().message));
  return Reply{std::move(outcome.answer)};
}

std::string text_of_remove(const Json& data, const TextStyle&) {
  if (data.contains("damaged"))
    return cat("issue ", to_line(data["issue"]),
               " is removed: its file could not be read, and is kept in .pawl/damaged\n    pawl undo ",
               integer_or(data, "operation"), "  # puts it back\n");
  if (data.contains("cut_off") && !data.contains("operation"))
    return cat("issue ", to_line(data["issue"]), " is forgotten: its start was cut off before it had a worktree\n");
  return cat("issue ", to_line(data["issue"]),
             data["removed"].get<bool>()
                 ? cat(" is removed\n    pawl undo ", integer_or(data, "operation"), "  # brings it back\n")
                 : std::string(" has no status\n"));
}

constexpr std::array kRemoveParams = {kIssueNumber, kIssueToken};
constexpr std::array kRemoveExamples = {
    Example{"pawl issue remove 42", "forget its status; the file goes too"},
    Example{"pawl undo", "it is back"},
};

}  // namespace

const Verb kIssueRemove = {
    .noun = "issue",
    .name = "remove",
    .summary = "forget the status of an issue, and remove its file",
    .manual =
        "It is not an error when there is none. The log keeps what it was, and pawl undo brings it back. A session "
        "goes "
        "on, and is named. A file that cannot be read goes too; it is kept in .pawl/damaged, "
        "and undo puts it back. A start that was cut off before it had a worktree is forgotten; one that had made "
        "something is left to pawl issue cleanup.",
    .params = kRemoveParams,
    .examples = kRemoveExamples,
    .read_only = false,
    .run = run_remove,
    .text = text_of_remove,
};

}  // namespace pawl
