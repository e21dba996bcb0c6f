// Settings from their three sources: pawl.toml at the root, PAWL_* in the environment, flags; later wins.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/place.h"
#include "base/result.h"
#include "core/lifecycle.h"
#include "core/settings.h"
#include "engine/workspace.h"

namespace pawl {

// The engine's own; each lifecycle lists its own beside its rules.
[[nodiscard]] std::span<const SettingSpec> engine_settings();

// All of them, the engine's first.
[[nodiscard]] std::vector<const SettingSpec*> all_specs(const Lifecycles& lifecycles);
// "story.gates" → "PAWL_STORY_GATES"
[[nodiscard]] std::string environment_name(std::string_view key);

// A wrong key, type or word in pawl.toml is an error that names it and the nearest right one.
// `found`: as if a pawl.toml that nobody has trusted said so, for whoever tells what a new one would lead to.
using FoundSettings = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] Result<Settings> load_settings(const Workspace& workspace, const Lifecycles& lifecycles,
                                             const FoundSettings& found = {});
// What counts without any of them.
[[nodiscard]] Settings standard_settings(const Lifecycles& lifecycles);

// The folders outside the workspace that the settings allow by name; an untrusted file allows none.
[[nodiscard]] std::vector<std::string> allowed_folders(const Settings& settings, const Lifecycles& lifecycles);

// The others, that an untrusted file names.
[[nodiscard]] std::vector<NotAllowed> folders_not_allowed(const Settings& settings, const Lifecycles& lifecycles,
                                                          const FoundSettings& found);

// --- trust: a file that may make pawl run commands is believed only after a person said so, by its content ---

[[nodiscard]] bool is_trusted(const std::string& path, std::string_view content);
// What was trusted under this name; nothing where nothing was.
[[nodiscard]] std::optional<std::string> trusted_content(const std::string& path);
// Remembers the content outside of the workspace, where no clone can bring it.
[[nodiscard]] Done trust(const std::string& path, std::string_view content);
[[nodiscard]] Done distrust(const std::string& path);

}  // namespace pawl
