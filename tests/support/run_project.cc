#include "support/run_project.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>

namespace pawl::test {

namespace fs = std::filesystem;

bool gone(pid_t pid, int timeout_ms) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (handle < 0) return true;
  pollfd waiting{handle, POLLIN, 0};
  const bool ended = poll(&waiting, 1, timeout_ms) > 0;
  ::close(handle);
  return ended;
}

namespace {

pid_t parent_of(const std::string& pid) {
  const std::string stat = read_all("/proc/" + pid + "/stat").value_or("");
  const std::size_t name_end = stat.rfind(") ");  // the name may hold anything; then the state, then the parent
  return name_end == std::string::npos ? 0 : static_cast<pid_t>(std::atol(stat.c_str() + name_end + 4));
}

}  // namespace

RunProject::RunProject() {
  start_git();
  write("README", "a project\n");
  write(".gitignore", ".worktrees\n.pawl\n.env\n");
  commit_all("one");
  fs::create_directories(home() + "/tmux");
}

RunProject::~RunProject() {
  end_server();
  // Watchers see that their sessions are gone, and end by themselves.
  for (const pid_t pid : processes({})) {
    if (gone(pid)) continue;
    ADD_FAILURE() << "a process was left behind: "
                  << read_all("/proc/" + std::to_string(pid) + "/cmdline").value_or("");
    ::kill(pid, SIGKILL);
  }
}

RunOptions RunProject::with_tmux(const std::vector<std::string>& more) const {
  RunOptions run_options;
  run_options.env = {"TMUX_TMPDIR=" + home() + "/tmux", "TMUX=", "SHELL=/bin/sh"};
  for (const std::string& one : more) {
    std::erase_if(run_options.env,
                  [&](const std::string& old) { return old.starts_with(one.substr(0, one.find('=') + 1)); });
    run_options.env.push_back(one);
  }
  return options(run_options);
}

Ran RunProject::pawl(const std::vector<std::string>& args, const std::vector<std::string>& more) const {
  return run_pawl(args, with_tmux(more));
}

std::string RunProject::ok(const std::vector<std::string>& args) const {
  const Ran ran = pawl(args);
  std::string line = "pawl";
  for (const std::string& arg : args) line += " " + arg;
  EXPECT_EQ(ran.exit, 0) << line << "\n" << ran.out << ran.err;
  return ran.out;
}

void RunProject::start(int number, const std::string& script, const std::vector<std::string>& more) const {
  std::vector<std::string> args = {"issue", "run", std::to_string(number), "--title",
                                   "Title " + std::to_string(number)};
  args.insert(args.end(), more.begin(), more.end());
  args.insert(args.end(), {"--", "sh", "-c", script});
  static_cast<void>(ok(args));
}

std::string RunProject::end_of(int number) const {
  const Ran ran = pawl({"issue", "wait", std::to_string(number), "--timeout", "60s", "--json"});
  const Json end = Json::parse(ran.out, nullptr, false);
  if (!end.is_object()) return "no end: " + ran.out + ran.err;
  const std::string message = string_or(end, "error_message");
  return string_or(end, "status") + (message.empty() ? "" : ": " + message);
}

bool RunProject::says(int number, const std::string& text) const {
  Child child(PAWL_BINARY, {"issue", "logs", std::to_string(number), "-f"}, with_tmux());
  return child.wait_for(text);
}

Ran RunProject::tmux(const std::vector<std::string>& args) const { return run_program("tmux", args, with_tmux()); }

std::string RunProject::before_tmux(const std::string& command) const {
  const std::string folder = home() + "/bin";
  const std::string tmux = run_program("sh", {"-c", "command -v tmux | tr -d '\\n'"}).out;
  fs::create_directories(folder);
  write_all(folder + "/tmux", "#!/bin/sh\n" + command + "\nexec " + tmux + " \"$@\"\n");
  fs::permissions(folder + "/tmux", fs::perms::owner_all);
  return "PATH=" + folder + ":" + std::string(getenv("PATH"));
}

bool RunProject::has_session(const std::string& name) const {
  return tmux({"has-session", "-t", "=" + name}).exit == 0;
}

void RunProject::end_server() const { static_cast<void>(tmux({"kill-server"})); }

std::string RunProject::worktree(int number) const {
  if (!exists(".worktrees")) return {};
  const std::string name = "issue-" + std::to_string(number);
  for (const auto& entry : fs::directory_iterator(file(".worktrees"))) {
    const std::string found = entry.path().filename().string();
    if (found == name || found.starts_with(name + "-")) return entry.path().string();
  }
  return {};
}

std::vector<pid_t> RunProject::processes(const std::vector<std::string>& words) const {
  std::map<pid_t, pid_t> parents;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::error_code error;
    const std::string cwd = fs::read_symlink(entry.path() / "cwd", error).string();
    if (error || !cwd.starts_with(path())) continue;
    const std::string line = read_all((entry.path() / "cmdline").string()).value_or("");
    // A word ends in a NUL, so that issue 4 is not 42.
    if (std::all_of(words.begin(), words.end(),
                    [&](const std::string& word) { return has('\0' + line, '\0' + word + '\0'); }))
      parents[static_cast<pid_t>(std::stol(name))] = parent_of(name);
  }
  // One that has just forked and not yet become another program looks like its parent.
  std::vector<pid_t> found;
  for (const auto& [pid, parent] : parents) {
    if (!parents.contains(parent)) found.push_back(pid);
  }
  return found;
}

std::size_t RunProject::kill_all(const std::vector<std::string>& words, int signal) const {
  const auto found = processes(words);
  for (const pid_t pid : found) {
    ::kill(pid, signal);
    EXPECT_TRUE(gone(pid));
  }
  return found.size();
}

}  // namespace pawl::test
