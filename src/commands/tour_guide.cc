#include "commands/tour_guide.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/file.h"
#include "base/text.h"

namespace pawl::tour {
namespace {

constexpr std::size_t kMaxOutput = 1 << 20;

Result<std::string> make_repository() {
  PAWL_ASSIGN(std::string path, make_temporary_folder("pawl-tour"));
  // As little as makes a repository; most of the tour needs no git.
  for (const char* folder : {"/.git", "/.git/objects", "/.git/refs", "/.git/refs/heads"})
    PAWL_TRY(make_folders(path + folder, 0777));
  PAWL_TRY(write_synced_at(AT_FDCWD, path + "/.git/HEAD", "ref: refs/heads/main\n"));
  return path;
}

void remove_folder(const std::string& path) {
  nftw(
      path.c_str(), [](const char* name, const struct stat*, int, struct FTW*) { return remove(name); }, 16,
      FTW_DEPTH | FTW_PHYS);
}

// How the child ended. Signals to this process are passed on to it.
int wait_for(pid_t child, const sigset_t& signals) {
  while (true) {
    int status = 0;
    for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended == child) return status;
    }
    const int signal = sigwaitinfo(&signals, nullptr);
    if (signal > 0 && signal != SIGCHLD) kill(child, signal);
  }
}

// The children of a process that is killed become children of this one, and are killed in turn.
void kill_descendants() {
  while (waitpid(-1, nullptr, WNOHANG) >= 0) {
    const Fd proc(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const auto names = names_in(proc.get());
    if (!names) return;
    bool killed = false;
    for (const std::string& name : *names) {
      const int pid = atoi(name.c_str());
      if (pid > 0 && parent_of(pid) == getpid()) killed = kill(pid, SIGKILL) == 0 || killed;
    }
    if (killed) {
      waitpid(-1, nullptr, 0);
    } else if (waitpid(-1, nullptr, WNOHANG) == 0) {
      return;  // this /proc does not show them
    }
  }
}

}  // namespace

Result<std::string> begin_in_child() {
  PAWL_ASSIGN(std::string path, make_repository());
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t signals, before;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&signals, signal);
  sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t child = fork();
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return path;
  }
  const int why = errno;
  const int status = child < 0 ? 0 : wait_for(child, signals);
  kill_descendants();
  remove_folder(path);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (child < 0) return tl::unexpected(io_error("start", "the tour", why));
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

Done Guide::chapter(std::string_view title) {
  const bool at_terminal = context_.draws && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
  if (begun_ && at_terminal) {
    const auto answer = context_.ask("Enter: next chapter   q: end");
    ended_by_reader_ = !answer || trim(*answer) == "q";
    if (ended_by_reader_) return fail(ErrorCode::unavailable, "the tour was ended");
  }
  begun_ = true;
  context_.emit(Json{{"title", title}});
  return done();
}

void Guide::say(std::string_view text) { context_.emit(Json{{"say", text}}); }

bool Guide::lacks(const std::vector<std::string>& programs) {
  std::string missing;
  for (const std::string& program : programs) {
    if (!is_in_path(program)) missing += cat(" ", program);
  }
  if (missing.empty()) return false;
  say(cat("This chapter is left out: it needs programs that are not installed. On Debian and\nUbuntu: apt-get install",
          missing));
  return true;
}

Result<Ran> Guide::pawl(const std::vector<std::string>& words) {
  PAWL_ASSIGN(Ran ran, quietly(words));
  std::string typed = "pawl";
  for (const std::string& word : words)
    typed += cat(" ", word.find(' ') == std::string::npos ? word : cat("'", word, "'"));
  context_.emit(Json{{"command", typed}, {"output", ran.out}, {"exit", ran.exit_code}});
  return ran;
}

Result<Ran> Guide::quietly(const std::vector<std::string>& words) const {
  return run_program(command(words), kMaxOutput, StandardError::with_output);
}

std::vector<std::string> Guide::command(const std::vector<std::string>& words) const {
  std::vector<std::string> argv;
  if (!given_.empty()) {
    argv.emplace_back("env");
    argv.insert(argv.end(), given_.begin(), given_.end());
  }
  argv.insert(argv.end(), {context_.self(), "-C", folder_, "--no-color"});
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

Done Guide::shell(std::string_view line) {
  const std::string script = cat(R"(cd "$0" || exit; pawl() { "$TOUR_PAWL" --no-color "$@"; })", "\n", line);
  PAWL_ASSIGN(const Ran ran,
              run_program({"sh", "-c", script, folder_}, kMaxOutput, StandardError::with_output, GitVariables::kept, -1,
                          Secrets::dropped, {cat("TOUR_PAWL=", context_.self())}));
  context_.emit(Json{{"command", line}, {"output", ran.out}, {"exit", ran.exit_code}});
  return done();
}

Done Guide::write_file(std::string_view path, std::string_view text) {
  const std::string whole = cat(folder_, "/", path);
  PAWL_TRY(make_folders(whole.substr(0, whole.rfind('/')), 0777));
  return write_synced_at(AT_FDCWD, whole, text);
}

Done Guide::write_program(std::string_view path, std::string_view text) {
  return write_synced_at(AT_FDCWD, cat(folder_, "/", path), text, {0755, {}});
}

}  // namespace pawl::tour
