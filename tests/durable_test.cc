// What a command has said is done is on the disk by then, and what it could not do is not said to be done: pawl's part
// in files of the user's, the first settings, and what `pawl leave` writes out. A program of which each call to the
// kernel is seen, and may be made to fail.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/text.h"
#include "base/traced_process.h"
#include "crash/recorder.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

using crash::DiskOp;
using crash::Fate;
using Kind = crash::DiskOp::Kind;

constexpr std::string_view kCriteria =
    R"({"stories":[{"id":"US-1","title":"t","status":"pending","acceptanceCriteria":["w"]}]})";
constexpr std::string_view kBotsSettings = R"({"project":{"targetRepoPath":"x","org":"o"},"bot":{}})";

class Durable : public testing::Test {
 protected:
  [[nodiscard]] Result<TracedExit> traced(const std::vector<std::string>& args, const CallWatch& watch) const {
    TracedCommand command;
    command.arguments = {PAWL_BINARY};
    command.arguments.insert(command.arguments.end(), args.begin(), args.end());
    command.environment = {"HOME=" + project.home(), "PATH=/usr/bin:/bin"};
    command.folder = project.path();
    return run_traced(command, watch);
  }

  // What it did to the disk; nothing where tracing is not to be had.
  [[nodiscard]] std::optional<crash::Recording> recorded(const std::vector<std::string>& args) const {
    const auto start = crash::read_tree(project.path());
    EXPECT_TRUE(start) << start.error().message;
    crash::Recorder recorder(project.path(), *start);
    const auto end = traced(args, recorder.watch());
    if (!end) return std::nullopt;
    EXPECT_EQ(end->code, 0) << end->err;
    return recorder.recording();
  }

  // Each renameat2 to this name goes through `meet` first.
  [[nodiscard]] static CallWatch at_rename_to(std::string_view name, std::function<CallVerdict()> meet) {
    CallWatch watch;
    watch.entering = [name = std::string(name), meet = std::move(meet)](const SystemCall& call) {
      if (call.number != SYS_renameat2) return CallVerdict::proceed();
      const auto to = read_traced_text(call.thread, call.args[3]);
      return to && *to == name ? meet() : CallVerdict::proceed();
    };
    return watch;
  }

  IssueProject project;
};

#define SKIP_UNLESS_TRACED(it) \
  if (!(it)) GTEST_SKIP() << "tracing is not to be had here"

TEST_F(Durable, WhatLeaveWroteIsOnTheDiskBeforePawlIsMarkedLeft) {
  project.must({"issue", "set", "1", "running"});
  const auto done = recorded({"leave"});
  SKIP_UNLESS_TRACED(done);
  const std::vector<DiskOp>& ops = done->ops;
  const auto mark = std::find_if(ops.begin(), ops.end(), [](const DiskOp& op) { return op.to_name == "left"; });
  const auto made = std::find_if(ops.begin(), mark, [](const DiskOp& op) { return op.name == "pawl-left"; });
  ASSERT_TRUE(mark != ops.end() && made != mark);
  const auto log = std::find_if(made, mark, [](const DiskOp& op) { return op.name == "log.jsonl"; });
  ASSERT_NE(log, mark);
  const auto synced_after = [&](auto from, crash::FileId folder) {
    return std::any_of(from, mark, [&](const DiskOp& op) {
      return op.kind == Kind::sync_all || (op.kind == Kind::sync_folder && op.file == folder);
    });
  };
  EXPECT_TRUE(synced_after(log, made->file)) << "the log's name";
  EXPECT_TRUE(synced_after(made, crash::kRoot)) << "the folder's name";
}

TEST_F(Durable, HooksThatWereEnteredAreStillThereAfterAPowerCut) {
  project.write(".claude/settings.json", "{\"model\": \"opus\"}\n");
  project.must({"init"});
  const auto done = recorded({"init", "--claude", "--agents"});
  SKIP_UNLESS_TRACED(done);
  const crash::Tree left = crash::after_power_cut(*done, done->ops.size(), Fate(Fate::Kind::nothing));
  EXPECT_TRUE(has(left.at(".claude/settings.json").bytes, "pawl hook")) << left.at(".claude/settings.json").bytes;
  EXPECT_TRUE(left.contains("AGENTS.md"));
}

TEST_F(Durable, FirstSettingsAreStillThereAfterAPowerCut) {
  project.write("config.json", kBotsSettings);
  project.write("prd.json", kCriteria);
  const auto done = recorded({"init"});
  SKIP_UNLESS_TRACED(done);
  const crash::Tree left = crash::after_power_cut(*done, done->ops.size(), Fate(Fate::Kind::nothing));
  ASSERT_TRUE(left.contains("pawl.toml"));
  EXPECT_EQ(left.at("pawl.toml").bytes, project.read("pawl.toml"));
}

