// All that is pending on a pull request, in the order in which it is done: disputes, questions, reviews; in each the
// oldest first.
#pragma once

#include <string>
#include <vector>

#include "lifecycles/pr/picture.h"

namespace pawl::pr {

enum class TaskType { dispute = 1, question = 2, review = 3 };  // the number is the priority

struct Task {
  TaskType type = TaskType::review;
  std::string id;             // "dispute/ab12", "question/c77", "review/auto", "review/c78": how people name it
  std::string since;          // ISO: how long it waits
  std::uint64_t comment = 0;  // that began it; of one second the lower number is older
  RecordId record;
  // Of what it is about, one.
  const Finding* finding = nullptr;
  const Question* question = nullptr;
  const ManualReview* manual = nullptr;              // a review that somebody asked for; nullptr: an automatic one
  std::vector<const ManualReview*> also;             // others that asked for the same
  std::string triggered_by;                          // opened, synchronize, ready_for_review, manual-request
  bool resuming = false;                             // a review that was begun and not finished
  [[nodiscard]] std::string_view type_name() const;  // "dispute-resolution", …
  [[nodiscard]] bool automatic() const { return type == TaskType::review && manual == nullptr; }
};

// The id of what is to be done about a record.
[[nodiscard]] std::string task_id(std::string_view kind, std::string_view key);
// What somebody typed for a task: its id, or the name of what it is about, as pawl pr state, pawl pr dismiss and pawl
// show know it (pr-finding/ab12, finding/ab12).
[[nodiscard]] std::string task_named(std::string_view typed);

struct Plan {
  std::vector<Task> tasks;
  std::vector<const ManualReview*> dismissed;  // by the automatic review among the tasks
  std::string triggered_by;
};

[[nodiscard]] Plan plan_of(const Picture& picture, const Talk& talk, const Event& event, const Rules& rules);

// What is answered, in a word: the same task with something new in it, another text or another head, is another.
[[nodiscard]] std::string about(const Task& task, const Talk& talk);

// Nobody has asked for a review of this head, and nothing else is to do: whoever tries a bot out wonders why.
inline constexpr std::string_view kNoEvent =
    "the head has not been reviewed, and no event asks for it: give one (--event FILE), or set pr.auto_review to "
    "always";
[[nodiscard]] bool waits_for_event(const Picture& picture, const Plan& plan, const Talk& talk, const Rules& rules);

// Of an ExecutionResult without results: why there are none.
[[nodiscard]] std::string_view why_no_result(const Json& ran);

// The seed's ExecutionPlan and ProcessState, with every number of a comment as a text: they have more than 53 bits.
[[nodiscard]] Json to_json(const Plan& plan);
[[nodiscard]] Json to_json(const Task& task);
[[nodiscard]] Json to_json(const Picture& picture, const Talk& talk, const Rules& rules);

}  // namespace pawl::pr
