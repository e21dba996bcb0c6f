#include "runners/story_bot/bot.h"

#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "engine/claims.h"
#include "integrations/git_command.h"
#include "integrations/git_worktree.h"
#include "lifecycles/story/bot_note.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/naming.h"
#include "lifecycles/story/story.h"
#include "runners/story_bot/acts.h"
#include "runners/story_bot/facts.h"
#include "runners/story_bot/hold.h"
#include "runners/story_bot/refresh.h"
#include "runners/story_bot/work.h"
#include "runners/story_check.h"
#include "runners/story_choice.h"
#include "runners/story_list.h"

namespace pawl {
namespace {

constexpr int kLookEveryMs = 500;

// Nobody is to blame, and nothing was tried: it is only put off.
bool is_nobodys_fault(ErrorCode code) { return code == ErrorCode::unavailable || code == ErrorCode::busy; }

class Bot {
 public:
  Bot(BotTools& tools, const Request& request, const BotPlan& plan)
      : tools_(tools), request_(request), plan_(plan), acts_(tools.seat.forge), worker_(cat("story run ", getpid())) {
    request_.idempotency_key.clear();
  }

  Result<BotRan> run() {
    const std::int64_t until = plan_.for_ms == 0 ? 0 : now().boot_ms + plan_.for_ms;
    while (true) {
      if (stop_came()) return ended(BotEnd::stopped);
      if (until != 0 && now().boot_ms >= until) return ended(BotEnd::time);
      if (read_left(tools_.engine.workspace().store)) {
        tools_.streams.tell("pawl was left here: no other story is taken up");
        return ended(BotEnd::idle);
      }
      const auto round = iterate();
      if (tools_.stopped != 0) return ended(BotEnd::stopped);
      // What keeps all stories (a store that is busy, a full disk) may pass for a run that has time.
      if (!round && (plan_.until_idle || plan_.max != 0)) return tl::unexpected(round.error());
      if (!round) tools_.streams.tell(round.error().message);
      const bool did = round.value_or(false);
      if (did && plan_.max != 0 && ran_.iterations >= plan_.max) return ended(BotEnd::maximum);
      if (did) continue;
      if (plan_.until_idle) return ended(BotEnd::idle);
      wait(until);
    }
  }

 private:
  [[nodiscard]] Now now() const { return tools_.engine.clock().now(); }

  BotRan ended(BotEnd end) {
    ran_.end = end;
    ran_.stop_signal = tools_.stopped;
    return ran_;
  }

  bool stop_came() {
    if (const auto signal = tools_.stop.next()) tools_.stopped = *signal;
    return tools_.stopped != 0;
  }

  // One time round; false when there was nothing to do.
  Result<bool> iterate() {
    // What waits is looked at once in an iteration, however soon it is due again, so that it starves nothing.
    const Now began = now();
    // What another tool or a person did to the file comes first.
    PAWL_TRY(tools_.engine.change(request_, look_at_stories(), decide_nothing));
    PAWL_TRY(acts_.settle_all(tools_.engine));
    PAWL_ASSIGN(const bool ended_one, refresh_pushed());
    if (tools_.stopped != 0) return false;
    PAWL_ASSIGN(auto hold, take_next(began));
    if (!hold) return ended_one;
    ++ran_.iterations;
    step(*hold);
    return true;
  }

  // Every story with a pull request that is due to be looked at, whoever went last. True when something came of it.
  Result<bool> refresh_pushed() {
    std::vector<Record> pushed;
    PAWL_TRY(tools_.engine.read_store([&](const View& view) -> Done {
      Query query;
      query.kind = story::kKind;
      query.status = story::kPushed;
      PAWL_ASSIGN(pushed, view.list(query));
      return done();
    }));
    bool something = false;
    for (const Record& story : pushed) {
      const story::Own own = story::own_of(story.doc);
      const bool held = !own.stuck.empty();
      if ((held ? own.looked_ms + tools_.ms("story.recheck") : story::due_of(story)) > now().wall_ms) continue;
      if (stop_came()) return something;
      PAWL_ASSIGN(auto hold, Hold::take(tools_.engine, request_, story.id, worker_));
      if (!hold) continue;
      const auto still = hold->record();  // another bot may have been quicker, and is done with it
      if (!still || still->status != story::kPushed) continue;
      something = (held ? watch(*hold) : refresh(*hold)) || something;
    }
    return something;
  }

