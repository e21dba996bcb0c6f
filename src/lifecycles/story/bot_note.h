// How far the bot came with a story, kept in the story's own part: whoever goes on after it was killed does not begin
// anew. And what it decides when something did not work.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "core/event.h"
#include "lifecycles/story/pull_facts.h"
#include "lifecycles/story/story.h"

namespace pawl::story {

// What the agent is to do.
inline constexpr std::string_view kImplement = "implement";
inline constexpr std::string_view kAnswer = "answer";

// What the bot and whoever looks for work note for themselves, as the log calls it. None of it moves a story.
inline constexpr std::string_view kLookedAt = "looked at", kPutOff = "put off", kBegan = "began",
                                  kChecksBegan = "checks began", kChecksFailed = "checks failed",
                                  kCommitRefused = "commit refused", kChangedNothing = "changed nothing";
inline constexpr std::array kBookkeeping = {kLookedAt,     kPutOff,        kBegan,         kChecksBegan,
                                            kChecksFailed, kCommitRefused, kChangedNothing};

struct BotNote {
  std::string task;                   // "": none is under way
  bool worked = false;                // the agent has ended well; what it did is to be committed and checked
  std::string from;                   // the commit that it began at
  std::string checking;               // the commit of its work, once checks were begun at it
  std::vector<std::string> handed;    // what reviewers said, by id, that this task is about
  std::vector<std::string> answered;  // what earlier ones were about
  std::string branch, base;           // made for this story, and the commit that it began at
  std::string pushed;                 // the commit that the bot pushed last
  bool ready = false;                 // could be merged when it was last looked at
  Json failed;                        // the checks that failed after the last try, for the next one

  [[nodiscard]] Json json() const;
  static BotNote from_json(const Json& value);
};
[[nodiscard]] BotNote note_of(const Json& doc);
void set_note(Json& doc, const BotNote& note);

// The task is over: what it was about is answered.
void finish_task(BotNote& note);

struct WriteNote {
  BotNote note;
  std::string what;  // the event's name
  Json evidence;
};
[[nodiscard]] Result<Change> decide(const Record& current, const WriteNote& command);

// Something did not work. Counted, it is tried again after pauses that double, and held at the limit with the end of
// what was printed; not counted (nobody answered), it is only put off.
struct BotFailed {
  std::string why;
  std::string output;
  std::int64_t pause_ms = 0;
  std::int64_t most = 0;
  bool counts = true;
  Stuck at_once = Stuck::no;  // trying again would not help: a person has to, and this is what for
  std::string attest;         // the criterion that waits for somebody's word
  BotNote note;
};
[[nodiscard]] Result<Change> decide(const Record& current, const BotFailed& command, const Now& now);

// What the agent gets: docs/stories.md has the schema.
struct Task {
  std::string kind;
  std::string branch, base, worktree;
  std::int64_t pull = 0;
  std::string pull_url;
  Turn turn;
  Json checks;  // [{criterion, command}]
  std::int64_t attempt = 1;
  bool resumed = false;
  std::string reply_file;
};
[[nodiscard]] Json task_json(const Record& story, const Task& task);

// The text of a new pull request.
[[nodiscard]] std::string pull_body(const Record& story);

}  // namespace pawl::story
