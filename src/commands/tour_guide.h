// The tour's hands: a temporary repository, and commands that are shown as they are run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "base/text.h"
#include "commands/context.h"

namespace pawl::tour {

// Makes a temporary repository and returns its path in a child process, which gives the tour. However the child ends
// (Ctrl-C too), this process kills everything that the tour started, removes the repository, and ends the same way.
[[nodiscard]] Result<std::string> begin_in_child();

class Guide {
 public:
  Guide(Context& context, std::string folder) : context_(context), folder_(std::move(folder)) {}

  // Begins the next chapter. At a terminal it first waits for Enter; fails if the reader ends the tour there.
  Done chapter(std::string_view title);
  [[nodiscard]] bool ended_by_reader() const { return ended_by_reader_; }
  void say(std::string_view text);
  // Says so where one of the programs that a chapter needs is not installed.
  bool lacks(const std::vector<std::string>& programs);

  // Runs pawl and shows what it says; returns how it ended.
  Result<Ran> pawl(const std::vector<std::string>& words);
  Result<Ran> quietly(const std::vector<std::string>& words) const;
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& words) const;

  // A line for the shell, in the repository: other tools see and change its files this way. `pawl` is this binary.
  Done shell(std::string_view line);

  // Paths are relative to the repository.
  Done write_program(std::string_view path, std::string_view text);
  Done write_file(std::string_view path, std::string_view text);
  [[nodiscard]] const std::string& folder() const { return folder_; }
  // Another project, in a folder below; what was given here is not given there.
  [[nodiscard]] Guide in(std::string_view below) const { return {context_, cat(folder_, "/", below)}; }
  // For the commands from here on: a token, for one, which programs that pawl starts do not get by themselves.
  void give(std::string variable) { given_.push_back(std::move(variable)); }

 private:
  Context& context_;
  std::string folder_;
  bool begun_ = false;
  bool ended_by_reader_ = false;
  std::vector<std::string> given_;
};

// The parts that have files of their own.
[[nodiscard]] Done a_loop_goes_on(Guide& guide);
[[nodiscard]] Done a_story_changes_hands(Guide& guide);
[[nodiscard]] Done a_story_is_carried(Guide& guide);
[[nodiscard]] Done a_review_is_resumed(Guide& guide);
[[nodiscard]] Done an_issue_is_run(Guide& guide);
[[nodiscard]] Done a_forged_block_is_refused(Guide& guide);

}  // namespace pawl::tour
