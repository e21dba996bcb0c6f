#include "base/hex.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Hex, OfEveryByteComesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(in_hex(all).size(), 512U);
  EXPECT_EQ(from_hex(in_hex(all)), all);
  EXPECT_EQ(in_hex(std::string_view("\0\x7f\xff", 3)), "007fff");
  EXPECT_EQ(in_hex(""), "");
}

TEST(Hex, OfWhatItDidNotWriteIsNothing) {
  for (const char* const text : {"0", "0g", "0G", "FF", "0x00", " 00", "00 "}) EXPECT_FALSE(from_hex(text)) << text;
}

}  // namespace
}  // namespace pawl
