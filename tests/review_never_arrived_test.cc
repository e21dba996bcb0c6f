// A review that GitHub never took is not sent again as it was: what is posted is what the review says by then.
#include <gtest/gtest.h>

#include "support/review_on_github.h"

namespace pawl::test {
namespace {

struct How {
  const char* name;
  Json fault;
};

class ReviewNeverArrived : public ReviewOnGithub, public testing::WithParamInterface<How> {
 protected:
  void fail_to_approve() const {
    json({"start", "o/r#1"});
    mark_all();
    Json fault = GetParam().fault;
    fault["path"] = "/repos/o/r/pulls/1/reviews";
    fault["method"] = "POST";
    fault["times"] = 20;  // however often it is tried
    practice.fault(fault);
    const Ran ran = run({"post", "--yes"});
    EXPECT_NE(ran.exit, 0) << ran.out;
    EXPECT_TRUE(reviews(1).empty());
    practice.control("DELETE", "/faults");
  }
};

TEST_P(ReviewNeverArrived, AFindingThatCameSinceCounts) {
  fail_to_approve();
  add("core/engine.c", 42, "action-required", "Grave");
  const Json posted = json({"post", "--yes"});
  EXPECT_EQ(posted["verdict"], "REQUEST_CHANGES") << posted;
  EXPECT_FALSE(posted.contains("already")) << posted;
  ASSERT_EQ(reviews(1).size(), 1U);
  EXPECT_EQ(reviews(1)[0]["state"], "CHANGES_REQUESTED");
  EXPECT_FALSE(project.exists(kStateFile));
}

TEST_P(ReviewNeverArrived, AHeadThatMovedSinceIsNotApproved) {
  fail_to_approve();
  push(1, {{"ui/form.c", "unseen\n"}});
  EXPECT_EQ(json({"post", "--yes"})["verdict"], "COMMENT");
}

TEST_P(ReviewNeverArrived, APullRequestThatWasClosedSinceIsNotPostedTo) {
  fail_to_approve();
  EXPECT_EQ(practice.request("PATCH", "/repos/o/r/issues/1", {{"state", "closed"}}).status, 200);
  const Ran ran = run({"post", "--yes"});
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.err, "o/r#1 is closed")) << ran.err;
  EXPECT_TRUE(reviews(1).empty());
}

TEST_P(ReviewNeverArrived, IsPostedWhenNothingChanged) {
  fail_to_approve();
  const Ran nobody = run({"post"});
  EXPECT_TRUE(has(nobody.err, "--yes posts it")) << nobody.err;  // it is asked about like any other
  EXPECT_EQ(json({"post", "--yes"})["verdict"], "APPROVE");
  EXPECT_EQ(reviews(1).size(), 1U);
}

TEST_P(ReviewNeverArrived, IsAskedForAgainUnderTheSameKey) {
  fail_to_approve();
  EXPECT_EQ(run({"post", "--yes", "--idempotency-key", "k"}).exit, 0);
  EXPECT_EQ(reviews(1).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Faults, ReviewNeverArrived,
                         testing::Values(How{"Refused", {{"kind", "status"}, {"status", 502}}},
                                         How{"Broken", {{"kind", "status"}, {"status", 500}}}),
                         [](const auto& how) { return std::string(how.param.name); });

}  // namespace
}  // namespace pawl::test
