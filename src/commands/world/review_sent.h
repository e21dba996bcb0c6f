// What was said on a pull request before, by any review of it. It is kept under the pull request's name beside the
// history (store.h, `kept`): neither undo nor clean nor setting aside forgets it, as GitHub does not forget either.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands/review.h"
#include "integrations/forge.h"

namespace pawl::review {

// A finding by what it says: severity, file, title and text, with its suggestion, as others see them. Its line is not
// among them, as it moves with the head, nor is when its record was touched.
[[nodiscard]] std::string said_by(const Json& finding);

// The same under every name that its file had: pawl followed it there, so it is the same finding still. Now's first.
[[nodiscard]] std::vector<std::string> names_of(const Json& finding);

// One that was said: {"id", "said"}.
[[nodiscard]] Json said_entry(std::string_view id, const Json& finding);

// Takes entries out of a list one by one, so that two that say the same count twice: the one with this id, or else any
// that says the same.
class SaidList {
 public:
  void add(const Json& entries);
  // The entry; nothing when it is not there (any more).
  [[nodiscard]] std::optional<Json> take(std::string_view id, const std::vector<std::string>& names);

 private:
  std::vector<Json> entries_;
};

// A review that is on GitHub.
struct Post {
  std::string marker, event, commit;
  Json said = Json::array();
  Json result;
  std::int64_t operation = 0;  // that intended it
};
// Oldest first.
[[nodiscard]] Result<std::vector<Post>> posts_to(const View& view, const std::string& pr);

// What a review says, for its text, where readers do not see it: whoever posts from elsewhere looks there.
[[nodiscard]] std::string said_mark(std::span<const Json> findings);
// The same with what this account (`me`) posted from elsewhere: another clone, another machine. In GitHub's order.
[[nodiscard]] std::vector<Post> with_those_from_elsewhere(std::vector<Post> ours, const std::vector<Review>& there,
                                                          std::string_view me);

// Writes them down, for the commit of a decision.
[[nodiscard]] Result<std::pair<std::string, std::string>> posts_kept(const View& view, const std::string& pr);

// Reviews of this pull request that were intended and have no answer.
[[nodiscard]] Result<std::vector<Effect>> under_way(const View& view, const std::string& pr);

}  // namespace pawl::review
