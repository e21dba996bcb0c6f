// Cancel means cancelled, also when a tick comes in the same moment: by two clients, by two processes, and by a tool
// that writes the file itself.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <filesystem>
#include <thread>

#include "base/json.h"
#include "pawl/loop.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

constexpr int kRaces = 1'000;

Client open(const std::string& dir) {
  ClientOptions options;
  options.dir = dir;
  options.long_lived = true;
  auto client = Client::open(options);
  if (!client) throw std::runtime_error(client.error().message);
  return std::move(*client);
}

// One tick and one clear, at once, a thousand times over. Half of the ticks are `ralph tick`, half a state that was
// read before and is written back.
TEST(LoopRace, TickNeverBringsAClearedLoopBack) {
  const IssueProject project;
  Client clearer = open(project.path());
  std::barrier<> together(2);
  std::atomic<bool> failed = false;
  std::thread ticker([&] {
    Client client = open(project.path());
    for (int i = 0; i < kRaces; ++i) {
      together.arrive_and_wait();  // the loop has begun
      std::optional<RalphState> state;
      if (i % 2 == 1) {
        if (auto read = read_ralph_state(client, "s1")) state = *read;
      }
      together.arrive_and_wait();
      if (i % 2 == 0) {
        const auto ticked = client.call("ralph tick", {{"session", "s1"}});
        if (!ticked && ticked.error().code != ErrorCode::not_found) failed = true;
      } else if (state) {
        ++state->iteration;
        const auto written = update_ralph_state_iteration(client, *state);
        if (!written && written.error().code != ErrorCode::conflict) failed = true;
      }
      together.arrive_and_wait();  // both are done
      together.arrive_and_wait();  // and it was looked at
    }
  });
  int back = 0;
  for (int i = 0; i < kRaces; ++i) {
    EXPECT_TRUE(clearer.call("ralph start", {{"prompt", "p"}, {"session", "s1"}}));
    together.arrive_and_wait();
    together.arrive_and_wait();
    EXPECT_TRUE(clear_ralph_state(clearer, "s1"));
    together.arrive_and_wait();
    const auto there = read_ralph_state(clearer, "s1");
    if (!there || there->has_value() || project.exists(kLoopFile)) ++back;
    together.arrive_and_wait();
    if (back > 0 && testing::Test::HasFailure()) break;
  }
  ticker.join();
  EXPECT_EQ(back, 0);
  EXPECT_FALSE(failed);
}

// The other tool is not pawl: it reads the file, counts, and writes the whole of it.
TEST(LoopRace, ToolThatWritesTheFileNeverBringsAClearedLoopBack) {
  const IssueProject project;
  Client client = open(project.path());
  constexpr int kFileRaces = 200;
  std::barrier<> together(2);
  std::atomic<bool> stop = false;
  std::thread tool([&] {
    for (int i = 0; i < kFileRaces; ++i) {
      together.arrive_and_wait();
      const auto bytes = project.read(kLoopFile);
      together.arrive_and_wait();
      if (bytes) {
        write_all(project.file(".omc/new"), replaced(*bytes, "\"iteration\": 0", "\"iteration\": 1"));
        std::filesystem::rename(project.file(".omc/new"), project.file(kLoopFile));
      }
      together.arrive_and_wait();
    }
  });
  int back = 0;
  for (int i = 0; i < kFileRaces; ++i) {
    EXPECT_TRUE(client.call("ralph start", {{"prompt", "p"}, {"session", "s1"}}));
    together.arrive_and_wait();
    together.arrive_and_wait();
    EXPECT_TRUE(clear_ralph_state(client, "s1"));
    together.arrive_and_wait();
    const auto there = read_ralph_state(client, "s1");
    if (!there || there->has_value() || project.exists(kLoopFile)) ++back;
  }
  tool.join();
  EXPECT_EQ(back, 0);
}

TEST(LoopRace, ProcessesThatTickAtOnceEachCountOnce) {
  const IssueProject project;
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 5; ++j) EXPECT_EQ(project.run({"ralph", "tick", "--session", "s1"}).exit, 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(parse_json(project.read(kLoopFile).value_or(""))->at("iteration"), 20);
}

}  // namespace
}  // namespace pawl::test
