// Acts in the world, which cannot be in a transaction: the intent is committed first, the act carries a marker, the
// result is committed. A folder of files is the world here; a crash is a process that really dies.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "engine/doctor.h"
#include "engine/effects.h"
#include "engine/undo.h"
#include "support/todo_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

// Where the process dies, if it does.
enum class Death { never, before_the_act, after_the_act };

class World : public testing::Test {
 protected:
  World() {
    fs::create_directories(world_);
    project_.put(R"({"items": [{"id": "a", "state": "open"}, {"id": "b", "state": "open"}]})");
  }

  // How a comment is posted: a file named by its marker. Posting twice would make two.
  [[nodiscard]] EffectHandler handler(Death death = Death::never) {
    EffectHandler made;
    made.act = [this, death](const Effect& effect) -> Result<Json> {
      ++acts_;
      if (death == Death::before_the_act) ::_exit(9);
      write_all((world_ / (effect.marker + "." + std::to_string(entries()))).string(), effect.request.dump());
      if (death == Death::after_the_act) ::_exit(9);
      return Json{{"url", "world/" + effect.marker}};
    };
    made.find = [this](const Effect& effect) -> Result<std::optional<Json>> {
      ++asked_;
      for (const auto& entry : fs::directory_iterator(world_)) {
        if (entry.path().filename().string().starts_with(effect.marker))
          return std::optional<Json>(Json{{"url", "world/" + effect.marker}});
      }
      return std::optional<Json>();
    };
    return made;
  }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(world_), {}));
  }

  // Moves a to-do and intends a comment about it, in one operation.
  Outcome intend(std::string_view key = "a", const std::function<void()>& meanwhile = {}) {
    auto outcome = project_.change({todo(key)}, [&](const View& view, const Now&) -> Result<Decision> {
      Decision decision;
      PAWL_ASSIGN(Change change, moved(view, key, "doing"));
      decision.changes.push_back(std::move(change));
      Effect effect;
      effect.record = todo(key);
      effect.kind = "comment";
      effect.marker = new_marker().value();
      effect.request = Json{{"text", "started"}};
      decision.effects.push_back(std::move(effect));
      if (meanwhile) meanwhile();
      return decision;
    });
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome ? *outcome : Outcome{};
  }
  [[nodiscard]] std::vector<Effect> in(EffectState state) {
    std::vector<Effect> found;
    EXPECT_TRUE(project_.engine().read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(found, view.store().effects_in(state));
      return done();
    }));
    return found;
  }
  Result<std::vector<Effect>> settle_all(const EffectHandler& with) {
    return settle(project_.engine(), [&](const Effect&) { return &with; });
  }
  // A process of its own that intends, acts, and dies on the way.
  void in_a_process_that_dies(Death death, bool intended_already = false, std::int64_t effect = 0) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      project_.open_in_child();
      if (!intended_already) effect = intend().effects.front();
      static_cast<void>(carry_out(project_.engine(), effect, handler(death)));
      ::_exit(1);
    }
    int ended = 0;
    ASSERT_EQ(::waitpid(child, &ended, 0), child);
    ASSERT_EQ(WEXITSTATUS(ended), 9);
    project_.reopen();
  }

  TodoProject project_;
  fs::path world_ = project_.home() + "/world";
  int acts_ = 0;
  int asked_ = 0;
};

TEST_F(World, IntentIsCommittedWithItsOperationBeforeAnythingIsDone) {
  const Outcome outcome = intend();
  ASSERT_EQ(outcome.effects.size(), 1U);
  EXPECT_EQ(entries(), 0U);
  const auto waiting = in(EffectState::intended);
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(waiting[0].id, outcome.effects[0]);
  EXPECT_EQ(waiting[0].operation, outcome.operation);
  EXPECT_EQ(waiting[0].record, todo("a"));
  EXPECT_EQ(waiting[0].request["text"], "started");
  EXPECT_EQ(project_.status("a"), "doing");
}

TEST_F(World, RefusedOperationIntendsNothing) {
  const auto refused = project_.change(
      {todo("a")}, [](const View&, const Now&) -> Result<Decision> { return fail(ErrorCode::illegal_move, "no"); });
  ASSERT_FALSE(refused);
  EXPECT_TRUE(in(EffectState::intended).empty());
}

