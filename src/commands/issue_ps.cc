// `pawl issue ps`, `logs`: what is running, and what it says.
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>

#include "base/terminal_lines.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/issue_params.h"
#include "commands/present.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/output_log.h"
#include "runners/issue/past.h"
#include "runners/issue/recorder.h"
#include "runners/issue/run_issue.h"
#include "runners/issue/sessions.h"
#include "runners/issue/sight.h"
#include "runners/issue/unfinished.h"

namespace pawl {
namespace {

constexpr std::size_t kPortion = std::size_t{64} << 10U;
constexpr int kTmuxPatienceMs = 2'000;  // with a tmux server that does not answer
constexpr int kAttachLookMs = 1'000;    // whether the run has ended meanwhile

// --- ps ---

// Those whose start was cut off before a status could tell of them: an agent may be at work, or nothing be there yet.
Done add_cut_off(Engine& engine, Sessions& sessions, Json& list) {
  std::vector<issue::Run> starts;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(starts, cut_off_starts(engine, view.store()));
    return done();
  }));
  for (const issue::Run& run : starts) {
    const auto session = sessions.find(run);
    if (!session && session.error().code != ErrorCode::busy) return tl::unexpected(session.error());
    const bool known =
        std::any_of(list.begin(), list.end(), [&](const Json& row) { return row["issue"] == run.number; });
    if (known) continue;
    PAWL_ASSIGN(const std::string worktree, worktree_of(engine, run.number));
    list.push_back({{"issue", run.number},
                    {"since_ms", run.started_ms},
                    {"session", session && *session ? (*session)->name : run.session},
                    {"session_alive", session ? Json(session->has_value()) : Json()},
                    {"watched", false},
                    {"cut_off", true},
                    {"worktree", worktree},
                    {"workspace", engine.workspace().root},
                    {"last_line", last_line(RunBook(engine).folder(run))}});
  }
  return done();
}

// Those that go on though their status was removed.
Done add_without_status(Engine& engine, Sessions& sessions, Json& list) {
  const RunBook book(engine);
  PAWL_ASSIGN(const auto numbers, book.numbers());
  for (const std::int64_t number : numbers) {
    PAWL_ASSIGN(const Record record, read_issue(engine, number));
    PAWL_ASSIGN(const auto run, book.find(number));
    if (record.present() || !run || !run->ended.empty()) continue;
    const auto session = sessions.find(*run);
    if (!session || !*session) continue;
    PAWL_ASSIGN(const std::string worktree, worktree_of(engine, number));
    list.push_back({{"issue", number},
                    {"since_ms", run->started_ms},
                    {"session", (*session)->name},
                    {"session_alive", true},
                    {"watched", book.watcher(*run).pid != 0},
                    {"no_status", true},
                    {"worktree", worktree},
                    {"workspace", engine.workspace().root},
                    {"last_line", last_line(book.folder(*run))}});
  }
  return done();
}

Result<Reply> run_ps(Context& context, const Arguments&) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  RunBook book(*engine);
  Sessions sessions(*engine, kTmuxPatienceMs);
  std::optional<Error> unknown;
  Json list = Json::array();
  PAWL_ASSIGN(const auto records, read_issues(*engine));
  for (const Record& record : records) {
    if (record.status != issue::kRunning) continue;
    const std::int64_t number = issue::number_of(record);
    PAWL_ASSIGN(const auto run, book.find(number));
    const std::string name = string_or(record.doc, "session");
    PAWL_ASSIGN(const bool known, is_about(*engine, run, record));
    const auto session = sessions.of(record, run);
    if (!session && session.error().code != ErrorCode::busy) return tl::unexpected(session.error());
    if (!session && !unknown) unknown = session.error();
    PAWL_ASSIGN(const std::string worktree, worktree_of(*engine, number));
    // Of an earlier run, what it said last is no news of this one.
    const auto since = parse_iso_time(string_or(record.doc, "timestamp"));
    list.push_back({{"issue", number},
                    {"since_ms", since.value_or(0)},
                    {"session", session && *session ? (*session)->name : name},
                    {"session_alive", session ? Json(session->has_value()) : Json()},
                    {"watched", engine->left() ? book.has_watcher(number) : known && book.watcher(*run).pid != 0},
                    {"worktree", worktree},
                    {"workspace", engine->workspace().root},
                    {"last_line", known ? last_line(book.folder(*run)) : std::string()}});
  }
  PAWL_TRY(add_cut_off(*engine, sessions, list));
  PAWL_TRY(add_without_status(*engine, sessions, list));
  if (unknown) context.note(cat(unknown->message, ": whether the sessions are there is not known"));
  return Reply{std::move(list)};
}

