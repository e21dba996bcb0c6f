// A pull request on the stand-in for GitHub, and the bot that works on it: each run on a machine of its own unless told
// otherwise, woken by the event that the stand-in tells of last.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/practice.h"

namespace pawl::test {

using Ids = std::vector<std::string>;

inline const std::string kKey(64, 'k');  // as PAWL_BLOCK_KEY
// A review with one finding, on a line of the diff, that keeps from merging.
inline constexpr const char* kBlocking = R"({"findings": [
  {"path": "a.txt", "line": 2, "finding": "2 is not two", "assessment": "Write two.", "score": 7}]})";

[[nodiscard]] std::string question_id(const Json& comment);  // of the task that it is
[[nodiscard]] std::string id_of(const Json& comment, const char* prefix);
[[nodiscard]] std::string with(const std::string& text, const std::string& type, const Json& data);  // a block
[[nodiscard]] Json result_of(const Ran& ran);

class PrStage {
 public:
  // `pull`: members of the seed's pull request, laid over an ordinary one.
  explicit PrStage(const Json& pull = Json::object(), const Json& world = Json::object());

  Practice practice;

  // --- what people do; the last one is the event of the next run ---
  Json comment(const std::string& author, const std::string& body);  // the comment
  void push(const Json& files = Json::object(), bool force = false);
  void push_back_to(const std::string& sha);                                      // by force
  Json thread(const std::string& author, const std::string& body, int line = 2);  // its first comment
  Json reply(const Json& to, const std::string& author, const std::string& body);
  Json review(const std::string& author, const std::string& body);  // as GitHub shows it
  void edit_review(const Json& review, const std::string& body, const std::string& token);
  void ready(bool is = true);  // a draft no more; false: one again
  void edit(const Json& comment, const std::string& body, const std::string& token = {});
  void remove(const Json& comment);
  void opened();                                             // the event of a pull request that was opened
  void event(const std::string& name, const Json& payload);  // any other

  // --- the bot ---
  void answers(const std::string& type, const std::string& text);  // what the agent prints for this type of task
  void agent(const std::string& script);                           // another agent: a shell's commands
  [[nodiscard]] std::string agent_command() const { return "exec " + place_.file("agent"); }
  std::vector<std::string> env;  // more of it, for every run
  std::string token = "practice";
  [[nodiscard]] RunOptions options(const TempWorkspace& machine, bool with_event = true) const;
  Ran run(std::vector<std::string> more = {});  // on a fresh machine
  Ran run_on(const TempWorkspace& machine, std::vector<std::string> more = {});
  Ran pawl(const TempWorkspace& machine, const std::vector<std::string>& words, const std::string& input = {});
  [[nodiscard]] Json plan();  // what a fresh machine finds pending
  [[nodiscard]] Json state();
  [[nodiscard]] std::vector<std::string> pending();  // ids of the plan's tasks
  std::vector<std::string> asked();                  // the agent's tasks so far, in order; forgets them

  // --- what is there now ---
  [[nodiscard]] Json comments() const;                                    // of the conversation
  [[nodiscard]] Json review_comments() const;                             // in threads
  [[nodiscard]] std::vector<Json> blocks(const std::string& type) const;  // of the bot's comments of both kinds
  [[nodiscard]] std::string head() const;

 private:
  TempWorkspace place_;  // the agent, its answers, the event
};

// An agent's answer with one finding, always the same but for its score.
[[nodiscard]] std::string scored(int score);

}  // namespace pawl::test
