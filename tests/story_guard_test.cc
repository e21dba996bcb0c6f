// Ways by which a status could slip into prd.json without a move: a new name for the list, a newcomer, a commit.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/story_project.h"

namespace pawl::test {
namespace {

class StoryGuard : public testing::Test {
 protected:
  [[nodiscard]] Ran look() const { return project.run({"story", "list"}); }
  void rewrite(const Json& root) const { project.write(kPrd, root.dump(2) + "\n"); }
  [[nodiscard]] Json root() const { return Json::parse(project.prd()); }
  [[nodiscard]] bool held(const std::string& id) const { return project.json({"story", "show", id}).contains("held"); }
  StoryProject project;
};

TEST_F(StoryGuard, ListWithAnotherNameIsTheSameList) {
  project.stories({StoryProject::story("A"), StoryProject::story("B"), StoryProject::story("C", "merged")});
  Json renamed = root();
  renamed["project"] = "Another";
  renamed["stories"][0]["status"] = "merged";
  renamed["stories"][2]["status"] = "pending";
  rewrite(renamed);
  const Ran seen = look();
  EXPECT_FALSE(has(seen.err, "another one's")) << seen.err;
  EXPECT_TRUE(has(seen.err, "was put back")) << seen.err;
  EXPECT_EQ(project.status("A"), "pending");
  EXPECT_EQ(project.status("C"), "merged");
  EXPECT_EQ(project.in_file("A"), "pending");
  EXPECT_EQ(root()["project"], "Another") << "the rest is taken over";
}

TEST_F(StoryGuard, NextProjectsStoriesBeginAsPendingOrAreHeld) {
  project.stories({StoryProject::story("A"), StoryProject::story("B"), StoryProject::story("C")});
  Json next = root();
  next["project"] = "Next";
  for (int i = 0; i < 3; ++i) next["stories"][i]["title"] = "Other " + std::to_string(i);
  next["stories"][1]["status"] = "merged";
  next["stories"][2]["title"] = "Title of C";  // the same story still
  next["stories"][2]["status"] = "pushed";
  rewrite(next);
  const Ran seen = look();
  EXPECT_TRUE(has(seen.err, "another one's")) << seen.err;
  EXPECT_EQ(project.status("A"), "pending");
  EXPECT_TRUE(held("B")) << seen.err;
  EXPECT_EQ(project.status("C"), "pending");
  EXPECT_EQ(project.in_file("C"), "pending");
}

TEST_F(StoryGuard, NewcomerComesInAsPendingOnly) {
  project.stories({StoryProject::story("A")});
  Json more = root();
  more["stories"].push_back(StoryProject::story("P"));
  more["stories"].push_back(StoryProject::story("M", "merged"));
  more["stories"].push_back(StoryProject::story("U", "pushed", 0, {{"lastActivityBy", "reviewer"}}));
  more["stories"].push_back({{"id", "X"}, {"title", "x"}, {"passes", true}});
  rewrite(more);
  const std::string written = project.prd();
  const Ran seen = look();
  EXPECT_TRUE(has(seen.err, "story/U came into its file as “pushed”, and nobody has seen it become that")) << seen.err;
  EXPECT_TRUE(has(seen.err, "pawl accept prd.json")) << seen.err;
  EXPECT_EQ(project.status("P"), "pending");
  for (const char* id : {"M", "U", "X"}) EXPECT_TRUE(held(id)) << id;
  EXPECT_EQ(project.next(), "A") << "nobody picks what is held";
  EXPECT_EQ(project.prd(), written) << "the words that it came with stay";
  EXPECT_EQ(look().err, "") << "said once";
  EXPECT_TRUE(has(project.out({"status"}), "story fix U STATUS")) << project.out({"status"});
  EXPECT_EQ(project.run({"story", "move", "U", "merged"}).exit, 1);
  project.must({"story", "fix", "U", "pushed", "--reason", "it was open already"});
  EXPECT_EQ(project.status("U"), "pushed");
  EXPECT_FALSE(held("U"));
  project.must({"accept", "prd.json"});  // the rest, by a person's word
  EXPECT_EQ(project.status("M"), "merged");
  EXPECT_EQ(project.status("X"), "passed");
  EXPECT_EQ(project.prd(), written);
}

TEST_F(StoryGuard, ListThatComesLaterIsNotBelievedEither) {
  project.stories({StoryProject::story("A")});
  project.write(".omc/prd.json", R"({"stories":[{"id":"Z","status":"pushed"}]})");
  EXPECT_TRUE(has(look().err, "story/Z came into its file as “pushed”"));
  EXPECT_TRUE(held("Z"));
}

TEST_F(StoryGuard, RemovedAndWrittenAgainUnderAnotherTitleIsANewcomer) {
  project.stories({StoryProject::story("A")});
  const std::string before = project.prd();
  std::filesystem::remove(project.file(kPrd));
  static_cast<void>(look());
  project.write(kPrd, replaced(replaced(before, "Title of A", "Another title"), "\"pending\"", "\"merged\""));
  static_cast<void>(look());
  EXPECT_TRUE(held("A"));
}

TEST_F(StoryGuard, FirstAdoptionTakesStatusesAsTheyAre) {
  project.stories({StoryProject::story("A", "merged"), StoryProject::story("B", "pushed")});
  EXPECT_EQ(project.status("A"), "merged");
  EXPECT_EQ(project.status("B"), "pushed");
}

TEST_F(StoryGuard, HookTellsAnAgentThatANewOneBeginsAsPending) {
  project.stories({StoryProject::story("A")});
  Json more = root();
  more["stories"].push_back(StoryProject::story("M", "merged"));
  RunOptions options;
  options.input = Json{{"hook_event_name", "PreToolUse"},
                       {"session_id", "s"},
                       {"tool_name", "Write"},
                       {"tool_input", {{"file_path", project.file(kPrd)}, {"content", more.dump(2)}}}}
                      .dump();
  const std::string denied = project.run({"hook", "claude"}, options).out;
  EXPECT_TRUE(has(denied, "deny") && has(denied, "cannot come in as “merged”") && has(denied, "pending")) << denied;
}

// A commit takes the file from the worktree: what stands there was written by somebody, not by git.
TEST_F(StoryGuard, EditThatWasCommittedIsStillAnEdit) {
  project.start_git();
  project.stories({StoryProject::story("A")});
  project.commit_all("one");
  project.edit_prd("\"status\": \"pending\"", "\"status\": \"merged\"");
  project.commit_all("an agent's");
  const Ran seen = look();
  EXPECT_FALSE(has(seen.err, "changed by git")) << seen.err;
  EXPECT_TRUE(has(seen.err, "“pending” was put back")) << seen.err;
  EXPECT_EQ(project.in_file("A"), "pending");
}

TEST_F(StoryGuard, StatusTellsWhatIsWrongWithAnId) {
  project.write(kPrd, R"({"stories": [{"id": "A", "title": "one"}, {"title": "two"}, {"id": "A", "title": "three"}]})");
  static_cast<void>(project.run({"init"}));
  const std::string board = project.out({"status"});
  EXPECT_FALSE(has(board, "“(no id)”")) << board;
  EXPECT_TRUE(has(board, "it has no id") && has(board, "give it an id of its own in prd.json")) << board;
}

// The same project's stories under the same ids: other titles are no way back.
TEST_F(StoryGuard, OtherTitlesTakeNoStatusBack) {
  project.stories({StoryProject::story("A", "merged"), StoryProject::story("B", "pushed"), StoryProject::story("C")});
  Json retitled = root();
  for (Json& story : retitled["stories"]) {
    story["title"] = "feat: " + string_or(story, "title");
    story["status"] = "pending";
  }
  rewrite(retitled);
  const Ran seen = look();
  EXPECT_TRUE(has(seen.err, "was put back")) << seen.err;
  EXPECT_EQ(project.status("A"), "merged");
  EXPECT_EQ(project.status("B"), "pushed");
  EXPECT_EQ(project.in_file("A"), "merged");
  EXPECT_EQ(string_or(project.json({"story", "show", "A"}), "title"), "feat: Title of A")
      << "the titles are taken over";
  EXPECT_FALSE(held("C"));
}

TEST_F(StoryGuard, StatusInPlaceOfPassesIsPutBackAndSaid) {
  project.write(kPrd, R"({"userStories": [{"id": "P", "title": "one", "passes": false}]})");
  project.write("pawl.toml", "gates = \"require\"\n");
  project.must({"init"});
  const std::string before = project.prd();
  project.edit_prd("\"passes\": false", "\"status\": \"merged\"");
  const Ran seen = look();
  EXPECT_TRUE(has(seen.err, "“passes” is true or false, not “merged”")) << seen.err;
  EXPECT_EQ(project.status("P"), "pending");
  EXPECT_EQ(project.in_file("P"), "false");
  EXPECT_EQ(Json::parse(project.prd()), Json::parse(before));
}

TEST_F(StoryGuard, LostTokenIsSaidBeforeAnythingElse) {
  project.stories({StoryProject::story("A"), StoryProject::story("B", "done")});
  const auto with_token = [&](std::vector<std::string> args) {
    args.insert(args.end(), {"--token", "999"});
    return project.run(args).exit;
  };
  EXPECT_EQ(with_token({"story", "move", "A", "committed"}), 4);
  EXPECT_EQ(with_token({"story", "move", "A", "merged"}), 4);
  EXPECT_EQ(with_token({"story", "activity", "A", "bot"}), 4);
  EXPECT_EQ(with_token({"story", "reset", "A", "--reason", "r"}), 4);
  EXPECT_EQ(with_token({"story", "fix", "A", "merged", "--reason", "r"}), 4);
  EXPECT_EQ(with_token({"story", "pause", "A"}), 4);
}

}  // namespace
}  // namespace pawl::test
