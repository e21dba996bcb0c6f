// What the bot does to the world with git, by the effects protocol (engine/effects.h): a branch with its worktree, a
// commit, a push. Like those on GitHub (integrations/posting.h) each is looked for before it is done again, so that a
// bot which was killed at any point leaves none of them twice.
//
//   branch   found when the worktree is there with the branch
//   commit   found by its marker, which stands in the message
//   push     found when the remote has the commit
#pragma once

#include <map>
#include <string>

#include "engine/effects.h"
#include "integrations/forge.h"
#include "integrations/posting.h"

namespace pawl {

struct BranchWish {
  std::string repository, folder, branch, base;  // base: a commit
};
[[nodiscard]] Result<Effect> intend_branch(const RecordId& story, const BranchWish& wish);

struct CommitWish {
  std::string folder, after, subject;  // after: the commit that is HEAD now
  std::vector<std::string> left_out;   // files of pawl's
};
[[nodiscard]] Result<Effect> intend_commit(const RecordId& story, const CommitWish& wish);

struct PushWish {
  std::string folder, remote, branch, commit;
};
[[nodiscard]] Result<Effect> intend_push(const RecordId& story, const PushWish& wish);

// How all of them, and those on GitHub, are done and found again.
class StoryActs {
 public:
  explicit StoryActs(Forge* forge);
  [[nodiscard]] const EffectHandler* handler(const Effect& effect) const;
  // What a bot that died has left: found in the world, or done now where the story still wants it, or given up. A merge
  // is only looked for: whoever merges looks at the pull request first.
  [[nodiscard]] Done settle_all(Engine& engine) const;

 private:
  std::map<std::string, EffectHandler, std::less<>> git_;
  std::optional<ForgeActs> forge_;
};

}  // namespace pawl
