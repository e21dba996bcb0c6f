#include "integrations/github/patience.h"

#include <gtest/gtest.h>

namespace pawl::github {
namespace {

constexpr std::int64_t kNow = 1'700'000'000'000;

Judgement judged(const Setback& setback, int attempt = 1, std::int64_t waited_ms = 0) {
  return judge(setback, attempt, waited_ms, kNow, {});
}

TEST(Patience, AnAnswerIsFineWhateverItSays) {
  for (const int status : {200, 304, 404, 409, 422, 401}) EXPECT_EQ(judged({.status = status}).verdict, Verdict::fine);
  EXPECT_EQ(judged({.status = 403, .remaining = 12}).verdict, Verdict::fine) << "forbidden is no limit";
}

TEST(Patience, WaitsAsLongAsItIsAskedTo) {
  const Judgement judgement = judged({.status = 429, .retry_after_s = 7});
  EXPECT_EQ(judgement.verdict, Verdict::wait);
  EXPECT_EQ(judgement.wait_ms, 7000);
  EXPECT_EQ(judged({.status = 403, .retry_after_s = 0}).wait_ms, 1000);
}

TEST(Patience, WaitsUntilTheHoursRequestsAreGivenAnew) {
  const Judgement judgement = judged({.status = 403, .remaining = 0, .reset_s = kNow / 1000 + 30});
  EXPECT_EQ(judgement.verdict, Verdict::wait);
  EXPECT_EQ(judgement.wait_ms, 31'000);
  EXPECT_EQ(judged({.status = 403, .remaining = 0, .reset_s = kNow / 1000 - 5}).wait_ms, 1000) << "a clock is wrong";
}

TEST(Patience, WaitsAMinuteWhereItIsNotSaidHowLong) {
  EXPECT_EQ(judged({.status = 403, .secondary = true}).wait_ms, 60'000);
  EXPECT_EQ(judged({.status = 429}).wait_ms, 60'000);
}

TEST(Patience, NumbersThatNobodyMeansDoNotOverflow) {
  for (const std::int64_t odd : {INT64_MAX, INT64_MAX / 1000, std::int64_t{18446744073709552}}) {
    EXPECT_EQ(judged({.status = 429, .retry_after_s = odd}).verdict, Verdict::give_up) << odd;
    EXPECT_EQ(judged({.status = 403, .remaining = 0, .reset_s = odd}).verdict, Verdict::give_up) << odd;
    EXPECT_EQ(judged({.status = 503, .retry_after_s = odd}).verdict, Verdict::give_up) << odd;
  }
}

TEST(Patience, AtOnceAgainAndAgainIsAnsweredWithGrowingPauses) {
  EXPECT_GT(judged({.status = 429, .retry_after_s = 0}, 5).wait_ms,
            judged({.status = 429, .retry_after_s = 0}, 2).wait_ms);
  EXPECT_EQ(judged({.status = 429, .retry_after_s = 0}, 20).verdict, Verdict::give_up);
}

TEST(Patience, ABrokenServerMaySayHowLongToo) { EXPECT_EQ(judged({.status = 503, .retry_after_s = 7}).wait_ms, 7000); }

TEST(Patience, IsBounded) {
  const Judgement judgement = judged({.status = 403, .remaining = 0, .reset_s = kNow / 1000 + 3000});
  EXPECT_EQ(judgement.verdict, Verdict::give_up);
  EXPECT_TRUE(judgement.rate_limited);
  EXPECT_EQ(judged({.status = 429, .retry_after_s = 60}, 3, 590'000).verdict, Verdict::give_up);
}

TEST(Patience, TriesAgainWithGrowingPausesAndThenNot) {
  std::int64_t before = 0;
  for (int attempt = 1; attempt < 5; ++attempt) {
    const Judgement judgement = judged({.status = 502}, attempt);
    EXPECT_EQ(judgement.verdict, Verdict::wait);
    EXPECT_GT(judgement.wait_ms, before);
    before = judgement.wait_ms;
  }
  EXPECT_EQ(judged({.status = 502}, 5).verdict, Verdict::give_up);
  EXPECT_EQ(judged({.status = 0}, 1).verdict, Verdict::wait);
}

TEST(Patience, DoesNotRepeatWhatMayHaveHappened) {
  EXPECT_EQ(judged({.status = 502, .safe_to_repeat = false}).verdict, Verdict::give_up);
  EXPECT_EQ(judged({.status = 0, .safe_to_repeat = false}).verdict, Verdict::give_up);
  EXPECT_EQ(judged({.status = 429, .retry_after_s = 1, .safe_to_repeat = false}).verdict, Verdict::wait)
      << "a refusal is not carried out";
}

}  // namespace
}  // namespace pawl::github
