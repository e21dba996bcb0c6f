#include "verbs/leave_work.h"

#include <algorithm>

#include "base/text.h"
#include "drive/issue/on_board.h"
#include "engine/claims.h"
#include "lifecycle/issue/issue.h"
#include "lifecycle/loop/identity.h"
#include "lifecycle/loop/move.h"
#include "lifecycle/loop/ralph.h"

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
    if (claim.pid == 0 || !claim_lives(claim, now)) continue;
    out.workers.push_back({{"worker", claim.worker}, {"ref", claim.record.ref()}, {"stop", cat("kill ", claim.pid)}});
  }
  PAWL_ASSIGN(out.loops, active_loops(view, out.workers));
  return out;
}

}  // namespace pawl
