// Running git in a folder, free of the variables that tie it to another repository (a hook's GIT_DIR).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "base/result.h"

namespace pawl {

// Whatever it ends with; an error only where git could not be run.
[[nodiscard]] Result<Ran> run_git(const std::string& folder, std::vector<std::string> words,
                                  StandardError errors = StandardError::with_output);
// What it says, where it goes well.
[[nodiscard]] Result<std::string> ask_git(const std::string& folder, std::vector<std::string> words,
                                          StandardError errors = StandardError::dropped);
// Lines (or what ends in NUL) that are not empty.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text, char separator = '\n');

}  // namespace pawl
