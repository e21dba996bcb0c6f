// The reviews of a pull request, page by page and from both ends at once: every comment in a thread makes one, so that
// there are far more of them than threads, and each request costs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "integrations/forge.h"

namespace pawl::github {

class ReviewPages {
 public:
  explicit ReviewPages(bool wanted) : more_(wanted) {}
  // Not all are read yet.
  [[nodiscard]] bool more() const { return more_; }
  // What the next request (kSaidQuery) says of them.
  [[nodiscard]] Json variables() const;
  // One answer's: `reviews` from the first one on, `lastReviews` from the last one back.
  [[nodiscard]] Done take(const Json& pull);
  // Oldest first.
  [[nodiscard]] std::vector<Review> all() &&;

 private:
  std::map<std::uint64_t, Review> known_;
  std::set<std::string> cursors_;
  Json after_, before_;
  bool more_;
};

}  // namespace pawl::github
