#include "core/decide.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

// A letter: written, checked, sent. Sending needs a stamp and an address; a sent one comes back only when returned.
constexpr std::array kLetterStatuses = {Status{"draft"}, Status{"checked"}, Status{"sent", true},
                                        Status{"burnt", true}};
constexpr std::array kLetterMoves = {
    Move{kAbsent, "draft"},
    Move{"draft", "draft"},
    Move{"draft", "checked"},
    Move{"checked", "sent", MoveKind::forward, {}, {"stamp", "address"}},
    Move{"draft", "burnt"},
    Move{"sent", "draft", MoveKind::reopening, "returned"},
    Move{"sent", "burnt", MoveKind::correction, "correct", {"reason"}},
    Move{"draft", kAbsent, MoveKind::removal},
};
constexpr Machine kLetter = {"letter", "a letter", kLetterStatuses, kLetterMoves, {"reason"}};
static_assert(!check(kLetter));

Record letter(std::string status) {
  Record record;
  record.id = {"letter", "", "7"};
  record.status = std::move(status);
  record.doc = Json{{"text", "Dear"}};
  record.revision = 3;
  return record;
}

Record held(std::string word) {
  Record record = letter("");
  record.held = std::move(word);
  return record;
}

MoveRequest to(std::string status, Json evidence = Json::object()) {
  return {.to = std::move(status), .doc = std::nullopt, .what = "set", .evidence = std::move(evidence)};
}

TEST(Decide, LegalMoveChangesTheStatusAndNothingElse) {
  const auto change = decide_move(kLetter, letter("draft"), to("checked"));
  ASSERT_TRUE(change);
  EXPECT_TRUE(change->before.same_content(letter("draft")));
  EXPECT_EQ(change->after.status, "checked");
  EXPECT_EQ(change->after.doc, letter("draft").doc);
  EXPECT_EQ(change->after.revision, 3);
  EXPECT_EQ(change->what, "set");
  EXPECT_TRUE(change->evidence.is_null());
  EXPECT_FALSE(change->unverified);
}

TEST(Decide, DocumentGivenReplacesTheOneThere) {
  MoveRequest request = to("draft");
  request.doc = Json{{"text", "Dear all"}};
  const auto change = decide_move(kLetter, letter("draft"), request);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->after.doc, request.doc);
}

