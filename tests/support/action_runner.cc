#include "support/action_runner.h"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>

#include "base/text.h"

namespace pawl::test {
namespace {

// "name=value" lines, as the runner reads them; the long form is not used.
void read_outputs(const std::string& text, const std::string& prefix, std::map<std::string, std::string>& into) {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t equals = line.find('=');
    if (line.empty()) continue;
    if (equals == std::string_view::npos) {
      ADD_FAILURE() << "not an output: " << line;
      continue;
    }
    into[prefix + std::string(line.substr(0, equals))] = std::string(line.substr(equals + 1));
  }
}

}  // namespace

ActionRunner::ActionRunner(std::string action) : action_(std::move(action)) {
  std::filesystem::create_directories(temp());
}

std::string ActionRunner::evaluated(std::string text) const {
  for (std::size_t at = 0; (at = text.find("${{", at)) != std::string::npos;) {
    const std::size_t end = text.find("}}", at);
    const std::string name(trim(std::string_view(text).substr(at + 3, end - at - 3)));
    std::string value;
    if (name.starts_with("inputs.")) {
      const auto found = inputs.find(name.substr(7));
      if (found == inputs.end()) ADD_FAILURE() << "no such input: " << name;
      if (found != inputs.end()) value = found->second;
    } else if (name.starts_with("steps.")) {
      const auto found = step_outputs_.find(name);  // an output that was not set is empty
      if (found != step_outputs_.end()) value = found->second;
    } else if (name == "runner.temp") {
      value = temp();
    } else {
      const auto found = context.find(name);
      if (found == context.end()) ADD_FAILURE() << "not known here: " << name;
      if (found != context.end()) value = found->second;
    }
    text.replace(at, end + 2 - at, value);
    at += value.size();
  }
  return text;
}

Ran ActionRunner::run() {
  const YAML::Node action = YAML::LoadFile(action_ + "/action.yml");
  for (const auto& input : action["inputs"]) {
    const auto name = input.first.as<std::string>();
    const bool required = input.second["required"].as<bool>(false);
    EXPECT_TRUE(!required || inputs.contains(name)) << name << " is required";
    if (!inputs.contains(name)) inputs[name] = evaluated(input.second["default"].as<std::string>(""));
  }
  for (const char* file : {"summary", "path", "env", "output"}) files_.write(file, "");
  Ran all;
  for (const YAML::Node& step : action["runs"]["steps"]) {
    EXPECT_EQ(step["shell"].as<std::string>(""), "bash");
    files_.write("step.sh", evaluated(step["run"].as<std::string>()));
    files_.write("output", "");
    RunOptions options;
    options.cwd = step["working-directory"] ? evaluated(step["working-directory"].as<std::string>()) : checkout();
    options.env = {"GITHUB_ACTIONS=true",
                   "CI=true",
                   "RUNNER_TEMP=" + temp(),
                   "GITHUB_WORKSPACE=" + checkout(),
                   "GITHUB_ACTION_PATH=" + action_,
                   "GITHUB_OUTPUT=" + files_.file("output"),
                   "GITHUB_STEP_SUMMARY=" + files_.file("summary"),
                   "GITHUB_PATH=" + files_.file("path"),
                   "GITHUB_ENV=" + files_.file("env"),
                   "HOME=" + place_.home()};
    options.env.insert(options.env.end(), env.begin(), env.end());
    for (const auto& variable : step["env"])
      options.env.push_back(variable.first.as<std::string>() + "=" + evaluated(variable.second.as<std::string>()));
    // As the runner's own `shell: bash` does.
    const Ran ran =
        run_program("bash", {"--noprofile", "--norc", "-e", "-o", "pipefail", files_.file("step.sh")}, options);
    all.exit = ran.exit;
    all.out += ran.out;
    all.err += ran.err;
    if (step["id"])
      read_outputs(files_.read("output").value_or(""), "steps." + step["id"].as<std::string>() + ".outputs.",
                   step_outputs_);
    if (ran.exit != 0) break;
  }
  for (const auto& output : action["outputs"])
    outputs_[output.first.as<std::string>()] = evaluated(output.second["value"].as<std::string>());
  return all;
}

}  // namespace pawl::test
