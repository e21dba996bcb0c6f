// tmp/ in a process that lives on: it does not read an untouched folder again, and still finds what comes into it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "support/todo_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class LeftBehind : public testing::Test {
 protected:
  LeftBehind() {
    project_.put(R"({"project": "alpha", "items": [{"id": "a", "state": "open"}]})");
    project_.look();
    commit();
    // As if it had been empty for a while.
    const timespec then[2] = {{.tv_sec = 1'700'000'000, .tv_nsec = 0}, {.tv_sec = 1'700'000'000, .tv_nsec = 0}};
    EXPECT_EQ(utimensat(AT_FDCWD, tmp_.c_str(), then, 0), 0);
    wait_for_a_later_file_time();
    commit();
    commit();
  }
  // A commit that touches no file.
  void commit() {
    Request request;
    request.verb = "nothing";
    request.idempotency_key = std::to_string(++commits_);
    EXPECT_TRUE(project_.engine().change(request, Look{}, decide_nothing));
  }
  // A change time cannot be set, so it has to be let pass.
  void wait_for_a_later_file_time() const {
    struct stat before {};
    ASSERT_EQ(stat(tmp_.c_str(), &before), 0);
    timespec now{};
    do {
      clock_gettime(CLOCK_REALTIME_COARSE, &now);
    } while (now.tv_sec * 1'000 + now.tv_nsec / 1'000'000 <
             before.st_ctim.tv_sec * 1'000 + before.st_ctim.tv_nsec / 1'000'000 + 150);
  }
  void leave(const std::string& name) const { project_.write(".pawl/tmp/" + name, "half"); }
  [[nodiscard]] bool is_there(const std::string& name) const { return fs::exists(tmp_ + "/" + name); }

  TodoProject project_;
  std::string tmp_ = project_.file(".pawl/tmp");
  int commits_ = 0;
};

TEST_F(LeftBehind, IsFoundByAProcessThatSawTheFolderEmpty) {
  for (const char* name : {"1-1-1-0", "2-1-1-0"}) {
    leave(name);
    ASSERT_TRUE(is_there(name));
    commit();
    EXPECT_FALSE(is_there(name));
  }
}

TEST_F(LeftBehind, IsFoundInAFolderThatTookTheOldOnesPlace) {
  fs::remove(tmp_);
  fs::create_directory(tmp_);
  leave("1-1-1-0");
  commit();
  EXPECT_FALSE(is_there("1-1-1-0"));
}

}  // namespace
}  // namespace pawl::test
