// `pawl init`: make the store, and adopt what is there.
#include <algorithm>
#include <array>
#include <set>

#include "base/columns.h"
#include "base/file.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/found_files.h"
#include "commands/guide.h"
#include "commands/init.h"
#include "commands/init_begin.h"
#include "commands/init_done.h"
#include "commands/init_settings.h"
#include "commands/init_text.h"
#include "commands/left_at.h"
#include "commands/others_settings.h"
#include "commands/present.h"
#include "commands/table.h"
#include "core/held_word.h"
#include "engine/begin_anew.h"
#include "engine/catch_up.h"
#include "engine/doctor.h"
#include "engine/engine.h"
#include "engine/found_apart.h"
#include "engine/left.h"
#include "engine/store_links.h"
#include "engine/told_apart.h"
#include "runners/install/hooks.h"
#include "runners/install/neighbours.h"

namespace pawl {
namespace {

bool wants(const Arguments& arguments, std::string_view name) { return arguments.flag(name) || arguments.flag("all"); }

install::Wish wish_of(const Arguments& arguments) {
  if (arguments.flag("remove")) return install::Wish::remove;
  return arguments.flag("drive") ? install::Wish::enter_and_drive : install::Wish::enter;
}

Result<Json> install_hooks(Context& context, const Engine& engine, const Arguments& arguments, install::Wish wish) {
  Json hooks = Json::array();
  if (wants(arguments, "claude")) {
    PAWL_ASSIGN(Json entered, install::claude(engine, wish));
    hooks.push_back(std::move(entered));
  }
  if (wants(arguments, "opencode")) {
    PAWL_ASSIGN(Json entered, install::opencode(engine, wish));
    hooks.push_back(std::move(entered));
  }
  if (wants(arguments, "agents")) {
    // What is taken out is known by its marks: a store that cannot be read does not keep it there.
    PAWL_ASSIGN(const Json page, install::removes(wish) ? Result<Json>(Json()) : guide(context));
    PAWL_ASSIGN(const auto files, install::agents(engine, wish, string_or(page, "guide")));
    for (const Json& file : files) hooks.push_back(file);
  }
  return hooks;
}

Done check_arguments(const Arguments& arguments) {
  const bool remove = arguments.flag("remove");
  if ((remove || arguments.flag("drive")) && !wants(arguments, "claude") && !wants(arguments, "opencode") &&
      (!remove || !arguments.flag("agents")))
    return fail(ErrorCode::invalid_argument,
                cat(remove ? "--remove" : "--drive", " goes with --claude, --opencode", remove ? ", --agents" : "",
                    " or --all"),
                cat("pawl init --all ", remove ? "--remove  # takes pawl's part out of all of them"
                                               : "--drive  # lets pawl's hooks hold sessions"));
  return done();
}

// Of what leaving took out, what is not there and not asked for. What cannot be looked at is not there either; who
// enters it is told why.
Json hooks_not_back(Context& context, const Engine& engine, const Arguments& arguments,
                    const std::vector<std::string>& taken_out) {
  constexpr install::Wish kWould = install::Wish::would_enter;
  const auto is_there = [](const Result<Json>& file) { return file && (*file)["changed"] != true; };
  const auto pages_are_there = [&] {
    const auto page = guide(context);
    const auto files = page ? install::agents(engine, kWould, string_or(*page, "guide"))
                            : Result<std::vector<Json>>(tl::unexpected(page.error()));
    return files && std::all_of(files->begin(), files->end(), is_there);
  };
  Json out = Json::array();
  for (const std::string& name : taken_out) {
    const bool there = name == kHookNames[0]   ? is_there(install::claude(engine, kWould))
                       : name == kHookNames[1] ? is_there(install::opencode(engine, kWould))
                                               : pages_are_there();
    if (!there && !wants(arguments, name)) out.push_back(name);
  }
  return out;
}

// What another runner's settings say is read by the second executable.
Result<Reply> run_init(Context& context, const Arguments& arguments) {
  PAWL_TRY(check_arguments(arguments));
  if (!arguments.flag("no-settings") && !arguments.flag("remove")) {
    PAWL_ASSIGN(const Workspace workspace, find_workspace(context.flags.dir));
    PAWL_ASSIGN(const FileImage yaml, read_others_settings(workspace, install::kRunnerSettings));
    if (yaml.exists) return tl::unexpected(context.hand_over());
  }
  return init_workspace(context, arguments, {});
}

constexpr std::array kInitParams = {
    Param{.name = "claude", .type = ParamType::flag, .summary = "enter pawl's hooks into .claude/settings.json"},
    Param{.name = "opencode", .type = ParamType::flag, .summary = "write pawl's plugin into .opencode/plugins/"},
    Param{.name = "agents",
          .type = ParamType::flag,
          .summary = "keep `pawl guide` in a section of AGENTS.md, and of CLAUDE.md where there is one"},
    Param{.name = "all", .type = ParamType::flag, .summary = "all three"},
    Param{.name = "drive",
          .type = ParamType::flag,
          .summary = "let pawl keep sessions going even where another loop driver is installed"},
    Param{.name = "remove", .type = ParamType::flag, .summary = "take the hooks out again, and nothing else"},
    Param{.name = "no-settings", .type = ParamType::flag, .summary = "leave other tools' settings alone"},
};
constexpr std::array kInitExamples = {
    Example{"pawl init", "make the store, and adopt the files that are here"},
    Example{"pawl init --claude", "and let Claude Code's hooks ask pawl"},
    Example{"pawl init --claude --remove", "no more"},
    Example{"pawl -C ~/project init --json", "elsewhere, for a program"},
};

Json held_row(const Context& context, const Record& record) {
  const Lifecycle& lifecycle = *context.lifecycles().find(record.id.kind);
  const HeldInWords words = held_in_words(lifecycle, record);
  return Json{{"ref", record.id.ref()},
              {"held", *record.held},
              {"why", words.of_its_own ? words.why : cat("it ", words.why)},
              {"statuses", join_or(status_names(*lifecycle.machine))},
              {"advice", words.advice}};
}

// Coming back: what the files say by now goes into the store that was left. Nothing: that one could not be read, and
// there is a new one to be made.
Result<std::optional<CaughtUp>> take_files_up(Context& context, Engine& engine, Json& came_back) {
  const LeftMark left = *engine.left();
  engine.use_despite_left();
  std::optional<CaughtUp> caught_up;
  const auto judged = database_file(engine.workspace());
  PAWL_ASSIGN(const bool goes_on, can_go_on(engine));
  if (goes_on && engine.has_store()) {
    PAWL_ASSIGN(caught_up, catch_up(engine, context.request()));
    came_back["taken"] = caught_up->taken;
    if (!caught_up->by_rules.empty()) came_back["by_rules"] = caught_up->by_rules;
  }
  if (!goes_on) {
    PAWL_ASSIGN(const auto kept, set_database_aside(engine, "left", judged));
    if (kept) came_back["kept"] = *kept;
  }
  // Last: whoever is cut off before it has still left.
  PAWL_TRY(take_mark_away(engine, left));
  return caught_up;
}

// No agent is told to ask a store that was left meanwhile. Whoever leaves holds the gate from before hooks are taken
// out to the end, so who has it afterwards knows; entering itself may take a change over, and needs the gate for that.
Result<Json> install_hooks_here(Context& context, Engine& engine, const Arguments& arguments) {
  PAWL_ASSIGN(Json hooks, install_hooks(context, engine, arguments, wish_of(arguments)));
  if (hooks.empty()) return hooks;
  PAWL_ASSIGN(Store* const store, engine.store());
  {
    PAWL_ASSIGN(const std::unique_ptr<Gate> gate, store->gate());
    if (!read_left(engine.workspace().store)) return hooks;
  }
  PAWL_TRY(install_hooks(context, engine, arguments, install::Wish::remove));
  return fail(ErrorCode::conflict, "pawl was left here in this moment, so its hooks were taken out again",
              "pawl init comes back");
}

// One that --remove could not take pawl's part out of.
tl::unexpected<Error> left_alone(const Json& hook) {
  const std::string file = string_or(hook, "file"), why = string_or(hook, "why");
  if (hook.contains("stays")) return fail(ErrorCode::untrusted, cat(file, " is ", string_or(hook, "stays")));
  return fail(ErrorCode::io, why.starts_with(file) ? why : cat(file, ": ", why),
              why.ends_with(install::kPartStays) ? "remove that file yourself, or what is pawl's in it"
                                                 : "it stands as it is; pawl has no part in it that could go");
}

Result<Reply> init_once(Context& context, const Arguments& arguments, FirstSettings& first) {
  PAWL_ASSIGN(Engine * engine, context.engine());
  if (arguments.flag("remove")) {
    PAWL_ASSIGN(Json hooks, install_hooks(context, *engine, arguments, wish_of(arguments)));
    const auto left = std::find_if(hooks.begin(), hooks.end(),
                                   [](const Json& one) { return one.contains("stays") || one.contains("why"); });
    if (left != hooks.end()) {
      for (const Json& one : hooks) {
        if (one["changed"] == true) context.note(cat(string_or(one, "file"), ": pawl's part was taken out"));
      }
      return left_alone(*left);
    }
    return Reply{Json{{"workspace", engine->workspace().root}, {"hooks", std::move(hooks)}}};
  }
  PAWL_TRY(must_have_no_links(engine->workspace()));
  // One that was cut off while it made the store has left a piece of it: that is a store when it has been opened once.
  if (engine->has_store() && !engine->left()) {
    PAWL_TRY(engine->store(true));
  }
  // A file that cannot be entered into is told of before anything is changed; and where there is no store to ask, no
  // agent is told to ask it.
  PAWL_TRY(install_hooks(context, *engine, arguments, install::Wish::would_enter));
  install::clear_first_settings(*engine);
  if (!first.written()) {
    PAWL_TRY(take_settings(context, arguments, first));
    if (first.written()) {
      context.close_engine();  // it has read none
      PAWL_ASSIGN(engine, context.engine());
    }
  }
  Json came_back;
  std::optional<CaughtUp> caught_up;
  if (engine->left()) {
    came_back["left_at"] = left_at(*engine->left());
    Json gone = hooks_not_back(context, *engine, arguments, engine->left()->hooks);
    if (!gone.empty()) came_back["hooks_gone"] = std::move(gone);
    PAWL_ASSIGN(caught_up, take_files_up(context, *engine, came_back));
  }
  const bool made = !engine->has_store();
  if (!made && is_in_git(engine->workspace())) context.note(cat(kInGit, "\n", lines_below(kOutOfGit, "  ")));
  PAWL_ASSIGN(const Checkup before, check_up(*engine));
  if (!before.store.problems.empty())  // no agent is told to ask a store that cannot answer
    return fail(ErrorCode::corruption, printable(before.store.problems.front()), std::string(kBeginAnew));
  Look look;
  look.all = !caught_up;  // a damaged file is left as it is; all others have been looked at
  Request request = context.request();
  request.tells_held = request.tells_behind = look.tells_behind = true;  // as left alone
  PAWL_ASSIGN(const Outcome outcome, engine->change(request, look, decide_nothing));
  PAWL_ASSIGN(Json hooks, install_hooks_here(context, *engine, arguments));
  Json out{{"workspace", engine->workspace().root},
           {"store", engine->workspace().store},
           {"made", made},
           {"found", Json::array()},
           {"beside", Json::array()},
           {"held", Json::array()},
           {"left_alone", Json::array()},
           {"adopted", Json::array()},
           {"hooks", std::move(hooks)}};
  if (!came_back.is_null()) out["came_back"] = std::move(came_back);
  if (engine->workspace().git_dir.empty()) out["in_git"] = false;
  if (before.files.empty()) out["begin"] = ways_to_begin(*engine);
  for (const Checkup::File& file : before.files) {
    if (file.found != FileCase::in_step && !caught_up) out["found"].push_back(to_json(file));
  }
  if (!caught_up) PAWL_TRY(say_what_was_done(*engine, out["found"]));
  // The file that all projects share has a store of its own, which is made when it is first written to.
  if (const auto users = context.users_engine(); made && users) {
    const auto shared = check_up(**users);
    for (const Checkup::File& file : shared ? shared->files : std::vector<Checkup::File>{})
      out["found"].push_back(to_json(as_shared(file)));
  }
  for (const NotTaken& one : caught_up ? caught_up->not_taken : std::vector<NotTaken>())
    out["left_alone"].push_back({{"text", one.why}, {"advice", one.advice}});
  for (const Finding& finding : before.findings) {
    if (finding.about == Finding::About::left_alone && !caught_up)
      out["left_alone"].push_back({{"text", finding.text}, {"advice", finding.advice}});
  }
  for (const install::Neighbour& one : made ? install::neighbours(*engine) : std::vector<install::Neighbour>{}) {
    if (one.drives) out["beside"].push_back({{"path", one.path}, {"what", one.what}, {"would", one.would}});
  }
  PAWL_TRY(take_gates(*engine, first, out));
  look_at_taken(*engine, first);
  if (!first.told.is_null()) out["settings"] = first.told;
  if (Json commit = to_be_committed(*engine, out); !commit.empty()) out["commit"] = std::move(commit);
  std::vector<std::int64_t> operations = caught_up ? caught_up->operations : std::vector<std::int64_t>();
  PAWL_TRY(engine->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto found, found_operations(view.store(), outcome));
    operations.insert(operations.end(), found.begin(), found.end());
    return done();
  }));
  std::set<RecordId> held;
  for (const std::int64_t operation : operations) {
    PAWL_TRY(engine->read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(const auto events, view.store().events_of(operation));
      for (const Event& event : events) {
        out["adopted"].push_back(to_json(event));
        if (!event.after.held) continue;
        PAWL_ASSIGN(const Record now, view.load(event.after.id));
        if (!now.held || !held.insert(now.id).second) continue;  // another file gave it a status
        Json row = held_row(context, now);
        PAWL_ASSIGN(row["advice"], told_apart(view, context.lifecycles(), event.after.id, string_or(row, "advice")));
        out["held"].push_back(std::move(row));
      }
      return done();
    }));
  }
  if (caught_up) out["came_back"]["for_good"] = gone_for_good(context, *engine, out["adopted"]);
  return Reply{std::move(out)};
}

}  // namespace

