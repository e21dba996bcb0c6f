// `pawl review finding add | list | show | edit`, `pawl review toggle`. (drop and restore: review_finding_gone.cc)
#include <algorithm>
#include <array>

#include "base/text.h"
#include "commands/present.h"
#include "commands/review.h"
#include "commands/table.h"
#include "lifecycles/review/interchange.h"
#include "lifecycles/review/markdown.h"
#include "lifecycles/review/severity.h"
#include "lifecycles/review/state_file.h"

namespace pawl {
namespace {

using namespace review;

FindingValues values_in(const Arguments& arguments) {
  FindingValues out;
  out.severity = arguments.text("severity");
  out.title = arguments.text("title");
  out.file = arguments.text("file");
  out.category = arguments.text("category");
  out.body = arguments.text("body");
  out.suggestion = arguments.text("suggestion");
  out.line = arguments.number("line");
  out.end_line = arguments.number("end-line");
  out.confidence = arguments.number("confidence");
  return out;
}

bool says_anything(const FindingValues& values) {
  return values.severity || values.title || values.file || values.category || values.body || values.suggestion ||
         values.line || values.confidence;
}

// What would end the finding in its file is spelled otherwise: then that is said.
void say_rewritten(Context& context, const FindingValues& values) {
  if (!values.body || fit_body(*values.body) == without_returns(trim(*values.body))) return;
  context.note(
      cat("the text of “", printable(values.title.value_or("the finding").substr(0, 80)),
          "” was changed where it would have ended the finding in its file: a line of dashes is ***, a heading "
          "has three # or more, what was left open is closed"));
}

Result<std::vector<FindingValues>> to_add(Context& context, const Arguments& arguments) {
  const FindingValues given = values_in(arguments);
  if (says_anything(given)) {
    for (const auto& [value, name] :
         {std::pair{given.file, "--file"}, {given.severity, "--severity"}, {given.title, "--title"}}) {
      if (!value)
        return fail(ErrorCode::invalid_argument, cat("a finding needs ", name),
                    "pawl review finding add --file F --line N --severity S --title T; or findings as JSON on stdin");
    }
    return std::vector{given};
  }
  PAWL_ASSIGN(const std::string text, context.input());
  if (trim(text).empty())
    return fail(ErrorCode::invalid_argument, "there is nothing to add",
                "give --file, --severity and --title, or findings on stdin: JSON, SARIF 2.1.0 or rdjson");
  context.verb_request += cat("\n", text);  // the same key with other findings is another request
  PAWL_ASSIGN(const Engine* const engine, context.engine());
  PAWL_ASSIGN(ReadFindings read, read_findings(text, engine->workspace().root));
  if (read.passed_over > 0)
    context.note(cat("passed over: ", read.passed_over, read.passed_over == 1 ? " result" : " results",
                     " that passed, did not apply, only informed, or were suppressed or fixed"));
  return std::move(read.findings);
}

Result<Reply> run_add(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const auto wanted, to_add(context, arguments));
  for (const FindingValues& values : wanted) say_rewritten(context, values);
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Record about;
  std::vector<Record> chunks;
  PAWL_ASSIGN(Outcome outcome,
              change_review(context, arguments.text_or("pr", ""), look_at_state(),
                            [&](const View& view, const Record& review, const Now& now) -> Result<Decision> {
                              PAWL_TRY(must_be_active(review));
                              about = review;
                              PAWL_ASSIGN(chunks, chunks_of(view, review.id.key));
                              Decision decision;
                              decision.answer = Json::array();
                              const InView known(view);
                              std::int64_t from = 1;
                              for (const FindingValues& values : wanted) {
                                PAWL_ASSIGN(const Severity* const how, severity_named(values.severity.value_or("")));
                                PAWL_ASSIGN(const std::string id,
                                            next_finding_id(review.id.key, how->letter, known, from));
                                from = finding_number(id) + 1;
                                PAWL_ASSIGN(const Record fresh, view.load(finding_id(review.id.key, id)));
                                PAWL_ASSIGN(Change change, add_finding(review, fresh, values, now));
                                decision.answer.push_back(finding_json(change.after));
                                decision.changes.push_back(std::move(change));
                              }
                              return decision;
                            }));
  // Told when they were added; on a repetition nothing was looked at.
  if (!outcome.repeated) {
    for (const std::string& one : odd_places(*engine, about, chunks, wanted)) context.note(one);
  }
  return Reply{std::move(outcome.answer)};
}

std::string text_of_findings(const Json& list, const TextStyle& style) {
  std::string out;
  for (const Json& finding : list) out += finding_line(finding, style);
  return out.empty() ? "there are no findings\n" : out;
}

std::string text_of_add(const Json& list, const TextStyle& style) {
  std::string out = text_of_findings(list, style);
  const auto kept = std::count_if(list.begin(), list.end(), [](const Json& one) { return one["marked"] == false; });
  if (kept > 0) out += cat("not marked for GitHub: ", kept, "; pawl review toggle ID marks one\n");
  return out;
}

// --- list, show ---

Result<Reply> run_list(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Whole whole, read_whole(context, arguments));
  Json list = Json::array();
  for (const Record& finding : whole.findings) list.push_back(finding_json(finding));
  return Reply{std::move(list)};
}

