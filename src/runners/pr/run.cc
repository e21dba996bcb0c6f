#include "runners/pr/run.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "engine/claims.h"
#include "integrations/agent.h"
#include "lifecycles/pr/answer.h"

namespace pawl {
namespace {

constexpr int kMostRounds = 6;
constexpr std::size_t kMostConversation = 100;

// All that the agent is told.
Result<Json> told_to(PrWorker& worker, const Sight& sight, const pr::Task& task) {
  const PullRequest& pull = sight.scene.pull;
  Json out = {{"version", 1}, {"task", pr::to_json(task)}};
  out["pullRequest"] = {{"ref", pull.ref.text()},   {"title", pull.title},     {"body", pull.body},
                        {"author", pull.author},    {"url", pull.url},         {"headRef", pull.head_ref},
                        {"headSha", pull.head_sha}, {"baseRef", pull.base_ref}};
  const auto& comments = sight.scene.talk.comments;
  out["conversation"] = Json::array();
  const std::size_t first = comments.size() > kMostConversation ? comments.size() - kMostConversation : 0;
  for (std::size_t i = first; i < comments.size(); ++i) {
    out["conversation"].push_back({{"id", std::to_string(comments[i].id)},
                                   {"author", std::string(comments[i].author)},
                                   {"role", comments[i].by_bot ? "bot" : "developer"},
                                   {"body", std::string(comments[i].body)}});
  }
  out["findings"] = pr::to_json(sight.picture, sight.scene.talk, worker.rules())["reviewThreads"];
  const bool reviews = task.type == pr::TaskType::review;
  PAWL_ASSIGN(const auto files, reviews ? worker.diff_of(sight) : worker.forge().files(worker.pull()));
  out["diff"] = Json::array();
  for (const ChangedFile& file : files) {
    Json one = {{"path", file.path}, {"status", file.status}, {"patch", file.patch}};
    if (!file.previous_path.empty()) one["previousPath"] = file.previous_path;
    out["diff"].push_back(std::move(one));
  }
  out["answer"] = pr::schema_of(task.type);
  return out;
}

class Runner {
 public:
  Runner(Engine& engine, const Request& request, PrWorker& worker, const PrRun& run, const PrStreams& streams,
         StopSignals& stop)
      : engine_(engine), request_(request), worker_(worker), run_(run), streams_(streams), stop_(stop) {
    request_.idempotency_key.clear();
  }

  Result<PrRan> go() {
    if (!run_.dry_run) PAWL_TRY(worker_.remember(run_.event));
    auto looked = worker_.look(run_.event);
    if (!looked && is_stopped()) return std::move(ran_);
    if (!looked) return tl::unexpected(looked.error());
    auto sight = std::move(*looked);
    ran_.plan = pr::to_json(sight->plan);
    if (run_.dry_run) return over(*sight);
    // A token that may not write fails each task with a reason of its own.
    if (const Done announced = worker_.announce(*sight); !announced) streams_.tell(announced.error().message);
    if (is_stopped()) return over(*sight);
    if (const Done mended = worker_.mend(*sight); !mended) streams_.tell(mended.error().message);
    for (int round = 0; round < kMostRounds; ++round) {
      bool did = false;
      for (const pr::Task& task : sight->plan.tasks) {
        trying_ = pr::about(task, sight->scene.talk);
        if (!tried_.insert(trying_).second) continue;
        if (is_stopped()) return over(*sight);
        did = true;
        PAWL_TRY(attempt(*sight, task));
        if (ran_.stop_signal != 0) return over(*sight);
      }
      if (!did) break;
      looked = worker_.look(run_.event);
      if (!looked && is_stopped()) return over(*sight);
      if (!looked) return tl::unexpected(looked.error());
      sight = std::move(*looked);
    }
    return over(*sight);
  }

 private:
  bool is_stopped() {
    if (ran_.stop_signal != 0) return true;
    if (const auto signal = stop_.next()) stopped_by(*signal);
    return ran_.stop_signal != 0;
  }
  void stopped_by(int signal) {
    ran_.stop_signal = signal;
    streams_.stopped();
  }

  // A task that fails does not stop the others; what stops them is what would stop all of them.
  Done attempt(const Sight& sight, const pr::Task& task) {
    if (task.automatic()) PAWL_TRY(worker_.enter(sight, task));
    const auto claim = take_claim(engine_, request_, {task.record, cat("pr run ", getpid()), getpid(), 0});
    if (!claim) {
      // Another process of this machine is at it, and says what comes of it.
      if (claim.error().code == ErrorCode::conflict) {
        ran_.held.push_back({task.id, claim.error().message, task.automatic()});
        return overtaken(task, cat("another run is at it: ", claim.error().message), false);
      }
      streams_.tell(cat(task.id, ": ", claim.error().message));
      ran_.results.push_back({task.id, task.type_name(), false, 0, 0, claim.error().message, "failed"});
      return done();
    }
    const Done begun = worker_.begin(sight, task);
    if (begun) streams_.tell(cat(task.id, ": begun"));
    const bool beaten = !begun && begun.error().code == ErrorCode::conflict;
    const Done worked = begun    ? work(sight, task)
                        : beaten ? overtaken(task, begun.error().message, false)
                                 : set_back(sight, task, begun.error());
    static_cast<void>(release_claim(engine_, request_, task.record, claim->token));
    return worked;
  }

