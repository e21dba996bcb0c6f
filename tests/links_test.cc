// Where a status file really is: symbolic links inside and out of the workspace, modes, folders that cannot be
// written. Through the real binary.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777U : 0;
}

// A folder beside the workspace, where nothing may be written without leave.
class LinkOut : public testing::Test {
 protected:
  LinkOut() : out_(fs::path(project_.home()) / "elsewhere") { fs::create_directories(out_); }
  [[nodiscard]] bool untouched() const { return fs::is_empty(out_); }
  IssueProject project_;
  fs::path out_;
};

// --- in the store, which may have come with a clone ---

TEST_F(LinkOut, InTheStoreIsNamedByInitAndDoctor) {
  fs::create_directories(project_.file(".pawl"));
  fs::create_directory_symlink(out_, project_.file(".pawl/refused"));
  for (const char* verb : {"doctor", "init"}) {
    const Ran ran = project_.run({verb});
    EXPECT_EQ(ran.exit, 1) << ran.out;
    EXPECT_NE((ran.out + ran.err).find(".pawl/refused is a symbolic link"), std::string::npos) << ran.out << ran.err;
  }
  EXPECT_FALSE(project_.exists(".pawl/pawl.db"));
  fs::remove(project_.file(".pawl/refused"));
  project_.must({"init"});
  fs::create_directory_symlink(out_, project_.file(".pawl/logs"));
  EXPECT_EQ(project_.run({"doctor"}).exit, 1);
  EXPECT_EQ(project_.run({"init"}).exit, 1);
}

TEST_F(LinkOut, NoCopyIsKeptBehindALink) {
  const std::string list = R"({"stories": [{"id": "A", "title": "a", "status": "pending"}]})";
  project_.write("prd.json", list);
  project_.must({"init"});
  for (const char* link : {"refused", "refused/settled"}) {
    fs::remove_all(project_.file(".pawl/refused"));
    if (link == std::string("refused/settled")) fs::create_directories(project_.file(".pawl/refused"));
    fs::create_directory_symlink(out_, project_.file(std::string(".pawl/") + link));
    project_.write("prd.json", R"({"stories": [{"id": "A", "title": "another", "status": "done"}]})");
    for (const std::vector<std::string>& args :
         {std::vector<std::string>{"restore", "prd.json"}, {"story", "list"}, {"story", "pause", "A", "--reason", "r"}})
      (void)project_.run(args);
    EXPECT_TRUE(untouched()) << link;
  }
}

