#include "runners/pr/worker.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/pr/mention.h"
#include "lifecycles/pr/open_list.h"
#include "runners/pr/actions.h"

namespace pawl {
namespace {

std::string scope_in(const PullRef& pull) { return pr::scope_of(pull.repo.text(), pull.number); }

pr::Pen pen_for(const PrSetup& setup, const Engine& engine) {
  return {scope_in(setup.pull), setup.rules.mentions, setup.mac, iso_time(engine.clock().now().wall_ms, true)};
}

Result<std::vector<Record>> records_of(const View& view, const std::string& scope) {
  std::vector<Record> all;
  for (const std::string_view kind :
       {pr::kFindingKind, pr::kQuestionKind, pr::kManualReviewKind, pr::kAutoReviewKind}) {
    Query query;
    query.kind = kind;
    query.scope = scope;
    PAWL_ASSIGN(auto some, view.list(query));
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

// Or at least asked for; not only noted for the board.
bool is_begun(const Record& record) { return record.present() && !record.doc.contains(pr::kOnlySeen); }

std::string words_of_doubt(const std::vector<std::uint64_t>& ids, const std::string& bot) {
  constexpr std::size_t kMost = 5;
  std::string which;
  for (std::size_t i = 0; i < std::min(ids.size(), kMost); ++i) which += cat(i == 0 ? "" : ", ", ids[i]);
  return cat(
      pr::counted(static_cast<std::int64_t>(ids.size()), "comment"), " of ", printable(bot), " (", which,
      ids.size() > kMost ? ", …" : "", ids.size() == 1 ? ") says" : ") say",
      " what is not believed: somebody has changed it, or it was signed with another key or not at all\n  if the key "
      "was changed: a line below the new one in PAWL_BLOCK_KEY with the one before makes it believed again");
}

}  // namespace

Json to_json(const TaskResult& result) {
  Json out = {{"id", result.id},
              {"type", result.type},
              {"success", result.success},
              {"issuesFound", result.issues},
              {"blockingIssues", result.blocking}};
  if (!result.error.empty()) out["error"] = result.error;
  return out;
}

PrWorker::PrWorker(Engine& engine, Request request, Forge& forge, PrSetup setup)
    : engine_(engine),
      request_(std::move(request)),
      forge_(forge),
      setup_(std::move(setup)),
      posts_(engine, request_, forge, setup_.pull, pen_for(setup_, engine_)) {
  request_.idempotency_key.clear();  // it stands for the whole command, not for each of its steps
}

std::string PrWorker::now_text() const { return iso_time(engine_.clock().now().wall_ms, true); }

RecordId PrWorker::finding_record(const std::string& id) const {
  return {std::string(pr::kFindingKind), scope_in(setup_.pull), id};
}

Done PrWorker::remember(const pr::Event& event) {
  if (!event.asks_for_review() || event.head.empty() || !setup_.rules.may_auto_review(true, event.draft)) return done();
  PAWL_TRY(engine_.store(true));
  const RecordId id{std::string(pr::kAutoReviewKind), scope_in(setup_.pull), event.head};
  PAWL_ASSIGN(const Record current, load(id));
  if (is_begun(current)) return done();
  return move(id, pr::kTriggered, {{"sha", event.head}, {"action", event.action}, {"triggeredAt", now_text()}},
              "triggered");
}

// A run may die before it has written anything, and the next one be on another machine. GitHub Actions knows of it:
// this workflow was started for this head, not by a comment, and did not come to its end.
Result<bool> PrWorker::push_was_lost(const pr::Picture& picture, const pr::Talk& talk, const pr::Event& event) {
  if (setup_.workflow.empty() || setup_.rules.auto_review != pr::Rules::Auto::events || picture.auto_review ||
      event.asks_for_review() || !setup_.rules.may_auto_review(talk.open, talk.draft) || runs_unseen_)
    return false;
  const auto runs = forge_.workflow_runs(setup_.pull.repo, talk.head);
  if (!runs && (runs.error().code == ErrorCode::unauthorized || runs.error().code == ErrorCode::not_found)) {
    runs_unseen_ = true;
    setup_.tell(
        "a push whose run was cancelled at once cannot be seen: the token may not read runs of workflows "
        "(permissions: actions: read)");
    return false;
  }
  if (!runs) return tl::unexpected(runs.error());
  return std::any_of(runs->begin(), runs->end(), [&](const WorkflowRun& one) {
    const bool died = one.conclusion == "cancelled" || one.conclusion == "failure" || one.conclusion == "timed_out" ||
                      one.conclusion == "startup_failure";
    return died && one.path == setup_.workflow && (one.event == "pull_request" || one.event == "pull_request_target");
  });
}

Result<bool> PrWorker::lacks_key(const pr::Talk& talk) {
  constexpr std::string_view kName = "pr.blocks-are-signed";
  PAWL_ASSIGN(Store* const store, engine_.store());
  std::optional<std::string> kept;
  PAWL_TRY(engine_.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(kept, view.store().kept(kName));
    return done();
  }));
  if (setup_.mac) {
    if (kept) return false;
    PAWL_ASSIGN(const auto gate, store->gate());
    PAWL_ASSIGN(const auto tx, store->begin(Access::write));
    PAWL_TRY(tx->keep(kName, "yes"));
    PAWL_TRY(tx->commit({}));
    return false;
  }
  if (setup_.goes_without_key || (!kept && !pr::anything_signed(talk))) return false;
  const std::string why =
      cat("PAWL_BLOCK_KEY is not set, and ", kept ? "this store has signed with one" : "the bot's comments are signed",
          ": without it nobody can tell what the bot wrote");
  // In a fork's run the secret is missing for a reason, and whoever takes the key away for it takes it from all runs.
  const std::string_view hint =
      in_actions()
          ? "# give the step its block-key; a run of a fork's pull request gets no secrets: what is pending is done by "
            "the next run that has them, such as one that a comment wakes"
          : "# set PAWL_BLOCK_KEY as it was; PAWL_BLOCK_KEY=none goes on without a key, and believes what is not "
            "signed";
  if (!setup_.only_looks) return fail(ErrorCode::untrusted, why, std::string(hint));
  if (told_.insert("key").second)
    setup_.tell(cat(why, ". What is shown may be anybody's, and is not written down\n  ", hint));
  return true;
}

Result<std::unique_ptr<Sight>> PrWorker::look(const pr::Event& event) {
  PAWL_TRY(engine_.store(true));  // what is fetched is kept there, so that the next look asks only for what is new
  auto sight = std::make_unique<Sight>();
  PAWL_ASSIGN(sight->scene, look_at(forge_, setup_.pull, setup_.rules.login));
  setup_.seen(sight->scene);
  pr::Talk& talk = sight->scene.talk;
  const pr::Picture read = pr::read_talk(talk, setup_.rules, setup_.mac, setup_.is_review);
  // What was to be told apart meanwhile is not: nothing of it is written down.
  if (setup_.is_stopped()) return fail(ErrorCode::unavailable, "the run was stopped");
  std::vector<std::string> left_out;
  PAWL_ASSIGN(const bool lacks, lacks_key(talk));
  if (lacks) {
    PAWL_TRY(engine_.read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(const auto records, records_of(view, scope_in(setup_.pull)));
      sight->picture = read;
      pr::lay_over(sight->picture, talk, records, setup_.rules);
      return done();
    }));
    sight->plan = pr::plan_of(sight->picture, talk, event, setup_.rules);
    return sight;
  }
  PAWL_TRY(engine_.change(request_, {}, [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const auto records, records_of(view, scope_in(setup_.pull)));
    sight->picture = read;
    pr::lay_over(sight->picture, talk, records, setup_.rules);
    Decision decision;
    pr::Tracked tracked = pr::tracked(sight->picture, talk, records);
    decision.changes = std::move(tracked.changes);
    left_out = std::move(tracked.left_out);
    for (Change& change : decision.changes) {
      if (change.before.present()) continue;
      PAWL_ASSIGN(change.before, view.load(change.after.id));  // one that was there before goes on counting
    }
    return decision;
  }));
  if (!read.doubted.empty() && told_.insert("doubt").second)
    setup_.tell(words_of_doubt(read.doubted, sight->scene.bot));
  for (const std::string& why : left_out) {
    if (told_.insert(why).second) setup_.tell(cat("not written down: ", why));
  }
  PAWL_ASSIGN(talk.push_was_lost, push_was_lost(sight->picture, talk, event));
  sight->plan = pr::plan_of(sight->picture, talk, event, setup_.rules);
  PAWL_TRY(note_due(*sight));
  posts_.seen_until(sight->scene.newest, sight->scene.bot);
  return sight;
}

