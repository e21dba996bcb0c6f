// The tables of the merge. The first row whose condition holds decides. In every case: b, o, t = base, ours, theirs;
// nullptr: not there. Tests and --json use the rows' names; the name of a row that ends in a conflict is its code.
#pragma once

#include <array>
#include <map>

#include "base/json_number.h"
#include "base/json_same.h"
#include "core/merge.h"

namespace pawl::merge {

template <class Case>
struct Row {
  std::string_view name;
  Act act;
  bool (*when)(const Case&);
};

template <class Case>
[[nodiscard]] Verdict first_row(std::span<const Row<Case>> rows, const Case& found) {
  for (const Row<Case>& row : rows) {
    if (row.when(found)) return {row.name, row.act};
  }
  return {"", Act::keep};
}

// ---- cases

struct RecordCase {
  const Look& look;
  const KindLaw& law;
  const Entry* b;
  const OurRecord* o;
  const Entry* t;
  const Policy& policy = look.policy;
  const bool removed = o != nullptr && o->state == State::removed;
};

struct MemberCase {
  MemberLaw law;
  bool take_whole;
  const Json *b, *o, *t;
};

struct StatusCase {
  const RecordCase& record;
  const Json *b, *o, *t;
  const Move* move;     // from o to t; nullptr: none leads there
  bool lacks_gates;     // of the move
  bool lacks_a_person;  // a person is one of them
};

// ---- what the conditions ask

[[nodiscard]] bool same(const Json* a, const Json* b);
[[nodiscard]] bool same(const Entry& a, const Entry& b);
[[nodiscard]] const Status* status_of(const KindLaw& law, const Json& value);  // nullptr: it is none
[[nodiscard]] const Move* move_between(const KindLaw& law, const Json& from, const Json& to);
// The key is an identity, ours is over, and no move leads to what theirs shows.
[[nodiscard]] bool has_ended(const KindLaw& law, const OurRecord* o, const Entry& t);
[[nodiscard]] bool is_start(const KindLaw& law, const Json& status);
[[nodiscard]] bool is_bad(const MemberLaw& law, const Json* t);
[[nodiscard]] bool falls(const Json* o, const Json* t);

// ---- rows

using File = const FileCase&;
inline constexpr Row<FileCase> kFileRows[] = {
    {"open", Act::wait, [](File c) { return c.in_use; }},
    {"moved", Act::move_records, [](File c) { return c.moved_here; }},
    {"same", Act::keep, [](File c) { return c.equals_newest && !c.displaced; }},
    {"stale", Act::write_back, [](File c) { return c.equals_before; }},
    {"git_at_work", Act::wait, [](File c) { return c.git == GitState::at_work; }},
    {"markers", Act::conflict, [](File c) { return c.damage == Damage::markers && !c.displaced; }},
    {"too_large", Act::conflict, [](File c) { return c.damage == Damage::too_large && !c.displaced; }},
    {"git", Act::conflict, [](File c) { return c.git == GitState::brought && !c.take_whole; }},
    {"gone", Act::on_gone, [](File c) { return !c.exists; }},
    {"unreadable", Act::on_damage, [](File c) { return c.damage != Damage::none; }},
    {"late", Act::keep_image, [](File c) { return c.another && c.before_is_theirs; }},
    {"ended", Act::conflict, [](File c) { return c.another && c.all_over && !c.take_whole; }},
    {"another", Act::change_owner, [](File c) { return c.another; }},
    {"cells", Act::go_on, [](File) { return true; }},
};

using Presence = const RecordCase&;
inline constexpr Row<RecordCase> kPresenceRows[] = {
    {"missing", Act::on_missing, [](Presence c) { return !c.t && c.o && c.o->state == State::active; }},
    {"kept", Act::keep, [](Presence c) { return !c.t || (c.removed && c.b && same(*c.b, *c.t)); }},
    {"elsewhere", Act::conflict, [](Presence c) { return !c.o && c.t && c.look.known_elsewhere.contains(c.t->key); }},
    {"ended", Act::conflict, [](Presence c) { return !c.policy.take_whole && c.t && has_ended(c.law, c.o, *c.t); }},
    {"removed", Act::conflict, [](Presence c) { return c.removed && c.b; }},
    {"returns", Act::resume,
     [](Presence c) {
       if (c.removed) return c.o->removed_by == RemovedBy::outside && c.look.law.on_return == FileLaw::OnReturn::resume;
       return c.o && c.o->state == State::inactive;
     }},
    {"new", Act::adopt, [](Presence c) { return !c.o || c.removed; }},
    {"both", Act::go_on, [](Presence) { return true; }},
};

inline constexpr Row<RecordCase> kStartRows[] = {
    {"unknown_status", Act::conflict, [](Presence c) { return !status_of(c.law, c.t->status); }},
    {"not_a_start", Act::conflict,
     [](Presence c) {
       const bool trusted = c.law.trusts_new || c.policy.first_look || c.policy.take_whole;
       return !trusted && !is_start(c.law, c.t->status);
     }},
    {"start", Act::take, [](Presence) { return true; }},
};

using Member = const MemberCase&;
inline constexpr Row<MemberCase> kMemberRows[] = {
    {"unchanged", Act::keep, [](Member c) { return same(c.t, c.b) || same(c.t, c.o); }},
    {"pawls", Act::conflict, [](Member c) { return c.law.rule == MemberRule::pawls && !c.take_whole; }},
    {"counter_kept", Act::keep_and_note,
     [](Member c) { return c.law.rule == MemberRule::counter && !c.take_whole && falls(c.o, c.t); }},
    {"bad_value", Act::conflict, [](Member c) { return is_bad(c.law, c.t); }},
    {"take", Act::take, [](Member) { return true; }},
};

using StatusChange = const StatusCase&;
inline constexpr Row<StatusCase> kStatusRows[] = {
    {"unchanged", Act::keep, [](StatusChange c) { return same(c.t, c.b) || same(c.t, c.o); }},
    {"unknown_status", Act::conflict, [](StatusChange c) { return !status_of(c.record.law, *c.t); }},
    {"take", Act::take, [](StatusChange c) { return c.move && !c.lacks_gates; }},
    {"unverified", Act::take_unverified,
     [](StatusChange c) {
       const bool records = c.record.policy.gates == Gates::record && c.move && !c.lacks_a_person;
       return c.record.policy.take_whole || records;
     }},
    {"no_move", Act::conflict, [](StatusChange c) { return !c.move; }},
    {"gate", Act::conflict, [](StatusChange) { return true; }},
};

// A test deletes rows; everything else uses them all.
struct Tables {
  std::span<const Row<FileCase>> file = kFileRows;
  std::span<const Row<RecordCase>> presence = kPresenceRows;
  std::span<const Row<RecordCase>> start = kStartRows;
  std::span<const Row<MemberCase>> member = kMemberRows;
  std::span<const Row<StatusCase>> status = kStatusRows;
};

// ---- finding records and members

[[nodiscard]] inline const std::string& key_of(const Entry& entry) { return entry.key; }
[[nodiscard]] inline const std::string& key_of(const OurRecord& record) { return record.entry.key; }

template <class One>
[[nodiscard]] std::unordered_map<std::string_view, const One*> by_key(std::span<const One> all) {
  std::unordered_map<std::string_view, const One*> found;
  for (const One& one : all) found.emplace(key_of(one), &one);
  return found;
}

template <class One>
[[nodiscard]] const One* find(const std::unordered_map<std::string_view, const One*>& all, std::string_view key) {
  const auto found = all.find(key);
  return found == all.end() ? nullptr : found->second;
}

// Every member that one of the objects has, with its value in each; nullptr: it has none.
using Aligned = std::map<std::string_view, std::array<const Json*, 3>>;
[[nodiscard]] Aligned align(std::array<const Json*, 3> objects);

using Changes = std::map<std::string_view, const Json*>;  // nullptr: removed
[[nodiscard]] Json with_changes(const Json& object, Changes changes);

}  // namespace pawl::merge
