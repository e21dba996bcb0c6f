// A settings file with a mistake in it: which one, where, and what to write instead, in words for whoever wrote it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/binary.h"

namespace pawl::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Wrong {
  std::string file, said;
};

TEST(SettingsWords, NearestSectionAndKeyOfPawlToml) {
  const TempWorkspace ws;
  const std::vector<Wrong> cases = {
      {"[stroy]\ngates = \"record\"\n",
       "pawl: pawl.toml, line 1: there is no section [stroy]\n  did you mean [story]?\n"},
      {"\nstroy.gates = \"record\"\n",
       "pawl: pawl.toml, line 2: there is no section [stroy]\n  did you mean [story]?\n"},
      {"[story]\ngatez = \"record\"\n",
       "pawl: pawl.toml, line 2: there is no setting “story.gatez”\n  did you mean story.gates?\n"},
      {"[story.gate]\nx = 1\n",
       "pawl: pawl.toml, line 1: there is no section [story.gate]\n  did you mean gates, below [story]?\n"},
      {"[issue.sub]\nx = 1\n", "pawl: pawl.toml, line 1: there is no section [issue.sub]\n  did you mean [issue]?\n"},
      {"[story]\nbase_dir = \"x\"\n",
       "pawl: pawl.toml, line 2: there is no setting “story.base_dir”\n  did you mean base_dir, below [issue]?\n"},
      {"[story]\nbusy_timeout = \"1s\"\n",
       "pawl: pawl.toml, line 2: there is no setting “story.busy_timeout”\n"
       "  did you mean busy_timeout, above all sections?\n"},
      {"[zzzzzz]\n",
       "pawl: pawl.toml, line 1: there is no section [zzzzzz]\n"
       "  a section can be [github], [issue], [loop], [pr], [story] or [agent]\n"},
      {"[loop]\nzzzzzz = 1\n",
       "pawl: pawl.toml, line 2: there is no setting “loop.zzzzzz”\n  in [loop] there can be state_dir\n"},
      {"loop = 3\n",
       "pawl: pawl.toml, line 1: there is no setting “loop”\n  that is a section: [loop], and below it state_dir\n"},
  };
  for (const Wrong& one : cases) {
    ws.write("pawl.toml", one.file);
    const Ran ran = ws.run({"status"});
    EXPECT_EQ(ran.exit, 2) << one.file;
    EXPECT_EQ(ran.err, one.said);
  }
}

TEST(SettingsWords, WhatIsNoTomlIsExplained) {
  const TempWorkspace ws;
  const std::vector<Wrong> cases = {
      {"[story\n", "line 1, column 7: a section is a line of its own: [name]"},
      {"gates = record\n", "line 1, column 9: behind = stands a text in quotes, a number"},
      {"gates = = 3\n", "line 1, column 9: behind = stands"},
      {"[story]\ngates = \"rec\n", "line 2, column 13: a text in quotes must end on its line"},
      {"[story]\ngates = \"record\"\ngates = \"record\"\n", "line 3, column 9: this name is there already"},
      {"gates\n", "line 1, column 6: a setting is written name = value"},
      {"[issue]\nagent = [\"a\" \"b\"]\n", "line 2, column 14: a list is written [\"one\", \"two\"]"},
      {"[story]\n\xff = 1\n", "line 2: there are bytes in it that are not UTF-8"},
  };
  for (const Wrong& one : cases) {
    ws.write("pawl.toml", one.file);
    const Ran ran = ws.run({"status"});
    EXPECT_EQ(ran.exit, 2) << one.file;
    EXPECT_THAT(ran.err, StartsWith("pawl: pawl.toml, " + one.said));
    EXPECT_THAT(ran.err, Not(HasSubstr("Error while"))) << "the parser speaks";
  }
}

TEST(SettingsWords, WhatIsNoYamlIsExplained) {
  const TempWorkspace ws;
  const std::vector<Wrong> cases = {
      {"agent: [1\nb: 2", "line 2, column 2: a list that begins with [ has no ]"},
      {"a: b: c\n", "line 1, column 5: a line is not indented like those beside it, or a text with “: ”"},
      {"a:\n\t- b\n", "line 2, column 2: an item of a list is a line of its own, indented with blanks"},
      {"{a: 1\n", "line 2, column 1: what begins with { has no }"},
      {"agent: *x\n", "line 1, column 8: a name behind * was given to nothing"},
  };
  for (const Wrong& one : cases) {
    ws.write(".pi-runner.yaml", one.file);
    const Ran ran = ws.run({"init"});
    EXPECT_NE(ran.exit, 0) << one.file;
    EXPECT_THAT(ran.err, StartsWith("pawl: .pi-runner.yaml: " + one.said));
    EXPECT_FALSE(ws.exists(".pawl"));
  }
}

// What pawl hands to a story's checks is no setting somebody mistyped.
TEST(SettingsWords, VariablesThatPawlHandsOutAreItsOwn) {
  const TempWorkspace ws;
  RunOptions check;
  check.env = {"PAWL_STORY_ID=US-1", "PAWL_STORY=US-1", "PAWL_ISSUE=7"};
  EXPECT_THAT(ws.run({"settings"}, check).out, Not(HasSubstr("sets nothing")));
  EXPECT_THAT(ws.run({"doctor"}, check).out, Not(HasSubstr("sets nothing")));
}

}  // namespace
}  // namespace pawl::test