Done PrWorker::note_due(const Sight& sight) {
  const std::string scope = scope_in(setup_.pull);
  std::string due;
  for (const pr::Task& task : sight.plan.tasks) due = task.automatic() ? task.record.key : due;
  PAWL_TRY(engine_.change(request_, {}, [&](const View& view, const Now&) -> Result<Decision> {
    Decision decision;
    bool there = due.empty();
    Query query;
    query.kind = pr::kAutoReviewKind;
    query.scope = scope;
    PAWL_ASSIGN(const auto records, view.list(query));
    for (const Record& one : records) {
      there = there || one.id.key == due;
      if (!one.doc.contains(pr::kOnlySeen) || one.id.key == due) continue;
      PAWL_ASSIGN(Change gone, pr::moved(one, kAbsent, std::nullopt, "not due any more"));
      decision.changes.push_back(std::move(gone));
    }
    if (there) return decision;
    PAWL_ASSIGN(const Record fresh, view.load({std::string(pr::kAutoReviewKind), scope, due}));
    PAWL_ASSIGN(Change seen, pr::moved(fresh, pr::kTriggered, Json{{"sha", due}, {pr::kOnlySeen, true}}, "seen"));
    decision.changes.push_back(std::move(seen));
    return decision;
  }));
  return done();
}

