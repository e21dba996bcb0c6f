#include "bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

extern char** environ;

namespace pawl::bench {
namespace {

Figure judged(std::string what, double ratio, const char* sign, double bound, bool met, std::string measured) {
  char text[32];
  std::snprintf(text, sizeof text, "%s %.2f", sign, bound);
  return {std::move(what), ratio, text, met, std::move(measured)};
}

}  // namespace

double now_us() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

std::vector<double> medians_in_turn(int runs, const std::vector<std::function<void()>>& calls) {
  std::vector<std::vector<double>> taken(calls.size());
  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const double start = now_us();
      calls[i]();
      taken[i].push_back(now_us() - start);
    }
  }
  std::vector<double> out;
  for (auto& values : taken) out.push_back(median(std::move(values)));
  return out;
}

void make_project(const std::string& folder) {
  for (const char* part : {"/.git/objects", "/.git/refs/heads"}) std::filesystem::create_directories(folder + part);
  std::ofstream(folder + "/.git/HEAD") << "ref: refs/heads/main\n";
}

std::string both(double ours, double floor) {
  char text[96];
  std::snprintf(text, sizeof text, "%.2f ms : %.2f ms", ours / 1000, floor / 1000);
  return text;
}

std::string installed(const std::string& program, const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::string copy = folder + "/" + std::filesystem::path(program).filename().string();
  std::ifstream from(program, std::ios::binary);
  std::ofstream to(copy, std::ios::binary);
  // In pieces: what this process holds would count as its children's memory.
  for (std::string piece(std::size_t{256} << 10U, '\0'); from;) {
    from.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    to.write(piece.data(), from.gcount());
  }
  to.close();
  std::filesystem::permissions(copy, std::filesystem::perms::owner_all);
  return copy;
}

ProcessCost run_process(const std::vector<std::string>& argv, const std::string& input) {
  std::vector<char*> pointers;
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (!input.empty()) posix_spawn_file_actions_addopen(&actions, 0, input.c_str(), O_RDONLY, 0);
  const double start = now_us();
  pid_t pid = 0;
  if (posix_spawn(&pid, pointers.front(), &actions, nullptr, pointers.data(), environ) != 0)
    give_up("cannot start " + argv.front());
  int status = 0;
  rusage used{};
  if (wait4(pid, &status, 0, &used) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::string whole;
    for (const std::string& word : argv) whole += word + " ";
    give_up("failed: " + whole);
  }
  const double end = now_us();
  posix_spawn_file_actions_destroy(&actions);
  return {end - start, used.ru_maxrss};
}

Figure at_most(std::string what, double ratio, double bound, std::string measured) {
  return judged(std::move(what), ratio, "≤", bound, ratio <= bound, std::move(measured));
}
Figure at_least(std::string what, double ratio, double bound, std::string measured) {
  return judged(std::move(what), ratio, "≥", bound, ratio >= bound, std::move(measured));
}
Figure shown(std::string what, double ratio, std::string measured) {
  return {std::move(what), ratio, "", true, std::move(measured)};
}

void give_up(const std::string& why) {
  std::fprintf(stderr, "bench: %s\n", why.c_str());
  std::exit(1);
}

}  // namespace pawl::bench
