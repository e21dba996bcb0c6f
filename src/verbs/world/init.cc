#include "verbs/init.h"

#include "base/file.h"
#include "base/text.h"
#include "engine/workspace.h"
#include "verbs/context.h"
#include "verbs/world/handlers.h"
#include "world/runner/settings.h"

namespace pawl {
namespace {

// What the runner's settings say goes into pawl.toml, where there is none yet; before the engine reads it. Null when
// there is nothing to take.
Result<Json> take_runner_settings(const Context& context) {
  PAWL_ASSIGN(const Workspace workspace, find_workspace(context.flags.dir));
  PAWL_ASSIGN(const FileImage yaml, read_file(cat(workspace.root, "/", kRunnerSettings), kMaxSettings));
  if (yaml.too_large) return fail(ErrorCode::invalid_argument, cat(kRunnerSettings, " is larger than 1 MiB"));
  if (!yaml.exists) return Json();
  PAWL_ASSIGN(const RunnerSettings settings, read_runner_settings(yaml.bytes));
  const std::string toml = settings.toml();
  PAWL_ASSIGN(const FileImage there, read_file(cat(workspace.root, "/", kSettingsFile), kMaxSettings));
  Json out{{"from", kRunnerSettings}, {"taken", toml}, {"left", settings.left}, {"written", false}};
  if (toml.empty() || there.exists || there.too_large) return out;
  PAWL_ASSIGN(const Fd folder, open_folder(workspace.root));
  const std::string next = cat(".", kSettingsFile, ".new");
  PAWL_TRY(write_synced_at(folder.get(), next, cat("# from ", kRunnerSettings, "\n", toml)));
  const Done moved = move_new_at(folder.get(), next, folder.get(), std::string(kSettingsFile));
  if (!moved) PAWL_TRY(remove_at(folder.get(), next));  // somebody else was first
  out["written"] = moved.has_value();
  return out;
}

}  // namespace

Result<Reply> run_init_with_settings(Context& context, const Arguments& arguments) {
  Json settings;
  if (!arguments.flag("no-settings") && !arguments.flag("remove")) {
    PAWL_ASSIGN(settings, take_runner_settings(context));
  }
  return init_workspace(context, arguments, std::move(settings));
}

}  // namespace pawl
