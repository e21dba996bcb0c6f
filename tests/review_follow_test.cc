// `pawl review validate`: the head may go where it likes, forwards or over what was there.
#include <gtest/gtest.h>

#include "support/review_on_github.h"

namespace pawl::test {
namespace {

class ReviewFollowed : public ReviewOnGithub {
 protected:
  std::string git(std::vector<std::string> words, const std::string& input = {}) const {
    RunOptions options;
    options.input = input;
    options.env = {"GIT_INDEX_FILE=" + project.file("../index")};
    words.insert(words.begin(), {"-C", string_or(practice.control("GET", "/repos/o/r"), "git"), "-c", "user.name=a",
                                 "-c", "user.email=a@b"});
    const Ran ran = run_program("git", words, options);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return ran.out.substr(0, ran.out.find('\n'));
  }
  [[nodiscard]] std::string head() const { return git({"rev-parse", "topic"}); }
  // The pull request's branch becomes a commit on `parent` with these files in it.
  std::string rewrite(const std::string& parent, const std::map<std::string, std::string>& files) const {
    git({"read-tree", parent});
    for (const auto& [path, content] : files)
      git({"update-index", "--add", "--cacheinfo",
           "100644," + git({"hash-object", "-w", "--stdin"}, content) + "," + path});
    const std::string commit = git({"commit-tree", git({"write-tree"}), "-p", parent, "-m", "again"});
    git({"update-ref", "refs/heads/topic", commit});
    return commit;
  }
  void reviewed() const {
    json({"start", "o/r#1"});
    mark_all();
  }
  // The files of the chunks that following made.
  [[nodiscard]] Json again() const {
    Json files = Json::array();
    const Json made = json({"validate", "--update"})["updated"]["chunks"];
    for (const Json& chunk : made) {
      for (const Json& file : chunk["files"]) files.push_back(file);
    }
    return files;
  }
};

TEST_F(ReviewFollowed, ChoicesExcludeEachOther) {
  json({"start", "o/r#1"});
  push(1, {{"ui/form.c", "other\n"}});
  const std::string before = project.state_file();
  for (const std::vector<std::string>& two :
       {std::vector<std::string>{"--continue", "--restart"}, {"--restart", "--update"}, {"--update", "--continue"}}) {
    const Ran ran = run({"validate", two[0], two[1]});
    EXPECT_EQ(ran.exit, 2) << ran.err;
    EXPECT_TRUE(has(ran.err, "exclude each other")) << ran.err;
  }
  EXPECT_EQ(project.state_file(), before);
}

TEST_F(ReviewFollowed, AHeadInCapitalsIsTheSame) {
  const std::string head = string_or(practice.request("GET", "/repos/o/r/pulls/1").json()["head"], "sha");
  std::string capitals = head;
  for (char& c : capitals) c = static_cast<char>(toupper(c));
  json({"start", "o/r#1", "--head", capitals});
  EXPECT_EQ(json({"status"})["head_sha"], head);
  EXPECT_EQ(json({"validate"})["valid"], true);
}

TEST_F(ReviewFollowed, AHeadThatIsForgottenIsFollowedAllTheSame) {
  json({"start", "o/r#1", "--head", "feedfacefeedfacefeedfacefeedfacefeedface"});
  mark_all();
  add("core/engine.c", 42, "minor", "on a line");
  add("core/engine.c", 1, "minor", "on two", {"--end-line", "2"});
  const Ran ran = run({"validate", "--update", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "does not know feedface")) << ran.err;
  const Json updated = Json::parse(ran.out)["updated"];
  EXPECT_EQ(updated["outdated"], 2) << updated;
  EXPECT_EQ(updated["chunks"].size(), 3U) << updated;
  EXPECT_EQ(json({"finding", "show", "2"})["end_line"], 2);
  EXPECT_EQ(json({"validate"})["valid"], true);
}

// A finding either goes with its lines, all of it, or is marked and otherwise left as it is.
TEST_F(ReviewFollowed, AFindingIsNotHalfMoved) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "torn apart", {"--end-line", "44"});
  add("core/engine.c", 50, "minor", "whole", {"--end-line", "52"});
  push(1, {{"core/engine.c", "top\n" + lines(1, 42, "engine") + "between\n" + lines(43, 400, "engine")}});
  json({"validate", "--update"});
  const Json torn = json({"finding", "show", "1"}), whole = json({"finding", "show", "2"});
  EXPECT_EQ(torn["outdated"], true);
  EXPECT_EQ(torn["line"], 42);
  EXPECT_EQ(torn["end_line"], 44);
  EXPECT_EQ(whole["line"], 52);
  EXPECT_EQ(whole["end_line"], 54);
  // Nor does the next head move what had no place in the one before.
  push(1, {{"core/engine.c", "one\ntwo\n" + lines(1, 400, "engine")}});
  json({"validate", "--update"});
  EXPECT_EQ(json({"finding", "show", "1"})["line"], 42);
  EXPECT_EQ(json({"finding", "show", "2"})["line"], 52);
}

