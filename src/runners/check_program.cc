#include "runners/check_program.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "base/process.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr int kNoProgram = 126, kNotFound = 127;  // as POSIX has a shell exit

std::optional<std::string> why_path_cannot_run(const std::string& program, const std::string& folder) {
  const bool absolute = program.starts_with('/');
  if (!absolute && folder.empty()) return std::nullopt;
  const std::string path = absolute ? program : cat(folder, "/", program);
  struct stat there {};
  if (stat(path.c_str(), &there) != 0)
    return absolute && errno == ENOENT ? std::optional(cat(printable(program), " does not exist")) : std::nullopt;
  if (S_ISDIR(there.st_mode)) return cat(printable(program), " is a folder");
  if (access(path.c_str(), X_OK) != 0) return cat(printable(program), " is not executable");
  return std::nullopt;
}

std::string not_in_path(const std::string& program) {
  return cat("no program called ", printable(program), " is in PATH");
}

// Builtins and words of its grammar are no files.
bool shell_knows(const std::string& word) {
  const auto ran = run_program({"/bin/sh", "-c", "command -v \"$1\"", "sh", word}, 65'536);
  return !ran || ran->exit_code == 0;
}

}  // namespace

std::optional<std::string> why_it_cannot_run(const std::vector<std::string>& argv, const std::string& folder) {
  const std::string& program = argv.front();
  if ((program == "sh" || program == "/bin/sh") && argv.size() == 3 && argv[1] == "-c")
    return why_line_cannot_run(argv[2], folder);
  if (program.find('/') != std::string::npos) return why_path_cannot_run(program, folder);
  return is_in_path(program) ? std::nullopt : std::optional(not_in_path(program));
}

std::optional<std::string> why_line_cannot_run(const std::string& line, const std::string& folder) {
  // Of several commands in a line the first may be missing and the line still be true.
  if (line.find_first_of("|&;\n()`") != std::string::npos) return std::nullopt;
  const std::string_view trimmed = trim(line);
  const std::string program(trimmed.substr(0, trimmed.find_first_of(" \t")));
  if (program.empty() || program.find_first_of("$<>{}\\\"'*?[]#~!=") != std::string::npos) return std::nullopt;
  if (program.find('/') != std::string::npos) return why_path_cannot_run(program, folder);
  return shell_knows(program) ? std::nullopt : std::optional(not_in_path(program));
}

std::optional<std::string> why_it_did_not_run(const AgentRan& ran) {
  if (ran.end != AgentEnd::exited) return std::nullopt;
  if (ran.exit_code == kNotFound) return "a program or file that it runs was not found (exit code 127)";
  if (ran.exit_code == kNoProgram) return "a program that it runs cannot be executed (exit code 126)";
  return std::nullopt;
}

}  // namespace pawl
