// `pawl story add | pause | retry | reset | fix | drop`: what a person does to a list of stories.
#include <array>

#include "base/text.h"
#include "commands/story.h"
#include "commands/table.h"
#include "engine/typed_path.h"
#include "integrations/git_worktree.h"
#include "lifecycles/story/bot_note.h"
#include "lifecycles/story/prd_file.h"
#include "runners/story_bot/cleanup.h"
#include "runners/story_place.h"

namespace pawl {
namespace {

using namespace story;

template <class Command>
Result<Reply> change_by(Context& context, const Arguments& arguments, const Command& command) {
  PAWL_ASSIGN(Outcome outcome, change_story(context, arguments, [&](const Record& current, const Now&) {
                return decide(current, command);
              }));
  return Reply{std::move(outcome.answer)};
}

// --- add ---

// The list that a new story goes into, and of which kind it is there: as those that are there already.
Result<RecordId> place_for(const Engine& engine, const View& view, const Arguments& arguments) {
  const std::string key = arguments.text_or("id", "");
  const auto typed = arguments.text("file");
  PAWL_ASSIGN(const std::string file, typed ? typed_path(engine, view, *typed) : Result<std::string>(std::string()));
  std::optional<RecordId> first;
  for (const MirrorPlace& place : prd_file().places(engine.settings())) {
    const RecordId here{std::string(kKind), place.scope, key};
    if (typed && file_of(here) != file) continue;
    if (!first || place.scope.empty()) first = here;
    for (const std::string_view kind : {kKind, kPasses}) {
      Query query;
      query.kind = kind;
      query.scope = place.scope;
      query.limit = 1;
      PAWL_ASSIGN(const auto some, view.list(query));
      if (!some.empty()) return RecordId{std::string(kind), place.scope, key};
    }
  }
  if (first) return *first;
  return fail(ErrorCode::invalid_argument, cat(printable(*typed), " is not a list of stories that pawl keeps in step"),
              "story.file in pawl.toml names another one");
}

Result<Reply> run_add(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  AddStory command{arguments.text_or("id", ""), arguments.text_or("title", ""), arguments.text_or("description", ""),
                   arguments.list("criterion"), arguments.number("priority")};
  Look look = look_at_stories();
  Look first = look;
  first.tells_behind = true;  // the second look tells it
  PAWL_TRY(engine->read(first, std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(RecordId id, place_for(*engine, view, arguments));
    look.records.push_back(std::move(id));  // also where there is no such file yet
    return done();
  }));
  PAWL_ASSIGN(Outcome outcome,
              engine->change(context.request(), look, [&](const View& view, const Now&) -> Result<Decision> {
                PAWL_ASSIGN(const RecordId id, place_for(*engine, view, arguments));
                // An id is one story's, of whichever kind.
                const RecordId other{std::string(id.kind == kKind ? kPasses : kKind), id.scope, id.key};
                PAWL_ASSIGN(const Record twin, view.load(other));
                PAWL_ASSIGN(const Record there, view.load(id));
                const bool taken = twin.present() && !twin.aside;
                PAWL_ASSIGN(Change change, decide(taken ? twin : there, command));
                Decision decision;
                decision.answer = moved_json(change);
                decision.changes.push_back(std::move(change));
                return decision;
              }));
  return Reply{std::move(outcome.answer)};
}

Result<Reply> run_pause(Context& context, const Arguments& arguments) {
  return change_by(context, arguments, PauseStory{context.flags.reason});
}
Result<Reply> run_retry(Context& context, const Arguments& arguments) {
  return change_by(context, arguments, RetryStory{});
}
Result<Reply> run_reset(Context& context, const Arguments& arguments) {
  ResetStory command{context.request().actor, context.flags.reason};
  // Where the branch cannot be looked at there is none to go on with either.
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const auto story = read_story(context, arguments);  // done before, it may be gone by now
  const std::string branch = story ? note_of(story->doc).branch : std::string();
  const auto repository = story_repository(*engine);
  if (!branch.empty() && repository)
    command.at = git_commit_of(*repository, cat("refs/heads/", branch)).value_or(std::string());
  return change_by(context, arguments, command);
}
Result<Reply> run_fix(Context& context, const Arguments& arguments) {
  return change_by(context, arguments,
                   FixStory{arguments.text_or("status", ""), context.request().actor, context.flags.reason});
}
// Of two that share an id the other one would take its name, and undo would write over it.
Done must_be_the_only_one(const View& view, const RecordId& id) {
  for (const std::string_view kind : {kKind, kPasses}) {
    PAWL_ASSIGN(const Record other, view.load({std::string(kind), id.scope, key_of_double(id.key, 2)}));
    if (!other.present() || other.aside) continue;
    return fail(ErrorCode::conflict, cat("two stories in ", printable(file_of(id)), " have the id ", printable(id.key)),
                "give one of them another id there first");
  }
  return done();
}

// What is looked at beforehand goes into the answer that is kept: the same again finds nothing of the story any more.
Result<Reply> run_drop(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const auto meant = read_story(context, arguments);
  const auto left =
      meant ? has_left_something(*engine, *meant) : Result<bool>(false);  // outside of git there is nothing
  const DropStory command{context.request().actor, context.flags.reason};
  PAWL_ASSIGN(Outcome outcome,
              change_story(
                  context, arguments, [&](const Record& current, const Now&) { return decide(current, command); },
                  [&](const View& view, const Change& change, Json& answer) -> Done {
                    PAWL_TRY(must_be_the_only_one(view, change.after.id));
                    answer["id"] = arguments.text_or("id", "");
                    if (left.value_or(false)) answer["left"] = true;
                    return done();
                  }));
  outcome.answer["operation"] = outcome.operation;  // the number is known only once it is done
  return Reply{std::move(outcome.answer)};
}

std::string text_of_drop(const Json& story, const TextStyle&) {
  return cat("story ", shown_id(story), " is dropped; pawl undo ", integer_or(story, "operation"), " brings it back\n",
             story.contains("left")
                 ? cat("what was done for it in git stays: its branch, and its worktree if it has one\n    pawl story "
                       "cleanup ",
                       as_typed(string_or(story, "id")),
                       " --branch  # takes both away, unless there is work that nobody else has: it says which\n")
                 : "");
}

constexpr std::array kAddParams = {
    kIdParam,
    Param{.name = "title",
          .value = "TEXT",
          .summary = "what it is about, on one line",
          .required = true,
          .max_bytes = kMaxTextBytes,
          .not_empty = true},
    Param{.name = "description", .value = "TEXT", .summary = "more about it", .max_bytes = kMaxTextBytes},
    Param{.name = "criterion",
          .value = "TEXT",
          .summary = "what must be true of it when it is done",
          .many = true,
          .max_bytes = kMaxTextBytes,
          .not_empty = true},
    Param{.name = "priority", .type = ParamType::integer, .value = "N", .summary = "the lowest is picked first"},
    kFileParam,
};
constexpr std::array kChangeOneParams = {kIdParam, kFileParam, kTokenParam};
constexpr std::array kFixParams = {
    kIdParam,
    Param{.name = "status",
          .value = "STATUS",
          .summary = "the one it gets",
          .positional = true,
          .required = true,
          .max_bytes = kMaxIdBytes,
          .offer = Offer::statuses,
          .offer_kind = "story passes"},
    kFileParam,
    kTokenParam,
};
constexpr std::array kAddExamples = {
    Example{"pawl story add US-9 --title 'Log in by e-mail' --criterion 'npm test passes'", "at the end of the list"},
    Example{"pawl story add US-9 --title 'Log in' --criterion 'Tests pass' --priority 1",
            "with two criteria, before others"},
};
constexpr std::array kPauseExamples = {
    Example{"pawl story pause US-3 --reason 'waiting for the design'", "nobody picks it"},
    Example{"pawl story retry US-3", "it may be picked again"},
};
constexpr std::array kRetryExamples = {
    Example{"pawl story retry US-3", "after a pause, or when the bot gave up on it"},
    Example{"pawl story list", "shows which are not picked, and why"},
};
constexpr std::array kResetExamples = {
    Example{"pawl story reset US-3 --reason 'the approach was wrong'", "begin it again"},
    Example{"pawl story log US-3", "who did so, and why"},
};
constexpr std::array kFixExamples = {
    Example{"pawl story fix US-3 pending --reason 'the agent wrote done'", "give it one of the six words"},
    Example{"pawl story list", "shows the ones that are held"},
};
constexpr std::array kDropExamples = {
    Example{"pawl story drop US-3 --reason 'not wanted any more'", "it leaves the file too"},
    Example{"pawl undo", "it is back"},
};

}  // namespace

