#include "integrations/github/review_pages.h"

#include <utility>

#include "integrations/github/objects.h"

namespace pawl::github {

Json ReviewPages::variables() const {
  return {{"reviews", more_}, {"reviewsAfter", after_}, {"reviewsBefore", before_}};
}

Done ReviewPages::take(const Json& pull) {
  if (!more_) return done();
  PAWL_ASSIGN(const Json first, member(pull, "reviews"));
  PAWL_ASSIGN(const Json last, member(pull, "lastReviews"));
  bool met = false;  // what came from one end was known from the other
  for (const Json* page : {&first, &last}) {
    std::vector<Review> some;
    PAWL_TRY(add_reviews(*page, some));
    for (Review& one : some) met = !known_.emplace(one.id, std::move(one)).second || met;
  }
  PAWL_ASSIGN(after_, next_cursor(first));
  PAWL_ASSIGN(before_, previous_cursor(last));
  const bool whole = static_cast<std::int64_t>(known_.size()) >= integer_or(first, "totalCount", INT64_MAX);
  more_ = !met && !whole && !after_.is_null() && !before_.is_null();
  if (more_) PAWL_TRY(must_be_new(after_, cursors_));
  return done();
}

std::vector<Review> ReviewPages::all() && {
  std::vector<Review> out;
  for (auto& [id, one] : known_) out.push_back(std::move(one));
  return out;
}

}  // namespace pawl::github
