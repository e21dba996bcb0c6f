// `pawl review status | show | plan | list | continue | clean`: where a review stands, and going on with it.
#include <algorithm>
#include <array>

#include "base/clock.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "commands/present.h"
#include "commands/review.h"
#include "commands/table.h"
#include "commands/thing.h"
#include "lifecycles/review/chunk_table.h"

namespace pawl {
namespace {

using namespace review;

// --- status, show, plan, list ---

Result<Reply> run_status(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Whole whole, read_whole(context, arguments));
  return Reply{state_json(whole)};
}

Result<Reply> run_review_show(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Whole whole, read_whole(context, arguments));
  Json out = state_json(whole);
  out["ref"] = whole.review.id.ref();
  std::vector<RecordId> parts;
  for (const Record& one : whole.all()) parts.push_back(one.id);
  PAWL_ASSIGN(Engine* const engine, context.engine());
  // The files were looked at; what is asked here is in the store.
  PAWL_TRY(engine->read(Look{}, context.flags.at, [&](const View& view) -> Done {
    PAWL_TRY(add_history(view, parts, context.flags.at, out, arguments.number("limit").value_or(20)));
    return done();
  }));
  if (const std::int64_t more = integer_or(out, "log_more"); more > 0)
    out["log_by"] = cat("pawl review show --pr ", shell_word(whole.pr()), " --limit ",
                        static_cast<std::int64_t>(out["log"].size()) + more);
  return Reply{std::move(out)};
}

std::string text_of_review(const Json& state, const TextStyle& style) {
  Thing thing;
  thing.name = printable(string_or(state, "ref"));
  thing.status = printable(string_or(state, "status"));
  thing.title = review_in_words(state);
  thing.facts = cat(fact("started", state, "started", style), fact("last changed", state, "updated", style));
  thing.body = cat("\n", plan_text(state, style));
  thing.more = more_of(state);
  return text_of_thing(thing, state["log"], style);
}

Result<Reply> run_plan(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Whole whole, read_whole(context, arguments));
  Json out{{"pr", whole.pr()}, {"chunks", Json::array()}};
  for (const Record& chunk : whole.chunks) out["chunks"].push_back(chunk_json(chunk));
  return Reply{std::move(out)};
}

std::string text_of_plan(const Json& answer, const TextStyle&) {
  std::vector<ChunkValues> chunks;
  for (const Json& chunk : answer["chunks"]) {
    ChunkValues one{integer_or(chunk, "chunk"), {}, integer_or(chunk, "loc"), printable(string_or(chunk, "status"))};
    for (const Json& file : chunk["files"]) one.files.push_back(printable(file.get<std::string>()));
    chunks.push_back(std::move(one));
  }
  return new_chunk_table(chunks);
}

Result<Reply> run_review_list(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Json list = Json::array();
  PAWL_TRY(engine->read(look_at_files(), context.flags.at, [&](const View& view) -> Done {
    Query query;
    query.kind = kReview;
    query.include_aside = true;
    PAWL_ASSIGN(auto reviews, view.list(query));
    if (const std::string typed = arguments.text_or("pr", ""); !typed.empty()) {
      PAWL_ASSIGN(const Record meant, review_meant(view, typed));
      std::erase_if(reviews, [&](const Record& one) { return one.id != meant.id; });
    }
    for (const Record& review : reviews) {
      PAWL_ASSIGN(const Whole whole, whole_of(view, review));
      const Json state = state_json(whole);
      list.push_back({{"pr", whole.pr()},
                      {"status", review.status},
                      {"current", !review.aside},
                      {"head_sha", state["head_sha"]},
                      {"updated", state["updated"]},
                      {"progress", state["progress"]}});
    }
    return done();
  }));
  return Reply{std::move(list)};
}

std::string text_of_reviews(const Json& list, const TextStyle& style) {
  if (list.empty()) return "there is no review\n";
  std::string out;
  for (const Json& one : list) {
    const Json& progress = one["progress"];
    std::int64_t findings = 0;
    for (const auto& [word, count] : progress["findings"].items()) findings += count.get<std::int64_t>();
    const bool posted = string_or(one, "status") == kPosted;
    out += cat(one["current"] == true ? "* " : "  ", bold(printable(string_or(one, "pr")), style), "  ",
               posted ? std::string("posted")
                      : cat(integer_or(progress, "done"), "/", integer_or(progress, "chunks"), " chunks, ", findings,
                            findings == 1 ? " finding" : " findings"),
               one["current"] == true || posted ? "" : ", set aside", "  ",
               faint(printable(time_in_words(string_or(one, "updated"), style)), style), "\n");
  }
  return out;
}

