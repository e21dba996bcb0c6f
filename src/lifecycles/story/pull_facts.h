// What is known of a story's pull request, and what follows from it: whether it may be merged, whose turn it is,
// whether it is over. Pure: who can look (runners/story_bot/) fills the facts in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pawl::story {

// A review, a comment, or a comment on a line.
struct Said {
  std::string id;  // "review 12", "comment 13", "line 14": each its own
  std::string author;
  std::string association;
  std::string at;      // ISO 8601
  std::string state;   // of a review: APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED
  std::string commit;  // that a review is of
  std::string path;
  std::int64_t line = 0;
  std::string body;
  std::string url;
  bool trusted = false;  // one whose word counts
  bool ours = false;     // the bot's own account
};

struct PullFacts {
  std::int64_t number = 0;
  std::string repo;  // owner/name
  std::string url, title, body, author;
  std::string state;  // open, closed, merged
  bool draft = false;
  std::string head_ref, head_sha, base_ref;
  bool from_fork = false;   // the head is a branch of another repository
  std::string merge_state;  // clean, unstable, behind, blocked, dirty, draft, has_hooks, unknown
  std::string decision;     // none, review_required, changes_requested, approved
  std::vector<std::string> failed_checks, waiting_checks;
  std::int64_t passed_checks = 0;
  std::int64_t open_threads = 0;
  std::string pushed_at;  // when the head came to GitHub; "" where that is not told
  std::vector<Said> said;
  std::vector<std::int64_t> not_there;  // pull requests of this repository that somebody named and that there are not
};

[[nodiscard]] bool checks_are_green(const PullFacts& facts);
// Those of trusted reviewers whose newest word on the newest commit is an approval.
[[nodiscard]] std::vector<std::string> approved_by(const PullFacts& facts);
// Why it cannot be merged now, a few words each; empty: it can. `base`: the branch that stories go into, and no other.
[[nodiscard]] std::vector<std::string> merge_blockers(const PullFacts& facts, std::int64_t approvals,
                                                      const std::string& base);
// All that the decision stands on, for the event.
[[nodiscard]] Json merge_ground(const PullFacts& facts);

// Who is to go on.
struct Turn {
  bool reviewer_went_last = false;
  std::vector<Said> news;     // what trusted reviewers said that was not answered, oldest first
  std::int64_t left_out = 0;  // what others said meanwhile
  // What was said before somebody else's push, and so was answered by it; told, as the bot's own next push hides that.
  std::vector<std::string> settled;
};
// `answered`: ids that an agent was given already. `pushed`: the commit that the bot itself pushed last: what was said
// while its agent was still at work is older than that push, and yet not answered. Before anybody else's push it is. An
// approval asks for nothing.
[[nodiscard]] Turn turn_of(const PullFacts& facts, const std::vector<std::string>& answered, const std::string& pushed);

// A trusted reviewer's word that the work was done elsewhere: a line that begins with `done elsewhere`, `already done`,
// `duplicate of` or `superseded by` and names where.
struct Elsewhere {
  std::string by, association, url, where;
  std::int64_t number = 0;  // of the pull request in this repository that is named; 0: something else is
};
[[nodiscard]] std::optional<Elsewhere> done_elsewhere(const PullFacts& facts);

// "#12", "owner/repo#12" or the address of an issue or a pull request, as the words that GitHub takes for closing it
// ("fixes #12") name it.
[[nodiscard]] bool closes_issue(std::string_view text, std::string_view repo, std::int64_t issue);
// How the pull request is known to address the story; "" when it is not.
[[nodiscard]] std::string addresses_story(const PullFacts& facts, std::string_view id, const Json& doc);

// Why the pull request cannot be this story's: it is of another branch than the one that was made or named for it, or
// of another repository's. "" when it can.
[[nodiscard]] std::string not_of_story(const PullFacts& facts, const Json& doc);
// Why one that was merged is no end of a story: it went into another branch than stories go into. "" when it did not.
[[nodiscard]] std::string merged_elsewhere(const PullFacts& facts, const std::string& base);

// Whom GitHub itself vouches for.
[[nodiscard]] bool is_trusted_association(std::string_view association);

}  // namespace pawl::story
