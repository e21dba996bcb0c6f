// The facts that only GitHub and the remote know, in the form that lifecycles/story/gates.h asks for: for moves by hand
// and by the bot alike.
#pragma once

#include <optional>
#include <string>

#include "core/record.h"
#include "engine/engine.h"
#include "integrations/forge.h"
#include "lifecycles/story/pull_facts.h"
#include "runners/story_bot/look.h"

namespace pawl {

// The story's pull request: the one that is named here, or by its file, or that its branch has. not_found: none.
[[nodiscard]] Result<PullRef> pull_of_story(Forge& forge, const RepoRef& repo, const Record& story,
                                            std::optional<std::int64_t> named, const std::string& branch);

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
// Whose pull requests another one's work is looked for in.
struct DuplicateSearch {
  Forge& forge;
  RepoRef repo;
  Believed& believed;
  std::string branch;  // the story's own: its own pull request is no other
};
// Another pull request, merged or open and by somebody whose word counts, that addresses the story.
[[nodiscard]] Result<Json> duplicate_facts(const DuplicateSearch& search, const story::PullFacts& facts,
                                           const Record& story);
// The same of the first that says it closes the story's issue; nothing where there is none or the story names no issue.
[[nodiscard]] Result<std::optional<Json>> find_duplicate(const DuplicateSearch& search, const Record& story);

}  // namespace pawl
