// The facts that only GitHub and the remote know, in the form that lifecycle/story/gates.h asks for: for moves by hand
// and by the bot alike.
#pragma once

#include <optional>
#include <string>

#include "core/record.h"
#include "drive/story_bot/look.h"
#include "engine/engine.h"
#include "lifecycle/story/pull_facts.h"
#include "world/forge.h"

namespace pawl {

[[nodiscard]] Result<Json> published_facts(Forge& forge, const std::string& repository, const std::string& remote,
                                           const PullRef& pull, const std::string& branch);
// What must be so before a pull request is merged.
struct MergeRules {
  std::int64_t approvals = 1;
  std::string base;  // the branch that stories go into: story.base, or the remote's main one
};
[[nodiscard]] Result<MergeRules> merge_rules(const Engine& engine, const std::string& repository);
[[nodiscard]] Json merge_facts(const story::PullFacts& facts, const Record& story, const std::string& me,
                               const MergeRules& rules);
[[nodiscard]] Json closed_facts(const story::PullFacts& facts, const Record& story);
[[nodiscard]] Json duplicate_facts(const story::PullFacts& facts, const Record& story);

// Another pull request, merged or open and by somebody whose word counts, that says it closes the story's issue;
// nothing where there is none or the story names no issue. `branch`: the story's own.
[[nodiscard]] Result<std::optional<story::PullFacts>> find_duplicate(Forge& forge, const RepoRef& repo,
                                                                     const Record& story, const std::string& branch,
                                                                     Believed& believed);

}  // namespace pawl
