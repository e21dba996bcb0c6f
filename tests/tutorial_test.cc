// docs/tutorial.md, done as it says: every command in it is run, in one folder and one after the other, and every line
// below it must come, in that order. `…` stands for anything.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "support/binary.h"
#include "support/paths.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

struct Step {
  std::string command;
  std::vector<std::string> expected;
};

// The commands of the fenced blocks called console; one with <<'END' goes on to its END.
std::vector<Step> steps_of(const std::string& page) {
  std::vector<Step> steps;
  bool inside = false, here = false;
  for (const std::string_view line : split(page, '\n')) {
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && here) {
      steps.back().command += cat("\n", line);
      here = line != "END";
    } else if (inside && line.starts_with("$ ")) {
      steps.push_back({std::string(line.substr(2)), {}});
      here = line.find("<<'END'") != std::string_view::npos;
    } else if (inside && !line.empty()) {
      steps.back().expected.emplace_back(line);
    }
  }
  return steps;
}

// The parts of `pattern` between two … stand in `line` in this order.
bool fits(std::string_view pattern, std::string_view line) {
  constexpr std::string_view kAnything = "…";
  std::size_t at = 0;
  for (bool first = true;; first = false) {
    const std::size_t gap = pattern.find(kAnything);
    const std::string_view part = pattern.substr(0, gap);
    const std::size_t found = line.find(part, at);
    if (found == std::string_view::npos || (first && found != 0)) return false;
    at = found + part.size();
    if (gap == std::string_view::npos) return part.empty() || line.ends_with(part);
    pattern.remove_prefix(gap + kAnything.size());
  }
}

TEST(Tutorial, EveryCommandSaysWhatThePageSays) {
  const auto page = read_all(cat(PAWL_SOURCE_DIR, "/docs/tutorial.md"));
  ASSERT_TRUE(page);
  const auto steps = steps_of(*page);
  EXPECT_GT(steps.size(), 15U);
  TempWorkspace ws;
  fs::remove_all(ws.file(".git"));
  const std::string programs = fs::path(PAWL_BINARY).parent_path();
  for (const Step& step : steps) {
    const std::string script = cat("PATH=", shell_quoted(programs), ":$PATH\nexec 2>&1\n", step.command, "\n");
    const Ran ran = run_program("bash", {"-c", script}, ws.options());
    const auto lines = split(ran.out, '\n');
    std::size_t at = 0;
    for (const std::string& expected : step.expected) {
      if (expected == "…") continue;
      while (at < lines.size() && !fits(expected, lines[at])) ++at;
      EXPECT_LT(at, lines.size()) << "$ " << step.command << "\nlacks: " << expected << "\nin:\n" << ran.out;
      if (at < lines.size()) ++at;
    }
    if (!step.expected.empty()) continue;
    EXPECT_EQ(ran.exit, 0) << "$ " << step.command << "\n" << ran.out;
  }
}

}  // namespace
}  // namespace pawl::test
