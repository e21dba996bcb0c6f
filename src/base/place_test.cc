#include "base/place.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/binary.h"

namespace pawl {
namespace {

class PlaceTest : public ::testing::Test {
 protected:
  [[nodiscard]] Roots roots(std::vector<std::string> others = {}) const {
    return {inside_.path(), inside_.home(), std::move(others)};
  }

  test::TempWorkspace inside_;
  test::TempWorkspace outside_;
};

TEST_F(PlaceTest, AMissingFolderIsNothingUntilItIsMade) {
  EXPECT_FALSE(*roots().find("a/b/c.json", false));
  const auto made = roots().find("a/b/c.json", true);
  ASSERT_TRUE(made && *made);
  EXPECT_EQ((*made)->name, "c.json");
  EXPECT_EQ(access(inside_.file("a/b").c_str(), F_OK), 0);
}

TEST_F(PlaceTest, ALinkOutOfTheWorkspaceIsRefused) {
  ASSERT_EQ(symlink(outside_.path().c_str(), inside_.file("out").c_str()), 0);
  const auto found = roots().find("out/x.json", true);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::untrusted);
  EXPECT_TRUE(roots({outside_.path()}).find("out/x.json", false)) << "allowed by name";
}

TEST_F(PlaceTest, AFileLinkOutOfTheWorkspaceIsRefused) {
  outside_.write("target.json", "{}");
  ASSERT_EQ(symlink(outside_.file("target.json").c_str(), inside_.file("x.json").c_str()), 0);
  EXPECT_FALSE(roots().find("x.json", false));
}

TEST_F(PlaceTest, ALinkInsideIsFollowedToItsFile) {
  inside_.write("real/x.json", "{}");
  ASSERT_EQ(symlink("real/x.json", inside_.file("x.json").c_str()), 0);
  const auto found = roots().find("x.json", false);
  ASSERT_TRUE(found && *found);
  EXPECT_TRUE(read_file_at((*found)->folder.get(), (*found)->name, 10)->exists);
}

TEST_F(PlaceTest, ALinkToNothingIsNotGone) {
  ASSERT_EQ(symlink("unmounted", inside_.file("data").c_str()), 0);
  const auto found = roots().find("data/x.json", false);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::unavailable);
}

TEST_F(PlaceTest, DotsAndStrangersAreRefused) {
  EXPECT_FALSE(roots().find("../x.json", false));
  EXPECT_FALSE(roots().find("a/../../x.json", false));
  EXPECT_FALSE(roots().find(outside_.file("x.json"), false));
  EXPECT_TRUE(roots({outside_.path()}).find(outside_.file("x.json"), false));
}

TEST_F(PlaceTest, ANamedRootNeedNotExistYet) {
  const std::string root = outside_.file("later");
  const Roots named = roots({root});
  EXPECT_FALSE(*named.find(root + "/x.json", false));
  EXPECT_TRUE(*named.find(root + "/deep/x.json", true));
}

TEST_F(PlaceTest, PathsAreSpelledOneWay) {
  EXPECT_EQ(roots().shortened(inside_.file("a/b")), "a/b");
  EXPECT_EQ(roots().absolute("a/b"), inside_.file("a/b"));
  EXPECT_EQ(roots().absolute("~/x"), inside_.home() + "/x");
}

}  // namespace
}  // namespace pawl
