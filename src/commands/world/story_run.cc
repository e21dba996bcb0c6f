#include <array>

#include "base/clock.h"
#include "base/text.h"
#include "commands/world/forge_for.h"
#include "commands/world/handlers.h"
#include "commands/world/story_seat.h"
#include "integrations/git.h"
#include "lifecycles/story/story.h"
#include "runners/story_bot/bot.h"
#include "runners/story_list.h"
#include "runners/story_place.h"

namespace pawl {
namespace {

std::string_view word_for(BotEnd end) {
  switch (end) {
    case BotEnd::maximum:
      return "maximum";
    case BotEnd::time:
      return "time";
    case BotEnd::stopped:
      return "stopped";
    case BotEnd::idle:
      break;
  }
  return "idle";
}

// Stories that only know `passes` need nothing of GitHub's.
Result<bool> needs_github(Engine& engine) {
  bool needs = false;
  PAWL_TRY(engine.read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
    Query query;
    query.kind = story::kKind;
    query.limit = 1;
    PAWL_ASSIGN(const auto found, view.list(query));
    needs = !found.empty();
    return done();
  }));
  return needs;
}

Json until_json(const LeftUntil& until) {
  Json out{{"count", until.count}};
  if (until.due_ms != 0) out["due_at"] = iso_time(until.due_ms);
  return out;
}

Json left_json(const StoriesLeft& left) {
  Json out = Json::object();
  if (left.failed.count > 0) out["failed"] = until_json(left.failed);
  if (left.put_off.count > 0) out["put_off"] = until_json(left.put_off);
  if (left.waiting.count > 0) out["waiting"] = until_json(left.waiting);
  if (left.need_you > 0) out["need_you"] = left.need_you;
  if (left.paused > 0) out["paused"] = left.paused;
  if (left.blocked > 0) out["blocked"] = left.blocked;
  return out;
}

}  // namespace

Result<ForgeSeat> story_seat(ForgeFor& open, const Engine& engine) {
  PAWL_ASSIGN(const std::string folder, story_repository(engine));
  PAWL_ASSIGN(const RepoRef repo, repository_in(folder, open.host()));
  return ForgeSeat{&open.forge(), repo};
}

Result<Reply> run_story_run(Context& context, const Arguments& arguments) {
  BotPlan plan;
  plan.max = arguments.flag("once") ? 1 : arguments.number("max").value_or(0);
  plan.until_idle = arguments.flag("until-idle") || arguments.flag("once");
  plan.for_ms = arguments.duration_ms("for").value_or(0);
  if (!context.request().idempotency_key.empty())
    return fail(ErrorCode::invalid_argument, "a run has no idempotency key; run again it goes on where it was");
  PAWL_ASSIGN(Engine* const engine, context.engine());
  if (engine->left())
    PAWL_TRY(engine->store());  // it says that pawl was left, as every verb that changes something does
  PAWL_ASSIGN(const bool github, needs_github(*engine));
  StopSignals stop;
  std::unique_ptr<ForgeFor> open;
  ForgeSeat seat;
  if (github) {
    // Without a remote a token would not help either: that is said first.
    PAWL_ASSIGN(const std::string folder, story_repository(*engine));
    PAWL_TRY(git_remotes(folder));
    PAWL_ASSIGN(open, ForgeFor::open(context));
    open->heed(stop);
    PAWL_ASSIGN(seat, story_seat(*open, *engine));
  }
  PAWL_ASSIGN(BotTools tools, BotTools::open(*engine, seat, {context.note, context.progress}, stop));
  tools.command = arguments.list("command");
  if (arguments.flag("dry-run")) {
    PAWL_ASSIGN(const auto lines, dry_run(tools));
    return Reply{Json{{"steps", lines}}};
  }
  PAWL_ASSIGN(const BotRan ran, run_story_bot(tools, context.request(), plan));
  return Reply{Json{{"ended", word_for(ran.end)},
                    {"iterations", ran.iterations},
                    {"failures", ran.failures},
                    {"left", left_json(ran.left)}},
               ran.stop_signal != 0 ? 128 + ran.stop_signal : 0};
}

}  // namespace pawl
