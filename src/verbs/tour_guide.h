// The tour's hands: a temporary repository, and commands that are shown as they are run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "base/text.h"
#include "verbs/context.h"

namespace pawl::tour {

// Ctrl-C in the middle ends the tour between two steps, so that its folder goes with it.
void stop_between_steps();

class TemporaryRepository {
 public:
  static Result<TemporaryRepository> make();
  TemporaryRepository(TemporaryRepository&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryRepository& operator=(TemporaryRepository&&) = delete;
  ~TemporaryRepository();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  TemporaryRepository() = default;
  std::string path_;
};

class Guide {
 public:
  Guide(Context& context, std::string folder) : context_(context), folder_(std::move(folder)) {}

  void title(std::string_view text);
  void say(std::string_view text);

  // Runs pawl and shows what it says; returns how it ended.
  Result<Ran> pawl(const std::vector<std::string>& words);
  Result<Ran> quietly(const std::vector<std::string>& words) const;
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& words) const;

  // The repository's files, as other tools see and change them. Paths are relative to it.
  Done show_file(std::string_view path);
  Done edit_file(std::string_view path, std::string_view from, std::string_view to);
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
  std::vector<std::string> given_;
};

// Whether a shell finds this program.
[[nodiscard]] bool is_there(const char* program);

// The parts that have files of their own.
[[nodiscard]] Done a_loop_goes_on(Guide& guide);
[[nodiscard]] Done a_story_changes_hands(Guide& guide);
[[nodiscard]] Done a_story_is_carried(Guide& guide);
[[nodiscard]] Done a_review_is_resumed(Guide& guide);
[[nodiscard]] Done an_issue_is_run(Guide& guide);
[[nodiscard]] Done a_forged_block_is_refused(Guide& guide);

}  // namespace pawl::tour
