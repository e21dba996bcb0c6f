#include "verbs/init.h"

#include "base/file.h"
#include "base/text.h"
#include "drive/install/neighbours.h"
#include "engine/workspace.h"
#include "verbs/context.h"
#include "verbs/world/handlers.h"
#include "world/runner/settings.h"

namespace pawl {
namespace {

// Before the engine reads pawl.toml.
Result<RunnersSettings> read_runners_settings(const Context& context) {
  RunnersSettings out;
  PAWL_ASSIGN(const Workspace workspace, find_workspace(context.flags.dir));
  PAWL_ASSIGN(const FileImage yaml, read_file(cat(workspace.root, "/", install::kRunnerSettings), kMaxSettings));
  if (yaml.too_large) return fail(ErrorCode::invalid_argument, cat(install::kRunnerSettings, " is larger than 1 MiB"));
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
  RunnersSettings settings;
  if (!arguments.flag("no-settings") && !arguments.flag("remove")) {
    PAWL_ASSIGN(settings, read_runners_settings(context));
  }
  return init_workspace(context, arguments, std::move(settings));
}

}  // namespace pawl
