// `pawl verify …`: is it true that the loop is done?
#include <array>

#include "base/text.h"
#include "commands/loop.h"
#include "commands/table.h"
#include "lifecycles/loop/ralph.h"
#include "lifecycles/loop/verification.h"

namespace pawl {
namespace {

Result<Reply> run_start(Context& context, const Arguments& arguments) {
  loop::StartVerification command;
  PAWL_ASSIGN(command.session, loop::session_in(arguments));
  command.task = arguments.text_or("task", "");
  command.claim = arguments.text_or("claim", "");
  command.max_attempts = arguments.number("max").value_or(loop::kStandardAttempts);
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(loop::Changed begun,
              loop::start_one(*engine, context.request(), loop::verification_shape(), command.session,
                              [&](const Now&) { return loop::new_verification(command); }));
  return Reply{std::move(begun.answer)};
}

std::string attempts(const Json& answer) {
  const std::string made = loop::member(answer, "verification_attempts");
  return cat(made.empty() ? "0" : made, "/", loop::max_attempts(answer["state"]));
}

std::string_view not_approved(const Json& answer) {
  return loop::is_exhausted(loop::status_word(answer)) ? ": every attempt was rejected; it is not approved" : "";
}

std::string text_of_one(const Json& answer, const TextStyle&) {
  return cat("the verification is ", loop::status_word(answer), not_approved(answer), " (attempts ", attempts(answer),
             ")\n");
}

std::string text_of_show(const Json& answer, const TextStyle& style) {
  return loop::text_of_loop(answer, cat("attempts ", attempts(answer), not_approved(answer)),
                            {{"task", "original_task"},
                             {"claim", "completion_claim"},
                             {"feedback", "oracle_feedback"},
                             {"feedback", "architect_feedback"},
                             {"last attempt", "last_attempt_at"}},
                            style);
}

Result<Reply> run_attempt(Context& context, const Arguments& arguments) {
  if (arguments.flag("approved") == arguments.flag("rejected"))
    return fail(ErrorCode::invalid_argument, "an attempt is either --approved or --rejected");
  const loop::AttemptVerification command{arguments.text_or("feedback", ""), arguments.flag("approved")};
  return loop::change_own(context, arguments, loop::verification_shape(), loop::Purpose::drive,
                          [&](const Record& current, const Now& now) { return loop::decide(current, command, now); });
}

constexpr std::array kStartParams = {
    loop::needed_text("task", "T", "what was to be done"),
    loop::needed_text("claim", "C", "what is claimed to be complete"),
    loop::kSessionParam,
    Param{
        .name = "max", .type = ParamType::positive, .value = "N", .summary = "at most so many attempts; without it 3"},
};
constexpr std::array kAttemptParams = {
    Param{.name = "feedback",
          .value = "F",
          .summary = "what the one who verified says",
          .required = true,
          .max_bytes = loop::kMaxFeedbackBytes},
    Param{.name = "approved", .type = ParamType::flag, .summary = "the claim is true"},
    Param{.name = "rejected", .type = ParamType::flag, .summary = "the claim is not true, or not yet"},
    loop::kSessionParam,
};

constexpr std::array kStartExamples = {
    Example{"pawl verify start --task 'build it' --claim 'it is built'", "three attempts at most"},
    Example{"pawl verify start --session s1 --max 5 --task 'fix #7' --claim 'fixed'", "session s1's, five at most"},
};
constexpr std::array kShowExamples = {
    Example{"pawl verify show", "pending, approved or exhausted, with the last feedback"},
    Example{"pawl verify show --session s1 --json", "session s1's, with all that its file says"},
};
constexpr std::array kAttemptExamples = {
    Example{"pawl verify attempt --rejected --feedback 'needs unit tests'", "one attempt less is left"},
    Example{"pawl verify attempt --approved --feedback 'looks good'", "it is done"},
};
constexpr std::array kClearExamples = {
    Example{"pawl verify clear", "forget it, and remove its file"},
    Example{"pawl undo", "it is back"},
};
constexpr std::array kWriteExamples = {
    Example{"pawl verify write --state \"$(cat state.json)\"", "replaces the state"},
    Example{"pawl verify write --revision 3 --state '{\"pending\": true, …}'", "only if nobody changed it since"},
};

}  // namespace

const Verb kVerifyStart = {
    .noun = "verify",
    .name = "start",
    .summary = "begin to verify a claim that work is complete",
    .manual = "The verification is kept in .omc/ralph-verification.json too, for the tools that read it there.",
    .params = kStartParams,
    .examples = kStartExamples,
    .read_only = false,
    .run = run_start,
    .text = text_of_one,
};

const Verb kVerifyShow = {
    .noun = "verify",
    .name = "show",
    .summary = "show a verification: pending, approved or exhausted",
    .manual =
        "Exhausted means that the last attempt was rejected: the claim is not approved, and its file stays pending. "
        "The "
        "exit code is 3 when there is nothing to show.",
    .params = loop::kLoopAndSession,
    .examples = kShowExamples,
    .run = loop::run_show<loop::verification_shape>,
    .text = text_of_show,
};

const Verb kVerifyAttempt = {
    .noun = "verify",
    .name = "attempt",
    .summary = "note the verdict of one attempt",
    .manual = "A rejected attempt at the maximum exhausts the verification. It is never approved by running out.",
    .params = kAttemptParams,
    .examples = kAttemptExamples,
    .read_only = false,
    .run = run_attempt,
    .text = text_of_one,
};

const Verb kVerifyClear = {
    .noun = "verify",
    .name = "clear",
    .summary = "forget a verification and remove its file",
    .manual = "It is not an error when there is none. The log keeps what it was, and pawl undo brings it back.",
    .params = loop::kLoopAndSession,
    .examples = kClearExamples,
    .read_only = false,
    .run = loop::run_clear<loop::verification_shape>,
    .text = loop::text_of_clear,
};

const Verb kVerifyWrite = {
    .noun = "verify",
    .name = "write",
    .summary = "write the whole state of a verification",
    .manual =
        "For programs that keep the state themselves. Without --revision what there is is replaced; with it the state "
        "is checked against what was read.",
    .params = loop::kWriteParams,
    .examples = kWriteExamples,
    .read_only = false,
    .run = loop::run_write<loop::verification_shape>,
    .text = loop::text_of_write,
};

}  // namespace pawl
