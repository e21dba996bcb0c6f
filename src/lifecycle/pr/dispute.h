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

// In a thread: newer than the bot's last word, or edited after it was answered. `answers`: the bot's, oldest first.
[[nodiscard]] const Remark* unanswered(const TalkThread& thread, const std::vector<const Believed*>& answers);
// The same among the replies to a finding that has no thread.
[[nodiscard]] const Remark* unanswered(const std::vector<const Remark*>& replies,
                                       const std::vector<const Believed*>& answers);

}  // namespace pawl::pr
