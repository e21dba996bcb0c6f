// .github/workflows: what they may do, and that their steps do what they are called after. No runner of GitHub's is
// here, so the shell text of the steps is run as the runner runs it.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <regex>

#include "base/text.h"
#include "support/binary.h"
#include "support/paths.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

YAML::Node workflow(std::string_view name) {
  return YAML::LoadFile(cat(PAWL_SOURCE_DIR, "/.github/workflows/", name, ".yml"));
}

YAML::Node only_job(const YAML::Node& workflow) {
  EXPECT_EQ(workflow["jobs"].size(), 1U);
  return workflow["jobs"].begin()->second;
}

TEST(Workflows, UseNoActionAndRunWhatThereIs) {
  const std::string help = run_program(cat(PAWL_SOURCE_DIR, "/dev"), {"help"}).out;
  for (const char* name : {"ci", "release"}) {
    int run = 0;
    for (const YAML::Node& step : only_job(workflow(name))["steps"]) {
      EXPECT_FALSE(step["uses"]) << name;
      const auto text = step["run"].as<std::string>();
      static const std::regex kDev("/dev +([a-z]+)");
      for (std::sregex_iterator at(text.begin(), text.end(), kDev), end; at != end; ++at, ++run)
        EXPECT_TRUE(has(help, cat("\n  ", (*at)[1].str(), " "))) << text;
      if (!has(text, ".ci/run")) continue;
      EXPECT_NE(fs::status(cat(PAWL_SOURCE_DIR, "/.ci/run")).permissions() & fs::perms::owner_exec, fs::perms::none);
      ++run;
    }
    EXPECT_EQ(run, 1) << name;
  }
}

TEST(Workflows, MayDoNoMoreThanTheyNeed) {
  const YAML::Node ci = workflow("ci"), release = workflow("release");
  EXPECT_EQ(YAML::Dump(ci["permissions"]), "contents: read");
  EXPECT_FALSE(only_job(ci)["permissions"]);
  EXPECT_EQ(YAML::Dump(release["permissions"]), "{}");
  EXPECT_EQ(YAML::Dump(only_job(release)["permissions"]), "contents: write");
  for (const YAML::Node& one : {ci, release}) {
    for (const YAML::Node& step : only_job(one)["steps"]) {
      // The token is given to git and to gh, and to nothing that is built here.
      const bool has_token = step["env"] && has(YAML::Dump(step["env"]), "github.token");
      const auto name = step["name"].as<std::string>();
      EXPECT_EQ(has_token, name == "Check out" || name == "Publish") << name;
      EXPECT_FALSE(has(step["run"].as<std::string>(), "${{")) << "an expression would be run as shell text: " << name;
    }
  }
}

class ReleaseWorkflow : public testing::Test {
 protected:
  // The repository on the server, with as much as the steps read.
  ReleaseWorkflow() {
    server_.write("octo/pawl/CMakeLists.txt",
                  "cmake_minimum_required(VERSION 3.25)\nproject(pawl VERSION 1.2.0 LANGUAGES CXX)\n");
    changelog("# Changelog\n\n## [Unreleased]\n\n- later\n\n## [1.2.0] - 2026-12-24\n\n- new\n\n## [1.1.0]\n\n- old\n");
  }
  void changelog(std::string_view text) {
    server_.write("octo/pawl/CHANGELOG.md", text);
    const Ran ran = run_program(
        "sh", {"-ec",
               cat("cd '", server_.file("octo/pawl"),
                   "'; git init -q .; git config uploadpack.allowAnySHA1InWant true; git add -A; "
                   "git -c user.name=a -c user.email=a@example.org commit -qm one; git rev-parse HEAD | tr -d '\\n'")});
    ASSERT_EQ(ran.exit, 0) << ran.err;
    commit_ = ran.out;
  }
  Ran step(std::string_view name, const std::string& tag = "v1.2.0") {
    for (const YAML::Node& step : only_job(workflow("release"))["steps"]) {
      if (step["name"].as<std::string>() != name) continue;
      place_.write("step.sh", step["run"].as<std::string>());
      RunOptions options;
      options.cwd = place_.path();
      options.env = {"TOKEN=t",
                     "GITHUB_REPOSITORY=octo/pawl",
                     "GITHUB_SERVER_URL=file://" + server_.path(),
                     "GITHUB_SHA=" + commit_,
                     "GITHUB_REF_NAME=" + tag,
                     cat("PATH=", place_.file("bin"), ":", getenv("PATH"))};
      return run_program("bash", {"--noprofile", "--norc", "-e", "-o", "pipefail", place_.file("step.sh")}, options);
    }
    ADD_FAILURE() << "no step is called " << name;
    return {};
  }

  TempWorkspace server_, place_;
  std::string commit_;
};

TEST_F(ReleaseWorkflow, PublishesWhatWasMadeWithTheVersionsNotes) {
  place_.write("bin/gh", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
  fs::permissions(place_.file("bin/gh"), fs::perms::owner_all);
  Ran ran = step("Check out");
  ASSERT_EQ(ran.exit, 0) << ran.err;
  ran = step("Compare the tag with version and changelog");
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(trim(place_.read("notes.md").value_or("")), "- new");
  for (const char* file : {"dist/a.tar.gz", "dist/a.tar.gz.sha256"}) place_.write(file, "");
  EXPECT_EQ(step("Publish").out,
            "release\ncreate\nv1.2.0\n--verify-tag\n--title\npawl v1.2.0\n--notes-file\nnotes.md\n"
            "dist/a.tar.gz\ndist/a.tar.gz.sha256\n");
}

TEST_F(ReleaseWorkflow, TagThatIsNotTheVersionIsRefused) {
  ASSERT_EQ(step("Check out").exit, 0);
  const Ran ran = step("Compare the tag with version and changelog", "v1.2.1");
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.out, "::error::")) << ran.out << ran.err;
}

TEST_F(ReleaseWorkflow, VersionThatTheChangelogDoesNotHaveIsRefused) {
  changelog("# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.2.0]\n\n## [1.1.0]\n\n- old\n");
  ASSERT_EQ(step("Check out").exit, 0);
  const Ran ran = step("Compare the tag with version and changelog");
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.out, "::error::")) << ran.out << ran.err;
}

// The tag that will be pushed next can be released.
TEST_F(ReleaseWorkflow, ThisRepositorysChangelogHasASectionForItsVersion) {
  const std::string version = run_pawl({"version"}).out;
  server_.write("octo/pawl/CMakeLists.txt", read_all(cat(PAWL_SOURCE_DIR, "/CMakeLists.txt")).value_or(""));
  changelog(read_all(cat(PAWL_SOURCE_DIR, "/CHANGELOG.md")).value_or(""));
  ASSERT_EQ(step("Check out").exit, 0);
  const Ran ran =
      step("Compare the tag with version and changelog", "v" + version.substr(5, version.find_first_of(" \n", 5) - 5));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
}

}  // namespace
}  // namespace pawl::test
