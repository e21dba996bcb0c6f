// Replies to findings: what somebody has said about one, and nobody has answered. In a thread that is what follows it.
// A finding outside of the diff is a comment of its own, which has no thread: there a later comment is a reply that
// quotes it, as GitHub's "Quote reply" does, or links to it.
#pragma once

#include <string_view>
#include <vector>

#include "lifecycle/pr/trust.h"

namespace pawl::pr {

// Does this comment quote the finding (its sentence), or link to the comment that has it?
[[nodiscard]] bool speaks_of(std::string_view body, std::uint64_t comment, std::string_view finding);

// How far this answer goes: to the remark that its block names, which may be older than the last one before it.
// Somebody may have spoken while it waited to be posted.
[[nodiscard]] std::uint64_t answered_up_to(const Believed& answer);

// In a thread: newer than what the bot has answered, or edited since. `answers`: those on this finding, oldest first;
// `said`: all that the bot's blocks say in this thread. What it says without a block answers all before it.
[[nodiscard]] const Remark* unanswered(const TalkThread& thread, const std::vector<const Believed*>& answers,
                                       const std::vector<const Believed*>& said);
// The same among the replies to a finding that has no thread.
[[nodiscard]] const Remark* unanswered(const std::vector<const Remark*>& replies,
                                       const std::vector<const Believed*>& answers);

}  // namespace pawl::pr
