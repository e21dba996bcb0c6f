// `pawl story move` where GitHub has to be asked.
#include "commands/story_move.h"
#include "base/text.h"
#include "commands/world/handlers.h"
#include "commands/world/story_seat.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/naming.h"
#include "runners/story_bot/facts.h"
#include "runners/story_place.h"

namespace pawl {
namespace {

// One that is not there is a gate that is not met, and no other trouble.
template <class Facts>
Result<Json> or_lacking(const PullRef& pull, const Facts& gather) {
  Result<Json> facts = gather();
  if (facts || facts.error().code != ErrorCode::not_found) return facts;
  return Json{{"lacks", cat("there is no pull request ", pull.text())}};
}

Result<Json> gather(Engine& engine, const ForgeSeat& seat, const Record& story, const story::MoveStory& command,
                    std::string_view gate) {
  if (gate == story::kDuplicate && !command.pr)
    return fail(ErrorCode::gate_failed, "the other pull request is not named", "--pr N names it");
  Forge& forge = *seat.forge;
  const auto known = pull_of_story(forge, seat.repo, story, command.pr, story::branch_of(story, command));
  if (!known && known.error().code == ErrorCode::not_found) return Json();  // the gate says what is missing
  PAWL_ASSIGN(const PullRef pull, known);
  return or_lacking(pull, [&]() -> Result<Json> {
    if (gate == story::kPublished) {
      PAWL_ASSIGN(const std::string folder, story_repository(engine));
      PAWL_ASSIGN(const std::string remote, story_remote(engine, folder));
      return published_facts(forge, folder, remote, pull, story::branch_of(story, command));
    }
    Believed believed(forge, engine.settings());
    if (gate == story::kDuplicate) {
      PAWL_ASSIGN(const story::PullFacts facts, glance_at_pull(forge, pull));
      const std::string own = story::branch_of(story.id.key, story.doc, engine.settings().text("story.branch_prefix"));
      return duplicate_facts({forge, seat.repo, believed, own}, facts, story);
    }
    PAWL_ASSIGN(const std::string me, forge.login());
    PAWL_ASSIGN(const story::PullFacts facts, look_at_pull(forge, pull, believed, me));
    if (gate == story::kClosed) return closed_facts(facts, story);
    PAWL_ASSIGN(const std::string folder, story_repository(engine));
    PAWL_ASSIGN(const MergeRules rules, merge_rules(engine, folder));
    return merge_facts(facts, story, me, rules);
  });
}

}  // namespace

Result<Reply> run_story_move(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  std::unique_ptr<ForgeFor> open;  // opened when first needed; without it the facts cannot be had
  return story::move_story(
      context, arguments,
      [&](Engine&, const Record& story, const story::MoveStory& command, std::string_view gate) -> Result<Json> {
        if (!story::needs_forge(gate)) return story::gather_evidence(*engine, story, command, gate);
        if (!open) {
          PAWL_ASSIGN(open, ForgeFor::open(context));
        }
        PAWL_ASSIGN(const ForgeSeat seat, story_seat(*open, *engine));
        return gather(*engine, seat, story, command, gate);
      });
}

}  // namespace pawl