  Done work(const Sight& sight, const pr::Task& task) {
    if (worker_.is_posted(sight, task)) return finish(sight, task, Json::object());
    const auto answer = ask(sight, task);
    if (!answer && answer.error().code == ErrorCode::conflict) return overtaken(task, answer.error().message, true);
    if (!answer) return set_back(sight, task, answer.error());
    // While the agent thought, what it was asked may have been edited, deleted, answered by another run or overtaken by
    // a push. Then the answer is not one any more.
    const auto now = worker_.look(run_.event);
    if (!now) return set_back(sight, task, now.error());
    const auto& tasks = (*now)->plan.tasks;
    const std::string asked = pr::about(task, sight.scene.talk);
    const auto still = std::find_if(tasks.begin(), tasks.end(),
                                    [&](const pr::Task& one) { return pr::about(one, (*now)->scene.talk) == asked; });
    if (still != tasks.end()) return finish(**now, *still, *answer);
    const bool moved = task.type == pr::TaskType::review && (*now)->scene.talk.head != sight.scene.talk.head;
    return overtaken(task, moved ? "the pull request has another head now" : "it is not pending any more", moved);
  }

  Done finish(const Sight& sight, const pr::Task& task, const Json& answer) {
    auto result = worker_.finish(sight, task, answer);
    if (!result && result.error().code == ErrorCode::conflict)
      return overtaken(task, result.error().message, task.type == pr::TaskType::review);
    if (!result) return set_back(sight, task, result.error());
    streams_.tell(cat(task.id, ": ", result->text));
    ran_.review_completed = ran_.review_completed || task.type == pr::TaskType::review;
    if (task.manual != nullptr) ran_.asked_for += result->blocking;
    ran_.results.push_back(std::move(*result));
    return done();
  }

  // Not a failure: the next look finds what is to be done now.
  Done overtaken(const pr::Task& task, const std::string& why, bool to_be_done_anew) {
    streams_.tell(cat(task.id, ": ", why, "; nothing was posted"));
    ++ran_.overtaken;
    if (!to_be_done_anew) return done();
    tried_.erase(trying_);  // what it was begun on may come back
    return worker_.give_up(task, why);
  }

  Done set_back(const Sight& sight, const pr::Task& task, const Error& why) {
    if (!is_stopped()) return failed(task, why);
    if (const Done cancelled = worker_.cancel(sight, task); !cancelled) streams_.tell(cancelled.error().message);
    return done();
  }

  Result<Json> ask(const Sight& sight, const pr::Task& task) {
    if (run_.agent.empty()) {
      return fail(ErrorCode::invalid_argument, "there is no agent to do it",
                  "name one with --agent COMMAND or PAWL_PR_AGENT");
    }
    PAWL_ASSIGN(const Json told, told_to(worker_, sight, task));
    const std::vector<std::string> environment = {cat("PAWL_TASK=", task.id), cat("PAWL_TASK_TYPE=", task.type_name()),
                                                  cat("PAWL_PULL_REQUEST=", sight.scene.pull.ref.text()),
                                                  cat("PAWL_HEAD=", sight.scene.talk.head)};
    int signal = 0;
    const auto printed = ask_agent(run_.agent, told, environment, run_.folder, run_.limit_ms, streams_, stop_, &signal);
    if (signal != 0) stopped_by(signal);
    if (!printed) return tl::unexpected(printed.error());
    return pr::answer_in(*printed);
  }

  Done failed(const pr::Task& task, const Error& why) {
    streams_.tell(cat(task.id, ": ", why.message, why.hint.empty() ? "" : "; ", why.hint));
    ran_.results.push_back({task.id, task.type_name(), false, 0, 0, why.message, "failed"});
    const Done noted = worker_.fail_task(task, why.message);
    if (!noted) streams_.tell(noted.error().message);
    return done();
  }

