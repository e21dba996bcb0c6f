// How figures are taken: everything as a ratio to a floor that is measured in the same run, turn by turn, so that a
// machine that is busy for a moment is busy for both; medians, since the slow tail belongs to the machine.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace pawl::bench {

struct Figure {
  std::string what;
  double value = 0;   // the ratio
  std::string bound;  // "≤ 2.0" or "≥ 0.8"; empty: for information
  bool met = true;
  std::string measured;  // both sides, in their units
};

struct Options {
  int runs = 400;      // of each process
  double scale = 1.0;  // of the rest
  std::string folder;  // where the stores are made: on the disk that matters
};

// Microseconds of each call, taken in turns.
[[nodiscard]] std::vector<double> medians_in_turn(int runs, const std::vector<std::function<void()>>& calls);
[[nodiscard]] double median(std::vector<double> values);
[[nodiscard]] double now_us();

struct ProcessCost {
  double us = 0;
  long resident_kb = 0;
};
// Runs to its end; anything but exit 0 ends the benchmark.
ProcessCost run_process(const std::vector<std::string>& argv, const std::string& input = {});  // a file, for stdin

// A program as it is installed, copied from end to end. What a linker leaves behind lies in the page cache in single
// pages, and mapping them costs a fifth of a short process's life; after a copy, or after the next boot, it does not.
[[nodiscard]] std::string installed(const std::string& program, const std::string& folder);
// A folder that pawl takes for a project.
void make_project(const std::string& folder);
// Two times in microseconds, as they are shown.
[[nodiscard]] std::string both(double ours, double floor);

Figure at_most(std::string what, double ratio, double bound, std::string measured);
Figure at_least(std::string what, double ratio, double bound, std::string measured);
Figure shown(std::string what, double ratio, std::string measured);

[[noreturn]] void give_up(const std::string& why);

std::vector<Figure> bench_commands(const Options& options);    // command_bench.cc
std::vector<Figure> bench_long_lived(const Options& options);  // long_lived_bench.cc
std::vector<Figure> bench_many(const Options& options);        // many_bench.cc: eight processes, a million records
std::vector<Figure> bench_hooks(const Options& options);       // hook_bench.cc
std::vector<Figure> bench_watch(const Options& options);       // watch_bench.cc: real tmux
std::vector<Figure> bench_comments(const Options& options);    // comments_bench.cc
std::vector<Figure> bench_review(const Options& options);      // review_bench.cc
std::vector<Figure> bench_story(const Options& options);       // story_bench.cc
std::vector<Figure> bench_first_day(const Options& options);   // first_day_bench.cc
void read_comments_and_tell(const std::string& file, const std::string& told);

}  // namespace pawl::bench
