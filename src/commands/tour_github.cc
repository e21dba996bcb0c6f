#include "commands/tour_github.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"

namespace pawl::tour {

PracticeGitHub::PracticeGitHub(const Guide& guide, const std::string& world) {
  const std::vector<std::string> command =
      guide.command({"practice", "--json", "--world", cat(guide.folder(), "/", world)});
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return;
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  const Fd said(ends[0]);
  // One line, once it listens; nothing when it ended before.
  std::string line;
  for (char c = 0; !line.ends_with('\n'); line += c) {
    pollfd waiting = {said.get(), POLLIN, 0};
    if (poll(&waiting, 1, 10'000) <= 0 || read(said.get(), &c, 1) != 1) return;
  }
  const auto told = parse_json(line);
  if (!told) return;
  address_ = string_or(*told, "at");
  folder_ = string_or(*told, "folder");
}

PracticeGitHub::~PracticeGitHub() {
  if (pid_ <= 0) return;
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
}

void PracticeGitHub::give_to(Guide& guide) const {
  guide.give(cat("GITHUB_API_URL=", address_));
  guide.give(cat("GITHUB_GRAPHQL_URL=", address_, "/graphql"));
  guide.give("GH_TOKEN=practice");
}

}  // namespace pawl::tour