// Killed when the first file was to be copied.
TEST_F(Durable, WhatGitMustNotSeeIsHiddenBeforeItIsCopied) {
  project.must({"issue", "set", "1", "running"});
  project.write(".pawl/kept/issue-7/.env", "SECRET=1\n");
  CallWatch watch;
  watch.entering = [](const SystemCall& call) {
    if (call.number != SYS_openat && call.number != SYS_open) return CallVerdict::proceed();
    const auto path = read_traced_text(call.thread, call.args[call.number == SYS_open ? 0 : 1]);
    return path && has(*path, "pawl-left/kept/issue-7/.env") ? CallVerdict::kill() : CallVerdict::proceed();
  };
  const auto end = traced({"leave"}, watch);
  SKIP_UNLESS_TRACED(end);
  ASSERT_FALSE(end->code) << "it never came to that";
  EXPECT_EQ(project.read("pawl-left/kept/.gitignore"), "*\n");
}

TEST_F(Durable, SettingsThatCanNotBeWrittenAreNotSaidToBeThere) {
  project.write("config.json", kBotsSettings);
  const auto end = traced({"init"}, at_rename_to("pawl.toml", [] { return CallVerdict::fail(EIO); }));
  SKIP_UNLESS_TRACED(end);
  EXPECT_NE(end->code, 0);
  EXPECT_FALSE(has(end->out, "was left as it is")) << end->out;
  EXPECT_TRUE(has(end->err, "pawl.toml")) << end->err;
  EXPECT_FALSE(project.exists("pawl.toml"));
}

// The second time, when gates are added to what was just written.
TEST_F(Durable, AnEditOfTheFirstSettingsIsNotWrittenOver) {
  project.write("config.json", kBotsSettings);
  project.write("prd.json", kCriteria);
  int met = 0;
  const auto edit = [&] {
    if (++met == 2) project.write("pawl.toml", "gates = \"record\"  # mine\n");
    return CallVerdict::proceed();
  };
  const auto end = traced({"init"}, at_rename_to("pawl.toml", edit));
  SKIP_UNLESS_TRACED(end);
  EXPECT_GE(met, 2) << end->err;
  EXPECT_EQ(project.read("pawl.toml"), "gates = \"record\"  # mine\n");
}

TEST_F(Durable, ALeaveThatFailsLeavesNoFolder) {
  project.write(".claude/settings.json", "{\"model\": \"opus\"}\n");
  project.must({"init", "--claude"});
  const auto end = traced({"leave"}, at_rename_to("settings.json", [] { return CallVerdict::fail(EIO); }));
  SKIP_UNLESS_TRACED(end);
  EXPECT_NE(end->code, 0);
  EXPECT_FALSE(project.exists("pawl-left")) << end->out;
  project.must({"status"});
  project.must({"leave"});
  EXPECT_TRUE(project.exists("pawl-left/log.jsonl"));
  EXPECT_FALSE(project.exists("pawl-left/unfinished"));
}

TEST_F(Durable, WhatAKilledLeaveWroteSaysThatItIsNotAll) {
  project.write(".claude/settings.json", "{\"model\": \"opus\"}\n");
  project.must({"init", "--claude"});
  const auto end = traced({"leave"}, at_rename_to("settings.json", [] { return CallVerdict::kill(); }));
  SKIP_UNLESS_TRACED(end);
  EXPECT_TRUE(project.exists("pawl-left/unfinished")) << end->out;
  const Ran left = project.run({"leave"});
  EXPECT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(has(left.out, "of a pawl leave that was cut off")) << left.out;
  EXPECT_TRUE(project.exists("pawl-left-2/log.jsonl"));
  EXPECT_FALSE(project.exists("pawl-left-2/unfinished"));
}

// The disk fails when the new file stands there already, and is to be made to stay.
TEST_F(Durable, WhatWasExchangedIsNotSaidToStandAsItWas) {
  project.write(".claude/settings.json", "{\"model\": \"opus\"}\n");
  project.must({"init"});
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"init", "--claude"}, {"init", "--claude", "--remove"}}) {
    const auto before = project.read(".claude/settings.json");
    bool exchanged = false;
    CallWatch watch = at_rename_to("settings.json", [&] {
      exchanged = true;
      return CallVerdict::proceed();
    });
    watch.entering = [&, first = watch.entering](const SystemCall& call) {
      const bool syncs = call.number == SYS_fsync || call.number == SYS_fdatasync;
      return exchanged && syncs ? CallVerdict::fail(EIO) : first(call);
    };
    const auto end = traced(command, watch);
    SKIP_UNLESS_TRACED(end);
    ASSERT_TRUE(exchanged) << end->err;
    EXPECT_NE(end->code, 0);
    EXPECT_NE(project.read(".claude/settings.json"), before);
    EXPECT_TRUE(has(end->err, ".claude/settings.json was changed, but that may not last")) << end->err;
    EXPECT_FALSE(has(end->err, "it stands as it is") || has(end->err, "nothing was changed")) << end->err;
    project.must(command);
  }
  EXPECT_EQ(project.read(".claude/settings.json"), "{\"model\": \"opus\"}\n");
}

