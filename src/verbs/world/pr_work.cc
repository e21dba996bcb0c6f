// What `pawl pr run` and its parts do: the desk at which a pull request is worked on, opened from flags, settings and
// environment.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>

#include "base/file.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "drive/pr/actions.h"
#include "drive/pr/run.h"
#include "engine/claims.h"
#include "lifecycle/pr/answer.h"
#include "lifecycle/pr/mention.h"
#include "verbs/world/block_key.h"
#include "verbs/world/forge_for.h"
#include "verbs/world/handlers.h"

namespace pawl {
namespace {

constexpr std::int64_t kStandardLimitMs = 20LL * 60 * 1000;

// What makes pawl run a command, or how long, may come from the command line, the environment or a file that its user
// has trusted; never from a checkout.
std::string trusted_text(const Settings& settings, std::string_view key) {
  return settings.trusted(key) ? settings.text(key) : std::string();
}

class Desk {
 public:
  enum class Use { work, look };
  static Result<std::unique_ptr<Desk>> open(Context& context, const Arguments& arguments, std::string_view ref,
                                            Use use = Use::work) {
    std::unique_ptr<Desk> desk(new Desk(context));
    PAWL_ASSIGN(desk->event_, read_event(arguments.text_or("event", "")));
    PAWL_ASSIGN(desk->engine_, context.engine());
    const std::string typed = arguments.text_or(ref, "");
    const bool by_event = typed.empty() && !desk->event_.event.name.empty();
    PAWL_ASSIGN(desk->forge_, by_event ? ForgeFor::open(context) : ForgeFor::open(context, typed));
    desk->limit_ms_ = arguments.duration_ms("timeout").value_or(
        parse_duration_ms(trusted_text(desk->engine_->settings(), "pr.agent_timeout")).value_or(kStandardLimitMs));
    PrSetup setup;
    if (typed.empty() && desk->event_.pull) {
      setup.pull = *desk->event_.pull;
    } else if (typed.empty() && !desk->event_.event.name.empty()) {
      return fail(ErrorCode::not_found, "the event is not about a pull request");
    } else {
      PAWL_ASSIGN(setup.pull, desk->forge_->resolve(typed));
    }
    setup.rules = pr::rules_of(desk->engine_->settings());
    PAWL_ASSIGN(setup.mac, mac_of_environment());
    desk->has_key_ = static_cast<bool>(setup.mac);
    const char* const key = getenv("PAWL_BLOCK_KEY");
    setup.goes_without_key = key != nullptr && key == kNoKey;
    setup.only_looks = use == Use::look;
    setup.is_review = [raw = desk.get()](std::string_view text) { return raw->is_review(text); };
    setup.tell = context.note;
    setup.is_stopped = [raw = desk.get()] { return raw->stop_ && raw->stop_->come_within(0); };
    setup.workflow = own_workflow();
    setup.seen = [raw = desk.get()](const Scene& scene) { raw->warn_of_shared_account(scene); };
    desk->pull_ = setup.pull;
    desk->worker_ =
        std::make_unique<PrWorker>(*desk->engine_, context.request(), desk->forge_->forge(), std::move(setup));
    return desk;
  }

  Result<std::unique_ptr<Sight>> look() { return worker_->look(event_.event); }

  // Among what is pending.
  Result<const pr::Task*> find(const Sight& sight, const std::string& id) const {
    std::vector<std::string_view> ids;
    for (const pr::Task& task : sight.plan.tasks) {
      if (task.id == id) return &task;
      ids.push_back(task.id);
    }
    if (const std::string_view status = status_of(sight, id); !status.empty()) {
      return fail(ErrorCode::illegal_move, cat(printable(id), " is finished already: it is ", status),
                  cat("pawl pr state ", named(), "  # shows where all stands"));
    }
    return fail(ErrorCode::not_found, cat("“", printable(id), "” is not pending on ", printable(pull_.text())),
                cat("# ", ids.empty() ? std::string("nothing is pending") : cat("pending: ", join_or(ids)),
                    "\npawl pr state ", named(), "  # shows where all stands"));
  }