TEST_F(World, CarriedOutActIsDoneOnceAndItsResultKept) {
  const std::int64_t id = intend().effects.front();
  const auto result = carry_out(project_.engine(), id, handler());
  ASSERT_TRUE(result);
  EXPECT_EQ(entries(), 1U);
  ASSERT_EQ(in(EffectState::done).size(), 1U);
  EXPECT_EQ(in(EffectState::done)[0].result, *result);
  // Not a second time, by whatever way.
  EXPECT_FALSE(carry_out(project_.engine(), id, handler()));
  const auto settled = settle_all(handler());
  ASSERT_TRUE(settled);
  EXPECT_TRUE(settled->empty());
  EXPECT_EQ(entries(), 1U);
}

TEST_F(World, ActKnowsItsMarkerAndMarkersDiffer) {
  const Outcome one = intend("a"), other = intend("b");
  const auto waiting = in(EffectState::intended);
  ASSERT_EQ(waiting.size(), 2U);
  EXPECT_NE(waiting[0].marker, waiting[1].marker);
  EXPECT_GE(waiting[0].marker.size(), 20U);
  ASSERT_TRUE(carry_out(project_.engine(), one.effects[0], handler()));
  EXPECT_TRUE(fs::directory_iterator(world_)->path().filename().string().starts_with(waiting[0].marker));
  EXPECT_EQ(in(EffectState::intended).size(), 1U);  // the other one still waits
}

TEST_F(World, DeathBeforeTheActIsMadeGoodByAskingAndActing) {
  in_a_process_that_dies(Death::before_the_act);
  ASSERT_EQ(in(EffectState::intended).size(), 1U);
  ASSERT_EQ(entries(), 0U);
  const auto settled = settle_all(handler());
  ASSERT_TRUE(settled);
  ASSERT_EQ(settled->size(), 1U);
  EXPECT_EQ((*settled)[0].state, EffectState::done);
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(entries(), 1U);
  EXPECT_TRUE(in(EffectState::intended).empty());
}

TEST_F(World, TheDoctorSaysWhatAPersonCanDoAboutIt) {
  in_a_process_that_dies(Death::before_the_act);
  const auto checkup = check_up(project_.engine());
  ASSERT_TRUE(checkup);
  std::string advice;
  for (const Finding& finding : checkup->findings) {
    if (finding.text.find("it is not known whether the comment for") != std::string::npos) advice = finding.advice;
  }
  EXPECT_NE(advice.find(" for it again looks before it does anything\npawl log todo/a  # tells"), std::string::npos)
      << advice;
}

TEST_F(World, DeathBetweenActAndResultIsFoundByItsMarkerAndNotDoneAgain) {
  in_a_process_that_dies(Death::after_the_act);
  ASSERT_EQ(entries(), 1U);
  ASSERT_EQ(in(EffectState::intended).size(), 1U);
  const auto settled = settle_all(handler());
  ASSERT_TRUE(settled);
  EXPECT_EQ(acts_, 0);
  EXPECT_EQ(entries(), 1U);
  ASSERT_EQ(in(EffectState::done).size(), 1U);
  EXPECT_EQ(in(EffectState::done)[0].result["url"], "world/" + in(EffectState::done)[0].marker);
}

TEST_F(World, DeathAfterTheResultLeavesNothingToSettle) {
  const std::int64_t id = intend().effects.front();
  project_.reopen();  // this process lets go of it
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    project_.open_in_child();
    const bool did = carry_out(project_.engine(), id, handler()).has_value();
    ::_exit(did ? 9 : 1);  // without closing anything
  }
  int ended = 0;
  ASSERT_EQ(::waitpid(child, &ended, 0), child);
  ASSERT_EQ(WEXITSTATUS(ended), 9);
  project_.reopen();
  const auto settled = settle_all(handler());
  ASSERT_TRUE(settled);
  EXPECT_TRUE(settled->empty());
  EXPECT_EQ(asked_, 0);
  EXPECT_EQ(entries(), 1U);
}

TEST_F(World, DyingAgainWhileSettlingIsAskedAgain) {
  in_a_process_that_dies(Death::before_the_act);
  const std::int64_t id = in(EffectState::intended).front().id;
  in_a_process_that_dies(Death::after_the_act, true, id);
  ASSERT_TRUE(settle_all(handler()));
  EXPECT_EQ(acts_, 0);
  EXPECT_EQ(entries(), 1U);
}

