#include "commands/world/pr_desk.h"

#include <cstdlib>

#include "base/text.h"
#include "commands/world/block_key.h"
#include "lifecycles/pr/answer.h"
#include "lifecycles/pr/mention.h"

namespace pawl {
namespace {

constexpr std::string_view kDoesNotSayWhich = "the event does not say which pull request it is about";
constexpr std::int64_t kStandardLimitMs = 20LL * 60 * 1000;

// Of what was a task, and is none any more; "" where it never was.
std::string_view status_of(const Sight& sight, std::string_view id) {
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

}  // namespace

Reply did(const std::string& id, std::string_view what) { return Reply{{{"id", id}, {"did", what}}}; }

std::string trusted_text(const Settings& settings, std::string_view key) {
  return settings.trusted(key) ? settings.text(key) : std::string();
}

Desk::Desk(Context& context) : context_(context) {
  streams_.live = context.live;
  streams_.tell = context.note;
}

Result<std::unique_ptr<Desk>> Desk::open(Context& context, const Arguments& arguments, std::string_view ref, Use use) {
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
    return fail(ErrorCode::not_found, std::string(desk->event_.is_of_no_pull() ? kNotAboutAPull : kDoesNotSayWhich));
  } else {
    PAWL_ASSIGN(setup.pull, desk->forge_->resolve(typed));
    desk->pass_over_event_of_another(setup.pull);
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

// What asks for a review of that one asks for none of this.
void Desk::pass_over_event_of_another(const PullRef& named) {
  if (!event_.is_of_another_than(named)) return;
  context_.note(cat("the event is about ", printable(event_.repository), "#", event_.number, "; for ",
                    printable(named.text()), " it does not count"));
  event_ = {};
}

Result<const pr::Task*> Desk::find(const Sight& sight, const std::string& id) const {
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

// Once for a store: who reads it every time reads it no more.
void Desk::warn_of_shared_account(const Scene& scene) {
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

bool Desk::is_review(std::string_view text) {
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

}  // namespace pawl
