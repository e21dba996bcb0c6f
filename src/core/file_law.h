// What a lifecycle declares about the files that show its records, so that the merge (core/merge.h) knows what an
// outside change may do: rules and types of members, who may bring a record, what a missing record or file means.
// Statuses, moves, gates and starts are in the machine: a move from `absent` makes its status a start.
//
// A file may hold several kinds (a review's chunks and findings); each record goes by the law of its own kind.
#pragma once

#include <span>
#include <string_view>

#include "core/machine.h"

namespace pawl {

// pawls: only pawl changes it. counter: a number that does not fall. of_status: says something about the status, so it
// waits with a refused one. set_by_move: moves write it; it waits with a refused status if it was emptied.
enum class MemberRule { free, pawls, counter, of_status, set_by_move };

enum class MemberType { any, text, number, boolean, time };  // a time that is no date is shown as it is

struct MemberLaw {
  std::string_view name;
  MemberRule rule = MemberRule::free;
  MemberType type = MemberType::any;
  bool required = false;  // cannot be removed; a required text is not empty
  bool nullable = false;  // null is a value of it, whatever its type
};

[[nodiscard]] constexpr MemberLaw member_law(std::span<const MemberLaw> laws, std::string_view name) {
  for (const MemberLaw& law : laws) {
    if (law.name == name) return law;
  }
  return {name};
}

struct KindLaw {
  enum class OnMissing { restore, remove };

  std::string_view kind;
  const Machine* machine = nullptr;
  std::string_view default_status = {};  // what a missing or null status means; none: it is unknown
  std::span<const MemberLaw> members = {};
  bool trusts_new = true;                     // a new record may have any known status
  bool identities = false;                    // a key names one thing for ever, which never returns once it is over
  OnMissing on_missing = OnMissing::restore;  // its file lacks a record

  [[nodiscard]] constexpr bool is_start(std::string_view status) const {
    return machine->move(kAbsent, status) != nullptr;
  }
  // For a new record whose own status is refused.
  [[nodiscard]] constexpr std::string_view start() const {
    for (const Move& move : machine->moves) {
      if (default_status.empty() && move.from == kAbsent) return move.to;
    }
    return default_status;
  }
};

struct FileLaw {
  enum class OnGone { remove, deactivate, end };
  enum class OnReturn { resume, adopt };
  enum class OnDamage { note, conflict };

  std::span<const KindLaw> kinds;
  std::span<const MemberLaw> members = {};  // the file's own
  // A list with a new owner name is the same list if most of its records have the same key and the same value in this
  // member. Empty: the name alone counts.
  std::string_view owner_by_content = {};
  OnGone on_gone = OnGone::remove;        // the file was removed
  std::string_view gone_status = {};      // of OnGone::end
  OnReturn on_return = OnReturn::resume;  // a record that was removed outside
  OnDamage on_damage = OnDamage::note;

  // A codec gives its records only kinds of its own law.
  [[nodiscard]] constexpr const KindLaw& of(std::string_view kind) const {
    for (const KindLaw& law : kinds) {
      if (law.kind == kind) return law;
    }
    return kinds.front();
  }
};

}  // namespace pawl
