// Watching a session: what recorder and watcher cost beside tmux while an agent prints as fast as tmux takes it, how
// soon a marker is seen, and what watchers at rest cost.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench.h"

namespace pawl::bench {
namespace {

namespace fs = std::filesystem;

// One process of the measured project.
struct Process {
  pid_t pid = 0;
  std::string words;  // its command line, a blank between two
};

// Those whose command line names the folder, or who stand in it.
std::vector<Process> processes_in(const std::string& folder, const std::string& words) {
  std::vector<Process> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::error_code error;
    const std::string cwd = fs::read_symlink(entry.path() / "cwd", error).string();
    if (error || !cwd.starts_with(folder)) continue;
    std::ifstream in(entry.path() / "cmdline", std::ios::binary);
    std::string line{std::istreambuf_iterator<char>(in), {}};
    std::replace(line.begin(), line.end(), '\0', ' ');
    if (line.find(words) != std::string::npos) found.push_back({static_cast<pid_t>(std::stol(name)), line});
  }
  return found;
}

// Time on a processor so far, in seconds.
double used_s(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/schedstat");
  double ns = 0;
  in >> ns;
  return ns / 1e9;
}

double used_s(const std::vector<Process>& processes) {
  double all = 0;
  for (const Process& process : processes) all += used_s(process.pid);
  return all;
}

// When a file was moved into its place.
double placed_ns(const std::string& file) {
  struct stat info {};
  if (stat(file.c_str(), &info) != 0) give_up(file + " is not there");
  return static_cast<double>(info.st_ctim.tv_sec) * 1e9 + static_cast<double>(info.st_ctim.tv_nsec);
}

long resident_kb(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("VmHWM:")) return std::atol(line.c_str() + 6);
  }
  return 0;
}

std::string served;  // where the tmux server's socket is

class Project {
 public:
  explicit Project(const Options& options) : folder_(options.folder + "/watched") {
    fs::create_directories(folder_);
    fs::create_directories(options.folder + "/tmux");
    setenv("TMUX_TMPDIR", (options.folder + "/tmux").c_str(), 1);
    setenv("HOME", options.folder.c_str(), 1);
    unsetenv("TMUX");
    // Also when a figure cannot be taken: nothing is left behind.
    served = options.folder + "/tmux";
    std::atexit([] {
      const std::string line = "TMUX_TMPDIR='" + served + "' tmux kill-server 2>/dev/null";
      if (std::system(line.c_str()) != 0) served.clear();
    });
    shell(
        "git init -q . && echo .worktrees >.gitignore && git -c user.name=b -c user.email=b@b commit -q --allow-empty "
        "-m one");
  }
  ~Project() {
    shell("tmux kill-server 2>/dev/null || true");
    for (const Process& process : processes_in(folder_, "issue")) kill(process.pid, SIGTERM);
  }
  [[nodiscard]] const std::string& folder() const { return folder_; }
  void shell(const std::string& line) const { run_process({"/bin/sh", "-c", "cd '" + folder_ + "' && " + line}); }
  void start(int number, const std::string& script) const {
    std::ofstream(folder_ + "/agent-" + std::to_string(number)) << script;
    run_process({PAWL_BINARY, "-C", folder_, "issue", "run", std::to_string(number), "--title", "b", "--", "/bin/sh",
                 folder_ + "/agent-" + std::to_string(number)});
  }
  [[nodiscard]] std::string status_file(int number) const {
    return folder_ + "/.worktrees/.status/" + std::to_string(number) + ".json";
  }
  // Waits until a file has this text in it.
  static void wait_for(const std::string& file, const std::string& text) {
    const int changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    inotify_add_watch(changes, fs::path(file).parent_path().c_str(), IN_MOVED_TO | IN_CLOSE_WRITE);
    for (int rounds = 0; rounds < 600; ++rounds) {
      std::ifstream in(file);
      const std::string now{std::istreambuf_iterator<char>(in), {}};
      if (now.find(text) != std::string::npos) {
        close(changes);
        return;
      }
      pollfd waiting{changes, POLLIN, 0};
      poll(&waiting, 1, 1000);
      std::array<char, 4096> drained{};
      while (read(changes, drained.data(), drained.size()) > 0) {
      }
    }
    give_up(file + " never said " + text);
  }

 private:
  std::string folder_;
};