  [[nodiscard]] PrWorker& worker() { return *worker_; }
  [[nodiscard]] Engine& engine() { return *engine_; }
  [[nodiscard]] const pr::Event& event() const { return event_.event; }
  [[nodiscard]] const PullRef& pull() const { return pull_; }
  // As it is to be typed: where it was named, the folder may have no remote that tells which one is meant.
  [[nodiscard]] std::string named() const { return printable(pull_.text()); }
  // From now on signals are something to be waited for, and end nothing by themselves.
  [[nodiscard]] StopSignals& stop() {
    if (!stop_) forge_->heed(stop_.emplace());
    return *stop_;
  }
  void hurry() { forge_->hurry(); }
  [[nodiscard]] std::int64_t limit_ms() const { return limit_ms_; }  // for one answer of an agent
  [[nodiscard]] const PrStreams& streams() const { return streams_; }
  void set_live(std::function<void(std::string_view)> live) { streams_.live = std::move(live); }

 private:
  explicit Desk(Context& context) : context_(context) {
    streams_.live = context.live;
    streams_.tell = context.note;
  }

  // Of what was a task, and is none any more; "" where it never was.
  [[nodiscard]] static std::string_view status_of(const Sight& sight, std::string_view id) {
    const pr::Picture& picture = sight.picture;
    for (const pr::Finding& one : picture.findings) {
      if (id == pr::task_id(pr::kFindingKind, one.id) && one.status != pr::kPending) return one.status;
    }
    for (const pr::Question& one : picture.questions) {
      if (id == pr::task_id(pr::kQuestionKind, one.key)) return one.status;
    }
    for (const pr::ManualReview& one : picture.manual_reviews) {
      if (id == pr::task_id(pr::kManualReviewKind, one.key)) return one.status;
    }
    const auto& last = picture.auto_review;
    const bool reviewed = last && last->is_of(sight.scene.talk) && last->status == pr::kCompleted;
    return reviewed && id == pr::task_id(pr::kAutoReviewKind, last->sha) ? std::string_view(last->status)
                                                                         : std::string_view();
  }

  // Once for a store: who reads it every time reads it no more.
  void warn_of_shared_account(const Scene& scene) {
    if (has_key_ || !is_shared_account(scene.bot)) return;
    constexpr std::string_view kName = "pr.warned-of-shared-account";
    const auto warned = [&]() -> Result<bool> {
      PAWL_ASSIGN(Store* const store, engine_->store());
      PAWL_ASSIGN(const auto gate, store->gate());
      PAWL_ASSIGN(const auto tx, store->begin(Access::write));
      PAWL_ASSIGN(const auto kept, tx->kept(kName));
      if (kept) return true;
      PAWL_TRY(tx->keep(kName, "yes"));
      PAWL_TRY(tx->commit({}));
      return false;
    }();
    if (warned && *warned) return;
    context_.note(cat("every workflow of this repository writes as ", printable(scene.bot),
                      ", and could write state in its name; PAWL_BLOCK_KEY (pawl pr key new) keeps it from being "
                      "believed"));
  }

