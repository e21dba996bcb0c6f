// What goes out under a bot's name: every bot's text passes here before it is posted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl::pr {

// Text that a model wrote or a person is quoted with, made fit to be posted as the bot: a fence called rmcoc becomes an
// ordinary one, a mention of the bot and a workflow command of GitHub Actions are broken up so that they look the same
// and do nothing.
[[nodiscard]] std::string defused(std::string_view text, const std::vector<std::string>& names);

}  // namespace pawl::pr
