// The part of PrWorker that opens a finding again which was settled by mistake: a name was mistyped, the bot conceded
// too soon. Said where the finding stands, so that it holds on every machine.
#include "base/text.h"
#include "lifecycles/pr/answer.h"
#include "lifecycles/pr/comment_text.h"
#include "runners/pr/worker.h"

namespace pawl {

// It was said, and the rest was not done: its own block still says how it was settled.
bool PrWorker::is_half_reopened(const pr::Finding& finding) {
  const std::string says = string_or(finding.data, "status", pr::kPending);
  return finding.open() && finding.outcome == pr::kReopenedOutcome && says != pr::kPending && says != pr::kDisputed;
}

Done PrWorker::reopen(const Sight& sight, const pr::Finding& finding, std::string_view why) {
  const RecordId record = finding_record(finding.id);
  if (!is_half_reopened(finding)) {
    const Json data = {{"finding", finding.id},  {"outcome", pr::kReopenedOutcome},
                       {"status", pr::kPending}, {"disputes", finding.disputes},
                       {"reason", why},          {"updatedAt", now_text()}};
    PAWL_TRY(posts_.close_left_over(record));
    PAWL_TRY(say(record, finding.thread, 0, pr::beside_the_diff(finding, cat("This finding is open again: ", why, ".")),
                 pr::block_type::kDispute, data, cat("reopen finding ", finding.id, " ", finding.updated_ms)));
  }
  // A closed thread is folded away, and an open finding is to be seen; the gate does not go by it.
  if (finding.thread != nullptr && finding.thread->resolved) {
    const Done opened = forge_.unresolve(std::string(finding.thread->node_id));
    if (!opened) setup_.tell(cat("a thread could not be opened again: ", opened.error().message));
  }
  if (!finding.lost() && finding.root->by_bot) {
    Json data = finding.data;
    data.erase("type");
    data["status"] = pr::kPending;
    data["outcome"] = pr::kReopenedOutcome;
    data["updatedAt"] = now_text();
    PAWL_TRY(rewrite(finding, std::move(data)));
  }
  PAWL_TRY(move(record, pr::kPending, {{"outcome", pr::kReopenedOutcome}, {"updatedAt", now_text()}}, "reopened",
                {{"why", why}}));
  pr::Picture after = sight.picture;
  for (pr::Finding& one : after.findings) {
    if (one.id == finding.id) one.status = pr::kPending;
  }
  return list_open(sight, after);
}

}  // namespace pawl
