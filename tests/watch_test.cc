// `pawl watch`: new events of other processes and changes in files, as they come; next to nothing while none come.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/json.h"
#include "base/text.h"
#include "pawl/pawl.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

// From the line on that this waits for, everything is news to it.
bool listens(Child& watch) { return watch.wait_for("\"listening\"}\n"); }

bool waits_in_the_kernel(pid_t pid) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!has(read_all(cat("/proc/", pid, "/stat")).value_or(""), ") S ")) {
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

  // It listens, has looked at all there is, and has nothing to do.
  bool rests(Child& watch, const std::string& number) {
    if (!listens(watch)) return false;
    set(number, "running");
    return watch.wait_for(cat("issue/", number, "\"")) && waits_in_the_kernel(watch.pid());
  }

  TempWorkspace ws;
};

// The first line says since when it listens; the others are events.
std::vector<Json> events_of(const std::string& out) {
  std::vector<Json> lines;
  for (const std::string_view line : split(out, '\n')) {
    if (line.empty()) continue;
    auto parsed = parse_json(line);
    EXPECT_TRUE(parsed) << line;
    if (parsed) lines.push_back(std::move(*parsed));
  }
  EXPECT_TRUE(!lines.empty() && string_or(lines.front(), "what") == "listening") << out;
  if (!lines.empty()) lines.erase(lines.begin());
  return lines;
}

std::int64_t newest_event(const TempWorkspace& ws) {
  const auto log = parse_json(ws.run({"log", "--limit", "1", "--json"}).out);
  return log && !log->empty() ? integer_or((*log)[0]["events"].back(), "event") : 0;
}

TEST_F(Watch, EventsOfOtherProcessesAppearAndTheLimitEndsIt) {
  set("1", "running");
  Child watch = start({"--limit", "2"});
  ASSERT_TRUE(listens(watch));
  EXPECT_EQ(ws.run({"issue", "set", "2", "running", "--actor", "somebody", "--reason", "because"}).exit, 0);
  EXPECT_TRUE(watch.wait_for("issue/2")) << "it came to nothing while the watcher lived";
  set("1", "complete");
  const Ran ran = watch.finish();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const auto lines = events_of(ran.out);
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
  ASSERT_TRUE(listens(watch));
  ws.write(".worktrees/.status/1.json",
           R"({"issue": 1, "status": "complete", "session": "s", "timestamp": "2024-01-30T09:00:00Z"})");
  EXPECT_TRUE(watch.wait_for("\"to\":\"complete\""));
  ws.write("elsewhere.json", R"({"issue": 2, "status": "error", "session": "s", "timestamp": "2024-01-30T09:00:00Z"})");
  fs::rename(ws.file("elsewhere.json"), ws.file(".worktrees/.status/2.json"));
  EXPECT_TRUE(watch.wait_for("\"to\":\"error\""));
  fs::remove(ws.file(".worktrees/.status/2.json"));
  const Ran ran = watch.finish();
  const auto lines = events_of(ran.out);
  ASSERT_EQ(lines.size(), 3U) << ran.out << ran.err;
  for (const Json& line : lines) EXPECT_TRUE(line.contains("outside")) << to_line(line);
  EXPECT_EQ(string_or(lines[2], "to"), "absent");
}

TEST_F(Watch, StartsBeforeThereIsAStore) {
  Child watch = start({"--limit", "1"});
  ASSERT_TRUE(listens(watch));
  EXPECT_FALSE(ws.exists(".pawl")) << "looking made a store";
  set("7", "running");
  const Ran ran = watch.finish();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  ASSERT_EQ(events_of(ran.out).size(), 1U) << ran.out << ran.err;
  EXPECT_EQ(string_or(events_of(ran.out)[0], "ref"), "issue/7");
}

TEST_F(Watch, SeesFoldersThatAppearLater) {
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  Child watch = start({"--limit", "1"});
  ASSERT_TRUE(listens(watch));
  fs::create_directories(ws.file(".worktrees"));
  fs::create_directories(ws.file(".worktrees/.status"));
  ws.write(".worktrees/.status/7.json",
           R"({"issue": 7, "status": "running", "session": "s", "timestamp": "2024-01-30T09:00:00Z"})");
  const Ran ran = watch.finish();
  ASSERT_EQ(events_of(ran.out).size(), 1U) << ran.out << ran.err;
  EXPECT_EQ(string_or(events_of(ran.out)[0], "ref"), "issue/7");
}

TEST_F(Watch, AllBeginsWithTheOldest) {
  for (const std::string number : {"1", "2", "3"}) set(number, "running");
  const Ran ran = start({"--all", "--limit", "3"}).finish();
  const auto lines = events_of(ran.out);
  ASSERT_EQ(lines.size(), 3U) << ran.out;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(string_or(lines[i], "ref"), cat("issue/", i + 1));
}

TEST_F(Watch, ManyEventsAtOnceAreEachToldOnce) {
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  Child watch = start({"--limit", "12"});
  ASSERT_TRUE(listens(watch));
  std::vector<std::unique_ptr<Child>> writers;
  for (int i = 1; i <= 12; ++i)
    writers.push_back(std::make_unique<Child>(
        PAWL_BINARY, std::vector<std::string>{"issue", "set", std::to_string(i), "running"}, ws.options()));
  for (const auto& writer : writers) EXPECT_EQ(writer->finish().exit, 0);
  const auto lines = events_of(watch.finish().out);
  ASSERT_EQ(lines.size(), 12U);
  for (std::size_t i = 1; i < lines.size(); ++i)
    EXPECT_EQ(lines[i]["event"].get<int>(), lines[i - 1]["event"].get<int>() + 1);
}

