// Two lists with a story of one id: what takes any thing takes the file as well, shows no other in its place, and is
// advised so. Through the real binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/story_project.h"

namespace pawl::test {
namespace {

class TwoLists : public testing::Test {
 protected:
  TwoLists() {
    project.write(kPrd, R"({"stories": [{"id": "US-1", "title": "Log in", "status": "merged"},
 {"id": "US-3", "title": "Dark mode", "status": "pushed"}, {"id": "P", "title": "p", "status": "pending"}]})");
    project.write("data/prd.json", R"({"stories": [{"id": "US-1", "title": "Fix the release", "status": "pending"},
 {"id": "US-3", "title": "Test it", "status": "pending"}]})");
    project.must({"init"});
  }
  StoryProject project;
};

TEST_F(TwoLists, TakeTheFileWhereverAThingIsNamed) {
  for (const char* const ref : {"story/US-1", "US-1"}) {
    const Ran which = project.run({"show", ref});
    EXPECT_EQ(which.exit, 2) << which.out;
    EXPECT_TRUE(has(which.err, "--file FILE names the one that is meant")) << which.err;
    EXPECT_TRUE(has(project.out({"show", ref, "--file", "data/prd.json"}), "Fix the release"));
    EXPECT_TRUE(has(project.out({"show", ref, "--file", "prd.json"}), "Log in"));
    EXPECT_EQ(project.run({"log", ref}).exit, 2);
  }
  const Json log = project.json({"log", "US-1", "--file", "data/prd.json"});
  ASSERT_EQ(log.size(), 1U);
  ASSERT_EQ(log[0]["events"].size(), 1U) << log.dump();
  EXPECT_EQ(log[0]["events"][0]["scope"], "data/prd.json");
  project.must({"claim", "take", "US-1", "--file", "data/prd.json", "--worker", "w", "--lease", "1m"});
  EXPECT_TRUE(has(project.out({"show", "US-1", "--file", "data/prd.json"}), "held by w"));
  EXPECT_FALSE(has(project.out({"show", "US-1", "--file", "prd.json"}), "held by w"));
}

TEST_F(TwoLists, WhatIsInOneAloneNeedsNoFile) {
  EXPECT_TRUE(has(project.out({"show", "P"}), "in prd.json"));
  const Ran none = project.run({"show", "P", "--file", "data/prd.json"});
  EXPECT_EQ(none.exit, 3);
  EXPECT_TRUE(has(none.err, "there is no “P” in data/prd.json")) << none.err;
  // What is set aside is not asked about.
  std::filesystem::remove(project.file("data/prd.json"));
  project.must({"status"});
  EXPECT_TRUE(has(project.out({"show", "story/US-1"}), "Log in"));
}

TEST_F(TwoLists, AdviceNamesTheFile) {
  const Ran fix = project.run({"story", "fix", "US-3", "--file", "prd.json", "pending", "--reason", "r"});
  EXPECT_TRUE(has(fix.err, "pawl story reset US-3 --file prd.json --reason R")) << fix.err;
  project.must({"story", "reset", "US-3", "--file", "prd.json", "--reason", "r"});
}

TEST_F(TwoLists, WhatIsAdvisedOfAnEditAndOfALongHistoryNamesTheFileToo) {
  project.write("pawl.toml", "[story]\ngates = \"require\"\n");
  project.write("data/prd.json", replaced(project.read("data/prd.json").value_or(""), "\"pending\"", "\"committed\""));
  const Ran looked = project.run({"story", "list"});
  EXPECT_TRUE(has(looked.err, "pawl story move US-1 --file data/prd.json committed")) << looked.err;
  for (int i = 0; i < 6; ++i) {
    for (const char* const verb : {"pause", "retry"})
      project.must({"story", verb, "US-1", "--file", "data/prd.json", "--reason", "r"});
  }
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"story", "show", "US-1", "--file", "data/prd.json"},
        {"show", "US-1", "--file", "data/prd.json"}})
    EXPECT_TRUE(has(project.out(args), " more: pawl story log US-1 --file data/prd.json\n")) << project.out(args);
  EXPECT_TRUE(has(project.out({"story", "log", "US-1", "--file", "data/prd.json"}), "pause"));
}

}  // namespace
}  // namespace pawl::test
