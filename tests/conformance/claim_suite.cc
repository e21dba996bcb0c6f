// Claims and their tokens, effects and their states, small values.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/store_suite.h"

namespace pawl::test {
namespace {

Claim claim_of(const RecordId& id, std::string worker) {
  Claim claim;
  claim.record = id;
  claim.worker = std::move(worker);
  return claim;
}

TEST_P(StoreConformance, ClaimGivesBackEverything) {
  Claim claim = claim_of(story("a", "x"), "worker \"1\"");
  claim.process = {1234, 99, "boot", "1,2"};
  claim.lease_until_ms = 5000;
  claim.granted_ms = 4000;
  write([&](Transaction& tx) { claim.token = must(tx.put_claim(claim)).token; });
  EXPECT_GT(claim.token, 0);
  const auto found = must(reading()->claim(story("a", "x")));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->record, claim.record);
  EXPECT_EQ(found->worker, claim.worker);
  EXPECT_EQ(found->token, claim.token);
  EXPECT_EQ(found->process, claim.process);
  EXPECT_EQ(found->lease_until_ms, 5000);
  EXPECT_EQ(found->granted_ms, 4000);
  EXPECT_FALSE(must(reading()->claim(story("a"))));
}

TEST_P(StoreConformance, LockIsHeldByOneUntilItLetsGo) {
  const auto other = another();
  Lock lock = must(store_->hold("effect a"));
  ASSERT_TRUE(lock.kept);
  EXPECT_FALSE(must(other->hold("effect a")).kept);
  EXPECT_TRUE(must(other->hold("effect b")).kept);
  const auto held = [&](std::string_view name, std::int64_t place) {
    return must(other->begin(Access::read))->held(name, place);
  };
  EXPECT_EQ(held("effect a", lock.place), Held::yes);
  EXPECT_EQ(reading()->held("effect a", lock.place), Held::yes) << "this process's own counts too";
  EXPECT_EQ(held("effect b", lock.place), Held::no);
  EXPECT_EQ(held("effect a", lock.place + 1), Held::unknown) << "it was taken in another copy of the store";
  lock.kept.reset();
  EXPECT_EQ(held("effect a", lock.place), Held::no);
  EXPECT_TRUE(must(other->hold("effect a")).kept);
}

TEST_P(StoreConformance, LockOfAProcessIsFreedByItsDeath) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto own = another();
    const Lock lock = must(own->hold("effect a"));
    const bool said = ::write(ends[1], "x", 1) == 1;
    while (said && ::getppid() != 1) ::pause();
    ::_exit(1);
  }
  char byte = 0;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  EXPECT_FALSE(must(store_->hold("effect a")).kept);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(must(store_->hold("effect a")).kept);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_P(StoreConformance, ClaimTellsWhetherItsLockIsHeld) {
  Claim claim = claim_of(story("a"), "w");
  write([&](Transaction& tx) { claim = must(tx.put_claim(claim)); });
  EXPECT_EQ(must(reading()->claim(story("a")))->held, Held::unknown) << "it has none";
  Lock lock = must(store_->hold(lock_of(claim)));
  claim.lock = lock.place;
  write([&](Transaction& tx) { must(tx.put_claim(claim)); });
  EXPECT_EQ(must(reading()->claim(story("a")))->held, Held::yes);
  lock.kept.reset();
  EXPECT_EQ(must(reading()->claims()).at(0).held, Held::no);
}

TEST_P(StoreConformance, ClaimRenewedKeepsItsToken) {
  Claim claim = claim_of(story("a"), "w");
  write([&](Transaction& tx) { claim = must(tx.put_claim(claim)); });
  claim.lease_until_ms = 777;
  write([&](Transaction& tx) { EXPECT_EQ(must(tx.put_claim(claim)).token, claim.token); });
  EXPECT_EQ(must(reading()->claim(story("a")))->lease_until_ms, 777);
  EXPECT_EQ(must(reading()->claims()).size(), 1u);
}

TEST_P(StoreConformance, ClaimTokensGrowOverDropsAndReopening) {
  std::int64_t last = 0;
  for (int i = 0; i < 3; ++i) {
    for (const char* key : {"a", "b"}) {
      write([&](Transaction& tx) {
        const std::int64_t token = must(tx.put_claim(claim_of(story(key), "w"))).token;
        EXPECT_GT(token, last);
        last = token;
      });
    }
    write([&](Transaction& tx) {
      must(tx.drop_claim(story("a")));
      must(tx.drop_claim(story("b")));
    });
    store_ = another();
  }
  EXPECT_TRUE(must(reading()->claims()).empty());
}

TEST_P(StoreConformance, ClaimTokenGivenUpByARollbackWasNeverGiven) {
  {
    const auto tx = must(store_->begin(Access::write));
    must(tx->put_claim(claim_of(story("a"), "w")));
  }
  EXPECT_FALSE(must(reading()->claim(story("a"))));
}

