// `pawl story list | show | log`: the stories that bots carry from pending to merged, and what became of one.
#include "commands/story.h"

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "base/columns.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "commands/present.h"
#include "commands/table.h"
#include "commands/thing.h"
#include "engine/claims.h"
#include "engine/told_apart.h"
#include "lifecycles/story/depends.h"
#include "lifecycles/story/gates.h"
#include "runners/story_check.h"
#include "runners/story_choice.h"
#include "runners/story_list.h"

namespace pawl {
namespace {

using namespace story;

// What stands in the way of its being picked, besides its status; and whether that was come to as it should be.
Done add_obstacles(const View& view, DependencyCycles& cycles, const Record& record, const Now& now, Json& out) {
  PAWL_ASSIGN(const bool unverified, is_unverified(view, record));
  if (unverified) out["unverified"] = true;
  PAWL_ASSIGN(const auto waits_for, open_dependencies(view, record));
  if (!waits_for.empty()) {
    out["waits_for"] = waits_for;
    PAWL_ASSIGN(const auto cycle, cycles.from(record));
    if (cycle) out["cycle"] = cycle->from(record.id.key, kCycleNamed);
  }
  if (view.at()) return done();
  PAWL_ASSIGN(const auto claim, view.store().claim(record.id));
  if (claim && claim_lives(*claim, now)) out["claim"] = Json{{"worker", claim->worker}, {"token", claim->token}};
  return done();
}

// --- list ---

Result<Reply> run_list(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const auto status = arguments.text("status");
  const bool of_six = status && machine().status(*status) != nullptr;
  if (status && !of_six && passes_machine().status(*status) == nullptr) {
    // Those that the lists here can have.
    bool six = false, two = false;
    PAWL_TRY(engine->read(look_at_stories(), context.flags.at, [&](const View& view) -> Done {
      PAWL_ASSIGN(const auto records, all_stories(view, {std::nullopt, true}));
      for (const Record& record : records) (record.id.kind == kPasses ? two : six) = true;
      return done();
    }));
    return tl::unexpected(unknown_status(two && !six ? passes_machine() : machine(), *status));
  }
  Json list = Json::array();
  PAWL_TRY(engine->read(look_at_stories(), context.flags.at, [&](const View& view) -> Done {
    PAWL_ASSIGN(auto records, all_stories(view, {status, arguments.flag("aside")}));
    StoryOrder order(*engine);
    std::stable_sort(records.begin(), records.end(), [&](const Record& a, const Record& b) {
      return std::make_tuple(a.id.scope, order.position(a.id)) < std::make_tuple(b.id.scope, order.position(b.id));
    });
    DependencyCycles cycles(view);
    for (const Record& record : records) {
      Json row = story_json(record);
      PAWL_TRY(add_obstacles(view, cycles, record, context.clock->now(), row));
      list.push_back(std::move(row));
    }
    return done();
  }));
  if (list.empty()) PAWL_TRY(lists_can_be_read(*engine));
  return Reply{std::move(list)};
}

std::string joined(const Json& ids, std::string_view between) {
  std::string out;
  for (const Json& id : ids) out += cat(out.empty() ? "" : between, printable(id.get<std::string>()));
  return out;
}

// Why it is not touched just now, though it may be picked.
std::string pauses(const Json& row, const TextStyle& style) {
  if (row.contains("not_picked") || row.contains("aside")) return {};
  const auto due = parse_iso_time(string_or(row, "due_at"));
  const std::string in = !due                  ? std::string()
                         : *due > style.now_ms ? cat("in ", age_of(style.now_ms, *due + 999))
                                               : std::string("now");
  if (const std::int64_t failures = integer_or(row, "failures"); failures > 0)
    return cat("  (failed ", failures, "×", in.empty() ? "" : cat("; again ", in), ")");
  if (string_or(row, "status") != kPushed) return in.empty() ? in : cat("  (put off; again ", in, ")");
  const std::int64_t pull = integer_or(row, "prNumber");
  const bool answer = string_or(row, "lastActivityBy") == "reviewer";
  return cat("  (", pull > 0 ? cat("pull request ", pull) : std::string("its pull request"),
             answer ? ": a reviewer waits for an answer" : " waits for a reviewer",
             in.empty() || answer ? "" : cat("; looked at again ", in), ")");
}

std::string obstacles(const Json& row, const TextStyle& style) {
  std::string out = row.contains("unverified") ? "  (unverified)" : "";
  out += pauses(row, style);
  if (row.contains("cycle")) {
    out += cat("  (", joined(row["cycle"], " → "), " wait for each other)");
  } else if (row.contains("waits_for")) {
    out += cat("  (waits for ", joined(row["waits_for"], ", "), ")");
  }
  if (row.contains("not_picked")) out += cat("  (not picked: ", printable(string_or(row, "not_picked")), ")");
  if (row.contains("claim")) out += cat("  (held by ", printable(string_or(row["claim"], "worker")), ")");
  if (row.contains("aside")) out += "  (set aside)";
  return out;
}

std::string text_of_list(const Json& list, const TextStyle& style) {
  if (list.empty()) return "there are no stories\n";
  std::size_t widest = 0;
  for (const Json& row : list) widest = std::max(widest, columns_of(shown_id(row)));
  std::string out, file;
  const bool files =
      std::any_of(list.begin(), list.end(), [&](const Json& row) { return row["file"] != list.front()["file"]; });
  for (const Json& row : list) {
    if (const std::string its = string_or(row, "file"); files && its != file) {
      file = its;
      out += cat(printable(file), ":\n");
    }
    const std::string id = shown_id(row), status = shown_status(row);
    const std::size_t columns = std::max<std::size_t>(columns_of(status) + 1, 11), before = widest + 2 + columns;
    const std::string title = printable(title_of(row)), why = obstacles(row, style);
    if (!style.terminal || before + columns_of(title) + columns_of(why) <= style.width) {
      out += cat(bold(padded(id, widest), style), "  ", padded(status, columns), title, why, "\n");
      continue;
    }
    // What does not fit beside the status goes below: the title cut, what holds it up whole.
    constexpr std::size_t kLeast = 24, kIndent = 4;
    const bool beside = before + kLeast <= style.width;
    const std::size_t room = style.width - std::min(style.width, beside ? before : kIndent);
    out +=
        cat(bold(padded(id, beside ? widest : columns_of(id)), style), "  ", beside ? padded(status, columns) : status,
            beside ? "" : "\n    ", fitted(title, room, style.unicode), "\n");
    if (!why.empty()) out += cat("    ", trim(why), "\n");
  }
  return out;
}

// --- show ---

Json checks_json(const Record& record) {
  Json list = Json::array();
  const Json checks = own_of(record.doc).checks;
  for (const std::string& criterion : criteria_of(record.doc)) {
    Json one{{"criterion", criterion}};
    if (const auto found = checks.is_object() ? checks.find(criterion) : checks.end(); found != checks.end()) {
      for (const auto& [name, value] : found->items()) one[name] = value;
    }
    list.push_back(std::move(one));
  }
  return list;
}

// What was shown holds for the commit that it was shown at.
void mark_older(Engine& engine, const Record& record, Json& checks) {
  const std::string branch = string_or(record.doc, "branchName");
  const auto facts = criteria_facts(engine, record, branch.empty() ? std::nullopt : std::optional(branch));
  const std::string now = facts ? string_or(*facts, "commit") : std::string();
  for (Json& one : checks) {
    const std::string then = string_or(one, "commit");
    if (!now.empty() && !then.empty() && then != now) one["older"] = true;
  }
}

Result<Reply> run_show(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Json out;
  Record record;
  PAWL_TRY(engine->read(look_at_stories(), context.flags.at, [&](const View& view) -> Done {
    PAWL_ASSIGN(record, story_meant(*engine, view, arguments));
    if (!record.present()) return tl::unexpected(no_such_story(record.id.key));
    out = story_json(record);
    DependencyCycles cycles(view);
    PAWL_TRY(add_obstacles(view, cycles, record, context.clock->now(), out));
    if (!record.held) out["can_become"] = legal_moves(machine_of(record), record);
    if (const Json checks = checks_json(record); !checks.empty()) out["checks"] = checks;
    if (view.unrecorded(record.id)) out["recorded"] = false;
    out["ref"] = record.id.ref();
    if (out.contains("unverified") && !machine_of(record).terminal(record.status))
      out["advice"] = how_to_show(*engine, record);
    if (const std::string advice = lifecycle().stand(record).advice; !advice.empty()) out["advice"] = advice;
    if (out.contains("advice")) {
      PAWL_ASSIGN(out["advice"], told_apart(view, engine->lifecycles(), record.id, string_or(out, "advice")));
    }
    PAWL_TRY(add_history(view, {record.id}, context.flags.at, out));
    if (out.contains("log_more")) {
      const std::string command = cat("pawl story log ", shell_word(record.id.key));
      PAWL_ASSIGN(out["log_by"], told_apart(view, engine->lifecycles(), record.id, command));
    }
    return done();
  }));
  const bool open = !record.held && !machine_of(record).terminal(record.status);  // it counts still
  if (open && !context.flags.at && out.contains("checks")) mark_older(*engine, record, out["checks"]);
  return Reply{std::move(out)};
}

// What a person asks of a story first; the rest of its members is in --json.
std::string facts_of(const Json& story, const TextStyle& style) {
  std::string out;
  for (const auto& [label, name] : {std::pair{"description", "description"},
                                    {"priority", "priority"},
                                    {"branch", "branchName"},
                                    {"pull request", "prNumber"},
                                    {"who went last", "lastActivityBy"},
                                    {"due at", "due_at"},
                                    {"can become", "can_become"}})
    out += fact(label, story, name, style);
  return out;
}

std::string text_of_show(const Json& story, const TextStyle& style) {
  Thing thing;
  thing.name = printable(string_or(story, "ref"));
  thing.status = shown_status(story);
  thing.title =
      cat(printable(title_of(story)), obstacles(story, style), story.contains("recorded") ? "  (not recorded)" : "");
  thing.facts = cat(facts_of(story, style), fact("it printed last", story, "printed", style), "  in ",
                    printable(string_or(story, "file")), "\n");
  if (const std::string advice = string_or(story, "advice"); !advice.empty())
    thing.facts += cat("  ", printable(advice), "\n");
  const Json checks = story.value("checks", Json::array());
  for (const Json& check : checks) {
    const bool known = check.contains("ok"), older = check.contains("older");
    thing.body += cat("  ",
                      !known || older       ? "[ ] "
                      : check["ok"] == true ? "[x] "
                                            : "[!] ",
                      printable(string_or(check, "criterion")));
    if (known)
      thing.body +=
          faint(cat(older ? check["ok"] == true ? "  held at " : "  failed at " : "  at ",
                    printable(string_or(check, "commit").substr(0, 12)), older ? ", and there is a newer commit" : ""),
                style);
    thing.body += '\n';
  }
  thing.more = more_of(story);
  return text_of_thing(thing, story["log"], style);
}

// --- log ---

Result<Reply> run_log(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Json list = Json::array();
  PAWL_TRY(engine->read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(const Record record, story_meant(*engine, view, arguments));
    if (record.revision == 0) return tl::unexpected(no_such_story(record.id.key));
    if (context.flags.at) PAWL_TRY(must_be_kept(view.store(), *context.flags.at));
    PAWL_ASSIGN(list, history_of(view, {record.id}, context.flags.at, INT64_MAX));
    std::reverse(list.begin(), list.end());
    return done();
  }));
  return Reply{std::move(list)};
}

