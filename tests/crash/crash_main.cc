// ./dev crash: every campaign on every scenario, and a table of what was tried. How it works is told in crash.h.
#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "crash/crash.h"
#include "crash/fault_sweep.h"
#include "crash/power_cut.h"
#include "crash/random_kills.h"
#include "crash/stranger.h"

namespace pawl::crash {
namespace {

constexpr std::string_view kUsage =
    "usage: pawl_crash [--quick] [--kills N] [--seed S] [--binary PATH] [--only SCENARIO[/FAULT[/POINT]]]\n"
    "  --quick     a sample of everything, in seconds\n"
    "  --kills N   kills at random moments, over all scenarios (10000)\n"
    "  --seed S    repeats what chance did in an earlier run\n"
    "  --only …    a scenario (set, undo, …), one of its faults (SIGKILL, EIO, power-cut, random-kill …), or one point "
    "as a\n"
    "              breach names it; for a point, the workspace is left as the fault left it, and its path is printed\n";

struct Options {
  bool quick = false;
  long kills = 10'000;
  std::uint64_t seed = 0;
  std::string binary = PAWL_BINARY;
  std::string scenario, fault, point;  // --only
};

std::optional<Options> parse(const std::vector<std::string_view>& words) {
  Options options;
  options.seed = std::random_device{}();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--quick") {
      options.quick = true;
      options.kills = 300;
      continue;
    }
    if (i + 1 == words.size()) return std::nullopt;
    const std::string_view name = words[i], value = words[++i];
    const auto number = [&](auto& into) {
      return std::from_chars(value.data(), value.data() + value.size(), into).ptr == value.data() + value.size();
    };
    if (name == "--kills") {
      if (!number(options.kills)) return std::nullopt;
    } else if (name == "--seed") {
      if (!number(options.seed)) return std::nullopt;
    } else if (name == "--binary") {
      options.binary = value;
    } else if (name == "--only") {
      const std::vector<std::string_view> parts = split(value, '/');
      if (parts.size() > 3) return std::nullopt;
      options.scenario = parts[0];
      if (parts.size() > 1) options.fault = parts[1];
      if (parts.size() > 2) options.point = parts[2];
    } else {
      return std::nullopt;
    }
  }
  return options;
}

class Campaign {
 public:
  Campaign(const Options& options, Bench& bench) : options_(options), bench_(bench) {}

  Done run() {
    std::printf("%-9s %-12s %7s %7s %7s %9s %8s\n", "scenario", "fault", "points", "before", "after", "breaches",
                "seconds");
    const std::vector<std::string> names = scenario_names();
    const long kills = (options_.kills + static_cast<long>(names.size()) - 1) / static_cast<long>(names.size());
    for (const std::string& name : names) {
      if (!options_.scenario.empty() && options_.scenario != name) continue;
      PAWL_ASSIGN(const Scenario scenario, prepare(bench_, name));
      Judge judge(bench_, scenario);
      for (const FaultFacts& facts : all_faults()) {
        if (!wanted(facts.name)) continue;
        const long stride = options_.quick && has_many_points(facts.fault) ? 7 : 1;
        PAWL_ASSIGN(const Tally tally, sweep(bench_, scenario, judge, facts.fault, stride));
        print(tally);
      }
      // Not undo: what it takes back is the newest operation, and a stranger's edit may be that.
      if (wanted("stranger") && (name == "set" || name == "outside")) {
        PAWL_ASSIGN(const Tally tally, let_stranger_write(bench_, scenario, options_.quick ? 11 : 1));
        print(tally);
      }
      if (wanted("random-kill") && kills > 0) {
        PAWL_ASSIGN(const Tally tally, kill_at_random(bench_, scenario, judge, kills, options_.seed));
        print(tally);
      }
      if (wanted("power-cut")) {
        PAWL_ASSIGN(const Tally tally, cut_power(bench_, scenario, judge, options_.quick ? 2 : 32, options_.seed));
        print(tally);
      }
    }
    return done();
  }