Result<Record> PrWorker::load(const RecordId& id) {
  Record found;
  PAWL_TRY(engine_.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(found, view.load(id));
    return done();
  }));
  return found;
}

Done PrWorker::move(const RecordId& id, std::string_view to, const Json& more, std::string_view what,
                    const Json& evidence) {
  PAWL_TRY(engine_.change(request_, {}, [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const Record current, view.load(id));
    Json doc = current.doc.json().is_object() ? current.doc.json() : Json::object();
    for (const auto& [key, value] : more.items()) doc[key] = value;
    doc.erase(pr::kOnlySeen);  // something is done about it
    Decision decision;
    if (current.status == to && current.doc == doc) return decision;
    PAWL_ASSIGN(Change change, pr::moved(current, to, std::move(doc), what, evidence));
    decision.changes.push_back(std::move(change));
    return decision;
  }));
  return done();
}

Done PrWorker::announce(const Sight& sight) {
  for (const pr::Task& task : sight.plan.tasks) {
    if (task.automatic()) PAWL_TRY(raise(sight, task, "An automatic review of this pull request is pending."));
  }
  return done();
}

// Two runs may see the same, and the second take it up when the first is done with it.
Done PrWorker::must_be_open(const Sight& sight, const pr::Task& task) {
  PAWL_ASSIGN(const Record current, load(task.record));
  if (!current.present() || !pr::machine_of(current.id.kind)->terminal(current.status)) return done();
  const auto& last = sight.picture.auto_review;
  // An automatic one may be begun again after it was cancelled, or when its head comes back.
  const bool again = task.automatic() && (current.status != pr::kCompleted || !last ||
                                          string_or(current.doc, "triggeredAt") <= last->triggered_at);
  if (again) return done();
  return fail(ErrorCode::conflict, "it was done by another run meanwhile");
}

