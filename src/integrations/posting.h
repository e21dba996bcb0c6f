// Acts on a forge, by the effects protocol (engine/effects.h): each carries a marker, and is looked for in the world
// before it is done again. What a record's verb intends is committed with the record; then it is carried out.
//
//   effects.push_back(intend_comment(id, pull, body));   in the decision
//   carry_out(engine, effect, acts.handler(effect));     after the commit
//   settle(engine, …handler…);                           after a crash or a lost answer
#pragma once

#include <string>
#include <string_view>

#include "engine/effects.h"
#include "integrations/forge.h"

namespace pawl {

// Their kinds, as they are stored.
inline constexpr std::string_view kCommentAct = "comment";
inline constexpr std::string_view kReplyAct = "reply";
inline constexpr std::string_view kReviewAct = "review";
inline constexpr std::string_view kPullAct = "pull";
inline constexpr std::string_view kReadyAct = "ready";
inline constexpr std::string_view kResolveAct = "resolve";
inline constexpr std::string_view kMergeAct = "merge";

// Each effect's `request` says all that is needed to do it, so that another process can.
[[nodiscard]] Result<Effect> intend_comment(const RecordId& record, const PullRef& pull, const std::string& body);
[[nodiscard]] Result<Effect> intend_reply(const RecordId& record, const PullRef& pull, std::uint64_t in_reply_to,
                                          const std::string& body);
[[nodiscard]] Result<Effect> intend_review(const RecordId& record, const PullRef& pull, const ReviewDraft& draft);
[[nodiscard]] Result<Effect> intend_draft(const RecordId& record, const RepoRef& repo, const PullDraft& draft);
[[nodiscard]] Result<Effect> intend_ready(const RecordId& record, const PullRef& pull);
[[nodiscard]] Result<Effect> intend_resolve(const RecordId& record, const PullRef& pull, const std::string& thread);
[[nodiscard]] Result<Effect> intend_merge(const RecordId& record, const PullRef& pull, const std::string& head_sha,
                                          MergeMethod method);

// How they are done and found again on this forge; nullptr for an effect that is none of these.
class ForgeActs {
 public:
  explicit ForgeActs(Forge& forge);
  [[nodiscard]] const EffectHandler* handler(const Effect& effect) const;

 private:
  std::map<std::string, EffectHandler, std::less<>> handlers_;
};

// The longest text that GitHub takes, in characters.
inline constexpr std::size_t kMaxBodyCharacters = 65'536;

// A text with its marker in it, where readers do not see it.
[[nodiscard]] std::string marked(const std::string& body, const std::string& marker);

}  // namespace pawl
