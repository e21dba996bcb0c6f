// What the verbs of `pawl review` share: which review is meant, all that belongs to it, and how it is shown.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/context.h"
#include "commands/verb.h"
#include "engine/engine.h"
#include "lifecycles/review/command.h"
#include "lifecycles/review/look_alike.h"
#include "lifecycles/review/review.h"

namespace pawl::review {

inline constexpr Param kPrParam{
    .name = "pr",
    .value = "REF",
    .summary = "owner/repo#123, a URL or a number; otherwise the review that the state file shows",
    .max_bytes = 1'024,
    .not_empty = true,
    .offer = Offer::records,
    .offer_kind = "review"};
// Where the pull request is a word of the command too.
inline constexpr Param kSameAsWordParam{.name = "pr",
                                        .value = "REF",
                                        .summary = "the same as PR, as the other commands take it",
                                        .max_bytes = 1'024,
                                        .not_empty = true,
                                        .offer = Offer::records,
                                        .offer_kind = "review"};
inline constexpr Param kRefsParam{.name = "ref",
                                  .value = "REF",
                                  .summary = "ids (H2), indexes from 1, or titles",
                                  .positional = true,
                                  .required = true,
                                  .many = true,
                                  .max_bytes = kMaxTitleBytes,
                                  .not_empty = true};
inline constexpr Param kYesParam{.name = "yes", .type = ParamType::flag, .summary = "do it without asking"};

// A finding as it was before an edit of its file took it out, by which operation.
struct Vanished {
  Record finding;
  std::int64_t operation = 0;

  bool operator==(const Vanished& other) const {
    return finding.id == other.finding.id && operation == other.operation;
  }
};

// A review with all that belongs to it.
struct Whole {
  Record review;
  std::vector<Record> chunks, findings;
  // Where it was read whole from outside a change:
  std::vector<std::string> unread;     // unread_copies
  std::vector<LookAlike> look_alikes;  // look_alikes_of
  std::vector<Vanished> vanished;      // vanished_of
  bool post_unknown = false;           // whether_posted_is_unknown
  bool file_is_gits = false;           // its state file is as git left it, and is not read

  [[nodiscard]] const std::string& pr() const { return review.id.key; }
  [[nodiscard]] std::vector<Record> all() const;
};

// The state file alone: for what changes only findings. And all three.
[[nodiscard]] Look look_at_state();
[[nodiscard]] Look look_at_files();

// The one that the state file shows, if any.
[[nodiscard]] Result<std::optional<Record>> current_review(const View& view);
// By what a user typed, or the current one. not_found says how to begin.
[[nodiscard]] Result<Record> review_meant(const View& view, const std::string& typed);
[[nodiscard]] Result<std::vector<Record>> chunks_of(const View& view, std::string_view pr);
[[nodiscard]] Result<std::vector<Record>> findings_of(const View& view, std::string_view pr);
[[nodiscard]] Result<Whole> whole_of(const View& view, Record review);
// Of findings that were added, those whose file or lines the pull request does not have, a sentence each. They are kept
// all the same: a reviewer may mean a file that is missing.
[[nodiscard]] std::vector<std::string> odd_places(const Engine& engine, const Record& review,
                                                  std::span<const Record> chunks,
                                                  std::span<const FindingValues> findings);

// The copies of its files that could not be read, from the time since it began, about which nobody has decided yet: one
// may have had a finding in it that is nowhere else.
[[nodiscard]] std::vector<std::string> unread_copies(const Engine& engine, const Record& review);

// The reviews under way, set aside or not, that one of these copies keeps from approving, each with those that do.
struct KeptBack {
  Record review;
  std::vector<std::string> copies;
};
[[nodiscard]] Result<std::vector<KeptBack>> kept_back_by(const Engine& engine, const View& view,
                                                         const std::vector<std::string>& copies);
// Is it a copy of a review's state file; and may it be such a one, by where it lies?
[[nodiscard]] bool is_of_a_review(std::string_view copy);
[[nodiscard]] bool keeps_from_approving(std::string_view copy);
// What to type to let go of a copy, which for such a one wants a reason.
[[nodiscard]] std::string dismissal_of(std::string_view copy);

// What in its state file, as it stands there or as it was set aside, looks like a finding and is none.
[[nodiscard]] Result<std::vector<LookAlike>> look_alikes_of(const Engine& engine, const View& view,
                                                            const Record& review);
// [{"file", "line", "text"}], where `file` is the one that has them.
[[nodiscard]] Json look_alikes_json(const std::vector<LookAlike>& list, std::string_view file = kStatePath);

// Findings, other than minor ones, that somebody's edit of the file took out since the review began, and that nobody
// has brought back or dropped. `findings`: those that it has.
[[nodiscard]] Result<std::vector<Vanished>> vanished_of(const View& view, const Record& review,
                                                        const std::vector<Record>& findings);
// A finding of this review that is gone, by its id: as it was last, however it went.
[[nodiscard]] Result<Record> finding_as_it_was(const View& view, const Record& review, const std::string& id);
// [{"id", "severity", "title", "operation"}]
[[nodiscard]] Json vanished_json(const std::vector<Vanished>& list);

// It was being posted, the answer was lost or the process died, and nobody has looked since.
[[nodiscard]] Result<bool> whether_posted_is_unknown(const View& view, const Record& review);
inline constexpr std::string_view kPostUnknown = "it is not known whether it was posted: GitHub's answer was lost";

// What keeps it from being posted or approved until somebody has looked goes onto the board.
[[nodiscard]] Done see_on_board(const Engine& engine, const View& view, const Record& review, Stand& stand);

// illegal_move: it was posted, and is over.
[[nodiscard]] Done must_be_active(const Record& review);

// A question whose answer is y or n; nothing where nobody sits at a terminal.
[[nodiscard]] std::optional<bool> asked_yes(Context& context, std::string_view question);

// The records that are there now, for what looks them up.
class InView final : public KnownRecords {
 public:
  explicit InView(const View& view) : view_(view) {}
  [[nodiscard]] Result<Record> load(const RecordId& id) const override;
  [[nodiscard]] Result<std::vector<Record>> ranked(std::string_view kind, const std::string& from,
                                                   const std::string& below) const override;

