// `pawl ralph …`: loops in which an agent gets the same prompt until it has done what it promised.
#include "lifecycles/loop/ralph.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>

#include "base/text.h"
#include "commands/loop.h"
#include "commands/present.h"
#include "commands/table.h"
#include "core/outside.h"
#include "engine/claims.h"
#include "engine/doubt.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/begin.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"
#include "runners/install/neighbours.h"
#include "runners/loop_check.h"
#include "runners/ralph_go_on.h"
#include "runners/ralph_runner.h"

namespace pawl {
namespace {

using loop::Purpose;

std::string one_line(const Json& answer) {
  return cat(loop::status_word(answer), ", ", loop::how_far(answer["state"]), ", ", loop::whose(answer));
}

// Inside of `pawl ralph run` the iteration that this is; it ends with the loop.
std::optional<std::int64_t> iteration_of(const Record& current) {
  const char* const loop = getenv("PAWL_LOOP");
  const char* const iteration = getenv("PAWL_ITERATION");
  if (loop == nullptr || iteration == nullptr || current.id.key != loop) return std::nullopt;
  return parse_positive(iteration);
}

// --- show, list ---

std::string text_of_show(const Json& answer, const TextStyle& style) {
  return loop::text_of_loop(answer, loop::how_far(answer["state"]),
                            {{"prompt", "prompt"},
                             {"prompt", "original_prompt"},
                             {"task", "task_description"},
                             {"story", "current_story_id"},
                             {"promise", "completion_promise"},
                             {"started", "started_at"},
                             {"last activity", "last_activity_at"},
                             {"cancelled at", "cancelled_at"},
                             {"why", "cancel_reason"},
                             {"completed at", "completed_at"}},
                            style);
}

// What checks it is kept beside the loop, and not in its file.
Result<Reply> run_ralph_show(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Reply reply, loop::run_show<loop::ralph_shape>(context, arguments));
  if (context.flags.at) return reply;
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const std::string session, loop::session_in(arguments));
  PAWL_ASSIGN(const Record record,
              loop::read_one(*engine, loop::ralph_shape(), session, arguments.text_or("loop", "")));
  PAWL_ASSIGN(const auto check, read_check(*engine, record));
  if (check)
    reply.data["check"] =
        Json{{"command", check->command}, {"attempts", check->attempts}, {"given_here", check->given_here}};
  return reply;
}

// Another tool's loop, shown and left to it; as the others are answered with.
Json answer_of_foreign(const loop::ForeignLoop& other) {
  return {{"loop", nullptr},
          {"status", other.active ? "active" : "ended"},
          {"held", nullptr},
          {"session", nullptr},
          {"file", loop::kForeignLoopFile},
          {"revision", 0},
          {"state", other.state},
          {"owner", loop::kForeignOwner}};
}

Result<Reply> run_list(Context& context, const Arguments&) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Json list = Json::array();
  PAWL_TRY(engine->read(loop::look_at_all(loop::ralph_shape()), context.flags.at, [&](const View& view) -> Done {
    PAWL_ASSIGN(const auto loops, loop::all_loops(view, loop::ralph_shape(), loop::Aside::too));
    for (const Record& record : loops) {
      // One that is under way and whose file is another's by now can be ended still.
      if (record.aside && !loop::is_live(loop::ralph_machine(), record)) continue;
      list.push_back(loop::answer_of(loop::ralph_shape(), record));
      PAWL_ASSIGN(const bool unverified, came_unverified(view, loop::ralph_machine(), record));
      if (unverified) list.back()["unverified"] = true;
    }
    return done();
  }));
  if (const auto other = context.flags.at ? std::nullopt : install::foreign_loop(*engine->world().roots))
    list.push_back(answer_of_foreign(*other));
  return Reply{std::move(list)};
}

