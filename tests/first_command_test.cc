// Every command may be the first one: in a repository that has no store yet none ends with an error of the store or of
// the disk, and one that only reads makes no store. What is run stands in tests/first_commands.txt.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "commands/verb.h"
#include "support/paths.h"
#include "support/review_examples.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

struct Step {
  std::string verb, arguments;
};

std::vector<Step> steps() {
  const std::string text = read_all(cat(PAWL_SOURCE_DIR, "/tests/first_commands.txt")).value_or("");
  std::vector<Step> out;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t bar = line.find(" |");
    out.push_back({std::string(line.substr(0, bar)), std::string(line.substr(bar + 2))});
  }
  return out;
}

const Verb* verb_called(const std::string& name) {
  const auto verbs = all_verbs();
  const auto found = std::find_if(verbs.begin(), verbs.end(), [&](const Verb* one) { return full_name(*one) == name; });
  return found == verbs.end() ? nullptr : *found;
}

enum class Place { no_files, files, subfolder, worktree };

// A repository in which pawl was never run.
class Fresh : public RunProject {
 public:
  explicit Fresh(Place place) : here_(path()) {
    if (place != Place::no_files) put_files();
    if (place == Place::subfolder) fs::create_directories(here_ = file("a/b"));
    if (place == Place::worktree) git({"worktree", "add", "-q", here_ = file("../linked")});
    if (::mkfifo(told().c_str(), 0600) != 0) ADD_FAILURE() << "no named pipe: " << told();
  }

  [[nodiscard]] Ran begin_with(const Step& step, const Verb& verb) const {
    RunOptions options =
        with_tmux({cat("PAWL=", PAWL_BINARY), cat("TOLD=", told()),
                   "GH_TOKEN=", "GITHUB_TOKEN=", "PAWL_GITHUB_TOKEN=", cat("GH_CONFIG_DIR=", file("../no-gh"))});
    options.cwd = here_;
    const char* const json = verb.text == nullptr ? "" : " --json ";
    return run_program("bash", {"-c", cat("\"$PAWL\" ", step.verb, json, step.arguments)}, options);
  }

 private:
  [[nodiscard]] std::string told() const { return file("../told"); }
  // Of each family one, and a check that somebody has trusted.
  void put_files() const {
    write("prd.json", R"({"stories": [
  {"id": "US-1", "title": "a", "status": "pending", "acceptanceCriteria": ["works", "It is blue"], "checks": {"works": ["true"]}},
  {"id": "US-2", "title": "b", "status": "done"}]})");
    write(kLoopFile, R"({"active": true, "iteration": 1, "max_iterations": 5, "prompt": "go", "session_id": "s1",
  "started_at": "2026-01-30T09:00:00.000Z"})");
    write(path_of(1),
          R"({"issue": 1, "status": "running", "session": "pi-issue-1", "timestamp": "2026-01-30T09:00:00Z"})");
    write(".review-buddy/review-buddy-state.md", kSeed);
    write(".gitignore", ".worktrees\n.omc\n.review-buddy\n");
    commit_all("files");
    must({"trust", "--stories"});
  }

  std::string here_;
};

// The code of the error on stderr, or nothing.
std::string error_code(const std::string& err) {
  for (const std::string_view line : split(err, '\n')) {
    const auto one = parse_json(line);
    if (one && one->is_object() && one->contains("error")) return string_or((*one)["error"], "code");
  }
  return {};
}

class FirstCommand : public testing::TestWithParam<Place> {};

TEST_P(FirstCommand, EveryVerbDoesOrRefusesItForAReasonOfItsOwn) {
  std::unique_ptr<Fresh> project;
  for (const Step& step : steps()) {
    SCOPED_TRACE(cat("pawl ", step.verb, " ", step.arguments));
    const Verb* const verb = verb_called(step.verb);
    ASSERT_NE(verb, nullptr);
    if (!project) project = std::make_unique<Fresh>(GetParam());
    ASSERT_FALSE(project->exists(".pawl"));
    const Ran ran = project->begin_with(step, *verb);
    // Done, refused, not found, conflict, time is over, ended by a signal: no error of use, of the store or of the
    // disk.
    constexpr std::array kGood = {0, 1, 3, 4, 124, 143};
    EXPECT_TRUE(std::find(kGood.begin(), kGood.end(), ran.exit) != kGood.end()) << ran.exit << "\n"
                                                                                << ran.out << ran.err;
    const std::string code = error_code(ran.err);
    EXPECT_TRUE(code != "io" && code != "corruption" && code != "internal") << ran.err;
    if (verb->world) {
      EXPECT_TRUE(code.empty() || code == "unauthorized" || code == "not_found") << ran.err;
    }
    if (verb->read_only) {
      EXPECT_FALSE(project->exists(".pawl")) << "looking made a store";
    }
    if (!verb->read_only || project->exists(".pawl")) project.reset();
  }
}

std::string name_of(const testing::TestParamInfo<Place>& one) {
  constexpr std::array kNames = {"NoFiles", "Files", "Subfolder", "Worktree"};
  return kNames[static_cast<std::size_t>(one.param)];
}

INSTANTIATE_TEST_SUITE_P(Places, FirstCommand,
                         testing::Values(Place::no_files, Place::files, Place::subfolder, Place::worktree), name_of);

TEST(FirstCommands, EveryVerbIsTried) {
  std::set<std::string> tried;
  for (const Step& step : steps()) tried.insert(step.verb);
  for (const Verb* verb : all_verbs())
    EXPECT_TRUE(tried.contains(full_name(*verb)))
        << "tests/first_commands.txt has no line for pawl " << full_name(*verb);
}

}  // namespace
}  // namespace pawl::test
