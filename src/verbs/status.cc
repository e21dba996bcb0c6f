// `pawl status`: all that is under way, as a board; once, or again whenever something changes.
#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "base/text.h"
#include "engine/claims.h"
#include "engine/engine.h"
#include "engine/watcher.h"
#include "verbs/board.h"
#include "verbs/context.h"
#include "verbs/present.h"
#include "verbs/table.h"

namespace pawl {
namespace {

constexpr std::int64_t kDay = 86'400'000;
constexpr std::int64_t kStale = kDay;  // of a session's: nobody has been in it for so long

constexpr std::array<std::string_view, 6> kPlaces = {"needs_person", "running", "next", "waiting", "part", "ended"};
std::string_view name_of(BoardPlace place) { return kPlaces[static_cast<std::size_t>(place)]; }

struct Row {
  Record record;
  Stand stand;
  std::int64_t heard_ms = 0;  // when something last happened to it
  bool unverified = false;
  std::string worker;
};

// Can a move to this status have been made without what it needs? (Those with a name are a person's.)
bool needs_evidence(const Machine& machine, std::string_view status) {
  return std::any_of(machine.moves.begin(), machine.moves.end(), [&](const Move& move) {
    return move.to == status && move.name.empty() && !move.gates[0].empty();
  });
}

class Gatherer {
 public:
  Gatherer(const Context& context, const View& view) : context_(context), view_(view), now_(context.clock->now()) {}

  Done gather() {
    PAWL_ASSIGN(claims_, view_.store().claims());
    for (const Lifecycle& lifecycle : context_.lifecycles().rows()) {
      Query query;
      query.kind = lifecycle.kind;
      query.include_aside = true;
      PAWL_ASSIGN(auto records, view_.list(query));
      for (Record& record : records) PAWL_TRY(add(lifecycle, std::move(record)));
    }
    for (Row& row : rows_) {
      const auto bar = bars_.find(row.record.id);
      if (bar == bars_.end()) continue;
      row.stand.done = bar->second.first;
      row.stand.of = bar->second.second;
    }
    return done();
  }

  [[nodiscard]] Json work(bool all) {
    Json out = Json::array();
    for (const Row& row : rows_) {
      if (row.stand.place == BoardPlace::ended && !all) continue;
      out.push_back(to_row(row));
    }
    return out;
  }
  [[nodiscard]] std::int64_t ended() const {
    return std::count_if(rows_.begin(), rows_.end(),
                         [](const Row& row) { return row.stand.place == BoardPlace::ended; });
  }
  // Of kinds of which there are several, and some have come to their end.
  [[nodiscard]] Json progress() const {
    Json out = Json::array();
    for (const Lifecycle& lifecycle : context_.lifecycles().rows()) {
      std::int64_t ended = 0, of = 0;
      for (const Row& row : rows_) {
        if (row.record.id.kind != lifecycle.kind) continue;
        ++of;
        ended += row.stand.place == BoardPlace::ended ? 1 : 0;
      }
      if (of >= 3 && ended > 0 && ended < of) out.push_back({{"kind", lifecycle.kind}, {"ended", ended}, {"of", of}});
    }
    return out;
  }

 private:
  Done add(const Lifecycle& lifecycle, Record record) {
    Row row{std::move(record), {}, 0, false, {}};
    const Record& now = row.record;
    if (lifecycle.stand != nullptr) {
      row.stand = lifecycle.stand(now);
    } else if (lifecycle.machine->terminal(now.status)) {
      row.stand.place = BoardPlace::ended;
    }
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
                   .advice = cat("pawl show ", now.id.ref())};
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
  Done look_closer(const Lifecycle& lifecycle, Row& row) {
    const BoardPlace place = row.stand.place;
    row.heard_ms = row.stand.since_ms;
    if (place == BoardPlace::ended || view_.at()) return done();
    const bool gated = needs_evidence(*lifecycle.machine, row.record.status);
    if (place == BoardPlace::running || place == BoardPlace::needs_person || gated) PAWL_TRY(look_at_history(row));
    if (place == BoardPlace::running && lifecycle.of_a_session && row.heard_ms != 0 &&
        now_.wall_ms - row.heard_ms > kStale) {
      row.stand.place = BoardPlace::needs_person;
      const std::int64_t days = (now_.wall_ms - row.heard_ms) / kDay;
      row.stand.why = cat("nobody has been in it for ", days, days == 1 ? " day" : " days");
    }
    return done();
  }

