#include "base/ago.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

constexpr std::int64_t kNow = 1'700'000'000'000, kMinute = 60'000, kHour = 3'600'000, kDay = 86'400'000;

TEST(Ago, SaysWhatWasAndWhatWillBe) {
  EXPECT_EQ(ago(kNow, kNow), "just now");
  EXPECT_EQ(ago(kNow - 999, kNow), "just now");
  EXPECT_EQ(ago(kNow - 1000, kNow), "1 second ago");
  EXPECT_EQ(ago(kNow - (2 * kMinute), kNow), "2 minutes ago");
  EXPECT_EQ(ago(kNow - (3 * kDay), kNow), "3 days ago");
  EXPECT_EQ(ago(kNow + 500, kNow), "just now");
  EXPECT_EQ(ago(kNow + (10 * kMinute), kNow), "in 10 minutes");
  EXPECT_EQ(ago(kNow + (10 * kMinute), kNow + 300), "in 10 minutes");
  EXPECT_EQ(ago(kNow + kHour, kNow), "in 1 hour");
  EXPECT_EQ(ago(kNow + (40 * kDay), kNow), "in 40 days");
}

TEST(Ago, IsShortWhereThereIsLittleRoom) {
  EXPECT_EQ(age_of(kNow - kHour, kNow), "1h");
  EXPECT_EQ(age_of(kNow + kHour, kNow), "0s");
}

}  // namespace
}  // namespace pawl
