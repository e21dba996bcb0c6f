// `pawl dismiss`: what was refused or could not be read stays out, and nobody is asked about it any more.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/present.h"
#include "commands/review.h"
#include "commands/table.h"
#include "engine/aside.h"
#include "engine/engine.h"
#include "engine/refused_copy.h"
#include "engine/typed_path.h"
#include "lifecycles/review/state_file.h"

namespace pawl {
namespace {

// Why somebody let go of what was refused in a review's file is told in its log, where they say it.
Done add_refused(const Engine& engine, const View& view, const std::vector<std::string>& copies, Decision& decision) {
  std::map<RecordId, std::vector<std::string>> about;
  for (const std::string& copy : copies) {
    if (!review::is_of_a_review(copy) || review::keeps_from_approving(copy)) continue;
    const auto image = read_file(engine.world().roots->absolute(copy), review::kMaxStateBytes);
    const auto whose = image && image->exists ? review::state_file().identity_in(image->bytes) : std::nullopt;
    if (whose) about[review::review_id(*whose)].push_back(copy);
  }
  for (const auto& [id, its] : about) {
    PAWL_ASSIGN(const Record record, view.load(id));
    if (record.present())
      decision.changes.push_back({record, record, std::string(review::kLetGoRefused), Json{{"copies", its}}, false});
  }
  return done();
}

// A review may approve once a copy is gone that kept it from that: who let it go, when and why is told in its log. That
// is set down first; killed before the copies are moved, they are still asked about.
Result<Outcome> record_dismissal(Context& context, Engine& engine, const std::vector<std::string>& copies) {
  const Request request = context.request();
  const bool of_reviews = std::any_of(copies.begin(), copies.end(), review::keeps_from_approving);
  return engine.change(
      request, of_reviews ? review::look_at_files() : Look(), [&](const View& view, const Now&) -> Result<Decision> {
        Decision decision;
        decision.answer = Json{{"dismissed", copies}};
        if (!request.reason.empty()) PAWL_TRY(add_refused(engine, view, copies, decision));
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
  std::vector<std::string> copies, settled;
  for (const std::string& one : typed) {
    PAWL_ASSIGN(const std::string path, typed_path(*engine, one));
    std::string found = find_copy(*engine, path);
    if (found.empty())
      return fail(ErrorCode::not_found, cat(printable(one), " is not a copy of what was refused or could not be read"),
                  cat("pawl status names those that wait for you; all of them lie in refused/ and damaged/ of ",
                      printable(engine->world().roots->shortened(engine->workspace().store))));
    (found.find("/settled/") == std::string::npos ? copies : settled).push_back(std::move(found));
  }
  if (all) {
    for (const char* folder : {"refused", "damaged"}) {
      for (KeptAside& one : kept_since(engine->world(), folder, 0)) copies.push_back(std::move(one.path));
    }
  }
  PAWL_ASSIGN(Outcome outcome, record_dismissal(context, *engine, copies));
  for (const std::string& copy : copies) PAWL_TRY(settle_copy(*engine, copy));
  if (!settled.empty()) outcome.answer["already"] = std::move(settled);
  return Reply{std::move(outcome.answer)};
}

std::string text_of_dismiss(const Json& data, const TextStyle&) {
  const auto count = static_cast<std::int64_t>(data["dismissed"].size());
  std::string already;
  for (const Json& one : data.value("already", Json::array()))
    already += cat("decided about before: ", printable(one.get<std::string>()), "\n");
  if (count == 0 && !already.empty()) return already;
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
  return cat(already, "what ", refused ? "was refused" : "", refused && damaged ? " or " : "",
             damaged ? "could not be read" : "",
             " stays out: ", count == 1 ? std::string("1 copy is") : cat(count, " copies are"), " kept in ", where,
             "\n");
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
        "approves nothing while a copy of its own file is in .pawl/damaged/, as a finding may be in it: such a one is "
        "let "
        "go of with --reason. `pawl log` tells a reason that is given for a copy of a review's file. This says that it "
        "may go: the file stays as it is, "
        "and the copy is moved to settled/ of its folder. `pawl accept` takes it over instead, also from there; one "
        "that could not be read has to be mended first.",
    .params = kDismissParams,
    .examples = kDismissExamples,
    .read_only = false,
    .run = run_dismiss,
    .text = text_of_dismiss,
};

}  // namespace pawl
