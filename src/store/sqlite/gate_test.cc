#include "store/sqlite/gate.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "store/sqlite/store_folder.h"

namespace pawl::sqlite {
namespace {

std::shared_ptr<GateFile> gate_in(const test::StoreFolder& folder, std::int64_t busy_ms) {
  return std::make_shared<GateFile>(folder.path() + "/gate", busy_ms);
}

std::int64_t ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start).count();
}

// Another process that takes the gate and keeps it until it is told or killed.
class Holder {
 public:
  explicit Holder(const test::StoreFolder& folder) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    EXPECT_EQ(pipe(end_), 0);
    pid_ = fork();
    if (pid_ == 0) {
      close(end_[1]);
      const auto file = gate_in(folder, 0);
      const auto gate = file->take();
      char byte = gate ? 'y' : 'n';
      static_cast<void>(!write(ready[1], &byte, 1));
      static_cast<void>(!read(end_[0], &byte, 1));
      _exit(0);
    }
    close(end_[0]);
    char byte = 'n';
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    EXPECT_EQ(byte, 'y');
    close(ready[0]);
    close(ready[1]);
  }
  ~Holder() { finish(SIGKILL); }
  void let_go() { close(std::exchange(end_[1], -1)); }
  void finish(int signal) {
    if (pid_ <= 0) return;
    kill(pid_, signal);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  int end_[2] = {};
  pid_t pid_ = 0;
};

TEST(Gate, TimeoutNamesTheHolder) {
  const test::StoreFolder folder;
  const Holder holder(folder);
  const auto start = std::chrono::steady_clock::now();
  const auto refused = gate_in(folder, 80)->take();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::busy);
  EXPECT_GE(ms_since(start), 80);
  EXPECT_NE(refused.error().message.find("process " + std::to_string(holder.pid())), std::string::npos)
      << refused.error().message;
  EXPECT_NE(refused.error().message.find("("), std::string::npos) << "the command's name: " << refused.error().message;
}

// Until /proc/locks shows a lock of this process that waits ("-> FLOCK … PID").
void wait_until_somebody_waits() {
  const std::string mine = " " + std::to_string(::getpid()) + " ";
  while (true) {
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
      if (line.find("->") != std::string::npos && line.find(mine) != std::string::npos) return;
    }
  }
}

TEST(Gate, WaitsInTheKernelAndGetsItAtOnce) {
  const test::StoreFolder folder;
  Holder holder(folder);
  std::thread later([&] {
    wait_until_somebody_waits();
    holder.let_go();
  });
  const auto file = gate_in(folder, 30'000);
  EXPECT_TRUE(file->take());
  later.join();
}

TEST(Gate, IsFreeWhenItsHolderIsKilled) {
  const test::StoreFolder folder;
  Holder holder(folder);
  EXPECT_FALSE(gate_in(folder, 0)->take());
  holder.finish(SIGKILL);
  EXPECT_TRUE(gate_in(folder, 0)->take());
}

TEST(Gate, TimeoutAlsoWithTheSignalBlocked) {
  const test::StoreFolder folder;
  const Holder holder(folder);
  sigset_t all, before, after;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  EXPECT_FALSE(gate_in(folder, 30)->take());
  pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_EQ(sigismember(&after, SIGRTMIN + 7), 1) << "and the mask is as it was";
}

TEST(Gate, EveryThreadHasItsOwnTimeout) {
  const test::StoreFolder folder;
  const Holder holder(folder);
  std::vector<std::thread> threads;
  std::atomic<int> refused = 0;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      const auto start = std::chrono::steady_clock::now();
      if (!gate_in(folder, 20 + 10 * i)->take() && ms_since(start) >= 20 + 10 * i) ++refused;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(refused, 6);
}

TEST(Gate, ReplacedFileIsNoticed) {
  const test::StoreFolder folder;
  const auto file = gate_in(folder, 0);
  { EXPECT_TRUE(file->take()); }
  std::filesystem::remove(folder.path() + "/gate");
  const auto gate = file->take();
  ASSERT_TRUE(gate);
  EXPECT_FALSE(gate_in(folder, 0)->take()) << "both must lock the file that is there now";
}

TEST(Gate, TakenTwiceThroughOneStoreIsRefusedNotGranted) {
  const test::StoreFolder folder;
  const auto file = gate_in(folder, 0);
  const auto gate = file->take();
  EXPECT_FALSE(file->take());
}

TEST(Gate, SharedKeepsWritersAway) {
  const test::StoreFolder folder;
  { EXPECT_TRUE(gate_in(folder, 0)->take()); }
  const auto one = gate_in(folder, 0), two = gate_in(folder, 0);
  const auto first = one->take(GateMode::shared), second = two->take(GateMode::shared);
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(gate_in(folder, 0)->take());
}

TEST(Gate, FolderThatIsNotThereIsAnIoErrorThatNamesIt) {
  const auto taken = std::make_shared<GateFile>("/nowhere/gate", 0)->take();
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::io);
  EXPECT_NE(taken.error().message.find("/nowhere/gate"), std::string::npos);
}

}  // namespace
}  // namespace pawl::sqlite
