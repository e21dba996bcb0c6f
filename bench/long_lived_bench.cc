// One process that lives on: many commits, in WAL.
#include <cstdio>

#include "bench.h"
#include "job.h"
#include "raw.h"

namespace pawl::bench {
namespace {

std::string rates(double ours_us, double floor_us, double per) {
  char text[96];
  std::snprintf(text, sizeof text, "%.0f/s : %.0f/s", per * 1e6 / ours_us, per * 1e6 / floor_us);
  return text;
}

// Total time of each, in turns of a few calls: a flush now and then belongs to both.
std::vector<double> totals_in_turn(int turns, int calls_a_turn, const std::vector<std::function<void(int)>>& calls) {
  std::vector<std::vector<double>> taken(calls.size());
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const double start = now_us();
      for (int call = 0; call < calls_a_turn; ++call) calls[i](turn * calls_a_turn + call);
      taken[i].push_back((now_us() - start) / calls_a_turn);
    }
  }
  std::vector<double> out;
  for (auto& values : taken) out.push_back(median(std::move(values)));
  return out;
}

}  // namespace

std::vector<Figure> bench_long_lived(const Options& options) {
  constexpr int kJobs = 1000;
  std::vector<Figure> figures;
  {
    JobStore jobs(options.folder + "/one", true);
    jobs.fill(kJobs);
    RawRows raw(options.folder + "/raw-one.db", "");
    const auto m = totals_in_turn(static_cast<int>(60 * options.scale) + 5, 50,
                                  {
                                      [&](int i) { jobs.move(i % kJobs, 1); },
                                      [&](int) { raw.put(); },
                                  });
    figures.push_back(
        at_least("one move a commit : raw SQLite, one row a transaction", m[1] / m[0], 0.8, rates(m[0], m[1], 1)));
  }
  {
    JobStore jobs(options.folder + "/hundred", true);
    jobs.fill(kJobs);
    std::string other;
    {
      JobStore copy(options.folder + "/raw-hundred", true);
      copy.fill(kJobs);
      other = copy.database();
    }
    RawMoves raw(other);
    const auto m = totals_in_turn(static_cast<int>(100 * options.scale) + 5, 5,
                                  {
                                      [&](int i) { jobs.move(i % 10 * 100, 100); },
                                      [&](int i) { raw.move(i % 10 * 100, 100); },
                                  });
    figures.push_back(at_least("100 moves a commit : raw SQLite, the same rows and indexes", m[1] / m[0], 0.7,
                               rates(m[0], m[1], 100)));
  }
  return figures;
}

}  // namespace pawl::bench
