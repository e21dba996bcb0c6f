// `pawl story check`: runs the commands of a story's criteria at the commit that is the head of its branch, one after
// the other, each in a process group of its own that ends with it, and writes down what they showed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/stop_signals.h"
#include "lifecycles/story/checks.h"
#include "runners/story_place.h"

namespace pawl {

// The table of pawl.toml, whoever wrote it: for showing which criterion has which command.
[[nodiscard]] Result<Json> check_table(const Engine& engine);
// Is a check that is a text, and no list of words, a line for a shell? As pawl.toml says it, whoever wrote that:
// whether anything may be run is must_be_trusted's to say.
[[nodiscard]] bool with_shell(const Engine& engine);
// The commands that pawl.toml has for criteria, whether or not somebody has trusted them: invalid_argument names one
// that cannot be run.
[[nodiscard]] Done check_forms(const Engine& engine);
// The same for those that would be run for this story, its own too.
[[nodiscard]] Done check_forms(const Engine& engine, const Record& story);
// May this command be run? untrusted, with what to type, when nobody has trusted the file it is from.
[[nodiscard]] Done must_be_trusted(Engine& engine, const Record& story, const story::CheckPlan& plan);
// And all that would be run for this story?
[[nodiscard]] Done must_be_trusted(Engine& engine, const Record& story);
// Under what name the commands in the file of the stories are trusted: beside it.
[[nodiscard]] std::string trust_path_of_stories(const Engine& engine);

// Of the commands in pawl.toml that these stories would be checked with: not_found names one that cannot be run, where
// that is known beforehand. What somebody has still to trust comes first, and is not looked at.
[[nodiscard]] Done checks_must_run(const Engine& engine, const std::vector<Record>& stories);
// Why the first check of this story that cannot be run in `folder` cannot be run, where that is known beforehand.
[[nodiscard]] Result<std::optional<std::string>> check_that_cannot_run(const Engine& engine, const Record& story,
                                                                       const std::string& branch,
                                                                       const std::string& folder);

struct CheckStreams {
  std::function<void(std::string_view)> progress = [](std::string_view) {};  // in place of the line before
  std::function<void(std::string_view)> tell = [](std::string_view) {};      // a line that stays
};

struct CheckedStory {
  CheckedOut at;
  std::vector<story::CheckResult> results;
  std::vector<std::string> without;   // criteria that have no command, and nobody's word for this commit
  std::vector<std::string> attested;  // those that have it
  std::size_t criteria = 0;           // that it has at all
  int stop_signal = 0;                // not 0: stopped, and nothing was written down

  // What the move asks for (lifecycles/story/gates.h): none at all show nothing.
  [[nodiscard]] bool all_ok() const;
  // The first that could not be run: it neither passed nor failed, and nothing is written down of it.
  [[nodiscard]] const story::CheckResult* not_run() const;
};

// `only`: the criteria to check, by their text; none: all that have a command.
[[nodiscard]] Result<CheckedStory> check_story(Engine& engine, const Request& request, const Record& story,
                                               const std::optional<std::string>& branch,
                                               const std::vector<std::string>& only, const CheckStreams& streams,
                                               StopSignals& stop);

// Which command stands for which criterion now, to the letter (lifecycles/story/checks.h).
[[nodiscard]] Result<Json> exact_commands(const Engine& engine, const Record& story, const std::string& branch);

// Of one that was moved without what the move needs, what to type to show it after all. Where no criterion has a
// command a check would run nothing: then it is somebody's word.
[[nodiscard]] std::string how_to_show(const Engine& engine, const Record& story);

// The facts for the gate `criteria` (lifecycles/story/gates.h), of a branch where it is checked out, or wherever it is.
[[nodiscard]] Result<Json> criteria_facts(const Engine& engine, const Record& story, const CheckedOut& at);
[[nodiscard]] Result<Json> criteria_facts(Engine& engine, const Record& story,
                                          const std::optional<std::string>& branch);

}  // namespace pawl
