// `pawl dismiss`: what was refused or could not be read stays out, and nobody is asked about it any more.
#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "engine/aside.h"
#include "engine/engine.h"
#include "engine/refused_copy.h"
#include "verbs/context.h"
#include "verbs/present.h"
#include "verbs/review.h"
#include "verbs/table.h"

namespace pawl {
namespace {

// A review may approve once a copy is gone that kept it from that: who let it go, when and why is told in its log. That
// is set down first; killed before the copies are moved, they are still asked about.
Result<Outcome> record_dismissal(Context& context, Engine& engine, const std::vector<std::string>& copies) {
  const Request request = context.request();
  const bool of_reviews = std::any_of(copies.begin(), copies.end(), review::is_of_a_review);
  return engine.change(
      request, of_reviews ? review::look_at_files() : Look(), [&](const View& view, const Now&) -> Result<Decision> {
        Decision decision;
        decision.answer = Json{{"dismissed", copies}};
        if (!of_reviews) return decision;
        PAWL_ASSIGN(const auto kept_back, review::kept_back_by(engine, view, copies));
        for (const review::KeptBack& one : kept_back) {
          if (request.reason.empty())
            return fail(ErrorCode::invalid_argument,
                        cat(printable(one.copies.front()), " keeps the review of ", printable(one.review.id.key),
                            " from approving, and is let go of only with a reason"),
                        cat("say what became of what it says: ", review::dismissal_of(one.copies.front())));
          decision.changes.push_back(
              {one.review, one.review, std::string(review::kLetGo), Json{{"copies", one.copies}}, false});
        }
        return decision;
      });
}

Result<Reply> run_dismiss(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const auto typed = arguments.list("copies");
  const bool all = arguments.flag("all");
  if (typed.empty() != all)
    return fail(ErrorCode::invalid_argument,
                "`pawl dismiss` needs copies in .pawl/refused/ or .pawl/damaged/, or --all, and not both");
  PAWL_TRY(engine->store());
  std::vector<std::string> copies;
  for (const std::string& one : typed) {
    std::string found = find_copy(*engine, engine->path_of(one));
    if (found.empty())
      return fail(ErrorCode::not_found, cat(printable(one), " is not a copy of what was refused or could not be read"),
                  cat("pawl status names those that wait for you; all of them lie in refused/ and damaged/ of ",
                      printable(engine->world().roots->shortened(engine->workspace().store))));
    copies.push_back(std::move(found));
  }
  if (all) {
    for (const char* folder : {"refused", "damaged"}) {
      for (KeptAside& one : kept_since(engine->world(), folder, 0)) copies.push_back(std::move(one.path));
    }
  }
  PAWL_ASSIGN(Outcome outcome, record_dismissal(context, *engine, copies));
  for (const std::string& copy : copies) PAWL_TRY(settle_copy(*engine, copy));
  return Reply{std::move(outcome.answer)};
}

std::string text_of_dismiss(const Json& data, const TextStyle&) {
  const auto count = static_cast<std::int64_t>(data["dismissed"].size());
  if (count == 0) return "nothing waits: there is no copy of what was refused or could not be read\n";
  std::set<std::string> folders;  // outside git the store is no .pawl
  for (const Json& one : data["dismissed"]) {
    const std::string path = one.get<std::string>();
    folders.insert(cat(path.substr(0, path.rfind('/')), "/settled/"));
  }
  const auto in = [&](std::string_view end) {
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& one) { return one.ends_with(end); });
  };
  const bool damaged = in("/damaged/settled/"), refused = in("/refused/settled/");
  std::string where;
  for (const std::string& folder : folders) where += cat(where.empty() ? "" : " and ", printable(folder));
  return cat(
      "what ", refused ? "was refused" : "", refused && damaged ? " or " : "", damaged ? "could not be read" : "",
      " stays out: ", count == 1 ? std::string("1 copy is") : cat(count, " copies are"), " kept in ", where, "\n");
}

constexpr std::array kDismissParams = {
    Param{.name = "copies",
          .value = "COPY",
          .summary = "a copy in .pawl/refused/ or .pawl/damaged/",
          .positional = true,
          .many = true,
          .offer = Offer::files},
    Param{.name = "all", .type = ParamType::flag, .summary = "every one that is there"},
};
constexpr std::array kDismissExamples = {
    Example{"pawl dismiss .pawl/refused/prd.json.20240130T090000Z", "what it says was rightly refused"},
    Example{"pawl dismiss --all", "all of them were"},
    Example{"pawl dismiss --all --reason 'entered by hand'", "those that a review waits for too; the log tells why"},
};

}  // namespace

const Verb kDismiss = {
    .name = "dismiss",
    .summary = "let go of what was refused or could not be read",
    .manual =
        "What a file said against the rules was put back when it was found, and kept as a copy in .pawl/refused/; a "
        "file that could not be read is kept in .pawl/damaged/. `pawl status` asks about it for a day, and a review "
        "approves nothing while a copy of its own file is there: such a one is let go of with --reason, which `pawl "
        "log` "
        "tells. This says that it may go: the file stays as it is, "
        "and the copy is moved to settled/ of its folder. `pawl accept` takes it over instead, also from there; one "
        "that could not be read has to be mended first.",
    .params = kDismissParams,
    .examples = kDismissExamples,
    .read_only = false,
    .run = run_dismiss,
    .text = text_of_dismiss,
};

}  // namespace pawl
