// `pawl issue …`: the status of the issues that agents work on.
#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <map>
#include <set>

#include "base/text.h"
#include "commands/context.h"
#include "commands/issue_params.h"
#include "commands/present.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "lifecycles/issue/issue.h"
#include "lifecycles/issue/status_file.h"

namespace pawl {
namespace {

Json record_json(const Record& record) {
  // The file's content, in the order of a fresh one.
  Json object = Json::object();
  if (record.doc.contains("issue")) object["issue"] = record.doc["issue"];
  object["status"] = record.held ? Json(*record.held) : Json(record.status);
  for (const auto& [key, value] : record.doc.items()) object[key] = value;
  return object;
}

// The one issue that a verb is about, as it stands.
Result<Record> load(Context& context, const Arguments& arguments, RecordPart part = RecordPart::whole) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const RecordId id = issue::id_of(issue_number(arguments), engine->settings());
  Look look;
  look.records.push_back(id);
  Record found;
  PAWL_TRY(engine->read(look, context.flags.at, [&](const View& view) -> Done {
    PAWL_ASSIGN(found, view.load(id, part));
    return done();
  }));
  return found;
}

// --- set ---

Result<Reply> run_set(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  issue::SetStatus command{issue_number(arguments), arguments.text_or("status", ""), arguments.text("session"),
                           arguments.text("message"), context.flags.reason};
  if (arguments.flag("strip")) {
    if (command.message) command.message = stripped(*command.message, issue::kMaxMessageBytes);
    if (command.session) command.session = stripped(*command.session, issue::kMaxSessionBytes);
  }
  // A word that is no status is refused before a store is made for it.
  if (issue::machine().status(command.status) == nullptr)
    return tl::unexpected(unknown_status(issue::machine(), command.status));

  const RecordId id = issue::id_of(command.number, engine->settings());
  Request request = context.request();
  request.token = arguments.number("token");
  Look look;
  look.records.push_back(id);
  PAWL_ASSIGN(Outcome outcome, engine->change(request, look, [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(const Record current, view.load(id));
    PAWL_ASSIGN(Change change, issue::decide(current, command, now, engine->settings()));
    Decision decision;
    decision.answer = record_json(change.after);
    decision.changes.push_back(std::move(change));
    return decision;
  }));
  return Reply{std::move(outcome.answer)};
}

std::string text_of_set(const Json& data, const TextStyle&) {
  return cat("issue ", to_line(data["issue"]), " is ", string_or(data, "status"), "\n");
}

// --- get ---

Result<Reply> run_get(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Record record, load(context, arguments, RecordPart::without_doc));
  if (record.held) {
    context.note(cat("issue ", record.id.key, " has “", printable(*record.held),
                     "” for a status, which is none: ", join_or(status_names(issue::machine()))));
  }
  return Reply{Json{{"issue", issue_number(arguments)}, {"status", issue::status_word(record)}}};
}

std::string text_of_get(const Json& data, const TextStyle&) { return cat(string_or(data, "status"), "\n"); }

// --- show ---

Result<Reply> run_show(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Record record, load(context, arguments));
  if (!record.present()) return fail(ErrorCode::not_found, cat("issue ", record.id.key, " has no status"));
  Json out = record_json(record);
  out["issue"] = issue_number(arguments);  // the file's name counts, whatever is in it
  if (context.flags.at) return Reply{std::move(out)};
  // What pawl knows beside its file: where the work is.
  PAWL_ASSIGN(Json run, run_facts(context, record));
  if (!run.is_null()) out["run"] = std::move(run);
  return Reply{std::move(out)};
}

std::string shown(const Json& data, const std::string& key) {
  const auto found = data.find(key);
  if (found == data.end() || found->is_null()) return {};
  return printable(found->is_string() ? found->get<std::string>() : to_line(*found));
}

std::string text_of_show(const Json& data, const TextStyle&) {
  const std::string word = string_or(data, "status");
  std::string out = cat("Issue #", shown(data, "issue"), ": ");
  out += issue::machine().status(word) != nullptr ? word : cat("unknown (its file says “", shown(data, "status"), "”)");
  out += cat("\nSession: ", shown(data, "session"), "\n");
  if (const std::string message = shown(data, "error_message"); !message.empty()) out += cat("Error: ", message, "\n");
  out += cat("Timestamp: ", shown(data, "timestamp"), "\n");
  if (!data.contains("run")) return out;
  for (const auto& [key, name] : {std::pair{"title", "Title"}, {"branch", "Branch"}, {"worktree", "Worktree"}}) {
    if (const std::string text = shown(data["run"], key); !text.empty()) out += cat(name, ": ", text, "\n");
  }
  if (const std::string next = string_or(data["run"], "next"); !next.empty())
    out += cat("Next: ", lines_below(next, "    ").substr(4));
  return out;
}

