#include "commands/init_begin.h"

#include <algorithm>
#include <array>

#include "base/process.h"
#include "base/text.h"
#include "engine/asking_git.h"
#include "engine/engine.h"

namespace pawl {
namespace {

struct Agent {
  std::string_view program;
  std::string_view in_loop;   // gets the prompt on stdin unless {prompt} is in its command
  std::string_view on_issue;  // runs in a terminal, where nothing comes on stdin
};
// The first one that is installed. Each may change files: one that asks for permission would wait for nobody.
constexpr std::array kAgents = {
    Agent{"claude", "claude -p --permission-mode acceptEdits", "claude -p --permission-mode acceptEdits '{prompt}'"},
    Agent{"opencode", "opencode run '{prompt}'", "opencode run '{prompt}'"},
    Agent{"pi", "pi -p '{prompt}'", "pi -p '{prompt}'"},
};

struct Way {
  std::string_view begins;
  std::string_view meaning;
};
constexpr Way kStory{"story", "a list of stories that agents work through, in prd.json"};
constexpr Way kLoop{"loop", "a loop: the same prompt again until the agent is done, here 5 times at most"};
constexpr Way kIssue{"issue", "an issue run: an agent in a worktree and a tmux session of its own"};

struct Need {
  std::string_view name;
  std::string_view text;
};
constexpr std::array kNeeds = {
    Need{"git", "a git repository"},
    Need{"agent", "an agent in PATH (claude, opencode or pi)"},
    Need{"tmux", "tmux in PATH"},
};

bool has_commit(const std::string& folder) {
  const auto asked = ask_git_warily(folder, {"rev-parse", "--verify", "--quiet", "HEAD"});
  return asked && asked->exit_code == 0;
}

Json way(const Way& one, Json commands, Json needs) {
  if (!needs.empty()) commands = Json::array();
  return Json{{"begins", one.begins}, {"commands", std::move(commands)}, {"needs", std::move(needs)}};
}

}  // namespace

Json ways_to_begin(const Engine& engine) {
  const auto* const agent = std::find_if(kAgents.begin(), kAgents.end(),
                                         [](const Agent& one) { return is_in_path(std::string(one.program)); });
  const bool has_agent = agent != kAgents.end();
  Json out = Json::array();
  out.push_back(
      way(kStory, {"pawl story add US-1 --title 'My first story' --criterion 'the tests pass'"}, Json::array()));

  Json needs = Json::array();
  if (!has_agent) needs.push_back("agent");
  out.push_back(way(kLoop,
                    {cat("pawl ralph run --max 5 --prompt 'make the tests pass' -- ",
                         has_agent ? agent->in_loop : std::string_view())},
                    needs));

  if (engine.workspace().git_dir.empty()) needs.push_back("git");
  if (!is_in_path("tmux")) needs.push_back("tmux");
  Json commands = Json::array();
  // A worktree's branch begins at a commit.
  if (needs.empty() && !has_commit(engine.workspace().root))
    commands.push_back("git commit --allow-empty -m 'First commit'");
  commands.push_back(
      cat("pawl issue run 1 --title 'My first issue' -- ", has_agent ? agent->on_issue : std::string_view()));
  out.push_back(way(kIssue, std::move(commands), std::move(needs)));
  return out;
}

std::string text_of_ways_to_begin(const Json& ways) {
  std::string out = "There is no work here yet. Begin with one of these:\n";
  for (const Json& one : ways) {
    const std::string begins = string_or(one, "begins");
    const Way& named = begins == kStory.begins ? kStory : begins == kLoop.begins ? kLoop : kIssue;
    out += cat("  ", named.meaning, "\n");
    std::vector<std::string> needs;
    for (const Need& need : kNeeds) {
      const Json& names = one["needs"];
      if (std::find(names.begin(), names.end(), need.name) != names.end()) needs.emplace_back(need.text);
    }
    for (std::size_t i = 0; i < needs.size(); ++i)
      out += cat(i == 0 ? "    needs " : i + 1 < needs.size() ? ", " : " and ", needs[i]);
    if (!needs.empty()) out += "\n";
    for (const Json& command : one["commands"]) out += cat("    ", command.get<std::string>(), "\n");
  }
  return out;
}

}  // namespace pawl
