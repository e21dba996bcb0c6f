// `pawl ralph …`: loops in which an agent gets the same prompt until it has done what it promised.
#include "lifecycle/loop/ralph.h"

#include <array>

#include "base/file.h"
#include "base/text.h"
#include "lifecycle/loop/foreign_loop.h"
#include "lifecycle/loop/identity.h"
#include "lifecycle/loop/move.h"
#include "lifecycle/loop/promise.h"
#include "verbs/loop.h"
#include "verbs/table.h"

namespace pawl {
namespace {

using loop::Purpose;

const loop::Shape& shape() { return loop::ralph_shape(); }

std::string iterations(const Json& answer) {
  const std::int64_t most = loop::max_iterations(answer["state"]);
  const std::string now = loop::member(answer, "iteration");
  return cat(now.empty() ? "0" : now, most > 0 ? cat("/", most) : std::string());
}

std::string one_line(const Json& answer) {
  return cat(loop::status_word(answer), ", iteration ", iterations(answer), ", ", loop::whose(answer));
}

// --- start ---

Result<Reply> run_start(Context& context, const Arguments& arguments) {
  loop::StartRalph command;
  PAWL_ASSIGN(command.session, loop::session_in(arguments));
  command.prompt = arguments.text_or("prompt", "");
  command.max_iterations = arguments.number("max").value_or(loop::kStandardIterations);
  command.prd_mode = !arguments.flag("no-prd");
  command.promise = arguments.text_or("promise", loop::kStandardPromise);
  PAWL_TRY(loop::check_promise(command.promise));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(loop::Changed begun, loop::start_one(*engine, context.request(), shape(), command.session,
                                                   [&](const Now& now) { return loop::new_ralph(command, now); }));
  return Reply{std::move(begun.answer)};
}

std::string text_of_start(const Json& answer, const TextStyle&) {
  return cat("a loop of at most ", loop::max_iterations(answer["state"]), " iterations has begun for ",
             loop::whose(answer), ", in ", printable(string_or(answer, "file")), "\n");
}

// --- show, list ---

std::string text_of_show(const Json& answer, const TextStyle& style) {
  return loop::text_of_loop(answer, cat("iteration ", iterations(answer)),
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

// Another tool's loop, shown and left to it.
std::optional<Json> foreign_loop(const Engine& engine) {
  constexpr std::size_t kMaxBytes = 1'048'576;
  const auto image = read_file(cat(engine.workspace().root, "/", loop::kForeignLoopFile), kMaxBytes);
  if (!image || !image->exists) return std::nullopt;
  Json state = loop::read_foreign_loop(image->bytes);
  const auto active = state.find("active");
  const bool is_active = active != state.end() && active->is_boolean() && active->get<bool>();
  return Json{{"loop", nullptr},           {"status", is_active ? "active" : "ended"}, {"held", nullptr},
              {"session", nullptr},        {"file", loop::kForeignLoopFile},           {"revision", 0},
              {"state", std::move(state)}, {"owner", "Anthropic's ralph-loop"}};
}

Result<Reply> run_list(Context& context, const Arguments&) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const auto loops, loop::read_all(*engine, shape(), context.flags.at));
  Json list = Json::array();
  for (const Record& record : loops) list.push_back(loop::answer_of(shape(), record));
  if (auto other = context.flags.at ? std::nullopt : foreign_loop(*engine)) list.push_back(*std::move(other));
  return Reply{std::move(list)};
}

std::string text_of_list(const Json& list, const TextStyle&) {
  std::string out;
  for (const Json& answer : list) {
    out += cat(loop::status_word(answer), "\t", iterations(answer), "\t", printable(string_or(answer, "session", "-")),
               "\t", printable(string_or(answer, "file")),
               answer.contains("owner") ? cat("\t(left to ", string_or(answer, "owner"), ")") : std::string(), "\n");
  }
  return out;
}

// --- tick, complete, own ---

Result<Reply> run_tick(Context& context, const Arguments& arguments) {
  const loop::TickRalph command{arguments.text("story")};
  return loop::change_own(context, arguments, shape(), Purpose::drive,
                          [&](const Record& current, const Now& now) { return loop::decide(current, command, now); });
}

std::string text_of_one(const Json& answer, const TextStyle&) { return cat("the loop is ", one_line(answer), "\n"); }

Result<Reply> run_complete(Context& context, const Arguments& arguments) {
  return loop::change_own(context, arguments, shape(), Purpose::drive, [](const Record& current, const Now& now) {
    return loop::decide(current, loop::CompleteRalph{}, now);
  });
}

Result<Reply> run_own(Context& context, const Arguments& arguments) {
  loop::OwnRalph command;
  PAWL_ASSIGN(command.session, loop::session_in(arguments));
  if (command.session.empty())
    return fail(ErrorCode::invalid_argument, "own needs a session that takes the loop",
                "give --session ID, or set PAWL_SESSION");
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(
      Json answer,
      loop::change_one(*engine, context.request(), shape(), command.session, Purpose::take,
                       [&](const View& view, const Record& current, const Now& now) -> Result<std::vector<Change>> {
                         PAWL_ASSIGN(const Record theirs, view.load(loop::owned_id(current, command.session)));
                         return loop::decide(current, theirs, command, now);
                       }));
  return Reply{std::move(answer)};
}

// --- cancel, clear ---

// With a session all that may hold it: nobody shall have to cancel twice.
Result<Reply> run_cancel(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const std::string session, loop::session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const loop::CancelRalph command{context.flags.reason};
  const Decide decide = [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(auto loops, loop::all_loops(view, shape()));
    if (arguments.flag("all")) {
      std::erase_if(loops, [](const Record& one) { return !loop::is_live(loop::ralph_machine(), one); });
    } else {
      PAWL_ASSIGN(loops, loop::choose_all(loop::ralph_machine(), loops, session));
    }
    Decision decision;
    decision.answer = Json::array();
    for (const Record& current : loops) {
      PAWL_ASSIGN(Change made, loop::decide(current, command, now));
      decision.answer.push_back(loop::answer_of(shape(), made));
      decision.changes.push_back(std::move(made));
    }
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome, engine->change(context.request(), loop::look_at_all(shape()), decide));
  return Reply{std::move(outcome.answer)};
}

std::string text_of_cancel(const Json& list, const TextStyle&) {
  if (list.empty()) return "there is no loop under way\n";
  std::string out;
  for (const Json& answer : list) out += cat("the loop is ", one_line(answer), "\n");
  return out;
}

constexpr std::array kStartParams = {
    loop::needed_text("prompt", "P", "what the agent is told in every iteration"),
    loop::kSessionParam,
    loop::kMaxParam,
    loop::kNoPrdParam,
    loop::kPromiseParam,
};
constexpr std::array kTickParams = {
    loop::kSessionParam,
    Param{.name = "story",
          .value = "ID",
          .summary = "the story that is worked on now",
          .max_bytes = loop::kMaxStoryBytes,
          .not_empty = true},
};
constexpr std::array kCancelParams = {
    loop::kSessionParam,
    Param{.name = "all", .type = ParamType::flag, .summary = "every loop of the project, whoever's it is"},
};

constexpr std::array kStartExamples = {
    Example{"pawl ralph start --prompt 'make the tests pass'", "a loop of nobody's: it drives no session"},
    Example{"pawl ralph start --session s1 --max 10 --prompt 'fix it' --promise DONE",
            "session s1's, ten times at most"},
};
constexpr std::array kShowExamples = {
    Example{"pawl ralph show", "where the loop stands"},
    Example{"pawl ralph show --session s1 --json", "session s1's, with all that its file says"},
};
constexpr std::array kListExamples = {
    Example{"pawl ralph list", "every session's loop: status, iteration, session, file"},
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
    Example{"pawl ralph cancel --all --reason 'end of the day'", "stop every loop of the project"},
};
constexpr std::array kClearExamples = {
    Example{"pawl ralph clear", "end the loop and remove its file"},
    Example{"pawl undo", "it is back"},
};
constexpr std::array kOwnExamples = {
    Example{"pawl ralph own --session s2", "session s2 goes on with the loop"},
    Example{"PAWL_SESSION=s2 pawl ralph own", "the same"},
};
constexpr std::array kWriteExamples = {
    Example{"pawl ralph write --state \"$(cat state.json)\"", "replaces the loop's state"},
    Example{"pawl ralph write --revision 3 --state '{\"active\": false, …}'", "only if nobody changed it since"},
};

}  // namespace

const Verb kRalphStart = {
    .noun = "ralph",
    .name = "start",
    .summary = "begin a loop: the same prompt again and again until the promise is kept",
    .manual =
        "The loop is kept in .omc/ralph-state.json too, for the tools that read it there. A session has one loop at a "
        "time. Where another session's is under way in that file, this one gets a file of its own under "
        ".omc/state/sessions/.\n\nA loop without a session is nobody's: it can be looked at, ticked and ended, and "
        "drives no session.",
    .params = kStartParams,
    .examples = kStartExamples,
    .read_only = false,
    .run = run_start,
    .text = text_of_start,
};

const Verb kRalphShow = {
    .noun = "ralph",
    .name = "show",
    .summary = "show where a loop stands",
    .manual =
        "With a session its own loop, otherwise the only one that is under way, or the newest that ended. The exit "
        "code is 3 when there is none.",
    .params = loop::kSessionOnly,
    .examples = kShowExamples,
    .run = loop::run_show<loop::ralph_shape>,
    .text = text_of_show,
};

const Verb kRalphList = {
    .noun = "ralph",
    .name = "list",
    .summary = "list the loops of all sessions",
    .manual =
        "A line each: status, iteration, session, file. A loop of Anthropic's ralph-loop (.claude/ralph-loop.local.md) "
        "is shown and left to it.",
    .examples = kListExamples,
    .run = run_list,
    .text = text_of_list,
};

const Verb kRalphTick = {
    .noun = "ralph",
    .name = "tick",
    .summary = "count one more iteration of a loop",
    .manual = "At the maximum nothing is counted: the loop is exhausted, and stays so.",
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
    .manual = "Its file stays, and says that it is not active. A loop that has ended does not go on; start another.",
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
        "Its file stays, and says when it was cancelled. Whoever writes the same loop as active again is refused. "
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
    .params = loop::kSessionOnly,
    .examples = kClearExamples,
    .read_only = false,
    .run = loop::run_clear<loop::ralph_shape>,
    .text = loop::text_of_clear,
};

const Verb kRalphOwn = {
    .noun = "ralph",
    .name = "own",
    .summary = "take a loop over: this session goes on with it",
    .manual = "The session that had it has none then, and can not bring it back by writing its old file.",
    .params = loop::kSessionOnly,
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
