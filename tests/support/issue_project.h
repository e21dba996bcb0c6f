// A workspace with issue statuses, and a hand that changes their files behind pawl's back.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "support/binary.h"

namespace pawl::test {

inline constexpr std::string_view kLoopFile = ".omc/ralph-state.json";

class IssueProject : public TempWorkspace {
 public:
  [[nodiscard]] static std::string path_of(int number);  // ".worktrees/.status/N.json"

  // What pawl prints when all goes well; a test failure otherwise.
  [[nodiscard]] std::string out(const std::vector<std::string>& args) const;
  void must(const std::vector<std::string>& args) const { static_cast<void>(out(args)); }
  [[nodiscard]] std::string get(int number) const;  // the word, without its newline
  [[nodiscard]] Json log() const;                   // operations, newest first
  [[nodiscard]] Json shown(int number) const;       // `issue show --json`
  [[nodiscard]] std::size_t operations() const { return log().size(); }

  // The file, as other tools use it.
  [[nodiscard]] std::string bytes(int number) const;  // "(none)" when it is not there
  [[nodiscard]] Json content(int number) const;       // parsed
  void put(int number, std::string_view bytes) const { write(path_of(number), bytes); }
  void edit(int number, std::string_view from, std::string_view to) const;  // `from` must stand in it
  void drop(int number) const;

  // Names under .pawl/FOLDER.
  [[nodiscard]] std::vector<std::string> kept(std::string_view folder) const;
  // The only file there; a test failure when there are none or more.
  [[nodiscard]] std::string only_kept(std::string_view folder) const;
  // Every file of the store with its content, to see whether anything was written.
  [[nodiscard]] std::string store_image() const;

  // pawl, killed when it is about to make its first call of this number. False: tracing is not to be had here.
  [[nodiscard]] bool killed_at(long system_call, const std::vector<std::string>& args) const;
  // pawl, held up at that moment while another program acts.
  [[nodiscard]] bool run_with(long system_call, const std::function<void()>& meanwhile,
                              const std::vector<std::string>& args) const;

  // A real repository with one commit; what is ignored is nothing.
  void start_git() const;
  std::string git(const std::vector<std::string>& args) const;
  [[nodiscard]] Ran try_git(const std::vector<std::string>& args) const;
  void commit_all(const std::string& message) const;
};

[[nodiscard]] std::string replaced(std::string text, std::string_view from, std::string_view to);

}  // namespace pawl::test
