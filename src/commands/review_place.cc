// Whether the place that a finding names is in the pull request: by the review's plan, and where the commit is here by
// git. GitHub is not asked.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "commands/review.h"
#include "integrations/git_command.h"

namespace pawl::review {
namespace {

constexpr std::size_t kMostFilesCounted = 20;  // a scanner may tell of thousands, and git is asked for each

// How many lines the file has at the head that is reviewed; -1 where that cannot be told here.
std::int64_t line_count(const Engine& engine, const std::string& head, const std::string& file) {
  if (engine.workspace().git_dir.empty() || head.empty()) return -1;
  const auto bytes = ask_git(engine.workspace().root, {"cat-file", "blob", cat(head, ":", file)});
  if (!bytes || bytes->empty()) return -1;
  return std::count(bytes->begin(), bytes->end(), '\n') + (bytes->ends_with('\n') ? 0 : 1);
}

}  // namespace

std::vector<std::string> odd_places(const Engine& engine, const Record& review, std::span<const Record> chunks,
                                    std::span<const FindingValues> findings) {
  std::set<std::string> planned, said;
  for (const Record& chunk : chunks) {
    const Json files = chunk_json(chunk)["files"];
    for (const Json& file : files) planned.insert(file.is_string() ? file.get<std::string>() : std::string());
  }
  const std::string head = string_or(review.doc, "head_sha");
  std::map<std::string, std::int64_t> counted;
  std::vector<std::string> out;
  for (const FindingValues& one : findings) {
    const std::string file = tidy_path(one.file.value_or(""));
    if (file.empty()) continue;
    if (!planned.contains(file)) {
      if (said.insert(file).second)
        out.push_back(
            cat(printable(file), " is in no chunk of this review: a finding on it goes into the review's text"));
      continue;
    }
    const std::int64_t last = one.end_line.value_or(one.line.value_or(0));
    if (last == 0 || (!counted.contains(file) && counted.size() >= kMostFilesCounted)) continue;
    const auto [entry, fresh] = counted.try_emplace(file, 0);
    if (fresh) entry->second = line_count(engine, head, file);
    const std::int64_t lines = entry->second;
    if (lines < 0 || last <= lines) continue;
    out.push_back(cat(printable(file), " has ", lines, lines == 1 ? " line" : " lines", " at ",
                      printable(head.substr(0, 12)), ", and no line ", last));
  }
  return out;
}

}  // namespace pawl::review
