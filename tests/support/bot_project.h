// A project whose stories a bot carries: a real repository with a real remote, the stand-in for GitHub behind it, and
// an agent that is a small shell script.
#pragma once

#include <string>
#include <vector>

#include "support/practice.h"
#include "support/story_project.h"

namespace pawl::test {

class BotProject : public StoryProject {
 public:
  // `more`: members of the repository o/r of the seed, and `organizations`; ann may write, mallory is nobody.
  explicit BotProject(const Json& more = Json::object());

  // pawl.toml with the agent and a check for the criterion "works"; trusted. `more`: lines under [story].
  void settings(const std::string& more = {}, const std::string& checks = "\"works\" = [\"sh\", \"check.sh\"]\n") const;
  // What the agent does; it finds PAWL_STORY, PAWL_TASK, PAWL_TASK_FILE and PAWL_REPLY_FILE.
  void agent(const std::string& script) const;
  void trust() const;
  // A story whose one criterion is "works".
  [[nodiscard]] static Json story(const std::string& id, int priority = 1, const Json& more = Json::object());

  [[nodiscard]] RunOptions with_github() const;
  [[nodiscard]] Ran pawl(const std::vector<std::string>& args) const;
  // `story run --until-idle`, which must end well; what it told.
  std::string carry(const std::vector<std::string>& how = {"--until-idle"}) const;

  // As GitHub has it.
  [[nodiscard]] Json pulls() const;                          // all of them, oldest first
  [[nodiscard]] Json pull(const std::string& branch) const;  // null: none
  [[nodiscard]] int pull_number(const std::string& branch) const;
  [[nodiscard]] Json comments(int pull) const;
  void review(int pull, const std::string& state, const std::string& body = {}, const std::string& by = "ann") const;
  void comment(int pull, const std::string& body, const std::string& by = "ann") const;
  void close(int pull) const;
  // Subjects of the commits that the remote's branch has on top of main, newest first.
  [[nodiscard]] std::vector<std::string> commits(const std::string& branch) const;
  [[nodiscard]] std::string on_remote(const std::string& branch, const std::string& file) const;
  [[nodiscard]] std::string remote() const { return practice_.folder() + "/o/r.git"; }
  [[nodiscard]] const Practice& practice() const { return practice_; }
  [[nodiscard]] std::string not_picked(const std::string& id) const;

 private:
  Practice practice_;
};

}  // namespace pawl::test
