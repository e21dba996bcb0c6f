// A quick part of ./dev crash, and the proof that it would notice. How it works is told in crash/crash.h.
#include <gtest/gtest.h>

#include <random>

#include "base/text.h"
#include "crash/fault_sweep.h"
#include "crash/power_cut.h"
#include "crash/random_kills.h"
#include "crash/recorder.h"
#include "crash/stranger.h"

namespace pawl::crash {
namespace {

using Kind = DiskOp::Kind;

// --- The disk of which the power is cut ---

constexpr FileId kOld = 1, kNew = 2;

Recording with(std::vector<DiskOp> ops) { return {{{"note", {false, 0644, "old"}}}, {{"note", kOld}}, std::move(ops)}; }

DiskOp overwrite(FileId file, std::string bytes) {
  return {.kind = Kind::write, .file = file, .bytes = std::move(bytes)};
}
DiskOp create(std::string name) { return {.kind = Kind::create, .file = kNew, .name = std::move(name), .mode = 0644}; }
DiskOp sync(FileId file) { return {.kind = Kind::sync_file, .file = file}; }
DiskOp rename(std::string from, std::string to) {
  return {.kind = Kind::rename, .name = std::move(from), .to_name = std::move(to)};
}

Tree cut(const Recording& recording, Fate::Kind fate) {
  return after_power_cut(recording, recording.ops.size(), Fate(fate));
}

TEST(PowerCutDisk, WriteThatWasNotSyncedCanBeLost) {
  const Recording recording = with({overwrite(kOld, "new")});
  EXPECT_EQ(cut(recording, Fate::Kind::nothing).at("note").bytes, "old");
  EXPECT_EQ(cut(recording, Fate::Kind::all).at("note").bytes, "new");
}

TEST(PowerCutDisk, WriteThatWasSyncedStays) {
  EXPECT_EQ(cut(with({overwrite(kOld, "new"), sync(kOld)}), Fate::Kind::nothing).at("note").bytes, "new");
}

TEST(PowerCutDisk, SyncOfOneFileDoesNotKeepAnother) {
  const Recording recording = with({create("other"), overwrite(kNew, "x"), overwrite(kOld, "new"), sync(kNew)});
  const Tree left = cut(recording, Fate::Kind::nothing);
  EXPECT_EQ(left.at("other").bytes, "x");
  EXPECT_EQ(left.at("note").bytes, "old");
}

TEST(PowerCutDisk, FileRenamedWithoutASyncCanComeBackEmptyOrAsZeros) {
  const Recording recording = with({create("temp"), overwrite(kNew, "new"), rename("temp", "note")});
  EXPECT_EQ(cut(recording, Fate::Kind::names).at("note").bytes, "");
  EXPECT_EQ(cut(recording, Fate::Kind::names_and_sizes).at("note").bytes, std::string(3, '\0'));
}

TEST(PowerCutDisk, FileSyncedBeforeItsRenameIsTheOldOrTheNewOne) {
  const Recording recording = with({create("temp"), overwrite(kNew, "new"), sync(kNew), rename("temp", "note")});
  for (const Fate::Kind fate : {Fate::Kind::all, Fate::Kind::names, Fate::Kind::names_and_sizes}) {
    EXPECT_EQ(cut(recording, fate), (Tree{{"note", {false, 0644, "new"}}}));
  }
  const Tree lost = cut(recording, Fate::Kind::nothing);
  EXPECT_EQ(lost.at("note").bytes, "old");
  EXPECT_EQ(lost.at("temp").bytes, "new") << "a sync keeps the name under which a file was made";
}

TEST(PowerCutDisk, SyncOfAFileKeepsItsNameAndItsFolderAndNoEarlierRename) {
  constexpr FileId kFolder = 3;
  const Recording recording =
      with({rename("note", "moved"),
            {.kind = Kind::make_folder, .file = kFolder, .name = "in", .mode = 0755},
            {.kind = Kind::create, .file = kNew, .folder = kFolder, .name = "file", .mode = 0644},
            sync(kNew)});
  const Tree lost = cut(recording, Fate::Kind::nothing);
  EXPECT_TRUE(lost.contains("note"));
  EXPECT_TRUE(lost.contains("in/file"));
  EXPECT_FALSE(cut(recording, Fate::Kind::all).contains("note"));
}

TEST(PowerCutDisk, SyncOfTheFolderKeepsARename) {
  const Recording recording = with({create("temp"),
                                    overwrite(kNew, "new"),
                                    sync(kNew),
                                    rename("temp", "note"),
                                    {.kind = Kind::sync_folder, .file = kRoot}});
  EXPECT_EQ(cut(recording, Fate::Kind::nothing), (Tree{{"note", {false, 0644, "new"}}}));
}

TEST(PowerCutDisk, WritesAreTornBetweenSectorsOnly) {
  constexpr std::size_t kSector = 512, kStart = 100, kSize = 2000;
  Recording recording = with({{.kind = Kind::write, .file = kOld, .offset = kStart, .bytes = std::string(kSize, 'n')}});
  recording.start["note"].bytes = std::string(4096, 'o');
  bool torn = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string left = after_power_cut(recording, 1, Fate(Fate::Kind::chance, seed)).at("note").bytes;
    ASSERT_EQ(left.size(), 4096U);
    for (std::size_t i = kStart + 1; i < kStart + kSize; ++i) {
      if (left[i] == left[i - 1]) continue;
      torn = true;
      ASSERT_EQ(i % kSector, 0U) << "seed " << seed;
    }
  }
  EXPECT_TRUE(torn);
}

TEST(PowerCutDisk, ChanceIsTheSameForTheSameSeed) {
  const Recording recording =
      with({create("a"), overwrite(kNew, std::string(5000, 'x')), rename("a", "b"), overwrite(kOld, "new")});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(after_power_cut(recording, 4, Fate(Fate::Kind::chance, seed)),
              after_power_cut(recording, 4, Fate(Fate::Kind::chance, seed)));
  }
}

