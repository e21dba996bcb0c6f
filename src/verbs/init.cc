// `pawl init`: make the store, and adopt what is there.
#include <array>

#include "base/file.h"
#include "base/text.h"
#include "drive/install/hooks.h"
#include "drive/install/story_gates.h"
#include "engine/engine.h"
#include "verbs/context.h"
#include "verbs/init.h"
#include "verbs/present.h"
#include "verbs/table.h"

namespace pawl {
namespace {

Result<Json> install_hooks(const Engine& engine, const Arguments& arguments) {
  const install::Wish wish = arguments.flag("remove")  ? install::Wish::remove
                             : arguments.flag("drive") ? install::Wish::enter_and_drive
                                                       : install::Wish::enter;
  Json hooks = Json::array();
  if (arguments.flag("claude")) {
    PAWL_ASSIGN(Json entered, install::claude(engine, wish));
    hooks.push_back(std::move(entered));
  }
  if (arguments.flag("opencode")) {
    PAWL_ASSIGN(Json entered, install::opencode(engine, wish));
    hooks.push_back(std::move(entered));
  }
  return hooks;
}

// What another runner's settings say is read by the second executable.
Result<Reply> run_init(Context& context, const Arguments& arguments) {
  if (!arguments.flag("no-settings") && !arguments.flag("remove")) {
    PAWL_ASSIGN(const Workspace workspace, find_workspace(context.flags.dir));
    PAWL_ASSIGN(const FileImage yaml, read_file(cat(workspace.root, "/", kRunnerSettings), kMaxSettings));
    if (yaml.exists || yaml.too_large) return tl::unexpected(context.hand_over());
  }
  return init_workspace(context, arguments, Json());
}

std::string text_of_hooks(const Json& hooks) {
  std::string out;
  for (const Json& entered : hooks) {
    const bool changed = entered["changed"].get<bool>();
    out += cat(string_or(entered, "file"), changed ? ": changed" : ": as it should be already", "\n");
    for (const Json& other : entered["others"]) {
      out += cat("    ", other.get<std::string>(), " drives loops here; ",
                 entered["drives"].get<bool>() ? "pawl does too, so one of the two should go\n"
                                               : "pawl leaves that to it (--drive: pawl drives too)\n");
    }
  }
  return out;
}

std::string text_of_settings(const Json& settings) {
  const std::string toml = string_or(settings, "taken");
  if (toml.empty()) return cat(kRunnerSettings, " has nothing that pawl takes\n");
  const bool written = settings["written"] == true;
  std::string out = written
                        ? cat("taken from ", kRunnerSettings, " into ", kSettingsFile, ":\n")
                        : cat(kSettingsFile, " is there and was left as it is; ", kRunnerSettings, " would give:\n");
  for (const std::string_view line : split(toml, '\n')) {
    if (!line.empty()) out += cat("    ", printable(line), "\n");
  }
  if (written && toml.find("agent = ") != std::string::npos)
    out += "    the agent's command is run only after you have read it and typed: pawl trust\n";
  for (const Json& name : settings["left"]) out += cat("    left: ", printable(name.get<std::string>()), "\n");
  return out;
}

std::string text_of_gates(const Json& gates) {
  const std::string head = cat("    none of ", to_line(gates["criteria"]), " acceptance criteria has a command yet; ");
  if (gates["written"] == true)
    return cat(head,
               "so pawl.toml says gates = \"record\" for\n    stories: moves are made and marked unverified. To go to "
               "\"require\": pawl story checks --suggest,\n    then pawl trust, then change that line\n");
  return cat(head,
             "moves that need them are refused. pawl story checks --suggest\n    gives them commands; or write gates = "
             "\"record\" under [story] in pawl.toml\n");
}

std::string text_of_init(const Json& data, const TextStyle&) {
  if (!data.contains("made")) return text_of_hooks(data["hooks"]);
  std::string out = data["made"].get<bool>() ? cat("pawl now guards ", printable(string_or(data, "workspace")),
                                                   "\nits store is ", printable(string_or(data, "store")), "\n")
                                             : cat(printable(string_or(data, "workspace")), " is guarded already\n");
  if (data.contains("settings")) out += text_of_settings(data["settings"]);
  for (const Json& event : data["adopted"]) out += cat("    ", line_of_event(event), "\n");
  if (data.contains("story_gates")) out += text_of_gates(data["story_gates"]);
  return cat(out, text_of_hooks(data["hooks"]), "next: pawl status\n");
}

constexpr std::array kInitParams = {
    Param{.name = "claude", .type = ParamType::flag, .summary = "enter pawl's hooks into .claude/settings.json"},
    Param{.name = "opencode", .type = ParamType::flag, .summary = "write pawl's plugin into .opencode/plugins/"},
    Param{.name = "drive",
          .type = ParamType::flag,
          .summary = "let pawl keep sessions going even where another loop driver is installed"},
    Param{.name = "remove", .type = ParamType::flag, .summary = "take the hooks out again, and nothing else"},
    Param{.name = "no-settings", .type = ParamType::flag, .summary = "leave .pi-runner.yaml alone"},
};
constexpr std::array kInitExamples = {
    Example{"pawl init", "make the store, and adopt the files that are here"},
    Example{"pawl init --claude", "and let Claude Code's hooks ask pawl"},
    Example{"pawl init --claude --remove", "no more"},
    Example{"pawl -C ~/project init --json", "elsewhere, for a program"},
};

}  // namespace

Result<Reply> init_workspace(Context& context, const Arguments& arguments, Json settings) {
  const bool remove = arguments.flag("remove");
  if ((remove || arguments.flag("drive")) && !arguments.flag("claude") && !arguments.flag("opencode"))
    return fail(ErrorCode::invalid_argument, cat(remove ? "--remove" : "--drive", " goes with --claude or --opencode"));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Json hooks, install_hooks(*engine, arguments));
  if (remove) return Reply{Json{{"workspace", engine->workspace().root}, {"hooks", std::move(hooks)}}};
  const bool made = !engine->has_store();
  Look look;
  look.all = true;
  PAWL_ASSIGN(const Outcome outcome, engine->change(context.request(), look, decide_nothing));
  Json out{{"workspace", engine->workspace().root},
           {"store", engine->workspace().store},
           {"made", made},
           {"adopted", Json::array()},
           {"hooks", std::move(hooks)}};
  if (!settings.is_null()) out["settings"] = std::move(settings);
  PAWL_ASSIGN(Json gates, install::begin_with_recorded_gates(*engine));
  if (!gates.is_null()) out["story_gates"] = std::move(gates);
  if (outcome.outside_operation != 0) {
    PAWL_TRY(engine->read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(const auto events, view.store().events_of(outcome.outside_operation));
      for (const Event& event : events) out["adopted"].push_back(to_json(event));
      return done();
    }));
  }
  return Reply{std::move(out)};
}

const Verb kInit = {
    .name = "init",
    .summary = "make the store, and adopt the files that are here",
    .manual =
        "A file that pawl has not seen before is taken as it is. In a git repository the store is the folder .pawl, "
        "which git ignores; "
        "elsewhere it is kept under "
        "XDG_STATE_HOME/pawl. Run twice it does nothing more. Other verbs make the store when they first need it.\n\n"
        "--claude adds hooks for Stop, SessionStart, PreToolUse and PostToolUse, and touches nothing else in the file. "
        "Where another loop driver is installed (oh-my-claudecode, Anthropic's ralph-loop) it is named, and Stop is "
        "left to it.\n\n"
        "Where none of the stories' acceptance criteria has a command, pawl.toml is written with gates = \"record\" "
        "for "
        "stories, if there is none.\n\n"
        "Where there is a .pi-runner.yaml and no pawl.toml, the settings of issue runs are taken from it, and shown. A "
        "multiplexer other than tmux is refused.",
    .params = kInitParams,
    .examples = kInitExamples,
    .read_only = false,
    .run = run_init,
    .text = text_of_init,
};

}  // namespace pawl
