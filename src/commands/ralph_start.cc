// `pawl ralph start`: a new loop, or once more what another was to do.
#include <array>

#include "base/text.h"
#include "commands/loop.h"
#include "commands/present.h"
#include "commands/table.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/promise.h"
#include "lifecycles/loop/ralph.h"
#include "runners/loop_check.h"

namespace pawl {
namespace {

// --like: what another was begun with, whatever became of it. A loop that has ended does not go on; this is how the
// same is tried once more.
Result<loop::StartRalph> like(Engine& engine, const std::string& name, std::optional<LoopCheck>& check) {
  PAWL_ASSIGN(const Record other, loop::read_one(engine, loop::ralph_shape(), {}, name));
  PAWL_ASSIGN(check, read_check(engine, other));
  if (check) check->made = 0;  // that was of its claims
  const Json doc = other.doc;
  loop::StartRalph command;
  const auto owner = loop::owner_of(doc);
  if (owner && loop::is_session_id(*owner)) command.session = *owner;
  command.prompt = loop::prompt_of(doc);
  if (const std::int64_t most = loop::max_iterations(doc); most > 0) command.max_iterations = most;
  const auto prd = doc.find("prd_mode");
  command.prd_mode = prd == doc.end() || *prd != false;
  if (const std::string promise = loop::promise_of(doc); !promise.empty()) command.promise = promise;
  return command;
}

Result<Reply> run_start(Context& context, const Arguments& arguments) {
  const std::string name = arguments.text_or("like", "");
  loop::StartRalph command;
  std::optional<LoopCheck> check;
  PAWL_ASSIGN(Engine* const engine, context.engine());
  if (!name.empty()) {
    PAWL_ASSIGN(command, like(*engine, name, check));
  }
  PAWL_ASSIGN(std::string session, loop::session_in(arguments));
  if (!session.empty()) command.session = std::move(session);
  command.prompt = arguments.text_or("prompt", command.prompt);
  if (command.prompt.empty())
    return fail(ErrorCode::invalid_argument, "a loop needs a prompt",
                "give --prompt P, or --like LOOP for that of another");
  command.max_iterations = arguments.number("max").value_or(command.max_iterations);
  if (arguments.flag("no-prd")) command.prd_mode = false;
  command.promise = arguments.text_or("promise", command.promise);
  PAWL_TRY(loop::check_promise(command.promise));
  PAWL_ASSIGN(loop::Changed begun, loop::start_one(
                                       *engine, context.request(), loop::ralph_shape(), command.session,
                                       [&](const Now& now) { return loop::new_ralph(command, now); },
                                       [&](Decision& decision, const RecordId& id) {
                                         if (check) keep_check(decision, id, *check);
                                       }));
  return Reply{std::move(begun.answer)};
}

std::string text_of_start(const Json& answer, const TextStyle&) {
  return cat(
      "a loop of at most ", counted(loop::max_iterations(answer["state"]), "iteration"), " has begun for ",
      loop::whose(answer), ", in ", printable(string_or(answer, "file")), "\n",
      answer.contains("replaced")
          ? cat("the one before it, which had ended, is kept\n  ",
                loop::to_type(cat("pawl show ", printable(string_or(answer, "replaced"))), "tells what it was"), "\n")
          : std::string(),
      string_or(answer, "session").empty() ? "nobody drives it yet\n  pawl ralph run -- AGENT  # goes on with it\n"
                                           : "");
}

constexpr std::array kStartParams = {
    Param{.name = "prompt",
          .value = "P",
          .summary = "what the agent is told in every iteration",
          .max_bytes = loop::kMaxPromptBytes,
          .not_empty = true},
    Param{.name = "like",
          .value = "LOOP",
          .summary =
              "with the prompt, session, maximum, mode, promise and check of that loop, but for those that are given",
          .not_empty = true},
    loop::kSessionParam,
    loop::kMaxParam,
    loop::kNoPrdParam,
    loop::kPromiseParam,
};

constexpr std::array kStartExamples = {
    Example{"pawl ralph start --prompt 'make the tests pass'", "a loop of nobody's: it drives no session"},
    Example{"pawl ralph start --session s1 --max 10 --prompt 'fix it' --promise DONE",
            "session s1's, ten times at most"},
    Example{"pawl ralph start --like ralph/s1", "once more what session s1's last loop was to do"},
};
}  // namespace

const Verb kRalphStart = {
    .noun = "ralph",
    .name = "start",
    .summary = "begin a loop: the same prompt again and again until the promise is kept",
    .manual =
        "The loop is kept in .omc/ralph-state.json too, for the tools that read it there. A session has one loop at a "
        "time. Where another session's is under way in that file, or git changed it or took it away, this one gets a "
        "file of its own under .omc/state/sessions/.\n\nA loop without a session is nobody's: it can be looked at, "
        "ticked and ended, and "
        "drives no session.",
    .params = kStartParams,
    .examples = kStartExamples,
    .read_only = false,
    .run = run_start,
    .text = text_of_start,
};

}  // namespace pawl
