#include "integrations/review_draft.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "lifecycles/pr/defuse.h"
#include "lifecycles/review/finding_text.h"
#include "lifecycles/review/markdown.h"
#include "lifecycles/review/outward.h"

namespace pawl {
namespace {

const review::Severity& severity_of(const Json& finding) {
  const review::Severity* const found = review::severity(string_or(finding, "severity"));
  return found == nullptr ? review::kSeverities.back() : *found;
}

std::string text_of(const Json& whole) {
  const Json finding = review::outward(whole);
  const review::Severity& how = severity_of(finding);
  const std::string category = string_or(finding, "category");
  const std::string body = string_or(finding, "body");
  return cat("**", how.sign, " ", how.name, ": ", string_or(finding, "title"), "**",
             category.empty() ? std::string() : cat(" (", category, ")"), body.empty() ? "" : "\n\n", body);
}

// The lines of the new side that a comment may stand on, with the hunk that each is in.
class DiffPlaces {
 public:
  explicit DiffPlaces(std::span<const ChangedFile> files) {
    for (const ChangedFile& file : files) {
      std::int64_t hunk = 1, last = 0;
      for (const DiffLine& line : diff_lines(file.patch)) {
        if (line.right == 0) continue;
        if (line.right != last + 1) ++hunk;
        last = line.right;
        lines_[file.path][line.right] = hunk;
      }
    }
  }
  // 0: it is not in the diff.
  [[nodiscard]] std::int64_t hunk(const std::string& path, std::int64_t line) const {
    const auto file = lines_.find(path);
    if (file == lines_.end()) return 0;
    const auto found = file->second.find(line);
    return found == file->second.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, std::map<std::int64_t, std::int64_t>> lines_;
};

}  // namespace

DraftedReview draft_review(std::span<const Json> findings, std::span<const ChangedFile> files, const std::string& head,
                           const review::Verdict& verdict, const review::Circumstances& circumstances,
                           const std::vector<std::string>& names) {
  DraftedReview out;
  out.draft.commit = head;
  out.draft.event = verdict.event;
  const DiffPlaces places(files);
  std::map<std::string_view, int> counts;
  std::string rest;
  for (const Json& finding : findings) {
    ++counts[severity_of(finding).word];
    const std::string path = string_or(finding, "file");
    const std::int64_t line = integer_or(finding, "line"), end = std::max(line, integer_or(finding, "end_line"));
    const std::int64_t hunk = places.hunk(path, end);
    // All of it, or a suggestion would take the place of a part of its lines.
    const bool on_line = line > 0 && hunk != 0 && places.hunk(path, line) == hunk && !circumstances.head_moved() &&
                         !finding.contains("outdated");
    out.on_line.push_back(on_line);
    if (on_line) {
      LineComment comment;
      comment.path = path;
      comment.line = end;
      if (end > line) comment.start_line = line;
      comment.body = pr::defused(text_of(finding), names);
      out.draft.comments.push_back(std::move(comment));
      ++out.in_line;
      continue;
    }
    const review::Location at{path, line, integer_or(finding, "end_line")};
    rest += cat("\n\n---\n\n", cat("`", at.text(), "`\n\n", pr::defused(text_of(finding), names)));
    ++out.in_body;
  }
  std::string summary;
  for (const review::Severity& one : review::kSeverities) {
    if (counts[one.word] > 0)
      summary += cat(summary.empty() ? "" : ", ", one.sign, " ", counts[one.word], " ", one.name);
  }
  out.draft.body = cat(summary.empty() ? std::string("No findings.") : summary, rest);
  return out;
}

}  // namespace pawl
