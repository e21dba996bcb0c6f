#include <gtest/gtest.h>

#include "base/clock.h"
#include "lifecycle/review/review.h"

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

}  // namespace
}  // namespace pawl::review
