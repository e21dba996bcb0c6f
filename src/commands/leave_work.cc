#include "commands/leave_work.h"

#include <algorithm>

#include "base/text.h"
#include "engine/claims.h"
#include "lifecycles/issue/issue.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/ralph.h"
#include "runners/issue/on_board.h"

namespace pawl {
namespace {

Result<Json> active_loops(const View& view, const Json& workers) {
  Json out = Json::array();
  Query query;
  query.kind = loop::kRalph;
  query.status = loop::kActive;
  PAWL_ASSIGN(const auto records, view.list(query));
  for (const Record& record : records) {
    const bool runs = std::any_of(workers.begin(), workers.end(),
                                  [&](const Json& one) { return string_or(one, "ref") == record.id.ref(); });
    if (!record.aside && !runs && loop::owner_of(record.doc)) out.push_back(record.id.ref());
  }
  return out;
}

Done add_issues(Engine& engine, const View& view, WorkGoingOn& out) {
  Query query;
  query.kind = issue::kKind;
  query.status = issue::kRunning;
  PAWL_ASSIGN(const auto records, view.list(query));
  IssuesOnBoard issues(engine, view);
  for (const Record& record : records) {
    PAWL_ASSIGN(const AtWork there, issues.at_work(record));
    (there.session || there.watched ? out.running : out.idle).push_back(record.id.ref());
    if (there.watched) out.watched.push_back(record.id.ref());
    if (!there.stop.empty()) out.stop.push_back({{"ref", record.id.ref()}, {"command", there.stop}});
  }
  return done();
}

}  // namespace

Result<WorkGoingOn> work_going_on(Engine& engine, const View& view, const Now& now) {
  WorkGoingOn out;
  PAWL_TRY(add_issues(engine, view, out));
  PAWL_ASSIGN(const auto claims, view.store().claims());
  for (const Claim& claim : claims) {
    if (claim.process.pid == 0 || !claim_lives(claim, now)) continue;
    // A number of another container means another process here.
    const std::string stop = lives(claim.process) ? cat("kill ", claim.process.pid) : how_to_take_over(claim.record);
    out.workers.push_back({{"worker", claim.worker}, {"ref", claim.record.ref()}, {"stop", stop}});
  }
  PAWL_ASSIGN(out.loops, active_loops(view, out.workers));
  return out;
}

}  // namespace pawl
