// `pawl issue cleanup`, `reconcile`: taking away what is done with, and bringing together what does not fit.
#include <algorithm>
#include <array>
#include <limits>

#include "base/clock.h"
#include "base/text.h"
#include "commands/cleanup_answer.h"
#include "commands/context.h"
#include "commands/once.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "runners/issue/cleanup.h"
#include "runners/issue/health.h"

namespace pawl {
namespace {

// --- cleanup ---

Result<std::vector<std::int64_t>> wanted(Engine& engine, const Arguments& arguments) {
  std::vector<std::int64_t> numbers;
  for (const std::string& word : arguments.list("number")) numbers.push_back(std::stoll(word));  // checked to be one
  const auto days = arguments.number("stale");
  const int ways = (numbers.empty() ? 0 : 1) + (days ? 1 : 0) + (arguments.flag("orphans") ? 1 : 0) +
                   (arguments.flag("done") ? 1 : 0);
  if (ways != 1)
    return fail(ErrorCode::invalid_argument,
                "`pawl issue cleanup` needs one of: numbers, --orphans, --stale DAYS, --done",
                "pawl help issue cleanup");
  if (!numbers.empty()) return numbers;
  constexpr std::int64_t kMostDays = std::numeric_limits<std::int64_t>::max() / kDayMs;  // all fit into that
  if (days) return stale_issues(engine, std::min(*days, kMostDays) * kDayMs);
  return arguments.flag("done") ? complete_issues(engine) : orphaned_issues(engine);
}

Result<Reply> clean_up(Engine& engine, const std::vector<std::int64_t>& numbers, const CleanupOptions& options) {
  Json out{{"dry_run", options.dry_run}, {"forced", options.force}, {"issues", Json::array()}};
  int exit_code = 0;
  for (const std::int64_t number : numbers) {
    const auto cleaned = clean_up_issue(engine, number, options);
    if (!cleaned && numbers.size() == 1) return tl::unexpected(cleaned.error());
    if (!cleaned) {  // one that cannot be cleaned up does not keep the others from it
      out["issues"].push_back(not_cleaned_json("issue", number, cleaned.error()));
    } else {
      out["issues"].push_back(cleaned_json("issue", number, *cleaned, options.dry_run));
    }
    if (!cleaned || cleaned->stopped) exit_code = 1;
  }
  return Reply{std::move(out), exit_code};
}

Result<Reply> run_cleanup(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const auto numbers, wanted(*engine, arguments));
  CleanupOptions options{arguments.flag("force"), arguments.flag("branch"), arguments.flag("dry-run"), {}};
  return once(context, [&](const Request& request) {
    options.request = request;
    return clean_up(*engine, numbers, options);
  });
}

std::string text_of_cleanup(const Json& data, const TextStyle&) { return cleanup_text(data, "issues", "issue"); }

constexpr std::array kCleanupParams = {
    Param{.name = "number",
          .type = ParamType::positive,
          .value = "N",
          .summary = "the numbers of the issues",
          .positional = true,
          .many = true,
          .offer = Offer::records,
          .offer_kind = "issue"},
    Param{.name = "orphans", .type = ParamType::flag, .summary = "all whose worktree is gone"},
    Param{.name = "stale",
          .type = ParamType::positive,
          .value = "DAYS",
          .summary = "all that nothing was done with for so many days, but for those that are running"},
    Param{.name = "done", .type = ParamType::flag, .summary = "all that are complete"},
    Param{.name = "dry-run", .type = ParamType::flag, .summary = "tell what would be done, and do nothing"},
    Param{.name = "force", .type = ParamType::flag, .summary = "put work that nobody else has aside, and go on"},
    Param{.name = "branch", .type = ParamType::flag, .summary = "remove the branch also when it is not merged"},
};
constexpr std::array kCleanupExamples = {
    Example{"pawl issue cleanup 42", "session, worktree and status; the branch when it is merged"},
    Example{"pawl issue cleanup 42 43", "several"},
    Example{"pawl issue cleanup --done --dry-run", "what would go"},
};

// --- reconcile ---

Result<Reply> run_reconcile(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  return once(context, [&](const Request& request) -> Result<Reply> {
    PAWL_ASSIGN(const auto did, reconcile_runs(*engine, request, context.self(), arguments.number("number")));
    Json list = Json::array();
    for (const Reconciled& one : did) list.push_back({{"issue", one.number}, {"what", one.what}, {"left", one.left}});
    return Reply{std::move(list)};
  });
}

std::string text_of_reconcile(const Json& list, const TextStyle&) {
  std::string out;
  for (const Json& one : list) out += cat("issue ", to_line(one["issue"]), ": ", string_or(one, "what"), "\n");
  return list.empty() ? "all fits\n" : out;
}

constexpr std::array kReconcileParams = {
    Param{.name = "number",
          .type = ParamType::positive,
          .value = "N",
          .summary = "only this issue",
          .positional = true,
          .offer = Offer::records,
          .offer_kind = "issue"},
};
constexpr std::array kReconcileExamples = {
    Example{"pawl doctor", "look first; nothing is changed"},
    Example{"pawl issue reconcile", "bring statuses, sessions and watchers together"},
    Example{"pawl issue reconcile 42", "of this issue alone"},
};

}  // namespace

const Verb kIssueCleanup = {
    .noun = "issue",
    .name = "cleanup",
    .summary = "end session, remove worktree and status of an issue; nobody's work is lost",
    .manual =
        "A branch that `pawl issue run` made goes when it is merged into issue.base_branch or the branch that is "
        "checked "
        "out, or when --branch is given; any other stays. What is not committed, and commits that are neither pushed "
        "nor merged, stop it and are listed. With --force the first go into git's stash, and the second get a name "
        "under refs/pawl/; a file that was copied in, is ignored by git and was changed is kept in .pawl/kept. "
        "Repositories of their own in the worktree, work in submodules and conflicts stop it also with --force. What "
        "else git ignores goes with the worktree, and is counted and named. Exit 1 when something was left.",
    .params = kCleanupParams,
    .examples = kCleanupExamples,
    .read_only = false,
    .run = run_cleanup,
    .text = text_of_cleanup,
};

const Verb kIssueReconcile = {
    .noun = "issue",
    .name = "reconcile",
    .summary = "bring statuses, sessions and watchers together",
    .manual =
        "An issue that is running without a session ends as its output says, or with “Session unexpectedly "
        "terminated”. "
        "A session of this project without a status is running. A watcher that was killed is started again. A worktree "
        "without a status is named and left. Nothing is deleted.",
    .params = kReconcileParams,
    .examples = kReconcileExamples,
    .read_only = false,
    .run = run_reconcile,
    .text = text_of_reconcile,
};

}  // namespace pawl
