#include "runners/issue/end.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/past.h"
#include "runners/issue/recorder.h"
#include "runners/issue/run_book.h"
#include "runners/issue/sight.h"

namespace pawl {

Result<Record> conclude(Engine& engine, const Request& request, const issue::Run& run, const issue::Verdict& verdict) {
  const RunBook book(engine);
  const RecordId id = issue::id_of(run.number, engine.settings());
  Request by = request;
  by.reason = verdict.why;
  Look look;
  look.records.push_back(id);
  // What it had said by then: where its end is taken back and its session lives, only what comes later ends it again.
  std::int64_t said_until = 0;
  if (!run.id.empty()) {
    PAWL_ASSIGN(const auto recorded, read_recorded(book.folder(run)));
    if (recorded) said_until = last_place(recorded->said);
  }
  Record after;
  bool ours = false;
  PAWL_TRY(engine.change(by, look, [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(after, view.load(id));
    Decision decision;
    PAWL_ASSIGN(auto known, book.find(view.store(), run.number));
    // Somebody else has said how it ended, or runs it anew, perhaps in a session of the same name.
    PAWL_ASSIGN(const bool about, is_about(view.store(), book, known, after));
    const bool this_one =
        run.id.empty() ? string_or(after.doc, "session") == run.session && !about : known && known->id == run.id;
    ours = after.status == issue::kRunning && this_one;
    if (!ours) return decision;
    issue::SetStatus command{run.number, verdict.status, run.session, std::nullopt, verdict.why};
    if (!verdict.message.empty()) command.message = verdict.message;
    PAWL_ASSIGN(Change change, issue::decide(after, command, now, engine.settings()));
    after = change.after;
    decision.changes.push_back(std::move(change));
    if (run.id.empty()) return decision;
    known->ended = verdict.ended;
    known->watched_from = std::max(known->watched_from.value_or(0), said_until);
    book.keep(decision, *known);
    return decision;
  }));
  if (!ours) return after;
  PAWL_TRY(remove_signals(engine, run.number));
  return after;
}

Result<Record> conclude_stopped(Engine& engine, const Request& request, const Record& record,
                                const std::optional<issue::Run>& known) {
  if (record.status != issue::kRunning) return record;
  issue::Run run = known.value_or(issue::Run{});
  run.number = issue::number_of(record);
  run.session = string_or(record.doc, "session", issue::session_name(run.number, engine.settings()));
  const issue::Verdict verdict{std::string(issue::kError), std::string(issue::kStopped),
                               request.reason.empty() ? std::string(issue::kStopped) : request.reason,
                               std::string(issue::kStoppedByHand)};
  return conclude(engine, request, run, verdict);
}

}  // namespace pawl