  Done look_at_history(Row& row) {
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

  [[nodiscard]] Json to_row(const Row& row) const {
    Json out = to_json(row.record);
    out.erase("document");
    const Lifecycle* const lifecycle = context_.lifecycles().find(row.record.id.kind);
    if (lifecycle->headline != nullptr) out["headline"] = lifecycle->headline(row.record);
    if (view_.unrecorded(row.record.id)) out["recorded"] = false;
    out["stands"] = name_of(row.stand.place);
    const bool asks = row.stand.place == BoardPlace::needs_person;
    if (!row.stand.why.empty()) out["why"] = row.stand.why;
    if (asks && !row.stand.advice.empty()) out["advice"] = row.stand.advice;
    if (row.unverified) out["unverified"] = true;
    if (row.heard_ms != 0) out["since"] = iso_time(row.heard_ms, true);
    if (!row.worker.empty()) out["worker"] = row.worker;
    if (row.stand.of > 0) {
      out["done"] = row.stand.done;
      out["of"] = row.stand.of;
    }
    return out;
  }

  const Context& context_;
  const View& view_;
  Now now_;
  std::vector<Claim> claims_;
  std::vector<Row> rows_;
  std::map<RecordId, std::pair<std::int64_t, std::int64_t>> bars_;
};

Result<Json> look(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const bool all = arguments.flag("all");
  Json out{{"workspace", engine->workspace().root}, {"recorded", engine->has_store()}};
  Look everywhere;
  everywhere.all = true;
  PAWL_TRY(engine->read(everywhere, context.flags.at, [&](const View& view) -> Done {
    Gatherer gatherer(context, view);
    PAWL_TRY(gatherer.gather());
    out["work"] = gatherer.work(all);
    out["progress"] = gatherer.progress();
    out["ended"] = all ? 0 : gatherer.ended();  // those that are not shown
    return done();
  }));
  if (arguments.flag("line")) out["line"] = true;
  return out;
}

Result<Reply> run_status(Context& context, const Arguments& arguments) {
  if (!arguments.flag("watch")) {
    PAWL_ASSIGN(Json data, look(context, arguments));
    return Reply{std::move(data)};
  }
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(ChangeWaiter waiter, ChangeWaiter::open(*engine));
  constexpr int kTickMs = 60'000;  // ages grow also where nothing happens
  bool ticked = false;
  for (Json before;;) {
    PAWL_ASSIGN(Json data, look(context, arguments));
    data["watched"] = true;
    if ((ticked || data != before) && !context.emit(data)) return Reply{Json()};
    before = std::move(data);
    PAWL_ASSIGN(const bool changed, waiter.wait(*engine, kTickMs));
    ticked = !changed;
  }
}

std::string text_of_status(const Json& data, const TextStyle& style) {
  if (data.is_null()) return {};
  Json shown = data;
  for (Json& row : shown["work"]) {
    if (const auto since = parse_iso_time(string_or(row, "since"))) row["age"] = age_of(*since, style.now_ms);
  }
  const std::string text = data.contains("line") ? board_line(shown) : board(shown, style);
  // Drawn over what was there: to the first line, and nothing of the old one behind or below the new.
  if (!data.contains("watched")) return text;
  if (!style.terminal) return data.contains("line") ? text : cat(text, "\n");
  std::string out = "\x1b[H";
  for (const std::string_view line : split(text, '\n')) out += cat(line, "\x1b[K\n");
  out.pop_back();
  return cat(out, "\x1b[J");
}

constexpr std::array kStatusParams = {
    Param{.name = "all", .type = ParamType::flag, .summary = "also what has ended"},
    Param{.name = "line", .type = ParamType::flag, .summary = "a few words, for a prompt or a status bar"},
    Param{.name = "watch",
          .type = ParamType::flag,
          .summary = "again whenever something changes, until Ctrl-C",
          .command_line_only = true},
};
constexpr std::array kStatusExamples = {
    Example{"pawl status", "a board of what is under way"},
    Example{"pawl status --line", "2 need you, 3 running"},
    Example{"pawl status --watch", "in a corner of the screen"},
    Example{"pawl status --all --json", "everything, for a program"},
};

}  // namespace

const Verb kStatus = {
    .name = "status",
    .summary = "show all that is under way",
    .manual =
        "What needs a person stands on top: what is held (its file has a word that is no status), was moved without "
        "what the move needs, ended in an error, or is a session's that nobody has been in for a day. Then what is "
        "running, with its age and worker, what is next, and what waits.\n\n"
        "--watch draws the board anew when something changes; into a pipe it prints each board below the last, and "
        "with --json a line each.",
    .params = kStatusParams,
    .examples = kStatusExamples,
    .run = run_status,
    .text = text_of_status,
};

}  // namespace pawl
