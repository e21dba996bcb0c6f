#include "commands/init.h"

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/doctor.h"
#include "commands/others_settings.h"
#include "commands/world/handlers.h"
#include "engine/settings.h"
#include "engine/workspace.h"
#include "integrations/runner/settings.h"
#include "runners/install/neighbours.h"

namespace pawl {
namespace {

// Before the engine reads pawl.toml.
Result<OthersSettings> read_runners_settings(const Context& context) {
  OthersSettings out;
  PAWL_ASSIGN(const Workspace workspace, find_workspace(context.flags.dir));
  PAWL_ASSIGN(const FileImage yaml, read_others_settings(workspace, install::kRunnerSettings));
  if (!yaml.exists) return out;
  PAWL_ASSIGN(const RunnerSettings settings, read_runner_settings(yaml.bytes));
  for (const auto& [key, value] : settings.taken)
    out.taken.push_back({cat("issue.", key), value, std::string(install::kRunnerSettings)});
  for (const std::string& name : settings.left) out.left.push_back(cat(install::kRunnerSettings, ": ", name));
  out.files.emplace_back(install::kRunnerSettings);
  return out;
}

}  // namespace

Result<Reply> run_init_with_settings(Context& context, const Arguments& arguments) {
  OthersSettings settings;
  if (!arguments.flag("no-settings") && !arguments.flag("remove")) {
    PAWL_ASSIGN(settings, read_runners_settings(context));
  }
  return init_workspace(context, arguments, std::move(settings));
}

// What init would take over is looked at where init would find it, and with no more trust: a folder outside the
// workspace that another tool's settings name is none that the user has named. Settings that it would refuse are said.
Result<Reply> run_doctor_with_settings(Context& context, const Arguments& arguments) {
  const auto settings = read_runners_settings(context);
  for (const install::FirstSetting& one : settings ? settings->taken : std::vector<install::FirstSetting>{}) {
    if (one.key != "issue.base_dir") continue;
    const auto folder = parse_json(one.value);  // a text is written alike in TOML
    if (folder && folder->is_string()) context.found_settings.emplace_back(one.key, folder->get<std::string>());
  }
  return look_at_workspace(context, arguments, settings);
}

}  // namespace pawl
