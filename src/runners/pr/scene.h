// A pull request as it is fetched for a run: three requests when nothing is new, and what the law reads from them.
#pragma once

#include <string>
#include <vector>

#include "integrations/forge.h"
#include "lifecycles/pr/talk.h"

namespace pawl {

struct Scene {
  PullRequest pull;
  std::string bot;  // the account that pawl speaks as
  std::vector<Comment> comments;
  Said said;
  pr::Talk talk;       // views into the two above
  std::string newest;  // the time of the newest of them: later ones were not seen
};

// `login`: the bot's account; "": the one that the token belongs to.
[[nodiscard]] Result<Scene> look_at(Forge& forge, const PullRef& ref, const std::string& login);
// What the law reads, from values that were fetched. `scene.comments`, `said`, `pull` and `bot` are given.
void make_talk(Scene& scene);

// Any workflow of the repository writes as this account, so that its name alone proves little.
[[nodiscard]] bool is_shared_account(std::string_view login);

}  // namespace pawl
