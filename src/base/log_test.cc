#include "base/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace pawl {
namespace {

// What is written to stderr while it lives.
class CapturedStderr {
 public:
  CapturedStderr() : saved_(::dup(STDERR_FILENO)) {
    if (::pipe(ends_.data()) != 0) throw std::runtime_error("pipe");
    ::dup2(ends_[1], STDERR_FILENO);
  }
  ~CapturedStderr() {
    set_log_level(LogLevel::off);
    ::dup2(saved_, STDERR_FILENO);
    for (const int fd : {saved_, ends_[0], ends_[1]}) {
      if (fd >= 0) ::close(fd);
    }
  }
  std::string text() {
    ::dup2(saved_, STDERR_FILENO);
    ::close(std::exchange(ends_[1], -1));
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(ends_[0], buffer.data(), buffer.size());
    return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : std::string();
  }

 private:
  int saved_;
  std::array<int, 2> ends_{};
};

TEST(Log, LineHasLevelStepAndFields) {
  CapturedStderr captured;
  set_log_level(LogLevel::debug);
  log_debug("absorb", "file", ".worktrees/42.json", "us", 123, "new", true);
  EXPECT_EQ(captured.text(), "level=debug step=absorb file=.worktrees/42.json us=123 new=true\n");
}

TEST(Log, IsSilentAboveItsLevel) {
  CapturedStderr captured;
  log_info("off");
  set_log_level(LogLevel::info);
  log_debug("too much");
  log_info("on");
  EXPECT_EQ(captured.text(), "level=info step=on\n");
}

TEST(Log, ValuesCanNotPretendToBeFieldsOrLines) {
  CapturedStderr captured;
  set_log_level(LogLevel::info);
  log_info("odd", "a", "x y=1", "b", "say \"so\"\\", "c", "one\ntwo", "d", "\x1b[31m", "e", "");
  EXPECT_EQ(captured.text(),
            "level=info step=odd a=\"x y=1\" b=\"say \\\"so\\\"\\\\\" c=\"one\\ntwo\" d=\"\\x1b[31m\" e=\"\"\n");
}

TEST(Log, TimerAsksNobodyWhenNobodyWantsToKnow) {
  const StepTimer off;
  EXPECT_EQ(off.us(), 0);
}

TEST(Log, LevelsAreReadByName) {
  EXPECT_EQ(parse_log_level("info"), LogLevel::info);
  EXPECT_EQ(parse_log_level("debug"), LogLevel::debug);
  EXPECT_EQ(parse_log_level("off"), LogLevel::off);
  EXPECT_EQ(parse_log_level(""), LogLevel::off);
  EXPECT_FALSE(parse_log_level("loud"));
  EXPECT_FALSE(parse_log_level("INFO"));
}

}  // namespace
}  // namespace pawl