  bool is_review(std::string_view text) {
    const std::string command = trusted_text(engine_->settings(), "pr.intent_agent");
    if (command.empty()) return pr::wants_review(text);
    const std::string name = cat(kCacheNames, "pr-intent:", pr::text_hash(cat(command, "\n", text)));
    std::optional<std::string> kept;
    const Done read = engine_->read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(kept, view.store().kept(name));
      return done();
    });
    if (read && kept) return *kept == "review";
    if (const auto decided = by_rules_.find(name); decided != by_rules_.end()) return decided->second;
    if (stop().come_within(0)) return false;  // nothing comes of this look
    int signal = 0;
    const Json task = {
        {"version", 1}, {"task", {{"type", "intent"}, {"text", text}}}, {"answer", {{"intent", "review | question"}}}};
    const auto printed = ask_agent(command, task, {"PAWL_TASK_TYPE=intent"}, "", limit_ms_, streams_, stop(), &signal);
    if (signal != 0) {
      StopSignals::put_back(signal);
      return false;
    }
    const auto answer = printed ? pr::answer_in(*printed) : Result<Json>(tl::unexpected(printed.error()));
    const std::string intent = answer ? string_or(*answer, "intent") : std::string();
    if (intent != "review" && intent != "question") {
      context_.note(cat("the command that tells requests from questions did not answer; the rules decide",
                        answer ? std::string() : cat(": ", answer.error().message)));
      return by_rules_[name] = pr::wants_review(text);
    }
    const auto keep = [&]() -> Done {
      PAWL_ASSIGN(Store* const store, engine_->store());
      PAWL_ASSIGN(const auto gate, store->gate());
      PAWL_ASSIGN(const auto tx, store->begin(Access::write));
      PAWL_TRY(tx->keep(name, intent));
      PAWL_TRY(tx->commit({}));
      return done();
    };
    static_cast<void>(keep());  // it is asked again next time
    return intent == "review";
  }

  Context& context_;
  EventFile event_;
  Engine* engine_ = nullptr;
  std::optional<StopSignals> stop_;
  std::unique_ptr<ForgeFor> forge_;
  PullRef pull_;
  bool has_key_ = false;
  std::int64_t limit_ms_ = kStandardLimitMs;
  std::map<std::string, bool> by_rules_;  // what the intent's agent could not tell: it is asked once in a run
  PrStreams streams_;
  std::unique_ptr<PrWorker> worker_;
};

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

Reply did(const std::string& id, std::string_view what) { return Reply{{{"id", id}, {"did", what}}}; }

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

// One that was dismissed is finished, whatever of that was left undone.
Done dismiss_finding(Desk& desk, const Sight& sight, const pr::Finding& finding, const std::string& typed,
                     const std::string& reason) {
  PAWL_ASSIGN(const bool finished, desk.worker().finish_dismissal(sight, finding));
  if (finished) return done();
  if (finding.status == pr::kResolved)
    return fail(ErrorCode::illegal_move, cat(printable(typed), " is ", finding.status),
                cat("# only an open one can be dismissed\npawl pr state ", desk.named(), "  # shows where all stands"));
  if (reason.empty())
    return fail(ErrorCode::invalid_argument, "a finding is dismissed with a reason, which is said in its thread",
                cat("pawl pr dismiss ", printable(typed), " --pr ", desk.named(), " --reason TEXT"));
  return desk.worker().dismiss(sight, finding, reason);
}

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
    const Done dismissed = dismiss_finding(*desk, *sight, one, typed, context.flags.reason);
    if (dismissed) return did(typed, "dismissed");
    Error error = dismissed.error();
    if (error.code == ErrorCode::unavailable)
      error.hint =
          cat("it may have arrived or not; the same again looks first:\npawl pr dismiss ", shell_word(typed), " --pr ",
              shell_word(desk->pull().text()),
              context.flags.reason.empty() ? std::string() : cat(" --reason ", shell_word(context.flags.reason)));
    return tl::unexpected(std::move(error));
  }
  if (id.starts_with(pr::task_id(pr::kFindingKind, "")))
    return fail(ErrorCode::not_found, cat("there is no ", printable(typed), " on ", printable(desk->pull().text())),
                cat("pawl pr state ", desk->named(), "  # lists them"));
  PAWL_ASSIGN(const pr::Task* const task, desk->find(*sight, id));
  return fail(ErrorCode::illegal_move, cat(printable(task->id), " can not be dismissed"),
              "# a finding and a review that somebody asked for can");
}

namespace {

Result<Reply> run_all_that_is_pending(Context& context, const Arguments& arguments) {
  auto opened = Desk::open(context, arguments, "ref");
  if (!opened && opened.error().code == ErrorCode::not_found && in_actions() && !arguments.text("ref")) {
    context.note(opened.error().message);  // a comment on an issue: there is nothing to do, and nothing wrong
    return Reply{to_json(PrRan{})};
  }
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
