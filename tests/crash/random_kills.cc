#include "crash/random_kills.h"

#include <signal.h>

#include <algorithm>
#include <random>

#include "base/text.h"
#include "crash/calls.h"

namespace pawl::crash {
namespace {

using std::chrono::microseconds;

// What a life is like when nobody interferes: what a moment is drawn from.
struct Life {
  long calls = 0;
  microseconds time{};
};

Result<Life> live(const Bench& bench, const Scenario& scenario) {
  Life life;
  PAWL_TRY(write_tree(scenario.prepared, bench.disk()));
  const auto count = [&](const SystemCall&) {
    ++life.calls;
    return CallVerdict::proceed();
  };
  PAWL_TRY(run_traced(scenario.command, {count, {}}));
  // The median of a few: this machine has other things to do too.
  std::vector<microseconds> times;
  for (int i = 0; i < 9; ++i) {
    PAWL_TRY(write_tree(scenario.prepared, bench.disk()));
    const auto start = std::chrono::steady_clock::now();
    PAWL_TRY(run_traced(scenario.command, {}));
    times.push_back(std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - start));
  }
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  life.time = times[4];
  return life;
}

struct Blow {
  TracedExit end;
  std::string where;
};

Result<Blow> kill_at_call(const TracedCommand& command, long number) {
  Blow blow;
  long calls = 0;
  const CallWatch watch{[&](const SystemCall& call) {
                          if (++calls != number) return CallVerdict::proceed();
                          blow.where = cat("at call ", number, ", ", describe(call));
                          return CallVerdict::kill();
                        },
                        {}};
  PAWL_ASSIGN(blow.end, run_traced(command, watch));
  return blow;
}

Result<Blow> kill_by_time(TracedCommand command, microseconds after) {
  Blow blow;
  command.limit = after;
  PAWL_ASSIGN(blow.end, run_traced(command, {}));
  blow.where = cat("after ", after.count(), " us");
  return blow;
}

Result<Blow> strike(const TracedCommand& command, const Life& life, std::mt19937_64& random) {
  if (random() % 2 == 0) {
    return kill_at_call(command, static_cast<long>(random() % static_cast<std::uint64_t>(life.calls)) + 1);
  }
  return kill_by_time(command, microseconds(random() % static_cast<std::uint64_t>(life.time.count()) + 1));
}

}  // namespace

Result<Tally> kill_at_random(const Bench& bench, const Scenario& scenario, Judge& judge, long kills, std::uint64_t seed,
                             long first) {
  const StopWatch watch;
  Tally tally{scenario.name, "random-kill", 0, 0, 0, 0, {}};
  PAWL_ASSIGN(const Life life, live(bench, scenario));
  const TracedCommand repair = bench.pawl({"issue", "get", scenario.known.issues.back()});
  for (long i = first; tally.points < kills && i < first + kills * 4 + 100; ++i) {
    std::seed_seq mixed{seed, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(scenario.name.size())};
    std::mt19937_64 random(mixed);
    PAWL_TRY(write_tree(scenario.prepared, bench.disk()));
    PAWL_ASSIGN(Blow blow, strike(scenario.command, life, random));
    std::vector<std::string> problems;
    if (random() % 4 == 0) {
      PAWL_ASSIGN(const Blow second, strike(repair, life, random));
      for (const std::string& problem : problems_of_end(second.end, true, second.end.out)) {
        problems.push_back(cat("repair: ", problem));
      }
      blow.where += cat("; its repair ", second.where);
    }
    PAWL_ASSIGN(Finding found, judge.look());
    found.problems.insert(found.problems.end(), problems.begin(), problems.end());
    weigh_end(found, blow.end, true, scenario.known);
    // One that came too late is judged all the same, but does not count.
    const bool hit = blow.end.signal == SIGKILL;
    if (hit || !found.problems.empty()) count(tally, found, cat(i, " (--seed ", seed, ")"), blow.where);
  }
  tally.seconds = watch.seconds();
  return tally;
}

}  // namespace pawl::crash
