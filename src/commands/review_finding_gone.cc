// `pawl review finding drop | restore`: findings go, and come back.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "commands/review.h"
#include "commands/table.h"
#include "lifecycles/review/command.h"
#include "lifecycles/review/review.h"

namespace pawl {
namespace {

using namespace review;

// Also one that an edit took out of the file, by its id: whoever drops it says that it may be so.
Result<Reply> run_drop(Context& context, const Arguments& arguments) {
  const auto decide_drop = [&](const View& view, const Record& review, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const auto findings, findings_of(view, review.id.key));
    PAWL_ASSIGN(const auto vanished, vanished_of(view, review, findings));
    std::set<RecordId> meant;
    Decision decision;
    decision.answer = Json::array();
    for (const std::string& ref : arguments.list("ref")) {
      const auto gone = std::find_if(vanished.begin(), vanished.end(),
                                     [&](const Vanished& one) { return part_of_key(one.finding.id.key) == ref; });
      if (gone != vanished.end()) {
        PAWL_ASSIGN(const Record now, view.load(gone->finding.id));
        if (!meant.insert(now.id).second) continue;
        decision.changes.push_back({now, now, "dropped", Json(), false});
        decision.answer.push_back(finding_json(gone->finding));
        continue;
      }
      PAWL_ASSIGN(const Record* const one, find_finding(findings, ref));
      if (!meant.insert(one->id).second) continue;
      PAWL_ASSIGN(decision.changes.emplace_back(), drop_finding(*one));
      decision.answer.push_back(finding_json(*one));
    }
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome, change_review(context, arguments.text_or("pr", ""), look_at_state(), decide_drop));
  return Reply{std::move(outcome.answer)};
}

std::string text_of_drop(const Json& list, const TextStyle& style) {
  std::string out;
  for (const Json& one : list) out += cat("dropped ", finding_line(one, style).substr(4));
  return out;
}

Result<Reply> run_finding_restore(Context& context, const Arguments& arguments) {
  const auto decide_restore = [&](const View& view, const Record& review, const Now& now) -> Result<Decision> {
    PAWL_TRY(must_be_active(review));
    std::set<RecordId> meant;
    Decision decision;
    decision.answer = Json::array();
    for (const std::string& ref : arguments.list("ref")) {
      PAWL_ASSIGN(const Record was, finding_as_it_was(view, review, ref));
      if (!meant.insert(was.id).second) continue;
      PAWL_ASSIGN(const Record gone, view.load(was.id));
      PAWL_ASSIGN(decision.changes.emplace_back(), bring_back_finding(review, gone, was, now));
      decision.answer.push_back(finding_json(decision.changes.back().after));
    }
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome, change_review(context, arguments.text_or("pr", ""), look_at_state(), decide_restore));
  return Reply{std::move(outcome.answer)};
}

std::string text_of_brought_back(const Json& list, const TextStyle& style) {
  std::string out;
  for (const Json& one : list) out += finding_line(one, style);
  return out;
}

constexpr Param kIdsParam{.name = "ref",
                          .value = "ID",
                          .summary = "ids (H2)",
                          .positional = true,
                          .required = true,
                          .many = true,
                          .max_bytes = kMaxTitleBytes,
                          .not_empty = true};
constexpr std::array kDropParams = {kRefsParam, kPrParam};
constexpr std::array kRestoreParams = {kIdsParam, kPrParam};

constexpr std::array kDropExamples = {
    Example{"pawl review finding drop M2", "it was none"},
    Example{"pawl review finding drop M2 L3 --reason 'false alarms'", "two, and why"},
};
constexpr std::array kFindingRestoreExamples = {
    Example{"pawl review finding restore M2", "it is back as it was"},
    Example{"pawl review finding restore M2 L3 --pr octo/cat#7", "two, of a review that is set aside"},
};
}  // namespace

const Verb kReviewFindingDrop = {
    .noun = "review",
    .name = "finding drop",
    .summary = "remove findings",
    .manual =
        "Their ids are not used again. pawl undo brings them back. One that an edit took out of the state file, and "
        "that keeps the review from approving, is let go of by its id.",
    .params = kDropParams,
    .examples = kDropExamples,
    .read_only = false,
    .run = run_drop,
    .text = text_of_drop,
};

const Verb kReviewFindingRestore = {
    .noun = "review",
    .name = "finding restore",
    .summary = "bring back findings that are gone",
    .manual =
        "One that was dropped, or that an edit took out of the state file, comes back as it was, under its id. Unlike "
        "pawl undo it takes back nothing else of that edit.",
    .params = kRestoreParams,
    .examples = kFindingRestoreExamples,
    .read_only = false,
    .run = run_finding_restore,
    .text = text_of_brought_back,
};

}  // namespace pawl
