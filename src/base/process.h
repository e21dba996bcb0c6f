// Running another program and reading what it says; and telling whether a process still lives.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace pawl {

struct Ran {
  int exit_code = 0;  // 128 + signal when it was killed
  std::string out;
};

enum class StandardError { dropped, with_output };

// Whether the variables that tie git to one repository (GIT_DIR and its kin, which hooks are run with) are passed on.
enum class GitVariables { kept, dropped };

// Whether a token of GitHub's in the environment is passed on: only to what the user's own agent is started by. The key
// that blocks are signed with (PAWL_BLOCK_KEY) is pawl's alone, and passed on to nobody.
enum class Secrets { dropped, kept };

// Started without a shell; input is empty. Output beyond `max_bytes`, or taking longer than `timeout_ms` (-1: any
// time), is an error; the latter is busy. `also`: variables ("NAME=VALUE") that it is given besides.
[[nodiscard]] Result<Ran> run_program(const std::vector<std::string>& argv, std::size_t max_bytes,
                                      StandardError errors = StandardError::dropped,
                                      GitVariables git = GitVariables::kept, int timeout_ms = -1,
                                      Secrets secrets = Secrets::dropped, const std::vector<std::string>& also = {});

// A process of its own that goes on when this one and its terminal are gone: in `folder`, without input and output.
[[nodiscard]] Done start_detached(const std::vector<std::string>& argv, const std::string& folder);

// The environment as programs are given it, ended by a null. `also` takes the place of what is inherited, and must
// outlive what is returned.
[[nodiscard]] std::vector<char*> inherited_environment(Secrets secrets, GitVariables git = GitVariables::kept,
                                                       const std::vector<std::string>& also = {});

// The files that a program begins with; -1: /dev/null.
struct Streams {
  int in = -1, out = -1, errors = -1;
};
// Started without a shell, and waited for by the caller.
[[nodiscard]] Result<pid_t> start_program(const std::vector<std::string>& argv, const Streams& streams,
                                          const std::vector<char*>& environment);

// What tells a process from another that later gets its number.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t started = 0;  // in ticks since boot; 0: there is no such process
};

[[nodiscard]] ProcessIdentity identify_process(std::int64_t pid);
// A zombie does not live: nobody works in it any more.
[[nodiscard]] bool lives(const ProcessIdentity& process);
// 0: there is no such process.
[[nodiscard]] std::int64_t parent_of(std::int64_t pid);
// Whether a program of this name is found as a shell would.
[[nodiscard]] bool is_in_path(const std::string& program);
// Waits for a process to end, so long at most; true when it has.
[[nodiscard]] bool ends_within(const ProcessIdentity& process, int ms);
// Another one after every start of the machine.
[[nodiscard]] std::string boot_id();

}  // namespace pawl
