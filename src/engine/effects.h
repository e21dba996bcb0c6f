// Acts in the world can not be in a transaction. So the intent is committed with a marker, the act carries the
// marker, and the result is committed. After a crash the world is asked for the marker before anything is done again.
//
//   intend ──commit──> intended ──act(marker)──> in the world ──commit──> done
//                         │                            │
//                      crash: settle() asks find(marker): found → done, not found → act again
//
// While it is intended, `result` says which process is at it: what a living one is doing is not done a second time.
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

// This process, as `result` of an intended effect names it.
[[nodiscard]] Json effect_owner();

// Whether a process that lives is at an intended effect.
[[nodiscard]] bool effect_is_under_way(const Effect& effect);

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
