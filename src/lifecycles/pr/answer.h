// What an agent answers, checked before anything of it is posted. docs/formats/pr.md has the schema, and schema_of()
// says the same to the agent with every task.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "lifecycles/pr/plan.h"

namespace pawl::pr {

// The JSON object in what an agent printed: all of it, or what stands in its last `json` fence. invalid_argument says
// what came instead.
[[nodiscard]] Result<Json> answer_in(std::string_view printed);

struct NewFinding {
  std::string path;
  std::int64_t line = 0;  // 0: about the file, or the whole
  std::int64_t start_line = 0;
  std::string side = "RIGHT";
  std::string finding;     // one sentence
  std::string assessment;  // why, and what to do
  std::int64_t score = 0;  // 1 to 10
  bool gates = false;      // it stands for one of an automatic review whose comment is gone
};

// Of the assessment, in the block; the comment's text has it all.
inline constexpr std::size_t kMostOfAnAssessmentInABlock = 4'000;

struct ReviewAnswer {
  std::vector<NewFinding> findings;
  std::vector<std::string> fixed;  // ids of findings that are no more
  std::string summary;
};

inline constexpr std::string_view kDismissedOutcome = "dismissed";  // by a person, with pawl pr dismiss
inline constexpr std::string_view kReopenedOutcome = "reopened";    // the same, with pawl pr reopen
enum class Outcome { concession, maintained, escalated };
struct DisputeAnswer {
  Outcome outcome = Outcome::maintained;
  std::string reply;
};

// Each names the member that is wrong.
[[nodiscard]] Result<ReviewAnswer> review_answer(const Json& answer);
[[nodiscard]] Result<DisputeAnswer> dispute_answer(const Json& answer);
[[nodiscard]] Result<std::string> question_answer(const Json& answer);

[[nodiscard]] Json schema_of(TaskType type);

// The same file and place, and the same substance: what is not posted again while it is open. Likeness of the words
// does not do where the sentences name different things of the code.
[[nodiscard]] bool is_duplicate(const NewFinding& one, const Finding& known);
// Said twice by one review, word for word: it has seen both, and knows better than likeness whether they differ.
[[nodiscard]] bool is_duplicate(const NewFinding& one, const NewFinding& other);
[[nodiscard]] bool is_duplicate(const Finding& one, const Finding& known);
// Was it conceded or dismissed?
[[nodiscard]] bool is_given_up(std::string_view status, std::string_view outcome);
// The same again, which was conceded or dismissed, about code that is still what it was: nor is that posted. `code`
// tells the lines that the new one is about from others ("": they are not in the diff); a finding's block has its own.
[[nodiscard]] bool is_given_up(const NewFinding& one, std::string_view code, const Finding& known);

[[nodiscard]] std::string_view word_of(Outcome outcome);
// Where a dispute leaves its finding.
[[nodiscard]] std::string_view status_after(Outcome outcome);

}  // namespace pawl::pr
