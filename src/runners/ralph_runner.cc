#include "runners/ralph_runner.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/capped_log.h"
#include "base/digest.h"
#include "base/text.h"
#include "engine/left.h"
#include "integrations/agent.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/promise.h"
#include "lifecycles/loop/verification.h"
#include "runners/loop_check.h"
#include "runners/loop_hold.h"
#include "runners/loop_task.h"
#include "runners/loops.h"
#include "runners/ralph_go_on.h"
#include "runners/verifier.h"

namespace pawl {
namespace {

constexpr std::size_t kLogCap = std::size_t{4} << 20U;
constexpr std::size_t kLongestKey = 200;  // in the name of a file
constexpr std::int64_t kAtOnceMs = 5'000;
constexpr std::int64_t kLongestPauseMs = 5 * 60 * 1000;
constexpr int kLookEveryMs = 500;
// What was claimed when the check could not be run, in the store.
constexpr std::string_view kPromiseWaits = "promise", kStoriesWait = "stories";

bool none_left(const std::optional<story::ListSummary>& stories) {
  return stories && stories->stories != 0 && stories->left == 0;
}

// A mistyped name is told before anything has begun.
Done must_be_a_program(const std::string& program) {
  if (program.find('{') != std::string::npos) return done();
  constexpr std::string_view kHow = "behind -- stands the agent's name or its path, and its arguments";
  if (program.find('/') == std::string::npos && !is_in_path(program))
    return fail(ErrorCode::not_found, cat("no program called ", printable(program), " is in PATH"), std::string(kHow));
  if (program.find('/') != std::string::npos && access(program.c_str(), X_OK) != 0)
    return fail(ErrorCode::not_found, cat(printable(program), " is not there, or cannot be run"), std::string(kHow));
  return done();
}

class Runner {
 public:
  Runner(Engine& engine, const Request& request, const RalphRun& run, const RalphStreams& streams)
      : engine_(engine), request_(request), run_(run), streams_(streams), hold_(engine, request_) {}

  Result<RalphRan> go() {
    PAWL_TRY(must_be_a_program(run_.command.front()));
    if (run_.verify)
      PAWL_TRY(must_be_able_to_run({.command = *run_.verify}, "install it, or correct what stands behind --verify"));
    PAWL_TRY(find_or_start());
    // Held from here on: nobody else drives it, and nothing of it is changed before.
    PAWL_TRY(hold_.take(id_));
    Result<RalphRan> ran = drive();
    if (!ran) (void)move(loop::LeaveRalph{ran.error().message});  // what is answered with is why it failed
    hold_.release([&](const std::string& why) {
      if (ran) streams_.tell(why);
    });
    return ran;
  }

 private:
  // Somebody moved its file: it is gone on with where it is by now.
  void follow(const RecordId& id) {
    if (id == id_ || id.key.empty()) return;
    id_ = id;
    if (const Done held = hold_.take(id_); !held) streams_.tell(held.error().message);
  }

  Done find_or_start() {
    // Another tool's loop may be in its file only: then it is taken over first.
    PAWL_TRY(engine_.change(request_, loop::look_at(loop::ralph_shape(), run_.session), decide_nothing));
    PAWL_ASSIGN(const auto loops, loop::read_all(engine_, loop::ralph_shape()));
    const auto found = loop::choose(loop::ralph_machine(), loops, run_.session, loop::Purpose::drive);
    if (!found && found.error().code != ErrorCode::not_found) return tl::unexpected(found.error());
    if (found && loop::is_active(*found)) {
      id_ = found->id;
      goes_on_ = true;
      PAWL_TRY(hold_.must_be_free(id_));
      PAWL_TRY(must_be_the_same(run_, *found));
      return go_on_with_check(*found);
    }
    if (found && found->held) return loop::must_not_be_held(loop::ralph_machine(), *found);
    if (!run_.prompt) return nothing_to_go_on_with(engine_, run_, loops, found ? &*found : nullptr);
    const loop::StartRalph start{run_.session, *run_.prompt, run_.max.value_or(loop::kStandardIterations), !run_.no_prd,
                                 run_.promise.value_or(std::string(loop::kStandardPromise))};
    if (run_.verify) check_ = LoopCheck{*run_.verify, run_.attempts.value_or(loop::kStandardAttempts), true};
    PAWL_ASSIGN(const loop::Changed begun, loop::start_one(
                                               engine_, request_, loop::ralph_shape(), start.session,
                                               [&](const Now& now) { return loop::new_ralph(start, now); },
                                               [&](Decision& decision, const RecordId& id) {
                                                 if (check_) keep_check(decision, id, *check_);
                                               }));
    id_ = begun.record.id;
    for (const Record& one : begun.replaced)
      streams_.tell(cat("the loop before it, ", one.status, " at ", loop::how_far(one.doc), ", gives ",
                        loop::file_of(loop::ralph_shape(), one.id), " up; it is kept\n  ",
                        loop::to_type(cat("pawl show ", one.id.ref()), "tells what it was")));
    return done();
  }

