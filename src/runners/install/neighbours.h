// What other tools have put beside the files that pawl keeps in step: hooks and plugins that drive loops, a loop of
// their own, settings. Looked at, never written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "lifecycles/loop/foreign_loop.h"

namespace pawl::install {

struct Neighbour {
  std::string path;
  std::string name;       // whose it is
  std::string what;       // for a person
  std::string would;      // what pawl does about it
  bool drives = false;    // it keeps agents going by itself
  bool stale = false;     // a loop that began more than a day ago, and is active still
  bool in_hooks = false;  // by hooks of Claude Code's, as pawl does it too
};

[[nodiscard]] std::vector<Neighbour> neighbours(const Engine& engine);
// The loop that another tool has under way here by a file of its own; nothing where there is no such file.
[[nodiscard]] std::optional<loop::ForeignLoop> foreign_loop(const Roots& roots);
// The names of those that drive loops under Claude Code, once each.
[[nodiscard]] std::vector<std::string> claude_drivers(const Engine& engine);
// Has pawl hooks in this project's settings of Claude Code? Do they drive loops?
[[nodiscard]] bool pawl_is_entered(const Engine& engine);
[[nodiscard]] bool pawl_drives(const Engine& engine);
// Is there anything that keeps agents going, pawl's or another's, under Claude Code or OpenCode?
[[nodiscard]] bool anything_drives(const Engine& engine, const std::vector<Neighbour>& beside);

// A Stop hook that pawl does not know: which file it is in, and its command. Empty: there is none.
struct UnknownStop {
  std::string path, command;
};
[[nodiscard]] UnknownStop unknown_stop(const Engine& engine);

// The other tools' settings that `pawl init` reads.
inline constexpr std::string_view kRunnerSettings = ".pi-runner.yaml", kBotSettings = "config.json";
// Many tools have a config.json: is this the story bot's?
[[nodiscard]] bool is_bot_settings(std::string_view bytes);

}  // namespace pawl::install
