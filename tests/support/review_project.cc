#include "support/review_project.h"

#include <gtest/gtest.h>

namespace pawl::test {

void ReviewProject::start(const std::string& pr, const std::vector<std::string>& more) const {
  RunOptions options;
  options.input = R"([{"files": ["types.ts", "a.ts"], "loc": 120}, {"files": ["core/engine.ts"], "loc": 450},
                      {"files": ["tests/x.test.ts"], "loc": 60}])";
  std::vector<std::string> args = {"review", "start", pr, "--plan", "-", "--head", "abc123def456"};
  args.insert(args.end(), more.begin(), more.end());
  const Ran ran = run(args, options);
  ASSERT_EQ(ran.exit, 0) << ran.err;
}

void ReviewProject::add(const std::string& title, const std::string& severity, int line,
                        const std::vector<std::string>& more) const {
  std::vector<std::string> args = {
      "review",     "finding", "add",     "--file", "core/engine.ts", "--line", std::to_string(line),
      "--severity", severity,  "--title", title};
  args.insert(args.end(), more.begin(), more.end());
  must(args);
}

Json ReviewProject::json(std::vector<std::string> args) const {
  args.emplace_back("--json");
  return Json::parse(out(args), nullptr, false);
}

std::string ReviewProject::chunk(int number) const {
  const Json now = state();
  for (const Json& one : now["chunks"]) {
    if (one["chunk"] == number) return string_or(one, "status");
  }
  return "(none)";
}

void ReviewProject::edit_file(std::string_view name, std::string_view from, std::string_view to) const {
  const std::string text = read(name).value_or("(none)");
  ASSERT_TRUE(has(text, from)) << from << " is not in\n" << text;
  write(name, replaced(text, from, to));
}

Ran ReviewProject::at_terminal(const std::vector<std::string>& args, const std::string& typed,
                               const std::vector<std::string>& env) const {
  std::string line = PAWL_BINARY;
  for (const std::string& word : args) line += " '" + word + "'";
  RunOptions with = options();
  with.input = typed;
  with.env.insert(with.env.end(), env.begin(), env.end());
  return run_program("script", {"-qec", line, "/dev/null"}, with);
}

}  // namespace pawl::test
