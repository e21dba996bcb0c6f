// What a person decides about a pull request's work: `pawl pr dismiss`, and `pawl pr reopen`, which takes it back.
#include "base/shell_word.h"
#include "base/text.h"
#include "commands/world/handlers.h"
#include "commands/world/pr_desk.h"

namespace pawl {
namespace {

// The same command, for whoever cannot know whether it arrived.
std::string the_same_again(const Desk& desk, std::string_view verb, const std::string& typed, const std::string& why) {
  return cat("it may have arrived or not; the same again looks first:\npawl pr ", verb, " ", shell_word(typed),
             " --pr ", shell_word(desk.pull().text()),
             why.empty() ? std::string() : cat(" --reason ", shell_word(why)));
}

Error no_such_finding(const Desk& desk, const std::string& typed) {
  return {ErrorCode::not_found, cat("there is no ", printable(typed), " on ", printable(desk.pull().text())),
          cat("pawl pr state ", desk.named(), "  # lists them")};
}

// One that was dismissed is finished, whatever of that was left undone.
// What there is to say of it.
Result<std::string> dismiss_finding(Desk& desk, const Sight& sight, const pr::Finding& finding,
                                    const std::string& typed, const std::string& reason) {
  PAWL_ASSIGN(const bool finished, desk.worker().finish_dismissal(sight, finding));
  if (finished)
    return cat("dismissed already",
               reason.empty() ? "" : "; it stands with its first reason, and this one was not said");
  if (finding.status == pr::kResolved)
    return fail(ErrorCode::illegal_move, cat(printable(typed), " is ", finding.status),
                cat("# only an open one can be dismissed\npawl pr state ", desk.named(), "  # shows where all stands"));
  if (reason.empty())
    return fail(ErrorCode::invalid_argument, "a finding is dismissed with a reason, which is said in its thread",
                cat("pawl pr dismiss ", printable(typed), " --pr ", desk.named(), " --reason TEXT"));
  PAWL_TRY(desk.worker().dismiss(sight, finding, reason));
  return std::string("dismissed");
}

}  // namespace

Result<Reply> run_pr_dismiss(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const auto desk, Desk::open(context, arguments, "pr"));
  PAWL_ASSIGN(const auto sight, desk->look());
  const std::string typed = arguments.text_or("task", ""), id = pr::task_named(typed);
  const std::string why = context.flags.reason.empty() ? "it was dismissed" : context.flags.reason;
  for (const pr::ManualReview& one : sight->picture.manual_reviews) {
    if (pr::task_id(pr::kManualReviewKind, one.key) != id) continue;
    if (pr::manual_review_machine().terminal(one.status))
      return fail(
          ErrorCode::illegal_move, cat(printable(id), " is ", one.status),
          cat("# only a pending one can be dismissed\npawl pr state ", desk->named(), "  # shows where all stands"));
    PAWL_TRY(desk->worker().dismiss(*sight, one, "person", why));
    return did(id, "dismissed");
  }
  for (const pr::Finding& one : sight->picture.findings) {
    if (id != one.id && id != pr::task_id(pr::kFindingKind, one.id)) continue;
    const auto dismissed = dismiss_finding(*desk, *sight, one, typed, context.flags.reason);
    if (dismissed) return did(typed, *dismissed);
    Error error = dismissed.error();
    if (error.code == ErrorCode::unavailable)
      error.hint = the_same_again(*desk, "dismiss", typed, context.flags.reason);
    return tl::unexpected(std::move(error));
  }
  if (id.starts_with(pr::task_id(pr::kFindingKind, ""))) return tl::unexpected(no_such_finding(*desk, typed));
  PAWL_ASSIGN(const pr::Task* const task, desk->find(*sight, id));
  return fail(ErrorCode::illegal_move, cat(printable(task->id), " cannot be dismissed"),
              "# a finding and a review that somebody asked for can");
}

// What nobody dismissed is opened again too: a concession and a fix may be mistakes as well.
Result<Reply> run_pr_reopen(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const auto desk, Desk::open(context, arguments, "pr"));
  PAWL_ASSIGN(const auto sight, desk->look());
  const std::string typed = arguments.text_or("task", ""), id = pr::task_named(typed);
  for (const pr::Finding& one : sight->picture.findings) {
    if (id != one.id && id != pr::task_id(pr::kFindingKind, one.id)) continue;
    if (one.open() && !PrWorker::is_half_reopened(one))
      return fail(ErrorCode::illegal_move, cat(printable(typed), " is ", one.status, ", and open as it is"),
                  cat("pawl pr state ", desk->named(), "  # shows where all stands"));
    if (context.flags.reason.empty())
      return fail(ErrorCode::invalid_argument, "a finding is opened again with a reason, which is said in its thread",
                  cat("pawl pr reopen ", printable(typed), " --pr ", desk->named(), " --reason TEXT"));
    const Done reopened = desk->worker().reopen(*sight, one, context.flags.reason);
    if (reopened) return did(typed, "open again");
    Error error = reopened.error();
    if (error.code == ErrorCode::unavailable) error.hint = the_same_again(*desk, "reopen", typed, context.flags.reason);
    return tl::unexpected(std::move(error));
  }
  for (const pr::ManualReview& one : sight->picture.manual_reviews) {
    if (pr::task_id(pr::kManualReviewKind, one.key) == id)
      return fail(ErrorCode::illegal_move,
                  cat(printable(id), " is a review that was asked for, and is not opened again"),
                  "# ask for it again in a comment, or edit the one that asked: then it is done anew");
  }
  if (id == pr::task_id(pr::kAutoReviewKind, sight->scene.talk.head))
    return fail(ErrorCode::illegal_move, "an automatic review is not opened again",
                "# a push, or a comment that asks for a review, has the head reviewed again");
  for (const pr::Question& one : sight->picture.questions) {
    if (pr::task_id(pr::kQuestionKind, one.key) == id)
      return fail(ErrorCode::illegal_move, cat(printable(id), " is a question, and is not opened again"),
                  "# edit the question, or ask another: it is answered anew");
  }
  return tl::unexpected(no_such_finding(*desk, typed));
}

}  // namespace pawl
