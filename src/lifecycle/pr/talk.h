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
  bool open = true;
  bool draft = false;
  std::vector<Remark> comments;
  std::vector<TalkThread> threads;
};

// What woke this run up; all empty: nobody said.
struct Event {
  std::string name;    // "pull_request", "issue_comment", …
  std::string action;  // "synchronize"

  [[nodiscard]] std::string text() const { return action.empty() ? name : name + "." + action; }
  [[nodiscard]] bool asks_for_review() const {
    return name.starts_with("pull_request") && name.find("review") == std::string::npos &&
           (action == "opened" || action == "synchronize" || action == "ready_for_review");
  }
};

}  // namespace pawl::pr
