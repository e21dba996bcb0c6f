// What happened: `pawl log`, `show`, `undo`.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/text.h"
#include "core/held_word.h"
#include "drive/issue/on_board.h"
#include "drive/issue/run_book.h"
#include "drive/issue/sessions.h"
#include "engine/claims.h"
#include "engine/engine.h"
#include "engine/left.h"
#include "engine/undo.h"
#include "lifecycle/issue/issue.h"
#include "verbs/context.h"
#include "verbs/issue_params.h"
#include "verbs/present.h"
#include "verbs/table.h"
#include "verbs/thing.h"

namespace pawl {
namespace {

Look look_everywhere() {
  Look look;
  look.all = true;
  return look;
}

// --- log ---

// What is asked for beside the number of operations.
struct Wanted {
  std::optional<RecordId> record;
  std::string kind, actor;
  std::int64_t since_ms = std::numeric_limits<std::int64_t>::min();

  [[nodiscard]] bool all() const { return kind.empty() && actor.empty(); }
  [[nodiscard]] bool fits(const Operation& operation, const Json& row) const {
    if (!actor.empty() && operation.actor != actor) return false;
    if (kind.empty()) return true;
    const std::string begins = kind + "/";
    const auto of_kind = [&](const Json& one) { return string_or(one, "ref").starts_with(begins); };
    const Json effects = row.value("effects", Json::array());
    return std::any_of(row["events"].begin(), row["events"].end(), of_kind) ||
           std::any_of(effects.begin(), effects.end(), of_kind);
  }
};

// "2h" ago, or a time.
Result<std::int64_t> since_in(const std::string& text, std::int64_t now_ms) {
  if (const auto before = parse_duration_ms(text)) return now_ms - *before;
  if (const auto at = parse_iso_time(text.size() == 10 ? cat(text, "T00:00:00Z") : text)) return *at;
  return fail(ErrorCode::invalid_argument, cat("--since: “", printable(text), "” is neither a duration nor a time"),
              "30m, 2h, 7d, 2026-01-30 or 2026-01-30T09:00:00Z");
}

Result<Wanted> wanted_in(const Context& context, const Arguments& arguments) {
  Wanted wanted;
  wanted.actor = context.flags.actor;
  wanted.kind = arguments.text_or("kind", "");
  if (!wanted.kind.empty() && context.lifecycles().find(wanted.kind) == nullptr) {
    std::vector<std::string_view> kinds;
    for (const Lifecycle& row : context.lifecycles().rows()) kinds.push_back(row.kind);
    const auto meant = nearest(wanted.kind, kinds);
    return fail(ErrorCode::invalid_argument, cat("“", printable(wanted.kind), "” is no kind: ", join_or(kinds)),
                meant ? cat("did you mean ", *meant, "?") : std::string());
  }
  if (const auto since = arguments.text("since")) {
    PAWL_ASSIGN(wanted.since_ms, since_in(*since, context.clock->now().wall_ms));
  }
  return wanted;
}

Result<Reply> run_log(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Wanted wanted, wanted_in(context, arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  if (const auto& left = engine->left())
    context.note(cat(left_in_words(*left, context.clock->now().wall_ms),
                     left->folder.empty()
                         ? std::string()
                         : cat("; what happened until then is in ", printable(left->folder), "/log.jsonl")));
  Json list = Json::array();
  PAWL_TRY(engine->read(look_everywhere(), std::nullopt, [&](const View& view) -> Done {
    if (context.flags.at) PAWL_TRY(must_be_kept(view.store(), *context.flags.at));
    const auto limit = static_cast<std::size_t>(arguments.number("limit").value_or(20));
    OperationQuery query;
    if (context.flags.at) query.before = *context.flags.at + 1;
    if (const auto ref = arguments.text("ref")) {
      PAWL_ASSIGN(query.record, view.resolve(*ref));
    }
    // In portions, as many as it takes to find enough that fit.
    constexpr std::int64_t kPortion = 100;
    while (list.size() < limit) {
      const std::int64_t missing = static_cast<std::int64_t>(limit - list.size());
      query.limit = wanted.all() ? missing : kPortion;
      PAWL_ASSIGN(const auto operations, view.store().operations(query));
      for (const Operation& operation : operations) {
        if (operation.at_ms < wanted.since_ms) return done();
        PAWL_ASSIGN(Json row, to_json(view.store(), operation));
        if (wanted.fits(operation, row)) list.push_back(std::move(row));
        if (list.size() == limit) return done();
      }
      if (std::cmp_less(operations.size(), query.limit)) return done();
      query.before = operations.back().id;
    }
    return done();
  }));
  // What nothing fits is something else than a workspace in which nothing has happened.
  const bool narrowed = !wanted.all() || arguments.text("since") || arguments.text("ref") || context.flags.at;
  if (list.empty() && narrowed) context.note("nothing that has happened fits; pawl log shows all of it");
  return Reply{std::move(list)};
}

std::string text_of_log(const Json& list, const TextStyle& style) {
  if (list.empty()) return "there is nothing to tell\n";
  std::string out;
  for (const Json& operation : list) out += lines_of_operation(operation, style);
  return out;
}

// --- show ---

Result<Reply> run_show(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Json out;
  Record record;
  PAWL_TRY(engine->read(look_everywhere(), context.flags.at, [&](const View& view) -> Done {
    PAWL_ASSIGN(const RecordId id, view.resolve(arguments.text_or("ref", "")));
    PAWL_ASSIGN(record, view.load(id));
    if (!record.present()) {
      return fail(ErrorCode::not_found,
                  cat(printable(id.ref()), context.flags.at ? " did not exist then" : " does not exist any more"),
                  cat("pawl log ", printable(id.ref()), " tells what happened to it"));
    }
    out = to_json(record);
    if (view.unrecorded(id)) out["recorded"] = false;
    const MirrorWorld world = engine->world();
    for (const MirrorFile& file : files_of(world, id)) out["files"].push_back(file.path);
    PAWL_ASSIGN(const auto claim, view.store().claim(id));
    if (claim && claim_lives(*claim, context.clock->now()))
      out["claim"] = Json{{"worker", claim->worker}, {"token", claim->token}};
    PAWL_ASSIGN(out["log"], history_of(view, {id}, context.flags.at));
    return done();
  }));
  if (record.id.kind == issue::kKind && !context.flags.at) {
    PAWL_ASSIGN(Json run, run_facts(context, record));
    if (!run.is_null()) out["run"] = std::move(run);
  }
  return Reply{std::move(out)};
}

std::string text_of_show(const Json& data, const TextStyle& style) {
  Thing thing;
  thing.name = printable(string_or(data, "ref"));
  thing.status = data.contains("held")
                     ? cat("held: ", in_quotes(string_or(data, "held")), " is not a status")
                     : cat(string_or(data, "status", kAbsent), data.contains("aside") ? ", set aside" : "",
                           data.contains("recorded") ? " (not recorded)" : "");
  thing.title = printable(string_or(data["document"], "title"));
  for (const auto& [key, value] : data["document"].items()) {
    if (key != "title" || !value.is_string()) thing.facts += fact(printable(key), data["document"], key, style);
  }
  if (data.contains("run")) {
    if (thing.title.empty()) thing.title = printable(string_or(data["run"], "title"));
    for (const char* const name : {"branch", "worktree", "next"}) thing.facts += fact(name, data["run"], name, style);
  }
  if (data.contains("files")) {
    for (const Json& file : data["files"])
      thing.facts += cat(data.contains("aside") ? "  was in " : "  in ", printable(file.get<std::string>()),
                         data.contains("aside") ? ", which is another's now, or gone" : "", "\n");
  }
  if (data.contains("claim")) thing.facts += cat("  held by ", printable(string_or(data["claim"], "worker")), "\n");
  return text_of_thing(thing, data["log"], style);
}

// --- undo ---

// A status comes back by undo; a session does not. tmux is asked, not what keeps the output: that outlives its session
// by a moment. Where tmux does not answer, nothing is said.
Done note_without_session(Context& context, Engine& engine, const Undone& undone, bool dry_run) {
  Sessions sessions(engine);
  for (const Change& change : undone.changes) {
    if (change.after.id.kind != issue::kKind || change.after.status != issue::kRunning || change.after.aside ||
        change.before.status == issue::kRunning)
      continue;
    const std::int64_t number = issue::number_of(change.after);
    PAWL_ASSIGN(const auto run, RunBook(engine).find(number));
    const auto session = sessions.of(change.after, run);
    if (!session || *session || (run && !check_gone(engine, *run))) continue;
    Placed row;
    row.record = change.after;
    row.stand.advice = cat("pawl issue resume ", number, " goes on with it");
    PAWL_TRY(engine.read_store([&](const View& view) { return IssuesOnBoard(engine, view).advise(row); }));
    context.note(cat("issue ", number, dry_run ? " would be" : " is",
                     " running again by its status alone: there is no session\n  ", row.stand.advice));
  }
  return done();
}

// A run's session, worktree and branch are nobody's status: they stay when its beginning is undone.
Done add_what_stays(Engine& engine, const Undone& undone, Json& answer) {
  if (undone.operation.verb != "issue run") return done();
  Sessions sessions(engine);
  for (const Change& change : undone.changes) {
    if (change.before.id.kind != issue::kKind) continue;
    const std::int64_t number = issue::number_of(change.before);
    PAWL_ASSIGN(const auto run, RunBook(engine).find(number));
    if (!run) continue;
    Json stays{{"issue", number}};
    const auto session = sessions.find(*run);
    if (session && *session) stays["session"] = run->session;
    if (access(run->worktree.c_str(), F_OK) == 0) stays["worktree"] = run->worktree;
    if (!run->branch.empty() && stays.contains("worktree")) stays["branch"] = run->branch;
    if (stays.size() > 1) answer["stays"].push_back(std::move(stays));
  }
  return done();
}

// Which members of a document an undo changes, where the status tells nothing.
Json members_of(const Change& change) {
  Json out = Json::object();
  const Json before = change.before.doc, after = change.after.doc;
  for (const Json* const doc : {&before, &after}) {
    for (const auto& [name, value] : doc->items()) {
      const auto then = before.find(name), now = after.find(name);
      const Json from = then == before.end() ? Json() : *then, to = now == after.end() ? Json() : *now;
      if (from != to) out[name] = {{"from", from}, {"to", to}};
    }
  }
  return out;
}

// "session “b” → “a”"
std::string text_of_members(const Json& members) {
  constexpr std::size_t kMostText = 60;
  const auto word = [](const Json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : to_line(value);
    return value.is_null() ? std::string("nothing")
                           : in_quotes(text.size() > kMostText ? cat(text.substr(0, kMostText), "…") : text);
  };
  std::string out;
  for (const auto& [name, way] : members.items())
    out += cat(out.empty() ? "" : ", ", printable(name), " ", word(way["from"]), " → ", word(way["to"]));
  return out;
}

std::string text_of_stays(const Json& stays) {
  const std::string number = to_line(stays["issue"]);
  std::string out;
  for (const char* const what : {"session", "worktree", "branch"}) {
    if (const std::string name = string_or(stays, what); !name.empty())
      out += cat("    the ", what, " of issue ", number, ": ", printable(name), "\n");
  }
  return cat(out, "      pawl issue cleanup ", number, " ends and removes them, once no work in them is wanted\n");
}

Result<Reply> run_undo(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const auto answer = [](const Undone& undone) {
    Json out{{"undone", undone.operation.id}, {"verb", undone.operation.verb}, {"events", Json::array()}};
    for (const Change& change : undone.changes) {
      out["events"].push_back(to_json(change));
      Json members = change.before.status == change.after.status ? members_of(change) : Json();
      if (!members.empty()) out["events"].back()["members"] = std::move(members);
    }
    for (const Effect& effect : undone.effects) out["effects"].push_back(to_json(effect));
    return out;
  };
  const bool dry_run = arguments.flag("dry-run");
  PAWL_ASSIGN(Undone undone, undo(*engine, context.request(), arguments.number("operation"), answer, dry_run));
  undone.answer["operation"] = dry_run ? Json() : Json(undone.by);
  PAWL_TRY(add_what_stays(*engine, undone, undone.answer));
  if (string_or(undone.answer, "verb") == "issue cleanup") {
    const std::string number = undone.changes.size() == 1 ? undone.changes.front().before.id.key : std::string("N");
    context.note(cat("only the status ", dry_run ? "would come" : "comes",
                     " back: session, worktree and branch do not; pawl issue run ", number, " --again starts anew"));
  } else {
    PAWL_TRY(note_without_session(context, *engine, undone, dry_run));
  }
  return Reply{std::move(undone.answer)};
}

std::string text_of_undo(const Json& data, const TextStyle&) {
  const bool dry_run = data["operation"].is_null();
  std::string out = cat("operation ", to_line(data["undone"]), " (", printable(string_or(data, "verb")), ") ",
                        dry_run ? std::string("would be undone; nothing was changed")
                                : cat("is undone, by operation ", to_line(data["operation"])),
                        "\n");
  for (const Json& event : data["events"]) {
    const std::string members = text_of_members(event.value("members", Json::object()));
    out += cat("    ", line_of_event(event), members.empty() ? "" : ": ", members, "\n");
  }
  if (data.contains("effects") || data.contains("stays")) {
    out += "What it did outside stays:\n";
    for (const Json& stays : data.value("stays", Json::array())) out += text_of_stays(stays);
    for (const Json& effect : data.value("effects", Json::array()))
      out += cat("    ", printable(string_or(effect, "kind")), " for ", printable(string_or(effect, "ref")), " (",
                 string_or(effect, "state"), ")\n");
  }
  return out;
}

constexpr Param kRef{.name = "ref",
                     .value = "REF",
                     .summary = "KIND/KEY such as issue/42, or the key alone where it is unique",
                     .positional = true,
                     .offer = Offer::refs};
constexpr Param kRequiredRef{.name = "ref",
                             .value = "REF",
                             .summary = "KIND/KEY such as issue/42, or the key alone where it is unique",
                             .positional = true,
                             .required = true,
                             .offer = Offer::refs};
constexpr std::array kLogParams = {
    kRef,
    Param{
        .name = "limit", .type = ParamType::positive, .value = "N", .summary = "how many, newest first; 20 without it"},
    Param{.name = "since", .value = "WHEN", .summary = "not what is older: 30m, 2h, 7d, or a time"},
    Param{.name = "kind", .value = "KIND", .summary = "only what happened to this kind: issue, story, ralph, …"}};
constexpr std::array kShowParams = {kRequiredRef};
constexpr std::array kUndoParams = {
    Param{.name = "dry-run", .type = ParamType::flag, .summary = "say what would come back, and change nothing"},
    Param{.name = "operation",
          .type = ParamType::operation,
          .value = "OPERATION",
          .summary = "which one; otherwise the newest that stands",
          .positional = true,
          .offer = Offer::operations}};

constexpr std::array kLogExamples = {
    Example{"pawl log", "the last twenty operations, newest first"},
    Example{"pawl log issue/42 --limit 5", "what happened to issue 42"},
    Example{"pawl log --since 2h --kind story", "what became of stories in the last two hours"},
    Example{"pawl log --actor bot-1", "what bot-1 did"},
    Example{"pawl log --json | jq '.[0].events'", "for a program"},
};
constexpr std::array kShowExamples = {
    Example{"pawl show issue/42", "status, fields, file, claim and the last five operations"},
    Example{"pawl show 42 --at 17", "as it stood after operation 17"},
};
constexpr std::array kUndoExamples = {
    Example{"pawl undo", "take back the newest operation; again goes further back"},
    Example{"pawl undo --dry-run", "what would that take back?"},
    Example{"pawl undo 17", "take back operation 17, unless a later one stands on it"},
};

}  // namespace

const Verb kLog = {
    .name = "log",
    .summary = "show what happened, newest first",
    .manual =
        "Every operation says who did it, when, why, what changed and what showed that it may; what was changed in a "
        "file outside pawl is an operation too. Times are this machine's; --json has them exactly, in UTC. Here "
        "--actor "
        "is whose operations are shown.",
    .params = kLogParams,
    .examples = kLogExamples,
    .run = run_log,
    .text = folded_text<text_of_log>,
};

const Verb kShow = {
    .name = "show",
    .summary = "show one thing: where it stands, what is known of it, what happened to it",
    .manual = "The exit code is 3 when there is no such thing.",
    .params = kShowParams,
    .examples = kShowExamples,
    .run = run_show,
    .text = text_of_show,
};

const Verb kUndo = {
    .name = "undo",
    .summary = "take back an operation",
    .manual =
        "A new operation brings back what was before; files follow. It is refused when something later changed the "
        "same thing. What was done "
        "outside (a comment posted, a branch pushed) can not be taken back and is listed. Undoing an undo brings the "
        "operation back.\n\n"
        "Without a number it is the newest operation that a person would call a change: what a bot noted for itself "
        "(that it looked at a story, that its checks began) is stepped over, and stands in nobody's way. What stood in "
        "files when pawl first looked is not taken away.",
    .params = kUndoParams,
    .examples = kUndoExamples,
    .read_only = false,
    .run = run_undo,
    .text = text_of_undo,
};

}  // namespace pawl
