// A review of many findings: what one more costs, and what reading the file costs.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "bench.h"
#include "lifecycles/review/review.h"
#include "lifecycles/review/state_file.h"
#include "lifecycles/review/state_text.h"

namespace pawl::bench {
namespace {

constexpr int kFew = 20, kMany = 2000;

// Findings as long as the seed's example.
std::string state_of(int findings) {
  std::string out =
      "---\npr_owner: \"octo\"\npr_repo: \"cat\"\npr_number: 7\nhead_sha: \"abc123def456\"\n"
      "started: \"2024-01-15T10:30:00Z\"\nupdated: \"2024-01-15T10:45:00Z\"\nmode: \"full\"\nfocus: \"\"\n"
      "self_review: false\n---\n\n## Chunk Plan\n\n| Chunk | Files | LOC | Status |\n|-------|-------|-----|--------|\n"
      "| 1 | core/engine.ts | 450 | in-progress |\n\n## Findings\n";
  for (int i = 0; i < findings; ++i) {
    const std::string n = std::to_string(i);
    out += std::string(i == 0 ? "" : "\n---\n") + "\n### 🔴 Action Required Unchecked null dereference in lookup " + n +
           "\n\n**File:** `core/engine" + std::to_string(i % 50) + ".ts:" + n +
           "` | **Category:** bug | **Confidence:** 95/100\n**Marked for GitHub:** true\n\nThe `getUser()` call can "
           "return "
           "null when the user ID is not found, but the result is used without a null check on line " +
           n +
           ".\n\n```suggestion\nconst user = getUser(id);\nif (!user) {\n  throw new UserNotFoundError(id);\n}\n```\n";
  }
  return out + "\n## Comments by File\n\n```json\n{}\n```\n";
}

std::string project_of(const Options& options, int findings) {
  const std::string folder = options.folder + "/review-" + std::to_string(findings);
  std::filesystem::create_directories(folder + "/.git");
  std::filesystem::create_directories(folder + "/.review-buddy");
  std::ofstream(folder + "/" + std::string(review::kStatePath)) << state_of(findings);
  run_process({PAWL_BINARY, "-C", folder, "init"});
  return folder;
}

// What any program must do to keep the file: write, sync, rename.
void write_bare(const std::string& folder, const std::string& bytes) {
  const std::string temporary = folder + "/bare.tmp";
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0 || ::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) || ::fdatasync(fd) != 0)
    give_up("cannot write " + temporary);
  ::close(fd);
  std::filesystem::rename(temporary, folder + "/bare.md");
}

// As pawl reads it.
std::string read_whole(const std::string& path) {
  auto image = read_file(path, review::kMaxStateBytes);
  if (!image || !image->exists) give_up("cannot read " + path);
  return std::move(image->bytes);
}

}  // namespace

std::vector<Figure> bench_review(const Options& options) {
  const std::string few = project_of(options, kFew), many = project_of(options, kMany);
  const std::string few_bytes = state_of(kFew), many_bytes = state_of(kMany);
  int count = 0;
  const auto add = [&](const std::string& folder) {
    run_process({PAWL_BINARY,    "-C",
                 folder,         "review",
                 "finding",      "add",
                 "--file",       "core/engine.ts",
                 "--line",       "42",
                 "--severity",   "minor",
                 "--category",   "bug",
                 "--confidence", "95",
                 "--title",      "One more " + std::to_string(++count),
                 "--body",       "It is used without a check."});
  };
  const int runs = std::max(20, options.runs / 8);
  const auto times = medians_in_turn(runs, {[&] { add(few); }, [&] { write_bare(few, few_bytes); }, [&] { add(many); },
                                            [&] { write_bare(many, many_bytes); }});
  const double small = times[0] - times[1], large = times[2] - times[3];
  char text[160];
  std::snprintf(text, sizeof text, "%.2f − %.2f ms : %.2f − %.2f ms", times[2] / 1000, times[3] / 1000, times[0] / 1000,
                times[1] / 1000);
  std::vector<Figure> figures;
  figures.push_back(
      at_most("a finding added to 2,000 : to 20, each less a bare write of the file", large / small, 3.0, text));

  const std::string path = many + "/bare.md";
  std::size_t found = 0;
  const auto read = medians_in_turn(runs, {[&] { found += read_whole(path).size(); },
                                           [&] {
                                             const auto scanned = review::scan_state(many_bytes);
                                             if (!scanned || scanned->findings.size() != kMany) give_up("not read");
                                             found += scanned->findings.size();
                                           },
                                           [&] {
                                             const auto content =
                                                 review::state_file().parse(review::kStatePath, "", many_bytes);
                                             if (!content) give_up("not read");
                                             found += content->shown.size();
                                           }});
  if (found == 0) give_up("nothing was read");
  std::snprintf(text, sizeof text, "%.2f ms : %.2f ms, %.0f kB", read[1] / 1000, read[0] / 1000,
                static_cast<double>(many_bytes.size()) / 1000);
  figures.push_back(at_most("a state file of 2,000 findings parsed : read", read[1] / read[0], 10.0, text));
  std::snprintf(text, sizeof text, "%.2f ms : %.2f ms", read[2] / 1000, read[0] / 1000);
  figures.push_back(shown("the same, made into records : read", read[2] / read[0], text));
  return figures;
}

}  // namespace pawl::bench
