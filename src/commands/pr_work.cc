// `pawl pr run`, `detect`, `state`, `begin`, `finish`, `fail`, `dismiss`: the rows, and how their answers read; what
// they do is in commands/world/pr_work.cc.
#include <array>

#include "base/text.h"
#include "commands/present.h"
#include "commands/table.h"
#include "lifecycles/pr/comment_text.h"
#include "lifecycles/pr/plan.h"

namespace pawl {
namespace {

std::string first_line(const std::string& text) {
  return printable(text.substr(0, std::min<std::size_t>(text.find('\n'), 100)));
}

// "a.c:3  "; what is about no line, or no file, has none.
std::string place_of(const Json& finding) {
  const std::string path = printable(string_or(finding, "path"));
  const std::int64_t line = integer_or(finding, "line");
  return path.empty() ? std::string() : cat(path, line > 0 ? cat(":", line) : "", "  ");
}

std::string line_of_task(const Json& task) {
  std::string about;
  if (task.contains("questionContext")) about = string_or(task["questionContext"], "question");
  if (task.contains("disputeContext")) about = string_or(task["disputeContext"]["finding"], "finding");
  if (task.contains("isManual")) {
    about = task["isManual"] == true ? "asked for in a comment" : string_or(task, "triggeredBy");
    if (task.contains("resumingCancelled")) about += ", begun before";
  }
  return cat("  ", integer_or(task, "priority"), "  ", printable(string_or(task, "id")), "  ", first_line(about), "\n");
}

std::string text_of_work(const Json& plan, const TextStyle&) {
  if (plan["tasks"].empty()) return "nothing is pending\n";
  std::string out;
  for (const Json& task : plan["tasks"]) out += line_of_task(task);
  if (plan.contains("dismissedManualReviews")) out += "  the automatic review stands for those that were asked for\n";
  return out;
}

// Its status is called after automatic reviews, whoever dismissed it.
std::string who_dismissed(const Json& request) {
  const std::string by = string_or(request, "dismissedBy"), why = first_line(string_or(request, "reason"));
  if (by != "person") return {};
  return cat("  (dismissed by a person", why.empty() ? "" : ": ", why, ")");
}

std::string text_of_state(const Json& state, const TextStyle& style) {
  const Json& metadata = state["metadata"];
  std::string out = cat(bold(printable(string_or(metadata, "pullRequest")), style), "  head ",
                        printable(string_or(metadata, "head").substr(0, 12)), "\n");
  if (metadata.contains("autoReview")) {
    const Json& review = metadata["autoReview"];
    out += cat("automatic review  ", printable(string_or(review, "status")), "  ",
               printable(string_or(review, "sha").substr(0, 12)), "\n");
  }
  for (const Json& one : state["reviewThreads"]) {
    out += cat(pr::kFindingKind, "/", printable(string_or(one, "id")), "  ", printable(string_or(one, "status")), "  ",
               integer_or(one, "score"), "/10  ", place_of(one), first_line(string_or(one, "finding")),
               one.contains("outcome") ? cat("  (", printable(string_or(one, "outcome")), ")") : "",
               one.contains("lost") ? "  (its comment was deleted or changed)" : "", "\n");
  }
  for (const Json& one : state["questionTasks"])
    out += cat(pr::kQuestionKind, "/", printable(string_or(one, "id")), "  ", printable(string_or(one, "status")), "  ",
               first_line(string_or(one, "question")), "\n");
  for (const Json& one : state["manualReviewRequests"])
    out += cat(pr::kManualReviewKind, "/", printable(string_or(one, "id")), "  ", printable(string_or(one, "status")),
               "  asked by ", printable(string_or(one, "author")), ": ", first_line(string_or(one, "request")),
               who_dismissed(one), "\n");
  return out;
}

std::string text_of_run(const Json& data, const TextStyle& style) {
  if (data.contains("tasks")) return text_of_work(data, style);  // --dry-run
  std::string out;
  for (const Json& one : data["results"]) {
    out += cat(printable(string_or(one, "id")), ": ");
    out += one["success"] == true ? "done" : cat("failed: ", printable(string_or(one, "error")));
    if (integer_or(one, "issuesFound") > 0)
      out += cat(", ", pr::counted(integer_or(one, "issuesFound"), "finding"), ", ", integer_or(one, "blockingIssues"),
                 " blocking");
    out += "\n";
  }
  const bool held = data.contains("heldByAnother");
  if (held) {
    for (const Json& one : data["heldByAnother"])
      out += cat(printable(string_or(one, "id")), ": another run is at it (", printable(string_or(one, "by")), ")\n");
  }
  if (data.contains("stopped"))
    out += "stopped; the next run goes on from here\n";
  else if (data["results"].empty() && (data.contains("unreviewed") || !held))
    out += cat(pr::why_no_result(data), "\n");
  // Only those that keep it from being merged; what a review that was asked for has found stands with that review.
  if (const std::int64_t open = integer_or(data, "openBlockingIssues"); open > 0)
    out += cat(pr::counted(open, "blocking finding"), open == 1 ? " is open\n" : " are open\n");
  return out;
}

std::string text_of_step(const Json& data, const TextStyle&) {
  return cat(printable(string_or(data, "id")), ": ", printable(string_or(data, "did")), "\n");
}

// What is known of belongs to one of these pull requests.
constexpr std::string_view kOnPulls = "review pr-finding pr-question pr-manual-review pr-auto-review";

constexpr Param kRef{.name = "ref",
                     .value = "REF",
                     .summary = "owner/repo#123, a URL, a number; without it the event's, or the current branch's",
                     .positional = true,
                     .max_bytes = 1024,
                     .offer = Offer::records,
                     .offer_kind = kOnPulls};
constexpr Param kEvent{.name = "event",
                       .value = "FILE",
                       .summary = "the event that woke the bot, as GitHub sends it; else $GITHUB_EVENT_PATH",
                       .max_bytes = 4096};
constexpr Param kTask{.name = "task",
                      .value = "TASK",
                      .summary =
                          "as pawl pr detect or pawl pr state names it: question/c77, dispute/ab12, "
                          "pr-finding/ab12, review/auto",
                      .positional = true,
                      .required = true,
                      .max_bytes = 200};
constexpr Param kOf{.name = "pr",
                    .value = "REF",
                    .summary = "of which pull request; without it the event's, or the current branch's",
                    .max_bytes = 1024,
                    .offer = Offer::records,
                    .offer_kind = kOnPulls};

constexpr std::array kDetectParams = {kRef, kEvent};
constexpr std::array kStateParams = {kRef};
constexpr std::array kStepParams = {kTask, kOf, kEvent};
constexpr std::array kReopenParams = {Param{.name = "task",
                                            .value = "FINDING",
                                            .summary = "one of pawl pr state: finding/3f2a9c01d3b7",
                                            .positional = true,
                                            .required = true},
                                      kOf, kEvent};
constexpr std::array kFinishParams = {kTask, kOf, kEvent,
                                      Param{.name = "result",
                                            .value = "FILE",
                                            .summary = "the answer, as JSON; - for stdin",
                                            .required = true,
                                            .max_bytes = 4096},
                                      Param{.name = "begun",
                                            .value = "WORD",
                                            .summary = "what pawl pr begin --json answered: refused where it was begun "
                                                       "anew since, on another head or another text",
                                            .max_bytes = 64}};
constexpr std::array kRunParams = {
    kRef, kEvent, Param{.name = "dry-run", .type = ParamType::flag, .summary = "only show what would be done"},
    Param{.name = "agent",
          .value = "COMMAND",
          .summary = "the shell command that does the thinking: its task as JSON on stdin, its answer on stdout",
          .not_empty = true,
          .command_line_only = true},
    Param{.name = "timeout",
          .type = ParamType::duration,
          .value = "D",
          .summary = "a task whose agent takes longer has failed; without it 20m"}};

constexpr std::array kRunExamples = {
    Example{"pawl pr run octo/cat#7 --agent ./reviewer", "do all that is pending"},
    Example{"pawl pr run octo/cat#7 --dry-run", "only show it"},
    Example{"pawl pr run", "in GitHub Actions: everything comes from the environment"},
};
constexpr std::array kDetectExamples = {
    Example{"pawl pr detect octo/cat#7", "what is pending, in the order in which it is done"},
    Example{"pawl pr detect octo/cat#7 --event event.json --json", "for a program"},
};
constexpr std::array kStateExamples = {
    Example{"pawl pr state octo/cat#7", "where its findings, questions and reviews stand"},
    Example{"pawl pr state octo/cat#7 --json", "for a program"},
};
constexpr std::array kBeginExamples = {
    Example{"pawl pr begin question/c77 --pr octo/cat#7", "it is in progress"},
    Example{"pawl pr begin review/auto --pr octo/cat#7 --event event.json", "a review that a push asks for"},
};
constexpr std::array kFinishExamples = {
    Example{"pawl pr finish question/c77 --pr octo/cat#7 --result answer.json", "post the answer and mark it done"},
    Example{"my-reviewer | pawl pr finish review/auto --pr octo/cat#7 --result -", "straight from a reviewer"},
};
constexpr std::array kFailExamples = {
    Example{"pawl pr fail question/c77 --pr octo/cat#7 --reason 'the model was busy'", "it can be tried again"},
    Example{"pawl pr fail review/auto --pr octo/cat#7", "the next run takes it up"},
};
constexpr std::array kDismissExamples = {
    Example{"pawl pr dismiss review/c78 --pr octo/cat#7 --reason 'reviewed by hand'", "and says why in a comment"},
    Example{"pawl pr dismiss finding/3f2a9c01d3b7 --pr octo/cat#7 --reason 'by design'", "a person has decided"},
};
constexpr std::array kReopenExamples = {
    Example{"pawl pr reopen finding/3f2a9c01d3b7 --pr octo/cat#7 --reason 'the wrong one'",
            "it was dismissed by mistake"},
    Example{"pawl pr state octo/cat#7", "shows what was settled, and how"},
};

}  // namespace

const Verb kPrRun = {
    .noun = "pr",
    .name = "run",
    .summary = "do all that is pending on a pull request: disputes, questions, reviews",
    .manual =
        "Looks at the whole pull request, whatever woke it up, and does what is pending, one task after the other: "
        "disputes first, then questions, then reviews; then it looks once more. It may be killed at any time: the next "
        "run, on any machine, finishes what is left and posts nothing twice.\n\n"
        "For each task the agent's command gets JSON on stdin (the task, the pull request, the conversation, the diff, "
        "the findings so far and the form of the answer) and prints its answer as JSON. It does not see tokens or the "
        "key. It comes from --agent, PAWL_PR_AGENT or a pawl.toml that you have trusted.\n\n"
        "The exit code is 1 when a task failed, blocking findings of an automatic review are open or the head is not "
        "reviewed yet, also where another run is at it, 128 and the signal when it was stopped. In GitHub Actions no "
        "argument is needed, and outputs, a summary and annotations are "
        "written.",
    .params = kRunParams,
    .examples = kRunExamples,
    .read_only = false,
    .world = true,
    .text = text_of_run,
};

const Verb kPrDetect = {
    .noun = "pr",
    .name = "detect",
    .summary = "show what is pending on a pull request",
    .manual =
        "A reply to an open finding of the bot's is a dispute; a mention of the bot outside of code is a question, or "
        "a "
        "request for a review; opened, synchronize and ready_for_review ask for an automatic review, and one that was "
        "begun and not finished is taken up again. An event of another pull request does not count. Only the bot's own "
        "comments, or what is signed, say what is "
        "done.\n\n"
        "Nothing is changed on GitHub. What was seen is kept, so that the next look asks only for what is new.",
    .params = kDetectParams,
    .examples = kDetectExamples,
    .read_only = false,
    .world = true,
    .text = text_of_work,
};

const Verb kPrState = {
    .noun = "pr",
    .name = "state",
    .summary = "show where the bot's work on a pull request stands",
    .manual = "Findings, questions, reviews that were asked for and the newest automatic one, each with its status.",
    .params = kStateParams,
    .examples = kStateExamples,
    .read_only = false,
    .world = true,
    .text = text_of_state,
};

const Verb kPrBegin = {
    .noun = "pr",
    .name = "begin",
    .summary = "mark a task as in progress",
    .manual =
        "For those who bring their own reviewer; pawl pr run does the same. An automatic review gets its comment, and "
        "pending requests for a review are dismissed by it, with a comment that says so.",
    .params = kStepParams,
    .examples = kBeginExamples,
    .read_only = false,
    .world = true,
    .text = text_of_step,
};

const Verb kPrFinish = {
    .noun = "pr",
    .name = "finish",
    .summary = "post the answer to a task and mark it done",
    .manual =
        "The answer is checked first: {\"answer\"} for a question; {\"outcome\", \"reply\"} for a dispute; "
        "{\"findings\", \"fixed\", \"summary\"} for a review. One that does not fit is refused (exit 2), and nothing "
        "is "
        "posted. Findings that are open already are not posted again. A "
        "review that was begun on another head is refused.",
    .params = kFinishParams,
    .examples = kFinishExamples,
    .read_only = false,
    .world = true,
    .text = text_of_step,
};

const Verb kPrFail = {
    .noun = "pr",
    .name = "fail",
    .summary = "say that a task failed; it stays pending",
    .manual = "The reason is kept. The task can be begun again, and the next run does so.",
    .params = kStepParams,
    .examples = kFailExamples,
    .read_only = false,
    .world = true,
    .text = text_of_step,
};

const Verb kPrDismiss = {
    .noun = "pr",
    .name = "dismiss",
    .summary = "drop a finding, or a review that was asked for, and say why in a comment",
    .manual =
        "A finding (pr-finding/ID, as pawl pr state shows it, or finding/ID) that is dismissed is resolved, whatever "
        "the bot thinks of "
        "it, which takes --reason; the same is not raised again while "
        "its "
        "lines stay as they are; pawl pr reopen takes it back. The reason of one that is dismissed already stands, and "
        "another is not said. A review that somebody asked for is not done. Questions "
        "are "
        "answered instead.",
    .params = kStepParams,
    .examples = kDismissExamples,
    .read_only = false,
    .world = true,
    .text = text_of_step,
};

const Verb kPrReopen = {
    .noun = "pr",
    .name = "reopen",
    .summary = "open a finding again that was settled by mistake, and say why in its thread",
    .manual =
        "One that was dismissed, conceded, called fixed or given to people is pending again, on every machine, and "
        "keeps "
        "from merging as before. The bot says so in its thread, which is opened again where the token may do that. It "
        "can be dismissed again. A review that was asked for and dismissed is asked for anew instead.",
    .params = kReopenParams,
    .examples = kReopenExamples,
    .read_only = false,
    .needs_reason = true,
    .world = true,
    .text = text_of_step,
};

}  // namespace pawl
