#include "commands/story_move.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "commands/table.h"
#include "engine/claims.h"
#include "engine/doubt.h"
#include "lifecycles/story/gates.h"
#include "runners/story_check.h"

namespace pawl {
namespace story {

std::string branch_of(const Record& story, const MoveStory& command) {
  return command.branch ? *command.branch : string_or(story.doc, "branchName");
}

Result<Json> gather_evidence(Engine& engine, const Record& story, const MoveStory& command, std::string_view gate) {
  if (gate != kCriteria) return Json();
  const std::string branch = branch_of(story, command);
  if (!branch.empty() && !is_branch_name(branch))
    return fail(ErrorCode::invalid_argument,
                cat("“", printable(branch.substr(0, 80)), "” cannot be the name of a branch"));
  return criteria_facts(engine, story, branch.empty() ? std::nullopt : std::optional(branch));
}

MoveStory move_in(const Context& context, const Engine& engine, const Arguments& arguments) {
  MoveStory command;
  command.to = arguments.text_or("status", "");
  command.branch = arguments.text("branch");
  command.pr = arguments.number("pr");
  command.reason = context.flags.reason;
  command.record_gates = records_gates(lifecycle(), engine.settings());
  return command;
}

Done see_doubt(Engine& engine, const Record& story, MoveStory& command) {
  return engine.read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(command.unverified, is_unverified(view, story));
    if (command.unverified && story.status == command.to) {
      PAWL_ASSIGN(command.lacked, doubted_gates(view.store(), story.id));
    }
    return done();
  });
}

namespace {

// What the move needs, and what one that stays where it is has to show besides.
std::vector<std::pair<std::string, bool>> gates_to_look_at(const Record& story, const MoveStory& command) {
  std::vector<std::pair<std::string, bool>> out;
  const auto add = [&](std::string_view gate, bool needed) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const auto& one) { return one.first == gate; });
    if (!known && gate != kPersonGate && gate != "reason") out.emplace_back(gate, needed);
  };
  for (const std::string_view gate : gates_before(story, command.to, command.unverified)) add(gate, true);
  for (const std::string& gate : command.lacked) add(gate, false);
  return out;
}

}  // namespace

Result<Reply> move_story(Context& context, const Arguments& arguments, const Gather& gather) {
  PAWL_ASSIGN(const Record story, read_story(context, arguments));
  return move_story(context, arguments, story, gather);
}

Result<Reply> move_story(Context& context, const Arguments& arguments, const Record& story, const Gather& gather) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  MoveStory command = move_in(context, *engine, arguments);
  PAWL_TRY(see_doubt(*engine, story, command));
  if (const auto token = arguments.number("token")) {
    PAWL_TRY(engine->read_store(
        [&](const View& view) -> Done { return check_token(view.store(), story.id, *token, context.clock->now()); }));
  }
  for (const auto& [gate, needed] : gates_to_look_at(story, command)) {
    Result<Json> facts = gather(*engine, story, command, gate);
    if (!facts && !command.record_gates && needed)
      return fail(facts.error().code,
                  cat("story ", printable(story.id.key), " is ", story.status, "; to become ", printable(command.to),
                      " it needs “", gate, "” (", machine_of(story).words_of(gate),
                      "), which could not be looked up: ", facts.error().message),
                  cat("from ", story.status, " it can become ", legal_moves(machine_of(story), story),
                      facts.error().hint.empty() ? "" : "\n  ", facts.error().hint));
    command.evidence[gate] =
        facts ? std::move(*facts) : Json{{"lacks", cat("it could not be looked up: ", facts.error().message)}};
  }
  PAWL_ASSIGN(Outcome outcome, change_story(context, arguments, [&](const Record& current, const Now& now) {
                return decide(current, command, now);
              }));
  return Reply{std::move(outcome.answer)};
}

}  // namespace story

