#include "runners/issue/advice.h"

#include "base/place.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "integrations/git.h"
#include "integrations/git_branch.h"
#include "integrations/git_ignored.h"
#include "integrations/git_worktree.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/before_start.h"
#include "runners/issue/copied_files.h"
#include "runners/issue/run_issue.h"
#include "runners/issue/sessions.h"

namespace pawl {
namespace {

// What is in its worktree and in no commit: "" where there is nothing, or the worktree is gone.
struct OnlyThere {
  std::string uncommitted;  // "3 files in .worktrees/issue-42 are not committed"
  std::string ignored;      // "; 2 ignored files are only in its worktree: out/", to go behind something else
};
Result<OnlyThere> only_there(Engine& engine, const issue::Run& run) {
  OnlyThere out;
  if (run.worktree.empty() || real_path(run.worktree).empty()) return out;
  if (!git_check_worktree(engine.workspace().root, run.worktree)) return out;  // cleanup says what it is
  PAWL_ASSIGN(const CopiedNow copied, compare_copied(*engine.world().roots, run.copied, run.worktree));
  PAWL_ASSIGN(const auto dirty, git_dirty(run.worktree, copied.same));
  if (!dirty.empty())
    out.uncommitted = cat(dirty.size(), dirty.size() == 1 ? " file in " : " files in ",
                          printable(engine.world().roots->shortened(run.worktree)),
                          dirty.size() == 1 ? " is not committed" : " are not committed");
  PAWL_ASSIGN(const IgnoredFiles ignored, git_ignored(run.worktree, copied.same));
  if (!ignored.empty())
    out.ignored = cat("; ", ignored_count(ignored), ignored.count == 1 ? " is" : " are",
                      " only in its worktree: ", ignored_places(ignored));
  return out;
}

// To a remote, where there is one; a pull request can be asked for where it is GitHub.
Result<std::string> way_out(const Engine& engine, const std::string& branch) {
  const std::string name = shell_word(branch);
  const auto remotes = git_remotes(engine.workspace().root);
  if (!remotes && remotes.error().code != ErrorCode::not_found) return tl::unexpected(remotes.error());
  if (!remotes || remotes->empty()) return cat("git merge ", name, "  # takes it over");
  const Remote& remote = remotes->front();
  return cat("git push -u ", shell_word(remote.name), " ", name,
             remote.url.find("github") != std::string::npos ? cat("\ngh pr create --head ", name) : std::string());
}

}  // namespace

std::string again_command(const Engine& engine, std::int64_t number, bool titled) {
  const Settings& settings = engine.settings();
  const bool named = settings.source("issue.agent") != SettingSource::standard && settings.trusted("issue.agent");
  return cat("pawl issue run ", number, " --again", titled ? "" : " --title TITLE", named ? "" : " -- AGENT");
}

std::string start_command(const Engine& engine, std::int64_t number, bool titled) {
  return cat("pawl issue run ", number, titled ? "" : " --title TITLE",
             has_agent(engine, std::nullopt) ? "" : " -- AGENT");
}

std::string resume_command(const Engine& engine, std::int64_t number, bool agent) {
  return agent ? cat("pawl issue resume ", number) : again_command(engine, number, true);
}

std::string without_session(const Engine& engine, std::int64_t number, const Remains& remains) {
  const std::string end =
      cat("pawl issue reconcile ", number, "  # ", remains.output ? "says how it ended" : "ends it");
  if (remains.worktree) return cat(resume_command(engine, number, remains.agent), "  # goes on with it\n", end);
  if (engine.workspace().git_dir.empty()) return end;
  return cat(again_command(engine, number, remains.titled), "  # begins anew\n", end);
}

Result<std::string> how_to_open(Engine& engine, const Record& record) {
  const std::int64_t number = issue::number_of(record);
  PAWL_ASSIGN(const bool untitled, needs_title(engine, number));
  if (!record.present()) {
    PAWL_ASSIGN(const auto known, RunBook(engine).find(number));
    Sessions sessions(engine);
    const auto there = known && known->ended.empty() ? sessions.has(*known) : Result<bool>(false);
    if (there && *there)
      return cat("pawl issue reconcile ", number, "  # its session is at work: has it running again, and watched");
    return cat(start_command(engine, number, !untitled), "  # starts it");
  }
  if (record.held)
    return cat("pawl issue set ", number, " STATUS  # ", join_or(status_names(issue::machine())), ": mends it first");
  PAWL_ASSIGN(const std::string worktree, worktree_of(engine, number));
  if (record.status == issue::kComplete || worktree.empty())
    return cat(again_command(engine, number, !untitled), "  # runs it once more");
  PAWL_ASSIGN(const auto run, RunBook(engine).find(number));
  return cat(resume_command(engine, number, has_agent(engine, run)), "  # opens one");
}

Result<std::vector<std::string>> merged_into(const Engine& engine, const std::string& branch) {
  std::vector<std::string> out;
  for (const std::string& name : {engine.settings().text("issue.base_branch"), std::string("HEAD")}) {
    if (name.empty()) continue;
    // A commit that is merely checked out keeps nothing, and neither does the branch itself.
    PAWL_ASSIGN(std::string target, git_branch_called(engine.workspace().root, name));
    if (!target.empty() && target != cat("refs/heads/", branch)) out.push_back(std::move(target));
  }
  return out;
}

Result<std::string> next_for(Engine& engine, const issue::Run& run) {
  const std::string& repository = engine.workspace().root;
  const std::string branch = printable(run.branch), clean = cat("\npawl issue cleanup ", run.number);
  const auto tip = git_commit_of(repository, cat("refs/heads/", run.branch));
  if (!tip) return cat("its branch ", branch, " is gone", clean, "  # takes away what is left");
  PAWL_ASSIGN(const OnlyThere there, only_there(engine, run));
  const std::string &left = there.uncommitted, &ignored = there.ignored;
  PAWL_ASSIGN(const bool own, git_has_own_commits(repository, run.branch));
  bool merged = false;
  PAWL_ASSIGN(const auto targets, merged_into(engine, run.branch));
  for (const std::string& target : own ? std::vector<std::string>() : targets) {
    if (merged) continue;
    PAWL_ASSIGN(merged, git_is_merged(repository, run.branch, target));
  }
  if (!own && *tip != run.base && !merged)  // somebody's copy of it, or work that stands on it
    return cat("its work on ", branch, " is on another branch too, and not merged yet", left.empty() ? "" : "; ", left,
               ignored, clean, "  # once it is merged");
  if (!own && *tip != run.base)
    return cat("its work on ", branch, " is merged", left.empty() ? "" : "; ", left, ignored, clean,
               left.empty() ? "  # takes worktree and branch away" : "");
  if (!own && left.empty()) return cat("nothing was committed on ", branch, ", and no file is changed", ignored, clean);
  if (!own) return cat("nothing was committed on ", branch, ": ", left, ignored);
  PAWL_ASSIGN(const std::string way, way_out(engine, run.branch));
  return cat("its work is on ", branch, left.empty() ? "" : "; ", left, ignored, "\n", way, clean,
             "  # once it is merged");
}

}  // namespace pawl