TEST(Decide, FromAbsentOnlyWhereTheTableBegins) {
  EXPECT_TRUE(decide_move(kLetter, letter(""), to("draft")));
  const auto refused = decide_move(kLetter, letter(""), to("sent"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::illegal_move);
  EXPECT_EQ(refused.error().message, "letter 7 is absent and cannot become sent");
  EXPECT_EQ(refused.error().hint, "from absent it can become draft");
}

TEST(Decide, IllegalMoveNamesWhereItCanGo) {
  const auto refused = decide_move(kLetter, letter("sent"), to("checked"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::illegal_move);
  EXPECT_EQ(refused.error().message, "letter 7 is sent and cannot become checked");
  EXPECT_EQ(refused.error().hint, "from sent it can become draft or burnt (needs --reason)");
}

TEST(Decide, TheSameStatusAgainNeedsAMoveOfItsOwn) {
  EXPECT_TRUE(decide_move(kLetter, letter("draft"), to("draft")));
  EXPECT_FALSE(decide_move(kLetter, letter("checked"), to("checked")));
}

TEST(Decide, UnknownWordNamesTheLegalOnesAndTheOneMeant) {
  const auto refused = decide_move(kLetter, letter("draft"), to("chekced"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::illegal_move);
  EXPECT_EQ(refused.error().message, "“chekced” is not a status of a letter: draft, checked, sent or burnt");
  EXPECT_EQ(refused.error().hint, "did you mean checked?");
  EXPECT_EQ(unknown_status(kLetter, "zebra").hint, "");
}

TEST(Decide, UnknownWordIsShownWithoutItsEscapesAndNotAtLength) {
  const Error error = unknown_status(kLetter, "\x1b[31m" + std::string(10'000, 'x'));
  EXPECT_EQ(error.message.find('\x1b'), std::string::npos);
  EXPECT_LT(error.message.size(), 250U);
}

TEST(Decide, MissingGateRefusesByName) {
  const auto refused = decide_move(kLetter, letter("checked"), to("sent", {{"stamp", "80c"}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::gate_failed);
  EXPECT_EQ(refused.error().message, "letter 7 is checked; to become sent it needs “address”");
  EXPECT_EQ(refused.error().hint, "the gate “address” is not met");
}

TEST(Decide, MissingReasonNamesTheFlag) {
  const auto refused = decide_move(kLetter, letter("sent"), to("burnt"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::gate_failed);
  EXPECT_EQ(refused.error().hint, "say why with --reason TEXT");
}

TEST(Decide, GatesThatHoldAreKeptAsEvidence) {
  const Json evidence = {{"stamp", "80c"}, {"address", {{"city", "Ulm"}}}};
  const auto change = decide_move(kLetter, letter("checked"), to("sent", evidence));
  ASSERT_TRUE(change);
  EXPECT_EQ(change->evidence, evidence);
  EXPECT_FALSE(change->unverified);
}

TEST(Decide, EmptyEvidenceProvesNothing) {
  EXPECT_FALSE(decide_move(kLetter, letter("sent"), to("burnt", {{"reason", ""}})));
  EXPECT_FALSE(decide_move(kLetter, letter("sent"), to("burnt", {{"reason", nullptr}})));
  EXPECT_FALSE(decide_move(kLetter, letter("sent"), to("burnt", Json::array({"reason"}))));
  EXPECT_TRUE(decide_move(kLetter, letter("sent"), to("burnt", {{"reason", "it was wrong"}})));
}

TEST(Decide, RecordedGatesLetThroughAndAreMarked) {
  MoveRequest request = to("sent", {{"stamp", "80c"}});
  request.record_gates = true;
  const auto change = decide_move(kLetter, letter("checked"), request);
  ASSERT_TRUE(change);
  EXPECT_TRUE(change->unverified);
  EXPECT_EQ(change->evidence, (Json{{"stamp", "80c"}, {"missing", {"address"}}}));

  request.evidence = Json::object();
  const auto bare = decide_move(kLetter, letter("checked"), request);
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->evidence, (Json{{"missing", {"stamp", "address"}}}));
}

TEST(Decide, RecordedGatesDoNotMakeAnIllegalMoveLegal) {
  MoveRequest request = to("sent");
  request.record_gates = true;
  EXPECT_FALSE(decide_move(kLetter, letter("draft"), request));
}

TEST(Decide, RemovalEmptiesTheRecordAndKeepsItsRevision) {
  const auto change = decide_move(kLetter, letter("draft"), to(std::string(kAbsent)));
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->after.present());
  EXPECT_EQ(change->after.doc, Json::object());
  EXPECT_EQ(change->after.revision, 3);
}

TEST(Decide, RemovalThatTheTableLacksIsRefused) {
  const auto refused = decide_move(kLetter, letter("sent"), to(std::string(kAbsent)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::illegal_move);
  EXPECT_EQ(refused.error().message, "letter 7 is sent and cannot be removed");
}

TEST(Decide, RemovalOfWhatIsNotThereIsNotFound) {
  const auto refused = decide_move(kLetter, letter(""), to(std::string(kAbsent)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  EXPECT_EQ(refused.error().message, "there is no letter 7");
}

TEST(Decide, HeldRecordIsFixedToAnyStatusWithTheFixGates) {
  for (const Status& status : kLetterStatuses) {
    const auto refused = decide_move(kLetter, held("posted"), to(std::string(status.name)));
    ASSERT_FALSE(refused) << status.name;
    EXPECT_EQ(refused.error().code, ErrorCode::gate_failed);
    EXPECT_NE(refused.error().message.find("letter 7 is held"), std::string::npos);

    const auto change = decide_move(kLetter, held("posted"), to(std::string(status.name), {{"reason", "I looked"}}));
    ASSERT_TRUE(change) << status.name;
    EXPECT_EQ(change->after.status, status.name);
    EXPECT_FALSE(change->after.held);
    EXPECT_EQ(change->before.held, "posted");
  }
}

TEST(Decide, HeldRecordIsNotFixedToAWordOutsideTheTable) {
  EXPECT_FALSE(decide_move(kLetter, held("posted"), to("posted", {{"reason", "I like it"}})));
}

TEST(Decide, HeldRecordIsRemovedWithTheFixGates) {
  EXPECT_FALSE(decide_move(kLetter, held("posted"), to(std::string(kAbsent))));
  const auto change = decide_move(kLetter, held("posted"), to(std::string(kAbsent), {{"reason", "junk"}}));
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->after.present());
}

TEST(Decide, MoveBringsBackWhatWasSetAside) {
  Record record = letter("draft");
  record.aside = true;
  const auto change = decide_move(kLetter, record, to("checked"));
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->after.aside);
}

TEST(Decide, LegalMovesNameEveryGate) {
  EXPECT_EQ(legal_moves(kLetter, letter("checked")), "sent (needs stamp and address)");
  EXPECT_EQ(legal_moves(kLetter, letter("draft")), "checked, burnt or removed");
  EXPECT_EQ(legal_moves(kLetter, letter("burnt")), "nowhere");
  EXPECT_EQ(legal_moves(kLetter, held("posted")), "draft, checked, sent or burnt");
}

}  // namespace
}  // namespace pawl
