// What happened. A Change is decided and not yet true; committed, it is an Event and never changes again.
// The changes of one command are committed together as an Operation: what `undo` takes back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"

namespace pawl {

struct Change {
  Record before;
  Record after;      // revision and rank are filled in by the engine
  std::string what;  // past tense: "set", "removed", "adopted", "edited outside"
  Json evidence;     // null where there is none
  // It came to its status without what that needs, and the settings let it through. The mark is the status's: edits and
  // notes since carry it on (core/decide.h, carries_doubt).
  bool unverified = false;
  bool assigns_status = false;  // a move was made, perhaps to the same status
};

struct Event {
  std::int64_t id = 0;
  std::int64_t operation = 0;
  std::string what;
  std::string from;  // status before; "" for absent
  bool unverified = false;
  Json evidence;
  Record after;  // the record as this event left it, revision included (rank is not kept)
};

// What a command did to the world outside, which `undo` can list but not take back.
enum class EffectState { intended, done, failed };

struct Effect {
  std::int64_t id = 0;
  std::int64_t operation = 0;
  RecordId record;
  std::string kind;    // "comment", "push", "merge", "session"
  std::string marker;  // goes with the act, so that it can be found again in the world
  EffectState state = EffectState::intended;
  Json request;
  Json result;
};

struct Operation {
  std::int64_t id = 0;  // 0: not committed yet
  std::string verb;     // "issue set"
  std::string actor;
  std::string reason;
  std::int64_t at_ms = 0;
  bool outside = false;                // found in a file, not asked for by a command
  std::optional<std::int64_t> undoes;  // the operation that this one takes back
  std::string idempotency_key;
  std::string request_digest;  // of verb and arguments: the same key with another digest is a conflict
  Json answer;                 // kept where there is an idempotency key
};

}  // namespace pawl
