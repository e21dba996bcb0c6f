#include "lifecycles/pr/trust.h"

#include <gtest/gtest.h>

#include <deque>

#include "base/text.h"
#include "lifecycles/pr/mention.h"

namespace pawl::pr {
namespace {

// Good enough to tell keys and messages apart here; the real one is tested where it is.
Mac mac(std::string key, std::int64_t made_ms = 0) {
  return Mac([key = std::move(key)](std::string_view message) { return text_hash(key + std::string(message)); },
             made_ms);
}

class Trust : public testing::Test {
 protected:
  Trust() {
    talk_.repository = "o/r";
    talk_.pull = 7;
  }
  std::string block(const Json& data) { return *with_block("text", string_or(data, "type"), data); }
  std::string signed_block(Json data, std::uint64_t parent = 0, const std::string& nonce = "n1",
                           const std::string& scope = "o/r#7", const std::string& key = "k",
                           const std::string& now = "2026-01-02T00:00:00.500Z") {
    return block(sealed(std::move(data), {scope, parent}, nonce, mac(key), now));
  }
  void say(const std::string& body, bool bot, const std::string& when, const std::string& edited = {}) {
    bodies_.push_back(body);
    times_.push_back(when);
    const std::string& created = times_.back();
    times_.push_back(edited.empty() ? when : edited);
    talk_.comments.push_back({++id_, bot ? "bot" : "eve", "NONE", bodies_.back(), created, times_.back(), bot, false});
  }
  [[nodiscard]] std::size_t count(const Mac& with = {}) const { return believed(talk_, with).blocks.size(); }

