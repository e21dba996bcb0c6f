#include "support/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace pawl::test {

Terminal::Terminal(const std::string& program, const std::vector<std::string>& args, const RunOptions& options,
                   int rows, int columns)
    : timeout_ms_(options.timeout_ms) {
  // Through env, so that nothing of where the tests run gets in.
  std::vector<std::string> words = {"env", "-i"};
  words.insert(words.end(), options.env.begin(), options.env.end());
  words.push_back(program);
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  struct winsize size {};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  pid_ = ::forkpty(&fd_, nullptr, nullptr, &size);
  if (pid_ < 0) throw std::runtime_error("forkpty");
  if (pid_ == 0) {
    if (options.cwd.empty() || ::chdir(options.cwd.c_str()) == 0) ::execvp(pointers[0], pointers.data());
    ::_exit(127);
  }
  ::fcntl(fd_, F_SETFD, FD_CLOEXEC);
}

Terminal::~Terminal() {
  ::close(fd_);  // what runs there is hung up on
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

int Terminal::ended() {
  while (!until("\n").empty()) continue;  // a program whose output nobody reads does not end
  int status = 0;
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void Terminal::type(std::string_view keys) const {
  while (!keys.empty()) {
    const ssize_t wrote = ::write(fd_, keys.data(), keys.size());
    if (wrote <= 0) throw std::runtime_error("the terminal is gone");
    keys.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

std::string Terminal::until(std::string_view text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms_);
  while (true) {
    if (const std::size_t at = shown_.find(text, read_); at != std::string::npos) {
      std::string out = shown_.substr(read_, at + text.size() - read_);
      read_ = at + text.size();
      return out;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    struct pollfd ready {
      fd_, POLLIN, 0
    };
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) return {};
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(fd_, buffer.data(), buffer.size());
    if (got <= 0) return {};
    shown_.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace pawl::test