TEST_P(StoreConformance, ClaimsAreByRecordAndNeverMistaken) {
  // Names that run together when they are joined carelessly.
  const std::vector<RecordId> ids = {{"a", "", "bc"}, {"a", "b", "c"}, {"ab", "", "c"}, {"a", "1:b", ""}};
  write([&](Transaction& tx) {
    for (const RecordId& id : ids) must(tx.put_claim(claim_of(id, id.kind + "," + id.scope + "," + id.key)));
    must(tx.drop_claim({"a", "b", "c"}));
    must(tx.drop_claim({"a", "", "never"}));
  });
  std::vector<RecordId> found;
  for (const Claim& claim : must(reading()->claims())) found.push_back(claim.record);
  EXPECT_EQ(found, (std::vector<RecordId>{{"a", "", "bc"}, {"a", "1:b", ""}, {"ab", "", "c"}}));
  EXPECT_EQ(must(reading()->claim({"ab", "", "c"}))->worker, "ab,,c");
}

TEST_P(StoreConformance, EffectsAreIntendedThenSettled) {
  Effect comment;
  comment.record = story("a", "x");
  comment.kind = "comment";
  comment.marker = "<!-- pawl 1 -->";
  comment.request = Json{{"body", "hello"}};
  Effect push = comment;
  push.kind = "push";
  push.request = Json();
  Batch batch;
  batch.operations.push_back(operation({made(story("a", "x"), "open")}));
  batch.operations.push_back(operation({}));
  batch.operations[0].effects = {comment, push};
  batch.operations[1].effects = {push};
  const Committed committed = commit(batch);
  ASSERT_EQ(committed.effects.size(), 3u);

  const auto effects = must(reading()->effects_of(committed.operations[0]));
  ASSERT_EQ(effects.size(), 2u);
  EXPECT_EQ(effects[0].id, committed.effects[0]);
  EXPECT_EQ(effects[0].operation, committed.operations[0]);
  EXPECT_EQ(effects[0].record, story("a", "x"));
  EXPECT_EQ(effects[0].kind, "comment");
  EXPECT_EQ(effects[0].marker, "<!-- pawl 1 -->");
  EXPECT_EQ(effects[0].state, EffectState::intended);
  EXPECT_EQ(effects[0].request, (Json{{"body", "hello"}}));
  EXPECT_TRUE(effects[0].result.is_null());
  EXPECT_TRUE(effects[1].request.is_null());
  EXPECT_EQ(must(reading()->effects_in(EffectState::intended)).size(), 3u);

  Effect settled;
  settled.id = committed.effects[0];
  settled.state = EffectState::done;
  settled.result = Json{{"url", "u"}};
  Effect failed;
  failed.id = committed.effects[2];
  failed.state = EffectState::failed;
  Batch settle;
  settle.effects = {settled, failed};
  commit(settle);
  const auto done = must(reading()->effects_in(EffectState::done));
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].result, (Json{{"url", "u"}}));
  EXPECT_EQ(done[0].request, (Json{{"body", "hello"}})) << "what was asked for stays";
  EXPECT_EQ(must(reading()->effects_in(EffectState::failed)).at(0).id, committed.effects[2]);
  EXPECT_EQ(must(reading()->effects_in(EffectState::intended)).at(0).id, committed.effects[1]);
  EXPECT_EQ(must(reading()->effects_of(committed.operations[1])).size(), 1u);
}

TEST_P(StoreConformance, EffectThatDoesNotExistIsNotFoundAndNothingIsWritten) {
  Batch batch;
  batch.operations.push_back(operation({made(story("a"), "open")}));
  Effect effect;
  effect.id = 77;
  batch.effects.push_back(effect);
  const auto committed = must(store_->begin(Access::write))->commit(batch);
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::not_found);
  EXPECT_EQ(load(story("a")).revision, 0);
}

TEST_P(StoreConformance, KeptValuesAreReplacedAndForgotten) {
  const std::string odd("\0\xff'", 3);
  write([&](Transaction& tx) {
    must(tx.keep("etag", "1"));
    must(tx.keep("cursor", odd));
    must(tx.keep("etag", "2"));
    EXPECT_EQ(must(tx.kept("etag")), "2") << "seen by the one who wrote it";
  });
  EXPECT_EQ(must(reading()->kept("etag")), "2");
  EXPECT_EQ(must(reading()->kept("cursor")), odd);
  EXPECT_EQ(must(reading()->kept("other")), std::nullopt);
  write([&](Transaction& tx) { must(tx.keep("etag", "")); });
  EXPECT_EQ(must(reading()->kept("etag")), std::nullopt);
  EXPECT_EQ(must(reading()->kept("cursor")), odd);
}

}  // namespace
}  // namespace pawl::test
