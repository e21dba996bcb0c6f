// `pawl issue run` as both executables carry it out: with a title given, and with one that GitHub has told.
#pragma once

#include <string>

#include "commands/context.h"
#include "commands/verb.h"

namespace pawl {

[[nodiscard]] Result<Reply> run_issue(Context& context, const Arguments& arguments, const std::string& title);

// The small executable, for processes that are left behind: what watches need not be linked to the network.
[[nodiscard]] std::string pawl_program(const std::string& self);

}  // namespace pawl
