// README.md, done as a stranger does it: every command in it is pasted into a shell, in one folder and one after the
// other, with a stand-in for the agent; and its figures are those of the pages that it links to.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "support/binary.h"
#include "support/paths.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

std::string page(std::string_view name) { return read_all(cat(PAWL_SOURCE_DIR, "/", name)).value_or(""); }

// All fenced blocks of shell commands. ./dev is left out: dev_test.cc and package_test.cc run it.
std::string commands_of(const std::string& markdown) {
  std::string commands;
  bool inside = false;
  for (const std::string_view line : split(markdown, '\n')) {
    if (line.starts_with("```")) {
      inside = line == "```sh";
    } else if (inside && !line.starts_with("./dev ")) {
      commands += cat(line, "\n");
    }
  }
  return commands;
}

// One that nobody listens on at the moment.
std::string free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size), 0);
  ::close(socket);
  return std::to_string(ntohs(address.sin_port));
}

std::string replaced_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Does what the README's prompts ask for, and says so in the words of a loop and of an issue run.
constexpr std::string_view kAgent =
    "#!/bin/sh\n"
    "printf '%s\\n' \"$1 $2 $3\" >>\"$HOME/agent.log\"\n"
    "echo 'echo hello' >hello.sh\n"
    "[ -z \"$PAWL_ISSUE\" ] || echo \"###TASK_COMPLETE_${PAWL_ISSUE}###\"\n"
    "echo '<promise>TASK_COMPLETE</promise>'\n";

TEST(Readme, EveryCommandWorksWhenItIsPasted) {
  const RunProject project;
  const std::string bin = project.home() + "/bin";
  fs::create_directories(bin);
  write_all(bin + "/claude", kAgent);
  fs::permissions(bin + "/claude", fs::perms::owner_all);

  const std::string temporary = project.home() + "/temporary";
  fs::create_directories(temporary);
  const std::string commands = replaced_all(commands_of(page("README.md")), "18080", free_port());
  const std::string script =
      cat("set -Ee\n"
          "trap 'echo \"this failed: $BASH_COMMAND\"' ERR\n"
          "trap 'kill $(jobs -p) 2>/dev/null' EXIT\n"
          "exec 2>&1\n",
          commands, "echo the end\n");
  const std::string pawl = fs::path(PAWL_BINARY).parent_path();
  const Ran ran =
      run_program("bash", {"-c", script},
                  project.with_tmux({cat("PATH=", bin, ":", pawl, ":", getenv("PATH")), cat("TMPDIR=", temporary),
                                     "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a",
                                     "GIT_COMMITTER_EMAIL=a@example.org", "GITHUB_API_URL=", "GH_TOKEN="}));
  ASSERT_TRUE(has(ran.out, "\nthe end\n")) << ran.out;

  // What the comments there say.
  std::string folder;
  for (const auto& entry : fs::directory_iterator(temporary)) {
    if (fs::exists(entry.path() / "prd.json")) folder = entry.path();
  }
  const std::string list = read_all(folder + "/prd.json").value_or("");
  EXPECT_FALSE(has(list, "finished")) << list;
  EXPECT_FALSE(has(list, "true")) << list;
  EXPECT_FALSE(fs::is_empty(folder + "/pawl-left/refused")) << "what the agent wrote is kept";
  const std::size_t first = ran.out.find("held by bot-1"), second = ran.out.find("held by bot-2");
  ASSERT_TRUE(first != std::string::npos && second != std::string::npos && first < second) << ran.out;
  EXPECT_TRUE(has(ran.out.substr(0, first), "US-1  pending"));
  EXPECT_TRUE(has(ran.out.substr(first, second - first), "US-2  pending"));
  EXPECT_TRUE(has(ran.out, "unverified"));
  EXPECT_TRUE(fs::exists(folder + "/hello.sh"));
  EXPECT_TRUE(fs::exists(folder + "/.worktrees/issue-7-say-goodbye-too/hello.sh"));
  EXPECT_TRUE(has(ran.out, "practice/demo#1"));
  EXPECT_TRUE(fs::exists(folder + "/pawl-left/log.jsonl"));
  EXPECT_EQ(read_all(project.home() + "/agent.log").value_or(""),
            "-p --permission-mode acceptEdits\n-p --permission-mode acceptEdits\n");
}

TEST(Readme, ItsFiguresStandInThePagesThatItLinksTo) {
  const std::string readme = page("README.md");
  const std::size_t begin = readme.find("## Why trust it");
  ASSERT_NE(begin, std::string::npos);
  std::string rest = readme.substr(begin, readme.find("\n## ", begin) - begin);
  int figures = 0;
  for (std::size_t item = rest.find("\n- "); item != std::string::npos;) {
    const std::size_t next = rest.find("\n- ", item + 1);
    const std::string text = rest.substr(item, next - item);
    const std::size_t link = text.find("](");
    ASSERT_NE(link, std::string::npos) << text;
    const std::string linked = page(text.substr(link + 2, text.find_first_of("#)", link) - link - 2));
    for (std::size_t at = text.find("**"); at != std::string::npos; ++figures) {
      const std::size_t end = text.find("**", at + 2);
      ASSERT_NE(end, std::string::npos) << text;
      EXPECT_TRUE(has(linked, text.substr(at + 2, end - at - 2))) << text;
      at = text.find("**", end + 2);
    }
    item = next;
  }
  EXPECT_GE(figures, 3);
}

}  // namespace
}  // namespace pawl::test
