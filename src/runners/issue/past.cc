#include "runners/issue/past.h"

#include <limits>

#include "base/clock.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/recorder.h"

namespace pawl {
namespace {

// When it was said: a file is found later than it was written, and says itself when that was.
Result<std::int64_t> said_ms(Transaction& store, const Event& event) {
  PAWL_ASSIGN(const auto operation, store.operation(event.operation));
  if (operation && !operation->outside) return operation->at_ms;
  return parse_iso_time(string_or(event.after.doc, "timestamp")).value_or(0);
}

// Of what came after this revision.
Result<issue::StatusPast> past_since(Transaction& store, const RecordId& id, std::int64_t revision) {
  constexpr int kMostSteps = 200;  // scripts say again and again that it is running
  issue::StatusPast past;
  PAWL_ASSIGN(auto event, store.event_at(id, std::numeric_limits<std::int64_t>::max()));
  if (event && event->after.status != issue::kRunning) {  // its file says so, and that could not be written down
    past.became_running = event->after.revision + 1;
    return past;
  }
  for (int step = 0; step < kMostSteps && event && event->after.revision > revision; ++step) {
    if (event->from != issue::kRunning) {
      past.became_running = event->after.revision;
      break;
    }
    if (past.said_again == 0) {
      past.said_again = event->after.revision;
      PAWL_ASSIGN(past.said_again_ms, said_ms(store, *event));
    }
    PAWL_ASSIGN(event, store.event_before(id, event->id));
  }
  return past;
}

}  // namespace

Result<bool> is_about(Transaction& store, const RunBook& book, const std::optional<issue::Run>& run,
                      const Record& record) {
  if (!run || !run->ended.empty()) return false;
  if (book.watcher(*run).pid != 0) return true;
  PAWL_ASSIGN(const issue::StatusPast past, past_since(store, record.id, run->revision));
  const auto recorded = read_recorded(book.folder(*run));
  return !issue::is_over(*run, past, recorded && *recorded ? (*recorded)->ended_ms : 0);
}

Result<bool> is_about(Engine& engine, const std::optional<issue::Run>& run, const Record& record) {
  if (!run || !run->ended.empty()) return false;
  bool about = false;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(about, is_about(view.store(), RunBook(engine), run, record));
    return done();
  }));
  return about;
}

}  // namespace pawl
