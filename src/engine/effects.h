// Acts in the world cannot be in a transaction. So the intent is committed with a marker, the act carries the
// marker, and the result is committed. After a crash the world is asked for the marker before anything is done again.
//
//   intend ──commit──> intended ──act(marker)──> in the world ──commit──> done
//                         │                            │
//                      crash: settle() asks find(marker): found → done, not found → act again
//
// While it is intended, `result` says which process is at it, and that process holds a lock that the kernel frees: what
// a living one is doing is not done a second time, in whichever container it lives. If neither lock nor process can be
// seen, nobody knows whether it is in progress or was interrupted: only a person can say so.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace pawl {

// How one kind of act is done and found again.
struct EffectHandler {
  std::function<Result<Json>(const Effect&)> act;                  // does it, the marker going with it
  std::function<Result<std::optional<Json>>(const Effect&)> find;  // its result, if the marker is in the world
};

// This process, as `result` of an intended effect names it; takes the effect's lock.
[[nodiscard]] Json effect_owner(Engine& engine, const Effect& effect);

// Of an intended effect: whether a process is at it. ended: it was interrupted; unknown: one or the other, as the
// process cannot be seen from here.
[[nodiscard]] Life worker_of(Transaction& store, const Effect& effect);
// Unless it was interrupted, it is left to whoever is at it.
[[nodiscard]] inline bool effect_is_under_way(Transaction& store, const Effect& effect) {
  return worker_of(store, effect) != Life::ended;
}
// Those of a record whose process cannot be seen, as interrupted: on the word of a person.
[[nodiscard]] Result<std::vector<Effect>> effects_to_take_over(Transaction& store, const RecordId& record);

// Unguessable enough not to meet another one's, short enough for a comment.
[[nodiscard]] Result<std::string> new_marker();

// An intent with a marker of its own; `request` says all that is needed to do it, so that another process can.
[[nodiscard]] Result<Effect> new_effect(std::string_view kind, const RecordId& record, Json request);

// Carries out an intent that a commit has returned, and commits its result. On an error that leaves it open whether
// the act happened, the intent stays and settle() will ask the world.
[[nodiscard]] Result<Json> carry_out(Engine& engine, std::int64_t effect, const EffectHandler& handler);

// What was intended and never confirmed, oldest first: asks, then acts where needed. Returns those that were settled.
// Of each that was not a note is given; not where there is but one, and its error is what is returned.
enum class Unsettled { noted, returned };
[[nodiscard]] Result<std::vector<Effect>> settle(Engine& engine,
                                                 const std::function<const EffectHandler*(const Effect&)>& handler_for,
                                                 Unsettled unsettled = Unsettled::noted);

// The same for acts that are not done again by themselves: what the world shows was done, the rest is put down as not
// done. What a living process is at is left to it.
[[nodiscard]] Done close_effects(Engine& engine, const std::function<bool(const Effect&)>& wanted,
                                 const std::function<Result<std::optional<Json>>(const Effect&)>& find);

}  // namespace pawl
