// A review of a pull request that can be put down and taken up again. Three kinds of records, each small: the review,
// its chunks (which files are looked at together), its findings. Their keys begin with the pull request:
//
//   review   octo/cat#7        active, then posted
//   chunk    octo/cat#7/3      pending, in-progress, reviewed or skipped
//   finding  octo/cat#7/H2     marked for GitHub, or not
//
// Pure. The files in which they show: state_file.h, todo_file.h, export_file.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/lifecycle.h"

namespace pawl::review {

inline constexpr std::string_view kReview = "review";
inline constexpr std::string_view kChunk = "chunk";
inline constexpr std::string_view kFinding = "finding";

inline constexpr std::string_view kActive = "active";
inline constexpr std::string_view kPosted = "posted";

// What it is called in the log when only a note of where it was seen last has changed.
inline constexpr std::string_view kLookedAt = "looked at";
// A person let go of what was written into its file and could not be read; which, is the evidence.
inline constexpr std::string_view kLetGo = "let go of what could not be read";
inline constexpr std::string_view kLetGoRefused = "let go of what was refused";

inline constexpr std::string_view kPending = "pending";
inline constexpr std::string_view kInProgress = "in-progress";
inline constexpr std::string_view kReviewed = "reviewed";
inline constexpr std::string_view kSkipped = "skipped";

// How thoroughly it is reviewed.
inline constexpr std::array<std::string_view, 2> kModes = {"full", "quick"};

inline constexpr std::string_view kMarked = "marked";
inline constexpr std::string_view kUnmarked = "unmarked";

// What must hold for a chunk to be begun: no other one is under way.
inline constexpr std::string_view kAlone = "no other chunk in progress";

// In a review's document: files of the pull request that are in no chunk, as their names cannot stand in a plan.
inline constexpr const char* kLeftOut = "left_out";

// And the head that somebody wrote into the state file, where another one was reviewed: it was put back.
inline constexpr const char* kHeadWritten = "head_written";

[[nodiscard]] Error head_put_back(std::string_view reviewed, std::string_view written);

// And the head that the pull request has by now, where `pawl review validate` found another one and nobody has chosen.
inline constexpr const char* kHeadMoved = "head_moved";

// And the marker of the review that is being posted, or was when its answer was lost.
inline constexpr const char* kPosting = "posting";

inline constexpr std::string_view kFolder = ".review-buddy";
inline constexpr std::string_view kStatePath = ".review-buddy/review-buddy-state.md";
inline constexpr std::string_view kExportPath = ".review-buddy/review-buddy-findings.md";
inline constexpr std::string_view kTodoPath = ".review-buddy/review-todo.md";

inline constexpr std::size_t kMaxStateBytes = std::size_t{64} << 20U;

[[nodiscard]] const Machine& review_machine();
[[nodiscard]] const Machine& chunk_machine();
[[nodiscard]] const Machine& finding_machine();

[[nodiscard]] const Lifecycle& review_lifecycle();
[[nodiscard]] const Lifecycle& chunk_lifecycle();
[[nodiscard]] const Lifecycle& finding_lifecycle();

// "octo/cat#7"
[[nodiscard]] std::string pr_key(std::string_view owner, std::string_view repo, std::int64_t number);
// "octo/cat#7", and nothing else.
[[nodiscard]] bool is_pr_key(std::string_view text);
// What a key of any of the three begins with.
[[nodiscard]] std::string_view pr_of(std::string_view key);
// A review, or a part of one.
[[nodiscard]] bool is_of_review(std::string_view kind);
// Behind it: "3", "H2"; empty for a review.
[[nodiscard]] std::string_view part_of_key(std::string_view key);

// The name of a commit as git spells it, in small letters, in 4 to 64 hexadecimal digits: it is compared with what
// GitHub says. invalid_argument: it is none.
[[nodiscard]] Result<std::string> commit_hash(std::string_view typed);

[[nodiscard]] RecordId review_id(std::string_view pr);
[[nodiscard]] RecordId chunk_id(std::string_view pr, std::int64_t number);
[[nodiscard]] RecordId finding_id(std::string_view pr, std::string_view id);

// Keys of chunks and findings of one review, and no others: `from` or behind it, and before `below`.
struct KeysOfParts {
  std::string from, below;
};
[[nodiscard]] KeysOfParts keys_of_parts(std::string_view pr);

[[nodiscard]] std::int64_t number_of(const RecordId& chunk);
// Of "H12": 12; 0 when it is no such id.
[[nodiscard]] std::int64_t finding_number(std::string_view id);

// Ranks of the chunks or findings of one review lie between these two.
[[nodiscard]] std::string rank_from(std::string_view pr);
[[nodiscard]] std::string rank_below(std::string_view pr);

}  // namespace pawl::review
