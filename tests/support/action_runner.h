// A composite action as GitHub's runner runs it: the steps of the real action.yml, each a script that bash is given,
// with the files by which steps speak to the runner. Only the expressions that action.yml uses are known; another one
// fails the test.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/binary.h"

namespace pawl::test {

class ActionRunner {
 public:
  explicit ActionRunner(std::string action);  // the folder that has action.yml

  std::map<std::string, std::string> inputs;   // over the defaults
  std::map<std::string, std::string> context;  // "github.token", …
  std::vector<std::string> env;                // of the job

  // Runs all steps up to the first that fails; what that one, or the last, has done. `out` and `err` are of all.
  Ran run();

  [[nodiscard]] std::map<std::string, std::string> outputs() const { return outputs_; }
  [[nodiscard]] std::string summary() const { return files_.read("summary").value_or(""); }
  [[nodiscard]] std::string path_file() const { return files_.read("path").value_or(""); }
  // As on GitHub's machines, in no git repository; the checkout is one.
  [[nodiscard]] std::string temp() const { return place_.home() + "/runner/_temp"; }
  [[nodiscard]] std::string checkout() const { return place_.path(); }
  [[nodiscard]] const TempWorkspace& place() const { return place_; }

 private:
  [[nodiscard]] std::string evaluated(std::string text) const;

  std::string action_;
  TempWorkspace place_;                              // the checkout
  TempWorkspace files_;                              // by which steps speak to the runner
  std::map<std::string, std::string> step_outputs_;  // "steps.run.outputs.x"
  std::map<std::string, std::string> outputs_;
};

}  // namespace pawl::test
