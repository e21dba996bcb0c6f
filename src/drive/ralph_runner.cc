#include "drive/ralph_runner.h"

#include <unistd.h>

#include <algorithm>

#include "base/capped_log.h"
#include "base/text.h"
#include "drive/loops.h"
#include "drive/story_source.h"
#include "drive/verifier.h"
#include "engine/claims.h"
#include "lifecycle/loop/identity.h"
#include "lifecycle/loop/move.h"
#include "lifecycle/loop/promise.h"
#include "lifecycle/loop/task_text.h"
#include "world/agent.h"

namespace pawl {
namespace {

constexpr std::size_t kLogCap = std::size_t{4} << 20U;
constexpr std::int64_t kAtOnceMs = 5'000;
constexpr std::int64_t kLongestPauseMs = 5 * 60 * 1000;
constexpr int kLookEveryMs = 500;

const loop::Shape& shape() { return loop::ralph_shape(); }

class Runner {
 public:
  Runner(Engine& engine, const Request& request, const RalphRun& run, const RalphStreams& streams)
      : engine_(engine), request_(request), run_(run), streams_(streams) {
    request_.idempotency_key.clear();  // it stands for the whole run, not for each of its steps
  }

  Result<RalphRan> go() {
    PAWL_TRY(find_or_start());
    ClaimRequest wanted{id_, cat("ralph run ", getpid()), getpid(), 0};
    PAWL_ASSIGN(const Claim claim, take_claim(engine_, request_, wanted));
    Result<RalphRan> ran = drive();
    if (const Done released = release_claim(engine_, request_, id_, claim.token); !released && ran)
      streams_.tell(released.error().message);
    return ran;
  }

 private:
  Done find_or_start() {
    PAWL_ASSIGN(const auto loops, loop::read_all(engine_, shape()));
    const auto found = loop::choose(loop::ralph_machine(), loops, run_.start.session, loop::Purpose::drive);
    if (!found && found.error().code != ErrorCode::not_found) return tl::unexpected(found.error());
    if (found && loop::is_active(*found)) return go_on_with(*found);
    if (found && found->held) return loop::must_not_be_held(loop::ralph_machine(), *found);
    if (!run_.prompt) {
      return fail(ErrorCode::not_found,
                  found ? cat("the loop is ", found->status, ", and there is no other to go on with")
                        : std::string("there is no loop to go on with"),
                  "begin one with --prompt P");
    }
    loop::StartRalph start = run_.start;
    start.prompt = *run_.prompt;
    start.max_iterations = run_.max.value_or(loop::kStandardIterations);
    PAWL_ASSIGN(const Json answer, loop::start_one(engine_, request_, shape(), start.session,
                                                   [&](const Now& now) { return loop::new_ralph(start, now); }));
    return remember(string_or(answer, "loop"));
  }

  Done go_on_with(const Record& found) {
    const std::string prompt = string_or(found.doc, "prompt");
    if (run_.prompt && *run_.prompt != prompt) {
      return fail(ErrorCode::already_exists,
                  cat("a loop with another prompt is under way: ", printable(prompt.substr(0, 80))),
                  "without --prompt it is gone on with; pawl ralph cancel ends it");
    }
    id_ = found.id;
    streams_.tell(cat("goes on with the loop at iteration ", integer_or(found.doc, "iteration") + 1));
    if (!run_.max || *run_.max == loop::max_iterations(found.doc)) return done();
    PAWL_TRY(loop::change_this(engine_, request_, shape(), id_, [&](const Record& current, const Now& now) {
      return loop::decide(current, loop::LimitRalph{*run_.max}, now);
    }));
    return done();
  }

  Done remember(const std::string& key) {
    PAWL_ASSIGN(const auto loops, loop::read_all(engine_, shape()));
    for (const Record& one : loops) {
      if (one.id.key == key) id_ = one.id;
    }
    return done();
  }