TEST_F(ReviewFollowed, ALineThatWasChangedInPlaceIsNotMoved) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "over three", {"--end-line", "44", "--suggestion", "engine"});
  push(1, {{"core/engine.c", lines(1, 42, "engine") + "engine forty-three\n" + lines(44, 400, "engine")}});
  json({"validate", "--update"});
  EXPECT_EQ(json({"finding", "show", "1"})["outdated"], true);
}

TEST_F(ReviewFollowed, ABranchThatWasRebased) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "stays", {"--end-line", "44"});
  add("core/engine.c", 300, "minor", "changed in the middle", {"--end-line", "302"});
  add("core/engine.h", 1, "minor", "untouched");
  mark_all();
  // Another commit instead of the first, with one line more on top: the old head is no ancestor.
  const std::string commit =
      rewrite("main", {{"core/engine.c", "top\n" + lines(1, 300, "engine") + "other\n" + lines(302, 400, "engine")},
                       {"core/engine.h", "int b;\n"},
                       {"ui/form.c", lines(1, 200, "form")},
                       {"tests/engine_test.c", lines(1, 60, "test")}});
  const Json followed = json({"validate", "--update"});
  EXPECT_EQ(string_or(followed, "current_sha"), commit);
  ASSERT_EQ(followed["updated"]["chunks"].size(), 1U) << followed;
  EXPECT_EQ(followed["updated"]["chunks"][0]["files"], Json{"core/engine.c"});
  const Json stays = json({"finding", "show", "1"});
  EXPECT_EQ(stays["line"], 43) << stays;
  EXPECT_EQ(stays["end_line"], 45) << stays;
  EXPECT_FALSE(stays.contains("outdated"));
  EXPECT_EQ(json({"finding", "show", "2"})["outdated"], true);
  EXPECT_EQ(json({"finding", "show", "3"})["line"], 1);
}

// The last commit is made again without its change to one file, which is what it was before that: nobody saw it so.
TEST_F(ReviewFollowed, AFileWhoseChangeWasTakenBackIsLookedAtAgain) {
  const std::string first = head();
  push(1, {{"ui/form.c", "second\n"}, {"core/engine.h", "int c;\n"}});
  reviewed();
  rewrite(first, {{"core/engine.h", "int c;\n"}});
  EXPECT_EQ(again(), Json{"ui/form.c"});
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "COMMENT");
}

TEST_F(ReviewFollowed, ABinaryFileThatWasRewrittenIsLookedAtAgain) {
  const std::string first = head();
  rewrite(first, {{"a.bin", std::string("\0one", 4)}, {"b.bin", std::string("\0two", 4)}});
  reviewed();
  rewrite(first, {{"a.bin", std::string("\0ONE", 4)}, {"b.bin", std::string("\0two", 4)}, {"new.c", "x\n"}});
  EXPECT_EQ(again(), (Json{"a.bin", "new.c"}));
}

}  // namespace
}  // namespace pawl::test
