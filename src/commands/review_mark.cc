// `pawl review mark`: another status for a chunk, or for several at once.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "commands/review.h"
#include "commands/table.h"

namespace pawl {
namespace {

using namespace review;

constexpr std::int64_t kMostChunks = 10'000;

// "3", "1,3" and "2-5", in the order in which they were typed.
Result<std::vector<std::int64_t>> chunks_in(const std::string& typed) {
  const auto wrong = [&] {
    return fail(ErrorCode::invalid_argument, cat("“", printable(typed.substr(0, 80)), "” names no chunk"),
                "a number of the plan, or several: 1,3 or 2-5");
  };
  std::vector<std::int64_t> out;
  for (const std::string_view part : split(typed, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = parse_positive(trim(part.substr(0, dash)));
    const auto last = dash == std::string_view::npos ? first : parse_positive(trim(part.substr(dash + 1)));
    if (!first || !last || *last < *first || *last - *first >= kMostChunks) return wrong();
    for (std::int64_t one = *first; one <= *last; ++one) {
      if (std::find(out.begin(), out.end(), one) == out.end()) out.push_back(one);
    }
  }
  return out;
}

// Each in turn: what one leaves is what the next one finds.
Result<Decision> mark_each(const View& view, const Record& review, const std::vector<std::int64_t>& numbers,
                           const MarkChunk& command, const Now& now, bool strict, std::vector<Error>& refused) {
  refused.clear();
  PAWL_ASSIGN(auto chunks, chunks_of(view, review.id.key));
  Decision decision;
  Json list = Json::array();
  for (const std::int64_t number : numbers) {
    const auto found =
        std::find_if(chunks.begin(), chunks.end(), [&](const Record& one) { return number_of(one.id) == number; });
    if (found == chunks.end())
      return fail(ErrorCode::not_found, cat("there is no chunk ", number, ": the plan has ", chunks.size()),
                  "pawl review status shows them");
    auto change = review::decide(*found, chunks, command, now);
    const bool blocks =
        !change &&
        (strict || (change.error().code != ErrorCode::illegal_move && change.error().code != ErrorCode::gate_failed));
    if (blocks) return tl::unexpected(change.error());
    if (!change) refused.push_back(change.error());
    list.push_back(chunk_json(change ? change->after : *found));
    list.back()["marked"] = change.has_value();
    if (!change) continue;
    const Record after = change->after;
    decision.changes.push_back(std::move(*change));
    *found = after;
  }
  decision.answer = list.back();
  if (list.size() > 1) decision.answer["chunks"] = std::move(list);
  return decision;
}

Result<Reply> run_mark(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const auto numbers, chunks_in(arguments.text_or("chunk", "")));
  const MarkChunk command{arguments.text_or("status", "")};
  std::vector<Error> refused;
  PAWL_ASSIGN(const Outcome outcome, change_review(context, arguments.text_or("pr", ""), look_at_files(),
                                                   [&](const View& view, const Record& review, const Now& now) {
                                                     return mark_each(view, review, numbers, command, now,
                                                                      arguments.flag("strict"), refused);
                                                   }));
  // As the seed has it: a warning that blocks nobody.
  for (const Error& one : refused)
    context.note(cat("Warning: ", one.message, one.hint.empty() ? std::string() : cat("\n  ", one.hint)));
  return Reply{outcome.answer};
}

std::string line_of(const Json& chunk) {
  return cat("chunk ", integer_or(chunk, "chunk"), chunk["marked"] == true ? " is " : " stays ",
             printable(string_or(chunk, "status")), "\n");
}

std::string text_of_mark(const Json& answer, const TextStyle&) {
  if (!answer.contains("chunks")) return line_of(answer);
  std::string out;
  for (const Json& chunk : answer["chunks"]) out += line_of(chunk);
  return out;
}

constexpr std::array kMarkParams = {
    Param{.name = "chunk",
          .value = "CHUNK",
          .summary = "its number in the plan; several as 1,3 or 2-5",
          .positional = true,
          .required = true,
          .max_bytes = 1'024,
          .not_empty = true},
    Param{.name = "status",
          .value = "STATUS",
          .summary = "in-progress, reviewed or skipped",
          .positional = true,
          .required = true,
          .max_bytes = 100,
          .offer = Offer::statuses,
          .offer_kind = "chunk"},
    kPrParam,
    Param{
        .name = "strict", .type = ParamType::flag, .summary = "a move that is not allowed is an error, not a warning"},
};
constexpr std::array kMarkExamples = {
    Example{"pawl review mark 3 in-progress", "begin chunk 3"},
    Example{"pawl review mark 3 reviewed --strict", "it is done; exit 1 when it was not begun"},
    Example{"pawl review mark 4,6-8 skipped", "several at once"},
};

}  // namespace

const Verb kReviewMark = {
    .noun = "review",
    .name = "mark",
    .summary = "give a chunk another status, or several",
    .manual =
        "pending becomes in-progress or skipped, in-progress becomes reviewed or skipped; one chunk at a time is in "
        "progress. Any other move is not made: a warning says so, and the exit code is 0, or 1 with --strict, which "
        "makes all of the moves or none. With --json and several chunks `chunks` has each of them.",
    .params = kMarkParams,
    .examples = kMarkExamples,
    .read_only = false,
    .run = run_mark,
    .text = text_of_mark,
};

}  // namespace pawl
