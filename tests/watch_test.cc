// `pawl watch`: new events of other processes and changes in files, as they come; next to nothing while none come.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

// It has taken its place once it has an inotify descriptor and waits: what happens from now on is news to it.
bool waits(pid_t pid) {
  bool has_inotify = false;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(cat("/proc/", pid, "/fd"), gone)) {
    has_inotify = has_inotify || fs::read_symlink(entry, gone) == "anon_inode:inotify";
  }
  const std::string stat = read_all(cat("/proc/", pid, "/stat")).value_or("");
  return has_inotify && stat.find(") S ") != std::string::npos;
}

bool wait_until_it_waits(pid_t pid) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!waits(pid)) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

class Watch : public testing::Test {
 protected:
  Child start(std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"watch", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    RunOptions options;
    options.timeout_ms = 30'000;
    return Child(PAWL_BINARY, args, ws.options(options));
  }
  void set(const std::string& number, const std::string& status) {
    EXPECT_EQ(ws.run({"issue", "set", number, status}).exit, 0);
  }

  TempWorkspace ws;
};

std::vector<Json> lines_of(const std::string& out) {
  std::vector<Json> lines;
  for (const std::string_view line : split(out, '\n')) {
    if (line.empty()) continue;
    auto parsed = parse_json(line);
    EXPECT_TRUE(parsed) << line;
    if (parsed) lines.push_back(std::move(*parsed));
  }
  return lines;
}

TEST_F(Watch, EventsOfOtherProcessesAppearAndTheLimitEndsIt) {
  set("1", "running");
  Child watch = start({"--limit", "2"});
  ASSERT_TRUE(wait_until_it_waits(watch.pid()));
  EXPECT_EQ(ws.run({"issue", "set", "2", "running", "--actor", "somebody", "--reason", "because"}).exit, 0);
  EXPECT_TRUE(watch.wait_for("issue/2")) << "it came to nothing while the watcher lived";
  set("1", "complete");
  const Ran ran = watch.finish();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 2U) << ran.out;
  EXPECT_EQ(string_or(lines[0], "ref"), "issue/2") << "what was there before is not news";
  EXPECT_EQ(string_or(lines[0], "actor"), "somebody");
  EXPECT_EQ(string_or(lines[0], "reason"), "because");
  EXPECT_EQ(string_or(lines[0], "from"), "absent");
  EXPECT_EQ(string_or(lines[0], "to"), "running");
  EXPECT_EQ(string_or(lines[1], "ref"), "issue/1");
  EXPECT_EQ(string_or(lines[1], "to"), "complete");
}

TEST_F(Watch, ChangesOfFilesAppearWhetherTheyAreWrittenOrRenamed) {
  set("1", "running");
  Child watch = start({"--limit", "3"});
  ASSERT_TRUE(wait_until_it_waits(watch.pid()));
  ws.write(".worktrees/.status/1.json",
           R"({"issue": 1, "status": "complete", "session": "s", "timestamp": "2024-01-30T09:00:00Z"})");
  EXPECT_TRUE(watch.wait_for("\"to\":\"complete\""));
  ws.write("elsewhere.json", R"({"issue": 2, "status": "error", "session": "s", "timestamp": "2024-01-30T09:00:00Z"})");
  fs::rename(ws.file("elsewhere.json"), ws.file(".worktrees/.status/2.json"));
  EXPECT_TRUE(watch.wait_for("\"to\":\"error\""));
  fs::remove(ws.file(".worktrees/.status/2.json"));
  const Ran ran = watch.finish();
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 3U) << ran.out << ran.err;
  for (const Json& line : lines) EXPECT_TRUE(line.contains("outside")) << to_line(line);
  EXPECT_EQ(string_or(lines[2], "to"), "absent");
}

TEST_F(Watch, StartsBeforeThereIsAStore) {
  Child watch = start({"--limit", "1"});
  ASSERT_TRUE(wait_until_it_waits(watch.pid()));
  EXPECT_FALSE(ws.exists(".pawl")) << "looking made a store";
  set("7", "running");
  const Ran ran = watch.finish();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  ASSERT_EQ(lines_of(ran.out).size(), 1U) << ran.out << ran.err;
  EXPECT_EQ(string_or(lines_of(ran.out)[0], "ref"), "issue/7");
}

TEST_F(Watch, SeesFoldersThatAppearLater) {
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  Child watch = start({"--limit", "1"});
  ASSERT_TRUE(wait_until_it_waits(watch.pid()));
  fs::create_directories(ws.file(".worktrees"));
  fs::create_directories(ws.file(".worktrees/.status"));
  ws.write(".worktrees/.status/7.json",
           R"({"issue": 7, "status": "running", "session": "s", "timestamp": "2024-01-30T09:00:00Z"})");
  const Ran ran = watch.finish();
  ASSERT_EQ(lines_of(ran.out).size(), 1U) << ran.out << ran.err;
  EXPECT_EQ(string_or(lines_of(ran.out)[0], "ref"), "issue/7");
}

