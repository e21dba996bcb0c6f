// What pawl asks of a forge, in pawl's own words. GitHub stands behind it (integrations/github/); everything that talks
// to a forge speaks to this, and so can be tried against another one.
//
// Ids keep all 64 bits. Texts are as their authors wrote them: untrusted, to be made printable where they are shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/patch.h"
#include "base/result.h"

namespace pawl {

struct RepoRef {
  std::string owner;
  std::string name;

  auto operator<=>(const RepoRef&) const = default;
  [[nodiscard]] std::string text() const { return owner + "/" + name; }
};

struct PullRef {
  RepoRef repo;
  std::int64_t number = 0;

  auto operator<=>(const PullRef&) const = default;
  [[nodiscard]] std::string text() const { return repo.text() + "#" + std::to_string(number); }
};

enum class PullState { open, closed, merged };
// Whether it could be merged now, as the forge sees it. `unknown`: it has not made up its mind; ask again.
enum class MergeState { unknown, clean, unstable, behind, blocked, dirty, draft, has_hooks };
enum class ReviewDecision { none, review_required, changes_requested, approved };

struct PullRequest {
  PullRef ref;
  std::string node_id;  // the forge's own name for it
  std::string title;
  std::string body;
  std::string url;
  std::string author;
  PullState state = PullState::open;
  bool draft = false;
  std::string head_ref;
  std::string head_sha;
  bool from_fork = false;  // the head is a branch of another repository than the one it goes into
  std::string base_ref;
  MergeState merge_state = MergeState::unknown;
  ReviewDecision decision = ReviewDecision::none;
  std::string created_at;  // ISO 8601, as the forge writes it
  std::string updated_at;
};

enum class CheckState { waiting, passed, failed, skipped };

struct Check {
  std::string name;
  CheckState state = CheckState::waiting;
  std::string detail;  // the forge's own word: "timed_out", "in_progress"
  std::string url;
};

struct Comment {
  std::uint64_t id = 0;
  std::string author;       // "": the account is gone; a program's ends in [bot], which no person's can
  std::string association;  // OWNER, MEMBER, COLLABORATOR, CONTRIBUTOR, …: who may be believed
  std::string body;
  std::string created_at;
  std::string updated_at;
  std::string url;
};

// A comment on a line of the diff.
struct ReviewComment : Comment {
  std::uint64_t review = 0;
  std::uint64_t in_reply_to = 0;  // 0: it begins a thread
  std::string path;
  std::int64_t line = 0;  // 0: the line is gone
  std::string side;       // LEFT or RIGHT
  std::string commit;
};

struct Review {
  std::uint64_t id = 0;
  std::string author;
  std::string association;
  std::string state;  // APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED, PENDING
  std::string body;
  std::string submitted_at;
  std::string commit;
  std::string updated_at = {};  // told by `said` alone
  std::string url = {};         // told by REST alone
};

struct ReviewThread {
  std::string node_id;
  bool resolved = false;
  bool outdated = false;
  std::string path;
  std::int64_t line = 0;
  std::vector<Comment> comments;
};

// What was said about lines, and the texts of the reviews that it was said in.
struct Said {
  std::vector<ReviewThread> threads;
  std::vector<Review> reviews;  // submitted ones
};

struct LineComment {
  std::string path;
  std::int64_t line = 0;
  std::string side = "RIGHT";
  std::int64_t start_line = 0;  // 0: one line
  std::string body;
};

struct ReviewDraft {
  std::string commit;  // the head it is about
  std::string event;   // APPROVE, REQUEST_CHANGES, COMMENT
  std::string body;
  std::vector<LineComment> comments;
};

struct PullDraft {
  std::string title;
  std::string body;
  std::string head;
  std::string base;
};

struct Issue {
  std::int64_t number = 0;
  std::string title;
  std::string state;  // open, closed
  std::string url;
};

struct Push {
  std::string who;
  std::string at;
};

// A run of a workflow of GitHub Actions.
struct WorkflowRun {
  std::string path;        // of the workflow's file
  std::string event;       // what started it
  std::string conclusion;  // success, cancelled, …; empty: it is under way
};

// What one request tells of a pull request: enough to see whether there is anything new.
struct Glance {
  PullRequest pull;           // without merge_state and decision
  std::string viewer;         // the account that asks
  std::int64_t comments = 0;  // how many there are, not counting those in threads
};

enum class MergeMethod { merge, squash, rebase };

[[nodiscard]] std::string_view word_of(MergeState state);
[[nodiscard]] std::string_view word_of(ReviewDecision decision);
// Accounts are the same in capitals and small letters.
[[nodiscard]] bool same_login(std::string_view a, std::string_view b);
// The same, of an app's too, which is spelled with and without "[bot]"; nobody's is no account.
[[nodiscard]] bool same_account(std::string_view a, std::string_view b);

[[nodiscard]] std::string_view word_of(MergeMethod method);
[[nodiscard]] std::optional<MergeMethod> merge_method(std::string_view word);

class Forge {
 public:
  virtual ~Forge() = default;