std::string session_words(const Json& row) {
  const Json& alive = row["session_alive"];
  const std::string_view there = alive.is_null() ? " (tmux does not answer)" : "";
  if (row.contains("cut_off"))
    return cat(there, alive == false ? " (not there: its start was cut off)" : " (its start was cut off)");
  if (row.contains("no_status")) return " (its status was removed)";
  return cat(there, alive == false ? " (gone)" : "", row["watched"] == true ? "" : " (not watched)");
}

// As one would type it from the project's folder.
std::string short_path(const std::string& path, const std::string& root) {
  return !root.empty() && path.starts_with(root + "/") ? path.substr(root.size() + 1) : path;
}

// A status file of another tool's may not say since when.
std::string age_of(std::int64_t since_ms, const TextStyle& style) {
  return since_ms == 0 ? std::string("-") : ago(since_ms, style.now_ms);
}

std::string text_of_ps(const Json& list, const TextStyle& style) {
  std::vector<TableRow> rows;
  for (const Json& row : list) {
    const std::string path = string_or(row, "worktree");
    rows.push_back({{cat("#", to_line(row["issue"])), age_of(integer_or(row, "since_ms"), style),
                     cat(printable(string_or(row, "session")), session_words(row)),
                     printable(short_path(path, string_or(row, "workspace")))},
                    printable(string_or(row, "last_line"))});
  }
  return list.empty() ? "no issue is running\n" : table_of(rows, style);
}

constexpr std::array kPsExamples = {
    Example{"pawl issue ps", "number, age, session, worktree, and the last line of output"},
    Example{"pawl issue ps --json | jq '.[] | select(.session_alive | not)'", "those whose session is gone"},
};

// --- logs ---

class Follower {
 public:
  Follower(Context& context, std::string folder) : context_(context), folder_(std::move(folder)) {}

  // False: nobody listens any more.
  Result<bool> tell_what_is_there() {
    while (true) {
      PAWL_ASSIGN(const std::string bytes, read_output(folder_, from_, kPortion));
      if (bytes.empty()) return true;
      bool heard = true;
      lines_.feed(bytes, [&](std::string_view line, bool cut) { heard = heard && tell(line, cut); });
      if (!heard) return false;
    }
  }
  // All of another run, which has ended.
  Result<bool> tell_of(const std::string& earlier) {
    Follower other(context_, earlier);
    other.most_ = most_;
    other.kept_.swap(kept_);
    PAWL_ASSIGN(const bool heard, other.tell_what_is_there());
    if (heard) other.tell_the_rest();
    kept_.swap(other.kept_);
    return heard;
  }
  // Only so many of the lines that are there now; those that come later are told all.
  void keep_last(std::size_t count) { most_ = count; }
  void tell_kept() {
    most_.reset();
    for (const Json& line : kept_) context_.emit(line);
    kept_.clear();
  }
  void tell_the_rest() {
    if (!lines_.unfinished().empty()) tell(lines_.unfinished(), lines_.unfinished_cut());
  }

 private:
  bool tell(std::string_view line, bool cut) {
    Json item{{"line", stripped(line, TerminalLines::kMaxLine)}, {"cut", cut}};
    if (!most_) return context_.emit(item);
    kept_.push_back(std::move(item));
    if (kept_.size() > *most_) kept_.pop_front();
    return true;
  }

  Context& context_;
  std::string folder_;
  TerminalLines lines_;
  std::int64_t from_ = 0;
  std::optional<std::size_t> most_;
  std::deque<Json> kept_;
};

// Whether nothing more is to come: it has ended, and is not running again as one whose end was taken back.
Result<bool> is_over(Engine& engine, const RunBook& book, const issue::Run& run) {
  PAWL_ASSIGN(const auto begins, book.starting(run.number));
  if (begins && begins->id == run.id) return false;
  PAWL_ASSIGN(const auto now, book.find(run.number));
  if (!now || now->id != run.id) return true;
  if (now->ended.empty()) return false;
  PAWL_ASSIGN(const auto recorded, read_recorded(book.folder(run)));
  if (!recorded || !recorded->recorder_lives) return true;
  PAWL_ASSIGN(const Record record, read_issue(engine, run.number));
  return record.status != issue::kRunning;
}

