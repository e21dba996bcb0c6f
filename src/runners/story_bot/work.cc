#include "runners/story_bot/work.h"

#include <algorithm>

#include "base/text.h"
#include "integrations/git_worktree.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/naming.h"
#include "lifecycles/story/story.h"
#include "runners/story_bot/bots_word.h"
#include "runners/story_bot/facts.h"
#include "runners/story_check.h"
#include "runners/story_place.h"

namespace pawl {
namespace {

// No agent mends a check that cannot be run.
constexpr std::string_view kMendCheck = "install what it needs, or correct the command (pawl story checks shows it)";

std::string short_of(const std::string& commit) { return commit.substr(0, 12); }

// What a story becomes when its work is done and shown.
std::string_view when_done(const Record& story) {
  return story.id.kind == story::kPasses ? story::kPassed : story::kCommitted;
}

}  // namespace

Result<story::BotNote> StoryWork::noted() const {
  PAWL_ASSIGN(const Record story, hold_.record());
  return story::note_of(story.doc);
}

Done StoryWork::note(std::string_view what, Json evidence, const std::function<void(story::BotNote&)>& edit) {
  PAWL_TRY(hold_.change([&](const Record& current, const Now&) {
    story::BotNote now = story::note_of(current.doc);
    edit(now);
    return story::decide(current, story::WriteNote{std::move(now), std::string(what), std::move(evidence)});
  }));
  return done();
}

Result<std::string> StoryWork::folder_for(const Record& story, const std::string& branch) const {
  const std::string& folder = tools_.text("story.worktrees");
  PAWL_ASSIGN(const auto made, tools_.engine.world().roots->find_folder(folder, true));
  if (!made) return fail(ErrorCode::io, cat("cannot make ", printable(folder)));
  const std::string wanted = story_worktree(tools_.engine, story.id);
  // An earlier one with this id may have left its own there.
  PAWL_ASSIGN(const auto worktrees, git_worktrees(tools_.repository));
  for (int number = 1;; ++number) {
    std::string path = number == 1 ? wanted : cat(wanted, "-", number);
    const Worktree* const there = worktree_at(worktrees, path);
    if (there == nullptr || there->gone || there->branch == branch) return path;
  }
}

// A new branch for a new story. One of that name that nobody made for it is not touched.
Result<CheckedOut> StoryWork::begin_branch(const Record& story) {
  const std::string branch = story::branch_of(story.id.key, story.doc, tools_.text("story.branch_prefix"));
  if (!story::is_branch_name(branch))
    return tools_.for_a_person(cat("“", printable(branch), "” cannot be the name of a branch"),
                               "give the story another branchName");
  PAWL_ASSIGN(const KeptFiles ours, files_kept_in_step(tools_.engine));
  PAWL_ASSIGN(const bool there, git_has_branch(tools_.repository, branch));
  // Noted with the intent to make it. A story of another life with this id has left no note.
  if (there && story::note_of(story.doc).branch != branch)
    return tools_.for_a_person(
        cat("there is a branch “", printable(branch), "” already, and it was not made for ", printable(story.id.key)),
        cat("if it has the work: pawl story move ", story::as_typed(story.id.key), " ", when_done(story), " --branch ",
            story::as_typed(branch), "; else give the story another branchName, then pawl story retry ",
            story::as_typed(story.id.key)));
  if (!there && tools_.seat.forge != nullptr && story::note_of(story.doc).branch != branch) {
    PAWL_ASSIGN(const auto elsewhere, git_remote_commit(tools_.repository, tools_.remote, branch));
    if (elsewhere)
      return tools_.for_a_person(
          cat(printable(tools_.remote), " has a branch “", printable(branch), "” already, and it was not made for ",
              printable(story.id.key)),
          cat("give the story another branchName, then pawl story retry ", story::as_typed(story.id.key)));
  }
  if (there) {
    auto at = git_checked_out(tools_.repository, branch, ours);
    if (at || at.error().code != ErrorCode::not_found) return at;
  }
  std::string base = "HEAD";
  if (tools_.seat.forge != nullptr) {
    PAWL_ASSIGN(const std::string into, tools_.base_branch());
    PAWL_ASSIGN(base, git_fetch(tools_.repository, tools_.remote, into));
  } else if (!tools_.text("story.base").empty()) {
    base = tools_.text("story.base");
  }
  PAWL_ASSIGN(base, git_commit_of(tools_.repository, base));
  PAWL_ASSIGN(const std::string folder, folder_for(story, branch));
  PAWL_ASSIGN(const Effect effect, intend_branch(story.id, {tools_.repository, folder, branch, base}));
  PAWL_TRY(hold_.act(effect, *acts_.handler(effect), [&](const Record& current, const Now&) {
    story::BotNote now = story::note_of(current.doc);
    now.branch = branch;
    if (now.base.empty()) now.base = base;
    return story::decide(current, story::WriteNote{std::move(now), std::string(story::kBegan),
                                                   Json{{"branch", branch}, {"base", base}}});
  }));
  return git_checked_out(tools_.repository, branch, ours);
}

// The branch of a story that is under way, brought up to what the remote has of it.
Result<CheckedOut> StoryWork::find_branch(const Record& story) {
  const std::string branch = string_or(story.doc, "branchName");
  if (branch.empty() || !story::is_branch_name(branch))
    return tools_.for_a_person(cat("story ", printable(story.id.key), " names no branch"),
                               cat("write the branch that has its work into its branchName, then pawl story retry ",
                                   story::as_typed(story.id.key), "; or begin it anew: pawl story reset ",
                                   story::as_typed(story.id.key), " --reason R"));
  // Whoever wrote that into the file: what everybody's work goes into is no story's.
  PAWL_ASSIGN(const std::string base, tools_.base_branch());
  if (branch == base)
    return tools_.for_a_person(
        cat("story ", printable(story.id.key), " names the branch ", printable(branch),
            ", which branches are merged into"),
        cat("give it a branch of its own in branchName, then pawl story retry ", story::as_typed(story.id.key)));
  PAWL_ASSIGN(const KeptFiles ours, files_kept_in_step(tools_.engine));
  auto at = git_checked_out(tools_.repository, branch, ours);
  if (!at && at.error().code != ErrorCode::not_found) return at;
  if (!at) {
    PAWL_ASSIGN(const bool here, git_has_branch(tools_.repository, branch));
    std::string from;
    const std::string made = story::note_of(story.doc).branch;
    if (!here && !made.empty() && made != branch)
      return tools_.for_a_person(
          cat("its work is on the branch “", printable(made), "”, and its branchName is “", printable(branch), "” now"),
          cat("write ", printable(made), " into its branchName, then pawl story retry ",
              story::as_typed(story.id.key)));
    if (!here) {
      PAWL_ASSIGN(from, git_fetch(tools_.repository, tools_.remote, branch));
    }
    PAWL_ASSIGN(const std::string folder, folder_for(story, branch));
    PAWL_TRY(git_worktree_for(tools_.repository, {folder, branch, from}));
    at = git_checked_out(tools_.repository, branch, ours);
  }
  return at;
}

// A branch that somebody else pushed to meanwhile.
Done StoryWork::catch_up(const CheckedOut& at) {
  PAWL_ASSIGN(const auto there, git_remote_commit(at.folder, tools_.remote, at.branch));
  if (!there || *there == at.commit) return done();
  if (const auto known = git_is_ancestor(at.folder, *there, at.commit); known && *known) return done();
  PAWL_ASSIGN(const std::string fetched, git_fetch(at.folder, tools_.remote, at.branch));
  return git_forward(at.folder, fetched);
}

// A hook of the project's says no, or git would leave something out: that is for the agent to mend, like a check.
Result<CheckedOut> StoryWork::commit_refused(const Error& why) {
  tools_.output = why.message;
  if (why.code == ErrorCode::gate_failed) {
    PAWL_TRY(note(story::kCommitRefused, Json(), [&](story::BotNote& now) {
      now.worked = false;
      now.failed = Json::array({Json{{"criterion", "git commit"}, {"output", why.message}}});
    }));
  }
  return tl::unexpected(why);
}

Result<CheckedOut> StoryWork::commit(const CheckedOut& at) {
  // An agent may have removed the worktree's .git, or written another's there: git would then act on another checkout,
  // and on somebody's work in it.
  if (at.folder != tools_.repository) {
    if (const Done own = git_check_worktree(tools_.repository, at.folder); !own)
      return fail(ErrorCode::gate_failed, own.error().message, own.error().hint);
  }
  // Or have gone to another branch, which may be somebody's.
  PAWL_ASSIGN(const bool is_on, git_is_on(at.folder, at.branch));
  if (!is_on)
    return fail(ErrorCode::gate_failed,
                cat("the branch “", printable(at.branch), "” is not checked out in ", printable(at.folder),
                    " any more; nothing was committed"),
                cat("git -C ", printable(at.folder), " switch ", printable(at.branch)));
  PAWL_ASSIGN(const KeptFiles kept, files_kept_in_step(tools_.engine));
  const std::vector<std::string>& ours = kept.in(at.folder);
  PAWL_ASSIGN(const Record story, hold_.record());
  PAWL_ASSIGN(const auto unseen, git_unseen(at.folder, ours));
  if (!unseen.empty())
    return commit_refused({ErrorCode::gate_failed,
                           cat("not all of it would be committed: ", printable(unseen.front()),
                               unseen.size() > 1 ? cat(" and ", unseen.size() - 1, " more") : std::string()),
                           "let git see it, or let .gitignore name it"});
  PAWL_ASSIGN(const auto dirty, git_dirty(at.folder, ours));
  if (!dirty.empty()) {
    PAWL_ASSIGN(const std::string head, git_commit_of(at.folder, "HEAD"));
    PAWL_ASSIGN(const Effect effect,
                intend_commit(story.id, {at.folder, head, story::subject_of(story.id.key, story.doc), ours}));
    const auto made = hold_.act(effect, *acts_.handler(effect));
    if (!made) return commit_refused(made.error());
  }
  return git_checked_out(tools_.repository, at.branch, kept);
}

// All criteria at this commit; those that were shown for it already need not be shown again.
Done StoryWork::check(const CheckedOut& at) {
  PAWL_ASSIGN(Record story, hold_.record());
  PAWL_ASSIGN(Json exact, exact_commands(tools_.engine, story, at.branch));
  auto states = story::criteria_at(story.doc, exact, at.commit);
  if (std::all_of(states.begin(), states.end(), story::holds)) return done();
  PAWL_ASSIGN(const CheckedStory checked, check_story(tools_.engine, hold_.request(), story, at.branch, {},
                                                      {tools_.streams.progress, tools_.streams.tell}, tools_.stop));
  if (checked.stop_signal != 0) {
    tools_.stopped = checked.stop_signal;
    return fail(ErrorCode::busy, "stopped");
  }
  if (const story::CheckResult* const one = checked.not_run()) {
    tools_.output = one->tail;
    return tools_.not_tried(cat("the check of “", printable(one->criterion), "” cannot be run: ", one->not_run),
                            std::string(kMendCheck));
  }
  Json failed = Json::array();
  for (const story::CheckResult& one : checked.results) {
    if (one.ok) continue;
    failed.push_back(
        {{"criterion", one.criterion}, {"command", one.command}, {"exit", one.exit}, {"output", one.tail}});
    if (!one.ended.empty()) failed.back()["ended"] = one.ended;
    if (failed.size() == 1) tools_.output = cat(one.tail, one.ended.empty() ? "" : "\n", one.ended);
  }
  if (!failed.empty()) {
    const std::string first = string_or(failed.front(), "criterion");
    const std::size_t count = failed.size();
    PAWL_TRY(note(story::kChecksFailed, Json{{"commit", at.commit}, {"failed", count}}, [&](story::BotNote& now) {
      now.worked = false;  // the agent has to try again, with this
      now.failed = std::move(failed);
    }));
    return fail(ErrorCode::gate_failed, cat("“", printable(first), "” failed at ", short_of(at.commit),
                                            count > 1 ? cat(", and ", count - 1, " more") : std::string()));
  }
  PAWL_ASSIGN(story, hold_.record());
  PAWL_ASSIGN(exact, exact_commands(tools_.engine, story, at.branch));
  states = story::criteria_at(story.doc, exact, at.commit);
  const auto waits = std::find_if_not(states.begin(), states.end(), story::holds);
  if (waits == states.end() || tools_.records_gates()) return done();
  tools_.attest = waits->criterion;
  return tools_.for_a_person(
      cat("“", printable(waits->criterion), "” has no command, and waits for somebody to attest it"),
      story::how_to_attest(story.id.key, waits->criterion), story::Stuck::attest);
}

Result<std::string> StoryWork::unverified(const CheckedOut& at) const {
  PAWL_ASSIGN(const Record story, hold_.record());
  PAWL_ASSIGN(const Json exact, exact_commands(tools_.engine, story, at.branch));
  const auto states = story::criteria_at(story.doc, exact, at.commit);
  if (states.empty()) return std::string(", unverified: it has no acceptance criteria");
  std::string lacking;
  for (const story::CriterionState& one : states) {
    if (!story::holds(one)) lacking += cat(lacking.empty() ? "" : ", ", "“", printable(one.criterion), "”");
  }
  return lacking.empty() ? lacking : cat(", unverified: ", lacking, " not shown");
}

// Into the stash, and not away: somebody may have been there since.
Done StoryWork::set_aside_left(const story::BotNote& before, const CheckedOut& at) {
  if (before.checking.empty() || before.checking != at.commit || at.dirty.empty()) return done();
  PAWL_ASSIGN(const bool bots, is_bots_worktree(tools_.engine, hold_.id(), at.folder));
  if (!bots) return done();
  const auto kept =
      git_stash(at.folder, cat("pawl: left by checks of ", printable(hold_.id().key), " that were cut off"));
  if (!kept && kept.error().code != ErrorCode::not_found) return tl::unexpected(kept.error());
  return done();
}

Result<CheckedOut> StoryWork::carry_out(const story::Task& task, CheckedOut at) {
  PAWL_ASSIGN(const story::BotNote before, noted());
  PAWL_ASSIGN(const Record story, hold_.record());
  const bool agents_turn = !before.worked || before.task != task.kind;
  if (agents_turn) PAWL_TRY(must_be_trusted(tools_.engine, story));  // before an agent works for it
  if (const Done good = check_forms(tools_.engine, story); !good)
    return tools_.for_a_person(good.error().message, good.error().hint);
  PAWL_ASSIGN(const auto cannot, check_that_cannot_run(tools_.engine, story, at.branch, at.folder));
  if (cannot) return tools_.not_tried(*cannot, std::string(kMendCheck));
  if (agents_turn) {
    PAWL_TRY(run_agent_at(task, at));
  } else {
    PAWL_TRY(set_aside_left(before, at));
  }
  PAWL_ASSIGN(at, commit(at));
  if (task.kind == story::kImplement) {
    PAWL_ASSIGN(const story::BotNote now, noted());
    if (now.base == at.commit) {
      PAWL_TRY(note(story::kChangedNothing, Json(), [](story::BotNote& again) { again.worked = false; }));
      return fail(ErrorCode::gate_failed, "the agent changed nothing");
    }
  }
  PAWL_TRY(
      note(story::kChecksBegan, Json{{"commit", at.commit}}, [&](story::BotNote& now) { now.checking = at.commit; }));
  PAWL_TRY(check(at));
  return at;
}

Result<std::string> StoryWork::implement() {
  PAWL_ASSIGN(const Record story, hold_.record());
  if (story::criteria_of(story.doc).empty() && !tools_.records_gates())
    return tools_.for_a_person("it has no acceptance criteria, so nothing could show that it is done",
                               "write them into its acceptanceCriteria first", story::Stuck::criteria);
  PAWL_ASSIGN(CheckedOut at, begin_branch(story));
  story::Task task;
  task.kind = story::kImplement;
  PAWL_ASSIGN(at, carry_out(task, at));
  const std::string_view to = when_done(story);
  PAWL_ASSIGN(const Hold::Decided moved, done_at(at, to));
  PAWL_TRY(hold_.change(moved));
  PAWL_ASSIGN(const std::string lacking, unverified(at));
  return cat("implemented; ", to, " at ", short_of(at.commit), lacking);
}

Done StoryWork::push(const CheckedOut& at) {
  PAWL_ASSIGN(const auto there, git_remote_commit(at.folder, tools_.remote, at.branch));
  const auto remember = [&](const Record& current, const Now&) {
    story::BotNote now = story::note_of(current.doc);
    now.pushed = at.commit;
    return story::decide(
        current, story::WriteNote{std::move(now), "pushing", Json{{"branch", at.branch}, {"commit", at.commit}}});
  };
  if (there && *there == at.commit) {
    PAWL_ASSIGN(const story::BotNote now, noted());
    if (now.pushed != at.commit) PAWL_TRY(hold_.change(remember));
    return done();
  }
  PAWL_ASSIGN(const Effect effect, intend_push(hold_.id(), {tools_.repository, tools_.remote, at.branch, at.commit}));
  const auto pushed = hold_.act(effect, *acts_.handler(effect), remember);
  if (!pushed) tools_.output = pushed.error().message;
  return pushed ? done() : Done(tl::unexpected(pushed.error()));
}

Result<PullRef> StoryWork::open_pull(const CheckedOut& at) {
  PAWL_ASSIGN(const auto known, tools_.seat.forge->pull_of_branch(tools_.seat.repo, at.branch));
  if (known) {
    PAWL_ASSIGN(const story::PullFacts facts, glance_at_pull(*tools_.seat.forge, *known));
    const bool own = !facts.from_fork;
    if (own && (facts.state == "open" || (facts.state == "merged" && facts.head_sha == at.commit))) return *known;
  }
  PAWL_ASSIGN(const Record story, hold_.record());
  PAWL_ASSIGN(const std::string base, tools_.base_branch());
  PAWL_ASSIGN(const Effect effect, intend_draft(story.id, tools_.seat.repo,
                                                {story::subject_of(story.id.key, story.doc),
                                                 as_bots_word(story::pull_body(story)), at.branch, base}));
  PAWL_ASSIGN(const Json made, hold_.act(effect, *acts_.handler(effect)));
  return PullRef{tools_.seat.repo, integer_or(made, "number")};
}

Result<std::string> StoryWork::publish() {
  PAWL_ASSIGN(const Record story, hold_.record());
  PAWL_ASSIGN(const CheckedOut at, find_branch(story));
  PAWL_TRY(check(at));  // somebody may have gone on since
  PAWL_TRY(push(at));
  PAWL_ASSIGN(const PullRef pull, open_pull(at));
  PAWL_ASSIGN(const Json facts, published_facts(*tools_.seat.forge, tools_.repository, tools_.remote, pull, at.branch));
  story::MoveStory move;
  move.to = story::kPushed;
  move.pr = pull.number;
  move.pr_url = string_or(facts, "url");
  move.evidence[std::string(story::kPublished)] = facts;
  move.record_gates = tools_.records_gates();
  PAWL_TRY(hold_.change([&](const Record& current, const Now& now) { return story::decide(current, move, now); }));
  PAWL_ASSIGN(const std::string lacking, unverified(at));
  return cat("pushed ", short_of(at.commit), lacking, "; pull request ", pull.number);
}

Result<std::string> StoryWork::answer(const story::PullFacts& facts, const story::Turn& turn) {
  PAWL_ASSIGN(const Record story, hold_.record());
  PAWL_ASSIGN(CheckedOut at, find_branch(story));
  {
    PAWL_ASSIGN(const story::BotNote before, noted());
    if (!before.worked) PAWL_TRY(catch_up(at));
  }
  story::Task task;
  task.kind = story::kAnswer;
  task.turn = turn;
  task.pull = facts.number;
  task.pull_url = facts.url;
  PAWL_ASSIGN(at, carry_out(task, at));
  const bool new_commit = at.commit != facts.head_sha;
  PAWL_TRY(push(at));
  PAWL_ASSIGN(const Hold::Decided moved, done_at(at, story::kPushed));
  const std::string said = reply();
  if (said.empty()) {
    PAWL_TRY(hold_.change(moved));
  } else {
    PAWL_ASSIGN(const Effect effect, intend_comment(story.id, {tools_.seat.repo, facts.number}, said));
    PAWL_TRY(hold_.act(effect, *acts_.handler(effect), moved));
  }
  PAWL_ASSIGN(const std::string lacking, unverified(at));
  return cat("answered ", turn.news.size(), turn.news.size() == 1 ? " remark" : " remarks",
             new_commit ? cat("; pushed ", short_of(at.commit)) : std::string("; nothing to change"), lacking);
}

std::string StoryWork::task_folder() const {
  return cat(tools_.engine.workspace().store, "/tasks/", story::file_name_of(hold_.id()));
}

std::string StoryWork::reply() const { return bots_word_in(cat(task_folder(), "/reply.md")); }

}  // namespace pawl
