#include "base/traced_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

namespace pawl {
namespace {

// This very program, started with the variable below, is the program with two threads that a test wants to trace.
constexpr const char* kTwoThreads = "PAWL_TEST_TWO_THREADS";

[[gnu::constructor]] void be_the_program_with_two_threads() {
  const char* file = getenv(kTwoThreads);
  if (file == nullptr) return;
  std::thread([file] {
    const int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    _exit(fd >= 0 && write(fd, "thread", 6) == 6 ? 0 : 1);
  }).join();
}

class TracedProcess : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "traced_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] TracedCommand shell(const std::string& script) const {
    return {{"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"}, folder_, {}};
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    std::ifstream in(folder_ + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // The verdict on the first write to a descriptor other than the standard ones.
  static CallWatch at_first_file_write(CallVerdict verdict, bool* met = nullptr) {
    return {[verdict, met, done = false](const SystemCall& call) mutable {
              if (done || call.number != SYS_write || call.args[0] <= 2) return CallVerdict::proceed();
              done = true;
              if (met != nullptr) *met = true;
              return verdict;
            },
            {}};
  }

  std::string folder_;
};

TEST_F(TracedProcess, ProgramThatIsLeftAloneTellsItsOutputAndItsEnd) {
  const auto end = run_traced(shell("echo told; echo warned >&2; pwd; exit 3"), {});
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->code, 3);
  EXPECT_EQ(end->out, "told\n" + folder_ + "\n");
  EXPECT_EQ(end->err, "warned\n");
}

TEST_F(TracedProcess, OutputLargerThanAPipeDoesNotStopIt) {
  const auto end = run_traced({{"/usr/bin/head", "-c", "1000000", "/dev/zero"}, {}, {}, {}}, {});
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->code, 0);
  EXPECT_EQ(end->out.size(), 1'000'000U);
}

TEST_F(TracedProcess, CallsAreSeenWithTheirArgumentsDataAndResults) {
  std::string opened, written;
  std::int64_t result = 0;
  const CallWatch watch{[&](const SystemCall& call) {
                          if (call.number == SYS_openat) {
                            const std::string path = read_traced_text(call.thread, call.args[1]).value_or("");
                            if (path.ends_with("note")) opened = path;
                          }
                          return CallVerdict::proceed();
                        },
                        [&](const SystemCall& call) {
                          if (call.number != SYS_write) return;
                          written = read_traced(call.thread, call.args[1], call.args[2]).value_or("");
                          result = call.result;
                        }};
  const auto end = run_traced(shell("printf kept > note"), watch);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(opened, "note");
  EXPECT_EQ(written, "kept");
  EXPECT_EQ(result, 4);
}

TEST_F(TracedProcess, KilledBeforeAWriteLeavesItUndone) {
  bool met = false;
  const auto end = run_traced({{"/bin/dd", "if=/dev/zero", "of=made", "bs=10", "count=1"}, {}, folder_, {}},
                              {[&](const SystemCall& call) {
                                 const bool it = call.number == SYS_write && call.args[0] == 1;
                                 met = met || it;
                                 return it ? CallVerdict::kill() : CallVerdict::proceed();
                               },
                               {}});
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_TRUE(met);
  EXPECT_FALSE(end->code);
  EXPECT_EQ(end->signal, SIGKILL);
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/made"));
  EXPECT_EQ(file("made"), "");
}

TEST_F(TracedProcess, FailedCallIsNotMadeAndItsErrorIsTold) {
  const auto end = run_traced({{"/bin/mkdir", "made"}, {"LC_ALL=C"}, folder_, {}},
                              {[](const SystemCall& call) {
                                 const bool it = call.number == SYS_mkdir || call.number == SYS_mkdirat;
                                 return it ? CallVerdict::fail(ENOSPC) : CallVerdict::proceed();
                               },
                               {}});
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->code, 1);
  EXPECT_NE(end->err.find("No space left on device"), std::string::npos) << end->err;
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/made"));
}

TEST_F(TracedProcess, CallThatFailsLateIsMadeAndItsErrorIsTold) {
  const auto end = run_traced({{"/bin/mkdir", "made"}, {"LC_ALL=C"}, folder_, {}},
                              {[](const SystemCall& call) {
                                 const bool it = call.number == SYS_mkdir || call.number == SYS_mkdirat;
                                 return it ? CallVerdict::fail_late(EIO) : CallVerdict::proceed();
                               },
                               {}});
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->code, 1);
  EXPECT_TRUE(std::filesystem::is_directory(folder_ + "/made"));
}

TEST_F(TracedProcess, ShortenedWriteReallyWritesLessAndTheProgramGoesOn) {
  std::vector<std::int64_t> results;
  bool cut = false;
  const CallWatch watch{[&](const SystemCall& call) {
                          if (cut || call.number != SYS_write || call.args[2] != 100) return CallVerdict::proceed();
                          cut = true;
                          return CallVerdict::shorten(40);
                        },
                        [&](const SystemCall& call) {
                          if (call.number == SYS_write && call.args[0] == 1) results.push_back(call.result);
                        }};
  const auto end = run_traced({{"/bin/dd", "if=/dev/zero", "of=made", "bs=100", "count=1"}, {}, folder_, {}}, watch);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->code, 0);
  EXPECT_EQ(results, (std::vector<std::int64_t>{40, 60}));
  EXPECT_EQ(file("made").size(), 100U);
}

TEST_F(TracedProcess, EveryThreadIsFollowed) {
  std::set<pid_t> threads;
  bool met = false;
  const CallWatch plain = at_first_file_write(CallVerdict::fail(EIO), &met);
  const CallWatch watch{[&](const SystemCall& call) {
                          threads.insert(call.thread);
                          return plain.entering(call);
                        },
                        {}};
  const auto end =
      run_traced({{"/proc/self/exe"}, {std::string(kTwoThreads) + "=" + folder_ + "/made"}, {}, {}}, watch);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_TRUE(met);
  EXPECT_EQ(end->code, 1);
  EXPECT_GE(threads.size(), 2U);
  EXPECT_EQ(file("made"), "");
}

TEST_F(TracedProcess, KillTakesEveryThread) {
  const CallWatch watch = at_first_file_write(CallVerdict::kill());
  const auto end =
      run_traced({{"/proc/self/exe"}, {std::string(kTwoThreads) + "=" + folder_ + "/made"}, {}, {}}, watch);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->signal, SIGKILL);
  EXPECT_EQ(file("made"), "");
}

TEST_F(TracedProcess, SignalOfItsOwnReachesTheProgram) {
  const auto end = run_traced(shell("kill -TERM $$"), {});
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->signal, SIGTERM);
}

TEST_F(TracedProcess, ProgramThatReplacesItselfIsFollowed) {
  const auto end = run_traced(shell("exec /bin/echo replaced"), {});
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->code, 0);
  EXPECT_EQ(end->out, "replaced\n");
}

TEST_F(TracedProcess, ProgramThatHangsEndsAtItsLimit) {
  TracedCommand command = shell("read -r line < pipe");
  ASSERT_EQ(mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
  command.limit = std::chrono::milliseconds(20);
  const auto end = run_traced(command, {});
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->signal, SIGKILL);
}

TEST_F(TracedProcess, MissingProgramIsNotFound) {
  const auto end = run_traced({{folder_ + "/nothing"}, {}, {}, {}}, {});
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace pawl