// --- continue ---

// The one that was put down last, where the state file shows none.
Result<Record> to_continue(const View& view, const std::string& typed) {
  if (!typed.empty()) return review_meant(view, typed);
  PAWL_ASSIGN(auto current, current_review(view));
  if (current) return std::move(*current);
  Query query;
  query.kind = kReview;
  query.status = std::string(kActive);
  query.include_aside = true;
  PAWL_ASSIGN(auto reviews, view.list(query));
  if (reviews.size() == 1) return std::move(reviews.front());
  if (reviews.empty())
    return fail(ErrorCode::not_found, "there is no review to go on with", "pawl review start PR begins one");
  std::string names;
  for (const Record& one : reviews) names += cat(names.empty() ? "" : ", ", printable(one.id.key));
  return fail(ErrorCode::invalid_argument, cat("which review? ", names), "pawl review continue PR");
}

// Nobody was in it for a day, and nobody has looked at it since.
Result<bool> was_put_down(const View& view, const Whole& whole, const Now& now) {
  OperationQuery newest;
  newest.record = whole.review.id;
  newest.limit = 1;
  PAWL_ASSIGN(const auto operations, view.store().operations(newest));
  // What came in with its file was heard of when that says so.
  std::int64_t heard_ms = operations.empty() || operations.front().outside ? 0 : operations.front().at_ms;
  for (const Record& one : whole.all())
    heard_ms = std::max(heard_ms, parse_iso_time(string_or(one.doc, "updated")).value_or(0));
  return now.wall_ms - heard_ms > kDayMs;
}

Result<Reply> run_continue(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string typed = arguments.text("ref").value_or(arguments.text_or("pr", ""));
  const Decide decide = [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(Record review, to_continue(view, typed));
    PAWL_TRY(must_be_active(review));
    PAWL_ASSIGN(const auto current, current_review(view));
    PAWL_ASSIGN(const Whole whole, whole_of(view, std::move(review)));
    Decision decision;
    decision.changes = take_up(whole.all());
    // Who goes on with one that was put down long ago is in it again, whatever comes of that.
    PAWL_ASSIGN(const bool put_down, was_put_down(view, whole, now));
    if (decision.changes.empty() && put_down)
      decision.changes.push_back({whole.review, whole.review, std::string(kLookedAt), Json(), false});
    const bool other = current && current->id.key != whole.pr();
    if (other) {
      PAWL_ASSIGN(const Whole old, whole_of(view, *current));
      for (Change& change : put_aside(old.all())) decision.changes.push_back(std::move(change));
    }
    const Record* const next = next_chunk(whole.chunks);
    decision.answer = Json{{"pr", whole.pr()},
                           {"head_sha", string_or(whole.review.doc, "head_sha")},
                           {"next", next == nullptr ? Json() : chunk_json(*next)},
                           {"set_aside", other ? Json(current->id.key) : Json()}};
    for (const Record& chunk : whole.chunks) {
      if (chunk.held) decision.answer["held"].push_back(chunk_json(chunk));
    }
    if (const std::string started = string_or(whole.review.doc, "started"); !started.empty())
      decision.answer["started"] = started;
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome, engine->change(context.request(), look_at_files(), decide));
  return Reply{std::move(outcome.answer)};
}

std::string text_of_continue(const Json& answer, const TextStyle& style) {
  std::string out;
  if (answer["set_aside"].is_string())
    out += cat("the review of ", printable(string_or(answer, "set_aside")), " is set aside\n");
  out += cat("going on with ", printable(string_or(answer, "pr")), " at ",
             printable(string_or(answer, "head_sha").substr(0, 12)),
             answer.contains("started") ? cat(", begun ", time_in_words(string_or(answer, "started"), style)) : "",
             "\n  whether the pull request moved on since: pawl review validate\n");
  const Json& next = answer["next"];
  const std::string held = answer.contains("held") ? held_text(answer["held"]) : std::string();
  if (next.is_null())
    return held.empty() ? cat(out, "every chunk is reviewed or skipped; ", kAllOver, "\n")
                        : cat(out, "every other chunk is reviewed or skipped\n", held);
  return cat(out, "next: chunk ", integer_or(next, "chunk"), " (", printable(string_or(next, "status")),
             "): ", joined(next["files"]), "\n", held);
}

// --- clean ---

Result<Reply> run_clean(Context& context, const Arguments& arguments) {
  return clean(context, arguments.text_or("pr", ""));
}