Result<Reply> run_show(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Whole whole, read_whole(context, arguments));
  PAWL_ASSIGN(const Record* const finding, find_finding(whole.findings, arguments.text_or("ref", "")));
  return Reply{finding_json(*finding)};
}

std::string text_of_show(const Json& finding, const TextStyle& style) {
  std::string out = finding_line(finding, style);
  out += cat(printable(string_or(finding, "category", "no category")), ", confidence ",
             finding.contains("confidence") ? std::to_string(integer_or(finding, "confidence")) : "not known", ", ",
             finding["marked"] == true ? "marked" : "not marked", " for GitHub\n");
  if (const std::string body = string_or(finding, "body"); !body.empty()) out += cat("\n", printable(body, true), "\n");
  return out;
}

// --- edit, drop, toggle ---

// Of the review, its finding.
using ChangeFinding = std::function<Result<Change>(const Record&, const Record&, const Now&)>;

Result<Reply> change_findings(Context& context, const Arguments& arguments, const std::vector<std::string>& refs,
                              const ChangeFinding& change) {
  PAWL_ASSIGN(Outcome outcome,
              change_review(context, arguments.text_or("pr", ""), look_at_state(),
                            [&](const View& view, const Record& review, const Now& now) -> Result<Decision> {
                              PAWL_ASSIGN(const auto findings, findings_of(view, review.id.key));
                              std::vector<const Record*> meant;
                              for (const std::string& ref : refs) {
                                PAWL_ASSIGN(const Record* const one, find_finding(findings, ref));
                                if (std::find(meant.begin(), meant.end(), one) == meant.end()) meant.push_back(one);
                              }
                              Decision decision;
                              decision.answer = Json::array();
                              for (const Record* one : meant) {
                                PAWL_ASSIGN(Change made, change(review, *one, now));
                                decision.answer.push_back(finding_json(made.after.present() ? made.after : *one));
                                decision.changes.push_back(std::move(made));
                              }
                              return decision;
                            }));
  return Reply{std::move(outcome.answer)};
}

Result<Reply> run_edit(Context& context, const Arguments& arguments) {
  const FindingValues values = values_in(arguments);
  if (!says_anything(values) && !values.end_line)
    return fail(ErrorCode::invalid_argument, "nothing was said that is to be changed",
                "such as --line 42, --title TEXT or --severity minor");
  say_rewritten(context, values);
  return change_findings(
      context, arguments, {arguments.text_or("ref", "")},
      [&](const Record& review, const Record& one, const Now& now) { return edit_finding(review, one, values, now); });
}

// `all` and `none` are every finding's.
Result<Reply> mark_all(Context& context, const Arguments& arguments, bool marked) {
  PAWL_ASSIGN(Outcome outcome,
              change_review(context, arguments.text_or("pr", ""), look_at_state(),
                            [&](const View& view, const Record& review, const Now& now) -> Result<Decision> {
                              PAWL_ASSIGN(const auto findings, findings_of(view, review.id.key));
                              Decision decision;
                              decision.answer = Json::array();
                              for (const Record& one : findings) {
                                if ((one.status == kMarked) != marked) {
                                  PAWL_ASSIGN(Change made, mark_finding(one, marked, now));
                                  decision.answer.push_back(finding_json(made.after));
                                  decision.changes.push_back(std::move(made));
                                } else {
                                  decision.answer.push_back(finding_json(one));
                                }
                              }
                              return decision;
                            }));
  return Reply{std::move(outcome.answer)};
}

Result<Reply> run_toggle(Context& context, const Arguments& arguments) {
  const auto refs = arguments.list("ref");
  if (refs.size() == 1 && (refs[0] == "all" || refs[0] == "none"))
    return mark_all(context, arguments, refs[0] == "all");
  return change_findings(context, arguments, refs, [](const Record&, const Record& one, const Now& now) {
    return mark_finding(one, one.status != kMarked, now);
  });
}

constexpr Param kRefParam{.name = "ref",
                          .value = "REF",
                          .summary = "an id (H2), an index from 1, or a title",
                          .positional = true,
                          .required = true,
                          .max_bytes = kMaxTitleBytes,
                          .not_empty = true};
constexpr Param kFileParam{.name = "file", .value = "PATH", .summary = "as the pull request names it"};
constexpr Param kLineParam{.name = "line", .type = ParamType::positive, .value = "N", .summary = "its line, from 1"};
constexpr Param kEndLineParam{
    .name = "end-line", .type = ParamType::positive, .value = "N", .summary = "the last line of several"};