std::string text_of_list(const Json& list, const TextStyle& style) {
  if (list.empty()) return "there is no loop here\n";
  std::vector<TableRow> rows;
  for (const Json& answer : list) {
    const std::string key = string_or(answer, "loop");
    const std::string prompt = loop::prompt_of(answer["state"]);
    rows.push_back(
        {{key.empty() ? std::string("-") : printable(cat("ralph/", key)),
          answer.contains("aside") ? cat(loop::status_word(answer), ", set aside") : loop::status_word(answer),
          loop::how_far(answer["state"]), printable(string_or(answer, "session", "-")),
          cat(printable(string_or(answer, "file")),
              answer.contains("owner") ? cat(" (left to ", string_or(answer, "owner"), ")") : "")},
         printable(prompt.substr(0, prompt.find('\n')))});
  }
  return table_of(rows, style);
}

// --- tick, complete, own ---

Result<Reply> run_tick(Context& context, const Arguments& arguments) {
  const loop::TickRalph command{arguments.text("story")};
  PAWL_ASSIGN(const std::string session, loop::session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Json answer, loop::change_one(*engine, context.request(), loop::ralph_shape(), session, Purpose::drive,
                                            [&](const View& view, const Record& current,
                                                const Now& now) -> Result<std::vector<Change>> {
                                              PAWL_TRY(must_not_be_counted(view, current, now));
                                              PAWL_ASSIGN(Change made, loop::decide(current, command, now));
                                              return std::vector{std::move(made)};
                                            }));
  return Reply{std::move(answer)};
}

std::string text_of_one(const Json& answer, const TextStyle&) { return cat("the loop is ", one_line(answer), "\n"); }

Result<Reply> run_complete(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const std::string session, loop::session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  std::string unverified;
  PAWL_ASSIGN(
      Json answer,
      loop::change_one(*engine, context.request(), loop::ralph_shape(), session, Purpose::drive,
                       [&](const View& view, const Record& current, const Now& now) -> Result<std::vector<Change>> {
                         loop::CompleteRalph command{iteration_of(current)};
                         PAWL_ASSIGN(const auto check, check_of(view, current));
                         command.unchecked = check.has_value();
                         command.record_gates = records_gates(loop::ralph_lifecycle(), engine->settings());
                         PAWL_ASSIGN(const auto driver, driven_by(view, current, now));
                         command.driven = driver.has_value();
                         PAWL_ASSIGN(Change made, loop::decide(current, command, now));
                         unverified = made.unverified ? unverified_in_words(made) : std::string();
                         return std::vector{std::move(made)};
                       }));
  if (!unverified.empty()) engine->note(unverified);
  return Reply{std::move(answer)};
}

Result<Reply> run_own(Context& context, const Arguments& arguments) {
  loop::OwnRalph command;
  PAWL_ASSIGN(command.session, loop::session_in(arguments));
  if (command.session.empty())
    return fail(ErrorCode::invalid_argument, "own needs a session that takes the loop",
                "give --session ID, or set PAWL_SESSION");
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const Decide decide = [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(const auto loops, loop::all_loops(view, loop::ralph_shape()));
    PAWL_ASSIGN(const Record current, loop::choose(loop::ralph_machine(), loops, command.session, Purpose::take,
                                                   arguments.text_or("loop", "")));
    const RecordId owned = loop::owned_id(current, command.session, loops);
    PAWL_ASSIGN(const Record theirs, view.load(owned));
    Decision decision;
    PAWL_ASSIGN(auto changes, loop::decide(current, theirs, command, now));
    if (owned.scope != current.id.scope) decision.changes = loop::made_room(loops, owned);
    for (Change& change : changes) decision.changes.push_back(std::move(change));
    // What checks it goes with it; a command that was not given here stays one.
    PAWL_ASSIGN(const auto check, check_of(view, current));
    if (check) keep_check(decision, owned, *check);
    decision.answer = loop::answer_of(loop::ralph_shape(), decision.changes.back());
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome,
              engine->change(context.request(), loop::look_at(loop::ralph_shape(), command.session), decide));
  return Reply{std::move(outcome.answer)};
}

// --- cancel, clear ---