  virtual Result<PullRequest> pull(const PullRef& ref) = 0;
  // Of a branch, the open one first, else the newest; nothing when it has none.
  virtual Result<std::optional<PullRef>> pull_of_branch(const RepoRef& repo, const std::string& branch) = 0;
  virtual Result<std::vector<Check>> checks(const RepoRef& repo, const std::string& sha) = 0;
  virtual Result<Glance> glance(const PullRef& ref) = 0;
  virtual Result<std::vector<Comment>> comments(const PullRef& ref) = 0;
  // The same, asking only for what has changed since the last time where that is known. `count` is how many there are,
  // by which it is seen that one is gone.
  virtual Result<std::vector<Comment>> comments_known(const PullRef& ref, std::int64_t count) = 0;
  // Those written or edited at this time or later.
  virtual Result<std::vector<Comment>> comments_since(const PullRef& ref, const std::string& time) = 0;
  virtual Result<std::vector<ReviewComment>> review_comments_since(const PullRef& ref, const std::string& time) = 0;
  virtual Result<std::vector<ReviewComment>> review_comments(const PullRef& ref) = 0;
  virtual Result<std::vector<Review>> reviews(const PullRef& ref) = 0;
  virtual Result<std::vector<ReviewThread>> threads(const PullRef& ref) = 0;
  // Both of these at once: as many requests as the longer of the two has pages.
  virtual Result<Said> said(const PullRef& ref) = 0;
  virtual Result<std::vector<ChangedFile>> files(const PullRef& ref) = 0;
  virtual Result<Comparison> compare(const RepoRef& repo, const std::string& from, const std::string& to) = 0;
  // Whose the token is.
  virtual Result<std::string> login() = 0;
  virtual Result<Comment> comment(const RepoRef& repo, std::uint64_t id) = 0;
  virtual Result<Issue> issue(const RepoRef& repo, std::int64_t number) = 0;
  // The pull requests, open or merged, whose text says that they close the issue, as the forge's search finds them.
  virtual Result<std::vector<PullRef>> pulls_naming(const RepoRef& repo, std::int64_t issue) = 0;
  // admin, maintain, write, triage, read or none.
  virtual Result<std::string> permission(const RepoRef& repo, const std::string& login) = 0;
  virtual Result<bool> is_member(const std::string& organisation, const std::string& login) = 0;
  // When the branch's newest commit came to the forge, which is not the time that the commit says of itself.
  virtual Result<Push> push_of(const RepoRef& repo, const std::string& branch, const std::string& sha) = 0;
  // Those that were started for this commit, the newest hundred. unauthorized: the token may not see them.
  virtual Result<std::vector<WorkflowRun>> workflow_runs(const RepoRef& repo, const std::string& sha) = 0;

  // --- writes; unavailable: it may have happened or not, so look before trying again (integrations/posting.h) ---
  virtual Result<Comment> create_comment(const PullRef& ref, const std::string& body) = 0;
  virtual Result<Comment> update_comment(const RepoRef& repo, std::uint64_t id, const std::string& body) = 0;
  virtual Result<ReviewComment> update_review_comment(const RepoRef& repo, std::uint64_t id,
                                                      const std::string& body) = 0;
  virtual Result<ReviewComment> reply(const PullRef& ref, std::uint64_t in_reply_to, const std::string& body) = 0;
  // One that is gone already is removed.
  virtual Done remove_comment(const RepoRef& repo, std::uint64_t id) = 0;
  virtual Done remove_review_comment(const RepoRef& repo, std::uint64_t id) = 0;
  virtual Done resolve(const std::string& thread_node_id) = 0;
  virtual Done unresolve(const std::string& thread_node_id) = 0;
  virtual Result<Review> submit_review(const PullRef& ref, const ReviewDraft& draft) = 0;
  virtual Result<PullRequest> create_draft(const RepoRef& repo, const PullDraft& draft) = 0;
  virtual Done mark_ready(const PullRef& ref) = 0;
  // conflict: the head is not `head_sha` any more.
  virtual Result<std::string> merge(const PullRef& ref, const std::string& head_sha, MergeMethod method) = 0;
};

}  // namespace pawl
