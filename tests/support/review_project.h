// A workspace with a review in it, and a hand that changes its files behind pawl's back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "support/issue_project.h"

namespace pawl::test {

inline constexpr std::string_view kStateFile = ".review-buddy/review-buddy-state.md";
inline constexpr std::string_view kExportFile = ".review-buddy/review-buddy-findings.md";
inline constexpr std::string_view kTodoFile = ".review-buddy/review-todo.md";

class ReviewProject : public IssueProject {
 public:
  // octo/cat#7 with three chunks; without GitHub.
  void start(const std::string& pr = "octo/cat#7", const std::vector<std::string>& more = {}) const;
  void add(const std::string& title, const std::string& severity = "action-required", int line = 1,
           const std::vector<std::string>& more = {}) const;

  [[nodiscard]] Json json(std::vector<std::string> args) const;  // `pawl … --json`, which must succeed
  [[nodiscard]] Json state() const { return json({"review", "status"}); }
  [[nodiscard]] std::string state_file() const { return read(kStateFile).value_or("(none)"); }
  [[nodiscard]] std::string todo() const { return read(kTodoFile).value_or("(none)"); }
  [[nodiscard]] std::string chunk(int number) const;  // its status
  void edit_file(std::string_view name, std::string_view from, std::string_view to) const;

  // With a terminal for all three streams, and these lines typed.
  Ran at_terminal(const std::vector<std::string>& args, const std::string& typed,
                  const std::vector<std::string>& env = {}) const;
};

}  // namespace pawl::test