  Done go_on_with_check(const Record& loop) {
    PAWL_ASSIGN(check_, check_to_go_on_with(engine_, run_, loop));
    if (!check_) return done();
    feedback_ = check_->feedback;
    streams_.tell(cat("a claim to be done is checked with ", printable(check_->command)));
    return done();
  }

  Result<RalphRan> drive() {
    const std::string name = id_.key.size() > kLongestKey ? digest(id_.key) : id_.key;
    PAWL_ASSIGN(const std::string store, engine_.folder_to_write());
    const std::string log_name = cat("logs/ralph-", name, ".log");
    ran_.log = cat(store, "/", log_name);
    PAWL_ASSIGN(log_, CappedLog::open(store, log_name, kLogCap));
    if (goes_on_ && run_.max) PAWL_TRY(move(loop::LimitRalph{*run_.max}));
    if (goes_on_ && check_ && (run_.verify || run_.attempts)) PAWL_TRY(keep_check(engine_, request_, id_, *check_));
    std::int64_t failed_at_once = 0;
    while (!over_) {
      PAWL_ASSIGN(const Record current, standing());
      if (check_ && !check_->waits.empty() && loop::is_active(current)) {
        PAWL_TRY(claimed(current, check_->waits == kStoriesWait ? RalphEnd::stories : RalphEnd::promise));
        continue;
      }
      PAWL_ASSIGN(const bool goes_on, must_go_on(current));
      if (!goes_on) break;
      const auto stories = stories_for(engine_, current.doc, streams_.tell);
      // A list that was finished before the loop began says nothing about its prompt.
      if (none_left(stories) && loop::says_something(current.doc, "current_story_id")) {
        PAWL_TRY(claimed(current, RalphEnd::stories));
        if (over_) break;
      }
      PAWL_ASSIGN(const AgentRan agent, iterate(current, stories));
      if (agent.end == AgentEnd::stopped) {
        stop(agent.stop_signal);
        break;
      }
      ++ran_.iterations;
      in_iteration_ = true;
      PAWL_ASSIGN(const bool counts, conclude(current, agent));
      in_iteration_ = false;
      if (!over_ && counts)
        streams_.tell(cat(loop::how_far(integer_or(current.doc, "iteration") + 1, current.doc), " has ended"));
      if (over_) break;
      const bool at_once = agent.end == AgentEnd::exited && agent.exit_code != 0 && agent.took_ms < kAtOnceMs;
      failed_at_once = at_once ? failed_at_once + 1 : 0;
      const bool last = integer_or(current.doc, "iteration") + 1 == loop::max_iterations(current.doc);
      if (at_once && !last) pause(failed_at_once);
    }
    if (over_ == RalphEnd::stopped) PAWL_TRY(move(loop::LeaveRalph{"its runner was stopped"}));
    if (over_ == RalphEnd::not_run) PAWL_TRY(move(loop::LeaveRalph{"its check cannot be run"}));
    if (over_ == RalphEnd::rejected) PAWL_TRY(move(loop::LeaveRalph{"its claims were rejected too often"}));
    PAWL_ASSIGN(const Record now, standing());
    ran_.end = over_.value_or(RalphEnd::ended);
    ran_.loop = loop::answer_of(loop::ralph_shape(), now);
    return std::move(ran_);
  }

  // Whoever takes the file away in which attempts are counted does not get them back, by ending this run neither.
  Done keep_made(std::int64_t attempts, std::string_view waits = {}) {
    if (check_->made == attempts && check_->waits == waits) return done();
    check_->made = attempts;
    check_->waits = waits;
    return keep_check(engine_, request_, id_, *check_);
  }

  // That is no verdict: nothing is counted, and no agent is paid to mend it.
  void end_without_verdict(const Verdict& verdict) {
    over_ = RalphEnd::not_run;
    ran_.check = check_->command;
    ran_.why = verdict.why;
  }

  // False: it has ended, and `over_` says how.
  Result<bool> must_go_on(const Record& current) {
    if (loop::is_active(current)) {
      if (!loop::at_maximum(current.doc)) return true;
      if (move(loop::TickRalph{})) over_ = RalphEnd::maximum;
      return false;
    }
    over_ = loop::is_complete(current.status) ? RalphEnd::completed : RalphEnd::ended;
    if (check_ && over_ == RalphEnd::completed) PAWL_TRY(completed_past_check(current));
    return false;
  }

