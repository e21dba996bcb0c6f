#include "crash/stranger.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "crash/calls.h"

namespace pawl::crash {
namespace {

constexpr std::string_view kMark = "a-stranger-was-here";

Done write_whole(const std::string& path, std::string_view bytes) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  const bool wrote =
      file.valid() && write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (!wrote) return tl::unexpected<Error>(io_error("write", path, errno));
  return done();
}

// Reads the file as it is at this moment, adds a member, and saves it: as a script with jq does.
Done add_mark(const std::string& path, bool renames) {
  PAWL_ASSIGN(const FileImage image, read_file(path, std::size_t{1} << 20U));
  if (!image.exists) return fail(ErrorCode::internal, cat("no file at ", path));
  PAWL_ASSIGN(Json content, parse_json(image.bytes));
  content["note"] = kMark;
  const std::string bytes = to_pretty(content) + "\n";
  if (!renames) return write_whole(path, bytes);
  const std::string temp = path + ".stranger";
  PAWL_TRY(write_whole(temp, bytes));
  if (rename(temp.c_str(), path.c_str()) != 0) return tl::unexpected<Error>(io_error("rename", temp, errno));
  return done();
}

struct Outcome {
  bool reached = false;  // the run had such a call
  std::string where;
  TracedExit end;
};

Result<Outcome> run_with_stranger(const Bench& bench, const Scenario& scenario, const StrangerPoint& point) {
  PAWL_TRY(write_tree(scenario.prepared, bench.disk()));
  const std::string path = cat(bench.workspace(), "/.worktrees/.status/", scenario.known.issues.back(), ".json");
  Outcome outcome;
  Done marked = done();
  long calls = 0;
  const CallWatch watch{[&](const SystemCall& call) {
                          ++calls;
                          if (calls == point.call) {
                            outcome.reached = true;
                            outcome.where = cat("the stranger writes before ", describe(call));
                            marked = add_mark(path, point.renames);
                          }
                          if (point.kill_after == 0 || calls != point.call + point.kill_after)
                            return CallVerdict::proceed();
                          outcome.where += cat(", killed before ", describe(call));
                          return CallVerdict::kill();
                        },
                        {}};
  PAWL_ASSIGN(outcome.end, run_traced(scenario.command, watch));
  PAWL_TRY(std::move(marked));
  return outcome;
}

Finding judge_words(const Observation& seen, const References& known, const TracedExit& end) {
  Finding found{State::neither, seen.problems};
  if (seen.words == known.after.words) found.state = State::after;
  if (seen.words == known.before.words && end.code != 0) found.state = State::before;
  if (found.state == State::neither) found.problems.push_back(cat("it tells \"", seen.words, "\""));
  if (seen.told.find(kMark) == std::string::npos) found.problems.emplace_back("what the stranger wrote is lost");
  for (const std::string& name : seen.names) {
    if (!knows_name(known, name)) found.problems.push_back(cat("left behind: ", name));
  }
  return found;
}

}  // namespace

Result<bool> let_stranger_write_at(const Bench& bench, const Scenario& scenario, const StrangerPoint& point,
                                   Tally& tally) {
  PAWL_ASSIGN(const Outcome outcome, run_with_stranger(bench, scenario, point));
  if (!outcome.reached) return false;
  PAWL_ASSIGN(const Observation seen, observe(bench, scenario.known.issues));
  Finding found = judge_words(seen, scenario.known, outcome.end);
  // Its answer may tell of the stranger, so it is not compared.
  for (std::string& problem : problems_of_end(outcome.end, point.kill_after != 0, outcome.end.out)) {
    found.problems.push_back(std::move(problem));
  }
  count(tally, found, cat(point.call, ".", point.kill_after, ".", point.renames ? 1 : 0), outcome.where);
  return true;
}

Result<Tally> let_stranger_write(const Bench& bench, const Scenario& scenario, long stride) {
  constexpr std::array<long, 8> kKills = {0, 1, 2, 3, 5, 8, 13, 21};
  const StopWatch watch;
  Tally tally{scenario.name, "stranger", 0, 0, 0, 0, {}};
  bool more = true;
  for (long call = 1; more; call += stride) {
    for (const long kill_after : kKills) {
      for (const bool renames : {false, true}) {
        PAWL_ASSIGN(more, let_stranger_write_at(bench, scenario, {call, kill_after, renames}, tally));
      }
    }
  }
  tally.seconds = watch.seconds();
  return tally;
}

}  // namespace pawl::crash
