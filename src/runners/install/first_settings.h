// The pawl.toml that `pawl init` writes where there is none: what was taken from other tools' settings, and only what
// differs from what holds without it, each line explained.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lifecycle.h"
#include "engine/engine.h"

namespace pawl::install {

inline constexpr std::string_view kSettingsFile = "pawl.toml";

struct FirstSetting {
  std::string key;    // "issue.base_dir"
  std::string value;  // as TOML spells it
  std::string from;   // the file that it was taken from, or why it is so
};

// A story bot's config.json. An error: it is no such file after all, or has a value of the wrong kind.
[[nodiscard]] Result<std::vector<FirstSetting>> read_bot_settings(std::string_view json,
                                                                  std::vector<std::string>& left);

// Without those that hold anyway: as the standard has it, or as it is set by now.
[[nodiscard]] std::vector<FirstSetting> differing(std::vector<FirstSetting> all, const Lifecycles& lifecycles);
[[nodiscard]] std::vector<FirstSetting> not_set(std::vector<FirstSetting> all, const Lifecycles& lifecycles,
                                                const Settings& settings, const std::string& root);
[[nodiscard]] std::string settings_text(const std::vector<FirstSetting>& all, const Lifecycles& lifecycles);

// The keys of those that count only in a file that a person has trusted.
[[nodiscard]] std::vector<std::string> in_need_of_trust(const std::vector<FirstSetting>& all,
                                                        const Lifecycles& lifecycles);

// Where the file is as `before` says ("": not there). False: it is another, and was left.
[[nodiscard]] Result<bool> write_first_settings(const std::string& root, std::string_view before,
                                                std::string_view text);
// Takes away what a pawl that was killed meanwhile has left beside it. What is not just its own words stays: the user's
// file may have been moved there.
void clear_first_settings(const Engine& engine);

}  // namespace pawl::install
