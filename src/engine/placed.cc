#include "engine/placed.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "base/clock.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "core/held_word.h"
#include "core/runner_stopped.h"
#include "engine/claims.h"

namespace pawl {
namespace {

Stand stand_of(const Lifecycle& lifecycle, const Record& record) {
  if (lifecycle.stand != nullptr) return lifecycle.stand(record);
  return {.place = lifecycle.machine->terminal(record.status) ? BoardPlace::ended : BoardPlace::next};
}

class Gatherer {
 public:
  Gatherer(const View& view, const Now& now, const PlaceCounts& most, const Closer& closer)
      : view_(view), now_(now), most_(most), closer_(closer) {}

  Result<Survey> gather(const Lifecycles& lifecycles) {
    if (!view_.at()) {  // who had one then is not kept
      PAWL_ASSIGN(claims_, view_.store().claims());
    }
    for (const Lifecycle& lifecycle : lifecycles.rows()) PAWL_TRY(gather_kind(lifecycle));
    for (Placed& row : out_.rows) {
      see_parts(row);
      // What has parts is told of theirs first; only then is it known when it was last heard of.
      if (view_.at() || row.stand.place != BoardPlace::running) continue;
      row.stale = is_left(*lifecycles.find(row.record.id.kind), row);
      if (row.stale) needs_person(row, how_long_left(row));
    }
    return std::move(out_);
  }

 private:
  void see_parts(Placed& row) {
    const auto bar = bars_.find(row.record.id);
    if (bar == bars_.end()) return;
    // What happens to a part happens to the whole.
    row.heard_ms = std::max(row.heard_ms, heard_of_parts_[row.record.id]);
    row.stand.done = bar->second.first;
    row.stand.of = bar->second.second;
    // A part has no row: what is wrong with it stands in that of the whole.
    const auto held = held_parts_.find(row.record.id);
    if (held == held_parts_.end() || row.stand.place != BoardPlace::running) return;
    needs_person(row, held->second.why);
    row.stand.advice = held->second.advice;
  }

  // One that was counted where it stood.
  void needs_person(Placed& row, std::string why) {
    for (KindCounts& kind : out_.kinds) {
      if (kind.kind != row.record.id.kind) continue;
      --kind.count[at(row)];
      ++kind.count[static_cast<std::size_t>(BoardPlace::needs_person)];
    }
    row.stand.place = BoardPlace::needs_person;
    row.stand.why = std::move(why);
  }

  Done gather_kind(const Lifecycle& lifecycle) {
    out_.kinds.push_back({lifecycle.kind});
    in_run_ = {};  // another kind may go on with the same status
    const auto first = static_cast<std::ptrdiff_t>(out_.rows.size());
    // What has ended and is not shown is only counted.
    const auto alike = [&](const Record& record) {
      if (most_[static_cast<std::size_t>(BoardPlace::ended)] > 0 || lifecycle.stand_by_rank == nullptr) return false;
      if (!lifecycle.machine->terminal(record.status)) return false;
      const auto stand = lifecycle.stand_by_rank(record);
      return stand && stand->place == BoardPlace::ended && !stand->part_of;
    };
    PAWL_TRY(view_.each(lifecycle.kind, alike, [&](const Record& record, std::size_t count) {
      out_.kinds.back().count[static_cast<std::size_t>(BoardPlace::ended)] += count - 1;
      if (record.aside) out_.kinds.back().aside += count - 1;
      return add(lifecycle, record);
    }));
    std::sort(out_.rows.begin() + first, out_.rows.end(), [](const Placed& a, const Placed& b) {
      return std::tie(order_of(a), a.record.id.key, a.record.id.scope) <
             std::tie(order_of(b), b.record.id.key, b.record.id.scope);
    });
    PlaceCounts shown{};
    std::array<std::string, kBoardPlaces> last;
    const auto too_many = [&](const Placed& row) { return !has_room(shown, last, most_, row, order_of(row)); };
    out_.rows.erase(std::remove_if(out_.rows.begin() + first, out_.rows.end(), too_many), out_.rows.end());
    return done();
  }

  static std::size_t at(const Placed& row) { return static_cast<std::size_t>(row.stand.place); }
  static const std::string& order_of(const Placed& row) { return row.order.empty() ? row.record.rank : row.order; }

