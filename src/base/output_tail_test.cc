#include "base/output_tail.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(OutputTail, KeepsTheEndInWholeLines) {
  OutputTail tail(20);
  tail.add("one\n");
  EXPECT_EQ(tail.text(), "one");
  for (int i = 100; i < 200; ++i) tail.add("line " + std::to_string(i) + "\n");
  EXPECT_EQ(tail.text(), "…\nline 198\nline 199");
  EXPECT_LE(tail.raw().size(), 80U);
  EXPECT_EQ(last_line_of(tail.raw(), 60), "line 199");
}

TEST(OutputTail, OneLongLineIsCut) {
  OutputTail tail(8);
  tail.add(std::string(1000, 'x'));
  EXPECT_EQ(tail.text(), "…\n" + std::string(8, 'x'));
  EXPECT_EQ(last_line_of("a\n\x1b[31mred\x1b[0m\n\n", 60).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace pawl
