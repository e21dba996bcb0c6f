#include "runners/story_bot/tools.h"

#include "base/clock.h"
#include "base/text.h"
#include "integrations/git_branch.h"
#include "lifecycles/story/story.h"
#include "runners/story_place.h"

namespace pawl {

Result<BotTools> BotTools::open(Engine& engine, const ForgeSeat& seat, BotStreams streams, StopSignals& stop) {
  BotTools tools(engine, seat, std::move(streams), stop);
  PAWL_ASSIGN(tools.repository, story_repository(engine));
  PAWL_ASSIGN(tools.remote, story_remote(engine, tools.repository));
  if (seat.forge == nullptr) return tools;
  PAWL_ASSIGN(tools.me, seat.forge->login());
  tools.believed.emplace(*seat.forge, engine.settings());
  return tools;
}

tl::unexpected<Error> BotTools::for_a_person(std::string message, std::string hint, story::Stuck why) {
  person = why;
  return fail(ErrorCode::illegal_move, std::move(message), std::move(hint));
}

tl::unexpected<Error> BotTools::not_tried(std::string message, std::string hint) {
  person = story::Stuck::person;
  return fail(ErrorCode::unavailable, std::move(message), std::move(hint));
}

std::int64_t BotTools::ms(std::string_view key) const { return parse_duration_ms(text(key)).value_or(0); }
std::int64_t BotTools::number(std::string_view key) const { return parse_positive(text(key)).value_or(1); }
bool BotTools::records_gates() const { return pawl::records_gates(story::lifecycle(), engine.settings()); }

Result<MergeRules> BotTools::merge_rules() {
  if (!rules_) {
    PAWL_ASSIGN(rules_, pawl::merge_rules(engine, repository));
  }
  return *rules_;
}

Result<std::string> BotTools::base_branch() {
  PAWL_ASSIGN(const MergeRules rules, merge_rules());
  return rules.base;
}

Result<PullRef> BotTools::pull_of(const Record& story) {
  if (seat.forge == nullptr) return fail(ErrorCode::unavailable, "GitHub is needed for this");
  return pull_of_story(*seat.forge, seat.repo, story, std::nullopt, string_or(story.doc, "branchName"));
}

}  // namespace pawl