// Killed when the file was out of its place, and lay beside it.
TEST_F(Durable, WhatAKilledPawlTookAwayGoesWithTheFoldersMadeForIt) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"init", "--opencode", "--remove"}, {"leave"}}) {
    project.must({"init", "--opencode"});
    CallWatch watch;
    watch.entering = [](const SystemCall& call) {
      if (call.number != SYS_unlinkat && call.number != SYS_unlink) return CallVerdict::proceed();
      const auto path = read_traced_text(call.thread, call.args[call.number == SYS_unlink ? 0 : 1]);
      return path && has(*path, ".pawl.js.pawl-") ? CallVerdict::kill() : CallVerdict::proceed();
    };
    const auto end = traced(command, watch);
    SKIP_UNLESS_TRACED(end);
    ASSERT_FALSE(end->code) << "it never came to that: " << end->err;
    ASSERT_TRUE(project.exists(".opencode/plugins"));
    project.must(command);
    EXPECT_FALSE(project.exists(".opencode")) << command.front();
  }
}

TEST_F(Durable, WhatAKilledLeaveTookAwayOfAgentsPageIsSettledByTheNext) {
  project.must({"init", "--agents"});
  CallWatch watch;
  watch.entering = [](const SystemCall& call) {
    if (call.number != SYS_unlinkat && call.number != SYS_unlink) return CallVerdict::proceed();
    const auto path = read_traced_text(call.thread, call.args[call.number == SYS_unlink ? 0 : 1]);
    return path && has(*path, ".AGENTS.md.pawl-") ? CallVerdict::kill() : CallVerdict::proceed();
  };
  const auto end = traced({"leave"}, watch);
  SKIP_UNLESS_TRACED(end);
  ASSERT_FALSE(end->code) << "it never came to that: " << end->err;
  ASSERT_FALSE(project.exists("AGENTS.md"));
  std::string beside;
  for (const auto& entry : std::filesystem::directory_iterator(project.path())) {
    const std::string name = entry.path().filename();
    if (name.starts_with(".AGENTS.md.pawl-")) beside = name;
  }
  ASSERT_NE(beside, "");
  EXPECT_TRUE(has(project.run({"doctor"}).out, beside)) << project.run({"doctor"}).out;
  project.write(".AGENTS.md.pawl-77-1", "somebody's own words\n");
  const std::string left = project.out({"leave"});
  EXPECT_TRUE(has(left, ".AGENTS.md.pawl-77-1")) << "what is nobody else's stays, and is named\n" << left;
  EXPECT_FALSE(project.exists(beside)) << "it was pawl's alone";
  EXPECT_EQ(project.read(".AGENTS.md.pawl-77-1"), "somebody's own words\n");
}

// Somebody leaves while `pawl init` waits for its turn at the store.
TEST_F(Durable, InitComesBackFromALeaveThatItWaitedFor) {
  project.must({"issue", "set", "1", "running"});
  bool met = false;
  CallWatch watch;
  watch.entering = [&](const SystemCall& call) {
    if (call.number == SYS_flock && !met) {
      met = true;
      project.write(".pawl/left", R"({"at": "2026-01-01T00:00:00Z", "folder": "pawl-left"})");
    }
    return CallVerdict::proceed();
  };
  const auto end = traced({"init"}, watch);
  SKIP_UNLESS_TRACED(end);
  ASSERT_TRUE(met);
  EXPECT_EQ(end->code, 0) << end->err;
  EXPECT_TRUE(has(end->err, "a `pawl leave` was under way, and is done: this comes back")) << end->err;
  EXPECT_FALSE(project.exists(".pawl/left"));
  project.must({"issue", "set", "1", "complete"});
}

// What it wrote before it was kept waiting is told by the one that comes back.
TEST_F(Durable, InitThatComesBackTellsOfTheSettingsThatItWrote) {
  project.must({"issue", "set", "1", "running"});
  project.write("config.json", kBotsSettings);
  bool met = false;
  CallWatch watch;
  watch.entering = [&](const SystemCall& call) {
    if (call.number != SYS_flock || met || !project.exists("pawl.toml")) return CallVerdict::proceed();
    std::error_code why;
    const auto file = std::filesystem::read_symlink(cat("/proc/", call.thread, "/fd/", call.args[0]), why);
    if (!why && file.filename() == "gate") {
      met = true;
      project.write(".pawl/left", R"({"at": "2026-01-01T00:00:00Z", "folder": "pawl-left"})");
    }
    return CallVerdict::proceed();
  };
  const auto end = traced({"init"}, watch);
  SKIP_UNLESS_TRACED(end);
  ASSERT_TRUE(met);
  EXPECT_EQ(end->code, 0) << end->err;
  EXPECT_TRUE(has(end->err, "this comes back")) << end->err;
  EXPECT_TRUE(has(end->out, "wrote pawl.toml, from config.json")) << end->out;
}

}  // namespace
}  // namespace pawl::test