// --- error ---

Result<Reply> run_error(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Record record, load(context, arguments));
  return Reply{Json{{"issue", issue_number(arguments)}, {"error_message", string_or(record.doc, "error_message")}}};
}

std::string text_of_error(const Json& data, const TextStyle&) {
  const std::string message = string_or(data, "error_message");
  return message.empty() ? std::string() : cat(printable(message, true), "\n");
}

// --- list, orphans ---

Result<std::vector<Record>> list_issues(Context& context) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Query query;
  query.kind = issue::kKind;
  query.scope = issue::id_of(1, engine->settings()).scope;
  Look look;
  look.kinds.emplace_back(issue::kKind);
  std::vector<Record> records;
  PAWL_TRY(engine->read(look, context.flags.at, [&](const View& view) -> Done {
    PAWL_ASSIGN(records, view.list(query));
    return done();
  }));
  return records;
}

// Those whose file is there and cannot be read, and of which there was never a good one: a status that is unknown.
Result<std::set<std::int64_t>> unread_issues(Context& context, const std::vector<Record>& known) {
  std::set<std::int64_t> numbers;
  if (context.flags.at) return numbers;
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string place = cat(issue::base_dir(engine->settings()), "/.status");
  PAWL_ASSIGN(const auto folder, engine->world().roots->find_folder(place, false));
  if (!folder) return numbers;
  PAWL_ASSIGN(const auto names, names_in(folder->get()));
  for (const std::string& name : names) {
    struct stat info {};
    if (issue::StatusFile().accepts(name) && fstatat(folder->get(), name.c_str(), &info, 0) == 0 &&
        S_ISREG(info.st_mode))
      numbers.insert(parse_positive(name.substr(0, name.find('.'))).value_or(0));
  }
  for (const Record& record : known) numbers.erase(issue::number_of(record));
  return numbers;
}

Result<Reply> run_list(Context& context, const Arguments& arguments) {
  const auto status = arguments.text("status");
  if (status && status != issue::kUnknown && issue::machine().status(*status) == nullptr)
    return tl::unexpected(unknown_status(issue::machine(), *status));
  PAWL_ASSIGN(const auto records, list_issues(context));
  PAWL_ASSIGN(const auto unread, unread_issues(context, records));
  std::map<std::int64_t, Json> rows;  // by number, so that 9 comes before 10
  for (const std::int64_t number : unread)
    rows[number] = Json{{"issue", number}, {"status", issue::kUnknown}, {"session", ""}, {"timestamp", ""}};
  for (const Record& record : records) {
    Json row = record_json(record);
    row["issue"] = issue::number_of(record);
    row["status"] = issue::status_word(record);
    rows[issue::number_of(record)] = std::move(row);
  }
  Json list = Json::array();
  for (auto& [number, row] : rows) {
    if (!status || string_or(row, "status") == *status) list.push_back(std::move(row));
  }
  return Reply{std::move(list)};
}

std::string text_of_list(const Json& list, const TextStyle&) {
  std::string out;
  for (const Json& row : list) out += cat(to_line(row["issue"]), "\t", string_or(row, "status"), "\n");
  return out;
}

// The issues that have a worktree.
Result<std::vector<std::string>> worktree_keys(const Engine& engine) {
  std::vector<std::string> keys;
  const MirrorWorld world = engine.world();
  PAWL_ASSIGN(const auto folder, world.roots->find_folder(issue::base_dir(engine.settings()), false));
  if (!folder) return keys;
  PAWL_ASSIGN(const auto names, names_in(folder->get()));
  for (const std::string& name : names) {
    struct stat info {};
    const auto number = issue::issue_of_worktree(name);
    if (number && fstatat(folder->get(), name.c_str(), &info, 0) == 0 && S_ISDIR(info.st_mode))
      keys.push_back(std::to_string(*number));
  }
  return keys;
}

Result<Reply> run_orphans(Context& context, const Arguments&) {
  PAWL_ASSIGN(const auto records, list_issues(context));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const auto keys, worktree_keys(*engine));
  PAWL_ASSIGN(std::set<std::int64_t> orphans, unread_issues(context, records));
  for (const Record& record : records) orphans.insert(issue::number_of(record));
  for (const std::string& key : keys) orphans.erase(parse_positive(key).value_or(0));
  return Reply{Json(orphans)};
}

std::string text_of_orphans(const Json& numbers, const TextStyle&) {
  std::string out;
  for (const Json& number : numbers) out += cat(to_line(number), "\n");
  return out;
}