  PrRan over(const Sight& sight) {
    const auto grave = pr::blocking(sight.picture, worker_.rules());
    for (const pr::Finding& one : sight.picture.findings) {
      if (one.status == pr::kResolved) continue;
      const bool blocks = std::find(grave.begin(), grave.end(), &one) != grave.end();
      ran_.open.push_back(
          {one.path(), one.line(), string_or(one.data, "finding"), integer_or(one.data, "score"), blocks, one.lost()});
      constexpr std::size_t kMostTold = 10;
      if (blocks && !one.lost() && ran_.open.size() <= kMostTold)
        streams_.tell(cat(pr::kFindingKind, "/", one.id, " is open: ", one.path(),
                          one.line() > 0 ? cat(":", one.line()) : "", " ",
                          stripped(string_or(one.data, "finding"), 120), " (", integer_or(one.data, "score"), "/10)"));
      if (blocks && one.lost())
        streams_.tell(cat("the comment of finding ", one.id, " (", string_or(one.data, "finding"),
                          ") was deleted or changed; it still keeps the pull request from being merged, until it is "
                          "fixed, disputed in a comment that quotes it, or dismissed: pawl pr dismiss finding/",
                          one.id, " --pr ", worker_.pull().text(), " --reason WHY"));
    }
    ran_.gate = static_cast<std::int64_t>(grave.size());
    ran_.unreviewed = !run_.dry_run && std::any_of(sight.plan.tasks.begin(), sight.plan.tasks.end(),
                                                   [](const pr::Task& task) { return task.automatic(); });
    // A later round may have found that the other is done with it.
    std::erase_if(ran_.held, [&](const HeldTask& one) {
      return std::none_of(sight.plan.tasks.begin(), sight.plan.tasks.end(),
                          [&](const pr::Task& task) { return task.id == one.id; });
    });
    if (ran_.unreviewed && ran_.stop_signal == 0) streams_.tell(ran_.why_unreviewed());
    if (pr::waits_for_event(sight.picture, sight.plan, sight.scene.talk, worker_.rules())) streams_.tell(pr::kNoEvent);
    return std::move(ran_);
  }

  Engine& engine_;
  Request request_;
  PrWorker& worker_;
  const PrRun& run_;
  const PrStreams& streams_;
  StopSignals& stop_;
  std::set<std::string> tried_;  // once in a run, each
  std::string trying_;           // the last of them
  PrRan ran_;
};

}  // namespace

bool PrRan::failed() const {
  return std::any_of(results.begin(), results.end(), [](const TaskResult& one) { return !one.success; });
}
std::int64_t PrRan::issues() const {
  std::int64_t sum = 0;
  for (const TaskResult& one : results) sum += one.issues;
  return sum;
}
std::int64_t PrRan::blocking() const {
  std::int64_t sum = 0;
  for (const TaskResult& one : results) sum += one.blocking;
  return std::max(sum, gate);
}
std::string PrRan::why_unreviewed() const {
  const auto by = std::find_if(held.begin(), held.end(), [](const HeldTask& one) { return one.automatic; });
  return cat("the head is not reviewed yet", by == held.end() ? std::string() : cat(": ", by->text()));
}
int PrRan::exit_code() const {
  if (stop_signal != 0) return 128 + stop_signal;
  return failed() || gate > 0 || unreviewed ? 1 : 0;
}

Json to_json(const PrRan& ran) {
  Json results = Json::array();
  for (const TaskResult& one : ran.results) results.push_back(to_json(one));
  Json out = {{"results", std::move(results)},
              {"hasBlockingIssues", ran.blocking() > 0},
              {"totalTasks", ran.results.size()},
              {"reviewCompleted", ran.review_completed}};
  if (ran.gate > 0) out["openBlockingIssues"] = ran.gate;
  if (ran.stop_signal != 0) out["stopped"] = true;
  if (ran.unreviewed) out["unreviewed"] = true;
  if (ran.overtaken > 0) out["overtaken"] = ran.overtaken;
  if (!ran.held.empty()) out["heldByAnother"] = Json::array();
  for (const HeldTask& one : ran.held) out["heldByAnother"].push_back({{"id", one.id}, {"by", one.by}});
  return out;
}

Result<std::string> ask_agent(const std::string& command, const Json& task, const std::vector<std::string>& environment,
                              const std::string& folder, std::int64_t limit_ms, const PrStreams& streams,
                              StopSignals& stop, int* stop_signal) {
  std::string printed, last_words;
  AgentCall call;
  call.argv = {"/bin/sh", "-c", command};
  call.input = to_line(task) + "\n";
  call.environment = environment;
  call.folder = folder;
  call.limit_ms = limit_ms;
  call.secrets = Secrets::dropped;
  call.output = [&](std::string_view bytes) {
    if (printed.size() <= kMostOfAnAnswer) printed += bytes;
  };
  call.errors = [&](std::string_view bytes) {
    streams.live(bytes);
    last_words = std::string(bytes.substr(bytes.size() - std::min<std::size_t>(bytes.size(), 200)));
  };
  PAWL_ASSIGN(const AgentRan ran, run_agent(call, stop));
  if (ran.end == AgentEnd::stopped) {
    *stop_signal = ran.stop_signal;
    return fail(ErrorCode::unavailable, "the run was stopped");
  }
  if (ran.end == AgentEnd::too_long)
    return fail(ErrorCode::unavailable, cat("the agent took longer than ", limit_ms / 1000, " s"),
                "pr.agent_timeout gives it more");
  if (ran.exit_code != 0) {
    const std::string said = printable(trim(last_words));
    return fail(ErrorCode::unavailable, cat("the agent exited with ", ran.exit_code, said.empty() ? "" : ": ", said));
  }
  if (printed.size() > kMostOfAnAnswer) return fail(ErrorCode::invalid_argument, "the agent's answer has no end");
  return printed;
}

Result<PrRan> run_pr(Engine& engine, const Request& request, PrWorker& worker, const PrRun& run,
                     const PrStreams& streams, StopSignals& stop) {
  return Runner(engine, request, worker, run, streams, stop).go();
}

}  // namespace pawl