  Result<RalphRan> drive() {
    ran_.log = cat(engine_.workspace().store, "/logs/ralph-", id_.key, ".log");
    PAWL_ASSIGN(log_, CappedLog::open(ran_.log, kLogCap));
    std::int64_t failed_at_once = 0;
    while (true) {
      PAWL_ASSIGN(const Record current, loop::read_this(engine_, id_));
      if (!loop::is_active(current)) return ended(RalphEnd::ended);
      if (loop::at_maximum(current.doc)) {
        PAWL_TRY(move(loop::TickRalph{}));
        return ended(RalphEnd::maximum);
      }
      const auto stories = stories_of(current.doc);
      if (stories && stories->stories != 0 && stories->left == 0) {
        PAWL_TRY(move(loop::CompleteRalph{}));
        return ended(RalphEnd::stories);
      }
      PAWL_ASSIGN(const AgentRan agent, iterate(current, stories));
      if (agent.end == AgentEnd::stopped) {
        ran_.stop_signal = agent.stop_signal;
        return ended(RalphEnd::stopped);
      }
      ++ran_.iterations;
      PAWL_ASSIGN(const std::optional<RalphEnd> over, conclude(current, agent));
      if (over) return ended(*over);
      failed_at_once = agent.exit_code != 0 && agent.took_ms < kAtOnceMs ? failed_at_once + 1 : 0;
      if (failed_at_once != 0 && !pause(failed_at_once)) return ended(ran_.end);
    }
  }

  std::optional<loop::StoryList> stories_of(const Json& doc) const {
    const auto mode = doc.find("prd_mode");
    if (mode == doc.end() || !mode->is_boolean() || !mode->get<bool>()) return std::nullopt;
    return find_story_list(engine_.workspace(), streams_.tell);
  }

  // One time the agent, its output watched for the promise.
  Result<AgentRan> iterate(const Record& current, const std::optional<loop::StoryList>& stories) {
    loop::TaskText task;
    task.iteration = integer_or(current.doc, "iteration") + 1;
    task.feedback = feedback_;
    std::string story;
    if (stories && stories->left != 0) {
      story = stories->next_id;
      task.stories_left = stories->left;
      task.story = stories->next_title.empty() ? story : cat(story, ": ", stories->next_title);
      if (!story.empty() && string_or(current.doc, "current_story_id") != story)
        PAWL_TRY(move(loop::WorkOnStory{story}));
    }
    AgentCall call;
    call.input = loop::task_text(current.doc, task);
    for (const std::string& word : run_.command) call.argv.push_back(filled(word, "prompt", call.input));
    call.environment = {cat("PAWL_LOOP=", current.id.key), cat("PAWL_ITERATION=", task.iteration),
                        cat("PAWL_MAX_ITERATIONS=", loop::max_iterations(current.doc)), cat("PAWL_STORY=", story)};
    if (const auto owner = loop::owner_of(current.doc)) call.environment.push_back(cat("PAWL_SESSION=", *owner));
    call.limit_ms = run_.limit_ms;
    call.wanted = [this] { return is_wanted(); };
    loop::PromiseWatch watch(string_or(current.doc, "completion_promise"));
    call.output = [&](std::string_view bytes) {
      streams_.live(bytes);
      log_.append(bytes);
      watch.read(bytes);
    };
    streams_.tell(
        cat("iteration ", task.iteration, task.story.empty() ? std::string() : cat(", ", printable(task.story))));
    log_.append(cat("--- iteration ", task.iteration, " ---\n"));
    PAWL_ASSIGN(const AgentRan ran, run_agent(call, stop_));
    watch.end();
    promised_ = watch.given() && ran.end == AgentEnd::exited;
    return ran;
  }

  // Cancelled or cleared means now; a loop that its own agent completed may end its turn.
  bool is_wanted() {
    const auto current = loop::read_this(engine_, id_);
    return !current || loop::is_active(*current) || loop::is_complete(current->status);
  }

