// The command that checks whether a loop is done (`pawl ralph run --verify`) belongs to the loop: whoever goes on with
// it goes on with its check, and a promise alone does not complete it. It is kept beside the record, not in it: the
// state file has other readers, and other writers, and none of them makes pawl run something.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/engine.h"

namespace pawl {

struct LoopCheck {
  std::string command;        // a shell's; "": there is one, and what it is is not known here
  std::int64_t attempts = 0;  // how often a claim may be rejected
  bool given_here = false;    // sealed on this machine: it may be run
  std::string feedback = {};  // what it said last, where it did not agree
  std::int64_t made = 0;      // attempts, of the claim that it is asked about now: the file that counts them may go
  // A claim whose check could not be run: the next run checks it before it calls the agent. "": none.
  std::string waits = {};
};

// Nothing: the loop is believed when it says that it is done. A loop whose claims are being verified, or were and never
// found true, has a check, whether or not its command is known. Whoever takes a file over asks the same
// (engine/outside_rules.h).
[[nodiscard]] Result<std::optional<LoopCheck>> check_of(const View& view, const Record& loop);
[[nodiscard]] Result<std::optional<LoopCheck>> read_check(Engine& engine, const Record& loop);

// not_found, with what to type, where it is known beforehand that the check cannot be run: before an agent is paid.
[[nodiscard]] Done must_be_able_to_run(const LoopCheck& check, std::string hint);

// " --verify 'npm test'", to be typed. One that was not given here stands in its place as a word, as nobody shall type
// what they have not read.
[[nodiscard]] std::string verify_option(const LoopCheck& check);

// In the commit that begins or changes the loop.
void keep_check(Decision& decision, const RecordId& loop, const LoopCheck& check);
// In one of its own.
[[nodiscard]] Done keep_check(Engine& engine, const Request& request, const RecordId& loop, const LoopCheck& check);

}  // namespace pawl
