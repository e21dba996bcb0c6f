// Posting as the bot, each thing once: also when the run that wanted it was killed between posting and writing that
// down, and the next one is on a machine that knows nothing of it. The marker of a post follows from what it is, not
// from chance; before it is posted it is looked for among what came since the talk was read, and after it too: of two
// runs that post the same at the same moment, the later takes its own back. So it is where no answer came.
#pragma once

#include <string>

#include "engine/effects.h"
#include "integrations/posting.h"
#include "lifecycles/pr/comment_text.h"
#include "runners/pr/scene.h"

namespace pawl {

class Posts {
 public:
  Posts(Engine& engine, const Request& request, Forge& forge, const PullRef& pull, pr::Pen pen)
      : engine_(engine), request_(request), forge_(forge), pull_(pull), pen_(std::move(pen)) {}

  // What was read, and as whom: later comments are looked at before anything is posted. The first look counts: a task
  // that it found may be begun after others, and what was posted between was not seen by it.
  void seen_until(const std::string& time, std::string bot) {
    if (since_.empty()) since_ = time;
    bot_ = std::move(bot);
  }
  [[nodiscard]] const pr::Pen& pen() const { return pen_; }

  // `identity` tells this post from every other on this pull request. The answer has the comment's id,
  // and what it says where it was there already.
  [[nodiscard]] Result<Json> comment(const RecordId& record, const std::string& body, std::string_view identity);
  [[nodiscard]] Result<Json> reply(const RecordId& record, std::uint64_t to, const std::string& body,
                                   std::string_view identity);
  [[nodiscard]] Result<Json> review(const RecordId& record, const ReviewDraft& draft, std::string_view identity);
  // One that is there says something else from now on, and is known by this identity: who is about to post the same
  // finds it.
  [[nodiscard]] Done change_comment(std::uint64_t id, const std::string& body, std::string_view identity);
  [[nodiscard]] Done resolve(const RecordId& record, const std::string& thread);

  // What an earlier run on this machine had intended and not confirmed: written down where it happened, else given up;
  // what is still to be done is found anew.
  [[nodiscard]] Done settle_left_over();
  // The same of one record.
  [[nodiscard]] Done close_left_over(const RecordId& record);

 private:
  [[nodiscard]] Result<Json> carry(Result<Effect> intent, std::string_view identity);
  [[nodiscard]] std::string marker_of(std::string_view kind, std::string_view identity) const;
  [[nodiscard]] EffectHandler handler_for(const Effect& effect, bool act) const;
  [[nodiscard]] std::function<Result<Json>(const Effect&)> looking_after(const EffectHandler& known) const;
  [[nodiscard]] Result<std::optional<Json>> find(const Effect& effect) const;
  // Where another run was faster, ours is removed, and `posted` is theirs.
  [[nodiscard]] Done take_back_if_second(const Effect& effect, Json& posted) const;

  Engine& engine_;
  Request request_;
  Forge& forge_;
  PullRef pull_;
  pr::Pen pen_;
  std::string since_, bot_;
};

}  // namespace pawl