  // Those that stand with the last one are told apart by whoever shows them.
  static bool has_room(PlaceCounts& made, std::array<std::string, kBoardPlaces>& last, const PlaceCounts& most,
                       const Placed& row, const std::string& order) {
    const std::size_t place = at(row);
    if (most[place] == 0 || (made[place] >= most[place] && (last[place] != order || order.empty()))) return false;
    ++made[place];
    last[place] = order;
    return true;
  }

  // A run of records with the same status comes by rank, so that the first of it are enough.
  bool wanted(const Record& record, const Placed& row) {
    if (run_scope_ != record.id.scope || run_status_ != record.status || run_aside_ != record.aside) {
      run_scope_ = record.id.scope;
      run_status_ = record.status;
      run_aside_ = record.aside;
      in_run_ = {};
      last_in_run_ = {};
    }
    if (!row.order.empty()) return true;  // it is not where its rank is
    return has_room(in_run_, last_in_run_, most_, row, record.rank);
  }

  Done add(const Lifecycle& lifecycle, const Record& listed) {
    Placed row;
    std::optional<Stand> stand;
    std::optional<Record> whole;
    if (!listed.doc.is_known() && lifecycle.stand != nullptr) {
      if (lifecycle.stand_by_rank != nullptr) stand = lifecycle.stand_by_rank(listed);
      if (!stand) {
        PAWL_ASSIGN(whole, view_.load(listed.id));
      }
    }
    const Record& now = whole ? *whole : listed;
    row.stand = stand ? std::move(*stand) : stand_of(lifecycle, now);
    if (row.stand.part_of) {
      auto& [done_parts, parts] = bars_[*row.stand.part_of];
      done_parts += row.stand.done;
      parts += row.stand.of;
      std::int64_t& heard_ms = heard_of_parts_[*row.stand.part_of];
      heard_ms = std::max(heard_ms, row.stand.since_ms);
      if (now.held)
        held_parts_.try_emplace(*row.stand.part_of, Stand{.why = cat(printable(now.id.ref()), ": ",
                                                                     in_quotes(*now.held), " is not a status"),
                                                          .advice = how_to_fix(lifecycle, now)});
    }
    if (row.stand.place == BoardPlace::part) return done();
    // A session's that has ended is told of as ended when another has its file: nobody has to do anything about it.
    if (now.aside && lifecycle.of_a_session && lifecycle.machine->terminal(now.status))
      row.stand = {.place = BoardPlace::ended, .since_ms = row.stand.since_ms};
    if (now.aside && row.stand.place != BoardPlace::ended) {
      // Work that was begun waits to be taken up again; what was only listed went with its list.
      const bool begun =
          row.stand.place == BoardPlace::running || (lifecycle.of_a_session && row.stand.place == BoardPlace::next);
      if (!begun) return done();
      row.stand.place = BoardPlace::waiting;
      if (row.stand.why.empty() || lifecycle.of_a_session) row.stand.why = "set aside";
    }
    if (now.aside && !lifecycle.of_a_session && row.stand.place == BoardPlace::ended && row.stand.why.empty())
      row.stand.why = "set aside";
    if (now.held && (row.stand.place != BoardPlace::needs_person || row.stand.why.empty())) {
      row.stand = {.place = BoardPlace::needs_person,
                   .why = lifecycle.machine->flag.empty() && lifecycle.machine->status(*now.held) == nullptr
                              ? cat(in_quotes(*now.held), " is not a status")
                              : why_held(*lifecycle.machine, *now.held),
                   .advice = how_to_fix(lifecycle, now)};
    }
    for (const Claim& claim : claims_) {
      // Whose file was moved is driven as before; its driver's hold follows within a second.
      const bool moved = lifecycle.of_a_session && claim.record.kind == now.id.kind && claim.record.key == now.id.key &&
                         claim_lives(claim, now_);
      if (claim.record != now.id && !moved) continue;
      if (!claim_lives(claim, now_)) {
        if (claim.process.pid != 0) row.gone = claim.worker;
        continue;
      }
      row.worker = claim.worker;
      if (row.stand.place == BoardPlace::next) row.stand.why.clear();  // that nobody is at it
      if (row.stand.place == BoardPlace::next || row.stand.place == BoardPlace::waiting)
        row.stand.place = BoardPlace::running;
    }
    PAWL_TRY(look_closer(lifecycle, now, row));
    PAWL_TRY(closer_(now, row));
    ++out_.kinds.back().count[at(row)];
    if (now.aside && row.stand.place == BoardPlace::ended) ++out_.kinds.back().aside;
    if (!wanted(now, row)) return done();
    row.record = now;
    out_.rows.push_back(std::move(row));
    return done();
  }

