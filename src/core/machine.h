// A lifecycle as a table: which statuses there are, which moves lead from one to another, and what must
// hold for a move. The table is data; everything that pawl knows about legality it reads from here.
//
//   absent ──> status ──> … ──> terminal status
//                 ^                   │
//                 └─── a reopening ───┘
//
// Invariants, checked at compile time for the built-in machines and by `pawl machine check` for a file:
//   1. every name is used once, and every move joins statuses of the table (or `absent`);
//   2. every status can be reached from `absent`;
//   3. a status that is not terminal has a move out, and a way to a terminal one;
//   4. a terminal status is left only by a move that has a name (a reopening or a correction) or by removal.
// `absent` is a state (a record that is not there, or is not there any more), never a status.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace pawl {

inline constexpr std::string_view kAbsent = "absent";

struct Status {
  std::string_view name;
  bool terminal = false;
  bool gated_beside = false;  // a record may need something of its own to come to it (GateBeside)
};

enum class MoveKind {
  forward,     // the ordinary course of things
  reopening,   // out of a terminal status, back to work
  correction,  // from one terminal status to another: the first was wrong
  removal,     // to `absent`
};

inline constexpr std::size_t kMaxGates = 6;
// Met by a person's own command only: no file, and no setting that lets conditions pass, stands in for it.
inline constexpr std::string_view kPersonGate = "person";

struct Move {
  std::string_view from;
  std::string_view to;
  MoveKind kind = MoveKind::forward;
  std::string_view name = {};                          // how people call it, where it has a name
  std::array<std::string_view, kMaxGates> gates = {};  // what must hold; unused places are empty

  [[nodiscard]] constexpr bool needs(std::string_view gate) const {
    for (const std::string_view one : gates) {
      if (one == gate) return true;
    }
    return false;
  }
};

// What a gate asks for, for whoever has never heard its name.
struct GateWords {
  std::string_view gate;
  std::string_view words;  // "all acceptance criteria pass"
};

struct Machine {
  std::string_view name;      // "issue"
  std::string_view a_record;  // "an issue": how messages speak of one
  std::span<const Status> statuses;
  std::span<const Move> moves;
  // What a person must bring to give a status to a record that came in with one that does not exist.
  std::array<std::string_view, kMaxGates> fix_gates = {};
  std::string_view noun = {};  // what messages put before a key, where it is not the name: "story"
  std::span<const GateWords> gate_words = {};
  // The member of its file that says the status with true or false: there its words are none.
  std::string_view flag = {};

  [[nodiscard]] constexpr std::string_view words_of(std::string_view gate) const {
    for (const GateWords& one : gate_words) {
      if (one.gate == gate) return one.words;
    }
    return {};
  }

  [[nodiscard]] constexpr const Status* status(std::string_view wanted) const {
    for (const Status& s : statuses) {
      if (s.name == wanted) return &s;
    }
    return nullptr;
  }
  [[nodiscard]] constexpr bool terminal(std::string_view wanted) const {
    const Status* found = status(wanted);
    return found != nullptr && found->terminal;
  }
  [[nodiscard]] constexpr const Move* move(std::string_view from, std::string_view to) const {
    for (const Move& m : moves) {
      if (m.from == from && m.to == to) return &m;
    }
    return nullptr;
  }
};

struct Breach {
  enum class Kind {
    no_status,           // an empty table
    too_many,            // more statuses or moves than a check can hold
    duplicate_status,    //
    reserved_name,       // a status called `absent` or without a name
    duplicate_move,      //
    unknown_status,      // a move from or to something that is not in the table
    unreachable,         //
    no_exit,             // not terminal, and no move leads out
    no_way_to_terminal,  // it can move, but never comes to an end
    unnamed_way_out,     // a terminal status is left by an ordinary move
  };
  Kind kind;
  std::string_view status;  // the one that breaks the law
};

inline constexpr std::size_t kMaxStatuses = 64;
inline constexpr std::size_t kMaxMoves = (kMaxStatuses + 1) * (kMaxStatuses + 1);  // from any state to any other

// Hands every breach to `sink`, which answers whether it wants more. Where names are wrong already, the ways through
// the table mean nothing: they are looked at only when the names are sound.
template <class Sink>
constexpr void each_breach(const Machine& machine, Sink sink) {
  using enum Breach::Kind;
  const std::size_t count = machine.statuses.size();
  if (count == 0) return static_cast<void>(sink(Breach{no_status, machine.name}));
  if (count > kMaxStatuses || machine.moves.size() > kMaxMoves) {
    return static_cast<void>(sink(Breach{too_many, machine.name}));
  }
  const auto index = [&](std::string_view name) {
    for (std::size_t i = 0; i < count; ++i) {
      if (machine.statuses[i].name == name) return i;
    }
    return count;
  };
  bool sound = true;
  bool more = true;
  const auto report = [&](Breach::Kind kind, std::string_view status) {
    sound = false;
    if (more) more = sink(Breach{kind, status});
  };

  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name = machine.statuses[i].name;
    if (name.empty() || name == kAbsent) report(reserved_name, name);
    if (index(name) != i) report(duplicate_status, name);
  }
  for (std::size_t i = 0; i < machine.moves.size(); ++i) {
    const Move& m = machine.moves[i];
    if (m.from != kAbsent && index(m.from) == count) report(unknown_status, m.from);
    if (m.to != kAbsent && index(m.to) == count) report(unknown_status, m.to);
    for (std::size_t j = 0; j < i; ++j) {
      if (machine.moves[j].from == m.from && machine.moves[j].to == m.to) report(duplicate_move, m.from);
    }
  }
  if (!sound) return;

  std::array<bool, kMaxStatuses> reachable{};
  std::array<bool, kMaxStatuses> ends{};
  for (std::size_t i = 0; i < count; ++i) ends[i] = machine.statuses[i].terminal;
  for (std::size_t round = 0; round <= count; ++round) {
    for (const Move& m : machine.moves) {
      if (m.to != kAbsent && (m.from == kAbsent || reachable[index(m.from)])) reachable[index(m.to)] = true;
      if (m.from != kAbsent && m.to != kAbsent && ends[index(m.to)]) ends[index(m.from)] = true;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Status& s = machine.statuses[i];
    if (!reachable[i]) report(unreachable, s.name);
    bool exit = false;
    for (const Move& m : machine.moves) {
      if (m.from != s.name || m.to == s.name || m.to == kAbsent) continue;
      exit = true;
      const bool named = (m.kind == MoveKind::reopening || m.kind == MoveKind::correction) && !m.name.empty();
      if (s.terminal && !named) report(unnamed_way_out, s.name);
    }
    if (s.terminal) continue;
    if (!exit) report(no_exit, s.name);
    if (exit && !ends[i]) report(no_way_to_terminal, s.name);
  }
}

// The first breach, or nothing when the machine is sound.
[[nodiscard]] constexpr std::optional<Breach> check(const Machine& machine) {
  std::optional<Breach> first;
  each_breach(machine, [&](const Breach& breach) {
    first = breach;
    return false;
  });
  return first;
}

}  // namespace pawl