// --- Real programs on a bench ---

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

class Crash : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "what ships is what is tested; a sanitizer makes system calls of its own";
    auto bench = Bench::make(PAWL_BINARY);
    ASSERT_TRUE(bench) << bench.error().message;
    bench_ = std::move(*bench);
    seed_ = std::random_device{}();
    RecordProperty("seed", std::to_string(seed_));
  }

  [[nodiscard]] Scenario scenario(std::string_view name) const {
    auto made = prepare(*bench_, name);
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : Scenario{};
  }

  static void expect_kept(const Result<Tally>& tally, long at_least) {
    ASSERT_TRUE(tally) << tally.error().message;
    EXPECT_GE(tally->points, at_least) << tally->scenario << " " << tally->fault;
    for (const Breach& breach : tally->breaches)
      ADD_FAILURE() << "./dev crash --only " << breach.point << ": " << breach.what;
  }

  std::unique_ptr<Bench> bench_;
  std::uint64_t seed_ = 0;
};

TEST_F(Crash, RecorderSeesWhatProgramsDoToAFolder) {
  ASSERT_TRUE(write_tree({{"note", {false, 0644, "old"}}}, bench_->disk()));
  Recorder recorder(bench_->disk(), {{"note", {false, 0644, "old"}}});
  const auto run = [&](std::vector<std::string> arguments) {
    const auto end = run_traced({std::move(arguments), {}, bench_->disk(), {}}, recorder.watch());
    ASSERT_TRUE(end) << end.error().message;
    ASSERT_EQ(end->code, 0) << end->err;
  };
  run({"/bin/dd", "if=/dev/zero", "of=temp", "bs=600", "count=2"});
  run({"/bin/mv", "-T", "temp", "note"});
  ASSERT_TRUE(recorder.not_followed().empty()) << recorder.not_followed().front();
  const Recording& recording = recorder.recording();
  EXPECT_EQ(cut(recording, Fate::Kind::all), read_tree(bench_->disk()).value());
  EXPECT_EQ(cut(recording, Fate::Kind::names).at("note").bytes, "") << "nobody synced it";
  EXPECT_EQ(cut(recording, Fate::Kind::nothing).at("note").bytes, "old");
}

