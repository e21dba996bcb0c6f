#include "base/fingerprint.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/file.h"
#include "support/binary.h"

namespace pawl {
namespace {

// Long enough that it is read in pieces, of which the last is short.
std::string long_text() {
  std::string text;
  for (int i = 0; text.size() < 100'000; ++i) text += std::to_string(i) + ",";
  return text;
}

class Fingerprint : public testing::Test {
 protected:
  [[nodiscard]] bool fits(const std::string& bytes, const std::string& fingerprint) const {
    std::ofstream(folder_.file("list")) << bytes;
    const auto folder = open_folder(folder_.path());
    const auto same = has_fingerprint_at(folder->get(), "list", fingerprint);
    return same && *same;
  }

  test::TempWorkspace folder_;
};

TEST_F(Fingerprint, SameBytesFit) {
  for (const std::string& text : {std::string(), std::string("a"), long_text()}) {
    EXPECT_TRUE(fits(text, fingerprint_of(text)));
    EXPECT_TRUE(has_fingerprint(text, fingerprint_of(text)));
  }
}

TEST_F(Fingerprint, AnyOtherByteDoesNot) {
  const std::string text = long_text();
  const std::string fingerprint = fingerprint_of(text);
  for (const std::size_t at : {std::size_t{0}, std::size_t{16'383}, std::size_t{16'384}, text.size() - 1}) {
    std::string other = text;
    other[at] = static_cast<char>(other[at] ^ 1);
    EXPECT_FALSE(fits(other, fingerprint)) << at;
    EXPECT_FALSE(has_fingerprint(other, fingerprint)) << at;
  }
  EXPECT_FALSE(fits(text + "x", fingerprint));
  EXPECT_FALSE(fits(text.substr(1), fingerprint));
  EXPECT_FALSE(fits("", fingerprint));
}

TEST_F(Fingerprint, IsAnotherEachTime) { EXPECT_NE(fingerprint_of("a"), fingerprint_of("a")); }

TEST_F(Fingerprint, WhatIsNoneFitsNothing) {
  EXPECT_FALSE(fits("", ""));
  EXPECT_FALSE(has_fingerprint("", ""));
  EXPECT_FALSE(is_fingerprint("sixteen bytes..."));
}

TEST_F(Fingerprint, LinksAndMissingFilesFitNothing) {
  const std::string text = long_text();
  ASSERT_TRUE(fits(text, fingerprint_of(text)));
  std::filesystem::create_symlink("list", folder_.file("link"));
  const auto folder = open_folder(folder_.path());
  const auto link = has_fingerprint_at(folder->get(), "link", fingerprint_of(text));
  EXPECT_FALSE(link && *link);
  const auto missing = has_fingerprint_at(folder->get(), "nothing", fingerprint_of(text));
  ASSERT_TRUE(missing);
  EXPECT_FALSE(*missing);
}

}  // namespace
}  // namespace pawl