TEST_F(LinkOut, NoLogIsWrittenBehindALink) {
  project_.must({"init"});
  fs::create_directory_symlink(out_, project_.file(".pawl/logs"));
  const Ran ran = project_.run({"ralph", "run", "--no-prd", "--prompt", "p", "--max", "1", "--", "echo", "printed"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_NE(ran.err.find(".pawl/logs is a symbolic link"), std::string::npos) << ran.out << ran.err;
  EXPECT_TRUE(untouched());
}

// --- inside the workspace ---

TEST(LinkInside, FileLinkIsFollowedAndStays) {
  const IssueProject project;
  project.write("kept/one.json", "{\"issue\": 1, \"status\": \"running\"}\n");
  fs::create_directories(project.file(".worktrees/.status"));
  fs::create_symlink("../../kept/one.json", project.file(IssueProject::path_of(1)));
  EXPECT_EQ(project.get(1), "running");
  project.must({"issue", "set", "1", "complete"});
  EXPECT_TRUE(fs::is_symlink(project.file(IssueProject::path_of(1))));
  EXPECT_FALSE(fs::is_symlink(project.file("kept/one.json")));
  EXPECT_TRUE(has(*project.read("kept/one.json"), "\"complete\""));
  project.write("kept/one.json", replaced(*project.read("kept/one.json"), "\"complete\"", "\"running\""));
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
}

TEST(LinkInside, AbsoluteFolderLinkIsFollowed) {
  const IssueProject project;
  fs::create_directories(project.file("really"));
  fs::create_directories(project.file(".worktrees"));
  fs::create_symlink(project.file("really"), project.file(".worktrees/.status"));
  project.must({"issue", "set", "1", "running"});
  EXPECT_TRUE(has(project.read("really/1.json").value_or(""), "\"running\""));
  EXPECT_EQ(project.out({"issue", "list"}), "1\trunning\n");
}

TEST(LinkInside, InACircleIsAnErrorAndNotAHang) {
  const IssueProject project;
  fs::create_directories(project.file(".worktrees/.status"));
  fs::create_symlink("2.json", project.file(IssueProject::path_of(1)));
  fs::create_symlink("1.json", project.file(IssueProject::path_of(2)));
  const Ran ran = project.run({"issue", "set", "1", "running"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "symbolic link")) << ran.err;
  EXPECT_EQ(project.run({"issue", "list"}).exit, 0);
}

class DamageBehindALink : public testing::Test {
 protected:
  DamageBehindALink() {
    project_.write("real/prd.json", kList);
    fs::create_symlink("real/prd.json", project_.file("prd.json"));
    project_.must({"init"});
  }
  static constexpr std::string_view kList = "{\"stories\":[{\"id\":\"A\",\"title\":\"x\",\"status\":\"pending\"}]}\n";
  static constexpr std::string_view kCut = "{\"stories\":[{\"id\":\"A\"";
  IssueProject project_;
};

TEST_F(DamageBehindALink, IsMendedWhereTheLinkLeadsAsAnyOther) {
  project_.write("real/prd.json", kCut);
  const Ran ran = project_.run({"story", "list"});
  EXPECT_TRUE(has(ran.err, "Its last good content was restored")) << ran.err;
  EXPECT_EQ(project_.read("real/prd.json"), kList);
  EXPECT_TRUE(fs::is_symlink(project_.file("prd.json")));
  EXPECT_EQ(project_.read(project_.only_kept("damaged")), kCut);
  project_.write("real/prd.json", "");
  project_.must({"restore", "prd.json"});
  EXPECT_EQ(project_.read("real/prd.json"), kList);
}

TEST_F(DamageBehindALink, OfAnotherFileThanBeforeIsLeftAlone) {
  project_.write("real/notes.txt", "mine\n");
  fs::remove(project_.file("prd.json"));
  fs::create_symlink("real/notes.txt", project_.file("prd.json"));
  for (const std::vector<std::string>& args : {std::vector<std::string>{"story", "list"}, {"restore", "prd.json"}}) {
    const Ran ran = project_.run(args);
    EXPECT_TRUE(has(ran.err, "prd.json is a symbolic link to real/notes.txt, which cannot be read as such a file"))
        << ran.err;
    EXPECT_EQ(project_.read("real/notes.txt"), "mine\n");
  }
}

TEST(LinkInside, WhereAFileStoodBeforeLeadsToNothingThatIsWrittenOver) {
  const IssueProject project;
  project.write("prd.json", R"({"stories":[{"id":"A","title":"x","status":"pending"}]})");
  project.must({"init"});
  project.write("notes.txt", "mine\n");
  fs::remove(project.file("prd.json"));
  fs::create_symlink("notes.txt", project.file("prd.json"));
  EXPECT_NE(project.run({"restore", "prd.json"}).exit, 0);
  EXPECT_EQ(project.read("notes.txt"), "mine\n");
}

// --- out of the workspace ---

TEST_F(LinkOut, FolderIsRefusedAndNothingIsWrittenThere) {
  fs::create_directories(project_.file(".worktrees"));
  fs::create_directory_symlink(out_, project_.file(".worktrees/.status"));
  const Ran ran = project_.run({"issue", "set", "1", "running"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "out of the workspace")) << ran.err;
  EXPECT_TRUE(has(ran.err, "PAWL_ROOTS")) << ran.err;
  EXPECT_TRUE(untouched());
  fs::remove(project_.file(".worktrees/.status"));
  EXPECT_EQ(project_.operations(), 0U);  // nothing was recorded either
}

TEST_F(LinkOut, BaseFolderIsRefusedToo) {
  fs::create_directory_symlink(out_, project_.file(".worktrees"));
  const Ran ran = project_.run({"issue", "set", "1", "running"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "out of the workspace")) << ran.err;
  EXPECT_TRUE(untouched());
}

TEST_F(LinkOut, FileIsRefusedAndWhatItLeadsToIsNotRead) {
  write_all((out_ / "secret.json").string(), "{\"issue\": 1, \"status\": \"complete\", \"session\": \"TOP-SECRET\"}");
  fs::create_directories(project_.file(".worktrees/.status"));
  fs::create_symlink(out_ / "secret.json", project_.file(IssueProject::path_of(1)));
  const Ran ran = project_.run({"issue", "show", "1"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_FALSE(has(ran.out + ran.err, "TOP-SECRET"));
  EXPECT_EQ(project_.run({"issue", "set", "1", "running"}).exit, 1);
  EXPECT_TRUE(has(*read_all((out_ / "secret.json").string()), "\"complete\""));
  // One such link does not hide the others.
  project_.must({"issue", "set", "2", "running"});
  EXPECT_EQ(project_.out({"issue", "list"}), "1\tunknown\n2\trunning\n");
}

TEST_F(LinkOut, IsAllowedByName) {
  fs::create_directories(project_.file(".worktrees"));
  fs::create_directory_symlink(out_, project_.file(".worktrees/.status"));
  RunOptions allowed;
  allowed.env = {"PAWL_ROOTS=" + out_.string()};
  EXPECT_EQ(project_.run({"issue", "set", "1", "running"}, allowed).exit, 0);
  EXPECT_TRUE(has(read_all((out_ / "1.json").string()).value_or(""), "\"running\""));
  EXPECT_EQ(project_.run({"issue", "get", "1"}, allowed).out, "running\n");
  // Another folder that begins with the same letters is another folder.
  RunOptions nearly;
  nearly.env = {"PAWL_ROOTS=" + out_.string().substr(0, out_.string().size() - 1)};
  EXPECT_EQ(project_.run({"issue", "set", "1", "complete"}, nearly).exit, 1);
}

TEST_F(LinkOut, AProjectsOwnSettingDoesNotAllowItUntilItIsTrusted) {
  fs::create_directories(project_.file(".worktrees"));
  fs::create_directory_symlink(out_, project_.file(".worktrees/.status"));
  project_.write("pawl.toml", "roots = [\"" + out_.string() + "\"]\n");
  EXPECT_EQ(project_.run({"issue", "set", "1", "running"}).exit, 1);
  EXPECT_TRUE(untouched());
  project_.must({"trust"});
  project_.must({"issue", "set", "1", "running"});
  EXPECT_FALSE(untouched());
  // Any change needs the word again.
  project_.write("pawl.toml", "roots = [\"" + out_.string() + "\"]\n# and a line more\n");
  EXPECT_EQ(project_.run({"issue", "set", "1", "complete"}).exit, 1);
}

TEST_F(LinkOut, PlantedAfterTheFactDoesNotEndTheRecord) {
  project_.must({"issue", "set", "1", "running"});
  fs::rename(project_.file(".worktrees/.status"), project_.file("moved"));
  fs::create_directory_symlink(out_, project_.file(".worktrees/.status"));
  EXPECT_NE(project_.run({"issue", "get", "1"}).exit, 0);
  EXPECT_TRUE(untouched());
  fs::remove(project_.file(".worktrees/.status"));
  fs::rename(project_.file("moved"), project_.file(".worktrees/.status"));
  EXPECT_EQ(project_.get(1), "running");
  EXPECT_EQ(project_.operations(), 1U);
}

// --- a link to nothing is not a removed file ---

TEST_F(LinkOut, DanglingFolderIsNotGone) {
  project_.must({"issue", "set", "1", "running"});
  fs::rename(project_.file(".worktrees"), project_.file("disk"));
  fs::create_directory_symlink("not-mounted", project_.file(".worktrees"));
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "points to nothing")) << ran.err;
  EXPECT_NE(project_.run({"issue", "set", "1", "complete"}).exit, 0);
  const Ran listed = project_.run({"status"});
  EXPECT_FALSE(has(listed.err, "ended")) << listed.err;
  fs::remove(project_.file(".worktrees"));
  fs::rename(project_.file("disk"), project_.file(".worktrees"));
  EXPECT_EQ(project_.get(1), "running");
  EXPECT_EQ(project_.operations(), 1U);
}

TEST_F(LinkOut, DanglingFileIsNotGone) {
  project_.must({"issue", "set", "1", "running"});
  fs::rename(project_.file(IssueProject::path_of(1)), project_.file("kept.json"));
  fs::create_symlink("nowhere.json", project_.file(IssueProject::path_of(1)));
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "points to nothing")) << ran.err;
  EXPECT_TRUE(fs::is_symlink(project_.file(IssueProject::path_of(1))));
  fs::remove(project_.file(IssueProject::path_of(1)));
  fs::rename(project_.file("kept.json"), project_.file(IssueProject::path_of(1)));
  EXPECT_EQ(project_.get(1), "running");
  EXPECT_EQ(project_.operations(), 1U);
}

// --- modes ---

TEST(FileMode, IsKeptThroughASetAndAnUndo) {
  for (const mode_t mode : {0600U, 0640U, 0664U, 0755U}) {
    const IssueProject project;
    project.must({"issue", "set", "1", "running"});
    const std::string path = project.file(IssueProject::path_of(1));
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    project.must({"issue", "set", "1", "complete"});
    EXPECT_EQ(mode_of(path), mode);
    project.must({"undo"});
    EXPECT_EQ(mode_of(path), mode);
    project.put(1, "{");
    project.must({"issue", "get", "1"});
    EXPECT_EQ(mode_of(path), mode);
  }
}

TEST(FileMode, OfAFreshFileFollowsTheUmask) {
  const IssueProject project;
  const mode_t old = ::umask(027);
  project.must({"issue", "set", "1", "running"});
  ::umask(old);
  EXPECT_EQ(mode_of(project.file(IssueProject::path_of(1))), 0640U);
}

}  // namespace
}  // namespace pawl::test
