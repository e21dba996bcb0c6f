// What `pawl pr run` and its parts do, but for what a person decides about one (pr_decide.cc).
#include <unistd.h>

#include <cstdlib>

#include "base/file.h"
#include "base/text.h"
#include "commands/world/handlers.h"
#include "commands/world/pr_desk.h"
#include "engine/claims.h"
#include "lifecycles/pr/answer.h"

namespace pawl {
namespace {

std::string task_in(const Arguments& arguments) { return pr::task_named(arguments.text_or("task", "")); }

struct Step {
  std::unique_ptr<Desk> desk;
  std::unique_ptr<Sight> sight;
  const pr::Task* task = nullptr;
};

Result<Step> open_step(Context& context, const Arguments& arguments) {
  Step step;
  PAWL_ASSIGN(step.desk, Desk::open(context, arguments, "pr"));
  PAWL_ASSIGN(step.sight, step.desk->look());
  PAWL_ASSIGN(step.task, step.desk->find(*step.sight, task_in(arguments)));
  return step;
}

// What an agent prints is not to be read as commands by GitHub's runner.
class Muzzle {
 public:
  Muzzle(const std::function<void(std::string_view)>& live, bool on) : live_(live), on_(on) {}
  void operator()(std::string_view bytes) {
    if (on_ && token_.empty()) {
      const auto marker = new_marker();
      token_ = marker ? *marker : "pawl-stop";
      live_(cat("::stop-commands::", token_, "\n"));
    }
    live_(bytes);
    at_line_start_ = bytes.ends_with('\n');
  }
  void take_off() {
    if (!token_.empty()) live_(cat(at_line_start_ ? "" : "\n", "::", token_, "::\n"));
    token_.clear();
  }

 private:
  const std::function<void(std::string_view)>& live_;
  bool on_;
  bool at_line_start_ = true;
  std::string token_;
};

}  // namespace

Result<Reply> run_pr_detect(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const auto desk, Desk::open(context, arguments, "ref", Desk::Use::look));
  PAWL_ASSIGN(const auto sight, desk->look());
  if (pr::waits_for_event(sight->picture, sight->plan, sight->scene.talk, desk->worker().rules()))
    context.note(pr::kNoEvent);
  return Reply{pr::to_json(sight->plan)};
}

Result<Reply> run_pr_state(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const auto desk, Desk::open(context, arguments, "ref", Desk::Use::look));
  PAWL_ASSIGN(const auto sight, desk->look());
  return Reply{pr::to_json(sight->picture, sight->scene.talk, desk->worker().rules())};
}

Result<Reply> run_pr_begin(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Step step, open_step(context, arguments));
  PAWL_TRY(step.desk->worker().begin(*step.sight, *step.task));
  Reply reply = did(step.task->id, "begun");
  reply.data["begun"] = pr::about(*step.task, step.sight->scene.talk);
  return reply;
}

Result<Reply> run_pr_finish(Context& context, const Arguments& arguments) {
  const std::string file = arguments.text_or("result", "");
  std::string text;
  if (file == "-") {
    PAWL_ASSIGN(text, read_input(kMostOfAnAnswer));
  } else {
    PAWL_ASSIGN(FileImage image, read_file(file, kMostOfAnAnswer));
    if (!image.exists) return fail(ErrorCode::not_found, cat("there is no file ", printable(file)));
    text = std::move(image.bytes);
  }
  PAWL_ASSIGN(const Json answer, pr::answer_in(text));
  PAWL_ASSIGN(Step step, open_step(context, arguments));
  Engine& engine = step.desk->engine();
  const RecordId record = step.task->record;
  Request request = context.request();
  request.idempotency_key.clear();  // it stands for the whole command
  const auto claim = take_claim(engine, request, {record, cat("pr finish ", getpid()), getpid(), 0});
  if (!claim && claim.error().code != ErrorCode::not_found) return tl::unexpected(claim.error());  // that: not begun
  const auto result = [&]() -> Result<TaskResult> {
    // Another one may have finished it before it was ours.
    PAWL_ASSIGN(step.sight, step.desk->look());
    PAWL_ASSIGN(step.task, step.desk->find(*step.sight, task_in(arguments)));
    return step.desk->worker().finish(*step.sight, *step.task, answer, arguments.text_or("begun", ""));
  }();
  if (claim) static_cast<void>(release_claim(engine, request, record, claim->token));
  if (!result) return tl::unexpected(result.error());
  Json out = to_json(*result);
  out["did"] = result->text;
  return Reply{std::move(out)};
}

Result<Reply> run_pr_fail(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Step step, open_step(context, arguments));
  PAWL_TRY(step.desk->worker().fail_task(*step.task, context.flags.reason));
  return did(step.task->id, "failed; it stays pending");
}

namespace {

Result<Reply> run_all_that_is_pending(Context& context, const Arguments& arguments) {
  if (in_actions() && arguments.text_or("ref", "").empty()) {
    PAWL_ASSIGN(const EventFile woke, read_event(arguments.text_or("event", "")));
    if (woke.is_of_no_pull()) {  // a comment on an issue: there is nothing to do, and nothing wrong
      context.note(kNotAboutAPull);
      if (!arguments.flag("dry-run")) PAWL_TRY(write_nothing_to_do(kNotAboutAPull));
      return Reply{to_json(PrRan{})};
    }
  }
  auto opened = Desk::open(context, arguments, "ref");
  if (!opened) return tl::unexpected(opened.error());
  Desk& desk = **opened;
  const Settings& settings = desk.engine().settings();
  PrRun run;
  run.event = desk.event();
  run.agent = arguments.text_or("agent", trusted_text(settings, "pr.agent"));
  run.limit_ms = desk.limit_ms();
  if (const char* checkout = getenv("GITHUB_WORKSPACE"); checkout != nullptr && in_actions()) run.folder = checkout;
  run.dry_run = arguments.flag("dry-run");
  Muzzle muzzle(context.live, in_actions());
  desk.set_live([&](std::string_view bytes) { muzzle(bytes); });
  PrStreams streams = desk.streams();
  streams.stopped = [&] { desk.hurry(); };
  streams.tell = [&](std::string_view text) { context.note(printable(text)); };
  auto ran = run_pr(desk.engine(), context.request(), desk.worker(), run, streams, desk.stop());
  muzzle.take_off();
  if (!ran) return tl::unexpected(ran.error());
  if (run.dry_run) return Reply{ran->plan};
  if (in_actions()) {
    PAWL_TRY(write_results(*ran, desk.pull().text()));
    context.live(annotations(*ran));
  }
  if (ran->asked_for > 0)
    context.note(cat("the review that was asked for has ", pr::counted(ran->asked_for, "blocking finding"),
                     "; what only such a review has found does not keep the pull request from being merged"));
  return Reply{to_json(*ran), ran->exit_code()};
}

}  // namespace

Result<Reply> run_pr_run(Context& context, const Arguments& arguments) {
  auto reply = run_all_that_is_pending(context, arguments);
  if (!reply && in_actions() && !arguments.flag("dry-run")) write_refusal(reply.error());
  return reply;
}

}  // namespace pawl
