// `pawl ralph run`: drive a loop with an agent's command.
#include <array>

#include "base/text.h"
#include "commands/loop.h"
#include "commands/table.h"
#include "engine/left.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/promise.h"
#include "lifecycles/loop/ralph.h"
#include "lifecycles/loop/verification.h"
#include "runners/ralph_runner.h"

namespace pawl {
namespace {

constexpr std::int64_t kStandardLimitMs = std::int64_t{2} * 60 * 60 * 1000;
constexpr std::int64_t kStandardPauseMs = 1000;

struct EndFacts {
  RalphEnd end;
  std::string_view name;  // in JSON
  std::string_view text;
  int exit_code;
};
constexpr std::array kEnds = {
    EndFacts{RalphEnd::promise, "promise", "the promise was given", 0},
    EndFacts{RalphEnd::stories, "stories", "no story is left", 0},
    EndFacts{RalphEnd::completed, "completed", "it was said to be complete", 0},
    EndFacts{RalphEnd::unchecked, "unchecked", "it was completed without its check, which does not agree", 1},
    EndFacts{RalphEnd::maximum, "maximum", "the maximum is reached", 1},
    EndFacts{RalphEnd::rejected, "rejected", "its claims were rejected too often", 1},
    EndFacts{RalphEnd::not_run, "check_not_run", "its check cannot be run, so nothing is known of the work", 1},
    EndFacts{RalphEnd::stopped, "stopped", "stopped", 0},  // 128 + signal
    EndFacts{RalphEnd::ended, "ended", "ended by somebody else", 1},
};

const EndFacts& facts_of(RalphEnd end) {
  for (const EndFacts& facts : kEnds) {
    if (facts.end == end) return facts;
  }
  return kEnds.back();
}

Result<Reply> run_run(Context& context, const Arguments& arguments) {
  RalphRun run;
  PAWL_ASSIGN(run.session, loop::session_in(arguments));
  run.no_prd = arguments.flag("no-prd");
  run.promise = arguments.text("promise");
  if (run.promise) PAWL_TRY(loop::check_promise(*run.promise));
  run.prompt = arguments.text("prompt");
  run.max = arguments.number("max");
  run.command = arguments.list("command");
  run.verify = arguments.text("verify");
  run.attempts = arguments.number("attempts");
  run.limit_ms = arguments.duration_ms("timeout").value_or(kStandardLimitMs);
  run.pause_ms = arguments.duration_ms("pause").value_or(kStandardPauseMs);
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(RalphRan ran,
              run_ralph(*engine, context.request(), run, {context.live, context.live_ready, context.note}));
  const EndFacts& facts = facts_of(ran.end);
  Json answer = std::move(ran.loop);
  answer["ended"] = facts.name;
  answer["iterations"] = ran.iterations;
  answer["log"] = ran.log;
  if (!ran.why.empty()) answer["check"] = Json{{"command", ran.check}, {"why", ran.why}};
  if (read_left(engine->workspace().store)) answer["left"] = true;
  return Reply{std::move(answer), ran.stop_signal != 0 ? 128 + ran.stop_signal : facts.exit_code};
}

std::string text_of_run(const Json& answer, const TextStyle&) {
  std::string_view why;
  for (const EndFacts& facts : kEnds) {
    if (facts.name == string_or(answer, "ended")) why = facts.text;
  }
  const std::string status = string_or(answer, "status");
  Record record;
  record.id.key = string_or(answer, "loop");
  record.doc = answer["state"];
  const std::string go_on = status != loop::kActive ? std::string()
                            : answer.contains("left")
                                ? loop::to_type("pawl init", "comes back: pawl was left meanwhile")
                                : loop::to_go_on(record);
  std::string check;
  if (const auto not_run = answer.find("check"); not_run != answer.end())
    check =
        cat("  check: ", printable(string_or(*not_run, "command")), "\n  why: ", printable(string_or(*not_run, "why")),
            "\n  install what it needs, or name another with --verify",
            go_on.empty() ? "" : "; the next run checks the claim before it runs the agent", "\n");
  return cat("the loop is ", status.empty() ? "gone" : status, ", ", loop::how_far(answer["state"]), ": ", why, "\n",
             check, go_on.empty() ? "" : cat("  ", go_on, "\n"), "what the agent printed is in ",
             printable(string_or(answer, "log")), "\n");
}

constexpr std::array kRunParams = {
    Param{.name = "command",
          .value = "COMMAND",
          .summary = "the agent and its arguments, behind --; {prompt} in one of them is replaced by the prompt",
          .positional = true,
          .required = true,
          .many = true,
          .command_line_only = true},
    Param{.name = "prompt",
          .value = "P",
          .summary = "begin a loop with this; without it the one that is under way is gone on with",
          .max_bytes = loop::kMaxPromptBytes,
          .not_empty = true},
    loop::kSessionParam,
    loop::kMaxParam,
    loop::kNoPrdParam,
    loop::kPromiseParam,
    Param{
        .name = "verify",
        .value = "COMMAND",
        .summary = "a shell's command that checks a claim to be done; it is true when that exits 0. The loop keeps it",
        .not_empty = true,
        .command_line_only = true},
    Param{.name = "attempts",
          .type = ParamType::positive,
          .value = "N",
          .summary = "with --verify: so many claims may be rejected; without it 3"},
    Param{.name = "timeout",
          .type = ParamType::duration,
          .value = "D",
          .summary = "an iteration that takes longer is ended, with all that it started; without it 2h"},
    Param{.name = "pause",
          .type = ParamType::duration,
          .value = "D",
          .summary = "the wait after the agent failed at once, doubled each time up to 5m; without it 1s"},
};

constexpr std::array kRunExamples = {
    Example{"pawl ralph run --prompt 'fix it' -- claude -p --permission-mode acceptEdits", "the prompt comes on stdin"},
    Example{"pawl ralph run --prompt 'fix it' --verify 'npm test' -- pi -p '{prompt}'",
            "in an argument, and a claim to be done is checked"},
    Example{"pawl ralph run -- claude -p --permission-mode acceptEdits", "go on after Ctrl-C, a crash or a reboot"},
};

}  // namespace

const Verb kRalphRun = {
    .noun = "ralph",
    .name = "run",
    .summary = "run an agent again and again until it has done what it promised",
    .manual =
        "Each iteration runs COMMAND with the prompt, where the work stands and how to say that it is done: on stdin, "
        "and in place of {prompt}. It ends when the promise stands on a line of its own, outside of code and "
        "quotations; when every story of prd.json is done (unless --no-prd); at the maximum; when the loop is "
        "cancelled; or by Ctrl-C, which leaves a loop that the next run goes on with. An iteration counts when its "
        "agent has ended: one that was cut off is done again.\n\n"
        "What the agent prints goes through and into a log of at most 8 MiB. It finds PAWL_LOOP, PAWL_ITERATION, "
        "PAWL_MAX_ITERATIONS, PAWL_STORY and, where the loop has one, PAWL_SESSION in its environment. Nothing in its "
        "process "
        "group outlives pawl.\n\n"
        "With --verify also a finished list of stories is a claim that is checked, and an agent that says `pawl ralph "
        "complete` is told to give its promise. The check is the loop's: a run that goes on with it, after Ctrl-C or "
        "when claims were rejected too often, has it again; --verify gives it another.\n\n"
        "A check that cannot be run (its program is not there, or it exits 126 or 127) has no verdict. Where pawl can "
        "tell beforehand, no agent is run; else the run ends, nothing is counted as rejected, and the next run checks "
        "the claim before it runs the agent.\n\n"
        "A loop that somebody has completed past its check is checked when the run sees it.\n\n"
        "The exit code is 0 when the work is done, 1 at the maximum, when claims were rejected too often, when the "
        "check cannot be run, when the loop was completed and its check does not agree, or somebody else ended it, 130 "
        "after Ctrl-C.",
    .params = kRunParams,
    .examples = kRunExamples,
    .read_only = false,
    .run = run_run,
    .text = text_of_run,
};

}  // namespace pawl
