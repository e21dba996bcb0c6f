// Where the code of a story is: the repository, the branch, the folder in which that is checked out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "integrations/git_branch.h"

namespace pawl {

// story.repo, or the workspace. untrusted: pawl.toml names another folder, and nobody has trusted it.
[[nodiscard]] Result<std::string> story_repository(const Engine& engine);

// not_found: what story.repo names, or the workspace, is no git repository.
[[nodiscard]] Done must_be_repository(const Engine& engine, const std::string& repository);

// story.remote: the name of a remote of the repository. untrusted: pawl.toml says an address or a folder in its place,
// and nobody has trusted it.
[[nodiscard]] Result<std::string> story_remote(const Engine& engine, const std::string& repository);

// The files that pawl keeps in step, the folders of its worktrees, and a pawl.toml and a pawl-left that nobody has
// committed, in the workspace and nowhere else: they do not make that tree dirty, and are not committed.
[[nodiscard]] Result<KeptFiles> files_kept_in_step(Engine& engine);

// How the folders that the bot makes for stories begin.
inline constexpr std::string_view kStoryFolder = "story-";
// The folder that the bot makes for a story; where an earlier story of this id has left one there, -2 stands behind it.
[[nodiscard]] std::string story_worktree(const Engine& engine, const RecordId& story);
// Whether a folder is called as one that the bot makes for some story, or for this one, and is not somebody's own
// checkout.
[[nodiscard]] bool is_named_for_a_story(const Engine& engine, const std::string& folder);
[[nodiscard]] bool is_called_as_bots(const Engine& engine, const RecordId& story, const std::string& folder);
// Whether a checkout is one that the bot made for the story: nobody's own.
[[nodiscard]] Result<bool> is_bots_worktree(const Engine& engine, const RecordId& story, const std::string& folder);

// `wanted`, or the one that the story names, or that the bot has made for it, or the one that is checked out here.
[[nodiscard]] Result<std::string> branch_for(const Engine& engine, const Record& story,
                                             const std::optional<std::string>& wanted);

// Is it what stories go into (story.base, or the remote's main branch; without either main or master), and so none's
// own?
[[nodiscard]] Result<bool> is_shared_branch(const Engine& engine, const std::string& branch);

// The story's branch as it is checked out.
[[nodiscard]] Result<CheckedOut> story_checkout(Engine& engine, const Record& story,
                                                const std::optional<std::string>& branch);
// The same; gate_failed: something in it is not committed.
[[nodiscard]] Result<CheckedOut> clean_checkout(Engine& engine, const Record& story,
                                                const std::optional<std::string>& branch);

}  // namespace pawl
