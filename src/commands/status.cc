// `pawl status`: all that is under way, as a board; once, or again whenever something changes.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>

#include "base/columns.h"
#include "base/fold.h"
#include "base/text.h"
#include "commands/board.h"
#include "commands/board_files.h"
#include "commands/board_kinds.h"
#include "commands/context.h"
#include "commands/left_at.h"
#include "commands/present.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "engine/left.h"
#include "engine/placed.h"
#include "engine/watcher.h"
#include "lifecycles/loop/ultrawork.h"
#include "runners/loops.h"

namespace pawl {
namespace {

// Of kinds of which there are several, and some have come to their end. What a session was in is no list of work to be
// done: a loop that was cancelled, or ran out, is no progress.
Json progress_of(const std::vector<KindCounts>& kinds, const Lifecycles& lifecycles) {
  std::vector<std::pair<std::string_view, PlaceCounts>> named;  // two kinds may be one to whoever reads
  for (const auto& [kind, count, aside] : kinds) {
    if (lifecycles.find(kind)->of_a_session) continue;
    if (named.empty() || named.back().first != called(kind)) named.push_back({called(kind), {}});
    for (std::size_t i = 0; i < count.size(); ++i) named.back().second[i] += count[i];
    // Of a list that is another's by now nothing is to be done, and nothing is progress.
    named.back().second[static_cast<std::size_t>(BoardPlace::ended)] -= aside;
  }
  Json out = Json::array();
  for (const auto& [kind, count] : named) {
    const std::size_t of = std::accumulate(count.begin(), count.end(), std::size_t{0});
    const std::size_t ended = count[static_cast<std::size_t>(BoardPlace::ended)];
    if (of >= 3 && ended > 0 && ended < of) out.push_back({{"kind", kind}, {"ended", ended}, {"of", of}});
  }
  return out;
}

// How many rows are made of each place; the others are counted. A board has no room for hundreds that are next.
PlaceCounts most_rows(bool all, bool text_only) {
  PlaceCounts most{};
  for (std::size_t i = 0; i < most.size(); ++i)
    most[i] = text_only && !all ? most_shown(name_of(static_cast<BoardPlace>(i))) : SIZE_MAX;
  most[static_cast<std::size_t>(BoardPlace::needs_person)] = SIZE_MAX;  // the newest stand first, whatever their rank
  most[static_cast<std::size_t>(BoardPlace::ended)] = all ? SIZE_MAX : 0;
  return most;
}

Json to_row(const Placed& row, const View& view, const Lifecycles& lifecycles) {
  Json out = head_of(row.record);
  const Lifecycle* const lifecycle = lifecycles.find(row.record.id.kind);
  // As it can be typed: what a session is in the midst of is called by the session.
  const std::string& key = row.record.id.key;
  // One whose file is another's by now is called by its whole key: the session's name is the other's.
  if (const std::size_t at = key.find('@'); lifecycle->of_a_session && at != std::string::npos && !row.record.aside)
    out["name"] = cat(row.record.id.kind, "/", std::string_view(key).substr(0, at));
  if (!row.headline.empty()) {
    out["headline"] = row.headline;
  } else if (lifecycle->headline != nullptr) {
    out["headline"] = lifecycle->headline(row.record);
  }
  if (view.unrecorded(row.record.id)) out["recorded"] = false;
  out["stands"] = name_of(row.stand.place);
  const bool asks = row.stand.place == BoardPlace::needs_person;
  if (!row.stand.why.empty()) out["why"] = row.stand.why;
  // What a session has left behind is its own affair; other work that was set aside waits to be taken up.
  const bool to_take_up = row.record.aside && !lifecycle->of_a_session && row.stand.place == BoardPlace::waiting;
  if ((asks || row.unverified || to_take_up) && !row.stand.advice.empty()) out["advice"] = row.stand.advice;
  if (row.unverified) out["unverified"] = true;
  if (row.heard_ms != 0) out["since"] = iso_time(row.heard_ms, true);
  if (row.stand.until_ms != 0 && row.stand.place == BoardPlace::waiting) out["until"] = iso_time(row.stand.until_ms);
  if (!row.worker.empty()) out["worker"] = row.worker;
  if (row.stand.of > 0) {
    out["done"] = row.stand.done;
    out["of"] = row.stand.of;
  }
  return out;
}

// Two lists may have one id: then the name says in which file it stands.
void tell_apart(Json& work, const std::vector<std::string>& of_file) {
  std::map<std::string, std::size_t> count;
  for (const Json& row : work) ++count[string_or(row, "ref")];
  for (std::size_t i = 0; i < work.size(); ++i) {
    const std::string ref = string_or(work[i], "ref");
    if (count[ref] > 1 && !work[i].contains("name") && !of_file[i].empty())
      work[i]["name"] = cat(ref, " in ", of_file[i]);
  }
}

// What all projects share is under way here too, unless the project has its own copy of it.
Done add_rows_of_shared(Context& context, const std::string& file, Json& work, PlaceCounts& count) {
  PAWL_ASSIGN(Engine* const users, context.users_engine());
  if (access(users->world().roots->absolute(file).c_str(), F_OK) != 0) return done();
  PlaceCounts most{};
  most.fill(SIZE_MAX);
  most[static_cast<std::size_t>(BoardPlace::ended)] = 0;
  return users->read(loop::look_at_all(loop::users_ultrawork_shape()), std::nullopt, [&](const View& view) -> Done {
    const Lifecycles& lifecycles = users->lifecycles();
    PAWL_ASSIGN(Survey found, survey(view, lifecycles, context.clock->now(), most));
    for (Placed& row : found.rows) {
      PAWL_TRY(complete(view, lifecycles, row));
      const bool known = std::any_of(work.begin(), work.end(),
                                     [&](const Json& one) { return string_or(one, "ref") == row.record.id.ref(); });
      if (known) continue;
      Json shared = to_row(row, view, lifecycles);
      shared["headline"] = cat("for all projects, ", string_or(shared, "headline"));
      shared.erase("recorded");
      work.push_back(std::move(shared));
      ++count[static_cast<std::size_t>(row.stand.place)];
    }
    return done();
  });
}

// Where it cannot be read that needs somebody, and hides nothing of the project's. Without a home folder there is
// nothing to be read.
void add_shared(Context& context, Json& work, PlaceCounts& count) {
  if (!users_workspace()) return;
  const std::string file = loop::file_of(loop::users_ultrawork_shape(), {std::string(loop::kUltrawork), "", ""});
  const Done added = add_rows_of_shared(context, file, work, count);
  if (added) return;
  work.push_back({{"ref", file},
                  {"kind", "file"},
                  {"status", "not read"},
                  {"stands", name_of(BoardPlace::needs_person)},
                  {"why", cat("what all projects share could not be read: ", added.error().message)}});
  if (!added.error().hint.empty()) work.back()["advice"] = added.error().hint;
  ++count[static_cast<std::size_t>(BoardPlace::needs_person)];
}

// What needs somebody first, the newest on top: of what is not shown there, everybody knows already.
Json newest_first(Json work) {
  std::vector<Json> asks;
  Json others = Json::array();
  for (Json& row : work) {
    if (string_or(row, "stands") == name_of(BoardPlace::needs_person)) {
      asks.push_back(std::move(row));
    } else {
      others.push_back(std::move(row));
    }
  }
  std::stable_sort(asks.begin(), asks.end(),
                   [](const Json& a, const Json& b) { return string_or(a, "since") > string_or(b, "since"); });
  Json out = Json::array();
  for (Json& row : asks) out.push_back(std::move(row));
  for (Json& row : others) out.push_back(std::move(row));
  return out;
}

Result<Json> look(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const bool all = arguments.flag("all");
  Json out{{"workspace", engine->workspace().root}, {"recorded", engine->has_store()}};
  if (const auto& left = engine->left()) out["left_at"] = left_at(*left);
  Look everywhere;
  everywhere.all = everywhere.tells_behind = true;
  PAWL_TRY(engine->read(everywhere, context.flags.at, [&](const View& view) -> Done {
    const PlaceCounts most = most_rows(all, context.text_only);
    BoardKinds kinds(*engine, view, context.clock->now());
    const Closer closer = [&](const Record& record, Placed& row) {
      return context.flags.at ? done() : kinds.see(record, row);  // how it stood then, nobody can ask
    };
    PAWL_ASSIGN(Survey found, survey(view, context.lifecycles(), context.clock->now(), most, closer));
    if (!context.flags.at) PAWL_TRY(kinds.sort(found.rows, most[static_cast<std::size_t>(BoardPlace::next)]));
    Json work = Json::array();
    std::vector<std::string> of_file;
    PlaceCounts count{}, made{};
    for (const KindCounts& kind : found.kinds) {
      for (std::size_t i = 0; i < count.size(); ++i) count[i] += kind.count[i];
      // What went with another list is nothing that was done here.
      if (!context.lifecycles().find(kind.kind)->of_a_session)
        count[static_cast<std::size_t>(BoardPlace::ended)] -= kind.aside;
    }
    for (Placed& row : found.rows) {
      const auto place = static_cast<std::size_t>(row.stand.place);
      if (made[place]++ >= most[place]) continue;
      PAWL_TRY(complete(view, context.lifecycles(), row));
      if (!context.flags.at && !engine->left()) PAWL_TRY(kinds.advise(row));
      if (engine->left()) row.stand.advice.clear();  // all that it could say is refused, until somebody comes back
      work.push_back(to_row(row, view, context.lifecycles()));
      const auto files = files_of(engine->world(), row.record.id);
      of_file.push_back(files.empty() ? path_by_scope(context.lifecycles(), row.record.id).value_or(std::string())
                                      : files.front().path);
    }
    if (!context.flags.at && !engine->left()) {
      PAWL_ASSIGN(const auto without_record, kinds.without_record());
      for (const Placed& row : without_record) {
        work.push_back(to_row(row, view, context.lifecycles()));
        of_file.emplace_back();
        ++count[static_cast<std::size_t>(row.stand.place)];
      }
    }
    tell_apart(work, of_file);
    const std::size_t before = work.size();
    if (!context.flags.at && engine->has_store()) add_put_back(*engine, view, context.clock->now().wall_ms, work);
    if (!context.flags.at && engine->has_store()) PAWL_TRY(add_conflicts(context, *engine, view, work));
    if (!context.flags.at && engine->unsettled()) PAWL_TRY(add_left_alone(*engine, view, work));
    count[static_cast<std::size_t>(BoardPlace::needs_person)] += work.size() - before;
    if (!context.flags.at) add_foreign_loop(*engine, context.clock->now().wall_ms, work, count);
    if (!context.flags.at && !engine->left()) add_shared(context, work, count);
    for (std::size_t i = 0; i < count.size(); ++i) {
      if (static_cast<BoardPlace>(i) != BoardPlace::part) out["count"][name_of(static_cast<BoardPlace>(i))] = count[i];
    }
    out["progress"] = progress_of(found.kinds, context.lifecycles());
    out["ended"] = all ? 0 : count[static_cast<std::size_t>(BoardPlace::ended)];  // of which nothing is shown
    out["work"] = newest_first(std::move(work));
    return done();
  }));
  if (all) out["all"] = true;
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
  // Nobody tells that a process died, that time has passed or that a terminal has another size: so look every second.
  // What is drawn over is drawn each time; who reads a stream is told of changes, and of ages once a minute.
  // And not more often than anybody can read, however often a file beside them is written.
  constexpr int kTickMs = 1000;
  constexpr std::int64_t kShortestMs = 100;
  constexpr std::int64_t kAgesMs = 60'000;
  std::int64_t told_ms = 0;
  for (Json before;;) {
    PAWL_ASSIGN(Json data, look(context, arguments));
    data["watched"] = true;
    const std::int64_t now_ms = context.clock->now().boot_ms;
    if (context.draws || data != before || now_ms - told_ms >= kAgesMs) {
      told_ms = now_ms;
      if (!context.emit(data)) return Reply{Json()};
    }
    before = std::move(data);
    const std::int64_t rest_ms = kShortestMs - (context.clock->now().boot_ms - now_ms);
    if (rest_ms > 0) poll(nullptr, 0, static_cast<int>(rest_ms));
    PAWL_ASSIGN(const auto woken, waiter.wait(*engine, kTickMs, context.reader));
    if (woken == ChangeWaiter::Woken::nobody_reads) return Reply{Json()};
    engine->see_whether_left();
  }
}

std::string text_of_status(const Json& data, const TextStyle& style) {
  if (data.is_null()) return {};
  const bool line = data.contains("line");
  // Drawn over what was there: to the first line, and nothing of the old one behind or below the new.
  if (!data.contains("watched") || !style.terminal)
    return cat(line ? board_line(data) : board(data, style), data.contains("watched") && !line ? "\n" : "");
  // In a single row there is room for a few words, and none for a newline behind them.
  if (style.height == 1) {
    const std::string words = board_line(data);
    const std::size_t most = style.width - std::min<std::size_t>(style.width, 1);
    return cat("\x1b[H\x1b[J", fitted(std::string_view(words).substr(0, words.find('\n')), most, style.unicode), "\r");
  }
  // The terminal's rows are counted, and the last one is left free, as a newline there would scroll.
  const std::size_t room = style.height > 1 ? style.height - 1 : SIZE_MAX;
  const std::string drawn = line ? folded(board_line(data), style.width) : board_within(data, style, room);
  std::vector<std::string_view> lines = split(drawn, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  std::size_t rows = 0, fit = 0;
  while (fit < lines.size() && rows + rows_of(lines[fit], style.width) <= room)
    rows += rows_of(lines[fit++], style.width);
  if (fit < lines.size()) {
    if (rows == room && fit > 0) --fit;  // in its place
    lines.resize(fit);
    lines.emplace_back(style.unicode ? "…" : "...");
  }
  // What was there is taken away before a line, not behind it: behind a full one that would take its last sign.
  std::string out = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) out += cat(i + 1 < lines.size() ? "\x1b[K" : "\x1b[J", lines[i], "\n");
  return out;
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
        "what the move needs (stories go on all the same, marked), ended in an error, or was left: a session's that "
        "nobody has been in for a day, a review for a week. Then what is "
        "running, with its age and worker, what is next, and what waits.\n\n"
        "--watch draws the board anew when something changes; into a pipe it prints each board below the last, and "
        "with --json a line each.",
    .params = kStatusParams,
    .examples = kStatusExamples,
    .run = run_status,
    .text = text_of_status,
};

}  // namespace pawl
