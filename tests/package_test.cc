// What `./dev dist` releases, installed into an empty folder and run from there: the archive, and the Debian package.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "support/binary.h"
#include "support/paths.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

// The only file below `folder` whose name ends so.
std::string only(const std::string& folder, std::string_view end) {
  std::string found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().string().ends_with(end)) found = entry.path();
  }
  return found;
}

void expect_works(const std::string& prefix) {
  const std::string pawl = prefix + "/bin/pawl";
  TempWorkspace ws;
  const Ran version = run_program(pawl, {"version"}, ws.options());
  EXPECT_TRUE(has(version.out, "pawl 0.1.0")) << version.out << version.err;
  EXPECT_EQ(run_program(pawl, {"init"}, ws.options()).exit, 0);
  EXPECT_EQ(run_program(pawl, {"doctor"}, ws.options()).exit, 0);
  // The second executable is found, and finds its libraries: it is the one that asks for a token.
  RunOptions nobody;
  nobody.env = {"PATH=/nowhere", "GH_TOKEN=", "GITHUB_TOKEN="};
  const Ran world = run_program(pawl, {"pr", "view", "octo/cat#1"}, ws.options(nobody));
  EXPECT_NE(world.exit, 0);
  EXPECT_TRUE(has(world.err, "token") || has(world.err, "GH_TOKEN")) << world.err;
  // The whole of it, from where it was put.
  const Ran tour = run_program(pawl, {"tour"}, ws.options());
  EXPECT_EQ(tour.exit, 0) << tour.out.substr(tour.out.size() > 2000 ? tour.out.size() - 2000 : 0) << tour.err;
  EXPECT_TRUE(has(tour.out, "pawl doctor")) << "what to type next";
  for (const char* file : {"/share/man/man1/pawl.1", "/share/bash-completion/completions/pawl",
                           "/share/zsh/site-functions/_pawl", "/share/zsh/vendor-completions/_pawl",
                           "/share/fish/vendor_completions.d/pawl.fish", "/share/doc/pawl/copyright"})
    EXPECT_TRUE(fs::exists(prefix + file)) << file;
}

TEST(Package, ArchiveAndDebianPackageRunFromWhereTheyArePut) {
  const fs::path build = fs::path(PAWL_BINARY).parent_path();
  if (build.filename() != "build" || !fs::exists(build / "build.ninja")) GTEST_SKIP() << "not a build of ./dev test";
  TempWorkspace made;
  RunOptions dev;
  dev.env = {"PAWL_DEV_OUT=" + build.parent_path().string(), "PAWL_DEV_LOCKED=" + build.string()};
  const Ran ran = run_program(std::string(PAWL_SOURCE_DIR) + "/dev", {"dist", made.file("dist")}, dev);
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const std::string archive = only(made.file("dist"), ".tar.gz"), deb = only(made.file("dist"), ".deb");
  ASSERT_FALSE(archive.empty() || deb.empty()) << ran.err;
  for (const std::string& file : {archive, deb}) {
    RunOptions there;
    there.cwd = made.file("dist");
    EXPECT_EQ(run_program("sha256sum", {"--check", file + ".sha256"}, there).exit, 0) << file;
  }
  fs::create_directories(made.file("unpacked"));
  ASSERT_EQ(run_program("tar", {"-xzf", archive, "-C", made.file("unpacked"), "--strip-components=1"}).exit, 0);
  expect_works(made.file("unpacked"));
  ASSERT_EQ(run_program("dpkg-deb", {"-x", deb, made.file("installed")}).exit, 0);
  expect_works(made.file("installed/usr"));
}

}  // namespace
}  // namespace pawl::test
