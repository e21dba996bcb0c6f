// What happened: `pawl log`, `show`.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/local_time.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/issue_params.h"
#include "commands/named.h"
#include "commands/present.h"
#include "commands/table.h"
#include "commands/thing.h"
#include "core/held_word.h"
#include "engine/claims.h"
#include "engine/doubt.h"
#include "engine/engine.h"
#include "engine/left.h"
#include "engine/told_apart.h"
#include "lifecycles/issue/issue.h"
#include "lifecycles/review/review.h"
#include "lifecycles/story/story.h"

namespace pawl {
namespace {

Look look_everywhere() {
  Look look;
  look.all = true;
  return look;
}

// --- log ---

constexpr std::int64_t kUsualLimit = 20;
constexpr std::int64_t kLargestLimit = std::numeric_limits<std::int64_t>::max() - 1;  // one more is asked for

// What is asked for beside the number of operations.
struct Wanted {
  std::optional<RecordId> record;
  std::string kind, actor;
  std::int64_t since_ms = std::numeric_limits<std::int64_t>::min();

  [[nodiscard]] bool all() const { return kind.empty() && actor.empty(); }
  [[nodiscard]] bool fits(const Operation& operation, const Json& row) const {
    if (!actor.empty() && operation.actor != actor) return false;
    if (kind.empty()) return true;
    return !row["events"].empty() || !row.value("effects", Json::array()).empty();
  }
  // Of an operation only what is about what was asked for.
  void narrow(Json& row) const {
    if (kind.empty() && !record) return;
    const std::string begins = kind + "/";
    const auto is_other = [&](const Json& one) {
      if (record) return string_or(one, "ref") != record->ref() || string_or(one, "scope") != record->scope;
      return !string_or(one, "ref").starts_with(begins);
    };
    for (const char* const name : {"events", "effects"}) {
      if (!row.contains(name)) continue;
      Json kept = Json::array();
      for (Json& one : row[name]) {
        if (!is_other(one)) kept.push_back(std::move(one));
      }
      row[name] = std::move(kept);
      if (row[name].empty() && std::string_view(name) == "effects") row.erase(name);
    }
  }
};

// "2h" ago, or a time: by the clock on the wall, as pawl prints it, or with a zone of its own.
Result<std::int64_t> since_in(const std::string& text, std::int64_t now_ms) {
  if (const auto before = parse_duration_ms(text)) return now_ms - *before;
  if (const auto at = parse_local_time(text, now_ms)) return *at;
  if (const auto at = parse_iso_time(text)) return *at;
  return fail(ErrorCode::invalid_argument, cat("--since: “", printable(text), "” is neither a duration nor a time"),
              "30m, 2h, 7d, 9:00, 2026-01-30, '2026-01-30 09:00' or 2026-01-30T09:00:00Z");
}

Result<Wanted> wanted_in(const Context& context, const Arguments& arguments) {
  Wanted wanted;
  wanted.actor = context.flags.actor;
  wanted.kind = called(arguments.text_or("kind", ""));
  if (!wanted.kind.empty() && context.lifecycles().find(wanted.kind) == nullptr) {
    std::vector<std::string_view> kinds;
    for (const Lifecycle& row : context.lifecycles().rows()) {
      if (called(row.kind) == row.kind) kinds.push_back(row.kind);
    }
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
  if (arguments.text("file") && !arguments.text("ref"))
    return fail(ErrorCode::invalid_argument, "--file tells two things of one name apart: which one is missing",
                "pawl log REF --file FILE");
  PAWL_ASSIGN(Engine* const engine, context.engine());
  if (const auto& left = engine->left())
    context.note(cat(left_in_words(*left, context.clock->now().wall_ms),
                     left->folder.empty()
                         ? std::string()
                         : cat("; what happened until then is in ", printable(left->folder), "/log.jsonl")));
  Json list = Json::array();
  bool more = false;
  PAWL_TRY(engine->read(look_everywhere(), std::nullopt, [&](const View& view) -> Done {
    if (context.flags.at) PAWL_TRY(must_be_kept(view.store(), *context.flags.at));
    const bool asked = arguments.number("limit").has_value();
    const auto limit =
        static_cast<std::size_t>(std::min(arguments.number("limit").value_or(kUsualLimit), kLargestLimit));
    OperationQuery query;
    if (context.flags.at) query.before = *context.flags.at + 1;
    if (arguments.text("ref")) {
      PAWL_ASSIGN(query.record, named(*engine, view, arguments));
      wanted.record = query.record;
    }
    // In portions, as many as it takes to find enough that fit, and one more: whoever sees twenty of them is told when
    // they are not all.
    constexpr std::int64_t kPortion = 100;
    while (true) {
      const std::int64_t missing = static_cast<std::int64_t>(limit - list.size()) + 1;
      query.limit = wanted.all() && !arguments.text("since") ? missing : kPortion;
      PAWL_ASSIGN(const auto operations, view.store().operations(query));
      for (const Operation& operation : operations) {
        if (asked && list.size() == limit) return done();
        if (operation.at_ms < wanted.since_ms) continue;  // a clock may have been set back before a later one
        PAWL_ASSIGN(Json row, to_json(view.store(), operation));
        wanted.narrow(row);
        if (!wanted.fits(operation, row)) continue;
        more = list.size() == limit;
        if (more) return done();
        list.push_back(std::move(row));
      }
      if (operations.empty() || std::cmp_less(operations.size(), query.limit)) return done();
      query.before = operations.back().id;
    }
  }));
  // What nothing fits is something else than a workspace in which nothing has happened.
  const bool narrowed = !wanted.all() || arguments.text("since") || arguments.text("ref") || context.flags.at;
  if (list.empty() && narrowed) context.note("nothing that has happened fits; pawl log shows all of it");
  if (more) context.note(cat("there is more; --limit ", 5 * kUsualLimit, " shows it"));
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
    PAWL_ASSIGN(const RecordId id, named(*engine, view, arguments));
    PAWL_ASSIGN(record, view.load(id));
    if (!record.present()) {
      return fail(ErrorCode::not_found,
                  cat(printable(id.ref()), context.flags.at ? " did not exist then" : " does not exist any more"),
                  cat("pawl log ", shell_word(id.ref()), "  # what happened to it"));
    }
    out = to_json(record);
    if (view.unrecorded(id)) out["recorded"] = false;
    const MirrorWorld world = engine->world();
    for (const MirrorFile& file : files_of(world, id)) out["files"].push_back(file.path);
    PAWL_ASSIGN(const auto claim, view.at() ? Result<std::optional<Claim>>(std::nullopt) : view.store().claim(id));
    if (claim && claim_lives(*claim, context.clock->now()))
      out["claim"] = Json{{"worker", claim->worker}, {"token", claim->token}};
    PAWL_TRY(add_history(view, {id}, context.flags.at, out));
    if (out.contains("log_more")) {
      const bool in_a_list = story::is_story(id.kind);
      const std::string command =
          in_a_list ? cat("pawl story log ", shell_word(id.key)) : cat("pawl log ", shell_word(id.ref()));
      PAWL_ASSIGN(out["log_by"], told_apart(view, context.lifecycles(), id, command));
    }
    PAWL_ASSIGN(const bool unverified, came_unverified(view, *context.lifecycles().find(id.kind)->machine, record));
    if (unverified) out["unverified"] = true;
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
  thing.status =
      data.contains("held")
          ? cat("held: ", in_quotes(string_or(data, "held")), " is not a status")
          : cat(string_or(data, "status", kAbsent), data.contains("unverified") ? " (unverified)" : "",
                data.contains("aside") ? ", set aside" : "", data.contains("recorded") ? " (not recorded)" : "");
  thing.title = printable(string_or(data["document"], "title"));
  for (const auto& [key, value] : data["document"].items()) {
    if (key == story::kOwn) continue;  // what pawl notes for itself
    // Of a review it is its own alone, and not when one of its findings changed last, as `pawl review status` says.
    if (key == "updated" && string_or(data, "kind") == review::kReview) continue;
    if (key != "title" || !value.is_string()) thing.facts += fact(printable(key), data["document"], key, style);
  }
  if (data.contains("run")) {
    if (thing.title.empty()) thing.title = printable(string_or(data["run"], "title"));
    for (const char* const name : {"branch", "worktree"}) thing.facts += fact(name, data["run"], name, style);
    if (const std::string next = string_or(data["run"], "next"); !next.empty())
      thing.facts += cat("  next: ", lines_below(next, "    ").substr(4));
  }
  if (data.contains("files")) {
    for (const Json& file : data["files"])
      thing.facts += cat(data.contains("aside") ? "  was in " : "  in ", printable(file.get<std::string>()),
                         data.contains("aside") ? ", which is another's now, or gone" : "", "\n");
  }
  if (data.contains("claim")) thing.facts += cat("  held by ", printable(string_or(data["claim"], "worker")), "\n");
  thing.more = more_of(data);
  return text_of_thing(thing, data["log"], style);
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
    Param{.name = "kind", .value = "KIND", .summary = "only what happened to this kind: issue, story, ralph, …"},
    kNamedIn};
constexpr std::array kShowParams = {kRequiredRef, kNamedIn};

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
    .text = text_of_log,
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

}  // namespace pawl
