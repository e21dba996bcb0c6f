// The law applied: (record, what is asked, what is in hand) → a change or a refusal. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/event.h"
#include "core/machine.h"

namespace pawl {

// What somebody brings to a move: the gates they can show to hold, each with its evidence.
// A gate is met when `evidence` has a member of its name that is neither null nor an empty text.
struct MoveRequest {
  std::string to;                       // a status, or kAbsent for removal
  std::optional<Doc> doc;               // the document after; where there is none, the one there is stays
  std::string what;                     // the event's name
  Json evidence;                        // gate → evidence
  bool record_gates = false;            // gates = "record": a missing gate is noted instead of refused
  std::string_view one_more_gate = {};  // of this one record, beyond its table
};

// The record as a machine sees it: its status, or kAbsent; a held record has neither and may be fixed to any status.
[[nodiscard]] std::string_view state_of(const Record& record);

[[nodiscard]] Result<Change> decide_move(const Machine& machine, const Record& record, MoveRequest request);

// Can a move to this status have been made without what it needs? (Those with a name are a person's.)
[[nodiscard]] bool needs_evidence(const Machine& machine, std::string_view status);

// A change that leaves a status where it is, and does not show all that the move to it lacked: whether that status was
// come to unverified is as it was before. `lacked`: the gates; none where it is not known which way it came.
[[nodiscard]] bool carries_doubt(const Machine& machine, const Change& change,
                                 std::span<const std::string> lacked = {});

// A status that is not in the table: the legal words, and the one that was probably meant.
[[nodiscard]] Error unknown_status(const Machine& machine, std::string_view word);
// The same of a word that stands in a file, which may say it otherwise than commands do.
[[nodiscard]] Error unknown_in_file(const Machine& machine, std::string_view word);

// Why a record is held, as the end of a sentence about it: the word is none of the table's, or one that it brought
// along and was never seen to become.
[[nodiscard]] std::string why_held(const Machine& machine, std::string_view word);

// "running (rerun) or absent": where the record may go from where it is.
[[nodiscard]] std::string legal_moves(const Machine& machine, const Record& record);

[[nodiscard]] std::vector<std::string_view> status_names(const Machine& machine);

// A sentence for a breach, naming the status.
[[nodiscard]] std::string describe(const Machine& machine, const Breach& breach);

}  // namespace pawl
