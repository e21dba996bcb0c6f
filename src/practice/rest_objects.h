// The world's things as the REST API shows them: every member that GitHub's own description of the API requires is
// there (tests/contract checks it).
#pragma once

#include <string>

#include "practice/actions.h"
#include "practice/world.h"

namespace pawl::practice {

class RestObjects {
 public:
  // `api`: where this server is reached, so that links lead back to it.
  RestObjects(World& world, Actions& actions, std::string api)
      : world_(world), actions_(actions), api_(std::move(api)) {}

  [[nodiscard]] Json user(const std::string& login) const;        // null for nobody
  [[nodiscard]] Json whole_user(const std::string& login) const;  // of GET /user
  [[nodiscard]] Json repository(const Repository& repository, bool whole) const;
  [[nodiscard]] Json label(const Repository& repository, const Label& label) const;
  [[nodiscard]] Json issue(const Repository& repository, const Item& item) const;
  [[nodiscard]] Json comment(const Repository& repository, const Item& item, const Comment& comment) const;
  Result<Json> pull(Repository& repository, Item& item, bool whole);
  [[nodiscard]] Json review(const Repository& repository, const Item& item, const Review& review) const;
  [[nodiscard]] Json review_comment(const Repository& repository, const Item& item, const ReviewComment& one) const;
  [[nodiscard]] Json file(const Repository& repository, const Item& item, const ChangedFile& file) const;
  [[nodiscard]] Json commit(const Repository& repository, const Commit& commit) const;
  [[nodiscard]] Json check(const Repository& repository, const Check& check) const;
  [[nodiscard]] Json status(const Repository& repository, const CommitStatus& status) const;
  [[nodiscard]] Json combined_status(const Repository& repository, const std::string& sha) const;
  [[nodiscard]] Json push(const Repository& repository, const Push& push) const;
  [[nodiscard]] Json workflow_run(const Repository& repository, const WorkflowRun& run) const;

  [[nodiscard]] std::string api_url(const Repository& repository) const;
  [[nodiscard]] std::string html_url(const Repository& repository, const Item& item) const;

 private:
  [[nodiscard]] Json branch(Repository& repository, const std::string& owner, const std::string& ref,
                            const std::string& sha) const;
  [[nodiscard]] Json users(const std::vector<std::string>& logins) const;

  World& world_;
  Actions& actions_;
  std::string api_;
};

// Where people look; the same whatever the address of the server.
inline constexpr std::string_view kWeb = "https://github.com";

// "PR_12": what node(id:) of GraphQL takes.
[[nodiscard]] std::string node_id(std::string_view kind, std::int64_t id);

// A time, or null for none.
[[nodiscard]] Json time_or_null(std::int64_t ms);

}  // namespace pawl::practice