std::string formatted(const char* format, double a, double b) {
  char text[128];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

// An agent that prints millions of ordinary lines; when it has, it is told to do it once more, with its marker in the
// midst of it.
void bench_flood(const Project& project, const Options& options, std::vector<Figure>& figures) {
  const int lines = std::max(300'000, static_cast<int>(3'000'000 * options.scale));
  const std::string first = project.folder() + "/first", second = project.folder() + "/second";
  const std::string printed = project.folder() + "/printed", marked = project.folder() + "/marked";
  mkfifo(first.c_str(), 0600);
  mkfifo(second.c_str(), 0600);
  const auto flood = [](int count) {
    return "seq -f 'line %.0f of what an agent prints: ### words, `code` and so on, as long as lines are' 1 " +
           std::to_string(count) + "\n";
  };
  project.start(1, "read go <'" + first + "'\n" + flood(lines) + "stat -c %s . >'" + printed + "'\nread go <'" +
                       second + "'\n" + flood(lines / 10) + "date +%s%N >'" + marked +
                       "'\necho '###TASK_COMPLETE_1###'\n" + flood(lines / 10) + "exec sleep 1000\n");
  const auto ours = processes_in(project.folder(), " issue ");
  if (ours.size() != 2) give_up("a watcher and a recorder were expected");
  const double before = used_s(ours), began = now_us();
  std::ofstream(first) << "go\n";
  Project::wait_for(printed, "\n");
  const double wall_s = (now_us() - began) / 1e6, used = used_s(ours) - before;
  std::ofstream(second) << "go\n";
  Project::wait_for(project.status_file(1), "\"complete\"");
  std::ifstream in(marked);
  double printed_ns = 0;
  in >> printed_ns;
  const double late_ms = (placed_ns(project.status_file(1)) - printed_ns) / 1e6;
  const double bytes = static_cast<double>(lines) * 87;
  figures.push_back(at_most("watching a flood: share of a core beside the tmux server", used / wall_s, 0.10,
                            formatted("tmux took %.1f MB/s for %.1f s", bytes / wall_s / 1e6, wall_s)));
  figures.push_back(at_most("a marker in the midst of the flood, from the agent's print to the status : 250 ms",
                            late_ms / 250, 1, formatted("%.0f ms%.0s", late_ms, 0)));
}

void bench_latency(const Project& project, const Options& options, std::vector<Figure>& figures) {
  const int rounds = std::max(5, static_cast<int>(20 * options.scale));
  std::vector<double> taken;
  for (int round = 0; round < rounds; ++round) {
    const int number = 100 + round;
    const std::string told = project.folder() + "/told-" + std::to_string(number);
    mkfifo(told.c_str(), 0600);
    project.start(number, "read go <'" + told + "'\necho '###TASK_COMPLETE_" + std::to_string(number) +
                              "###'\nexec sleep 1000\n");
    std::ofstream out(told);
    const double began = now_us();
    out << "go\n";
    out.close();
    Project::wait_for(project.status_file(number), "\"complete\"");
    taken.push_back(now_us() - began);
  }
  std::sort(taken.begin(), taken.end());
  figures.push_back(at_most("a marker, from the agent's print to the status on disk, the slowest : 250 ms",
                            taken.back() / 250'000, 1,
                            formatted("median %.1f ms, slowest %.1f ms", median(taken) / 1000, taken.back() / 1000)));
}

void bench_rest(const Project& project, const Options& options, std::vector<Figure>& figures) {
  constexpr int kWatchers = 50, kFirst = 5001;
  for (int number = kFirst; number < kFirst + kWatchers; ++number)
    project.start(number, "echo here\nexec sleep 1000\n");
  std::vector<Process> resting;
  for (int rounds = 0; rounds < 100 && resting.size() != 2 * kWatchers; ++rounds) {
    poll(nullptr, 0, 100);
    resting.clear();
    for (const char* verb : {" issue watch 50", " issue record 50"}) {
      for (const Process& process : processes_in(project.folder(), verb)) resting.push_back(process);
    }
  }
  if (resting.size() != 2 * kWatchers) give_up("50 watchers and 50 recorders were expected");
  poll(nullptr, 0, 2000);  // let them come to rest
  const double before = used_s(resting), began = now_us();
  poll(nullptr, 0, static_cast<int>(std::max(3.0, 10 * options.scale) * 1000));
  const double share = (used_s(resting) - before) / ((now_us() - began) / 1e6);
  long largest = 0;
  for (const Process& process : resting) largest = std::max(largest, resident_kb(process.pid));
  figures.push_back(at_most("50 watchers and their recorders at rest: share of a core together", share, 0.02,
                            formatted("%.5f s in %.1f s", used_s(resting) - before, (now_us() - began) / 1e6)));
  figures.push_back(at_most("resident memory of a watcher or a recorder, MB", static_cast<double>(largest) / 1024, 12,
                            "the largest of 100"));
}

}  // namespace

std::vector<Figure> bench_watch(const Options& options) {
  std::vector<Figure> figures;
  const Project project(options);
  bench_flood(project, options, figures);
  bench_latency(project, options, figures);
  bench_rest(project, options, figures);
  return figures;
}

}  // namespace pawl::bench
