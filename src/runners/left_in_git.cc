#include "runners/left_in_git.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "integrations/git_command.h"
#include "integrations/git_worktree.h"
#include "lifecycles/issue/issue.h"
#include "lifecycles/story/bot_note.h"
#include "runners/issue/run_book.h"
#include "runners/issue/unfinished.h"
#include "runners/story_list.h"
#include "runners/story_place.h"
#include "runners/worktree_removal.h"

namespace pawl {
namespace {

// One look at a repository, however many stories there are.
struct Repository {
  std::vector<Worktree> worktrees;  // but for the main checkout
  std::set<std::string> branches;
};

Repository look_at(const std::string& folder) {
  Repository out;
  if (auto worktrees = git_worktrees(folder); worktrees && !worktrees->empty()) {
    worktrees->erase(worktrees->begin());
    out.worktrees = std::move(*worktrees);
  }
  const auto names = run_git(folder, {"for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/"});
  if (!names || names->exit_code != 0) return out;
  for (const std::string_view name : split(names->out, '\n')) {
    if (!name.empty()) out.branches.emplace(name);
  }
  return out;
}

// Behind what a branch is: whether taking it away would lose something. Where git does not say, it is not said either.
std::string only_there(const std::string& folder, const std::string& branch) {
  const auto ran = run_git(folder, {"rev-list", "--max-count=1", cat("refs/heads/", branch), "--not",
                                    cat("--exclude=", branch), "--branches", "--remotes", "--tags"});
  const bool work = ran && ran->exit_code == 0 && !trim(ran->out).empty();
  return work ? ", with commits that no other branch and no remote has" : std::string();
}

Done add_stories(Engine& engine, const View& view, std::vector<LeftInGit>& out) {
  PAWL_ASSIGN(const auto stories, all_stories(view, {std::nullopt, true}));
  const auto folder = story_repository(engine);
  if (!folder) return done();
  const Repository there = look_at(*folder);
  std::set<std::string> told, claimed;
  for (const Record& story : stories) {
    const std::string whose = cat("story ", story.id.key), branch = story::note_of(story.doc).branch,
                      named = string_or(story.doc, "branchName");
    claimed.insert({branch, named});
    for (const Worktree& one : there.worktrees) {
      const bool on_it = !one.branch.empty() && (one.branch == branch || one.branch == named);
      if (!on_it || one.gone || !is_called_as_bots(engine, story.id, one.path)) continue;
      told.insert(one.path);
      out.push_back({engine.world().roots->shortened(one.path), cat("a worktree that pawl made for ", whose)});
    }
    if (there.branches.contains(branch))
      out.push_back({branch, cat("a branch that pawl made for ", whose, only_there(*folder, branch))});
  }
  // Of a story that was dropped or went with its list, or on another branch than its story's: nothing but the name
  // tells whose it is.
  for (const Worktree& one : there.worktrees) {
    if (one.gone || told.contains(one.path) || !is_named_for_a_story(engine, one.path)) continue;
    const auto whose = std::find_if(stories.begin(), stories.end(),
                                    [&](const Record& story) { return is_called_as_bots(engine, story.id, one.path); });
    out.push_back({engine.world().roots->shortened(one.path),
                   cat("a worktree called as pawl calls ",
                       whose == stories.end() ? std::string("those of stories") : cat("that of story ", whose->id.key),
                       one.branch.empty() ? std::string(", on no branch") : cat(", on the branch ", one.branch))});
  }
  // Nor of its branch.
  const std::string& prefix = engine.settings().text("story.branch_prefix");
  for (const std::string& branch : there.branches) {
    if (prefix.empty() || !branch.starts_with(prefix) || claimed.contains(branch)) continue;
    if (const std::string work = only_there(*folder, branch); !work.empty())
      out.push_back({branch, cat("a branch called as pawl calls those of stories", work)});
  }
  return done();
}

// Of an issue that was cleaned up the branch stays where it is not merged; what was put aside is in git's stash.
Done add_cleaned_up(Engine& engine, const View& view, const Repository& there, std::vector<LeftInGit>& out) {
  const std::string& root = engine.workspace().root;
  const RunBook book(engine);
  for (const std::string& branch : there.branches) {
    const auto number = issue::issue_of_branch(branch);
    if (!number) continue;
    PAWL_ASSIGN(const auto former, book.former(view.store(), *number));
    const bool told = std::any_of(out.begin(), out.end(), [&](const LeftInGit& one) { return one.path == branch; });
    if (told || !former || former->made_branch != branch) continue;
    out.push_back({branch, cat("a branch that pawl made for issue ", *number, ", which was cleaned up",
                               only_there(root, branch))});
  }
  return done();
}

void add_stashed(const std::string& root, std::vector<LeftInGit>& out) {
  const auto ran = run_git(root, {"stash", "list", "--format=%gd%x09%gs"});
  for (const std::string_view line : split(ran && ran->exit_code == 0 ? std::string_view(ran->out) : "", '\n')) {
    const std::size_t tab = line.find('\t');
    const std::size_t mark = tab == std::string_view::npos ? tab : line.find(kInStash, tab);
    if (mark == std::string_view::npos) continue;
    const std::string_view whose = line.substr(mark + kInStash.size());
    if (!whose.starts_with("issue ") && !whose.starts_with("story ")) continue;  // somebody's own words
    out.push_back({std::string(line.substr(0, tab)), cat("in git's stash, what a cleanup has put aside of ", whose)});
  }
}

Done add_issues(Engine& engine, const View& view, std::vector<LeftInGit>& out) {
  Query query;
  query.kind = issue::kKind;
  PAWL_ASSIGN(const auto issues, view.list(query));
  const RunBook book(engine);
  std::optional<Repository> there;
  std::map<std::int64_t, issue::Run> runs;
  PAWL_ASSIGN(const auto cut_off, cut_off_starts(engine, view.store()));  // these may have no status
  for (const issue::Run& run : cut_off) runs.emplace(run.number, run);
  for (const Record& record : issues) {
    const auto number = parse_positive(record.id.key);
    if (!number) continue;
    PAWL_ASSIGN(const auto run, book.find(view.store(), *number));
    if (run) runs.insert_or_assign(*number, *run);
  }
  for (const auto& [number, run] : runs) {
    if (run.adopted) continue;
    if (!there) there = look_at(engine.workspace().root);
    const std::string whose = cat("issue ", number);
    const Worktree* const worktree = run.worktree.empty() ? nullptr : worktree_at(there->worktrees, run.worktree);
    if (worktree != nullptr && !worktree->gone)
      out.push_back({engine.world().roots->shortened(worktree->path), cat("the worktree of ", whose)});
    if (there->branches.contains(run.made_branch))
      out.push_back({run.made_branch,
                     cat("a branch that pawl made for ", whose, only_there(engine.workspace().root, run.made_branch))});
  }
  if (!there) there = look_at(engine.workspace().root);
  return add_cleaned_up(engine, view, *there, out);
}

}  // namespace

Result<std::vector<LeftInGit>> left_in_git(Engine& engine, const View& view) {
  std::vector<LeftInGit> out;
  if (engine.workspace().git_dir.empty()) return out;
  PAWL_TRY(add_stories(engine, view, out));
  PAWL_TRY(add_issues(engine, view, out));
  add_stashed(engine.workspace().root, out);
  if (const auto folder = story_repository(engine); folder && *folder != engine.workspace().root)
    add_stashed(*folder, out);
  return out;
}

}  // namespace pawl
