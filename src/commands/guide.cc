#include "commands/guide.h"

#include <array>

#include "base/text.h"
#include "commands/context.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "lifecycles/story/story.h"

namespace pawl {
namespace {

constexpr std::string_view kHead = R"(## pawl

`pawl` keeps track of the work in this repository. Ask it where things stand, and tell it when they move; do not edit
its state files by hand (a word that is no status is put back). Every command takes `--json`. Exit codes: 0 done,
1 refused (the message says what is allowed), 3 not found, 4 somebody else was first: look again.

```sh
export PAWL_ACTOR=your-name    # goes into the log
pawl status                    # everything that is under way, what needs a person first
pawl show REF; pawl log REF    # one thing, and what happened to it
pawl log --limit 5             # what was done, with numbers
pawl undo N                    # take back your own operation, by its number
pawl help NOUN VERB            # all of a command, with examples
```
)";

struct Chapter {
  std::string_view kind;
  std::string_view text;
  bool in_use_only = false;  // told only where there is one
};
constexpr std::array kChapters = {
    Chapter{"story", R"(
Stories (prd.json): {statuses}. There is no other status.
```sh
pawl story next --claim --worker "$PAWL_ACTOR" --json    # the most urgent one, and a token for it
pawl story check ID                                      # run its acceptance criteria; needed for committed
pawl story move ID committed --token T                   # then: pushed --pr N, merged
pawl story activity ID bot                               # after you have answered a reviewer
```
)"},
    Chapter{"passes", R"(
Stories (prd.json): each passes, or does not yet.
```sh
pawl story next --claim --worker "$PAWL_ACTOR" --json    # the most urgent one, and a token for it
pawl story check ID                                      # run its acceptance criteria
pawl story move ID passed --token T                      # only if they hold
```
)"},
    Chapter{"issue", R"(
Issues: {statuses}.
```sh
# worktree, branch, session and watcher of its own
pawl issue run 42 -- claude -p --permission-mode acceptEdits '{prompt}'
pawl issue set 42 complete            # or: error --message "what went wrong"
pawl issue ps; pawl issue logs 42     # what runs, and what it printed
```
)"},
    Chapter{"ralph", R"(
Loops: the same prompt until the promise stands on a line of its own. Yours is that of $PAWL_SESSION, which pawl's
hook hands out; where it is not set, say --session NAME.
```sh
pawl ralph start --prompt "P" --max 20                # this session is held until it is done
# another agent, until the check agrees
pawl ralph run --prompt "P" --verify "make test" -- claude -p --permission-mode acceptEdits
pawl ralph show                                       # iteration, prompt, promise
pawl ralph complete                                   # the promise is kept
pawl ralph cancel --reason "why"                      # stop it; it does not come back
```
)"},
    Chapter{"ultrawork", R"(
Ultrawork: a session that is reminded to go on until it is cleared.
```sh
pawl ultrawork show; pawl ultrawork check             # where it stands; one more reminder
pawl ultrawork clear                                  # all of it is done
```
)",
            true},
    Chapter{"verification", R"(
Verification: is it true that the work is done? Pending, approved or exhausted.
```sh
pawl verify show                                      # task, claim, attempts, the last feedback
pawl verify attempt --rejected --feedback "what is missing"    # or: --approved --feedback "what shows it"
```
)",
            true},
    Chapter{"review", R"(
Reviews, in chunks; they can be left and taken up again.
```sh
pawl review start 12                                  # or: continue 12; status shows what is next
pawl review mark 1 in-progress                        # then: reviewed or skipped
pawl review finding add --file F --line N --severity minor --title T --body B
pawl review export                                    # post only when a person has asked for it
```
)"},
    Chapter{"pr-question", R"(
Pull requests: everything that waits for the bot, in order.
```sh
pawl pr detect 12 --json                              # disputes, questions, reviews
pawl pr begin TASK; pawl pr finish TASK --result FILE # or: fail, dismiss
```
)"},
};

// The machine's own words, in their order.
std::string with_statuses(std::string_view text, const Machine& machine) {
  constexpr std::string_view kPlace = "{statuses}";
  const std::size_t at = text.find(kPlace);
  if (at == std::string_view::npos) return std::string(text);
  return cat(text.substr(0, at), join_or(status_names(machine)), text.substr(at + kPlace.size()));
}

Result<Reply> run_guide(Context& context, const Arguments&) {
  PAWL_ASSIGN(Json data, guide(context));
  return Reply{std::move(data)};
}

std::string text_of_guide(const Json& data, const TextStyle&) { return string_or(data, "guide"); }

constexpr std::array kGuideExamples = {
    Example{"pawl guide", "how an agent uses pawl in this workspace"},
    Example{"pawl init --agents", "keep it in AGENTS.md"},
};

}  // namespace

// Where nothing is in use yet all of it is told.
Result<Json> guide_by(const Context& context, const View& view) {
  std::vector<const Chapter*> known, used;
  for (const Chapter& chapter : kChapters) {
    if (context.lifecycles().find(chapter.kind) == nullptr) continue;
    // Of the two dialects one is enough.
    if (chapter.kind != story::kPasses && !chapter.in_use_only) known.push_back(&chapter);
    Query query;
    query.kind = chapter.kind;
    query.include_aside = true;
    query.by_rank_only = true;
    query.limit = 1;
    PAWL_ASSIGN(const auto records, view.list(query));
    if (!records.empty()) used.push_back(&chapter);
  }
  Json out{{"kinds", Json::array()}, {"guide", kHead}};
  for (const Chapter* chapter : used.empty() ? known : used) {
    out["kinds"].push_back(chapter->kind);
    out["guide"] = cat(out["guide"].get<std::string>(),
                       with_statuses(chapter->text, *context.lifecycles().find(chapter->kind)->machine));
  }
  return out;
}

Result<Json> guide(Context& context) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Json out;
  Look everywhere;
  everywhere.all = true;
  PAWL_TRY(engine->read(everywhere, std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(out, guide_by(context, view));
    return done();
  }));
  return out;
}

const Verb kGuide = {
    .name = "guide",
    .summary = "tell an agent how to use pawl in this workspace",
    .manual = "By example, and only of the kinds of work that are in use here; of all where none is yet.",
    .examples = kGuideExamples,
    .for_a_file = true,
    .run = run_guide,
    .text = text_of_guide,
};

}  // namespace pawl
