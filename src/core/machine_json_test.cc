#include "core/machine_json.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

constexpr std::array kTaskStatuses = {Status{"open"}, Status{"in-progress"}, Status{"closed", true}};
constexpr std::array kTaskMoves = {
    Move{kAbsent, "open"},
    Move{"open", "in-progress"},
    Move{"in-progress", "closed", MoveKind::forward, {}, {"tests", "review"}},
    Move{"closed", "open", MoveKind::reopening, "reopen", {"reason"}},
    Move{"open", kAbsent, MoveKind::removal},
};
constexpr Machine kTask = {"task", "a task", kTaskStatuses, kTaskMoves, {"reason"}};
static_assert(!check(kTask));

Json sound() { return to_json(kTask); }

// The message for a document that differs from a sound one at `pointer`.
std::string refusal(const char* pointer, Json value) {
  Json json = sound();
  json[Json::json_pointer(pointer)] = std::move(value);
  const auto loaded = LoadedMachine::from_json(json);
  return loaded ? "accepted" : loaded.error().message;
}

TEST(MachineJson, SurvivesTheRoundTrip) {
  const auto loaded = LoadedMachine::from_json(sound());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(to_json(loaded->machine()), sound());
  EXPECT_FALSE(check(loaded->machine()));
}

TEST(MachineJson, ShowsOnlyWhatIsThere) {
  EXPECT_EQ(to_line(sound()),
            R"({"name":"task","a_record":"a task",)"
            R"("statuses":[{"name":"open"},{"name":"in-progress"},{"name":"closed","terminal":true}],)"
            R"("moves":[{"from":"absent","to":"open","kind":"forward"},)"
            R"({"from":"open","to":"in-progress","kind":"forward"},)"
            R"({"from":"in-progress","to":"closed","kind":"forward","gates":["tests","review"]},)"
            R"({"from":"closed","to":"open","kind":"reopening","name":"reopen","gates":["reason"]},)"
            R"({"from":"open","to":"absent","kind":"removal"}],"fix_gates":["reason"]})");
}

TEST(MachineJson, StaysWholeWhenMoved) {
  auto first = LoadedMachine::from_json(sound());
  ASSERT_TRUE(first);
  const LoadedMachine second = std::move(*first);
  std::vector<LoadedMachine> many;
  many.push_back(std::move(*LoadedMachine::from_json(sound())));
  many.push_back(std::move(*LoadedMachine::from_json(sound())));
  EXPECT_EQ(to_json(second.machine()), sound());
  EXPECT_EQ(to_json(many[0].machine()), sound());
}

TEST(MachineJson, TheShortestFormIsEnough) {
  const Json json = {
      {"name", "lamp"},
      {"statuses", {{{"name", "on"}}, {{"name", "off"}, {"terminal", true}}}},
      {"moves",
       {{{"from", "absent"}, {"to", "on"}}, {{"from", "on"}, {"to", "off"}}, {{"from", "on"}, {"to", "absent"}}}}};
  const auto loaded = LoadedMachine::from_json(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->machine().a_record, "a record of lamp");
  EXPECT_EQ(loaded->machine().moves[2].kind, MoveKind::removal);
  EXPECT_FALSE(check(loaded->machine()));
}

TEST(MachineJson, BadInputIsRefusedWithThePlace) {
  EXPECT_EQ(refusal("/name", 5), "the machine has a “name” that is not a string");
  EXPECT_EQ(refusal("/statuses", "open"), "statuses must be a list");
  EXPECT_EQ(refusal("/moves", Json::object()), "moves must be a list");
  EXPECT_EQ(refusal("/statuses/1", "open"), "statuses[1] must be an object");
  EXPECT_EQ(refusal("/statuses/1", Json::object()), "statuses[1] lacks “name”");
  EXPECT_EQ(refusal("/statuses/2/terminal", "yes"), "statuses[2] has a “terminal” that is not true or false");
  EXPECT_EQ(refusal("/moves/0/to", nullptr), "moves[0] has a “to” that is not a string");
  EXPECT_EQ(refusal("/moves/3/kind", "backward"),
            "moves[3] is of kind “backward”: it can be forward, reopening, correction or removal");
  EXPECT_EQ(refusal("/moves/2/gates", "tests"), "moves[2] has gates that are not a list");
  EXPECT_EQ(refusal("/moves/2/gates", {"a", "b", "c", "d", "e", "f", "g"}), "moves[2] has more than 6 gates");
  EXPECT_EQ(refusal("/moves/2/gates", {""}), "moves[2] has a gate without a name");
  EXPECT_EQ(refusal("/fix_gates", {1}), "fix_gates has a gate without a name");
  for (const Json& odd : {Json(), Json(5), Json("x"), Json::array()}) {
    EXPECT_EQ(LoadedMachine::from_json(odd).error().message, "the machine must be an object");
  }
  Json without = sound();
  without.erase("moves");
  EXPECT_EQ(LoadedMachine::from_json(without).error().message, "the machine lacks “moves”");
}

TEST(MachineJson, MistypedMemberSuggestsTheRightOne) {
  Json json = sound();
  json["statuses"][2]["terminl"] = true;
  const auto loaded = LoadedMachine::from_json(json);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "statuses[2] has a member “terminl”, which does not exist: there is name or terminal");
  EXPECT_EQ(loaded.error().hint, "did you mean terminal?");
}

TEST(MachineJson, EveryKindHasASpelling) {
  for (int i = 0; i <= static_cast<int>(MoveKind::removal); ++i)
    EXPECT_NE(name_of(static_cast<MoveKind>(i)), "unknown");
  for (int i = 0; i <= static_cast<int>(Breach::Kind::unnamed_way_out); ++i) {
    EXPECT_NE(name_of(static_cast<Breach::Kind>(i)), "unknown");
  }
}

TEST(Mermaid, DrawsBeginningMovesAndEnds) {
  EXPECT_EQ(to_mermaid(kTask),
            "stateDiagram-v2\n"
            "    state \"in-progress\" as status1\n"
            "    [*] --> open\n"
            "    open --> status1\n"
            "    status1 --> closed : [tests, review]\n"
            "    closed --> open : reopen [reason]\n"
            "    open --> [*] : remove\n"
            "    closed --> [*]\n");
}

TEST(Mermaid, NamesCanNotBreakOutOfTheDiagram) {
  constexpr std::array kOdd = {Status{"end"}, Status{"a\"b;#\nc", true}};
  constexpr std::array kOddMoves = {Move{kAbsent, "end"}, Move{"end", "a\"b;#\nc", MoveKind::forward, "x: y"}};
  EXPECT_EQ(to_mermaid({"odd", "an odd one", kOdd, kOddMoves}),
            "stateDiagram-v2\n"
            "    state \"end\" as status0\n"
            "    state \"a#quot;b#59;#35;\\nc\" as status1\n"
            "    [*] --> status0\n"
            "    status0 --> status1 : x#58; y\n"
            "    status1 --> [*]\n");
}

}  // namespace
}  // namespace pawl
