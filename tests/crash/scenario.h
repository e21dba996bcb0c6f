// A workspace with a history, and one command on it.
//
// The three that matter, and five more that follow from them:
//   set        a status, a session, a message and their file change together
//   undo       the last operation is taken back
//   outside    another tool has given the issue a new status in its file; the command takes that over and goes on
//   merge      another tool has added a member to the file; the command keeps it
//   first      there is no store yet, and a file to adopt: the command makes the one and takes the other
//   list       nothing has changed and nothing will: a file that cannot be read is not one that is gone
//   rollback   a command was killed while its transaction was half on disk; the next one finds that out
//   repair     a command was killed between its commit and its file; the next one writes the file
// In the last two it is the repair that is made to fail, so that trouble on top of trouble is tested too.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "crash/judge.h"
#include "crash/tree.h"

namespace pawl::crash {

// Where all this happens: a scratch folder, in memory where that can be had, and the binary under test. Its `disk` is
// what faults happen to, and what is put back: the workspace, and the home folder, where nobody expects anything.
// It is always at the same path, as pawl may remember a path.
class Bench {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Bench>> make(const std::string& binary);
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench();

  [[nodiscard]] std::string disk() const { return folder_ + "/disk"; }
  [[nodiscard]] std::string workspace() const { return folder_ + "/disk/workspace"; }
  // pawl -C WORKSPACE …
  [[nodiscard]] TracedCommand pawl(const std::vector<std::string>& arguments) const;
  // The folder stays, for somebody to look at.
  void keep() { keep_ = true; }

 private:
  Bench(std::string binary, std::string folder) : binary_(std::move(binary)), folder_(std::move(folder)) {}

  std::string binary_;
  std::string folder_;
  bool keep_ = false;
};

struct Scenario {
  std::string name;
  Tree prepared;
  TracedCommand command;
  References known;  // what fresh processes tell before and after the command, and what they may leave lying about
};

[[nodiscard]] std::vector<std::string> scenario_names();

// Runs the history, looks at the workspace before and after an untouched run, and makes sure that these two are what
// the scenario is about: a command that does nothing would pass every test.
[[nodiscard]] Result<Scenario> prepare(const Bench& bench, std::string_view name);

}  // namespace pawl::crash
