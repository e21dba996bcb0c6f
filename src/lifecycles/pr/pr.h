// What a bot has to do on a pull request, as records: findings and the disputes about them, questions, reviews that
// somebody asked for and reviews that a push asks for. Each has its own table; a record's scope is its pull request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/decide.h"
#include "core/lifecycle.h"

namespace pawl::pr {

inline constexpr std::string_view kFindingKind = "pr-finding";
inline constexpr std::string_view kQuestionKind = "pr-question";
inline constexpr std::string_view kManualReviewKind = "pr-manual-review";
inline constexpr std::string_view kAutoReviewKind = "pr-auto-review";

// In a finding's document: the comment that somebody has replied to it with and nobody has answered; "": none.
inline constexpr const char* kUnanswered = "unanswered";

// In an automatic review's: nothing was begun, a look found that it is due.
inline constexpr const char* kOnlySeen = "only_seen";

// Of a finding: a nicety is 1.
inline constexpr std::int64_t kHighestScore = 10;

// The words of FORMATS, which are the words in the blocks.
inline constexpr std::string_view kPending = "PENDING";
inline constexpr std::string_view kDisputed = "DISPUTED";
inline constexpr std::string_view kResolved = "RESOLVED";
inline constexpr std::string_view kEscalated = "ESCALATED";
inline constexpr std::string_view kInProgress = "IN_PROGRESS";
inline constexpr std::string_view kAnswered = "ANSWERED";
inline constexpr std::string_view kCompleted = "COMPLETED";
inline constexpr std::string_view kDismissed = "DISMISSED_BY_AUTO_REVIEW";
inline constexpr std::string_view kTriggered = "TRIGGERED";
inline constexpr std::string_view kCancelled = "CANCELLED";

[[nodiscard]] const Machine& finding_machine();
[[nodiscard]] const Machine& question_machine();
[[nodiscard]] const Machine& manual_review_machine();
[[nodiscard]] const Machine& auto_review_machine();
// Of a kind; nullptr when it is none of the four.
[[nodiscard]] const Machine* machine_of(std::string_view kind);
// The statuses that a block of this type (block.h) may name; nullptr: it names none.
[[nodiscard]] const Machine* machine_of_block(std::string_view type);
// One that does not exist would count for nothing, or for pending: invalid_argument names those that do.
[[nodiscard]] Done check_block_status(std::string_view type, const Json& data);

[[nodiscard]] const Lifecycle& finding_lifecycle();
[[nodiscard]] const Lifecycle& question_lifecycle();
[[nodiscard]] const Lifecycle& manual_review_lifecycle();
[[nodiscard]] const Lifecycle& auto_review_lifecycle();

// "octo/cat#7", in small letters: GitHub does not tell names by their case.
[[nodiscard]] std::string scope_of(std::string_view repository, std::int64_t pull);

// A step of its lifecycle; illegal_move where its table has none. `what` is the word for it in the history.
[[nodiscard]] Result<Change> moved(const Record& current, std::string_view to, std::optional<Json> doc,
                                   std::string_view what, Json evidence = {});

// What to type so that the bot takes it up.
[[nodiscard]] std::string how_to_run(const Record& record);

// What the settings say, read once. A pawl.toml that nobody has trusted says nothing here: it may come with the very
// pull request that it would let through.
struct Rules {
  std::vector<std::string> mentions;  // without the @
  std::string login;                  // the bot's account; "": whoever the token belongs to
  std::int64_t blocking_score = 5;
  std::int64_t escalate_after = 3;  // maintained so often, a dispute goes to people
  enum class Auto { events, always, never } auto_review = Auto::events;
  bool review_drafts = false;

  [[nodiscard]] bool may_auto_review(bool open, bool draft) const {
    return auto_review != Auto::never && open && (!draft || review_drafts);
  }
};
[[nodiscard]] Rules rules_of(const Settings& settings);
// Where a finding stands that keeps its pull request from being merged, which the rules say; nothing: where any does.
[[nodiscard]] std::optional<Stand> stand_by_rules(const Record& finding, const Rules& rules);

}  // namespace pawl::pr
