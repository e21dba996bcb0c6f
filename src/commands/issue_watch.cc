// `pawl issue watch`, `wait`, `record`: knowing when the work on an issue is done, failed or gone.
#include <array>
#include <set>

#include "base/text.h"
#include "commands/context.h"
#include "commands/issue_params.h"
#include "commands/present.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "engine/watcher.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/advice.h"
#include "runners/issue/recorder.h"
#include "runners/issue/sessions.h"
#include "runners/issue/watcher.h"

namespace pawl {
namespace {

constexpr int kTimedOut = 124;  // as timeout(1) has it

// With the branch that has the work, where that is complete: it is for somebody to push.
Result<Json> end_json(Engine& engine, RunBook& book, const Record& record, bool timed_out) {
  Json out{{"issue", issue::number_of(record)}, {"status", issue::status_word(record)}};
  if (const std::string message = string_or(record.doc, "error_message"); !message.empty())
    out["error_message"] = message;
  if (timed_out) out["timed_out"] = true;
  if (record.status != issue::kComplete) return out;
  PAWL_ASSIGN(const auto run, book.find(issue::number_of(record)));
  if (!run || run->branch.empty()) return out;
  out["branch"] = run->branch;
  if (const auto next = next_for(engine, *run)) out["next"] = *next;
  return out;
}

int exit_for(const Record& record, bool timed_out) {
  return timed_out ? kTimedOut : record.status == issue::kComplete ? 0 : 1;
}

// --- watch ---

Result<Reply> run_watch(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::int64_t number = issue_number(arguments);
  if (arguments.flag("detach")) {
    PAWL_ASSIGN(const Record record, read_issue(*engine, number));
    if (record.status != issue::kRunning) {
      PAWL_ASSIGN(const std::string how, how_to_open(*engine, record));
      return fail(record.present() ? ErrorCode::gate_failed : ErrorCode::not_found,
                  cat("issue ", number, " is not running: ", issue::status_word(record)), how);
    }
    PAWL_TRY(start_watcher(*engine, number, context.self()));
    return Reply{Json{{"issue", number}, {"detached", true}}};
  }
  Request request = context.request();
  request.idempotency_key.clear();
  const WatchOptions options{request, context.self(), arguments.duration_ms("timeout").value_or(-1)};
  PAWL_ASSIGN(const WatchEnd end, watch_issue(*engine, number, options));
  RunBook book(*engine);
  PAWL_ASSIGN(Json answer, end_json(*engine, book, end.record, end.timed_out));
  return Reply{std::move(answer), exit_for(end.record, end.timed_out)};
}

std::string text_of_end(const Json& data, const TextStyle&) {
  if (data.is_null()) return {};
  const std::string number = to_line(data["issue"]);
  if (data.contains("detached")) return cat("issue ", number, " is watched\n");
  const std::string message = string_or(data, "error_message");
  return cat("issue ", number, data.contains("timed_out") ? " is still " : " is ", string_or(data, "status"),
             message.empty() ? "" : cat(": ", printable(message)), "\n", lines_below(string_or(data, "next"), "  "));
}

constexpr Param kTimeout{
    .name = "timeout", .type = ParamType::duration, .value = "D", .summary = "give up after so long, with exit 124"};
constexpr std::array kWatchParams = {
    kIssueNumber,
    Param{.name = "detach", .type = ParamType::flag, .summary = "in a process that stays when this one is gone"},
    kTimeout,
};
constexpr std::array kWatchExamples = {
    Example{"pawl issue watch 42", "exit 0 when it is complete, 1 when it failed or was lost"},
    Example{"pawl issue watch 42 --detach", "leave a watcher behind"},
};

// --- wait ---

Result<Reply> run_wait(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  std::set<std::int64_t> left;
  for (const std::string& word : arguments.list("numbers")) left.insert(parse_positive(word).value_or(0));
  const std::int64_t timeout_ms = arguments.duration_ms("timeout").value_or(-1);
  const std::int64_t began_ms = context.clock->now().boot_ms;
  PAWL_ASSIGN(ChangeWaiter waiter, ChangeWaiter::open(*engine));
  RunBook book(*engine);
  int exit_code = 0;
  for (bool first = true;; first = false) {
    bool one_ended = false;
    for (const std::int64_t number : std::set<std::int64_t>(left)) {
      PAWL_ASSIGN(const Record record, read_issue(*engine, number));
      if (!record.present() && first) {
        PAWL_ASSIGN(const std::string how, how_to_open(*engine, record));
        return fail(ErrorCode::not_found, cat("issue ", number, " has no status"), how);
      }
      PAWL_ASSIGN(const auto without,
                  record.present() ? Result<std::optional<issue::Run>>(std::nullopt) : book.find(number));
      if (without && without->ended.empty()) {
        Sessions sessions(*engine);
        PAWL_ASSIGN(const bool lives, sessions.has(*without));
        PAWL_ASSIGN(const std::string how, how_to_open(*engine, record));
        if (lives)
          return fail(ErrorCode::not_found,
                      cat("the status of issue ", number, " was removed, and its agent is at work"), how);
      }
      if (!record.present()) {  // it has ended, and was cleaned up before this looked
        context.note(
            cat("issue ", number, " was cleaned up meanwhile\n  pawl log issue/", number, "  # tells how it ended"));
        left.erase(number);
        one_ended = true;
        continue;
      }
      if (record.status != issue::kRunning) {
        left.erase(number);
        one_ended = true;
        exit_code = std::max(exit_code, exit_for(record, false));
        PAWL_ASSIGN(const Json ended, end_json(*engine, book, record, false));
        if (!context.emit(ended)) return Reply{Json()};
        continue;
      }
      // Nobody would say when it ends: its watcher was killed, or it never had one, as where a script has started it.
      PAWL_ASSIGN(const auto run, book.find(number));
      if (!run || !run->ended.empty() || book.watcher(*run).pid == 0)
        PAWL_TRY(start_watcher(*engine, number, context.self()));
    }
    if (left.empty() || (one_ended && arguments.flag("any"))) return Reply{Json(), exit_code};
    constexpr std::int64_t kLookAgainMs = 5'000;  // a watcher may be killed at any time, and leaves no sign
    std::int64_t patience = kLookAgainMs;
    if (timeout_ms >= 0) {
      const std::int64_t rest = began_ms + timeout_ms - context.clock->now().boot_ms;
      if (rest <= 0) {
        context.note(cat("the time is over, and ", left.size(), " of them still running"));
        return Reply{Json(), kTimedOut};
      }
      patience = std::min(patience, rest);
    }
    PAWL_TRY(waiter.wait(*engine, static_cast<int>(patience)));
  }
}

constexpr std::array kWaitParams = {
    Param{.name = "numbers",
          .type = ParamType::positive,
          .value = "N",
          .summary = "the issues' numbers",
          .positional = true,
          .required = true,
          .many = true,
          .offer = Offer::records,
          .offer_kind = "issue"},
    Param{.name = "any", .type = ParamType::flag, .summary = "until one of them has ended; otherwise all"},
    kTimeout,
};
constexpr std::array kWaitExamples = {
    Example{"pawl issue wait 42 43 44", "exit 0 when all are complete, 1 when one was not"},
    Example{"pawl issue wait 42 43 --any", "prints the first that ends"},
};

// --- record ---

Result<Reply> run_record(Context&, const Arguments& arguments) {
  PAWL_TRY(record_output(issue_number(arguments), arguments.text_or("folder", ""), 0));
  return Reply{Json()};
}

constexpr std::array kRecordParams = {
    kIssueNumber,
    Param{.name = "folder", .value = "DIR", .summary = "of the run", .required = true},
};
constexpr std::array kRecordExamples = {
    Example{"tmux pipe-pane 'pawl issue record 42 --folder DIR'", "as pawl issue run has it called"},
    Example{"pawl issue logs 42", "what it has kept"},
};

}  // namespace

const Verb kIssueWatch = {
    .noun = "issue",
    .name = "watch",
    .summary = "follow the session of an issue until it ends, and set the status",
    .manual =
        "What decides, in this order: the file .status/signal-complete-N or signal-error-N; ###TASK_COMPLETE_N### in "
        "the session's output; ###TASK_ERROR_N###, with the next line as the message; the session is gone (“Session "
        "unexpectedly terminated”). A marker counts alone on its line, outside of code fences, and not where the "
        "agent's screen repeats its prompt.\n\n"
        "All output is kept from the session's start, whether somebody watches or not. So a watcher that was killed "
        "and started again finds what came meanwhile; what was printed before the first one started does not count: "
        "where a marker stands there, it is said. "
        "Exit 0: complete; 1: an error; 124: --timeout passed.",
    .params = kWatchParams,
    .examples = kWatchExamples,
    .read_only = false,
    .run = run_watch,
    .text = text_of_end,
};

const Verb kIssueWait = {
    .noun = "issue",
    .name = "wait",
    .summary = "wait until issues have ended",
    .manual = "Prints each as it ends. An issue whose watcher was killed gets another one.",
    .params = kWaitParams,
    .examples = kWaitExamples,
    .read_only = false,
    .streams = true,
    .run = run_wait,
    .text = text_of_end,
};

const Verb kIssueRecord = {
    .noun = "issue",
    .name = "record",
    .summary = "keep the output of a session; tmux calls this",
    .manual = "Reads standard input to its end. The newest 2 to 4 MiB are kept, and all that the markers in it say.",
    .params = kRecordParams,
    .examples = kRecordExamples,
    .read_only = false,
    .run = run_record,
};

}  // namespace pawl
