#include "base/clock.h"

#include <gtest/gtest.h>

#include <limits>

namespace pawl {
namespace {

constexpr std::int64_t kNewYear2024 = 1'704'067'200'000;

TEST(SystemClock, BootTimeDoesNotRunBackwards) {
  const SystemClock clock;
  const Now first = clock.now(), second = clock.now();
  EXPECT_GT(first.wall_ms, kNewYear2024);
  EXPECT_GT(first.boot_ms, 0);
  EXPECT_GE(second.boot_ms, first.boot_ms);
}

TEST(IsoTime, IsWrittenWithAndWithoutMilliseconds) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(iso_time(kNewYear2024 + 7), "2024-01-01T00:00:00Z");
  EXPECT_EQ(iso_time(kNewYear2024 + 7, true), "2024-01-01T00:00:00.007Z");
  EXPECT_EQ(iso_time(-1, true), "1969-12-31T23:59:59.999Z");
}

TEST(IsoTime, ExtremeTimesAreWrittenSomehow) {
  EXPECT_FALSE(iso_time(std::numeric_limits<std::int64_t>::max(), true).empty());
  EXPECT_FALSE(iso_time(std::numeric_limits<std::int64_t>::min(), true).empty());
}

TEST(ParseIsoTime, ReadsTheFormsOfOtherTools) {
  for (const std::string_view text :
       {"2024-01-01T00:00:00Z", "2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00+00:00", "2024-01-01T00:00:00-00:00",
        "2024-01-01T00:00:00.000000+00:00", "2024-01-01 00:00:00", "2024-01-01T00:00:00"}) {
    EXPECT_EQ(parse_iso_time(text), kNewYear2024) << text;
  }
  EXPECT_EQ(parse_iso_time("2024-01-01T00:00:00.5Z"), kNewYear2024 + 500);
  EXPECT_EQ(parse_iso_time("2024-01-01T00:00:00.123456789Z"), kNewYear2024 + 123);
  EXPECT_EQ(parse_iso_time("2024-02-29T00:00:00Z"), kNewYear2024 + 59 * std::int64_t{86'400'000});
  EXPECT_EQ(parse_iso_time("1969-12-31T23:59:59.999Z"), -1);
  EXPECT_EQ(parse_iso_time("2023-12-31T23:59:60Z"), kNewYear2024);
}

TEST(ParseIsoTime, AnythingElseIsNothing) {
  for (const std::string_view text : {"",
                                      "x",
                                      "2024",
                                      "2024-01-01",
                                      "2024-01-01T00:00:00z",
                                      "2024-01-01T00:00:00+01:00",
                                      "2024-13-01T00:00:00Z",
                                      "2024-00-01T00:00:00Z",
                                      "2024-02-30T00:00:00Z",
                                      "2023-02-29T00:00:00Z",
                                      "2023-02-29T23:59:60Z",
                                      "2024-04-31T00:00:00Z",
                                      "2024-01-01T24:00:00Z",
                                      "2024-01-01T00:60:00Z",
                                      "2024-01-01T00:00:61Z",
                                      "2024-01-01T00:00:00.Z",
                                      "2024/01/01T00:00:00Z",
                                      "2024-01-01T00:00:00Z ",
                                      " 2024-01-01T00:00:00Z",
                                      "+024-01-01T00:00:00Z",
                                      "2024-01-01T00:00:0",
                                      "2024-01-01T0000:00Z"}) {
    EXPECT_FALSE(parse_iso_time(text)) << text;
  }
}

TEST(ParseIsoTime, ReadsWhatIsoTimeWrites) {
  for (std::int64_t ms = -62'000'000'000'000; ms < 253'000'000'000'000; ms += 86'399'999'877) {
    ASSERT_EQ(parse_iso_time(iso_time(ms, true)), ms) << iso_time(ms, true);
  }
}

TEST(ParseDuration, NeedsAUnit) {
  EXPECT_EQ(parse_duration_ms("250ms"), 250);
  EXPECT_EQ(parse_duration_ms("30s"), 30'000);
  EXPECT_EQ(parse_duration_ms("10m"), 600'000);
  EXPECT_EQ(parse_duration_ms("10min"), 600'000);
  EXPECT_EQ(parse_duration_ms("12h"), 43'200'000);
  EXPECT_EQ(parse_duration_ms("90d"), 7'776'000'000);
  EXPECT_EQ(parse_duration_ms("2w"), 1'209'600'000);
  EXPECT_EQ(parse_duration_ms("0s"), 0);
  for (const std::string_view text : {"", "5", "s", "-5s", "+5s", "5 s", "5S", "1.5h", "5sx", " 5s", "5s ",
                                      "9223372036854775807s", "99999999999999999999ms"}) {
    EXPECT_FALSE(parse_duration_ms(text)) << text;
  }
  EXPECT_EQ(parse_duration_ms("9223372036854775807ms"), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace pawl
