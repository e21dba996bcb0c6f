#include <gtest/gtest.h>

#include "base/clock.h"
#include "lifecycles/review/review.h"

namespace pawl::review {
namespace {

// The board says how long ago a review was changed.
TEST(ReviewStand, IsSinceItsLastChange) {
  Record record;
  record.id = review_id("octo/cat#7");
  record.status = kActive;
  record.doc = Doc(Json{{"updated", "2025-03-04T05:06:07Z"}});
  EXPECT_EQ(review_lifecycle().stand(record).since_ms, parse_iso_time("2025-03-04T05:06:07Z"));
}

// One that is set aside is under way still, and says what takes it up; one that was posted has ended.
TEST(ReviewStand, OfOneThatIsSetAsideSaysWhatTakesItUp) {
  Record record;
  record.id = review_id("octo/cat#7");
  record.status = kActive;
  EXPECT_EQ(review_lifecycle().stand(record).why, "");
  record.aside = true;
  EXPECT_EQ(review_lifecycle().stand(record).place, BoardPlace::running);
  EXPECT_EQ(review_lifecycle().stand(record).why, "set aside");
  EXPECT_EQ(review_lifecycle().stand(record).advice, "pawl review continue octo/cat#7  # takes it up again");
  record.status = kPosted;
  EXPECT_EQ(review_lifecycle().stand(record).place, BoardPlace::ended);
}

}  // namespace
}  // namespace pawl::review
