// `pawl story next`: the most urgent story, and a claim on it.
#include <array>

#include "base/local_time.h"
#include "base/text.h"
#include "commands/present.h"
#include "commands/story.h"
#include "commands/table.h"
#include "engine/claims.h"
#include "engine/left.h"
#include "engine/set_aside.h"
#include "runners/story_choice.h"

namespace pawl {
namespace {

using namespace story;

constexpr int kNothingToDo = 3;
constexpr std::int64_t kUsualLeaseMs = std::int64_t{10} * 60 * 1000;

std::string joined(const std::vector<std::string>& ids, std::string_view between) {
  std::string out;
  for (const std::string& id : ids) out += cat(out.empty() ? "" : between, printable(id));
  return out;
}

std::string cycle_text(const std::vector<std::string>& cycle) {
  const bool cut = cycle.front() != cycle.back();
  return cat(joined(cycle, " → "), cut ? " → …" : "", ": these wait for each other, so none of them is picked");
}

// What should be known besides: a cycle, a dependency that nobody has.
Json beside(const StoryChoice& choice) {
  Json notes = Json::array();
  for (const auto& cycle : choice.cycles) notes.push_back(cycle_text(cycle));
  for (const auto& [id, others] : choice.nameless)
    notes.push_back(cat("story ", printable(id), " waits for ", joined(others, ", "),
                        ", which is no story here; that is not waited for"));
  return notes;
}

std::string why_nothing(const StoryChoice& choice) {
  std::string out;
  const auto add = [&](const std::string& part) { out += cat(out.empty() ? "" : "; ", part); };
  for (const auto& [id, worker] : choice.held) add(cat(printable(id), " is held by ", printable(worker)));
  for (const auto& [id, others] : choice.waiting) add(cat(printable(id), " waits for ", joined(others, ", ")));
  if (choice.due_ms) add(cat("the next is due at ", local_time(*choice.due_ms)));
  if (choice.paused) add("some are paused, given up or held (pawl story list shows them)");
  return out.empty() ? "all stories have ended, or there is none" : out;
}

Json answer_of(const StoryChoice& choice) {
  if (!choice.story) {
    Json out{{"id", nullptr}, {"tier", nullptr}, {"why", why_nothing(choice)}};
    if (choice.due_ms) out["due_at"] = iso_time(*choice.due_ms, true);
    if (!choice.cycles.empty()) out["cycles"] = choice.cycles;
    return out;
  }
  Json out = story_json(*choice.story);
  out["tier"] = name_of(choice.tier);
  out["why"] = why(choice.tier);
  if (!choice.cycles.empty()) out["cycles"] = choice.cycles;
  return out;
}

Result<Reply> reply_of(Context& context, Engine& engine, Json answer, const Json& notes) {
  for (const Json& note : notes) context.note(note.get<std::string>());
  const bool nothing = answer["id"].is_null() && !answer.contains("status");
  if (nothing) PAWL_TRY(lists_can_be_read(engine));
  if (nothing && engine.has_store() && !engine.left()) {
    PAWL_TRY(engine.read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(const auto aside, aside_with_files(engine.world(), view.store()));
      for (const AsideWithFile& one : aside) context.note(cat(one.text, "\n  ", one.advice));
      return done();
    }));
  }
  return Reply{std::move(answer), nothing ? kNothingToDo : 0};
}

Result<ClaimRequest> claim_in(const Arguments& arguments) {
  const bool claims = arguments.flag("claim");
  for (const char* name : {"worker", "pid", "lease"}) {
    if (!claims && arguments.flag(name))
      return fail(ErrorCode::invalid_argument, cat("--", name, " goes with --claim"));
  }
  ClaimRequest request{{},
                       arguments.text_or("worker", ""),
                       arguments.number("pid").value_or(0),
                       arguments.duration_ms("lease").value_or(0)};
  if (claims && request.worker.empty())
    return fail(ErrorCode::invalid_argument, "--claim needs --worker W: who takes it");
  if (request.pid == 0 && request.lease_ms == 0) request.lease_ms = kUsualLeaseMs;
  return request;
}