TEST_F(World, WhenTheWorldCanNotBeAskedNothingIsDone) {
  in_a_process_that_dies(Death::after_the_act);
  EffectHandler deaf = handler();
  deaf.find = [](const Effect&) -> Result<std::optional<Json>> { return fail(ErrorCode::unavailable, "no network"); };
  EXPECT_FALSE(settle_all(deaf));
  EXPECT_EQ(acts_, 0);
  EXPECT_EQ(entries(), 1U);
  EXPECT_EQ(in(EffectState::intended).size(), 1U);
  ASSERT_TRUE(settle_all(handler()));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(World, UnclearErrorStaysOpenAndIsLookedUp) {
  const std::int64_t id = intend().effects.front();
  EffectHandler unclear = handler();
  unclear.act = [act = handler().act](const Effect& effect) -> Result<Json> {
    static_cast<void>(act(effect));  // it happened, but the answer was lost
    return fail(ErrorCode::unavailable, "timed out");
  };
  EXPECT_FALSE(carry_out(project_.engine(), id, unclear));
  ASSERT_EQ(in(EffectState::intended).size(), 1U);
  ASSERT_TRUE(settle_all(handler()));
  EXPECT_EQ(entries(), 1U);
  EXPECT_EQ(in(EffectState::done).size(), 1U);
}

TEST_F(World, ClearRefusalIsFailedAndNotTriedAgain) {
  const std::int64_t id = intend().effects.front();
  EffectHandler refused = handler();
  refused.act = [](const Effect&) -> Result<Json> { return fail(ErrorCode::unauthorized, "no rights"); };
  EXPECT_FALSE(carry_out(project_.engine(), id, refused));
  ASSERT_EQ(in(EffectState::failed).size(), 1U);
  ASSERT_TRUE(settle_all(handler()));
  EXPECT_EQ(entries(), 0U);
}

TEST_F(World, KindNobodyKnowsWaitsAndDoesNotHideOthers) {
  const std::int64_t first = intend("a").effects.front();
  intend("b");
  const EffectHandler known = handler();
  const auto settled =
      settle(project_.engine(), [&](const Effect& effect) { return effect.id == first ? nullptr : &known; });
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->size(), 1U);
  EXPECT_EQ(in(EffectState::intended).size(), 1U);
}

// One act that fails for good must not keep the ones behind it waiting.
TEST_F(World, OneThatFailsDoesNotKeepTheOthersFromBeingSettled) {
  const std::int64_t first = intend("a").effects.front();
  intend("b");
  EffectHandler mixed = handler();
  mixed.act = [first, act = handler().act](const Effect& effect) -> Result<Json> {
    if (effect.id == first) return fail(ErrorCode::unauthorized, "no rights");
    return act(effect);
  };
  static_cast<void>(settle_all(mixed));
  EXPECT_EQ(in(EffectState::failed).size(), 1U);
  EXPECT_EQ(in(EffectState::done).size(), 1U);
}

// Settling is for what a crash has left: a process that lives is not robbed of what it is about to do.
TEST_F(World, WhatALivingProcessIsDoingIsNotDoneByAnother) {
  const std::int64_t id = intend().effects.front();
  EffectHandler slow = handler();
  slow.act = [this, act = handler().act](const Effect& effect) -> Result<Json> {
    const pid_t child = ::fork();
    if (child == 0) {  // another process settles in this very moment
      project_.open_in_child();
      static_cast<void>(settle_all(handler()));
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    return act(effect);
  };
  ASSERT_TRUE(carry_out(project_.engine(), id, slow));
  EXPECT_EQ(entries(), 1U) << "the comment was posted twice";
}

TEST_F(World, UndoListsWhatStaysAndDoesNotPretend) {
  const Outcome outcome = intend();
  ASSERT_TRUE(carry_out(project_.engine(), outcome.effects.front(), handler()));
  Request request;
  const auto undone = undo(project_.engine(), request, std::nullopt);
  ASSERT_TRUE(undone);
  EXPECT_EQ(project_.status("a"), "open");
  ASSERT_EQ(undone->effects.size(), 1U);
  EXPECT_EQ(undone->effects[0].kind, "comment");
  EXPECT_EQ(undone->effects[0].state, EffectState::done);
  EXPECT_EQ(entries(), 1U);
}

// It was intended for a move that is taken back before anybody acted.
TEST_F(World, UndoneIntentIsListedAsNotDone) {
  intend();
  Request request;
  const auto undone = undo(project_.engine(), request, std::nullopt);
  ASSERT_TRUE(undone);
  ASSERT_EQ(undone->effects.size(), 1U);
  EXPECT_EQ(undone->effects[0].state, EffectState::intended);
  EXPECT_EQ(entries(), 0U);
}

}  // namespace
}  // namespace pawl::test
