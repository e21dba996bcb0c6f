#include "runners/install/neighbours.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/ago.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "runners/install/claude_settings.h"
#include "runners/install/opencode_plugin.h"

namespace pawl::install {
namespace {

constexpr std::size_t kMaxNeighbour = std::size_t{4} << 20U;

// "" for one that is not there, or cannot be read: nothing can be said about it then.
std::string bytes_at(const Roots& roots, std::string_view path) {
  const auto place = roots.find(path, false);
  if (!place || !*place) return {};
  const auto image = read_file_at((*place)->folder.get(), (*place)->name, kMaxNeighbour);
  return image && !image->too_large ? image->bytes : std::string();
}

constexpr std::array<std::string_view, 3> kClaudeFiles = {".claude/settings.json", ".claude/settings.local.json",
                                                          "~/.claude/settings.json"};

void add_claude(const Roots& roots, std::int64_t now_ms, std::vector<Neighbour>& out) {
  for (const std::string_view path : kClaudeFiles) {
    for (const std::string& name : other_drivers(bytes_at(roots, path)))
      out.push_back({std::string(path), name, cat("hooks of ", name, ", which drives loops"),
                     "pawl init --claude leaves driving to it", true, false, true});
  }
  const auto other = foreign_loop(roots);
  if (!other) return;
  out.push_back({std::string(loop::kForeignLoopFile), std::string(loop::kForeignOwner),
                 cat("a loop of ", loop::kForeignOwner, ": ", other->active ? "active" : "not active", ", iteration ",
                     integer_or(other->state, "iteration"),
                     other->started_ms ? cat(", begun ", ago(*other->started_ms, now_ms)) : std::string()),
                 "shown by pawl ralph list, and left to its owner", other->active, other->is_old(now_ms), true});
}

bool switches_on_oh_my_opencode(std::string_view bytes) {
  constexpr std::string_view kName = "oh-my-opencode";
  if (bytes.find(kName) == std::string_view::npos) return false;
  const auto settings = parse_json(bytes);
  if (!settings) return true;  // with comments in it, most likely
  const Json plugins = settings->is_object() ? settings->value("plugin", Json()) : Json();
  return to_line(plugins).find(kName) != std::string::npos;
}

void add_opencode(const Roots& roots, std::vector<Neighbour>& out) {
  for (const std::string_view folder : {".opencode/plugins", ".opencode/plugin"}) {
    const auto opened = roots.find_folder(folder, false);
    if (!opened || !*opened) continue;
    const auto names = names_in((*opened)->get());
    for (const std::string& name : names ? *names : std::vector<std::string>{}) {
      if (!name.ends_with(".js") && !name.ends_with(".ts") && !name.ends_with(".mjs")) continue;
      const std::string path = cat(folder, "/", name);
      const std::string bytes = bytes_at(roots, path);
      if (began_as_plugin(bytes) || bytes.find("session.idle") == std::string::npos) continue;
      out.push_back({path, name, "an OpenCode plugin that acts when a session is idle",
                     "left alone; with pawl init --opencode both would act", true});
    }
  }
  for (const std::string_view path :
       {"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc",
        "~/.config/opencode/opencode.json", "~/.config/opencode/opencode.jsonc"}) {
    if (!switches_on_oh_my_opencode(bytes_at(roots, path))) continue;
    out.push_back({std::string(path), "oh-my-opencode", "switches on oh-my-opencode, which drives loops",
                   "left alone; with pawl init --opencode both would act", true});
  }
}

// Where there is a pawl.toml, that counts.
void add_settings(const Roots& roots, std::vector<Neighbour>& out) {
  const bool settled = access(roots.absolute("pawl.toml").c_str(), F_OK) == 0;
  const std::string would = settled ? "left alone: pawl.toml counts here" : "pawl init takes from it what it can";
  if (!bytes_at(roots, kRunnerSettings).empty())
    out.push_back({std::string(kRunnerSettings), "pi-runner", "settings of a runner of issues", would, false});
  if (is_bot_settings(bytes_at(roots, kBotSettings)))
    out.push_back({std::string(kBotSettings), "brave-core-bot", "settings of a story bot", would, false});
}

}  // namespace

bool is_bot_settings(std::string_view bytes) {
  const auto root = bytes.empty() ? Result<Json>(Json()) : parse_json(bytes);
  if (!root || !root->is_object()) return false;
  const auto project = root->find("project");
  return project != root->end() && project->is_object() && root->contains("bot") &&
         (project->contains("targetRepoPath") || project->contains("prRepository"));
}

std::optional<loop::ForeignLoop> foreign_loop(const Roots& roots) {
  const std::string text = bytes_at(roots, loop::kForeignLoopFile);
  return text.empty() ? std::nullopt : std::optional(loop::read_foreign_loop(text));
}

std::vector<Neighbour> neighbours(const Engine& engine) {
  std::vector<Neighbour> out;
  const Roots& roots = *engine.world().roots;
  add_claude(roots, engine.clock().now().wall_ms, out);
  add_opencode(roots, out);
  add_settings(roots, out);
  return out;
}

std::vector<std::string> claude_drivers(const Engine& engine) {
  std::vector<Neighbour> found;
  add_claude(*engine.world().roots, engine.clock().now().wall_ms, found);
  std::vector<std::string> names;
  for (Neighbour& one : found) {
    if (one.drives && std::find(names.begin(), names.end(), one.name) == names.end())
      names.push_back(std::move(one.name));
  }
  return names;
}

bool pawl_is_entered(const Engine& engine) {
  return has_claude_hooks(bytes_at(*engine.world().roots, ".claude/settings.json"));
}

bool pawl_drives(const Engine& engine) { return drives(bytes_at(*engine.world().roots, ".claude/settings.json")); }

UnknownStop unknown_stop(const Engine& engine) {
  for (const std::string_view path : kClaudeFiles) {
    const auto commands = unknown_stop_hooks(bytes_at(*engine.world().roots, path));
    if (!commands.empty()) return {std::string(path), commands.front()};
  }
  return {};
}

bool anything_drives(const Engine& engine, const std::vector<Neighbour>& beside) {
  return pawl_drives(engine) || began_as_plugin(bytes_at(*engine.world().roots, ".opencode/plugins/pawl.js")) ||
         std::any_of(beside.begin(), beside.end(), [](const Neighbour& one) { return one.drives; });
}

}  // namespace pawl::install