Result<Reply> run_next(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(ClaimRequest claim, claim_in(arguments));
  if (context.flags.at) return fail(ErrorCode::invalid_argument, "what is next has no past: --at cannot be used here");
  Json notes = Json::array();
  if (!arguments.flag("claim")) {
    Json answer;
    PAWL_TRY(engine->read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
      PAWL_ASSIGN(const StoryChoice choice, choose_story(*engine, view, context.clock->now(), {}));
      answer = answer_of(choice);
      notes = beside(choice);
      return done();
    }));
    return reply_of(context, *engine, std::move(answer), notes);
  }
  // Not “nothing to do”: a bot would wait for ever.
  if (engine->left())
    return fail(ErrorCode::gate_failed, left_in_words(*engine->left(), context.clock->now().wall_ms),
                "pawl init  # comes back");
  const LookAtStory look{parse_duration_ms(engine->settings().text("story.recheck")).value_or(0)};
  // Choosing and taking are one transaction, under the gate: what one worker gets no other one does.
  PAWL_ASSIGN(
      Outcome outcome,
      engine->change(context.request(), look_at_stories(), [&](const View& view, const Now& now) -> Result<Decision> {
        PAWL_ASSIGN(const StoryChoice choice, choose_story(*engine, view, now, claim.worker));
        notes = beside(choice);
        Decision decision;
        decision.answer = answer_of(choice);
        if (!choice.story) return decision;
        decision.changes.push_back(decide(*choice.story, look, now));
        claim.record = choice.story->id;
        PAWL_ASSIGN(const Claim taken, grant_claim(view.store(), claim, now));
        decision.answer["claim"] = {{"worker", taken.worker}, {"token", taken.token}};
        return decision;
      }));
  return reply_of(context, *engine, std::move(outcome.answer), notes);
}

std::string text_of_next(const Json& story, const TextStyle& style) {
  if (story["id"].is_null() && !story.contains("status"))
    return cat("nothing is to be done: ", string_or(story, "why"), "\n");
  std::string out = cat(bold(shown_id(story), style), "  ", shown_status(story), "  ", printable(title_of(story)),
                        "\n  ", string_or(story, "tier"), ": ", string_or(story, "why"), "\n");
  if (story.contains("claim"))
    out += cat("  held by ", printable(string_or(story["claim"], "worker")), " with token ",
               integer_or(story["claim"], "token"), "\n");
  return out;
}

constexpr std::array kNextParams = {
    Param{.name = "claim", .type = ParamType::flag, .summary = "take it, so that no other worker gets it"},
    Param{.name = "worker", .value = "W", .summary = "who takes it", .max_bytes = 200, .not_empty = true},
    Param{.name = "pid",
          .type = ParamType::positive,
          .value = "P",
          .summary = "held while this process lives; free within a second of its death"},
    Param{.name = "lease",
          .type = ParamType::duration,
          .value = "TIME",
          .summary = "held for this long: 10m, which it is without --pid and --lease"},
};
constexpr std::array kNextExamples = {
    Example{"pawl story next", "what should be worked on, and why; nothing is changed"},
    Example{"pawl story next --claim --worker bot-1 --pid $$ --json", "take it for as long as this shell lives"},
    Example{"pawl story next --claim --worker bot-1 --lease 30m --json | jq .claim", "for half an hour"},
};

}  // namespace

const Verb kStoryNext = {
    .noun = "story",
    .name = "next",
    .summary = "which story to work on now; --claim takes it",
    .manual =
        "First those for which a reviewer waits (urgent), then pushed ones that may have been approved (high), then "
        "committed ones (medium), then pending ones (normal); among equals the lowest priority, then the one looked at "
        "least recently, then the order of the file. story.order = \"new-work-before-waiting\" puts the pushed ones "
        "that wait last. One that waits for a story which has not ended is passed over, as is what another worker "
        "holds.\n\n"
        "Only a claim counts as a look. A pushed story that waits is then left alone for story.recheck (10m), so that "
        "it does not keep the others from being worked on. The same worker asking again may get what it holds, with "
        "the same token; pawl claim renew and pawl claim release go on from there. A move with --token is refused "
        "once the claim is lost. The exit code is 3 when there is nothing to do.",
    .params = kNextParams,
    .examples = kNextExamples,
    .read_only = false,
    .run = run_next,
    .text = text_of_next,
};

}  // namespace pawl
