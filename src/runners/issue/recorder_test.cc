// The recorder on a disk that is full: what the markers say is told when there is room again, and never lost.
#include "runners/issue/recorder.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/file.h"
#include "base/text.h"
#include "runners/issue/output_log.h"

namespace pawl {
namespace {

std::atomic<int> refused_writes = 0;

// Files of this process cannot grow while it lives. The kernel tells of every write that it refuses.
class FullDisk {
 public:
  FullDisk() {
    refused_writes = 0;
    before_handler_ = signal(SIGXFSZ, [](int) { ++refused_writes; });
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, before_handler_);
  }

 private:
  rlimit before_{};
  void (*before_handler_)(int) = nullptr;
};

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() {
    std::string name = testing::TempDir() + "recorderXXXXXX";
    folder = mkdtemp(name.data());
    EXPECT_EQ(pipe(ends), 0);
  }
  ~RecorderTest() override {
    close(ends[0]);
    std::filesystem::remove_all(folder);
  }
  std::string folder;
  int ends[2] = {-1, -1};
};

TEST_F(RecorderTest, AFullDiskDelaysWhatTheMarkersSayAndNoMore) {
  ASSERT_TRUE(pawl::write_all(ends[1], "working\n###TASK_COMPLETE_1###\n", "pipe"));
  close(ends[1]);  // the agent has ended
  Done recorded;
  std::thread recorder;
  {
    const FullDisk full;
    recorder = std::thread([&] { recorded = record_output(1, folder, ends[0]); });
    while (refused_writes < 4) poll(nullptr, 0, 1);  // the log, the first words, and more than once the last ones
    const auto seen = read_recorded(folder);
    EXPECT_TRUE(seen && !*seen);
  }
  recorder.join();
  EXPECT_TRUE(recorded) << recorded.error().message;
  const auto said = read_recorded(folder);
  ASSERT_TRUE(said && *said);
  EXPECT_TRUE((*said)->ended);
  EXPECT_TRUE((*said)->said.complete.has_value());
}

TEST_F(RecorderTest, PlacesInTheLogStayTrueOnAFullDisk) {
  auto log = OutputLog::open(folder);
  ASSERT_TRUE(log);
  log->append("before ");
  {
    const FullDisk full;
    log->append(std::string(static_cast<std::size_t>(kOutputPiece), 'x'));
    log->append("lost");
  }
  EXPECT_EQ(log->offset(), kOutputPiece + 11);
  log->append("after");
  std::int64_t from = kOutputPiece + 11;
  EXPECT_EQ(*read_output(folder, from, 100), "after");
  EXPECT_EQ(*recorded_bytes(folder), log->offset());
  EXPECT_EQ(last_line(folder), "after");
  // One that goes on later begins behind all of it, also behind what was said and is not in the log.
  EXPECT_GE(OutputLog::open(folder)->offset(), log->offset());
  EXPECT_EQ(last_line(folder), "after");  // it has said nothing yet
  EXPECT_GE(OutputLog::open(folder, 10 * kOutputPiece)->offset(), 10 * kOutputPiece);
  close(ends[1]);
}

}  // namespace
}  // namespace pawl
