// `.pi-runner.yaml`, the settings of the runner whose scripts pawl replaces: read once, by `pawl init`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pawl {

struct RunnerSettings {
  // The key in pawl.toml without its section, and the value as TOML spells it; in the order of pawl.toml.
  std::vector<std::pair<std::string, std::string>> taken;
  std::vector<std::string> left;  // sections that pawl has no use for

  [[nodiscard]] std::string toml() const;  // "[issue]" and a line each; empty when nothing was taken
};

// An error for what is no YAML, for a value of the wrong kind, and for another multiplexer than tmux.
[[nodiscard]] Result<RunnerSettings> read_runner_settings(std::string_view yaml);

}  // namespace pawl