  Result<std::optional<RalphEnd>> conclude(const Record& before, const AgentRan& agent) {
    if (agent.end == AgentEnd::too_long) streams_.tell("the agent took longer than it may, and was ended");
    if (agent.end == AgentEnd::exited && agent.exit_code != 0)
      streams_.tell(cat("the agent ended with exit code ", agent.exit_code));
    PAWL_ASSIGN(const Record current, loop::read_this(engine_, id_));
    if (!loop::is_active(current)) return std::optional(RalphEnd::ended);
    if (promised_) {
      PAWL_ASSIGN(const bool approved, is_true(before));
      if (stopped_) return std::optional(RalphEnd::stopped);
      if (approved) {
        PAWL_TRY(move(loop::CompleteRalph{}));
        return std::optional(RalphEnd::promise);
      }
    }
    if (const Done ticked = move(loop::TickRalph{}); !ticked) {
      PAWL_ASSIGN(const Record now, loop::read_this(engine_, id_));  // cancelled in this very moment?
      if (!loop::is_active(now)) return std::optional(RalphEnd::ended);
      return tl::unexpected(ticked.error());
    }
    return exhausted_ ? std::optional(RalphEnd::rejected) : std::nullopt;
  }

  // Is the claim that it is done true? Without somebody to ask it is.
  Result<bool> is_true(const Record& before) {
    feedback_.clear();
    if (run_.verify.empty()) return true;
    const Claimed claimed{run_.start.session, string_or(before.doc, "prompt"),
                          string_or(before.doc, "completion_promise"), run_.attempts};
    streams_.tell(cat("the agent says that it is done; checking with ", printable(run_.verify)));
    PAWL_ASSIGN(const Verdict verdict,
                verify(engine_, request_, claimed, run_.verify, run_.limit_ms, stop_, [&](std::string_view bytes) {
                  streams_.live(bytes);
                  log_.append(bytes);
                }));
    if (verdict.stop_signal != 0) {
      stopped_ = true;
      ran_.stop_signal = verdict.stop_signal;
      return false;
    }
    exhausted_ = verdict.exhausted;
    feedback_ = verdict.feedback;
    streams_.tell(verdict.approved
                      ? "the check agrees"
                      : cat("the check does not agree: attempt ", verdict.attempts, " of ", verdict.max_attempts));
    return verdict.approved;
  }

  // False: it was ended meanwhile, and `ran_.end` says how.
  bool pause(std::int64_t failures) {
    std::int64_t left = std::min(run_.pause_ms << std::min<std::int64_t>(failures - 1, 20), kLongestPauseMs);
    streams_.tell(cat("the agent failed at once; waits ", left < 1000 ? cat(left, " ms") : cat(left / 1000, " s")));
    for (; left > 0; left -= kLookEveryMs) {
      if (stop_.come_within(static_cast<int>(std::min<std::int64_t>(left, kLookEveryMs)))) {
        ran_.stop_signal = stop_.next().value_or(0);
        ran_.end = RalphEnd::stopped;
        return false;
      }
      if (!is_wanted()) {
        ran_.end = RalphEnd::ended;
        return false;
      }
    }
    return true;
  }

  template <class Command>
  Done move(const Command& command) {
    PAWL_TRY(loop::change_this(engine_, request_, shape(), id_, [&](const Record& current, const Now& now) {
      return loop::decide(current, command, now);
    }));
    return done();
  }

  Result<RalphRan> ended(RalphEnd how) {
    PAWL_ASSIGN(const Record now, loop::read_this(engine_, id_));
    ran_.end = how;
    ran_.loop = loop::answer_of(shape(), now);
    return std::move(ran_);
  }

  Engine& engine_;
  Request request_;
  const RalphRun& run_;
  const RalphStreams& streams_;
  StopSignals stop_;
  RecordId id_;
  CappedLog log_;
  RalphRan ran_;
  std::string feedback_;
  bool promised_ = false, exhausted_ = false, stopped_ = false;
};

}  // namespace

Result<RalphRan> run_ralph(Engine& engine, const Request& request, const RalphRun& run, const RalphStreams& streams) {
  return Runner(engine, request, run, streams).go();
}

}  // namespace pawl