  std::deque<std::string> bodies_, times_;
  std::uint64_t id_ = 9007199254740993U;
  Talk talk_;
  const Json finding_ = {{"type", "review-finding"}, {"status", "RESOLVED"}, {"finding", "f"}};
};

TEST_F(Trust, WithoutAKeyOnlyTheBotIsBelieved) {
  say(block(finding_), false, "2026-01-01T00:00:00Z");
  EXPECT_EQ(count(), 0U);
  say(block(finding_), true, "2026-01-01T00:00:01Z");
  EXPECT_EQ(count(), 1U);
  say(signed_block(finding_), false, "2026-01-01T00:00:02Z");
  EXPECT_EQ(count(), 1U);
}

TEST_F(Trust, WithAKeyOnlySignaturesAre) {
  say(signed_block(finding_, 0, "n1"), true, "2026-01-02T00:00:00Z");
  say(block(finding_), true, "2026-01-03T00:00:00Z");  // later, and not signed
  say(signed_block(finding_, 0, "n2", "o/r#7", "other"), true, "2026-01-03T00:00:00Z");
  say(signed_block(finding_, 0, "n3", "o/r#8"), true, "2026-01-03T00:00:00Z");  // replayed from another pull request
  say(signed_block(finding_, 0, "n4", "o/x#7"), true, "2026-01-03T00:00:00Z");  // or repository
  say(signed_block(finding_, 5, "n5"), true, "2026-01-03T00:00:00Z");           // as an answer to another comment
  EXPECT_EQ(count(mac("k")), 1U);
  say(signed_block(finding_, 0, "n6"), false, "2026-01-04T00:00:00Z");  // by hand, with the key
  EXPECT_EQ(count(mac("k")), 2U);
}

TEST_F(Trust, ChangedContentDoesNotHold) {
  std::string body = signed_block({{"type", "review-finding"}, {"status", "PENDING"}, {"finding", "f"}});
  body.replace(body.find("PENDING"), 7, "RESOLVED");
  say(body, true, "2026-01-01T00:00:00Z");
  EXPECT_EQ(count(mac("k")), 0U);  // not as legacy either: it has a signature, and that is wrong
}

TEST_F(Trust, OrderAndWhiteSpaceDoNotMatter) {
  const Json sealed_one = sealed(finding_, {"o/r#7", 0}, "n", mac("k"), "2026-01-02T00:00:00.000Z");
  Json turned = Json::object();
  for (auto it = sealed_one.rbegin(); it != sealed_one.rend(); ++it) turned[it.key()] = *it;
  EXPECT_TRUE(signature_holds(turned, {"o/r#7", 0}, mac("k")));
  EXPECT_TRUE(signature_holds(sealed_one, {"o/r#7", 0}, mac("k")));
  EXPECT_FALSE(signature_holds(sealed_one, {"o/r#7", 1}, mac("k")));
}

TEST_F(Trust, LegacyIsWhatIsOlderThanTheFirstSignature) {
  say(block(finding_), true, "2026-01-01T00:00:00Z");
  EXPECT_EQ(count(mac("k")), 1U);  // nothing is signed yet
  say(signed_block(finding_, 0, "n1"), true, "2026-01-02T00:00:00Z");
  EXPECT_EQ(count(mac("k")), 2U);
  say(block(finding_), true, "2026-01-02T00:00:00Z");
  EXPECT_EQ(count(mac("k")), 2U);
  // A stranger who has copied a signed block moves nothing: the first signed one is the bot's own.
  talk_.comments.clear();
  say(signed_block(finding_, 0, "n1"), false, "2025-01-01T00:00:00Z");
  say(block(finding_), true, "2026-01-01T00:00:00Z");
  say(signed_block(finding_, 0, "n1"), true, "2026-01-02T00:00:00Z");
  EXPECT_EQ(count(mac("k")), 2U);
}

TEST_F(Trust, LegacyThatWasEditedAfterTheFirstSignatureIsNone) {
  say(block(finding_), true, "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z");
  EXPECT_EQ(count(mac("k")), 1U);
  say(signed_block(finding_, 0, "n1"), true, "2026-01-02T00:00:00Z");
  EXPECT_EQ(count(mac("k")), 1U);
}

TEST_F(Trust, CommentFromBeforeTheKeyThatIsSignedLaterDoesNotMakeTheOthersForged) {
  // Signed when it was next touched; what stands between is from before the key.
  say(signed_block(finding_, 0, "n1", "o/r#7", "k", "2026-01-05T00:00:00Z"), true, "2026-01-01T00:00:00Z",
      "2026-01-09T00:00:00Z");
  say(block(finding_), true, "2026-01-02T00:00:00Z");
  say(block(finding_), true, "2026-01-06T00:00:00Z");  // this is not
  EXPECT_EQ(count(mac("k")), 2U);
}

TEST_F(Trust, KeyThatSaysWhenItWasMadeHasNoLegacyFromLater) {
  const std::int64_t made = key_made_ms("pawl1.1767312000.abc");  // 2026-01-02T00:00:00Z
  EXPECT_EQ(made, 1767312000000);
  say(block(finding_), true, "2026-01-01T23:59:59Z");
  say(block(finding_), true, "2026-01-02T00:00:01Z");                          // after the key was made
  say(block(finding_), true, "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z");  // changed after it
  EXPECT_EQ(count(mac("k", made)), 1U) << "though nothing is signed";
  EXPECT_EQ(believed(talk_, mac("k", made)).doubted.size(), 2U);
  EXPECT_FALSE(believed(talk_, mac("k", made)).trigger_doubted);
  EXPECT_EQ(count(mac("k")), 3U);
  for (const char* odd : {"", "pawl1.", "pawl1.x.y", "pawl1.-5.y", "pawl2.5.y", "pawl1.99999999999999999999.y"})
    EXPECT_EQ(key_made_ms(odd), 0) << odd;
}

TEST_F(Trust, WhatWasWrittenInTheSecondOfTheKeysMakingIsOlder) {
  const Mac key = mac("k", key_made_ms("pawl1.1767312000.abc"));  // 2026-01-02T00:00:00Z, or up to a second later
  say(block(finding_), true, "2026-01-02T00:00:00Z");
  EXPECT_EQ(count(key), 1U) << "else it is never believed again, and what it answers is answered again";
  say(block(finding_), true, "2026-01-02T00:00:01Z");
  EXPECT_EQ(count(key), 1U) << "that second alone is given";
}

TEST_F(Trust, RunnerWhoseClockIsAheadMakesNothingLegacy) {
  say(signed_block(finding_, 0, "n1", "o/r#7", "k", "2026-01-09T00:00:00Z"), true, "2026-01-02T00:00:00Z");
  say(block(finding_), true, "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z");
  EXPECT_EQ(count(mac("k")), 1U);
}

TEST_F(Trust, OlderKeyBesideTheNewOneIsStillBelieved) {
  say(signed_block(finding_, 0, "n1", "o/r#7", "old"), true, "2026-01-02T00:00:00Z");
  EXPECT_EQ(count(mac("new")), 0U);
  EXPECT_EQ(believed(talk_, mac("new")).doubted.size(), 1U);
  Mac both = mac("new");
  both.add([](std::string_view message) { return text_hash("old" + std::string(message)); }, 0);
  EXPECT_EQ(count(both), 1U);
  EXPECT_EQ(believed(talk_, both).doubted.size(), 0U);
  EXPECT_EQ(both("m"), mac("new")("m")) << "the first signs";
}

TEST_F(Trust, TriggerThatIsNotBelievedIsDoubtedAndAStrangersIsNot) {
  const Json trigger = {{"type", "auto-review-trigger"}, {"sha", "abc"}, {"completedAt", "2026-01-01T00:00:00Z"}};
  const std::string head = std::string(kTriggerHead) + "\n";
  say(head + signed_block(trigger, 0, "n", "o/r#7", "other"), true, "2026-01-02T00:00:00Z");
  EXPECT_TRUE(believed(talk_, mac("k")).trigger_doubted);
  talk_.comments.clear();
  say(head + "somebody has taken the block out", true, "2026-01-02T00:00:00Z");
  EXPECT_TRUE(believed(talk_, Mac()).trigger_doubted) << "also without a key";
  talk_.comments.clear();
  say(head + signed_block(trigger, 0, "n", "o/r#7", "other"), false, "2026-01-02T00:00:00Z");
  EXPECT_FALSE(believed(talk_, mac("k")).trigger_doubted);
}

TEST(TrustSeal, TimeOfTheFirstSignatureIsKeptAndNobodyElses) {
  const Standing here{"o/r#7", 0};
  const Json first = sealed({{"type", "review-finding"}}, here, "n", mac("k"), "2026-01-02T00:00:00Z");
  EXPECT_EQ(sealed(first, here, "n", mac("k"), "2026-01-03T00:00:00Z")["signedAt"], "2026-01-02T00:00:00Z");
  const Json said = {{"type", "review-finding"}, {"signedAt", "2000-01-01T00:00:00Z"}};
  EXPECT_EQ(sealed(said, here, "n", mac("k"), "2026-01-03T00:00:00Z")["signedAt"], "2026-01-03T00:00:00Z");
  EXPECT_FALSE(sealed(said, here, "n", {}, "2026-01-03T00:00:00Z").contains("signedAt"));
}

TEST_F(Trust, OfOneNonceTheBotsOwnAndThenTheOldestCounts) {
  say(signed_block({{"type", "review-finding"}, {"status", "PENDING"}}, 0, "n"), false, "2025-01-01T00:00:00Z");
  say(signed_block({{"type", "review-finding"}, {"status", "RESOLVED"}}, 0, "n"), true, "2026-01-02T00:00:00Z");
  say(signed_block({{"type", "review-finding"}, {"status", "DISPUTED"}}, 0, "n"), true, "2026-01-03T00:00:00Z");
  const auto all = believed(talk_, mac("k")).blocks;
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(string_or(all[0].block.data, "status"), "RESOLVED");
}

TEST_F(Trust, UnknownTypesAreNotBelieved) {
  say("```rmcoc\n{\"type\": \"tomorrow\", \"status\": \"RESOLVED\"}\n```", true, "2026-01-01T00:00:00Z");
  EXPECT_EQ(count(), 0U);
}

TEST_F(Trust, NumbersOfCommentsInEveryForm) {
  EXPECT_EQ(id_in({{"id", "9007199254740993"}}, "id"), 9007199254740993U);
  EXPECT_EQ(id_in({{"id", 18446744073709551615U}}, "id"), 18446744073709551615U);
  EXPECT_EQ(id_in({{"id", -1}}, "id"), 0U);
  EXPECT_EQ(id_in({{"id", 1.5}}, "id"), 0U);
  EXPECT_EQ(id_in({{"id", "12x"}}, "id"), 0U);
  EXPECT_EQ(id_in(Json::object(), "id"), 0U);
}

}  // namespace
}  // namespace pawl::pr
