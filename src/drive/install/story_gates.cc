#include "drive/install/story_gates.h"

#include "base/file.h"
#include "base/text.h"
#include "drive/story_check.h"
#include "lifecycle/story/gates.h"
#include "lifecycle/story/story.h"

namespace pawl::install {
namespace {

constexpr std::string_view kText =
    "# The stories' acceptance criteria have no commands yet, so moves are made and marked unverified.\n"
    "# Give them commands (pawl story checks --suggest), trust this file (pawl trust), then say \"require\".\n"
    "[story]\n"
    "gates = \"record\"\n";

// How many criteria of stories that are not over there are; 0 where one of them has a command.
Result<std::size_t> criteria_without_commands(Engine& engine) {
  PAWL_ASSIGN(const Json table, check_table(engine));
  std::size_t count = 0;
  bool commands = false;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    for (const std::string_view kind : {story::kKind, story::kPasses}) {
      Query query;
      query.kind = kind;
      PAWL_ASSIGN(const auto stories, view.list(query));
      for (const Record& story : stories) {
        if (!story.held && story::machine_of(story).terminal(story.status)) continue;
        for (const story::CheckPlan& plan : story::plan_checks(story.doc, table)) {
          ++count;
          commands = commands || !plan.command.is_null();
        }
      }
    }
    return done();
  }));
  return commands ? 0 : count;
}

}  // namespace

Result<Json> begin_with_recorded_gates(Engine& engine) {
  const bool said = engine.settings().source("gates") != SettingSource::standard ||
                    engine.settings().source("story.gates") != SettingSource::standard;
  if (said || !engine.has_store()) return Json();
  PAWL_ASSIGN(const std::size_t count, criteria_without_commands(engine));
  if (count == 0) return Json();
  PAWL_ASSIGN(const Fd folder, open_folder(engine.workspace().root));
  const std::string next = ".pawl.toml.new";
  PAWL_TRY(write_synced_at(folder.get(), next, kText));
  const Done moved = move_new_at(folder.get(), next, folder.get(), "pawl.toml");
  if (!moved) PAWL_TRY(remove_at(folder.get(), next));  // there is one: it is the user's
  return Json{{"criteria", count}, {"written", moved.has_value()}};
}

}  // namespace pawl::install