  // Whether a worker's name is what a runner of pawl's calls itself: its verb and its process. A claim may be
  // anybody's, and what is called so becomes a line to type.
  static bool is_runner(std::string_view worker, std::string_view verb) {
    const auto all = [](std::string_view text, const auto& is) { return std::all_of(text.begin(), text.end(), is); };
    return worker.starts_with(verb) && worker.substr(verb.size()).starts_with(' ') &&
           all(worker.substr(verb.size() + 1), [](char c) { return c >= '0' && c <= '9'; }) &&
           all(verb, [](char c) { return (c >= 'a' && c <= 'z') || c == ' '; });
  }

  [[nodiscard]] bool is_left(const Lifecycle& lifecycle, const Placed& row) const {
    return lifecycle.left_after_ms != 0 && row.worker.empty() && row.heard_ms != 0 &&
           now_.wall_ms - row.heard_ms > lifecycle.left_after_ms;
  }

  [[nodiscard]] std::string how_long_left(const Placed& row) const {
    const std::int64_t days = (now_.wall_ms - row.heard_ms) / kDayMs;
    return cat("nobody has been in it for ", days, days == 1 ? " day" : " days");
  }

  // What only its history can tell; asked for those alone of which it matters.
  Done look_closer(const Lifecycle& lifecycle, const Record& record, Placed& row) {
    const BoardPlace place = row.stand.place;
    row.heard_ms = row.stand.since_ms;
    // A session's waits for nobody but its session: it may be left as one that runs may.
    const bool may_be_left =
        place == BoardPlace::running ||
        (lifecycle.of_a_session && !record.aside && (place == BoardPlace::next || place == BoardPlace::waiting));
    if (!may_be_left) row.gone.clear();
    if (view_.at() || (place == BoardPlace::ended && most_[at(row)] == 0)) return done();
    if (asked_of_ != lifecycle.machine || asked_status_ != record.status) {  // mostly as with the row before
      asked_of_ = lifecycle.machine;
      asked_status_ = record.status;
      gated_ = needs_evidence(*asked_of_, asked_status_);
    }
    const bool gated = gated_;
    if (place == BoardPlace::ended) return gated ? look_at_end(record, row) : done();
    if (may_be_left || place == BoardPlace::needs_person || gated)
      PAWL_TRY(look_at_history(lifecycle, record, may_be_left, row));
    row.stale = may_be_left && row.stand.place == place && lifecycle.of_a_session && is_left(lifecycle, row);
    if (!row.gone.empty()) {
      row.stale = false;
      row.stand.place = BoardPlace::needs_person;
      row.stand.why = cat("stopped: its runner (", row.gone, ") is gone");
      const std::string end_it = row.stand.advice;
      if (!lifecycle.of_a_session)  // whose own advice says both
        row.stand.advice = cat("pawl ", std::string_view(row.gone).substr(0, row.gone.rfind(' ')),
                               "  # goes on with it", end_it.empty() ? "" : cat("\n", end_it));
    } else if (row.stale) {
      row.stand.place = BoardPlace::needs_person;
      row.stand.why = how_long_left(row);
    }
    return done();
  }

  // Of what has ended it is only shown how.
  Done look_at_end(const Record& record, Placed& row) {
    if (view_.unrecorded(record.id)) return done();
    PAWL_ASSIGN(const auto event, view_.store().event_at(record.id, std::numeric_limits<std::int64_t>::max()));
    row.unverified = event && event->unverified;
    return done();
  }

