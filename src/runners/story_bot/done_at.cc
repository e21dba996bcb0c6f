// How the task of a story ends: by the bot's own move, or where its agent went ahead of that in the story's file.
#include <limits>

#include "lifecycles/story/gates.h"
#include "lifecycles/story/story.h"
#include "runners/story_bot/work.h"
#include "runners/story_check.h"

namespace pawl {
namespace {

// Where implementing leads.
std::string_view goal_of(const Record& story) {
  return story.id.kind == story::kPasses ? story::kPassed : story::kCommitted;
}

// It is there by its file, without what that needs: what there is by now is shown, and where that is not enough, the
// mark stays.
Result<Change> shown_there(const Record& current, story::MoveStory move, const Now& now) {
  move.unverified = true;
  auto shown = story::decide(current, move, now);
  if (shown || shown.error().code != ErrorCode::gate_failed || !move.record_gates) return shown;
  return Change{current, current, "carried on", Json(), false};
}

}  // namespace

Result<bool> StoryWork::went_ahead_by_file(const Record& now) const {
  if (now.held || now.status != goal_of(now)) return false;
  bool by_file = false;
  PAWL_TRY(tools_.engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(auto event, view.store().event_at(now.id, std::numeric_limits<std::int64_t>::max()));
    while (event && event->from == event->after.status) {
      PAWL_ASSIGN(event, view.store().event_before(now.id, event->id));
    }
    if (!event || event->from != story::kPending) return done();
    PAWL_ASSIGN(const auto operation, view.store().operation(event->operation));
    by_file = operation && operation->outside;
    return done();
  }));
  return by_file;
}

Result<bool> StoryWork::is_to_be_finished(const Record& story) const {
  const story::BotNote note = story::note_of(story.doc);
  if (note.task != story::kImplement || note.branch.empty() || !string_or(story.doc, "branchName").empty())
    return false;
  return went_ahead_by_file(story);
}

// The move that shows that all criteria hold at this commit; the task is over with it.
Result<Hold::Decided> StoryWork::done_at(const CheckedOut& at, std::string_view to) {
  PAWL_ASSIGN(const Record story, hold_.record());
  PAWL_ASSIGN(Json facts, criteria_facts(tools_.engine, story, at));
  story::MoveStory move;
  move.to = to;
  move.branch = at.branch;
  move.evidence[std::string(story::kCriteria)] = std::move(facts);
  move.record_gates = tools_.records_gates();
  PAWL_ASSIGN(const bool is_there, went_ahead_by_file(story));
  return Hold::Decided([move = std::move(move), is_there](const Record& current, const Now& now) -> Result<Change> {
    const bool stays = is_there && current.status == move.to;
    auto made = stays ? shown_there(current, move, now) : story::decide(current, move, now);
    if (!made) return made;
    Change change = std::move(*made);
    Json doc = change.after.doc;
    if (stays) doc["branchName"] = *move.branch;
    story::BotNote after = story::note_of(doc);
    story::finish_task(after);
    story::set_note(doc, after);
    change.after.doc = std::move(doc);
    return change;
  });
}

}  // namespace pawl