constexpr Param kSeverityParam{
    .name = "severity", .value = "S", .summary = "how grave it is", .choices = kSeverityWords};
constexpr Param kCategoryParam{
    .name = "category", .value = "C", .summary = "bug, security, performance, testing …", .max_bytes = 100};
constexpr Param kConfidenceParam{.name = "confidence",
                                 .type = ParamType::integer,
                                 .value = "N",
                                 .summary = "0 to 100; below 80 it is kept, but not marked"};
constexpr Param kTitleParam{.name = "title", .value = "TEXT", .summary = "in a few words"};
constexpr Param kBodyParam{.name = "body", .value = "TEXT", .summary = "the whole of it, in Markdown"};
constexpr Param kSuggestionParam{.name = "suggestion",
                                 .value = "CODE",
                                 .summary = "what should stand there instead of the lines; edit with '' takes it out"};

constexpr std::array kAddParams = {kFileParam,       kLineParam,  kEndLineParam, kSeverityParam,   kCategoryParam,
                                   kConfidenceParam, kTitleParam, kBodyParam,    kSuggestionParam, kPrParam};
constexpr std::array kEditParams = {kRefParam,      kFileParam,       kLineParam,       kEndLineParam,
                                    kSeverityParam, kCategoryParam,   kConfidenceParam, kTitleParam,
                                    kBodyParam,     kSuggestionParam, kPrParam};
constexpr std::array kListParams = {kPrParam};
constexpr std::array kOneParams = {kRefParam, kPrParam};
constexpr std::array kManyParams = {kRefsParam, kPrParam};

constexpr std::array kAddExamples = {
    Example{"pawl review finding add --file a.ts --line 4 --severity minor --title Typo", "one finding"},
    Example{"semgrep --sarif | pawl review finding add", "all that another tool found"},
};
constexpr std::array kListExamples = {
    Example{"pawl review finding list", "a line each: marked or not, id, place, title"},
    Example{"pawl review finding list --json", "all that they say"},
};
constexpr std::array kShowExamples = {
    Example{"pawl review finding show H1", "by its id"},
    Example{"pawl review finding show 'null dereference'", "by a part of its title"},
};
constexpr std::array kEditExamples = {
    Example{"pawl review finding edit H1 --line 45", "it is on another line"},
    Example{"pawl review finding edit M2 --severity minor --suggestion 'return x;'", "less grave, with a way out"},
};
constexpr std::array kToggleExamples = {
    Example{"pawl review toggle H1 3", "the finding H1 and the third one: marked or not marked for GitHub"},
    Example{"pawl review toggle none", "none is to be posted"},
};

}  // namespace

const Verb kReviewFindingAdd = {
    .noun = "review",
    .name = "finding add",
    .summary = "add a finding, or many from stdin",
    .manual =
        "Without --file, --severity and --title, findings are read from stdin: JSON (an object or a list with these "
        "names), SARIF 2.1.0 or reviewdog's rdjson; all of them are added, or none.\n\nA finding is marked for GitHub "
        "unless its confidence is given and below 80. In the review's focus 10 are added. In a review of one's own "
        "work minor "
        "findings are not marked.",
    .params = kAddParams,
    .examples = kAddExamples,
    .read_only = false,
    .run = run_add,
    .text = text_of_add,
};

const Verb kReviewFindingList = {
    .noun = "review",
    .name = "finding list",
    .summary = "list the findings of a review",
    .manual = "[x] is marked for GitHub. Their ids are H, M or L by severity, with a number that is never used again.",
    .params = kListParams,
    .examples = kListExamples,
    .run = run_list,
    .text = text_of_findings,
};

const Verb kReviewFindingShow = {
    .noun = "review",
    .name = "finding show",
    .summary = "show all that a finding says",
    .manual = "A title that several findings have lists them; name one by its id then.",
    .params = kOneParams,
    .examples = kShowExamples,
    .run = run_show,
    .text = text_of_show,
};

const Verb kReviewFindingEdit = {
    .noun = "review",
    .name = "finding edit",
    .summary = "change what a finding says",
    .manual =
        "What is not given stays. The id stays too, whatever the severity. A suggestion stays with a new --body that "
        "has "
        "none; --suggestion '' takes it out. The mark goes with confidence and severity, unless somebody has set it "
        "otherwise.",
    .params = kEditParams,
    .examples = kEditExamples,
    .read_only = false,
    .run = run_edit,
    .text = text_of_findings,
};

const Verb kReviewToggle = {
    .noun = "review",
    .name = "toggle",
    .summary = "mark findings for GitHub, or no longer",
    .manual = "Each becomes what it was not. The words all and none mark every finding, or none.",
    .params = kManyParams,
    .examples = kToggleExamples,
    .read_only = false,
    .run = run_toggle,
    .text = text_of_findings,
};

}  // namespace pawl
