// Replies to findings: what somebody has said about one, and nobody has answered. In a thread that is what follows it.
// A finding outside of the diff is a comment of its own, which has no thread: there a later comment is a reply that
// quotes it, as GitHub's "Quote reply" does, or links to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lifecycles/pr/trust.h"

namespace pawl::pr {

// A finding that has no thread.
struct Beside {
  std::uint64_t comment = 0;  // that has it; 0: it is gone
  std::string sentence;
  std::string path;
  std::int64_t line = 0;
};
// Which of them a comment is about, by their places here: those whose comment it links to, and those that it quotes. A
// sentence that is only a part of another one that is quoted is not, and of those that say the same the place tells.
[[nodiscard]] std::vector<std::size_t> spoken_of(std::string_view body, const std::vector<Beside>& findings);

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
