// Running another program and reading what it says; and telling whether a process still lives.
//
// A process that cannot be seen is not dead: it may be in another container, or /proc may be missing or hide it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
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

// What tells a process from another that has its number, later or in another container.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t started = 0;     // in ticks since boot; 0: there is no such process, or it cannot be seen
  std::string boot = {};        // boot_id()
  std::string namespaces = {};  // the ids of its PID and time namespaces; "" where they cannot be read

  bool operator==(const ProcessIdentity&) const = default;
};

[[nodiscard]] ProcessIdentity identify_process(std::int64_t pid);
[[nodiscard]] ProcessIdentity this_process();
// As an object, and back.
[[nodiscard]] Json to_json(const ProcessIdentity& process);
[[nodiscard]] ProcessIdentity process_in(const Json& object);

enum class Life {
  ended,
  alive,
  unknown,  // it is in another namespace, or /proc does not show it
};
// Whether a process still holds a lock that the kernel frees when it ends. unknown: it took none, or nobody can tell.
enum class Held { no, yes, unknown };
// A zombie has ended: nobody works in it any more. Where the process cannot be seen, its lock tells.
[[nodiscard]] Life life_of(const ProcessIdentity& process, Held lock = Held::unknown);
// Whether the machine was started again since the process was identified.
[[nodiscard]] bool restarted_since(const ProcessIdentity& process);
// Whether it is seen to live.
[[nodiscard]] inline bool lives(const ProcessIdentity& process) { return life_of(process) == Life::alive; }
// Whether a process has this number here; yes where /proc does not tell.
[[nodiscard]] bool may_exist(std::int64_t pid);
// 0: there is no such process.
[[nodiscard]] std::int64_t parent_of(std::int64_t pid);
// Whether a program of this name is found as a shell would.
[[nodiscard]] bool is_in_path(const std::string& program);
// Waits for a process to end, so long at most; true when it is seen to have ended.
[[nodiscard]] bool ends_within(const ProcessIdentity& process, int ms);
// Another one after every start of the machine; "" where it cannot be read.
[[nodiscard]] std::string boot_id();

}  // namespace pawl
