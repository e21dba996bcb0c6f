// What fresh processes find in a workspace, and whether that is all right.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/traced_process.h"
#include "crash/crash.h"
#include "crash/tree.h"

namespace pawl::crash {

class Bench;
struct Scenario;

// All that pawl tells about a workspace, and all that lies in it.
struct Observation {
  std::string words;                  // what `issue get` answers, issue by issue: "complete running"
  std::vector<std::string> files;     // the issues' files as they stood before pawl looked, with the times blanked
  std::string told;                   // every record, its file, and the log, with the times blanked
  std::set<std::string> names;        // the files, after one more command has had the chance to tidy up
  std::vector<std::string> problems;  // wrong in any state: a refusal, a crash, a complaint of the doctor
};

// As they stand, with the times blanked; "none" where there is none.
[[nodiscard]] Result<std::vector<std::string>> files_of(const Bench& bench, const std::vector<std::string>& issues);

// Looking changes the workspace.
[[nodiscard]] Result<Observation> observe(const Bench& bench, const std::vector<std::string>& issues);

struct References {
  std::vector<std::string> issues;
  Observation before;
  Observation after;
  std::optional<Observation> also_before;  // the other state in which the command has not happened, where there is one
  std::string answer;                      // what the command says when nobody interferes
  std::vector<std::set<std::string>> files;  // of each issue, whole forms of its file: other tools read it too
};

// Is this the name of a file that a workspace may have?
[[nodiscard]] bool knows_name(const References& known, const std::string& name);

enum class State { before, after, neither };

struct Finding {
  State state = State::neither;
  std::vector<std::string> problems;
};

// A workspace that has been seen, byte for byte, is not looked at again: before the first write they are all the same.
// Looking changes the workspace.
class Judge {
 public:
  Judge(const Bench& bench, const Scenario& scenario) : bench_(bench), scenario_(scenario) {}

  // At the bench's workspace as it is.
  [[nodiscard]] Result<Finding> look();
  // At this one, which is put there.
  [[nodiscard]] Result<Finding> look_at(const Tree& tree);

 private:
  [[nodiscard]] Result<Finding> examine();

  const Bench& bench_;
  const Scenario& scenario_;
  std::map<std::uint64_t, Finding> seen_;
};

// Counts a point, with what was found there and what is wrong with it, if anything.
void count(Tally& tally, const Finding& found, const std::string& point, const std::string& where);

// How a command that something was done to may end: killed, when that was us; refused; or with the answer that it
// always gives.
[[nodiscard]] std::vector<std::string> problems_of_end(const TracedExit& end, bool killed, const std::string& answer);

// The same for the command of a scenario, with what was found after it: exit 0 was an acknowledgement.
void weigh_end(Finding& found, const TracedExit& end, bool killed, const References& known);

}  // namespace pawl::crash
