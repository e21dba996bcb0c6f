// The world that `pawl practice` shows: what GitHub keeps about repositories, as plain values. Everything that git
// knows (heads, diffs, merges, when something was pushed) is not here but in a real bare repository beside it, so that
// a push with the real git changes the world like a request does.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "practice/git.h"

namespace pawl::practice {

struct User {
  std::int64_t id = 0;
  std::string login;
  std::string name;
  std::string type = "User";  // User, Bot, Organization
};

struct Label {
  std::int64_t id = 0;
  std::string name;
  std::string color = "ededed";
  std::string description;
};

// What an issue, a pull request, a comment and a review have alike.
struct Written {
  std::int64_t id = 0;
  std::string author;
  std::string body;
  std::string association;  // empty: worked out from members and collaborators
  std::int64_t created_ms = 0;
  std::int64_t updated_ms = 0;
};

struct Comment : Written {};

// A place in a diff, as the API speaks of it.
struct Place {
  std::string path;
  std::int64_t line = 0;  // 0: the whole file
  std::string side = "RIGHT";
  std::int64_t start_line = 0;  // 0: one line
  std::string start_side;
};

struct ReviewComment : Written {
  std::int64_t review = 0;
  std::int64_t thread = 0;
  std::int64_t in_reply_to = 0;
  Place place;
  std::string diff_hunk;
  std::string commit;
};

struct Thread {
  std::int64_t id = 0;
  bool resolved = false;
  bool outdated = false;
  std::string resolved_by;
  Place place;
};

struct Review : Written {
  std::string state = "COMMENTED";  // APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED, PENDING
  std::string commit;
};

struct Pull {
  std::int64_t id = 0;
  std::string head_owner;  // of the repository of the same name that has the head's branch
  std::string head_ref;
  std::string head_sha;  // as last seen; stays when the branch goes
  std::string base_ref;
  std::string base_sha;
  bool draft = false;
  bool maintainer_can_modify = false;
  std::int64_t merged_ms = 0;  // 0: not merged
  std::string merged_by;
  std::string merge_commit;
  std::string merge_state;  // not empty: what is told, whatever git says ("UNKNOWN", "BLOCKED")
  std::vector<std::string> review_requests;
  std::deque<Review> reviews;
  std::deque<Thread> threads;
  std::deque<ReviewComment> comments;
};

// An issue, or a pull request, which is an issue with a branch.
struct Item : Written {
  std::int64_t number = 0;
  std::string title;
  bool open = true;
  std::string state_reason;
  std::int64_t closed_ms = 0;
  std::string closed_by;
  bool locked = false;
  std::vector<Label> labels;
  std::vector<std::string> assignees;
  std::deque<Comment> comments;
  std::optional<Pull> pull;
};

struct Check {
  std::int64_t id = 0;
  std::string sha;
  std::string name;
  std::string status = "completed";
  std::string conclusion = "success";
  std::string title, summary, details_url;
  std::int64_t started_ms = 0;
  std::int64_t completed_ms = 0;
};

struct CommitStatus {
  std::int64_t id = 0;
  std::string sha;
  std::string context = "default";
  std::string state = "success";
  std::string description, target_url, creator;
  std::int64_t created_ms = 0;
};

// A run of a workflow of GitHub Actions.
struct WorkflowRun {
  std::int64_t id = 0;
  std::string sha, branch;
  std::string path;        // ".github/workflows/x.yml"
  std::string event;       // "pull_request"
  std::string conclusion;  // "cancelled", …; empty: it is under way
  std::int64_t created_ms = 0;
};

struct Repository {
  std::int64_t id = 0;
  std::string owner, name, description;
  std::string default_branch = "main";
  bool is_private = false;
  std::string parent;  // "o/r" of which this is a fork
  std::int64_t created_ms = 0;
  std::map<std::string, std::string> collaborators;  // login: admin, maintain, write, triage, read
  std::vector<Label> labels;
  std::vector<WorkflowRun> runs;
  std::map<std::int64_t, Item> items;  // by number
  std::deque<Check> checks;
  std::deque<CommitStatus> statuses;
  Git git;

  [[nodiscard]] std::string full_name() const { return owner + "/" + name; }
  [[nodiscard]] Item* pull(std::int64_t number);
};

struct Token {
  std::string login;
  bool can_write = true;
};

class World {
 public:
  std::string token = "practice";
  std::string login = "octocat";
  std::string folder;  // of the git repositories: OWNER/NAME.git
  std::map<std::string, Token, std::less<>> tokens;
  std::map<std::string, User, std::less<>> users;                        // by login in lower case
  std::map<std::string, std::vector<std::string>, std::less<>> members;  // of organisations, by login in lower case
  std::deque<Repository> repositories;

  [[nodiscard]] std::int64_t next_id() { return ++last_id_; }
  void ids_from(std::int64_t id) { last_id_ = id; }
  // Never moves backwards, and two calls never give the same millisecond: order is kept by time.
  [[nodiscard]] std::int64_t now_ms();

  // Everybody who is named exists.
  User& user(std::string_view who);
  [[nodiscard]] const User* find_user(std::string_view who) const;
  Repository* find(std::string_view owner, std::string_view name);
  Result<Repository*> repository(std::string_view owner, std::string_view name);
  // Makes the bare repository too, with one commit on its default branch.
  Result<Repository*> add_repository(const std::string& owner, const std::string& name, const std::string& branch);
  [[nodiscard]] bool is_member(std::string_view organisation, std::string_view who) const;
  [[nodiscard]] std::string permission(const Repository& repository, std::string_view who) const;
  [[nodiscard]] std::string association(const Repository& repository, const Written& written) const;

 private:
  std::int64_t last_id_ = 1000;
  std::int64_t last_ms_ = 0;
};

[[nodiscard]] std::string lower(std::string_view text);

}  // namespace pawl::practice
