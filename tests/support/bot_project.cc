#include "support/bot_project.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::test {
namespace {

Json seed_with(const Json& more) {
  Json repository{{"owner", "o"},
                  {"name", "r"},
                  {"files", {{"README.md", "a project\n"}, {"check.sh", "test -f \"$PAWL_STORY.txt\"\n"}}},
                  {"collaborators", {{"ann", "write"}, {"bob", "write"}}}};
  Json world{{"login", "robot"}};
  for (const auto& [key, value] : more.items()) {
    if (key == "organizations") {
      world[key] = value;
    } else {
      repository[key] = value;
    }
  }
  world["repositories"] = Json::array({repository});
  return world;
}

}  // namespace

BotProject::BotProject(const Json& more) : practice_(seed_with(more), Practice::Door::port) {
  start_git();
  git({"config", "url." + remote() + ".insteadOf", "git@github.com:o/r.git"});
  git({"remote", "add", "origin", "git@github.com:o/r.git"});
  git({"fetch", "--quiet", "origin"});
  git({"checkout", "--quiet", "-B", "main", "origin/main"});
  write(".git/info/exclude", "prd.json\npawl.toml\n.pawl\n.worktrees\n");
  agent("echo \"$PAWL_TASK\" >> \"$PAWL_STORY.txt\"\n");
  settings();
}

void BotProject::settings(const std::string& more, const std::string& checks) const {
  write("pawl.toml", "[agent]\ncommand = [\"sh\", \"" + home() +
                         "/agent.sh\"]\n[story]\nrecheck = \"0ms\"\npause = \"0ms\"\n" + more + "[story.checks]\n" +
                         checks);
  trust();
}

void BotProject::agent(const std::string& script) const { write_all(home() + "/agent.sh", "set -e\n" + script); }

void BotProject::trust() const { must({"trust"}); }

Json BotProject::story(const std::string& id, int priority, const Json& more) {
  Json out = StoryProject::story(id, "pending", priority, more);
  if (!more.contains("acceptanceCriteria")) out["acceptanceCriteria"] = Json::array({"works"});
  return out;
}

RunOptions BotProject::with_github() const {
  RunOptions run_options;
  run_options.env = {
      "GITHUB_API_URL=" + practice_.url(),  "GH_TOKEN=" + practice_.token(), "GIT_AUTHOR_NAME=robot",
      "GIT_AUTHOR_EMAIL=robot@example.com", "GIT_COMMITTER_NAME=robot",      "GIT_COMMITTER_EMAIL=robot@example.com"};
  return options(run_options);
}

Ran BotProject::pawl(const std::vector<std::string>& args) const { return run_pawl(args, with_github()); }

std::string BotProject::carry(const std::vector<std::string>& how) const {
  std::vector<std::string> args = {"story", "run"};
  args.insert(args.end(), how.begin(), how.end());
  const Ran ran = pawl(args);
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  return ran.out + ran.err;
}

Json BotProject::pulls() const {
  return practice_.request("GET", "/repos/o/r/pulls?state=all&direction=asc&per_page=100").json();
}

Json BotProject::pull(const std::string& branch) const {
  Json found;
  for (const Json& one : pulls()) {
    if (one["head"]["ref"] != branch) continue;
    EXPECT_TRUE(found.is_null()) << "two pull requests of " << branch;
    found = one;
  }
  return found;
}

int BotProject::pull_number(const std::string& branch) const {
  const Json found = pull(branch);
  return found.is_null() ? 0 : found["number"].get<int>();
}

Json BotProject::comments(int pull) const {
  return practice_.request("GET", cat("/repos/o/r/issues/", pull, "/comments")).json();
}

void BotProject::review(int pull, const std::string& state, const std::string& body, const std::string& by) const {
  practice_.control("POST", cat("/repos/o/r/pulls/", pull, "/reviews"),
                    {{"author", by}, {"state", state}, {"body", body}});
}

void BotProject::comment(int pull, const std::string& body, const std::string& by) const {
  practice_.control("POST", cat("/repos/o/r/pulls/", pull, "/comments"), {{"author", by}, {"body", body}});
}

void BotProject::close(int pull) const {
  EXPECT_EQ(practice_.request("PATCH", cat("/repos/o/r/pulls/", pull), {{"state", "closed"}}).status, 200);
}

std::vector<std::string> BotProject::commits(const std::string& branch) const {
  const Ran ran = run_program("git", {"-C", remote(), "log", "--no-merges", "--format=%s", branch, "--not", "main"});
  std::vector<std::string> out;
  for (const std::string_view line : split(ran.out, '\n')) {
    if (!line.empty()) out.emplace_back(line);
  }
  return out;
}

std::string BotProject::on_remote(const std::string& branch, const std::string& file) const {
  return run_program("git", {"-C", remote(), "show", branch + ":" + file}).out;
}

std::string BotProject::not_picked(const std::string& id) const {
  return string_or(json({"story", "show", id}), "not_picked");
}

}  // namespace pawl::test