  // Not by this run, which completes it with the check's word: where gates are only recorded, or pawl was left for a
  // while, an agent can have the record say so. Whether the work is done says the check.
  Done completed_past_check(const Record& current) {
    over_ = RalphEnd::ended;  // where it is taken away before the check has answered
    streams_.tell(cat("the loop was completed without its check; checking with ", printable(check_->command)));
    PAWL_ASSIGN(const Verdict verdict, ask(claim_of(current, "it is complete"), verifier(), stop_));
    if (verdict.stop_signal != 0) stop(verdict.stop_signal);
    if (verdict.kind == Verdict::Kind::none) return done();
    if (verdict.kind == Verdict::Kind::not_run) {
      end_without_verdict(verdict);
      return done();
    }
    const bool agrees = verdict.kind == Verdict::Kind::approved;
    streams_.tell(agrees ? "the check agrees" : "the check does not agree: the work is not done");
    over_ = agrees ? RalphEnd::completed : RalphEnd::unchecked;
    return done();
  }

  [[nodiscard]] Claimed claim_of(const Record& loop, std::string words) const {
    return {id_.key,
            loop::owner_of(loop.doc).value_or(""),
            loop::prompt_of(loop.doc),
            std::move(words),
            check_->attempts,
            check_->made};
  }

  [[nodiscard]] Verifier verifier() {
    return {check_->command, run_.limit_ms, [this] { return is_wanted(); },
            [this](std::string_view bytes) {
              streams_.live(bytes);
              log_.append(bytes);
            }};
  }

  // One time the agent, what it says watched for the promise.
  Result<AgentRan> iterate(const Record& current, const std::optional<story::ListSummary>& stories) {
    loop::TaskText task = task_for(integer_or(current.doc, "iteration") + 1, stories);
    task.feedback = feedback_;
    const std::string story = stories && stories->left != 0 ? stripped(stories->next_id, loop::kMaxStoryBytes) : "";
    if (!story.empty() && string_or(current.doc, "current_story_id") != story) PAWL_TRY(move(loop::WorkOnStory{story}));
    AgentCall call;
    call.input = loop::task_text(current.doc, task);
    for (const std::string& word : run_.command) call.argv.push_back(filled(word, "prompt", call.input));
    call.environment = {cat("PAWL_LOOP=", current.id.key), cat("PAWL_ITERATION=", task.iteration),
                        cat("PAWL_MAX_ITERATIONS=", loop::max_iterations(current.doc)), cat("PAWL_STORY=", story)};
    const auto owner = loop::owner_of(current.doc);
    if (owner) call.environment.push_back(cat("PAWL_SESSION=", *owner));
    if (!owner) call.not_passed_on.emplace_back("PAWL_SESSION");  // that of whoever started us is not the loop's
    call.limit_ms = run_.limit_ms;
    call.wanted = [this] { return is_wanted(); };
    loop::PromiseWatch watch(loop::promise_of(current.doc));
    call.ready = streams_.ready;
    call.errors = [&](std::string_view bytes) {
      log_.append(bytes);
      streams_.live(bytes);
    };
    call.output = [&](std::string_view bytes) {
      call.errors(bytes);
      watch.read(bytes);
    };
    // Not as the count is said: this one does not count before it has ended.
    const std::int64_t most = loop::max_iterations(current.doc);
    streams_.tell(cat("begins iteration ", task.iteration, most > 0 ? cat(" of ", most) : std::string(),
                      task.story.empty() ? "" : ", ", printable(task.story)));
    log_.append(cat("--- iteration ", task.iteration, " ---\n"));
    PAWL_ASSIGN(const AgentRan ran, run_agent(call, stop_));
    watch.end();
    promised_ = watch.given() && ran.end == AgentEnd::exited;
    if (watch.only_mentioned() && !std::exchange(told_mention_, true))
      streams_.tell(
          "the promise was printed, but not alone on a line outside of code, comments and quotations: so it does not "
          "count");
    return ran;
  }

  // Cancelled or cleared means now; a loop that its own agent completed may end its turn.
  bool is_wanted() {
    const auto current = standing();
    return !current || loop::is_active(*current) || loop::is_complete(current->status);
  }

  // The loop as it stands. Where its file cannot be looked at, what is written down counts.
  Result<Record> standing() {
    if (read_left(engine_.workspace().store)) engine_.look_only_at_named();  // it goes on to its end, and no further
    auto current = loop::read_this(engine_, id_);
    if (current) {
      follow(current->id);
      return current;
    }
    PAWL_TRY(engine_.read_store([&](const View& view) -> Done {
      current = view.load(id_);
      return done();
    }));
    return current;
  }