namespace {

using namespace story;

// Only GitHub knows some things.
Result<Reply> run_move(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const Record story, read_story(context, arguments));
  MoveStory command = move_in(context, *engine, arguments);
  PAWL_TRY(see_doubt(*engine, story, command));
  for (const auto& [gate, needed] : gates_to_look_at(story, command)) {
    if (!needs_forge(gate)) continue;
    const Error not_handed_over = context.hand_over();
    if (needed && !command.record_gates) return tl::unexpected(not_handed_over);
  }
  return move_story(context, arguments, story, gather_evidence);
}

Result<Reply> run_activity(Context& context, const Arguments& arguments) {
  const NoteActivity command{arguments.text_or("by", "")};
  PAWL_ASSIGN(Outcome outcome, change_story(context, arguments, [&](const Record& current, const Now& now) {
                return decide(current, command, now);
              }));
  return Reply{std::move(outcome.answer)};
}

std::string text_of_activity(const Json& story, const TextStyle&) {
  return cat("story ", shown_id(story), " is ", shown_status(story), "; ",
             string_or(story, "lastActivityBy") == "bot" ? "the bot" : "a reviewer", " went last\n");
}

constexpr std::array<std::string_view, 2> kWho = {"bot", "reviewer"};
constexpr std::array kMoveParams = {
    kIdParam,
    Param{.name = "status",
          .value = "STATUS",
          .summary = "pending, committed, pushed, merged, skipped or invalid; passed, where stories have passes",
          .positional = true,
          .required = true,
          .max_bytes = kMaxIdBytes,
          .not_empty = true,
          .offer = Offer::moves,
          .offer_kind = "story passes"},
    Param{.name = "branch",
          .value = "B",
          .summary = "the branch it is worked on",
          .max_bytes = kMaxIdBytes,
          .offer = Offer::branches},
    Param{.name = "pr",
          .type = ParamType::positive,
          .value = "N",
          .summary = "its pull request; for skipped the other one, which addresses the same issue"},
    kFileParam,
    kTokenParam,
};
constexpr std::array kActivityParams = {
    kIdParam,
    Param{.name = "by",
          .value = "WHO",
          .summary = "who went last",
          .positional = true,
          .required = true,
          .choices = kWho},
    kFileParam,
    kTokenParam,
};
constexpr std::array kMoveExamples = {
    Example{"pawl story move US-3 committed --branch us-3", "all its criteria pass at the branch's commit"},
    Example{"pawl story move US-3 pushed --pr 17", "its branch is on the remote, its pull request is open"},
    Example{"pawl story move US-3 merged --token \"$token\"", "only by whoever holds it"},
};
constexpr std::array kActivityExamples = {
    Example{"pawl story activity US-3 reviewer", "a reviewer waits for an answer: it is the most urgent now"},
    Example{"pawl story activity US-3 bot", "answered; now it waits"},
};

}  // namespace

const Verb kStoryMove = {
    .noun = "story",
    .name = "move",
    .summary = "move a story to another status, if its lifecycle allows it",
    .manual =
        "pending → committed and pushed → pushed need all acceptance criteria to pass at the commit of the story's "
        "branch, with nothing left uncommitted; the branch that stories go into is none's own, so there --branch names "
        "another. committed → pushed needs the branch on the remote and its pull "
        "request. pushed → merged needs it merged, pushed → invalid closed unmerged, pending → skipped another pull "
        "request that addresses the same issue. There are no other moves; what a person may do besides is pawl story "
        "reset.\n\n"
        "A refusal names the status that the story has, where it can go, and what is missing. With gates = \"record\" "
        "in pawl.toml the move is made all the same, marked unverified, and what was missing is said and kept.",
    .params = kMoveParams,
    .examples = kMoveExamples,
    .read_only = false,
    .run = run_move,
    .text = text_of_changed,
};

const Verb kStoryActivity = {
    .noun = "story",
    .name = "activity",
    .summary = "say who went last on a story's pull request",
    .manual = "After a reviewer's word the story is the most urgent; after the bot's it waits.",
    .params = kActivityParams,
    .examples = kActivityExamples,
    .read_only = false,
    .run = run_activity,
    .text = text_of_activity,
};

}  // namespace pawl