Result<Reply> init_workspace(Context& context, const Arguments& arguments, OthersSettings others) {
  PAWL_TRY(check_arguments(arguments));
  PAWL_ASSIGN(const Engine* const engine, context.engine());
  const std::string store = engine->workspace().store;
  const bool left_before = engine->left().has_value();
  FirstSettings first{others};
  auto reply = init_once(context, arguments, first);
  if (reply || left_before || arguments.flag("remove") || !read_left(store)) return reply;
  // Somebody was leaving, and was waited for; what is asked for comes after that.
  context.note("a `pawl leave` was under way, and is done: this comes back");
  context.close_engine();
  if (!first.written()) first = FirstSettings{std::move(others)};  // from what was read, once more
  return init_once(context, arguments, first);
}

const Verb kInit = {
    .name = "init",
    .summary = "make the store, and adopt the files that are here",
    .manual =
        "A file that pawl has not seen before is taken as it is. In a git repository the store is the folder .pawl, "
        "which git ignores; "
        "elsewhere it is kept under "
        "XDG_STATE_HOME/pawl. Run again it is a command like any other: what was edited meanwhile is taken over. Other "
        "verbs make the store when they first need it. "
        "After "
        "`pawl leave` it comes back: files that have changed since are taken as they are, and all else goes on. Where "
        "there is nothing to guard yet, it prints commands that begin the first story, loop and issue run.\n\n"
        "--claude adds hooks for Stop, SessionStart, PreToolUse and PostToolUse, and touches nothing else in the file. "
        "Where another loop driver is installed (oh-my-claudecode, Anthropic's ralph-loop) it is named, and Stop is "
        "left to it.\n\n"
        "Where none of the stories' acceptance criteria has a command, or there are none, pawl.toml is written with "
        "gates = \"record\" "
        "for "
        "stories, if there is none.\n\n"
        "Where there is no pawl.toml, settings are taken from a .pi-runner.yaml (issue runs; a multiplexer other than "
        "tmux "
        "is refused) and from the config.json of a story bot that has one (repository, branch, organisation, agent), "
        "and "
        "shown: only what differs from what pawl does anyway, each line explained.",
    .params = kInitParams,
    .examples = kInitExamples,
    .read_only = false,
    .run = run_init,
    .text = text_of_init,
};

}  // namespace pawl