  // False: the iteration was broken off by the loop's end, and does not count.
  Result<bool> conclude(const Record& before, const AgentRan& agent) {
    if (agent.end == AgentEnd::too_long) streams_.tell("the agent took longer than it may, and was ended");
    if (agent.end == AgentEnd::exited && agent.exit_code != 0)
      streams_.tell(cat("the agent ended with exit code ", agent.exit_code));
    PAWL_ASSIGN(const Record current, standing());
    if (!loop::is_active(current))  // seen at the next turn
      return integer_or(current.doc, "iteration") > integer_or(before.doc, "iteration");
    if (const std::int64_t counted = integer_or(current.doc, "iteration");
        counted != integer_or(before.doc, "iteration"))
      streams_.tell(cat("somebody else set iteration to ", counted, " meanwhile: it goes on from there"));
    const bool finished = loop::says_something(current.doc, "current_story_id") &&
                          none_left(stories_for(engine_, current.doc, streams_.tell));
    if (promised_ || finished) PAWL_TRY(claimed(before, promised_ ? RalphEnd::promise : RalphEnd::stories));
    if (!over_ || *over_ == RalphEnd::rejected || *over_ == RalphEnd::not_run) PAWL_TRY(move(loop::TickRalph{}));
    return true;
  }

  // Somebody says that it is done. Without anybody to ask it is.
  Done claimed(const Record& before, RalphEnd end) {
    feedback_.clear();
    if (check_) {
      streams_.tell(cat("the work is said to be done; checking with ", printable(check_->command)));
      const Claimed claim =
          claim_of(before, end == RalphEnd::promise ? loop::promise_of(before.doc) : std::string("no story is left"));
      PAWL_ASSIGN(const Verdict verdict, verify(engine_, request_, claim, verifier(), stop_));
      if (verdict.stop_signal != 0) stop(verdict.stop_signal);
      if (verdict.kind == Verdict::Kind::none) return done();
      if (verdict.kind == Verdict::Kind::not_run) {
        end_without_verdict(verdict);
        return keep_made(check_->made, end == RalphEnd::stories ? kStoriesWait : kPromiseWaits);
      }
      if (verdict.kind == Verdict::Kind::rejected) {
        streams_.tell(cat("the check does not agree: attempt ", verdict.attempts, " of ", verdict.max_attempts));
        feedback_ = verdict.feedback;
        if (verdict.exhausted) over_ = RalphEnd::rejected;
        return keep_made(verdict.exhausted ? 0 : verdict.attempts);  // who goes on after the last has all of them again
      }
      PAWL_TRY(keep_made(0));
      streams_.tell("the check agrees");
    }
    // A promise is given in an iteration, which has ended with it; a list may be found finished before the next one.
    loop::CompleteRalph complete;
    if (in_iteration_) complete.iteration = integer_or(before.doc, "iteration") + 1;
    PAWL_TRY(move(complete));
    if (!over_) over_ = end;
    return done();
  }

  void stop(int signal) {
    ran_.stop_signal = signal;
    over_ = RalphEnd::stopped;
  }

  void pause(std::int64_t failures) {
    std::int64_t left = std::min(run_.pause_ms << std::min<std::int64_t>(failures - 1, 20), kLongestPauseMs);
    streams_.tell(cat("the agent failed at once; waits ", left < 1000 ? cat(left, " ms") : cat(left / 1000, " s")));
    for (; left > 0 && !over_ && is_wanted(); left -= kLookEveryMs) {
      if (stop_.come_within(static_cast<int>(std::min<std::int64_t>(left, kLookEveryMs))))
        stop(stop_.next().value_or(0));
    }
  }

  // A move that is refused because the loop has ended meanwhile is an end of the run, and no error of it.
  template <class Command>
  Done move(const Command& command) {
    const auto moved =
        loop::change_this(engine_, request_, loop::ralph_shape(), id_,
                          [&](const Record& current, const Now& now) { return loop::decide(current, command, now); });
    if (moved) {
      follow(moved->record.id);
      return done();
    }
    if (moved.error().code != ErrorCode::illegal_move && moved.error().code != ErrorCode::not_found)
      return tl::unexpected(moved.error());
    if (!over_) over_ = RalphEnd::ended;
    return done();
  }

  Engine& engine_;
  const Request request_;
  const RalphRun& run_;
  const RalphStreams& streams_;
  StopSignals stop_;
  RecordId id_;
  LoopHold hold_;
  bool goes_on_ = false;
  std::optional<LoopCheck> check_;
  CappedLog log_;
  RalphRan ran_;
  std::optional<RalphEnd> over_;
  std::string feedback_;
  bool promised_ = false;
  bool in_iteration_ = false;
  bool told_mention_ = false;  // once a run: there are agents that say it in every iteration
};

}  // namespace

Result<RalphRan> run_ralph(Engine& engine, const Request& request, const RalphRun& run, const RalphStreams& streams) {
  // A key stands for one change and its answer; a run makes many, and is gone on with by being run again.
  if (!request.idempotency_key.empty())
    return fail(ErrorCode::invalid_argument, "a run has no idempotency key; run again it goes on where it was");
  return Runner(engine, request, run, streams).go();
}

}  // namespace pawl