  // Leaves the workspace as one point left it.
  Done show() {
    PAWL_ASSIGN(const Scenario scenario, prepare(bench_, options_.scenario));
    std::array<long, 3> numbers{};  // "37", "12.4", "9.3.1"
    const std::vector<std::string_view> parts = split(options_.point, '.');
    for (std::size_t i = 0; i < parts.size() && i < numbers.size(); ++i) {
      std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), numbers[i]);
    }
    const long point = numbers[0];
    Judge judge(bench_, scenario);
    if (options_.fault == "random-kill") {
      PAWL_ASSIGN(const Tally tally, kill_at_random(bench_, scenario, judge, 1, options_.seed, point));
      print(tally);
    } else if (options_.fault == "stranger") {
      Tally tally{scenario.name, "stranger", 0, 0, 0, 0, {}};
      PAWL_TRY(let_stranger_write_at(bench_, scenario, {point, numbers[1], numbers[2] != 0}, tally));
      print(tally);
    } else if (options_.fault == "power-cut") {
      PAWL_ASSIGN(const Recording recording, record(bench_, scenario));
      const Tree disk = disk_at(recording, static_cast<std::size_t>(point), numbers[1], options_.seed);
      PAWL_TRY(write_tree(disk, bench_.disk()));
      PAWL_ASSIGN(const Finding found, judge.look());
      PAWL_TRY(tell(found, disk));
    } else {
      const FaultFacts* wanted_fault = nullptr;
      for (const FaultFacts& facts : all_faults()) wanted_fault = facts.name == options_.fault ? &facts : wanted_fault;
      if (wanted_fault == nullptr) return fail(ErrorCode::not_found, cat("no fault ", options_.fault), kUsage.data());
      std::string struck;
      PAWL_ASSIGN(const auto end, run_with_fault(bench_, scenario, wanted_fault->fault, point, struck));
      if (!end) return fail(ErrorCode::not_found, "a run has no such point");
      std::printf("at %s: %s %d\n%s%s", struck.c_str(), end->code ? "exit" : "signal", end->code.value_or(end->signal),
                  end->out.c_str(), end->err.c_str());
      PAWL_ASSIGN(const Tree left, read_tree(bench_.disk()));
      PAWL_ASSIGN(Finding found, judge.look());
      weigh_end(found, *end, wanted_fault->fault == Fault::kill, scenario.known);
      PAWL_TRY(tell(found, left));
    }
    bench_.keep();
    return done();
  }

  [[nodiscard]] int finish() const {
    const StopWatch& all = watch_;
    std::printf("%ld points, %ld breaches, %.1f s (seed %llu)\n", points_, breaches_, all.seconds(),
                static_cast<unsigned long long>(options_.seed));
    return breaches_ == 0 ? 0 : 1;
  }

 private:
  [[nodiscard]] bool wanted(std::string_view fault) const { return options_.fault.empty() || options_.fault == fault; }

  // What was found, and then the same files once more: judging has changed them.
  Done tell(const Finding& found, const Tree& tree) {
    static constexpr const char* kStates[] = {"before", "after", "neither"};
    std::printf("found: %s\n", kStates[static_cast<int>(found.state)]);
    for (const std::string& problem : found.problems) std::printf("  %s\n", problem.c_str());
    breaches_ += found.problems.empty() ? 0 : 1;
    ++points_;
    PAWL_TRY(write_tree(tree, bench_.disk()));
    std::printf("as it was left: %s\n", bench_.workspace().c_str());
    return done();
  }

  void print(const Tally& tally) {
    std::printf("%-9s %-12s %7ld %7ld %7ld %9zu %8.1f\n", tally.scenario.c_str(), tally.fault.c_str(), tally.points,
                tally.before, tally.after, tally.breaches.size(), tally.seconds);
    // One mistake has many points: the first of each kind is told, and how many are like it.
    std::map<std::string, std::pair<const Breach*, long>> kinds;
    for (const Breach& breach : tally.breaches) {
      auto& [first, like_it] = kinds[breach.what.substr(breach.what.find('\n') + 1)];
      if (first == nullptr) first = &breach;
      ++like_it;
    }
    for (const auto& [what, kind] : kinds) {
      std::printf("    %s: %s\n", kind.first->point.c_str(), kind.first->what.c_str());
      if (kind.second > 1) std::printf("      (%ld points like this)\n", kind.second);
    }
    std::fflush(stdout);
    points_ += tally.points;
    breaches_ += static_cast<long>(tally.breaches.size());
  }

  const Options& options_;
  Bench& bench_;
  const StopWatch watch_;
  long points_ = 0;
  long breaches_ = 0;
};

int run(int count, char** words) {
  const std::optional<Options> options = parse({words + 1, words + count});
  if (!options) {
    std::fputs(kUsage.data(), stderr);
    return 2;
  }
  auto bench = Bench::make(options->binary);
  if (!bench) {
    std::fprintf(stderr, "pawl_crash: %s\n", bench.error().message.c_str());
    return 5;
  }
  Campaign campaign(*options, **bench);
  if (const Done ran = options->point.empty() ? campaign.run() : campaign.show(); !ran) {
    std::fprintf(stderr, "pawl_crash: %s\n%s\n", ran.error().message.c_str(), ran.error().hint.c_str());
    return 5;
  }
  return campaign.finish();
}

}  // namespace
}  // namespace pawl::crash

int main(int count, char** words) { return pawl::crash::run(count, words); }
