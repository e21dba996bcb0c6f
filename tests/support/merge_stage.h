// What the tests of the merge share: the model's laws, or laws like them with more gates, one of a file with two kinds,
// a gate of each sort, and random cases made from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/merge.h"
#include "support/model_lifecycles.h"

namespace pawl::merge {

using model::kIssueFile;
using model::kLoopFile;
extern const FileLaw kStoryFile;   // the model's, with two gates for a move
extern const FileLaw kReviewFile;  // the model's, with gate `alone` and members that are pawl's
extern const FileLaw kTwoKinds;    // chunks are restored, findings are removed

struct NamedLaw {
  std::string_view name;
  const FileLaw* law;
};
[[nodiscard]] std::vector<NamedLaw> laws_of_one_kind();

// `criteria`: the record has "ok": true after the edit. `alone`: no other record is in progress. `pr`: it had a number
// before the edit. Others are never met.
[[nodiscard]] bool test_gate_met(const OurRecord& before, std::string_view gate, const Json& members_after,
                                 const Records& siblings);

// The inputs of one merge.
struct RandomCase {
  std::string law_name;
  const FileLaw* law = nullptr;
  std::vector<Content> images;   // baselines, oldest first
  std::vector<bool> by_command;  // of each image
  Ours ours;
  Content theirs;
  Policy policy;
  std::vector<std::string> elsewhere;
  bool without_base = false;  // row `another`

  [[nodiscard]] Look look() const;
  [[nodiscard]] std::vector<Baseline> known() const;
};

// `size`: how much was edited at most.
[[nodiscard]] RandomCase random_case(std::uint64_t seed, int size);
// A record before an operation, after it, and now; empty: no record.
[[nodiscard]] std::vector<std::optional<OurRecord>> random_history(std::uint64_t seed, int size);

// For comparing and printing: lists are sorted.
[[nodiscard]] Json as_json(const Content& content);
[[nodiscard]] Json as_json(const OurRecord& record);
[[nodiscard]] Json as_json(const Outcome& outcome);
[[nodiscard]] Json as_json(const RandomCase& one);

// "A is "pending" {} removed": a record, or what comes of a merge, in lines to compare with.
[[nodiscard]] std::string spelled(const OurRecord& record);
[[nodiscard]] std::vector<std::string> lines_of(const Outcome& outcome, const Ours& ours);
// "owner one", "A is ...", "file MEMBERS", "unread PIECE": what a file shows.
[[nodiscard]] std::vector<std::string> lines_of(const Content& content);

}  // namespace pawl::merge