// With a session all that may hold it: nobody shall have to cancel twice.
Result<Reply> run_cancel(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const std::string session, loop::session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const loop::CancelRalph command{context.flags.reason};
  const Decide decide = [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(auto loops, loop::all_loops(view, loop::ralph_shape(), loop::Aside::too));
    const auto live = [](const Record& one) { return loop::is_live(loop::ralph_machine(), one); };
    if (arguments.flag("all")) {
      std::erase_if(loops, std::not_fn(live));
    } else {
      PAWL_ASSIGN(loops, loop::choose_all(loop::ralph_machine(), loops, session, arguments.text_or("loop", "")));
    }
    // Of several that are called alike those are meant that go on.
    if (std::any_of(loops.begin(), loops.end(), live)) std::erase_if(loops, std::not_fn(live));
    Decision decision;
    decision.answer = Json::array();
    for (const Record& current : loops) {
      if (current.status == loop::kCancelled) {  // what is wanted is so
        decision.answer.push_back(loop::answer_of(loop::ralph_shape(), current));
        decision.answer.back()["already"] = true;
        continue;
      }
      PAWL_ASSIGN(Change made, loop::decide(current, command, now));
      decision.answer.push_back(loop::answer_of(loop::ralph_shape(), made));
      decision.changes.push_back(std::move(made));
      PAWL_TRY(loop::end_verifications(view, current.id, decision));
    }
    return decision;
  };
  const Look look = loop::look_at_all_with_verifications(loop::ralph_shape());
  PAWL_ASSIGN(Outcome outcome, engine->change(context.request(), look, decide));
  return Reply{std::move(outcome.answer)};
}

std::string text_of_cancel(const Json& list, const TextStyle&) {
  if (list.empty()) return "there is no loop under way\n";
  std::string out;
  for (const Json& answer : list)
    out += cat(answer.contains("already") ? "the loop had been cancelled before: " : "the loop is ", one_line(answer),
               "\n");
  return out;
}

constexpr std::array kTickParams = {
    loop::kSessionParam,
    Param{.name = "story",
          .value = "ID",
          .summary = "the story that is worked on now",
          .max_bytes = loop::kMaxStoryBytes,
          .not_empty = true},
};
constexpr std::array kCancelParams = {
    loop::kLoopParam,
    loop::kSessionParam,
    Param{.name = "all", .type = ParamType::flag, .summary = "every loop of the project, whoever's it is"},
};

constexpr std::array kShowExamples = {
    Example{"pawl ralph show", "where the loop stands"},
    Example{"pawl ralph show --session s1 --json", "session s1's, with all that its file says"},
};
constexpr std::array kListExamples = {
    Example{"pawl ralph list", "every session's loop: id, status, iteration, session, file; below it its prompt"},
    Example{"pawl ralph list --json", "the same with all that the files say"},
};
constexpr std::array kTickExamples = {
    Example{"pawl ralph tick", "one more iteration"},
    Example{"pawl ralph tick --story US-3", "and this is the story now"},
};
constexpr std::array kCompleteExamples = {
    Example{"pawl ralph complete", "the promise was kept"},
    Example{"pawl ralph complete --session s1 --reason 'all stories pass'", "session s1's, and why"},
};
constexpr std::array kCancelExamples = {
    Example{"pawl ralph cancel", "stop the loop"},
    Example{"pawl ralph cancel ralph/s1", "session s1's, as pawl status calls it"},
    Example{"pawl ralph cancel --all --reason 'end of the day'", "stop every loop of the project"},
};
constexpr std::array kClearExamples = {
    Example{"pawl ralph clear", "end the loop and remove its file"},
    Example{"pawl undo", "it is back"},
};
constexpr std::array kOwnExamples = {
    Example{"pawl ralph own --session s2", "session s2 goes on with the loop"},
    Example{"pawl ralph own ralph/s1 --session s2", "with that of session s1, where several are under way"},
};
constexpr std::array kWriteExamples = {
    Example{"pawl ralph write --state \"$(cat state.json)\"", "replaces the loop's state"},
    Example{"pawl ralph write --revision 3 --state '{\"active\": false, …}'", "only if nobody changed it since"},
};

}  // namespace

