// A workspace with a list of stories in it, and a hand that changes the list behind pawl's back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "support/issue_project.h"

namespace pawl::test {

inline constexpr std::string_view kPrd = "prd.json";

class StoryProject : public IssueProject {
 public:
  // One story: {"id", "title", "acceptanceCriteria", "priority", "status"}; more members go on top.
  [[nodiscard]] static Json story(const std::string& id, const std::string& status = "pending", int priority = 1,
                                  const Json& more = Json::object());
  // prd.json with these; adopted.
  void stories(const std::vector<Json>& list) const;

  [[nodiscard]] Json json(std::vector<std::string> args, int exit = 0) const;  // `pawl … --json`
  [[nodiscard]] std::string status(const std::string& id) const;               // as pawl tells it
  [[nodiscard]] std::string in_file(const std::string& id) const;              // as prd.json says
  [[nodiscard]] std::string prd() const { return read(kPrd).value_or("(none)"); }
  void edit_prd(std::string_view from, std::string_view to) const;
  void record_gates() const { write("pawl.toml", "[story]\ngates = \"record\"\n"); }
  // What `story next` gives; "" for nothing.
  [[nodiscard]] std::string next(std::vector<std::string> more = {}) const;
  [[nodiscard]] Json take(const std::string& worker, std::vector<std::string> how = {"--lease", "10m"}) const;
};

}  // namespace pawl::test
