#include "engine/placed.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/text.h"
#include "engine/claims.h"

namespace pawl {
namespace {

constexpr std::int64_t kDay = 86'400'000;
constexpr std::int64_t kStale = kDay;

// Can a move to this status have been made without what it needs? (Those with a name are a person's.)
bool needs_evidence(const Machine& machine, std::string_view status) {
  return std::any_of(machine.moves.begin(), machine.moves.end(), [&](const Move& move) {
    return move.to == status && move.name.empty() && !move.gates[0].empty();
  });
}

Stand stand_of(const Lifecycle& lifecycle, const Record& record) {
  if (lifecycle.stand != nullptr) return lifecycle.stand(record);
  return {.place = lifecycle.machine->terminal(record.status) ? BoardPlace::ended : BoardPlace::next};
}

class Gatherer {
 public:
  Gatherer(const View& view, const Now& now) : view_(view), now_(now) {}

  Result<std::vector<Placed>> gather(const Lifecycles& lifecycles) {
    PAWL_ASSIGN(claims_, view_.store().claims());
    for (const Lifecycle& lifecycle : lifecycles.rows()) {
      Query query;
      query.kind = lifecycle.kind;
      query.include_aside = true;
      query.by_rank_only = lifecycle.stand == nullptr || lifecycle.stand_by_rank != nullptr;
      PAWL_ASSIGN(auto records, view_.list(query));
      rows_.reserve(rows_.size() + records.size());
      for (Record& record : records) PAWL_TRY(add(lifecycle, std::move(record)));
    }
    for (Placed& row : rows_) {
      const auto bar = bars_.find(row.record.id);
      if (bar == bars_.end()) continue;
      row.stand.done = bar->second.first;
      row.stand.of = bar->second.second;
    }
    return std::move(rows_);
  }

 private:
  Done add(const Lifecycle& lifecycle, Record record) {
    Placed row;
    row.record = std::move(record);
    std::optional<Stand> stand;
    if (!row.record.doc.is_known() && lifecycle.stand_by_rank != nullptr) {
      stand = lifecycle.stand_by_rank(row.record);
      if (!stand) {
        PAWL_ASSIGN(row.record, view_.load(row.record.id));
      }
    }
    row.stand = stand ? std::move(*stand) : stand_of(lifecycle, row.record);
    const Record& now = row.record;
    if (row.stand.part_of) {
      auto& [done_parts, parts] = bars_[*row.stand.part_of];
      done_parts += row.stand.done;
      parts += row.stand.of;
    }
    if (row.stand.place == BoardPlace::part) return done();
    if (now.aside && row.stand.place != BoardPlace::ended) row.stand.place = BoardPlace::waiting;
    if (now.held && (row.stand.place != BoardPlace::needs_person || row.stand.why.empty())) {
      row.stand = {.place = BoardPlace::needs_person,
                   .why = cat("“", *now.held, "” is not a status"),
                   .advice = how_to_fix(lifecycle, now)};
    }
    for (const Claim& claim : claims_) {
      if (claim.record != now.id || !claim_lives(claim, now_)) continue;
      row.worker = claim.worker;
      if (row.stand.place == BoardPlace::next || row.stand.place == BoardPlace::waiting)
        row.stand.place = BoardPlace::running;
    }
    PAWL_TRY(look_closer(lifecycle, row));
    rows_.push_back(std::move(row));
    return done();
  }

  // What only its history can tell; asked for those alone of which it matters.
  Done look_closer(const Lifecycle& lifecycle, Placed& row) {
    const BoardPlace place = row.stand.place;
    row.heard_ms = row.stand.since_ms;
    if (place == BoardPlace::ended || view_.at()) return done();
    if (asked_of_ != lifecycle.machine || asked_status_ != row.record.status) {  // mostly as with the row before
      asked_of_ = lifecycle.machine;
      asked_status_ = row.record.status;
      gated_ = needs_evidence(*asked_of_, asked_status_);
    }
    const bool gated = gated_;
    if (place == BoardPlace::running || place == BoardPlace::needs_person || gated) PAWL_TRY(look_at_history(row));
    row.stale = place == BoardPlace::running && lifecycle.of_a_session && row.heard_ms != 0 &&
                now_.wall_ms - row.heard_ms > kStale;
    if (row.stale) {
      row.stand.place = BoardPlace::needs_person;
      const std::int64_t days = (now_.wall_ms - row.heard_ms) / kDay;
      row.stand.why = cat("nobody has been in it for ", days, days == 1 ? " day" : " days");
    }
    return done();
  }

  Done look_at_history(Placed& row) {
    if (view_.unrecorded(row.record.id)) return done();
    PAWL_ASSIGN(const auto event, view_.store().event_at(row.record.id, std::numeric_limits<std::int64_t>::max()));
    if (!event) return done();
    PAWL_ASSIGN(const auto operation, view_.store().operation(event->operation));
    // What came in with its file was heard of when the file says, not when pawl first looked.
    if (operation && (!operation->outside || row.heard_ms == 0))
      row.heard_ms = std::max(row.heard_ms, operation->at_ms);
    if (event->unverified) {
      row.unverified = true;
      row.stand.place = BoardPlace::needs_person;
      row.stand.why = "moved without what the move needs";
      row.stand.advice = cat("pawl log ", row.record.id.ref());
    }
    return done();
  }

  const View& view_;
  Now now_;
  std::vector<Claim> claims_;
  const Machine* asked_of_ = nullptr;  // needs_evidence, for this machine and status
  std::string asked_status_;
  bool gated_ = false;
  std::vector<Placed> rows_;
  std::map<RecordId, std::pair<std::int64_t, std::int64_t>> bars_;
};

}  // namespace

Result<std::vector<Placed>> placed(const View& view, const Lifecycles& lifecycles, const Now& now) {
  return Gatherer(view, now).gather(lifecycles);
}

Done complete(const View& view, const Lifecycles& lifecycles, Placed& row) {
  if (row.record.doc.is_known()) return done();
  PAWL_ASSIGN(row.record, view.load(row.record.id));
  const Stand whole = stand_of(*lifecycles.find(row.record.id.kind), row.record);
  if (row.heard_ms == 0) row.heard_ms = whole.since_ms;
  return done();
}

}  // namespace pawl
