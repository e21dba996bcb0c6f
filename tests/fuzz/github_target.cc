// What GitHub, or somebody in its place, answers: comments, patches, Link headers; and how people name a pull request.
#include "base/json.h"
#include "integrations/github/client.h"
#include "integrations/github/place.h"
#include "integrations/github/read_json.h"
#include "targets.h"

namespace pawl {

void fuzz_github(std::string_view bytes) {
  std::vector<Comment> comments;
  if (github::read_comments(std::string(bytes), comments)) {
    // Two readers that nobody here wrote together: what the fast one takes, the careful one takes, and counts the same.
    const auto value = parse_json(bytes);
    if (value) fuzz_require(value->is_array() && value->size() == comments.size(), "no comment more or less");
  }
  std::vector<ReviewComment> review_comments;
  static_cast<void>(github::read_review_comments(std::string(bytes), review_comments));

  for (const DiffLine& line : diff_lines(bytes))
    fuzz_require(line.left > 0 || line.right > 0 || line.sign != ' ', "a line has a number");

  const RepoRef here{"o", "r"};
  if (const auto ref = github::parse_pull_ref(std::string(bytes), "github.com", &here)) {
    const auto again = github::parse_pull_ref(ref->text(), "github.com", nullptr);
    fuzz_require(again && *again == *ref, "what was read is read again");
  }
  if (const auto repo = github::parse_remote(std::string(bytes), "github.com"))
    fuzz_require(repo->text().find("..") != 0 && repo->owner.find('/') == std::string::npos, "a name is no path");
  static_cast<void>(github::next_page(bytes));
}

}  // namespace pawl
