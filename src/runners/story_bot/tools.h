// What every step of the bot works with.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_signals.h"
#include "engine/engine.h"
#include "integrations/forge.h"
#include "lifecycles/story/story.h"
#include "runners/story_bot/facts.h"
#include "runners/story_bot/look.h"

namespace pawl {

struct BotStreams {
  std::function<void(std::string_view)> tell = [](std::string_view) {};      // a line that stays
  std::function<void(std::string_view)> progress = [](std::string_view) {};  // in place of the line before
};

// The place on GitHub that the stories' pull requests are in.
struct ForgeSeat {
  Forge* forge = nullptr;
  RepoRef repo;
};

class BotTools {
 public:
  // Without a seat only stories that need no pull request can be carried.
  static Result<BotTools> open(Engine& engine, const ForgeSeat& seat, BotStreams streams, StopSignals& stop);

  Engine& engine;
  ForgeSeat seat;
  BotStreams streams;
  StopSignals& stop;
  std::vector<std::string> command;  // the agent's, as somebody typed it; none: agent.command
  std::string repository;            // the folder of the code
  std::string remote;
  std::string me;  // the account that the token belongs to
  std::optional<Believed> believed;
  std::string output;                         // the end of what the last program printed, for a step that fails
  std::map<RecordId, std::int64_t> left_out;  // remarks of people who are not believed, as told last
  int stopped = 0;                            // the signal that asked to stop
  story::Stuck person = story::Stuck::no;     // the step failed for something that only a person can mend: what
  std::string attest;                         // the criterion that waits for somebody's word

  // A failure that would be the same however often it is tried: the story is held at once.
  [[nodiscard]] tl::unexpected<Error> for_a_person(std::string message, std::string hint = {},
                                                   story::Stuck why = story::Stuck::person);
  // Like for_a_person, but counts no attempt: it is not the work that failed.
  [[nodiscard]] tl::unexpected<Error> not_tried(std::string message, std::string hint);
  // Before each step.
  void begin_step() {
    output.clear();
    person = story::Stuck::no;
    attest.clear();
  }

  [[nodiscard]] const std::string& text(std::string_view key) const { return engine.settings().text(key); }
  [[nodiscard]] bool flag(std::string_view key) const { return text(key) == "true"; }
  [[nodiscard]] std::int64_t ms(std::string_view key) const;
  [[nodiscard]] std::int64_t number(std::string_view key) const;
  [[nodiscard]] bool records_gates() const;
  // What must be so before a merge, and where branches go: story.base, or the remote's main branch.
  [[nodiscard]] Result<MergeRules> merge_rules();
  [[nodiscard]] Result<std::string> base_branch();
  // The story's pull request, by its number or its branch; not_found: it has none.
  [[nodiscard]] Result<PullRef> pull_of(const Record& story);

 private:
  BotTools(Engine& the_engine, ForgeSeat the_seat, BotStreams the_streams, StopSignals& the_stop)
      : engine(the_engine), seat(std::move(the_seat)), streams(std::move(the_streams)), stop(the_stop) {}
  std::optional<MergeRules> rules_;  // as far as asked
};

}  // namespace pawl
