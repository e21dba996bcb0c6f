// What is kept of each issue's run: its facts in the store, its output in a folder of its own, and the locks that keep
// two commands from working on one issue at once.
//
//   .pawl/runs/42.lock            held while a command starts, ends or cleans up issue 42
//   .pawl/runs/0.lock             held while work is put aside (there is no issue 0)
//   .pawl/runs/42-ID/             one run
//     output.7, output.8          the newest of what the session printed, in pieces of equal size
//     said.json                   what its markers have said, and who keeps the output (runners/issue/recorder.h)
//     prompt.md, prompt, title    what the agent is told; that and all else that its screen may repeat
//     exit, watcher               how the agent ended; locked by the process that watches
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/process.h"
#include "engine/engine.h"
#include "lifecycles/issue/run.h"

namespace pawl {

class RunBook {
 public:
  explicit RunBook(Engine& engine) : engine_(engine) {}

  [[nodiscard]] Result<std::optional<issue::Run>> find(std::int64_t number) const;
  [[nodiscard]] Result<std::optional<issue::Run>> find(Transaction& store, std::int64_t number) const;
  // The one that a command was about to start and has not said to be running: it is at it, or it died.
  [[nodiscard]] Result<std::optional<issue::Run>> starting(std::int64_t number) const;
  [[nodiscard]] Result<std::optional<issue::Run>> starting(Transaction& store, std::int64_t number) const;

  // What keep_former() kept of the one that was cleaned up last.
  [[nodiscard]] Result<std::optional<issue::Run>> former(std::int64_t number) const;
  [[nodiscard]] Result<std::optional<issue::Run>> former(Transaction& store, std::int64_t number) const;

  // In the commit that says so in the status, so that status and facts are one.
  void keep(Decision& decision, const issue::Run& run) const;
  void keep_starting(Decision& decision, const issue::Run& run) const;  // it is about to be started
  void keep_started(Decision& decision, const issue::Run& run) const;   // it runs
  void forget(Decision& decision, std::int64_t number) const;
  // Of a run that is forgotten: what it was called and which branch it had made, for one that begins there again.
  void keep_former(Decision& decision, const issue::Run& run) const;

  // Where the status says so already.
  [[nodiscard]] Done keep_started(const issue::Run& run) const;
  [[nodiscard]] Done keep_starting(std::int64_t number, const std::optional<issue::Run>& run) const;
  // Changes what is known of this very run; where another one has taken its place meanwhile, nothing.
  [[nodiscard]] Done amend(const issue::Run& run, const std::function<void(issue::Run&)>& change) const;

  // The folders of all its runs.
  [[nodiscard]] Done remove_folders(std::int64_t number) const { return remove_folders(number, {}); }
  // Folders of other runs of the same issue, but for those that this one goes on from.
  void forget_others(const issue::Run& run) const;

  [[nodiscard]] std::string folder(const issue::Run& run) const;
  [[nodiscard]] Result<Fd> make_folder(const issue::Run& run) const;  // or opens it; through no link
  // Of the runs that it goes on from, as far as they are there, oldest first.
  [[nodiscard]] std::vector<std::string> earlier_folders(const issue::Run& run) const;

  // The command that keeps a run's output, for tmux to pipe a pane to. `self`: pawl.
  [[nodiscard]] std::vector<std::string> recorder_command(const issue::Run& run, const std::string& self) const;

  // Waits for whoever works on this issue; busy after a while.
  [[nodiscard]] Result<Fd> lock(std::int64_t number) const;
  // nullopt: another process watches it, and holds the lock as long as it lives.
  [[nodiscard]] Result<std::optional<Fd>> lock_as_watcher(const issue::Run& run) const;
  // Who watches it; pid 0 when nobody does.
  [[nodiscard]] ProcessIdentity watcher(const issue::Run& run) const;
  // The issues of which a run has left a folder: all that has not been cleaned up.
  [[nodiscard]] Result<std::set<std::int64_t>> numbers() const;
  // Does anybody watch any run of it? By what lies in the folder: where pawl was left, the store does not tell.
  [[nodiscard]] bool has_watcher(std::int64_t number) const;

 private:
  [[nodiscard]] Result<Fd> lock_called(const std::string& lock, const std::string& what) const;
  [[nodiscard]] std::string root() const;
  [[nodiscard]] std::string below_store(const std::string& path) const;
  [[nodiscard]] std::string name_of(std::string_view what, std::int64_t number) const;
  [[nodiscard]] Result<std::optional<issue::Run>> load(Transaction& store, const std::string& name) const;
  [[nodiscard]] Done remove_folders(std::int64_t number, const std::vector<std::string>& but) const;

  Engine& engine_;
};

}  // namespace pawl
