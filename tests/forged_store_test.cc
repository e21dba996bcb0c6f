// A store that came with a clone: whoever made it can write anything into its database.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>

#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class ForgedStore : public testing::Test {
 protected:
  ForgedStore() {
    project.write("prd.json", R"({"stories": [{"id": "A", "title": "a", "status": "pending"}]})");
    project.must({"init"});
  }
  void sql(const std::string& statement) const {
    sqlite3* raw = nullptr;
    ASSERT_EQ(sqlite3_open(project.file(".pawl/pawl.db").c_str(), &raw), SQLITE_OK);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> owner(raw, &sqlite3_close);
    ASSERT_EQ(sqlite3_exec(raw, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(raw);
  }

  IssueProject project;
};

TEST_F(ForgedStore, ReachesNoFileOutsideOfThePlacesOfItsFormats) {
  const std::string keys = project.home() + "/.ssh/authorized_keys", fresh = project.home() + "/.config/x.fish";
  fs::create_directories(fs::path(keys).parent_path());
  write_all(keys, "mine\n");
  project.write("notes.txt", "mine\n");
  for (const char* path : {"~/.ssh/authorized_keys", "notes.txt"})
    sql(cat("INSERT INTO mirror(path,format,scope,state,head,staged,size,before,bytes) VALUES('", path,
            "','prd','','','','',0,NULL,CAST('forged' AS BLOB))"));
  sql("INSERT INTO mirror(path,format,scope,state,head,staged,size,before,bytes) "
      "VALUES('~/.config/x.fish','prd','','','','7-1',0,NULL,CAST('forged' AS BLOB))");
  project.write(".pawl/tmp/7-1", "forged");
  for (const char* verb : {"status", "log", "guide", "doctor"}) (void)project.run({verb});
  project.must({"issue", "set", "1", "running"});
  EXPECT_EQ(read_all(keys), "mine\n");
  EXPECT_EQ(project.read("notes.txt"), "mine\n");
  EXPECT_FALSE(fs::exists(fresh));
}

TEST_F(ForgedStore, NamesUnderTmpLeadNowhere) {
  project.write("diary.txt", "mine\n");
  for (const char* staged : {"../../diary.txt", "@diary.txt"}) {
    sql(cat("UPDATE mirror SET staged='", staged, "' WHERE path='prd.json'"));
    (void)project.run({"status"});
    project.must({"story", "pause", "A", "--reason", "r"});
    project.must({"story", "retry", "A"});
    EXPECT_EQ(project.read("diary.txt"), "mine\n") << staged;
  }
}

// Above every text: who asks for what comes behind it would be told the same for ever.
TEST_F(ForgedStore, AStatusThatIsNoTextIsAnError) {
  sql("UPDATE record SET status=x'ff'");
  for (const char* verb : {"doctor", "guide", "status"}) EXPECT_NE(project.run({verb}).exit, 0) << verb;
}

TEST_F(ForgedStore, WhatItIsCalledIsNotPrintedAsItIs) {
  sql("UPDATE event SET key=char(27)||'[31m'");
  const Ran ran = project.run({"doctor"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ((ran.out + ran.err).find('\x1b'), std::string::npos) << ran.out << ran.err;
}

}  // namespace
}  // namespace pawl::test
