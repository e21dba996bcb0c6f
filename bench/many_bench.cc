// Many processes at once, and many records.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <new>
#include <numeric>

#include "bench.h"
#include "job.h"
#include "raw.h"

namespace pawl::bench {
namespace {

constexpr int kProcesses = 8;

struct Board {
  std::atomic<int> ready = 0;
  std::atomic<bool> go = false;
  std::atomic<bool> stop = false;
  std::atomic<long> done[kProcesses] = {};
};

struct Rates {
  double total = 0;
  double slowest_to_mean = 0;
};

// Each process does `work` again and again for `seconds`; how often, together and each.
Rates race(double seconds, const std::function<std::function<void()>(int)>& start_in_child) {
  void* shared = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) give_up("no shared memory");
  Board* board = new (shared) Board();
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      {
        const auto work = start_in_child(i);
        ++board->ready;
        while (!board->go) usleep(100);
        while (!board->stop) {
          work();
          ++board->done[i];
        }
      }
      _exit(0);
    }
    children.push_back(pid);
  }
  while (board->ready < kProcesses) usleep(1000);
  const double start = now_us();
  board->go = true;
  usleep(static_cast<useconds_t>(seconds * 1e6));
  board->stop = true;
  const double took = (now_us() - start) / 1e6;
  std::vector<double> counts;
  for (int i = 0; i < kProcesses; ++i) counts.push_back(static_cast<double>(board->done[i].load()));
  for (const pid_t pid : children) {
    int status = 0;
    if (waitpid(pid, &status, 0) != pid || status != 0) give_up("a process of the race failed");
  }
  munmap(shared, sizeof(Board));
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  return {sum / took, *std::min_element(counts.begin(), counts.end()) / (sum / kProcesses)};
}

}  // namespace

std::vector<Figure> bench_many(const Options& options) {
  std::vector<Figure> figures;
  const double seconds = std::max(1.0, 4 * options.scale);
  const std::string store = options.folder + "/eight", raw = options.folder + "/raw-eight.db",
                    gate = options.folder + "/raw-gate";
  {
    JobStore made(store, false);
    made.fill(1000);
  }
  std::vector<double> ratios, shares, ours, theirs;
  for (int round = 0; round < 3; ++round) {
    const Rates raw_rates = race(seconds, [&](int) {
      auto rows = std::make_shared<RawRows>(raw, gate);
      return [rows] { rows->put(); };
    });
    const Rates rates = race(seconds, [&](int process) {
      auto jobs = std::make_shared<JobStore>(store, true);
      auto turn = std::make_shared<int>(0);
      return [jobs, turn, process] { jobs->move((process * 125 + (*turn)++ % 125), 1); };
    });
    ratios.push_back(rates.total / raw_rates.total);
    shares.push_back(rates.slowest_to_mean);
    ours.push_back(rates.total);
    theirs.push_back(raw_rates.total);
  }
  char text[96];
  std::snprintf(text, sizeof text, "%.0f/s : %.0f/s", median(ours), median(theirs));
  figures.push_back(
      at_least("8 processes, one move a commit : raw SQLite with the same gate", median(ratios), 0.85, text));
  figures.push_back(at_least("8 processes: the slowest : the mean", median(shares), 0.5, "median of 3 rounds"));

  const int few = 1000, many = static_cast<int>(1'000'000 * options.scale);
  JobStore small(options.folder + "/few", false), large(options.folder + "/million", true);
  small.fill(few);
  large.fill(many);
  const auto m = medians_in_turn(300, {[&] { large.next(); }, [&] { small.next(); }});
  std::snprintf(text, sizeof text, "%.1f µs among %d : %.1f µs", m[0], many, m[1]);
  figures.push_back(at_most("next record among a million : among a thousand", m[0] / m[1], 2.0, text));
  return figures;
}

}  // namespace pawl::bench
