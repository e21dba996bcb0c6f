// The real binary, run as a user runs it. What a user sees is tested through this and nothing else.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::test {

struct RunOptions {
  std::vector<std::string> env;  // "NAME=value", on top of an environment without PAWL_*, NO_COLOR and TERM
  std::string input;             // stdin
  std::string cwd;               // empty: where the tests run
  enum class Stdout {
    pipe,      // read and returned
    terminal,  // the same through a pseudo-terminal
    closed,    // the process starts without a stdout
    deaf,      // a pipe whose reader is gone
  } out = Stdout::pipe;
  std::string out_path;  // not empty: stdout goes to this file
  int timeout_ms = 120'000;
};

struct Ran {
  int exit = -1;  // 128 + the signal when it was killed
  std::string out;
  std::string err;
};

[[nodiscard]] bool has(std::string_view text, std::string_view part);

// A process under way.
class Child {
 public:
  Child(const std::string& program, const std::vector<std::string>& args, const RunOptions& options);
  ~Child();  // kills what is still running
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  void send(int signal) const;
  // Reads stdout until it contains `text`; false when the process ended or time ran out before.
  bool wait_for(std::string_view text, int timeout_ms = 30'000);
  // Reads both streams to their ends and waits. A process that takes too long is killed, and that is said in `err`.
  Ran finish();

 private:
  // Feeds stdin and reads what there is, once; false when both streams are at their end.
  bool pump(int timeout_ms);
  void reap();

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  std::string input_;
  Ran ran_;
  int timeout_ms_;
};

// Waits until a process that is not a child has ended; false after `timeout_ms`.
[[nodiscard]] bool ends(pid_t pid, int timeout_ms = 30'000);

// PAWL_BINARY with these arguments.
[[nodiscard]] Ran run_pawl(const std::vector<std::string>& args, const RunOptions& options = {});
// Any program, found in PATH.
[[nodiscard]] Ran run_program(const std::string& program, const std::vector<std::string>& args,
                              const RunOptions& options = {});

// A folder of its own with a minimal .git and a home beside it; removed at the end.
class TempWorkspace {
 public:
  TempWorkspace();
  ~TempWorkspace();
  TempWorkspace(const TempWorkspace&) = delete;
  TempWorkspace& operator=(const TempWorkspace&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& home() const { return home_; }
  [[nodiscard]] std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

  // pawl, in this folder and with this home.
  [[nodiscard]] Ran run(const std::vector<std::string>& args, RunOptions options = {}) const;
  // The options that `run` uses, for a Child.
  [[nodiscard]] RunOptions options(RunOptions base = {}) const;

  // Names are relative to path(); folders are made.
  void write(std::string_view name, std::string_view bytes) const;
  [[nodiscard]] std::optional<std::string> read(std::string_view name) const;
  [[nodiscard]] bool exists(std::string_view name) const;

 private:
  std::string root_, path_, home_;
};

// Of any path. Reading what is not there gives nullopt.
[[nodiscard]] std::optional<std::string> read_all(const std::string& path);
void write_all(const std::string& path, std::string_view bytes);

}  // namespace pawl::test
