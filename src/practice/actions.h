// What can be done to the world, once for both ways in: REST and GraphQL call the same functions, so that they cannot
// come to differ.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "practice/world.h"

namespace pawl::practice {

// What git says of a pull request: worked out once for each pair of base and head.
struct PullView {
  std::string base_sha;  // what the diff is against
  std::string diff;      // as git prints it
  std::vector<ChangedFile> files;
  std::vector<Commit> commits;
  bool mergeable = false;
  std::int64_t additions = 0, deletions = 0;
};

struct NewReviewComment {
  Place place;
  std::string body;
};

struct NewPull {
  std::string title, body, head, base;  // head: "branch" or "owner:branch"
  bool draft = false;
  bool maintainer_can_modify = true;
};

class Actions {
 public:
  explicit Actions(World& world) : world_(world) {}

  // Brings the heads of open pull requests up to what was pushed.
  void refresh(Repository& repository);
  Result<const PullView*> view(Repository& repository, Item& item);
  // CLEAN, DIRTY, DRAFT, UNSTABLE, UNKNOWN, BLOCKED, BEHIND
  [[nodiscard]] std::string merge_state(Repository& repository, Item& item);
  // "" (nobody has decided), APPROVED, CHANGES_REQUESTED, REVIEW_REQUIRED
  [[nodiscard]] static std::string decision(const Item& item);
  // Of checks and statuses: SUCCESS, FAILURE, PENDING, or "" when there are none.
  [[nodiscard]] static std::string rollup(const Repository& repository, std::string_view sha);

  Result<Comment*> add_comment(Item& item, const std::string& author, const std::string& body);
  Result<ReviewComment*> reply(Item& item, std::int64_t to, const std::string& author, const std::string& body);
  Result<ReviewComment*> reply_in_thread(Item& item, std::int64_t thread, const std::string& author,
                                         const std::string& body);
  // All of it or nothing: one line outside the diff fails the review.
  Result<Review*> add_review(Repository& repository, Item& item, const std::string& author, const std::string& event,
                             const std::string& body, const std::string& commit,
                             const std::vector<NewReviewComment>& comments);
  Result<Item*> create_issue(Repository& repository, const std::string& author, const std::string& title,
                             const std::string& body);
  Result<Item*> create_pull(Repository& repository, const std::string& author, const NewPull& wanted);
  Result<std::string> merge(Repository& repository, Item& item, const std::string& who, const std::string& expected,
                            const std::string& method, const std::string& title, const std::string& message);
  void set_open(Item& item, bool open, const std::string& who);
  void touch(Item& item) { item.updated_ms = world_.now_ms(); }

 private:
  Done check_place(Repository& repository, Item& item, NewReviewComment& comment, std::string& hunk);

  World& world_;
  std::map<std::string, std::unique_ptr<PullView>> views_;  // by repository, base and head
};

[[nodiscard]] ReviewComment* find_review_comment(Item& item, std::int64_t id);
[[nodiscard]] Thread* find_thread(Item& item, std::int64_t id);

}  // namespace pawl::practice