constexpr std::array kSetParams = {
    kIssueNumber,
    Param{.name = "status",
          .value = "STATUS",
          .summary = "running, complete or error",
          .positional = true,
          .required = true,
          .offer = Offer::statuses,
          .offer_kind = "issue"},
    Param{.name = "session", .value = "S", .summary = "the terminal session; otherwise the one it has, or pi-issue-N"},
    Param{.name = "message", .value = "M", .summary = "what went wrong; at most 64 KiB of UTF-8"},
    Param{
        .name = "strip",
        .type = ParamType::flag,
        .summary = "take escapes and control characters out of message and session and cut them, instead of refusing"},
    kIssueToken,
};
constexpr std::array kListParams = {Param{.name = "status",
                                          .value = "STATUS",
                                          .summary = "only those that are running, complete, error or unknown",
                                          .offer = Offer::statuses,
                                          .offer_kind = "issue"}};

constexpr std::array kSetExamples = {
    Example{"pawl issue set 42 running", "the agent has started"},
    Example{"pawl issue set 42 error --message 'tests fail'", "it failed, and this is why"},
    Example{"pawl issue set 42 complete --reason 'the marker was missed'", "correct a wrong end"},
};
constexpr std::array kGetExamples = {
    Example{"pawl issue get 42", "prints running, complete, error or unknown"},
    Example{"[ \"$(pawl issue get 42)\" = complete ] && echo done", "in a script"},
};
constexpr std::array kShowExamples = {
    Example{"pawl issue show 42", "status, session, error and time, a line each"},
    Example{"pawl issue show 42 --json", "what its file says"},
};
constexpr std::array kErrorExamples = {
    Example{"pawl issue error 42", "prints the message, or nothing"},
    Example{"pawl issue error 42 --at 17", "the message as it was after operation 17"},
};
constexpr std::array kListExamples = {
    Example{"pawl issue list", "all of them, by number"},
    Example{"pawl issue list --status running | cut -f1", "the numbers of those under way"},
};
constexpr std::array kOrphansExamples = {
    Example{"pawl issue orphans", "numbers whose worktree is gone, one a line"},
    Example{"for n in $(pawl issue orphans); do pawl issue remove \"$n\"; done", "forget them"},
};

}  // namespace

const Verb kIssueSet = {
    .noun = "issue",
    .name = "set",
    .summary = "set the status of an issue",
    .manual =
        "An issue is running, complete or error. Setting the status it has refreshes session, message and time. A "
        "complete or "
        "failed one may run again; from complete to error or back it is corrected only with --reason. Any other word "
        "is refused. "
        "The status is kept in .worktrees/.status/N.json too, for the tools that read it there.",
    .params = kSetParams,
    .examples = kSetExamples,
    .read_only = false,
    .run = run_set,
    .text = text_of_set,
};

const Verb kIssueGet = {
    .noun = "issue",
    .name = "get",
    .summary = "print the status of an issue: running, complete, error or unknown",
    .manual =
        "unknown stands for an issue without a status, and for one whose file holds a word that is no status. The exit "
        "code is 0 in each case.",
    .params = kNumberOnly,
    .examples = kGetExamples,
    .run = run_get,
    .text = text_of_get,
};

const Verb kIssueShow = {
    .noun = "issue",
    .name = "show",
    .summary = "show status, session, error and time of an issue, and where it is worked on",
    .manual =
        "With --json it prints what the issue's file says, and under `run` title, branch and worktree, where pawl "
        "knows them. pawl show issue/N tells what happened to it. The exit code is 3 when there is nothing to show.",
    .params = kNumberOnly,
    .examples = kShowExamples,
    .run = run_show,
    .text = text_of_show,
};

const Verb kIssueError = {
    .noun = "issue",
    .name = "error",
    .summary = "print the error message of an issue",
    .manual = "Prints nothing when there is none. Control characters in it are shown, not obeyed.",
    .params = kNumberOnly,
    .examples = kErrorExamples,
    .run = run_error,
    .text = text_of_error,
};

const Verb kIssueList = {
    .noun = "issue",
    .name = "list",
    .summary = "list issues by number, each with its status",
    .manual =
        "A line each: number, tab, status. One whose file has a word that is no status, or cannot be read, is "
        "unknown.",
    .params = kListParams,
    .examples = kListExamples,
    .run = run_list,
    .text = text_of_list,
};

const Verb kIssueOrphans = {
    .noun = "issue",
    .name = "orphans",
    .summary = "list issues that have a status but no worktree",
    .manual =
        "The worktree of issue N is called issue-N or issue-N-anything and stands in the base folder. Nothing is "
        "removed.",
    .examples = kOrphansExamples,
    .run = run_orphans,
    .text = text_of_orphans,
};

}  // namespace pawl
