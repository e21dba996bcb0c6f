// What was said on a pull request, as the law sees it: views into what was fetched, which must outlive them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::pr {

struct Remark {
  std::uint64_t id = 0;
  std::string_view author;  // "": the account is gone
  std::string_view association;
  std::string_view body;
  std::string_view created_at;  // ISO times in one zone sort as text
  std::string_view updated_at;
  bool by_bot = false;      // by the account that pawl speaks as
  bool by_machine = false;  // by another program's account
  bool is_review = false;   // the text of a review, which GitHub counts apart from comments
};

struct TalkThread {
  std::string_view node_id;
  std::string_view path;
  std::int64_t line = 0;  // 0: the line is gone
  bool resolved = false;
  bool outdated = false;
  std::vector<Remark> remarks;  // oldest first; the first one began it
};

struct Talk {
  std::string repository;  // "octo/cat"
  std::int64_t pull = 0;
  std::string head;  // its commit
  std::string base;  // the branch that it goes into, which decides what the diff is
  bool open = true;
  bool draft = false;
  bool push_was_lost = false;  // an event that asks for a review of this head woke a run, which left no trace
  std::vector<Remark> comments;
  std::vector<TalkThread> threads;
  std::vector<Remark> reviews;  // their texts
};

// What woke this run up; all empty: nobody said.
struct Event {
  std::string name;       // "pull_request", "issue_comment", …
  std::string action;     // "synchronize"
  std::string head = {};  // the pull request's, where it says so
  bool draft = false;

  [[nodiscard]] std::string text() const { return action.empty() ? name : name + "." + action; }
  [[nodiscard]] bool asks_for_review() const {
    return name.starts_with("pull_request") && name.find("review") == std::string::npos &&
           (action == "opened" || action == "synchronize" || action == "ready_for_review");
  }
};

}  // namespace pawl::pr
