// What can be done to a review: (records, command, now) → changes or a refusal. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "core/decide.h"
#include "lifecycles/review/plan.h"

namespace pawl::review {

inline constexpr std::size_t kMaxTitleBytes = 1'000;
inline constexpr std::size_t kMaxBodyBytes = 262'144;
inline constexpr std::size_t kMaxPathBytes = 4'096;

struct StartReview {
  std::string owner, repo;
  std::int64_t number = 0;
  std::string head_sha;
  std::string mode = "full";
  std::string focus;
  bool self = false;
  std::vector<PlannedChunk> chunks;
  std::vector<std::string> left_out;  // files that no chunk can name
};
// `review` and `chunks` as they stand under the new one's ids; a review that is under way is refused.
[[nodiscard]] Result<std::vector<Change>> decide(const Record& review, std::span<const Record> chunks,
                                                 const StartReview& command, const Now& now);

// All that belongs to a review is set aside, or taken up again.
[[nodiscard]] std::vector<Change> put_aside(std::span<const Record> records);
[[nodiscard]] std::vector<Change> take_up(std::span<const Record> records);
// All of it goes: what its files showed comes back with undo.
[[nodiscard]] std::vector<Change> cleaned(std::span<const Record> records);

struct MarkChunk {
  std::string status;
};
[[nodiscard]] Result<Change> decide(const Record& chunk, std::span<const Record> chunks, const MarkChunk& command,
                                    const Now& now);
// The one to go on with: in progress, else the first that is pending; nullptr when all are over.
[[nodiscard]] const Record* next_chunk(std::span<const Record> chunks);

// What a finding says. Nothing where it is not given: in a new one it is left out, in an edited one it stays.
struct FindingValues {
  std::optional<std::string> severity, title, file, category, body, suggestion;
  std::optional<std::int64_t> line, end_line, confidence;
};
// An error names the value that cannot be, and what is allowed.
[[nodiscard]] Done check(const FindingValues& values);

// Does a finding end where it begins, or behind? `line`: its first, 0 where it has none.
[[nodiscard]] Done check_lines(std::int64_t line, const std::optional<std::int64_t>& end_line);
// The name of a file as a pull request has them: one line, inside the repository.
[[nodiscard]] Done check_path(std::string_view path);
// One that was checked, spelled as git does: "./src//a.c" is "src/a.c".
[[nodiscard]] std::string tidy_path(std::string_view path);

// A new one, under an id of its own. In the review's focus it is raised; below the threshold it is not marked.
[[nodiscard]] Result<Change> add_finding(const Record& review, const Record& fresh, const FindingValues& values,
                                         const Now& now);
// A mark that its confidence and severity gave it goes with them; one that somebody gave it stays. A suggestion stays
// with a new text that has none, and goes with an empty one.
[[nodiscard]] Result<Change> edit_finding(const Record& review, const Record& finding, const FindingValues& values,
                                          const Now& now);
[[nodiscard]] Result<Change> drop_finding(const Record& finding);
// One that is gone comes back as it was.
[[nodiscard]] Result<Change> bring_back_finding(const Record& review, const Record& gone, const Record& was,
                                                const Now& now);
[[nodiscard]] Result<Change> mark_finding(const Record& finding, bool marked, const Now& now);

// By id ("H2"), by index from 1, or by title (the whole of it, or a part that only one has).
[[nodiscard]] Result<const Record*> find_finding(std::span<const Record> findings, std::string_view ref);

// A text that can stand in a finding: what would end it there (a rule, a heading of a section or another finding, a
// fence or comment that is left open) is spelled so that it does not.
[[nodiscard]] std::string fit_body(std::string_view text);

}  // namespace pawl::review
