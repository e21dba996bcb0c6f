#include "commands/init_settings.h"

#include <unistd.h>

#include "base/text.h"
#include "commands/init.h"
#include "engine/asking_git.h"
#include "engine/engine.h"
#include "runners/install/story_gates.h"

namespace pawl {
namespace {

Json settings_json(const OthersSettings& others, const std::vector<install::FirstSetting>& taken,
                   const Lifecycles& lifecycles, bool written) {
  std::string from;
  for (const std::string& file : others.files) from += cat(from.empty() ? "" : " and ", file);
  return Json{{"from", from},
              {"taken", taken.empty() ? std::string() : install::settings_text(taken, lifecycles)},
              {"needs_trust", install::in_need_of_trust(taken, lifecycles)},
              {"left", others.left},
              {"written", written}};
}

}  // namespace

Done take_settings(Context& context, const Arguments& arguments, FirstSettings& first) {
  OthersSettings& others = first.others;
  first.told = Json();
  if (arguments.flag("no-settings")) return done();
  PAWL_ASSIGN(const Workspace workspace, find_workspace(context.flags.dir));
  PAWL_ASSIGN(others, with_bot_settings(workspace, context.lifecycles(), std::move(others)));
  if (others.files.empty()) return done();
  first.told = settings_json(others, others.taken, context.lifecycles(), false);
  if (others.taken.empty()) return done();
  PAWL_ASSIGN(first.told["written"], install::write_first_settings(workspace.root, "", string_or(first.told, "taken")));
  return done();
}

Done take_gates(Engine& engine, FirstSettings& first, Json& out) {
  PAWL_ASSIGN(const auto unchecked, install::stories_nobody_can_check(engine));
  if (!unchecked) return done();
  const bool ours = first.written();
  const std::string before = ours ? string_or(first.told, "taken") : std::string();
  const std::string why = cat(
      unchecked->criteria == 0 ? "the stories have no acceptance criteria yet"
                               : "the acceptance criteria have no commands yet",
      ", so moves are made and marked unverified; ",
      unchecked->criteria == 0 ? "write them into the stories' acceptanceCriteria first; " : "",
      "`pawl story checks --suggest` prints lines for this file, in which you write the commands; then `pawl trust`, "
      "then say \"require\"");
  std::vector<install::FirstSetting> taken = first.others.taken;  // pawl's own is none of the other tools'
  taken.push_back({"story.gates", "\"record\"", why});
  const Json all = settings_json(first.others, taken, engine.lifecycles(), true);
  PAWL_ASSIGN(const bool written,
              install::write_first_settings(engine.workspace().root, before, string_or(all, "taken")));
  out["story_gates"] = Json{{"criteria", unchecked->criteria}, {"written", written}};
  if (!written || !ours) return done();
  first.others.taken = std::move(taken);
  first.told = all;
  return done();
}

void look_at_taken(const Engine& engine, FirstSettings& first) {
  Json& told = first.told;
  if (told.is_null()) return;
  if (!first.written() && !string_or(told, "taken").empty()) {
    const auto rest =
        install::not_set(first.others.taken, engine.lifecycles(), engine.settings(), engine.workspace().root);
    told = rest.empty() ? Json() : settings_json(first.others, rest, engine.lifecycles(), false);
  }
  const std::string& repo = engine.settings().text("story.repo");
  if (told.is_null() || repo.empty()) return;
  const std::string folder = engine.world().roots->absolute(repo);
  if (access(folder.c_str(), F_OK) != 0) told["no_folder"] = repo;
}

Json to_be_committed(const Engine& engine, const Json& out) {
  std::vector<std::string> files;
  const auto written = [&](const char* part) { return out.contains(part) && out[part].value("written", false); };
  if (written("settings") || written("story_gates")) files.emplace_back(kSettingsFile);
  for (const Json& one : out["hooks"]) {
    if (!one.contains("why")) files.push_back(string_or(one, "file"));
  }
  Json list = Json::array();
  for (const std::string& file : files) {
    const std::string& root = engine.workspace().root;
    const auto filter = has_filter(root, file);
    if (filter && *filter) list.push_back(file);
    if (!filter || *filter) continue;
    const auto ran = ask_git_warily(root, {"status", "--porcelain=v1", "--untracked-files=all", "--no-renames",
                                           "--ignore-submodules=all", "--", file});
    if (ran && ran->exit_code == 0 && !ran->out.empty()) list.push_back(file);
  }
  return list;
}

}  // namespace pawl