 private:
  const View& view_;
};

// Somebody wrote another head into the state file: it is said until `pawl review validate` has looked.
void say_head_written(Context& context, const Record& review);

// Reads the whole review that is meant.
[[nodiscard]] Result<Whole> read_whole(Context& context, const Arguments& arguments);

// A change of the one that is meant.
using DecideReview = std::function<Result<Decision>(const View&, const Record&, const Now&)>;
[[nodiscard]] Result<Outcome> change_review(Context& context, const std::string& typed, const Look& look,
                                            const DecideReview& decide);

// `pawl review start`, once the pull request and its plan are known. On a terminal it asks before another review is set
// aside; elsewhere that needs `yes`.
[[nodiscard]] Result<Reply> start(Context& context, const StartReview& command, bool yes);
// The review and its files go, in one operation that undo takes back.
[[nodiscard]] Result<Reply> clean(Context& context, const std::string& pr);

// {"id", "marked", "severity", …, "suggestion"}
[[nodiscard]] Json finding_json(const Record& finding);
// The seed's chunk: {"chunk", "files", "loc", "status"}
[[nodiscard]] Json chunk_json(const Record& chunk);
// The seed's *Load State*.
[[nodiscard]] Json state_json(const Whole& whole);

// The seed's warning, with both heads; without a line end.
[[nodiscard]] std::string head_moved_words(std::string_view state, std::string_view current);
[[nodiscard]] std::string finding_line(const Json& finding, const TextStyle& style);
// Findings that are posted: those that are said on lines of the diff, then those in the text.
[[nodiscard]] std::string said_where(const Json& findings, const TextStyle& style);
[[nodiscard]] std::string state_text(const Json& state, const TextStyle& style);
// Of it: what kind of review at which head; and its chunks and findings, a line each, with how far it is.
[[nodiscard]] std::string review_in_words(const Json& state);
// Of chunks: those whose word is no status, a line each, and what to type.
[[nodiscard]] std::string held_text(const Json& chunks);
[[nodiscard]] std::string plan_text(const Json& state, const TextStyle& style);
inline constexpr std::string_view kAllOver = "next: pawl review validate, then export or post";
[[nodiscard]] std::string joined(const Json& list);
// Of chunks by number: "not reviewed yet: chunks 2, 3".
[[nodiscard]] std::string open_chunks_text(const Json& numbers);
// Of unread_copies: a line each, and what to do.
[[nodiscard]] std::string unread_text(const Json& copies);
// Of vanished_json: the same.
[[nodiscard]] std::string vanished_text(const Json& list, const std::string& pr);
[[nodiscard]] std::string post_unknown_text(const std::string& pr);
// Of look_alikes_json: the same.
[[nodiscard]] std::string look_alikes_text(const Json& list);

}  // namespace pawl::review