std::string text_of_clean(const Json& answer, const TextStyle&) {
  return answer["cleaned"].is_null() ? "there is no review here; nothing was removed\n"
                                     : "Cleaned up review state and todo files.\n";
}

constexpr std::array kPrOnly = {kPrParam};
constexpr std::array kShowParams = {
    kPrParam,
    Param{.name = "limit",
          .type = ParamType::positive,
          .value = "N",
          .summary = "how many operations, newest first; without it 20"},
};
constexpr std::array kContinueParams = {
    Param{.name = "ref",
          .value = "PR",
          .summary = "owner/repo#123, a URL or a number; otherwise the one that is open, or the only one",
          .positional = true,
          .max_bytes = 1'024,
          .not_empty = true,
          .offer = Offer::records,
          .offer_kind = "review"},
    kSameAsWordParam,
};

constexpr std::array kStatusExamples = {
    Example{"pawl review status", "the chunks, the findings, what is next"},
    Example{"pawl review status --pr octo/cat#7 --json", "all of it, for a script"},
};
constexpr std::array kReviewShowExamples = {
    Example{"pawl review show", "where it stands, and what happened to it, its chunks and its findings"},
    Example{"pawl review show --limit 100 --json | jq '.log[].reason'", "why, for a script"},
};
constexpr std::array kPlanExamples = {
    Example{"pawl review plan", "the chunk plan as a table"},
    Example{"pawl review plan --json | pawl review start octo/cat#8 --plan - --head abc123", "the same plan again"},
};
constexpr std::array kReviewListExamples = {
    Example{"pawl review list", "every review, the current one with a star"},
    Example{"pawl review list --json", "the same for a script"},
};
constexpr std::array kContinueExamples = {
    Example{"pawl review continue", "go on where it was left"},
    Example{"pawl review continue octo/cat#7", "with another one; the current is set aside"},
};
constexpr std::array kCleanExamples = {
    Example{"pawl review clean", "remove the review's three files"},
    Example{"pawl review clean --pr octo/cat#7", "that one; pawl undo brings it back"},
};

}  // namespace

const Verb kReviewStatus = {
    .noun = "review",
    .name = "status",
    .summary = "show where a review stands",
    .manual =
        "A line for each chunk ([x] reviewed, [-] skipped, [>] in progress, [ ] pending), the findings by severity, "
        "and "
        "what is next. The exit code is 3 when there is no review.",
    .params = kPrOnly,
    .examples = kStatusExamples,
    .run = run_status,
    .text = state_text,
};

const Verb kReviewShow = {
    .noun = "review",
    .name = "show",
    .summary = "show a review and its history",
    .manual =
        "What pawl review status shows, and below it what happened to the review, its chunks and its findings: who, "
        "what, why, and how long ago. The exit code is 3 when there is no review.",
    .params = kShowParams,
    .examples = kReviewShowExamples,
    .run = run_review_show,
    .text = text_of_review,
};

const Verb kReviewPlan = {
    .noun = "review",
    .name = "plan",
    .summary = "show a review's chunk plan",
    .manual = "As the table that the state file has; with --json as what `pawl review start --plan` reads.",
    .params = kPrOnly,
    .examples = kPlanExamples,
    .for_a_file = true,
    .run = run_plan,
    .text = text_of_plan,
};

const Verb kReviewList = {
    .noun = "review",
    .name = "list",
    .summary = "list all reviews, also those that are set aside",
    .manual = "The one that the state file shows has a star. --pr shows that one alone.",
    .params = kPrOnly,
    .examples = kReviewListExamples,
    .run = run_review_list,
    .text = text_of_reviews,
};

const Verb kReviewContinue = {
    .noun = "review",
    .name = "continue",
    .summary = "go on with a review that was put down",
    .manual =
        "The state file shows it again, as it was left; another one that was open is set aside. The chunk that was in "
        "progress is the one to go on with, else the first that is pending. GitHub is not asked: pawl review validate "
        "tells whether the head moved since.",
    .params = kContinueParams,
    .examples = kContinueExamples,
    .read_only = false,
    .run = run_continue,
    .text = text_of_continue,
};

const Verb kReviewClean = {
    .noun = "review",
    .name = "clean",
    .summary = "end a review and remove its files",
    .manual =
        "review-buddy-state.md, review-buddy-findings.md and review-todo.md go; the folder stays, with whatever else "
        "is in it. What others wrote into them is kept in .pawl/kept/, and that is said. It is not an error when "
        "there is no review. pawl undo brings it back.",
    .params = kPrOnly,
    .examples = kCleanExamples,
    .read_only = false,
    .run = run_clean,
    .text = text_of_clean,
};

}  // namespace pawl