// --- since when it listens ---

TEST_F(Watch, SaysSinceWhenItListensAsAnEventOrOnStderr) {
  set("1", "running");
  set("2", "running");
  Child watch = start();
  ASSERT_TRUE(listens(watch));
  watch.send(SIGTERM);
  const std::string line = watch.finish().out;
  const auto said = parse_json(line);
  ASSERT_TRUE(said) << line;
  EXPECT_EQ(*said, (Json{{"event", newest_event(ws)}, {"what", "listening"}}));

  EXPECT_TRUE(has(ws.run({"watch", "--all", "--limit", "1", "--json"}).out, R"({"event":0,"what":"listening"})"));
  const Ran as_text = ws.run({"watch", "--all", "--limit", "1"});
  EXPECT_FALSE(has(as_text.out, "listening")) << as_text.out;
  EXPECT_TRUE(has(as_text.err, "listening")) << as_text.err;
}

// Takes all the time of the processor that it gets, until it goes.
class Load {
 public:
  Load() {
    for (int i = 0; i < 4; ++i)
      busy_.emplace_back([this] {
        while (!over_) {
        }
      });
  }
  ~Load() {
    over_ = true;
    for (std::thread& one : busy_) one.join();
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

 private:
  std::atomic<bool> over_ = false;
  std::vector<std::thread> busy_;
};

constexpr int kRounds = 20;

TEST_F(Watch, WhatIsChangedAfterThatLineIsPrintedWhateverTheLoad) {
  const Load load;
  for (int round = 1; round <= kRounds; ++round) {
    Child watch = start();
    ASSERT_TRUE(listens(watch));
    set(std::to_string(round), "running");
    ASSERT_TRUE(watch.wait_for(cat("issue/", round, "\""))) << "round " << round;
  }
}

TEST_F(Watch, AFileThatIsChangedAfterThatLineIsPrintedWhateverTheLoad) {
  set("1", "running");
  const Load load;
  for (int round = 1; round <= kRounds; ++round) {
    Child watch = start();
    ASSERT_TRUE(listens(watch));
    ws.write(".worktrees/.status/1.json", cat(R"({"issue": 1, "status": "running", "session": "s-)", round,
                                              R"(", "timestamp": "2024-01-30T09:00:00Z"})"));
    ASSERT_TRUE(watch.wait_for(cat("\"s-", round, "\""))) << "round " << round;
  }
}

// In WAL a commit can be read a moment after its bytes were written; no file but the store's changes here.
TEST_F(Watch, WhatAProgramThatLivesLongChangesInTheStoreAloneIsPrinted) {
  RunOptions plan;
  plan.input = R"([{"files": ["a.ts"], "loc": 1}])";
  for (const char* const pr : {"octo/cat#7", "octo/cat#8"})
    ASSERT_EQ(ws.run({"review", "start", pr, "--plan", "-", "--head", "abc123def456", "--yes"}, plan).exit, 0);
  auto client = Client::open({ws.path(), {}, true, {}});
  ASSERT_TRUE(client) << client.error().message;
  Child watch = start();
  ASSERT_TRUE(listens(watch));
  for (int round = 1; round <= 4 * kRounds; ++round) {
    const std::string title = cat("title ", round, ".");
    const auto added = client->call("review finding add", {{"pr", "octo/cat#7"},
                                                           {"file", "a.ts"},
                                                           {"line", "1"},
                                                           {"severity", "minor"},
                                                           {"title", title},
                                                           {"body", "b"},
                                                           {"category", "bug"},
                                                           {"confidence", "90"}});
    ASSERT_TRUE(added) << added.error().message;
    ASSERT_TRUE(watch.wait_for(title)) << "round " << round;
  }
}

TEST_F(Watch, WhatIsChangedWhileItStartsIsPrintedOrStandsBeforeThatEvent) {
  set("1000", "running");
  const Load load;
  for (int round = 1; round <= kRounds; ++round) {
    Child watch = start();
    set(std::to_string(round), "running");
    const std::int64_t event = newest_event(ws);
    ASSERT_TRUE(listens(watch));
    set(std::to_string(1000 + round), "running");
    ASSERT_TRUE(watch.wait_for(cat("issue/", 1000 + round, "\""))) << "round " << round;
    watch.send(SIGTERM);
    const std::string out = watch.finish().out;
    const auto said = parse_json(out.substr(0, out.find('\n')));
    ASSERT_TRUE(said) << out;
    EXPECT_EQ(has(out, cat("issue/", round, "\"")), event > integer_or(*said, "event")) << event << "\n" << out;
  }
}

TEST_F(Watch, EndsWhenItIsAskedTo) {
  set("1", "running");
  for (const int signal : {SIGTERM, SIGINT}) {
    Child watch = start();
    ASSERT_TRUE(listens(watch));
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
  ASSERT_TRUE(rests(watch, "2"));
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
  ASSERT_TRUE(rests(watch, "2") && rests(other, "3") && waits_in_the_kernel(watch.pid()));
  const Price before = price_of(watch.pid());
  for (int i = 0; i < 50; ++i) EXPECT_EQ(ws.run({"issue", "get", "1"}).out, "running\n");
  EXPECT_LE(price_of(watch.pid()).wakings - before.wakings, 2);
}

}  // namespace
}  // namespace pawl::test