const Verb kRalphShow = {
    .noun = "ralph",
    .name = "show",
    .summary = "show where a loop stands",
    .manual =
        "With a session its own loop, otherwise the only one that is under way, or the newest that ended. The exit "
        "code is 3 when there is none.",
    .params = loop::kLoopAndSession,
    .examples = kShowExamples,
    .run = run_ralph_show,
    .text = text_of_show,
};

const Verb kRalphList = {
    .noun = "ralph",
    .name = "list",
    .summary = "list the loops of all sessions",
    .manual =
        "A line each: id, status, iteration, session, file; below it the beginning of its prompt. A loop of "
        "Anthropic's ralph-loop (.claude/ralph-loop.local.md) "
        "is shown and left to it.",
    .examples = kListExamples,
    .run = run_list,
    .text = text_of_list,
};

const Verb kRalphTick = {
    .noun = "ralph",
    .name = "tick",
    .summary = "count one more iteration of a loop",
    .manual =
        "At the maximum nothing is counted: the loop is exhausted, and stays so. While `pawl ralph run` drives the "
        "loop "
        "it counts by itself, and this is refused.",
    .params = kTickParams,
    .examples = kTickExamples,
    .read_only = false,
    .run = run_tick,
    .text = text_of_one,
};

const Verb kRalphComplete = {
    .noun = "ralph",
    .name = "complete",
    .summary = "say that a loop has done what it promised",
    .manual =
        "Its file stays, and says that it is not active. A loop that has ended does not go on; start another.\n\n"
        "A loop with a check (`pawl ralph run --verify`) is complete only when that agrees: this is refused, or, where "
        "gates are recorded only (gates = \"record\"), taken and marked unverified. The agent of a `pawl ralph run` is "
        "refused in any case: it gives its promise, and the check is run then. `pawl ralph cancel` ends it in any "
        "case.",
    .params = loop::kSessionOnly,
    .examples = kCompleteExamples,
    .read_only = false,
    .run = run_complete,
    .text = text_of_one,
};

const Verb kRalphCancel = {
    .noun = "ralph",
    .name = "cancel",
    .summary = "stop a loop; it does not come back",
    .manual =
        "Its file stays, and says when it was cancelled. One that is cancelled already stays as it is, with exit code "
        "0; one that is complete or exhausted stays so, with exit code 1. Whoever writes the same loop as active again "
        "is refused. "
        "Removing the file by hand ends the loop as well.",
    .params = kCancelParams,
    .examples = kCancelExamples,
    .read_only = false,
    .run = run_cancel,
    .text = text_of_cancel,
};

const Verb kRalphClear = {
    .noun = "ralph",
    .name = "clear",
    .summary = "end a loop and remove its file",
    .manual = "It is not an error when there is none. The log keeps what it was, and pawl undo brings it back.",
    .params = loop::kLoopAndSession,
    .examples = kClearExamples,
    .read_only = false,
    .run = loop::run_clear<loop::ralph_shape>,
    .text = loop::text_of_clear,
};

const Verb kRalphOwn = {
    .noun = "ralph",
    .name = "own",
    .summary = "take a loop over: this session goes on with it",
    .manual = "The session that had it has none then, and cannot bring it back by writing its old file.",
    .params = loop::kLoopAndSession,
    .examples = kOwnExamples,
    .read_only = false,
    .run = run_own,
    .text = text_of_one,
};

const Verb kRalphWrite = {
    .noun = "ralph",
    .name = "write",
    .summary = "write the whole state of a loop",
    .manual =
        "For programs that keep the state themselves. Without --revision what there is is replaced; with it the state "
        "is checked against what was read. A loop that has ended is not written active again.",
    .params = loop::kWriteParams,
    .examples = kWriteExamples,
    .read_only = false,
    .run = loop::run_write<loop::ralph_shape>,
    .text = loop::text_of_write,
};

}  // namespace pawl
