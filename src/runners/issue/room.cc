#include "runners/issue/room.h"

#include <set>

#include "base/clock.h"
#include "base/text.h"
#include "engine/effects.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/recorder.h"
#include "runners/issue/sessions.h"
#include "runners/issue/sight.h"
#include "runners/issue/unfinished.h"

namespace pawl {
namespace {

// Somebody is about to open its session, or to say how it ended.
bool is_in_between(Engine& engine, const Record& record, const std::optional<issue::Run>& run) {
  const std::int64_t now = engine.clock().now().wall_ms;
  if (now - parse_iso_time(string_or(record.doc, "timestamp")).value_or(0) < kRecorderStartMs) return true;
  if (!run || !run->ended.empty()) return false;
  const RunBook book(engine);
  if (now - run->started_ms < kRecorderStartMs || book.watcher(*run).pid != 0) return true;
  const auto recorded = read_recorded(book.folder(*run));
  return recorded && *recorded && (*recorded)->recorder_lives;
}

}  // namespace

Result<std::map<std::int64_t, std::int64_t>> issues_without_session(Engine& engine) {
  std::map<std::int64_t, std::int64_t> found;
  RunBook book(engine);
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    if (record.status != issue::kRunning) continue;
    PAWL_ASSIGN(const auto run, book.find(issue::number_of(record)));
    const auto session = sessions.of(record, run);
    if (!session && session.error().code != ErrorCode::busy) return tl::unexpected(session.error());
    if (!session || *session || is_in_between(engine, record, run)) continue;
    found[issue::number_of(record)] = record.revision;
  }
  return found;
}

Result<std::vector<std::int64_t>> issues_under_way(const View& view, const RecordId& but, Room& room) {
  Query query;
  query.kind = issue::kKind;
  query.scope = but.scope;
  query.status = issue::kRunning;
  std::set<std::int64_t> numbers;
  room.uncounted.clear();
  PAWL_ASSIGN(const auto running, view.list(query));
  for (const Record& record : running) {
    const std::int64_t number = issue::number_of(record);
    const auto gone = room.without_session.find(number);
    if (record.id == but) continue;
    if (gone != room.without_session.end() && gone->second == record.revision) {
      room.uncounted.push_back(number);
    } else {
      numbers.insert(number);
    }
  }
  PAWL_ASSIGN(const auto intended, view.store().effects_in(EffectState::intended));
  for (const Effect& effect : intended) {
    if (effect.kind != kSessionEffect || effect.record.scope != but.scope || effect.record == but) continue;
    if (effect_is_under_way(view.store(), effect)) numbers.insert(parse_positive(effect.record.key).value_or(0));
  }
  return std::vector<std::int64_t>(numbers.begin(), numbers.end());
}

std::string text_of_uncounted(const Room& room) {
  if (room.uncounted.empty()) return {};
  const bool one = room.uncounted.size() == 1;
  return cat(one ? "issue " : "issues ", issue::some_numbers(room.uncounted), one ? " says" : " say", " running and ",
             one ? "has" : "have", " no session, so ", one ? "it is" : "they are",
             " not counted\n  pawl issue reconcile", one ? cat(" ", room.uncounted.front()) : std::string(),
             "  # ends ", one ? "it" : "them");
}

}  // namespace pawl