const Verb kStoryAdd = {
    .noun = "story",
    .name = "add",
    .summary = "add a pending story to the end of the list",
    .manual =
        "It goes into prd.json, or the list that there is (data/prd.json, .omc/prd.json, .ralph/prd.json, story.file). "
        "Where the stories there have passes instead of a status, so has this one.",
    .params = kAddParams,
    .examples = kAddExamples,
    .read_only = false,
    .run = run_add,
    .text = text_of_changed,
};

const Verb kStoryPause = {
    .noun = "story",
    .name = "pause",
    .summary = "keep a story from being picked",
    .manual = "It keeps its status; --reason says why, in the list and in the log. pawl story retry ends the pause.",
    .params = kChangeOneParams,
    .examples = kPauseExamples,
    .read_only = false,
    .run = run_pause,
    .text = text_of_changed,
};

const Verb kStoryRetry = {
    .noun = "story",
    .name = "retry",
    .summary = "let a story be picked again",
    .manual = "After a pause, after the bot gave up on it, or before the time at which it would be tried again.",
    .params = kChangeOneParams,
    .examples = kRetryExamples,
    .read_only = false,
    .run = run_retry,
    .text = text_of_changed,
};

const Verb kStoryReset = {
    .noun = "story",
    .name = "reset",
    .summary = "take a story back to pending, by a person's word",
    .manual =
        "From any status, with --reason. What its checks said is forgotten; its branch and pull request stay named. No "
        "file and no setting can do this.",
    .params = kChangeOneParams,
    .examples = kResetExamples,
    .read_only = false,
    .needs_reason = true,
    .run = run_reset,
    .text = text_of_changed,
};

const Verb kStoryFix = {
    .noun = "story",
    .name = "fix",
    .summary = "give a status to a story that came in with a word that is none",
    .manual =
        "A story that was in its file with such a word when pawl first saw it is held as it is, and not picked, until "
        "a "
        "person says what it is, with --reason.",
    .params = kFixParams,
    .examples = kFixExamples,
    .read_only = false,
    .needs_reason = true,
    .run = run_fix,
    .text = text_of_changed,
};

const Verb kStoryDrop = {
    .noun = "story",
    .name = "drop",
    .summary = "take a story out of the list for good",
    .manual =
        "A story that is only missing from the file, as when an agent has rewritten it, is put back; this is how one "
        "goes, with --reason. The log keeps what it was and why it went, and pawl undo brings it back.",
    .params = kChangeOneParams,
    .examples = kDropExamples,
    .read_only = false,
    .needs_reason = true,
    .run = run_drop,
    .text = text_of_drop,
};

}  // namespace pawl
