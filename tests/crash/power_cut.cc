#include "crash/power_cut.h"

#include <array>

#include "base/text.h"
#include "crash/recorder.h"

namespace pawl::crash {
namespace {

constexpr std::array kExtremes = {Fate::Kind::nothing, Fate::Kind::all, Fate::Kind::names, Fate::Kind::names_and_sizes,
                                  Fate::Kind::data};

// The moment from which on the user has been told that it is done.
std::size_t answered_at(const Recording& recording) {
  for (std::size_t i = 0; i < recording.ops.size(); ++i) {
    if (recording.ops[i].kind == DiskOp::Kind::answer) return i;
  }
  return recording.ops.size();
}

std::string_view word_for(DiskOp::Kind kind) {
  static constexpr std::array<std::string_view, 13> kWords = {
      "write",  "resize",   "chmod", "create",           "mkdir",       "link",  "remove",
      "rename", "exchange", "sync",  "sync of a folder", "sync of all", "answer"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string describe_moment(const Recording& recording, std::size_t moment, long number) {
  const std::string when = moment == recording.ops.size()
                               ? "at the end"
                               : cat("before operation ", moment + 1, " of ", recording.ops.size(), ", a ",
                                     word_for(recording.ops[moment].kind), " ", recording.ops[moment].name);
  static constexpr std::array<std::string_view, kExtremes.size()> kFates = {
      "all that was not synced is lost", "nothing is lost", "data is lost", "data is lost, sizes are not",
      "names are lost"};
  if (number < extremes()) return cat(when, ", ", kFates[static_cast<std::size_t>(number)]);
  return cat(when, ", losses by chance");
}

}  // namespace

long extremes() { return static_cast<long>(kExtremes.size()); }

Result<Recording> record(const Bench& bench, const Scenario& scenario) {
  PAWL_TRY(write_tree(scenario.prepared, bench.disk()));
  Recorder recorder(bench.disk(), scenario.prepared);
  PAWL_ASSIGN(const TracedExit end, run_traced(scenario.command, recorder.watch()));
  if (end.code != 0) return fail(ErrorCode::internal, cat("watched, the command fails: ", end.err));
  if (!recorder.not_followed().empty()) {
    return fail(ErrorCode::internal, cat("the recorder cannot follow ", recorder.not_followed().front()));
  }
  const Recording& recording = recorder.recording();
  PAWL_ASSIGN(const Tree there, read_tree(bench.disk()));
  const Tree played = after_power_cut(recording, recording.ops.size(), Fate(Fate::Kind::all));
  for (const auto& [path, node] : there) {
    const auto found = played.find(path);
    // What came by a mapping is not in the recording; it counts as lost.
    if (path.ends_with("-shm")) continue;
    if (found == played.end() || found->second != node) {
      return fail(ErrorCode::internal, cat("the recording does not explain ", path));
    }
  }
  if (played.size() != there.size()) return fail(ErrorCode::internal, "the recording has files that are not there");
  return recording;
}

Tree disk_at(const Recording& recording, std::size_t moment, long number, std::uint64_t seed) {
  if (number < extremes()) return after_power_cut(recording, moment, Fate(kExtremes[static_cast<std::size_t>(number)]));
  std::seed_seq mixed{seed, static_cast<std::uint64_t>(moment), static_cast<std::uint64_t>(number)};
  return after_power_cut(recording, moment, Fate(Fate::Kind::chance, std::mt19937_64(mixed)()));
}

Result<Tally> cut_power(const Bench& bench, const Scenario& scenario, Judge& judge, long by_chance,
                        std::uint64_t seed) {
  const StopWatch watch;
  Tally tally{scenario.name, "power-cut", 0, 0, 0, 0, {}};
  PAWL_ASSIGN(const Recording recording, record(bench, scenario));
  const std::size_t answered = answered_at(recording);
  for (std::size_t moment = 0; moment <= recording.ops.size(); ++moment) {
    for (long number = 0; number < extremes() + by_chance; ++number) {
      PAWL_ASSIGN(Finding found, judge.look_at(disk_at(recording, moment, number, seed)));
      if (moment >= answered && found.state == State::before) {
        found.problems.emplace_back("acknowledged, and not there after a power cut");
      }
      count(tally, found, cat(moment, ".", number, " (--seed ", seed, ")"), describe_moment(recording, moment, number));
    }
  }
  tally.seconds = watch.seconds();
  return tally;
}

}  // namespace pawl::crash
