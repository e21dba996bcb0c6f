#include "core/machine.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/decide.h"

namespace pawl {
namespace {

using Kind = Breach::Kind;

// Every breach is found at compile time, in the smallest machine that has it and no other.
constexpr Status kWork = {"work"};
constexpr Status kDone = {"done", true};

template <std::size_t S, std::size_t M>
constexpr Machine machine(const std::array<Status, S>& statuses, const std::array<Move, M>& moves) {
  return {"test", "a test", statuses, moves};
}

constexpr bool breaks(const Machine& table, Kind kind, std::string_view status) {
  const auto breach = check(table);
  return breach && breach->kind == kind && breach->status == status;
}

constexpr std::array kTwo = {kWork, kDone};
constexpr std::array kTwoMoves = {Move{kAbsent, "work"}, Move{"work", "done"}};
static_assert(!check(machine(kTwo, kTwoMoves)));

constexpr std::array<Status, 0> kNone = {};
constexpr std::array<Move, 0> kNoMoves = {};
static_assert(breaks(machine(kNone, kNoMoves), Kind::no_status, "test"));

constexpr auto kMany = [] {
  std::array<Status, kMaxStatuses + 1> statuses{};
  statuses.fill(kWork);
  return statuses;
}();
static_assert(breaks(machine(kMany, kNoMoves), Kind::too_many, "test"));

constexpr std::array kTwice = {kWork, kDone, kWork};
static_assert(breaks(machine(kTwice, kTwoMoves), Kind::duplicate_status, "work"));

constexpr std::array kReserved = {kWork, kDone, Status{kAbsent}};
static_assert(breaks(machine(kReserved, kTwoMoves), Kind::reserved_name, kAbsent));
constexpr std::array kNameless = {kWork, kDone, Status{""}};
static_assert(breaks(machine(kNameless, kTwoMoves), Kind::reserved_name, ""));

constexpr std::array kMovesTwice = {Move{kAbsent, "work"}, Move{"work", "done"},
                                    Move{"work", "done", MoveKind::correction, "again"}};
static_assert(breaks(machine(kTwo, kMovesTwice), Kind::duplicate_move, "work"));

constexpr std::array kToNowhere = {Move{kAbsent, "work"}, Move{"work", "finished"}};
static_assert(breaks(machine(kTwo, kToNowhere), Kind::unknown_status, "finished"));
constexpr std::array kFromNowhere = {Move{kAbsent, "work"}, Move{"work", "done"}, Move{"begun", "work"}};
static_assert(breaks(machine(kTwo, kFromNowhere), Kind::unknown_status, "begun"));

constexpr std::array kIsland = {kWork, kDone, Status{"island"}};
constexpr std::array kIslandMoves = {Move{kAbsent, "work"}, Move{"work", "done"}, Move{"island", "done"}};
static_assert(breaks(machine(kIsland, kIslandMoves), Kind::unreachable, "island"));

constexpr std::array kStuck = {kWork, kDone, Status{"stuck"}};
constexpr std::array kStuckMoves = {Move{kAbsent, "work"}, Move{"work", "done"}, Move{"work", "stuck"}};
static_assert(breaks(machine(kStuck, kStuckMoves), Kind::no_exit, "stuck"));
// To refresh itself, or to be removed, is no way on.
constexpr std::array kStuckInPlace = {Move{kAbsent, "work"}, Move{"work", "done"}, Move{"work", "stuck"},
                                      Move{"stuck", "stuck"}, Move{"stuck", kAbsent, MoveKind::removal}};
static_assert(breaks(machine(kStuck, kStuckInPlace), Kind::no_exit, "stuck"));

constexpr std::array kCircle = {kWork, kDone, Status{"left"}, Status{"right"}};
constexpr std::array kCircleMoves = {Move{kAbsent, "work"}, Move{"work", "done"}, Move{"work", "left"},
                                     Move{"left", "right"}, Move{"right", "left"}};
static_assert(breaks(machine(kCircle, kCircleMoves), Kind::no_way_to_terminal, "left"));

constexpr std::array kForwardOut = {Move{kAbsent, "work"}, Move{"work", "done"}, Move{"done", "work"}};
static_assert(breaks(machine(kTwo, kForwardOut), Kind::unnamed_way_out, "done"));
constexpr std::array kNamelessReopening = {Move{kAbsent, "work"}, Move{"work", "done"},
                                           Move{"done", "work", MoveKind::reopening}};
static_assert(breaks(machine(kTwo, kNamelessReopening), Kind::unnamed_way_out, "done"));

// What is allowed out of a terminal status: a named reopening, staying, removal.
constexpr std::array kReopened = {Move{kAbsent, "work"}, Move{"work", "done"},
                                  Move{"done", "work", MoveKind::reopening, "reopen"}, Move{"done", "done"},
                                  Move{"done", kAbsent, MoveKind::removal}};
static_assert(!check(machine(kTwo, kReopened)));

std::vector<std::string> all_breaches(const Machine& table) {
  std::vector<std::string> sentences;
  each_breach(table, [&](const Breach& breach) {
    sentences.push_back(describe(table, breach));
    return true;
  });
  return sentences;
}

TEST(Machine, EveryBreachIsNamedWithItsStatus) {
  EXPECT_EQ(all_breaches(machine(kCircle, kCircleMoves)),
            (std::vector<std::string>{"from status “left” no way leads to a terminal one",
                                      "from status “right” no way leads to a terminal one"}));
}

TEST(Machine, ASoundMachineHasNoBreach) { EXPECT_TRUE(all_breaches(machine(kTwo, kTwoMoves)).empty()); }

// Wrong names would make every later finding a guess.
TEST(Machine, WrongNamesAreToldAloneAndAllOfThem) {
  constexpr std::array kMoves = {Move{kAbsent, "wrok"}, Move{"work", "dnoe"}};
  EXPECT_EQ(all_breaches(machine(kTwo, kMoves)),
            (std::vector<std::string>{"a move names “wrok”, which is not a status",
                                      "a move names “dnoe”, which is not a status"}));
}

TEST(Machine, TheLargestTableThatFitsIsChecked) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kMaxStatuses; ++i) names.push_back("s" + std::to_string(i));
  std::vector<Status> statuses;
  std::vector<Move> moves = {{kAbsent, names[0]}};
  // The last one first, so that what can be reached has to be found against the order of the moves.
  for (std::size_t i = kMaxStatuses - 1; i > 0; --i) moves.push_back({names[i - 1], names[i]});
  for (std::size_t i = 0; i < kMaxStatuses; ++i) statuses.push_back({names[i], i + 1 == kMaxStatuses});
  EXPECT_FALSE(check({"long", "a long one", statuses, moves}));
  statuses.back().terminal = false;
  const auto breach = check({"long", "a long one", statuses, moves});
  ASSERT_TRUE(breach);
  EXPECT_EQ(breach->kind, Kind::no_way_to_terminal);
  EXPECT_EQ(breach->status, "s0");
}

TEST(Machine, LooksUpStatusesAndMoves) {
  const Machine table = machine(kTwo, kReopened);
  EXPECT_TRUE(table.terminal("done"));
  EXPECT_FALSE(table.terminal("work"));
  EXPECT_FALSE(table.terminal("nothing"));
  EXPECT_EQ(table.status("nothing"), nullptr);
  ASSERT_NE(table.move("done", "work"), nullptr);
  EXPECT_EQ(table.move("done", "work")->name, "reopen");
  EXPECT_EQ(table.move("work", kAbsent), nullptr);
}

}  // namespace
}  // namespace pawl