  // What cannot be looked at now is held as it was.
  bool watch(const Hold& hold) {
    const auto watched = watch_story(tools_, acts_, hold);
    if (watched && !watched->line.empty()) tell(hold, watched->line);
    return watched && watched->over;
  }

  bool refresh(const Hold& hold) {
    tools_.begin_step();
    auto refreshed = refresh_story(tools_, acts_, hold);
    if (!refreshed) {
      setback(hold, refreshed.error());
      return false;
    }
    if (!refreshed->line.empty()) tell(hold, refreshed->line);
    return refreshed->over;
  }

  Result<std::optional<Hold>> take_next(const Now& began) {
    // Another bot may be quicker with one; then there is another, or none.
    for (int tries = 0; tries < 16; ++tries) {
      std::optional<RecordId> chosen;
      PAWL_TRY(tools_.engine.read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
        PAWL_ASSIGN(const StoryChoice choice, choose_story(tools_.engine, view, began, {}));
        if (choice.story) chosen = choice.story->id;
        return done();
      }));
      if (!chosen) return std::optional<Hold>();
      PAWL_ASSIGN(auto hold, Hold::take(tools_.engine, request_, *chosen, worker_));
      if (!hold) continue;
      const auto record = hold->record();
      if (!record) continue;
      if (story::own_of(record->doc).stuck.empty() && story::due_of(*record) <= began.wall_ms) return hold;
    }
    return std::optional<Hold>();
  }

  // What the story's tier says. Whatever goes wrong is the story's, not the run's.
  void step(const Hold& hold) {
    tools_.begin_step();
    const auto record = look(hold);
    const auto did = record ? act_for(hold, *record) : Result<std::string>(tl::unexpected(record.error()));
    if (!did) return setback(hold, did.error());
    tell(hold, *did);
  }

  // Taking it is a look: of two that are as urgent the other one comes next.
  Result<Record> look(const Hold& hold) {
    PAWL_TRY(hold.change([&](const Record& current, const Now& at) -> Result<Change> {
      return story::decide(current, story::LookAtStory{tools_.ms("story.recheck")}, at);
    }));
    return hold.record();
  }

  Result<std::string> act_for(const Hold& hold, const Record& story) {
    StoryWork work(tools_, acts_, hold);
    switch (story::tier_of(story)) {
      case story::Tier::pending: {
        if (story.id.kind == story::kKind) {
          PAWL_ASSIGN(const std::string skipped, skip_duplicate(hold, story));
          if (!skipped.empty()) return skipped;
        }
        tools_.streams.tell(cat(printable(story.id.key), "  ", printable(story::title_of(story.doc))));
        return work.implement();
      }
      case story::Tier::committed: {
        PAWL_ASSIGN(const bool unfinished, work.is_to_be_finished(story));
        return unfinished ? work.implement() : work.publish();
      }
      case story::Tier::reviewer:
      case story::Tier::waiting: {
        PAWL_ASSIGN(const Refreshed found, refresh_story(tools_, acts_, hold));
        if (found.over || !found.turn.reviewer_went_last) return found.line.empty() ? "waits" : found.line;
        return work.answer(found.facts, found.turn);
      }
      case story::Tier::none:
        break;
    }
    return std::string("nothing to do");
  }

