#include "lifecycle/review/verdict.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycle/review/severity.h"

namespace pawl::review {
namespace {

bool any_of(std::span<const Json> findings, const Severity& severity) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Json& one) { return string_or(one, "severity") == severity.word; });
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
  if (!circumstances.all_chunks_over) return {"COMMENT", "not every chunk is reviewed or skipped"};
  if (circumstances.open_threads > 0)
    return {"COMMENT", cat(circumstances.open_threads, circumstances.open_threads == 1 ? " thread is" : " threads are",
                           " not resolved")};
  return out;
}

}  // namespace pawl::review
