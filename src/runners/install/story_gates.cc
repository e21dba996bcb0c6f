#include "runners/install/story_gates.h"

#include "lifecycles/story/gates.h"
#include "lifecycles/story/story.h"
#include "runners/story_check.h"
#include "runners/story_list.h"

namespace pawl::install {
namespace {

Result<std::optional<Unchecked>> stories_without_commands(Engine& engine) {
  PAWL_ASSIGN(const Json table, check_table(engine));
  Unchecked out;
  bool commands = false;
  Look look = look_at_stories();
  look.tells_behind = true;  // whoever asks tells of files that cannot be read
  PAWL_TRY(engine.read(look, std::nullopt, [&](const View& view) -> Done {
    for (const std::string_view kind : {story::kKind, story::kPasses}) {
      Query query;
      query.kind = kind;
      PAWL_ASSIGN(const auto stories, view.list(query));
      for (const Record& story : stories) {
        if (!story.held && story::machine_of(story).terminal(story.status)) continue;
        ++out.stories;
        for (const story::CheckPlan& plan : story::plan_checks(story.doc, table)) {
          ++out.criteria;
          commands = commands || !plan.command.is_null();
        }
      }
    }
    return done();
  }));
  return commands || out.stories == 0 ? std::nullopt : std::optional(out);
}

}  // namespace

Result<std::optional<Unchecked>> stories_nobody_can_check(Engine& engine) {
  const bool said = engine.settings().source("gates") != SettingSource::standard ||
                    engine.settings().source("story.gates") != SettingSource::standard;
  if (said) return std::optional<Unchecked>();
  return stories_without_commands(engine);
}

}  // namespace pawl::install