  // Somebody may have begun already what the story is about.
  Result<std::string> skip_duplicate(const Hold& hold, const Record& story) {
    if (tools_.seat.forge == nullptr) return std::string();
    const std::string branch = story::branch_of(story.id.key, story.doc, tools_.text("story.branch_prefix"));
    PAWL_ASSIGN(auto other, find_duplicate({*tools_.seat.forge, tools_.seat.repo, *tools_.believed, branch}, story));
    if (!other) return std::string();
    story::MoveStory move;
    move.to = story::kSkipped;
    move.reason = cat("pull request ", integer_or(*other, "pr"), " addresses the same issue");
    move.evidence[std::string(story::kDuplicate)] = std::move(*other);
    move.record_gates = tools_.records_gates();
    PAWL_TRY(hold.change([&](const Record& current, const Now& at) { return story::decide(current, move, at); }));
    return cat("skipped: ", move.reason);
  }

  void setback(const Hold& hold, const Error& error) {
    if (tools_.stopped != 0) return;
    if (error.code == ErrorCode::lease_lost || error.code == ErrorCode::not_found) {
      // Somebody moved, paused or removed it meanwhile; or what it names is not there.
      const auto still = hold.record();
      if (!still || error.code == ErrorCode::lease_lost) return tell(hold, error.message);
    }
    ++ran_.failures;
    const bool counts = !is_nobodys_fault(error.code);
    const auto changed = hold.change([&](const Record& current, const Now& at) {
      story::BotFailed failed{
          error.message,
          tools_.output,
          tools_.ms("story.pause"),
          tools_.number("story.max_failures"),
          counts,
          tools_.person == story::Stuck::no && error.code == ErrorCode::untrusted ? story::Stuck::trust : tools_.person,
          tools_.attest,
          story::note_of(current.doc)};
      return story::decide(current, failed, at);
    });
    const bool held = changed && !story::own_of(changed->after.doc).stuck.empty();
    std::string line = cat(counts ? "failed: " : held ? "on hold: " : "put off: ", error.message);
    if (held)
      line += cat("; it is held until somebody has seen to it\n    pawl story retry ", story::as_typed(hold.id().key),
                  "  # lets it be picked again");
    if (!error.hint.empty()) line += cat("\n    ", error.hint);
    tell(hold, line);
  }

  void tell(const Hold& hold, const std::string& line) const {
    tools_.streams.tell(cat(printable(hold.id().key), "  ", line));
  }

  void wait(std::int64_t until) {
    std::int64_t left = tools_.ms("story.poll");
    if (until != 0) left = std::min(left, until - now().boot_ms);
    for (; left > 0; left -= kLookEveryMs) {
      if (tools_.stop.come_within(static_cast<int>(std::min<std::int64_t>(left, kLookEveryMs)))) return;
    }
  }

  BotTools& tools_;
  Request request_;
  const BotPlan& plan_;
  const StoryActs acts_;
  const std::string worker_;
  BotRan ran_;
};

// Why nothing would be done about a story now; "" where something would.
Result<std::string> why_left_alone(const View& view, const Record& story, const Now& now) {
  if (const std::string stuck = story::own_of(story.doc).stuck; !stuck.empty())
    return cat("is left alone: ", printable(stuck));
  PAWL_ASSIGN(const auto claim, view.store().claim(story.id));
  if (claim && claim_lives(*claim, now)) return cat("is ", printable(claim->worker), "'s now");
  if (std::string until = left_until(story, now); !until.empty()) return until;
  // A story that has a pull request is looked at whatever it waits for.
  if (story.status == story::kPushed) return std::string();
  PAWL_ASSIGN(const auto waits_for, open_dependencies(view, story));
  std::string ids;
  for (const std::string& id : waits_for) ids += cat(ids.empty() ? "" : ", ", printable(id));
  return ids.empty() ? ids : cat("waits for ", ids);
}

