// Looking at a story's pull request: everything that a decision about it needs, in one value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/settings.h"
#include "integrations/forge.h"
#include "lifecycles/story/pull_facts.h"

namespace pawl {

// Whose word counts: those whom GitHub vouches for, a list, the members of an organisation.
class Believed {
 public:
  Believed(Forge& forge, const Settings& settings);
  [[nodiscard]] Result<bool> believes(const std::string& login, const std::string& association);

 private:
  Forge& forge_;
  std::vector<std::string> names_;
  std::string organisation_;
  std::map<std::string, bool> members_;  // as far as asked
};

// `me`: the bot's own account.
[[nodiscard]] Result<story::PullFacts> look_at_pull(Forge& forge, const PullRef& ref, Believed& believed,
                                                    const std::string& me);
// Without what was said and checked: what it is and whether it is over.
[[nodiscard]] Result<story::PullFacts> glance_at_pull(Forge& forge, const PullRef& ref);

}  // namespace pawl
