#include "runners/story_bot/acts.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "integrations/git_branch.h"
#include "integrations/git_worktree.h"
#include "lifecycles/story/story.h"

namespace pawl {
namespace {

constexpr std::string_view kBranch = "branch", kCommit = "commit", kPush = "push";

std::string in(const Effect& effect, std::string_view name) { return string_or(effect.request, name); }

std::vector<std::string> left_out_in(const Effect& effect) {
  std::vector<std::string> out;
  const auto found = effect.request.find("left_out");
  if (found == effect.request.end() || !found->is_array()) return out;
  for (const Json& one : *found) {
    if (one.is_string()) out.push_back(one.get<std::string>());
  }
  return out;
}

// What stands in the way will stand there still: it surely did not happen, and is not tried again by itself.
Error surely_not(Error error) {
  if (error.code == ErrorCode::conflict) error.code = ErrorCode::illegal_move;
  return error;
}

EffectHandler branch_acts() {
  return {[](const Effect& effect) -> Result<Json> {
            const auto made = git_worktree_for(in(effect, "repository"),
                                               {in(effect, "folder"), in(effect, "branch"), in(effect, "base")});
            if (!made) return tl::unexpected(surely_not(made.error()));
            return Json{{"folder", in(effect, "folder")}, {"base", made->base}, {"new", made->made_branch}};
          },
          [](const Effect& effect) -> Result<std::optional<Json>> {
            PAWL_ASSIGN(const auto worktrees, git_worktrees(in(effect, "repository")));
            for (const Worktree& one : worktrees) {
              if (!one.gone && one.branch == in(effect, "branch"))
                return std::optional(Json{{"folder", one.path}, {"head", one.head}});
            }
            return std::optional<Json>();
          }};
}

EffectHandler commit_acts() {
  return {[](const Effect& effect) -> Result<Json> {
            const std::string message = cat(in(effect, "subject"), "\n\nPawl-Effect: ", effect.marker, "\n");
            PAWL_ASSIGN(const auto commit, git_commit_all(in(effect, "folder"), message, left_out_in(effect)));
            return commit ? Json{{"commit", *commit}} : Json{{"nothing", true}};
          },
          [](const Effect& effect) -> Result<std::optional<Json>> {
            PAWL_ASSIGN(const auto commit, git_commit_with(in(effect, "folder"), in(effect, "after"), effect.marker));
            return commit ? std::optional(Json{{"commit", *commit}}) : std::nullopt;
          }};
}

EffectHandler push_acts() {
  return {[](const Effect& effect) -> Result<Json> {
            const Done pushed =
                git_push(in(effect, "folder"), in(effect, "remote"), in(effect, "branch"), in(effect, "commit"));
            if (!pushed) return tl::unexpected(surely_not(pushed.error()));
            return Json{{"commit", in(effect, "commit")}};
          },
          [](const Effect& effect) -> Result<std::optional<Json>> {
            PAWL_ASSIGN(const auto there,
                        git_remote_commit(in(effect, "folder"), in(effect, "remote"), in(effect, "branch")));
            return there && *there == in(effect, "commit") ? std::optional(Json{{"commit", *there}}) : std::nullopt;
          }};
}

// What is made up for when a bot that died has left it, and in which statuses of its story. Not a commit, nor a merge
// or marking ready: whether they are right still is decided anew, by how things stand then.
struct MadeUpFor {
  std::string_view kind;
  std::array<std::string_view, 2> in;
};
constexpr std::array kMadeUpFor = {
    MadeUpFor{kBranch, {story::kPending}},
    MadeUpFor{kPush, {story::kCommitted, story::kPushed}},
    MadeUpFor{kPullAct, {story::kCommitted}},
    MadeUpFor{kCommentAct, {story::kPushed}},
};

enum class Left {
  wanted,
  waits,  // the story is held or paused, and nothing is done for it
  over,   // found in the world, or given up
};

Left left_of(const Effect& effect, const Record& story) {
  const auto row =
      std::find_if(kMadeUpFor.begin(), kMadeUpFor.end(), [&](const MadeUpFor& one) { return one.kind == effect.kind; });
  if (!story.present() || story.aside || row == kMadeUpFor.end()) return Left::over;
  if (std::find(row->in.begin(), row->in.end(), story.status) == row->in.end()) return Left::over;
  return story::own_of(story.doc).stuck.empty() ? Left::wanted : Left::waits;
}

}  // namespace

Result<Effect> intend_branch(const RecordId& story, const BranchWish& wish) {
  return new_effect(
      kBranch, story,
      {{"repository", wish.repository}, {"folder", wish.folder}, {"branch", wish.branch}, {"base", wish.base}});
}

Result<Effect> intend_commit(const RecordId& story, const CommitWish& wish) {
  return new_effect(
      kCommit, story,
      {{"folder", wish.folder}, {"after", wish.after}, {"subject", wish.subject}, {"left_out", wish.left_out}});
}

Result<Effect> intend_push(const RecordId& story, const PushWish& wish) {
  return new_effect(
      kPush, story,
      {{"folder", wish.folder}, {"remote", wish.remote}, {"branch", wish.branch}, {"commit", wish.commit}});
}

StoryActs::StoryActs(Forge* forge)
    : git_{{std::string(kBranch), branch_acts()},
           {std::string(kCommit), commit_acts()},
           {std::string(kPush), push_acts()}} {
  if (forge != nullptr) forge_.emplace(*forge);
}

const EffectHandler* StoryActs::handler(const Effect& effect) const {
  if (const auto found = git_.find(effect.kind); found != git_.end()) return &found->second;
  return forge_ ? forge_->handler(effect) : nullptr;
}

Done StoryActs::settle_all(Engine& engine) const {
  if (!engine.has_store()) return done();
  const auto is = [&](const Effect& effect, Left what) {
    if (!story::is_story(effect.record.kind) || handler(effect) == nullptr) return false;
    std::optional<Left> left;
    const Done read = engine.read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(const Record record, view.load(effect.record));
      left = left_of(effect, record);
      return done();
    });
    return read && left == what;
  };
  // Where one cannot be looked for (its folder or its pull request is gone) it is not found either.
  const auto find = [&](const Effect& effect) -> Result<std::optional<Json>> {
    auto found = handler(effect)->find(effect);
    if (!found && (found.error().code == ErrorCode::io || found.error().code == ErrorCode::not_found))
      return std::optional<Json>();
    return found;
  };
  const Done closed = close_effects(
      engine, [&](const Effect& effect) { return is(effect, Left::over); }, find);
  if (!closed && closed.error().code == ErrorCode::io) return closed;
  const auto settled =
      settle(engine, [&](const Effect& effect) { return is(effect, Left::wanted) ? handler(effect) : nullptr; });
  // One that cannot be settled now was told of, and holds up nothing.
  return settled || settled.error().code != ErrorCode::io ? done() : Done(tl::unexpected(settled.error()));
}

}  // namespace pawl
