#include "runners/pr/scene.h"

#include <algorithm>

#include "base/text.h"

namespace pawl {
namespace {

constexpr std::string_view kProgram = "[bot]";

pr::Remark remark_of(const Comment& comment, std::string_view bot) {
  const bool ours = same_login(comment.author, bot);
  return {comment.id,           comment.author,
          comment.association,  comment.body,
          comment.created_at,   comment.updated_at,
          ours && !bot.empty(), !ours && std::string_view(comment.author).ends_with(kProgram)};
}

}  // namespace

bool is_shared_account(std::string_view login) { return same_login(login, "github-actions[bot]"); }

void make_talk(Scene& scene) {
  pr::Talk& talk = scene.talk;
  talk.repository = scene.pull.ref.repo.text();
  talk.pull = scene.pull.ref.number;
  talk.head = scene.pull.head_sha;
  talk.base = scene.pull.base_ref;
  talk.open = scene.pull.state == PullState::open;
  talk.draft = scene.pull.draft;
  talk.comments.clear();
  talk.comments.reserve(scene.comments.size());
  const auto see = [&](const Comment& comment) {
    if (comment.updated_at > scene.newest) scene.newest = comment.updated_at;
  };
  for (const Comment& comment : scene.comments) {
    talk.comments.push_back(remark_of(comment, scene.bot));
    see(comment);
  }
  talk.threads.clear();
  for (const ReviewThread& thread : scene.said.threads) {
    if (thread.comments.empty()) continue;
    pr::TalkThread& made = talk.threads.emplace_back();
    made.node_id = thread.node_id;
    made.path = thread.path;
    made.line = thread.line;
    made.resolved = thread.resolved;
    made.outdated = thread.outdated;
    for (const Comment& comment : thread.comments) {
      made.remarks.push_back(remark_of(comment, scene.bot));
      see(comment);
    }
  }
  talk.reviews.clear();
  for (const Review& review : scene.said.reviews) {
    if (review.body.empty()) continue;
    const bool ours = same_login(review.author, scene.bot) && !scene.bot.empty();
    const bool program = !ours && std::string_view(review.author).ends_with(kProgram);
    talk.reviews.push_back({review.id, review.author, review.association, review.body, review.submitted_at,
                            review.updated_at, ours, program, true});
  }
  if (scene.newest.empty()) scene.newest = scene.pull.created_at;
}

Result<Scene> look_at(Forge& forge, const PullRef& ref, const std::string& login) {
  Scene scene;
  PAWL_ASSIGN(Glance glance, forge.glance(ref));
  scene.pull = std::move(glance.pull);
  scene.bot = login.empty() ? glance.viewer : login;
  PAWL_ASSIGN(scene.comments, forge.comments_known(ref, glance.comments));
  PAWL_ASSIGN(scene.said, forge.said(ref));
  make_talk(scene);
  return scene;
}

}  // namespace pawl