TEST_F(Watch, AllBeginsWithTheOldest) {
  for (const std::string number : {"1", "2", "3"}) set(number, "running");
  const Ran ran = start({"--all", "--limit", "3"}).finish();
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 3U) << ran.out;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(string_or(lines[i], "ref"), cat("issue/", i + 1));
}

TEST_F(Watch, ManyEventsAtOnceAreEachToldOnce) {
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  Child watch = start({"--limit", "12"});
  ASSERT_TRUE(wait_until_it_waits(watch.pid()));
  std::vector<std::unique_ptr<Child>> writers;
  for (int i = 1; i <= 12; ++i)
    writers.push_back(std::make_unique<Child>(
        PAWL_BINARY, std::vector<std::string>{"issue", "set", std::to_string(i), "running"}, ws.options()));
  for (const auto& writer : writers) EXPECT_EQ(writer->finish().exit, 0);
  const auto lines = lines_of(watch.finish().out);
  ASSERT_EQ(lines.size(), 12U);
  for (std::size_t i = 1; i < lines.size(); ++i)
    EXPECT_EQ(lines[i]["event"].get<int>(), lines[i - 1]["event"].get<int>() + 1);
}

TEST_F(Watch, EndsWhenItIsAskedTo) {
  set("1", "running");
  for (const int signal : {SIGTERM, SIGINT}) {
    Child watch = start();
    ASSERT_TRUE(wait_until_it_waits(watch.pid()));
    watch.send(signal);
    const Ran ran = watch.finish();
    EXPECT_TRUE(ran.exit == 0 || ran.exit == 128 + signal) << ran.exit << ran.err;
  }
  EXPECT_EQ(ws.run({"doctor"}).exit, 0);
}

TEST_F(Watch, EndsWhenNobodyListensAnyMore) {
  set("1", "running");
  RunOptions options;
  options.out = RunOptions::Stdout::deaf;
  options.timeout_ms = 30'000;
  for (const std::vector<std::string>& args : {std::vector<std::string>{"watch"}, {"status", "--watch"}}) {
    Child watch(PAWL_BINARY, args, ws.options(options));  // and nothing happens
    const Ran ran = watch.finish();
    EXPECT_LT(ran.exit, 128) << ran.err;
  }
}

// --- its price ---

struct Price {
  long cpu_ticks = 0;
  long wakings = 0;
};

Price price_of(pid_t pid) {
  Price price;
  const std::string stat = read_all(cat("/proc/", pid, "/stat")).value_or("");
  const auto fields = split(std::string_view(stat).substr(std::min(stat.size(), stat.rfind(')') + 2)), ' ');
  if (fields.size() > 13)
    price.cpu_ticks = std::atol(std::string(fields[11]).c_str()) + std::atol(std::string(fields[12]).c_str());
  const std::string status = read_all(cat("/proc/", pid, "/status")).value_or("");
  const std::size_t at = status.find("\nvoluntary_ctxt_switches:");
  if (at != std::string::npos) price.wakings = std::atol(status.c_str() + at + 25);
  return price;
}

TEST_F(Watch, IdleCostsNextToNothing) {
  set("1", "running");
  Child watch = start();
  ASSERT_TRUE(wait_until_it_waits(watch.pid()));
  const Price before = price_of(watch.pid());
  // The interval itself is what is measured here: two seconds in which nothing happens.
  const int timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const itimerspec interval{{}, {2, 0}};
  ASSERT_EQ(::timerfd_settime(timer, 0, &interval, nullptr), 0);
  std::uint64_t rings = 0;
  ASSERT_EQ(::read(timer, &rings, sizeof rings), static_cast<ssize_t>(sizeof rings));
  ::close(timer);
  const Price after = price_of(watch.pid());
  EXPECT_GT(before.wakings, 0) << "the measure itself does not work";
  EXPECT_LE(after.wakings - before.wakings, 2) << "it wakes up though nothing happened";
  EXPECT_LE(after.cpu_ticks - before.cpu_ticks, 1) << "hundredths of a second in two seconds";
  watch.send(SIGTERM);
}

// Whoever only reads must not wake the watchers, or two of them would wake each other for ever.
TEST_F(Watch, ReadersAndOtherWatchersDoNotWakeIt) {
  set("1", "running");
  Child watch = start(), other = start();
  ASSERT_TRUE(wait_until_it_waits(watch.pid()) && wait_until_it_waits(other.pid()));
  const Price before = price_of(watch.pid());
  for (int i = 0; i < 50; ++i) EXPECT_EQ(ws.run({"issue", "get", "1"}).out, "running\n");
  EXPECT_LE(price_of(watch.pid()).wakings - before.wakings, 2);
}

}  // namespace
}  // namespace pawl::test
