// What a person types first and most often: the board of an ordinary project, and the doctor in a large one.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/json.h"
#include "base/text.h"
#include "bench.h"

namespace pawl::bench {
namespace {

namespace fs = std::filesystem;

void put(const std::string& path, const std::string& bytes) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << bytes;
}

// 500 stories, 50 issues, a review and a loop.
std::string ordinary_project(const Options& options) {
  const std::string folder = options.folder + "/ordinary";
  make_project(folder);
  Json stories = Json::array();
  for (int i = 0; i < 500; ++i) {
    stories.push_back({{"id", cat("US-", i)},
                       {"title", cat("Reset a password by e-mail, part ", i)},
                       {"description", "As a user, I want a link in my mail, so that I get back in."},
                       {"acceptanceCriteria", {"The link works once", "It ends after an hour"}},
                       {"priority", i % 5},
                       {"status", i % 3 == 0 ? "merged" : "pending"}});
  }
  put(folder + "/prd.json", to_pretty(Json{{"project", "Bench"}, {"stories", std::move(stories)}}) + "\n");
  for (int i = 1; i <= 50; ++i) {
    put(cat(folder, "/.worktrees/.status/", i, ".json"),
        cat("{\n  \"issue\": ", i, ",\n  \"status\": \"", i % 5 == 0 ? "running" : "complete",
            "\",\n  \"session\": \"pi-issue-", i, "\",\n  \"timestamp\": \"2026-01-30T09:00:00Z\"\n}\n"));
  }
  put(folder + "/.omc/ralph-state.json",
      "{\n  \"active\": true,\n  \"iteration\": 3,\n  \"max_iterations\": 50,\n  \"started_at\": "
      "\"2026-01-28T21:26:00.000Z\",\n  \"prompt\": \"make the tests pass\",\n  \"session_id\": \"s1\"\n}");
  put(folder + "/.review-buddy/review-buddy-state.md",
      "---\npr_owner: \"octo\"\npr_repo: \"cat\"\npr_number: 7\nhead_sha: \"abc123def456\"\nstarted: "
      "\"2026-01-30T09:00:00Z\"\nupdated: \"2026-01-30T09:00:00Z\"\nmode: \"full\"\nfocus: \"\"\nself_review: "
      "false\n---\n\n"
      "## Chunk Plan\n\n| Chunk | Files | LOC | Status |\n|-------|-------|-----|--------|\n"
      "| 1 | a.cc | 10 | reviewed |\n| 2 | b.cc | 10 | pending |\n\n## Findings\n");
  run_process({PAWL_BINARY, "-C", folder, "init", "--no-settings"});
  return folder;
}

// A repository of many small files, all committed.
std::string large_repository(const Options& options, int count) {
  const std::string folder = options.folder + "/large";
  constexpr int kInFolder = 500;
  for (int i = 0; i < count; ++i) {
    const std::string below = cat(folder, "/src/part-", i / kInFolder);
    if (i % kInFolder == 0) fs::create_directories(below);
    std::ofstream(cat(below, "/file-", i, ".txt")) << i << "\n";
  }
  put(folder + "/.worktrees/.status/1.json", "{\"issue\": 1, \"status\": \"complete\"}\n");
  run_process({"/usr/bin/env", "git", "-C", folder, "init", "-q"});
  run_process({"/usr/bin/env", "git", "-C", folder, "add", "-A"});
  run_process({"/usr/bin/env", "git", "-C", folder, "-c", "user.name=b", "-c", "user.email=b@example.org", "commit",
               "-q", "-m", "all"});
  return folder;
}

}  // namespace

std::vector<Figure> bench_first_day(const Options& options) {
  std::vector<Figure> figures;
  const std::string pawl = installed(PAWL_BINARY, options.folder + "/bin");
  const std::string empty = installed(FLOOR_EMPTY, options.folder + "/bin");
  const std::string project = ordinary_project(options);
  const auto status = medians_in_turn(options.runs, {[&] {
                                                       run_process({pawl, "-C", project, "status"});
                                                     },
                                                     [&] { run_process({empty}); }});
  figures.push_back(at_most("`pawl status` of 500 stories, 50 issues, a review and a loop : an empty program",
                            status[0] / status[1], 6.0, both(status[0], status[1])));

  const int count = static_cast<int>(100'000 * options.scale);
  const std::string large = large_repository(options, count);
  const int runs = std::max(options.runs / 10, 5);
  const auto doctor = medians_in_turn(runs, {[&] {
                                               run_process({pawl, "-C", large, "doctor"});
                                             },
                                             [&] {
                                               run_process({"/usr/bin/env", "git", "-C", large, "status", "--short"});
                                             }});
  figures.push_back(at_most(cat("`pawl doctor` in a repository of ", count, " files : `git status`"),
                            doctor[0] / doctor[1], 10.0, both(doctor[0], doctor[1])));
  return figures;
}

}  // namespace pawl::bench
