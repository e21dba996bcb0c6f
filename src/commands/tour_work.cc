// The tour's longer work: a story that one worker drops and another takes up, a review put down and resumed, an issue
// run in a session of its own.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "commands/tour_guide.h"

namespace pawl::tour {
namespace {

constexpr std::string_view kWorkList = R"json({
  "project": "Shop",
  "stories": [
    {"id": "US-1", "title": "Reset a password", "priority": 1, "status": "pending"},
    {"id": "US-2", "title": "Show the basket", "priority": 2, "status": "pending"}
  ]
}
)json";

constexpr std::string_view kReview = R"md(---
pr_owner: "octo"
pr_repo: "cat"
pr_number: 7
head_sha: "abc123def456"
started: "2026-01-15T10:30:00Z"
updated: "2026-01-15T10:45:00Z"
mode: "full"
focus: ""
self_review: false
---

## Chunk Plan

| Chunk | Files | LOC | Status |
|-------|-------|-----|--------|
| 1 | types.ts | 120 | reviewed |
| 2 | core/engine.ts | 450 | in-progress |
| 3 | engine.test.ts | 200 | pending |

## Findings
)md";

// In place of an agent, in a worktree and a tmux session of its own.
constexpr std::string_view kWorkAgent = R"sh(#!/bin/sh
echo "agent: fixing it"
echo "fixed" >fixed.txt
git add fixed.txt
git -c user.name=tour -c user.email=tour@example.org commit -q -m "Fix the login"
echo "###TASK_COMPLETE_7###"
)sh";

// A worker that takes a story, and dies with it in its hands.
Result<pid_t> worker_that_dies(Guide& guide) {
  const pid_t worker = fork();
  if (worker < 0) return fail(ErrorCode::io, "the tour could not start a worker");
  if (worker == 0) {
    pause();
    _exit(0);
  }
  const auto ran = guide.pawl({"story", "next", "--claim", "--worker", "bot-1", "--pid", std::to_string(worker)});
  if (ran && ran->exit_code == 0) return worker;
  kill(worker, SIGKILL);
  waitpid(worker, nullptr, 0);
  if (!ran) return tl::unexpected(ran.error());
  return fail(ErrorCode::internal, "the tour's worker got no story: please report this");
}

}  // namespace

Done a_story_changes_hands(Guide& guide) {
  PAWL_TRY(guide.chapter("A story whose worker is killed"));
  PAWL_TRY(guide.write_file("prd.json", kWorkList));
  PAWL_ASSIGN(const pid_t worker, worker_that_dies(guide));
  guide.say("bot-1 holds US-1 while its process lives. The next worker gets another story:");
  PAWL_TRY(guide.pawl({"story", "next", "--claim", "--worker", "bot-2", "--lease", "10m"}));
  kill(worker, SIGKILL);
  waitpid(worker, nullptr, 0);
  guide.say("bot-1 was killed. Its story is free at once, and bot-3 gets it:");
  PAWL_TRY(guide.pawl({"story", "next", "--claim", "--worker", "bot-3", "--lease", "10m"}));
  return done();
}

Done a_review_is_resumed(Guide& guide) {
  PAWL_TRY(guide.chapter("A review that was put down is taken up where it was"));
  PAWL_TRY(guide.write_file(".review-buddy/review-buddy-state.md", kReview));
  PAWL_TRY(guide.pawl({"review", "continue"}));
  PAWL_TRY(guide.pawl({"review", "mark", "2", "reviewed"}));
  PAWL_TRY(guide.pawl({"review", "mark", "1", "pending"}));
  return done();
}

Done an_issue_is_run(Guide& guide) {
  PAWL_TRY(guide.chapter("An agent on an issue, in a worktree and a session of its own, watched"));
  if (guide.lacks({"git", "tmux"})) return done();
  // A tmux server of the tour's own, which goes with its folder.
  setenv("TMUX_TMPDIR", guide.folder().c_str(), 1);
  unsetenv("TMUX");
  PAWL_TRY(guide.write_program("agent7", kWorkAgent));
  PAWL_TRY(guide.write_file(".gitignore", ".worktrees/\n"));
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"git", "-C", guide.folder(), "init", "-q", "."},
           {"git", "-C", guide.folder(), "-c", "user.name=tour", "-c", "user.email=tour@example.org", "commit", "-q",
            "--allow-empty", "-m", "first"}})
    PAWL_TRY(run_program(words, 4096));
  PAWL_TRY(guide.pawl({"issue", "run", "7", "--title", "Fix the login", "--", guide.folder() + "/agent7"}));
  PAWL_TRY(guide.pawl({"issue", "watch", "7", "--timeout", "20s"}));
  PAWL_TRY(run_program({"tmux", "kill-server"}, 4096, StandardError::with_output));
  return done();
}

}  // namespace pawl::tour