Result<Reply> run_logs(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::int64_t number = issue_number(arguments);
  RunBook book(*engine);
  PAWL_ASSIGN(auto run, book.find(number));
  PAWL_ASSIGN(const auto starting, book.starting(number));  // cut off, it may be at work all the same
  if (starting && recorded_bytes(book.folder(*starting)).value_or(0) > 0) run = starting;
  if (!run)
    return fail(ErrorCode::not_found, cat("nothing is kept of what issue ", number, " said"),
                "output is kept of sessions that pawl started or watched, until the issue is run anew or cleaned up");
  const std::string folder = book.folder(*run);
  const auto earlier = book.earlier_folders(*run);
  Follower follower(context, folder);
  if (const auto tail = arguments.number("tail")) follower.keep_last(static_cast<std::size_t>(*tail));
  bool heard = true;
  for (std::size_t i = 0; heard && arguments.flag("earlier") && i < earlier.size(); ++i) {
    PAWL_ASSIGN(heard, follower.tell_of(earlier[i]));
  }
  if (!earlier.empty() && !arguments.flag("earlier"))
    engine->note(
        cat("this is of the newest run; what was printed before it was resumed is kept too\n  pawl issue logs ", number,
            " --earlier  # shows both"));
  if (heard) {
    PAWL_ASSIGN(heard, follower.tell_what_is_there());
  }
  if (!arguments.flag("follow")) {
    if (heard) follower.tell_the_rest();
    follower.tell_kept();
    return Reply{Json()};
  }
  follower.tell_kept();
  const Fd changes(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!changes.valid() || inotify_add_watch(changes.get(), folder.c_str(), IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0)
    return tl::unexpected(io_error("watch", folder, errno));
  while (heard) {
    PAWL_ASSIGN(const bool over, is_over(*engine, book, *run));
    PAWL_ASSIGN(heard, follower.tell_what_is_there());
    if (over) break;
    pollfd waiting{changes.get(), POLLIN, 0};
    poll(&waiting, 1, kAttachLookMs);
    std::array<char, 16384> drained{};
    while (read(changes.get(), drained.data(), drained.size()) > 0) {
    }
  }
  if (heard) follower.tell_the_rest();
  return Reply{Json()};
}

std::string text_of_logs(const Json& item, const TextStyle&) {
  if (item.is_null()) return {};
  return cat(printable(string_or(item, "line")), item["cut"] == true ? "…" : "", "\n");
}

constexpr std::array kLogsParams = {
    kIssueNumber,
    Param{.name = "tail", .type = ParamType::positive, .value = "LINES", .summary = "only the last so many lines"},
    Param{
        .name = "earlier", .type = ParamType::flag, .summary = "first what the runs printed that it was resumed from"},
    Param{.name = "follow", .type = ParamType::flag, .summary = "go on until the run ends", .letter = 'f'},
};
constexpr std::array kLogsExamples = {
    Example{"pawl issue logs 42", "the newest of what its session printed"},
    Example{"pawl issue logs 42 --tail 20", "its last twenty lines"},
    Example{"pawl issue logs 42 --earlier", "with what it printed before it was resumed"},
    Example{"pawl issue logs 42 -f", "and what it prints from now on"},
};

}  // namespace

const Verb kIssuePs = {
    .noun = "issue",
    .name = "ps",
    .summary = "list running issues: age, session, worktree, last line of output",
    .manual =
        "(gone) stands behind a session that is not there any more, (its start was cut off) behind one whose command "
        "was "
        "killed before it could set the status, (not there: its start was cut off) where it had no session yet: pawl "
        "issue resume goes on with each. (its status was removed) stands behind one that is at work all the same: pawl "
        "issue reconcile gives it a status and a watcher. A tmux server "
        "that "
        "does not answer within 2 seconds, as one that was stopped, is not waited for: what it has is not known then.",
    .examples = kPsExamples,
    .run = run_ps,
    .text = text_of_ps,
};

const Verb kIssueLogs = {
    .noun = "issue",
    .name = "logs",
    .summary = "print what the session of an issue has printed",
    .manual =
        "The newest 2 to 4 MiB are kept, also after the session has ended, until the issue is run anew or cleaned up; "
        "so "
        "are those of the up to eight runs that a resumed one goes on from. Terminal escapes are taken out.",
    .params = kLogsParams,
    .examples = kLogsExamples,
    .streams = true,
    .for_a_file = true,
    .run = run_logs,
    .text = text_of_logs,
};

}  // namespace pawl