TEST_F(Crash, JudgeKnowsBeforeAfterAndAMixture) {
  const Scenario set = scenario("set");
  Judge judge(*bench_, set);
  const auto before = judge.look_at(set.prepared);
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_EQ(before->state, State::before);
  EXPECT_TRUE(before->problems.empty()) << before->problems.front();

  Tree torn = set.prepared;
  std::string& file = torn.at("workspace/.worktrees/.status/42.json").bytes;
  file.resize(file.size() / 2);
  const auto found_torn = judge.look_at(torn);
  ASSERT_TRUE(found_torn) << found_torn.error().message;
  EXPECT_FALSE(found_torn->problems.empty());

  // The command's file without the command's transaction.
  ASSERT_TRUE(write_tree(set.prepared, bench_->disk()));
  ASSERT_TRUE(run_traced(set.command, {}));
  const auto done_tree = read_tree(bench_->disk());
  ASSERT_TRUE(done_tree);
  Tree mixed = set.prepared;
  mixed["workspace/.worktrees/.status/42.json"] = done_tree->at("workspace/.worktrees/.status/42.json");
  const auto found_mixed = judge.look_at(mixed);
  ASSERT_TRUE(found_mixed) << found_mixed.error().message;
  EXPECT_EQ(found_mixed->state, State::neither);

  Tree lying_about = set.prepared;
  lying_about["workspace/.worktrees/.status/debris"] = {false, 0644, "x"};
  const auto found_more = judge.look_at(lying_about);
  ASSERT_TRUE(found_more) << found_more.error().message;
  EXPECT_FALSE(found_more->problems.empty());
}

TEST_F(Crash, EndsThatAreNotInTheDesignAreBreaches) {
  const std::string answer = "done\n";
  EXPECT_TRUE(problems_of_end({0, 0, answer, {}}, false, answer).empty());
  EXPECT_FALSE(problems_of_end({0, 0, "do", {}}, false, answer).empty());
  EXPECT_TRUE(problems_of_end({5, 0, {}, {}}, false, answer).empty());
  EXPECT_FALSE(problems_of_end({134, 0, {}, {}}, false, answer).empty());
  EXPECT_FALSE(problems_of_end({std::nullopt, SIGABRT, {}, {}}, true, answer).empty());
  EXPECT_FALSE(problems_of_end({std::nullopt, SIGKILL, {}, {}}, false, answer).empty());
  EXPECT_TRUE(problems_of_end({std::nullopt, SIGKILL, {}, {}}, true, answer).empty());
}

TEST_F(Crash, KilledAtEveryCallItIsDoneOrNotDone) {
  for (const std::string_view name : {"set", "first"}) {
    const Scenario made = scenario(name);
    Judge judge(*bench_, made);
    const auto tally = sweep(*bench_, made, judge, Fault::kill);
    expect_kept(tally, 50);
    if (!tally) continue;
    EXPECT_GT(tally->before, 0);
    EXPECT_GT(tally->after, 0);
  }
}

TEST_F(Crash, FailingCallsLeaveBeforeOrAfter) {
  std::map<Fault, long> points;  // a short command may never ask for more memory, but some do
  for (const std::string& name : scenario_names()) {
    const Scenario made = scenario(name);
    Judge judge(*bench_, made);
    // A different sample of points for each fault, so that together they cover more.
    long stride = 19;
    for (const FaultFacts& facts : all_faults()) {
      if (facts.fault == Fault::kill) continue;  // above, and in full
      const auto tally = sweep(*bench_, made, judge, facts.fault, has_many_points(facts.fault) ? stride : 3);
      expect_kept(tally, 0);
      points[facts.fault] += tally ? tally->points : 0;
      stride += 4;
    }
  }
  for (const FaultFacts& facts : all_faults()) {
    if (facts.fault == Fault::kill) continue;
    EXPECT_GT(points[facts.fault], 0) << facts.name;
  }
}

TEST_F(Crash, KillsAtRandomMomentsLeaveBeforeOrAfter) {
  for (const std::string_view name : {"set", "undo", "outside", "merge"}) {
    const Scenario made = scenario(name);
    Judge judge(*bench_, made);
    SCOPED_TRACE(cat("--seed ", seed_));
    expect_kept(kill_at_random(*bench_, made, judge, 25, seed_), 25);
  }
}

TEST_F(Crash, WhatAStrangerWritesMeanwhileIsNeverLost) {
  expect_kept(let_stranger_write(*bench_, scenario("set"), 61), 20);
}

TEST_F(Crash, PowerCutsLeaveBeforeOrAfterAndWhatWasAcknowledged) {
  for (const std::string_view name : {"set", "undo", "outside"}) {
    const Scenario made = scenario(name);
    Judge judge(*bench_, made);
    SCOPED_TRACE(cat("--seed ", seed_));
    expect_kept(cut_power(*bench_, made, judge, 1, seed_), 50);
  }
}

}  // namespace
}  // namespace pawl::crash
