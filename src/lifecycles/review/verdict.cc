#include "lifecycles/review/verdict.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/review/severity.h"

namespace pawl::review {
namespace {

bool any_of(std::span<const Json> findings, const Severity& severity) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Json& one) { return string_or(one, "severity") == severity.word; });
}

// "in no chunk, so nobody looked at it: a, b and 3 more"
std::string not_looked_at(const std::vector<std::string>& files) {
  return cat("in no chunk, so nobody looked at ", files.size() == 1 ? "it: " : "them: ", first_few(files, 5));
}

}  // namespace

Verdict verdict(std::span<const Json> findings, const Circumstances& circumstances) {
  Verdict out{"APPROVE", {}};
  if (any_of(findings, kSeverities[0])) {
    out.event = "REQUEST_CHANGES";
  } else if (any_of(findings, kSeverities[1])) {
    out.event = "COMMENT";
  }
  if (circumstances.own_pull && out.event != "COMMENT") return {"COMMENT", "it is one's own pull request"};
  if (out.event != "APPROVE") return out;
  if (circumstances.head_moved() || circumstances.reviewed_head != circumstances.head)
    return {"COMMENT", circumstances.head_moved()
                           ? cat("what was reviewed is ", printable(circumstances.moved_from), ", and the head is now ",
                                 printable(circumstances.head), ", which is not approved: pawl review validate")
                           : cat("the review names its head as ", printable(circumstances.reviewed_head), " only, and ",
                                 printable(circumstances.head), " is approved by its whole name alone")};
  if (!circumstances.not_planned.empty()) return {"COMMENT", not_looked_at(circumstances.not_planned)};
  if (circumstances.grave_unmarked > 0)
    return {"COMMENT", cat(circumstances.grave_unmarked, " action-required ",
                           circumstances.grave_unmarked == 1 ? "finding is" : "findings are",
                           " not marked for GitHub, but not dropped either")};
  if (circumstances.grave_unsaid > 0)
    return {"COMMENT", cat(circumstances.grave_unsaid, " action-required ",
                           circumstances.grave_unsaid == 1 ? "finding of the review is" : "findings of the review are",
                           " not in the export as such")};
  if (circumstances.unread > 0)
    return {"COMMENT", cat("what was written into the review's file could not be read (",
                           circumstances.unread == 1 ? std::string("1 copy") : cat(circumstances.unread, " copies"),
                           " kept), and nobody has looked at it: pawl review status")};
  if (!circumstances.vanished.empty()) {
    std::string ids;
    for (const std::string& id : circumstances.vanished) ids += cat(ids.empty() ? "" : ", ", printable(id));
    return {"COMMENT", cat(ids, circumstances.vanished.size() == 1 ? " is" : " are",
                           " not in the review's file any more by an edit, and nobody has dropped ",
                           circumstances.vanished.size() == 1 ? "it" : "them", ": pawl review status")};
  }
  if (circumstances.file_is_gits)
    return {"COMMENT",
            "the review's file was changed by git, or has conflict markers in it, and is not read: pawl status says "
            "what settles it"};
  for (const auto* list : {&circumstances.look_alikes, &circumstances.in_export}) {
    if (!list->empty())
      return {"COMMENT", cat(list == &circumstances.in_export ? "the export" : "the review's file",
                             " has what looks like a finding and is read as none: ", named(*list), "; ", kSetRight)};
  }
  if (!circumstances.all_chunks_over) return {"COMMENT", "not every chunk is reviewed or skipped"};
  if (circumstances.open_threads > 0)
    return {"COMMENT", cat(circumstances.open_threads, circumstances.open_threads == 1 ? " thread is" : " threads are",
                           " not resolved")};
  return out;
}

}  // namespace pawl::review