// Worktrees that git does not ignore would go into somebody's next commit of all that is there.
Done note_unignored(const BotTools& tools) {
  const std::string& folder = tools.text("story.worktrees");
  if (folder.empty() || folder.starts_with('/') || folder.starts_with('~')) return done();
  const std::string& root = tools.engine.workspace().root;
  PAWL_ASSIGN(const Ran inside, run_git(root, {"rev-parse", "--is-inside-work-tree"}));
  if (inside.exit_code != 0) return done();
  PAWL_ASSIGN(const bool ignored, git_ignores(root, cat(folder, "/story-1")));
  if (!ignored)
    tools.streams.tell(
        cat("git does not ignore ", printable(folder), ": add a line ", printable(folder), "/ to .gitignore"));
  return done();
}

// Fails before the first agent is paid.
Done checks_can_run(Engine& engine) {
  std::vector<Record> stories;
  PAWL_TRY(engine.read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(stories, all_stories(view));
    return done();
  }));
  std::erase_if(stories, [](const Record& one) {
    return story::tier_of(one) != story::Tier::pending || !story::own_of(one.doc).stuck.empty();
  });
  return checks_must_run(engine, stories);
}

}  // namespace

Result<BotRan> run_story_bot(BotTools& tools, const Request& request, const BotPlan& plan) {
  PAWL_TRY(agent_command(tools));
  PAWL_TRY(check_forms(tools.engine));  // a mistake in pawl.toml is no story's failure
  PAWL_TRY(checks_can_run(tools.engine));
  PAWL_TRY(note_unignored(tools));
  PAWL_ASSIGN(BotRan ran, Bot(tools, request, plan).run());
  PAWL_TRY(tools.engine.read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(ran.left, stories_left(view, tools.engine.clock().now(), ran.end == BotEnd::idle));
    return done();
  }));
  return ran;
}

Result<std::vector<std::string>> dry_run(BotTools& tools) {
  const auto agent = agent_command(tools);
  if (!tools.command.empty() && !agent) return tl::unexpected(agent.error());
  const Done ready = agent ? checks_can_run(tools.engine) : Done(tl::unexpected(agent.error()));
  const std::string no_agent =
      ready ? std::string() : cat("; but not yet: ", ready.error().message, "\n    ", ready.error().hint);
  struct Seen {
    Record story;
    std::string left_alone;  // why, where it is
  };
  std::vector<Seen> stories;
  const Now now = tools.engine.clock().now();
  PAWL_TRY(tools.engine.read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(auto all, all_stories(view));
    for (Record& story : all) {
      if (story::tier_of(story) == story::Tier::none) continue;
      PAWL_ASSIGN(std::string why, why_left_alone(view, story, now));
      stories.push_back({std::move(story), std::move(why)});
    }
    return done();
  }));
  std::vector<std::string> lines;
  for (const auto& [story, left_alone] : stories) {
    const story::Tier tier = story::tier_of(story);
    const std::string name = printable(story.id.key);
    const std::string branch = story::branch_of(story.id.key, story.doc, tools.text("story.branch_prefix"));
    if (!left_alone.empty()) {
      lines.push_back(cat(name, "  ", left_alone));
    } else if (tier == story::Tier::reviewer || tier == story::Tier::waiting) {
      const auto seen = foresee(tools, story);
      lines.push_back(cat(name, "  ", seen ? *seen : cat("cannot be looked at: ", seen.error().message)));
    } else if (tier == story::Tier::committed && string_or(story.doc, "branchName").empty() &&
               story::note_of(story.doc).branch.empty()) {
      lines.push_back(cat(name, "  would be held: it names no branch, so nothing could be pushed"));
    } else if (tier == story::Tier::committed) {
      lines.push_back(cat(name, "  would run what was not checked yet, push ", printable(branch), " to ",
                          printable(tools.remote), " and open a draft pull request"));
    } else {
      lines.push_back(cat(name, "  would make the branch ", printable(branch),
                          " in a worktree, run the agent there, commit, and run all checks", no_agent));
    }
  }
  return lines;
}

}  // namespace pawl
