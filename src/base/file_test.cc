#include "base/file.h"
#include "base/writers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "support/binary.h"

namespace pawl {
namespace {

class FileTest : public ::testing::Test {
 protected:
  FileTest() : folder_(std::move(*open_folder(workspace_.path()))) {}
  [[nodiscard]] int at() const { return folder_.get(); }
  [[nodiscard]] std::string read(const std::string& name) const {
    const auto image = read_file_at(at(), name, 1 << 20);
    return image && image->exists ? image->bytes : "(none)";
  }

  test::TempWorkspace workspace_;
  Fd folder_;
};

TEST_F(FileTest, ReadingWhatIsNotAFileSaysSo) {
  EXPECT_FALSE(read_file_at(at(), "missing", 10)->exists);
  EXPECT_FALSE(read_file_at(at(), ".git", 10));
  ASSERT_EQ(mkfifoat(at(), "pipe", 0666), 0);
  EXPECT_FALSE(read_file_at(at(), "pipe", 10)) << "and it does not wait for a writer";
  ASSERT_EQ(symlinkat("elsewhere", at(), "link"), 0);
  EXPECT_FALSE(read_file_at(at(), "link", 10));
}

TEST_F(FileTest, ALargeFileIsNotRead) {
  ASSERT_TRUE(write_synced_at(at(), "big", std::string(100, 'x')));
  EXPECT_TRUE(read_file_at(at(), "big", 99)->too_large);
  EXPECT_EQ(read_file_at(at(), "big", 100)->bytes.size(), 100U);
}

TEST_F(FileTest, ANewFileIsWrittenPieceByPiece) {
  auto file = NewFile::make_at(at(), "new");
  ASSERT_TRUE(file);
  std::string all;
  for (int i = 0; i < 5000; ++i) {
    const std::string line = std::string(100, static_cast<char>('a' + i % 26)) + "\n";
    all += line;
    ASSERT_TRUE(file->append(line));
  }
  ASSERT_TRUE(file->finish());
  EXPECT_EQ(read("new"), all);
  const auto again = NewFile::make_at(at(), "new");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::already_exists);
  EXPECT_EQ(read("new"), all);
}

TEST_F(FileTest, ExchangeSwapsBothFiles) {
  ASSERT_TRUE(write_synced_at(at(), "a", "one"));
  ASSERT_TRUE(write_synced_at(at(), "b", "two"));
  ASSERT_TRUE(exchange_at(at(), "a", at(), "b"));
  EXPECT_EQ(read("a"), "two");
  EXPECT_EQ(read("b"), "one");
}

TEST_F(FileTest, MoveNewDoesNotOverwrite) {
  ASSERT_TRUE(write_synced_at(at(), "a", "one"));
  ASSERT_TRUE(write_synced_at(at(), "b", "two"));
  const Done moved = move_new_at(at(), "a", at(), "b");
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::already_exists);
  EXPECT_EQ(read("b"), "two");
}

TEST_F(FileTest, WaitsForAWriterThatHasItOpen) {
  ASSERT_TRUE(write_synced_at(at(), "a", "old"));
  const int writer = openat(at(), "a", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(writer, 0);
  std::thread slow([&] {
    EXPECT_EQ(pwrite(writer, "new", 3, 0), 3);
    close(writer);
  });
  EXPECT_EQ(writers_of_at(at(), "a"), Writers::none);
  EXPECT_EQ(read("a"), "new") << "the writer had it open before; what it wrote is seen";
  slow.join();
}

TEST_F(FileTest, ErrorsAreWordedForPeople) {
  EXPECT_EQ(io_error("write", "x", ENOSPC).message, "cannot write x: no space left on the disk");
  EXPECT_EQ(io_error("write", "a\x1b[0m", EACCES).message.find('\x1b'), std::string::npos);
}

TEST_F(FileTest, ModeIsKept) {
  ASSERT_TRUE(write_synced_at(at(), "a", "x", {0640, {}}));
  EXPECT_EQ(read_file_at(at(), "a", 10)->mode, 0640U);
}

}  // namespace
}  // namespace pawl