std::string text_of_log(const Json& list, const TextStyle& style) {
  // Its last event has the story as it was left.
  Thing thing;
  for (const Json& operation : list) {
    for (const Json& event : operation["events"]) {
      thing.name = printable(string_or(event, "ref"));
      thing.status = printable(string_or(event, "to"));
      thing.title = printable(title_of(event["document"]));
      thing.facts = facts_of(event["document"], style);
    }
  }
  return text_of_thing(thing, list, style);
}

constexpr std::array kListParams = {
    Param{.name = "status",
          .value = "STATUS",
          .summary = "only those that are pending, committed, pushed, …",
          .offer = Offer::statuses,
          .offer_kind = "story passes"},
    Param{.name = "aside", .type = ParamType::flag, .summary = "also those whose file shows another project now"},
};
constexpr std::array kOneParams = {kIdParam, kFileParam};
constexpr std::array kListExamples = {
    Example{"pawl story list", "all of them, in the order of the file"},
    Example{"pawl story list --status pushed --json", "those with a pull request, for a program"},
};
constexpr std::array kShowExamples = {
    Example{"pawl story show US-3", "where it stands, where it can go, and what its checks said"},
    Example{"pawl story show US-3 --json | jq -r .status", "in a script"},
};
constexpr std::array kLogExamples = {
    Example{"pawl story log US-3", "its life, with the evidence of every gate"},
    Example{"pawl story log US-3 --json | jq '.[].events[].evidence'", "the evidence alone"},
};

}  // namespace

const Verb kStoryList = {
    .noun = "story",
    .name = "list",
    .summary = "list the stories of prd.json, each with its status",
    .manual =
        "A line each, in the order of the file: id, status, title, and what keeps it from being picked: other stories "
        "that it waits for (dependsOn, dependencies, blockedBy), a pause, another worker.",
    .params = kListParams,
    .examples = kListExamples,
    .run = run_list,
    .text = text_of_list,
};

const Verb kStoryShow = {
    .noun = "story",
    .name = "show",
    .summary = "show a story: where it stands, and where it can go",
    .manual = "With --json its own members as its file has them, and beside them what pawl knows of it.",
    .params = kOneParams,
    .examples = kShowExamples,
    .run = run_show,
    .text = text_of_show,
};

const Verb kStoryLog = {
    .noun = "story",
    .name = "log",
    .summary = "tell a story's life with its evidence",
    .manual =
        "The oldest first. What every gate was shown is kept with the move: commands, exit codes, commits, pull "
        "requests.",
    .params = kOneParams,
    .examples = kLogExamples,
    .run = run_log,
    .text = text_of_log,
};

}  // namespace pawl