  Done look_at_history(const Lifecycle& lifecycle, const Record& record, bool may_be_left, Placed& row) {
    if (view_.unrecorded(record.id)) return done();
    PAWL_ASSIGN(const auto event, view_.store().event_at(record.id, std::numeric_limits<std::int64_t>::max()));
    if (!event) return done();
    if (!operation_ || operation_->id != event->operation) {  // what was adopted together came with one
      PAWL_ASSIGN(operation_, view_.store().operation(event->operation));
    }
    const std::optional<Operation>& operation = operation_;
    // Whoever went on with it since is not the one that died: a runner's moves carry the name that it works under.
    if (!row.gone.empty() && (!operation || operation->outside || !is_runner(row.gone, operation->verb)))
      row.gone.clear();
    // What came in with its file or was brought back was heard of when it says itself, not when pawl did that.
    PAWL_ASSIGN(const bool says, operation ? says_when(lifecycle, *operation, *event, row) : Result<bool>(true));
    const bool let_go = event->what == kLetGo;  // a session was let go of it: nobody was in it for that
    if (operation && ((!says && !let_go) || row.heard_ms == 0)) row.heard_ms = std::max(row.heard_ms, operation->at_ms);
    if ((event->what == kRunnerStopped || let_go) && row.worker.empty() && may_be_left && !is_left(lifecycle, row)) {
      row.stand.place = BoardPlace::needs_person;
      row.stand.why =
          cat(let_go ? "" : "nothing runs: ", string_or(event->evidence, kStoppedWhy, "its runner stopped"));
    }
    if (event->unverified) {
      row.unverified = true;
      const bool asks = row.stand.place == BoardPlace::needs_person;
      if (lifecycle.verify == nullptr) row.stand.place = BoardPlace::needs_person;
      if (asks && lifecycle.verify != nullptr) return done();  // for something else, which is more
      row.stand.why = "moved without what the move needs";
      row.to_verify = lifecycle.verify != nullptr;
      row.stand.advice =
          lifecycle.verify == nullptr ? cat("pawl log ", shell_word(record.id.ref())) : lifecycle.verify(record);
    }
    return done();
  }

  // Does the record itself tell when this happened? An edit that leaves its time as it was does not.
  Result<bool> says_when(const Lifecycle& lifecycle, const Operation& operation, const Event& event,
                         const Placed& row) const {
    if (operation.undoes) return true;
    if (!operation.outside) return false;
    PAWL_ASSIGN(auto before, view_.store().event_before(event.after.id, event.id));
    while (before && before->operation == operation.id) {  // several files may bring it in together
      PAWL_ASSIGN(before, view_.store().event_before(event.after.id, before->id));
    }
    if (!before || !before->after.present()) return true;  // it came in
    return stand_of(lifecycle, before->after).since_ms != row.stand.since_ms;
  }

  const View& view_;
  Now now_;
  PlaceCounts most_;
  const Closer& closer_;
  std::vector<Claim> claims_;
  const Machine* asked_of_ = nullptr;  // needs_evidence, for this machine and status
  std::string asked_status_;
  bool gated_ = false;
  std::string run_scope_, run_status_;
  bool run_aside_ = false;
  PlaceCounts in_run_{};
  std::array<std::string, kBoardPlaces> last_in_run_;
  std::optional<Operation> operation_;  // the last that was asked for
  Survey out_;
  std::map<RecordId, std::pair<std::int64_t, std::int64_t>> bars_;
  std::map<RecordId, std::int64_t> heard_of_parts_;  // of each, when something last happened to one of its parts
  std::map<RecordId, Stand> held_parts_;             // of each, what the first of its parts is held for
};

}  // namespace

Result<Survey> survey(const View& view, const Lifecycles& lifecycles, const Now& now, const PlaceCounts& most,
                      const Closer& closer) {
  return Gatherer(view, now, most, closer).gather(lifecycles);
}

Done complete(const View& view, const Lifecycles& lifecycles, Placed& row) {
  if (row.record.doc.is_known()) return done();
  PAWL_ASSIGN(row.record, view.load(row.record.id));
  const Stand whole = stand_of(*lifecycles.find(row.record.id.kind), row.record);
  if (row.heard_ms == 0) row.heard_ms = whole.since_ms;
  return done();
}

}  // namespace pawl
