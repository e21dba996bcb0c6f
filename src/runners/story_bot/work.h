// The part of the bot that makes something: the agent in the story's worktree, a commit, all checks at that commit. How
// far it came is noted, so that after a kill only what is missing is done.
//
//   branch ──> agent ──> commit ──> checks at that commit ──> (push) ──> the story moves
//                ^                         │
//                └──── failed: again later, with what the checks printed
#pragma once

#include <string>

#include "integrations/git_branch.h"
#include "lifecycles/story/bot_note.h"
#include "runners/story_bot/acts.h"
#include "runners/story_bot/hold.h"
#include "runners/story_bot/tools.h"

namespace pawl {

// What was typed, or the words of agent.command. An error says that there are none, or that nobody has trusted them.
[[nodiscard]] Result<std::vector<std::string>> agent_command(const BotTools& tools);

class StoryWork {
 public:
  StoryWork(BotTools& tools, const StoryActs& acts, const Hold& hold) : tools_(tools), acts_(acts), hold_(hold) {}

  // Each returns what was done, for people. An error says why not; BotTools::output has what was printed.
  [[nodiscard]] Result<std::string> implement();
  [[nodiscard]] Result<std::string> publish();
  // One whose agent called it committed, while the bot was ended before it knew the branch: that is made up for.
  [[nodiscard]] Result<bool> is_to_be_finished(const Record& story) const;
  [[nodiscard]] Result<std::string> answer(const story::PullFacts& facts, const story::Turn& turn);

 private:
  Result<CheckedOut> begin_branch(const Record& story);
  Result<CheckedOut> find_branch(const Record& story);
  Done catch_up(const CheckedOut& at);
  Result<std::string> folder_for(const Record& story, const std::string& branch) const;
  // Agent, commit and checks; the branch as it is then.
  Result<CheckedOut> carry_out(const story::Task& task, CheckedOut at);
  // What checks left that were cut off by a kill: nothing of it is the agent's.
  Done set_aside_left(const story::BotNote& before, const CheckedOut& at);
  Done run_agent_at(const story::Task& task, const CheckedOut& at);
  Result<CheckedOut> commit(const CheckedOut& at);
  Result<CheckedOut> commit_refused(const Error& why);
  Result<Hold::Decided> done_at(const CheckedOut& at, std::string_view to);
  // Is it where the task of implementing leads, by somebody's word in its file? Most agents write that when they are
  // done, or nearly so: it is the same way, and none of it is lost.
  [[nodiscard]] Result<bool> went_ahead_by_file(const Record& now) const;
  Done check(const CheckedOut& at);
  // ", unverified: …", where gates are only recorded and something was not shown at this commit; "" where all was.
  Result<std::string> unverified(const CheckedOut& at) const;
  Done push(const CheckedOut& at);
  Result<PullRef> open_pull(const CheckedOut& at);
  Done note(std::string_view what, Json evidence, const std::function<void(story::BotNote&)>& edit);
  Result<story::BotNote> noted() const;
  std::string task_folder() const;
  std::string reply() const;

  BotTools& tools_;
  const StoryActs& acts_;
  const Hold& hold_;
};

}  // namespace pawl