Done PrWorker::begin(const Sight& sight, const pr::Task& task) {
  PAWL_TRY(must_be_open(sight, task));
  const Json begun = {{"begunAt", now_text()},
                      {"head", sight.scene.talk.head},
                      {"about", pr::about(task, sight.scene.talk)},
                      {"error", ""}};
  switch (task.type) {
    case pr::TaskType::dispute:
      return move(task.record, pr::kDisputed, begun, "begun");
    case pr::TaskType::question:
      return move(task.record, pr::kInProgress, begun, "begun");
    case pr::TaskType::review:
      break;
  }
  if (!task.automatic()) {
    for (const pr::ManualReview* one : task.also) {
      const RecordId other = pr::id_of(sight.scene.talk, pr::kManualReviewKind, one->key);
      PAWL_ASSIGN(const Record current, load(other));
      if (!pr::manual_review_machine().terminal(current.status)) PAWL_TRY(move(other, pr::kInProgress, begun, "begun"));
    }
    return move(task.record, pr::kInProgress, begun, "begun");
  }
  PAWL_ASSIGN(Json doc, raise(sight, task, "An automatic review of this pull request is under way."));
  const auto& last = sight.picture.auto_review;
  if (last && last->sha != sight.scene.talk.head && !pr::auto_review_machine().terminal(last->status))
    PAWL_TRY(move(pr::id_of(sight.scene.talk, pr::kAutoReviewKind, last->sha), pr::kCancelled, Json::object(),
                  "a newer head is reviewed"));
  doc.update(begun);
  PAWL_TRY(move(task.record, pr::kInProgress, doc, "begun"));
  for (const pr::ManualReview* one : sight.plan.dismissed)
    PAWL_TRY(dismiss(sight, *one, "auto-review", "an automatic review has begun, which covers it"));
  return done();
}

Done PrWorker::fail_task(const pr::Task& task, const std::string& why) {
  PAWL_ASSIGN(const Record current, load(task.record));
  const std::string_view back = task.type == pr::TaskType::dispute ? std::string_view(current.status)
                                : task.automatic()                 ? pr::kTriggered
                                                                   : pr::kPending;
  if (!is_begun(current) || current.status == pr::kAnswered || current.status == pr::kCompleted) return done();
  return move(task.record, back, {{"error", why}, {"failures", integer_or(current.doc, "failures") + 1}}, "failed",
              {{"why", why}});
}

Done PrWorker::give_up(const pr::Task& task, const std::string& why) {
  if (!task.automatic()) return fail_task(task, why);
  PAWL_ASSIGN(const Record current, load(task.record));
  if (!is_begun(current) || current.status == pr::kCompleted) return done();
  return move(task.record, pr::kCancelled, {{"error", why}}, "cancelled", {{"why", why}});
}

Done PrWorker::cancel(const Sight& sight, const pr::Task& task) {
  PAWL_TRY(give_up(task, "the run was stopped"));
  if (!task.automatic()) return done();
  // The comment may have been written by begin(), after this was seen; then the next run finds it as it is.
  const auto& last = sight.picture.auto_review;
  if (!last || last->remark == nullptr) return done();
  PAWL_ASSIGN(Json data, trigger_data(sight, task));
  data["cancelled"] = true;
  PAWL_TRY(write_trigger(sight, std::move(data), "An automatic review of this pull request was stopped on the way."));
  return done();
}

Done PrWorker::dismiss(const Sight& sight, const pr::ManualReview& request, std::string_view by, std::string_view why) {
  const RecordId record = pr::id_of(sight.scene.talk, pr::kManualReviewKind, request.key);
  const Json data = {{"status", pr::kDismissed},
                     {pr::reply_member(*request.remark), std::to_string(request.remark->id)},
                     {"request_hash", request.hash},
                     {"dismissedBy", by},
                     {"reason", why},
                     {"updatedAt", now_text()}};
  PAWL_TRY(say(record, request.thread, request.remark->id,
               cat("The review that was asked for is not done apart: ", why, "."), pr::block_type::kManualReview, data,
               cat("dismiss ", request.key, " ", request.hash), cat("manual ", request.key, " ", request.hash)));
  return move(record, pr::kDismissed, {{"dismissedBy", by}, {"reason", why}}, "dismissed");
}

}  // namespace pawl
