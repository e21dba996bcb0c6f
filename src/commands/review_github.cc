// `pawl review export`, and the rows of those that talk to GitHub: `start`, `validate`, `comments`, `post`. What the
// latter do is in commands/world/.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "commands/present.h"
#include "commands/review.h"
#include "commands/table.h"
#include "engine/aside.h"
#include "lifecycles/review/export_file.h"
#include "lifecycles/review/interchange.h"

namespace pawl {
namespace {

using namespace review;

// "1 finding", "2 findings"
std::string counted(std::int64_t count, std::string_view one) { return cat(count, " ", one, count == 1 ? "" : "s"); }

// --- export ---

std::vector<Record> marked_of(const Whole& whole) {
  std::vector<Record> out;
  std::copy_if(whole.findings.begin(), whole.findings.end(), std::back_inserter(out),
               [](const Record& one) { return one.status == kMarked; });
  return out;
}

Result<Reply> run_export(Context& context, const Arguments& arguments) {
  if (arguments.flag("sarif")) {
    PAWL_ASSIGN(const Whole whole, read_whole(context, arguments));
    return Reply{to_sarif(marked_of(whole), string_or(whole.review.doc, "head_sha"))};
  }
  std::string replaced;
  std::string_view why;  // it is kept
  PAWL_ASSIGN(Outcome outcome,
              change_review(context, arguments.text_or("pr", ""), look_at_files(),
                            [&](const View& view, const Record& review, const Now& now) -> Result<Decision> {
                              PAWL_TRY(must_be_active(review));
                              PAWL_ASSIGN(const Whole whole, whole_of(view, review));
                              const auto marked = marked_of(whole);
                              Json doc = review.doc;
                              why = others_part(doc);
                              replaced = string_or(doc, kExportMember);
                              for (const char* member : {kExportEdited, kExportOthers}) doc.erase(member);
                              doc[kExportMember] =
                                  export_text(whole.pr(), string_or(doc, "head_sha"), marked, iso_time(now.wall_ms));
                              Decision decision;
                              Change change{review, review, "exported", Json(), false};
                              change.after.doc = std::move(doc);
                              decision.changes.push_back(std::move(change));
                              decision.answer = Json{{"pr", whole.pr()}, {"count", marked.size()}};
                              decision.answer["file"] = review.aside ? Json() : Json(kExportPath);
                              return decision;
                            }));
  // Undo would bring it back too, but who wrote it may not think of that.
  if (!why.empty() && !outcome.repeated) {
    PAWL_ASSIGN(Engine* const engine, context.engine());
    PAWL_ASSIGN(const std::string copy,
                keep_aside(engine->world(), "kept", std::string(kExportPath), replaced, engine->clock().now().wall_ms));
    outcome.answer["replaced"] = Json{{"why", why}, {"copy", copy}};
  }
  return Reply{std::move(outcome.answer)};
}

std::string text_of_export(const Json& answer, const TextStyle&) {
  if (answer.contains("runs")) return to_pretty(answer) + "\n";
  std::string kept;
  if (const auto replaced = answer.find("replaced"); replaced != answer.end())
    kept = cat("the one that was there ", string_or(*replaced, "why"), "; it is kept in ",
               printable(string_or(*replaced, "copy")), "\n");
  const std::string count = counted(integer_or(answer, "count"), "finding");
  if (answer["file"].is_null()) return cat(count, " to be exported when this review is taken up again\n", kept);
  return cat("Exported ", count, " to ", string_or(answer, "file"), "\n", kept);
}

// --- what the others answer ---

std::string text_of_start(const Json& answer, const TextStyle&) {
  std::string out;
  if (answer["set_aside"].is_string())
    out += cat("the review of ", printable(string_or(answer, "set_aside")), " is set aside\n");
  out += cat("reviewing ", printable(string_or(answer, "pr")), " at ",
             printable(string_or(answer, "head_sha").substr(0, 12)), ", ", answer["chunks"].size(),
             answer["chunks"].size() == 1 ? " chunk" : " chunks", "\n");
  for (const Json& chunk : answer["chunks"])
    out += cat("[ ] ", integer_or(chunk, "chunk"), "  ", joined(chunk["files"]), "  (",
               counted(integer_or(chunk, "loc"), "line"), ")\n");
  return out;
}

std::string text_of_validate(const Json& answer, const TextStyle&) {
  const std::string reason = string_or(answer, "reason");
  const std::string pr = printable(string_or(answer, "pr"));
  if (reason == "no_state") return "there is no review here; pawl review start PR begins one\n";
  if (reason == "user_restart")
    return cat("the review of ", pr, " was ended; pawl review start ", pr, " begins it anew\n");
  if (reason == "other_pr")
    return cat("the state file belongs to ", pr, ", not to ", printable(string_or(answer, "asked")),
               "\n  pawl review continue takes up the other; pawl review clean removes this one\n");
  if (reason == "head_moved") return "the head has moved; choose --continue, --restart or --update\n";
  if (answer.contains("updated")) {
    const Json& updated = answer["updated"];
    return cat("the review of ", pr, " is about ", printable(string_or(answer, "current_sha").substr(0, 12)),
               " now: ", counted(static_cast<std::int64_t>(updated["chunks"].size()), "new chunk"), ", ",
               counted(integer_or(updated, "moved"), "finding"), " moved, ", integer_or(updated, "outdated"),
               " outdated\n");
  }
  if (answer.contains("continued"))
    return cat("going on with ", pr, " as it was; findings may be about other lines by now\n");
  return cat("the review of ", pr, " is valid\n");
}

std::string text_of_comments(const Json& answer, const TextStyle&) {
  std::string out = cat(counted(integer_or(answer, "comments"), "comment"), " on ",
                        counted(integer_or(answer, "files"), "file"), " of ", printable(string_or(answer, "pr")), "\n");
  if (!answer.contains("known")) return out;
  for (const auto& [file, list] : answer["known"].items()) {
    for (const Json& one : list.is_array() ? list : Json::array()) {
      const std::string body = string_or(one, "body");
      out += cat("  ", printable(file), ":", integer_or(one, "line"), "  ", printable(string_or(one, "author")), ": ",
                 printable(body.substr(0, std::min<std::size_t>(body.find('\n'), 200))), "\n");
    }
  }
  return out;
}

std::string text_of_post(const Json& answer, const TextStyle& style) {
  // Said before this: nothing of it goes out now, as --dry-run tells it.
  const bool before = answer["posted"] == true && answer.contains("already") && !answer.contains("nothing_new");
  std::string out = cat(bold(string_or(answer, "verdict"), style), " on ", printable(string_or(answer, "pr")), ": ",
                        before ? 0 : integer_or(answer, "inline"), " inline, ",
                        before ? 0 : integer_or(answer, "in_body"), " in the text\n");
  if (answer.contains("why")) out += cat(printable(string_or(answer, "why")), "\n");
  if (answer.contains("head_moved"))
    out += cat(head_moved_words(string_or(answer, "state_sha"), string_or(answer, "current_sha")),
               "\n  Findings go into the text, not on lines; pawl review validate follows the head\n");
  if (!before) out += said_where(answer["findings"], style);
  if (const Json there = before ? answer["findings"] : answer.value("there", Json::array()); !there.empty()) {
    out += "on GitHub already, and not said again:\n";
    for (const Json& finding : there) out += finding_line(finding, style);
  }
  if (answer.contains("unmarked"))
    out += cat("not marked, and so not said: ", joined(answer["unmarked"]), "; pawl review toggle marks one\n");
  if (answer.contains("open_chunks")) out += open_chunks_text(answer["open_chunks"]);
  if (answer.contains("unread")) out += unread_text(answer["unread"]);
  if (answer.contains("look_alikes")) out += look_alikes_text(answer["look_alikes"]);
  if (answer.contains("vanished")) out += vanished_text(answer["vanished"], string_or(answer, "pr"));
  if (answer.contains("post_unknown")) out += post_unknown_text(string_or(answer, "pr"));
  if (answer["posted"] == false) return out + "nothing was posted\n";
  // An empty one is not sent twice, whatever the one before it was about.
  const bool no_news = answer.contains("nothing_new") && !answer.contains("there");
  out += cat(no_news                      ? "nothing was posted: it would say nothing that is not on GitHub already\n"
             : answer.contains("already") ? "it had been posted before\n"
                                          : "posted\n",
             answer.contains("review") && !string_or(answer["review"], "url").empty()
                 ? cat("  ", printable(string_or(answer["review"], "url")), "\n")
                 : std::string(),
             answer.contains("cleaned") ? "Cleaned up review state and todo files.\n" : "");
  if (answer.contains("kept")) {
    out += "not posted, as they were added or changed since; the review goes on with them:\n";
    for (const Json& finding : answer["kept"]) out += finding_line(finding, style);
  }
  return out;
}

constexpr std::array kExportParams = {
    Param{.name = "sarif", .type = ParamType::flag, .summary = "print them as SARIF 2.1.0 instead"},
    kPrParam,
};
constexpr std::array kStartParams = {
    Param{.name = "ref",
          .value = "PR",
          .summary = "owner/repo#123, a URL, a number, or nothing: the current branch's",
          .positional = true,
          .max_bytes = 1'024,
          .not_empty = true},
    Param{.name = "mode", .value = "MODE", .summary = "how thorough, full without it", .choices = kModes},
    Param{.name = "focus",
          .value = "AREA",
          .summary = "a category, such as security: findings in it count for more",
          .max_bytes = 100},
    Param{.name = "self", .type = ParamType::flag, .summary = "it is one's own work: minor findings are not marked"},
    Param{.name = "plan", .value = "FILE", .summary = "the chunk plan, JSON or a table; - reads stdin"},
    Param{.name = "head", .value = "SHA", .summary = "the head, instead of asking GitHub", .max_bytes = 64},
    kYesParam,
    kSameAsWordParam,
};
constexpr std::array kValidateParams = {
    Param{.name = "continue", .type = ParamType::flag, .summary = "the head moved: go on as it was"},
    Param{.name = "restart", .type = ParamType::flag, .summary = "end this review, so that it can be started anew"},
    Param{.name = "update",
          .type = ParamType::flag,
          .summary = "the head moved: what changed since becomes new chunks, findings go to their new lines"},
    kPrParam,
};
constexpr std::array kCommentsParams = {kPrParam};
constexpr std::array kPostParams = {
    Param{.name = "from", .value = "FILE", .summary = "what an export says, instead of the review's marked findings"},
    Param{.name = "dry-run", .type = ParamType::flag, .summary = "show what would be posted"},
    kYesParam,
    kPrParam,
};

constexpr std::array kExportExamples = {
    Example{"pawl review export", "the marked findings, to .review-buddy/review-buddy-findings.md"},
    Example{"pawl review export --sarif > findings.sarif", "for other tools"},
};
constexpr std::array kStartExamples = {
    Example{"pawl review start octo/cat#7 --focus security", "the head and the changed files from GitHub"},
    Example{"pawl review start octo/cat#7 --plan plan.json --head abc123", "without asking GitHub"},
};
constexpr std::array kValidateExamples = {
    Example{"pawl review validate --json", "is the review still about the pull request's head?"},
    Example{"pawl review validate --update", "follow the head where it went"},
};
constexpr std::array kCommentsExamples = {
    Example{"pawl review comments", "what others wrote on the diff, into the state file"},
    Example{"pawl review comments --pr octo/cat#7 --json", "of another review"},
};
constexpr std::array kPostExamples = {
    Example{"pawl review post --dry-run", "the verdict and what would be said where"},
    Example{"pawl review post --yes", "one review on GitHub, then the files are removed"},
};

}  // namespace

const Verb kReviewStart = {
    .noun = "review",
    .name = "start",
    .summary = "begin a review of a pull request",
    .manual =
        "The head comes from GitHub, or from --head; the chunk plan from --plan, or it is made from the changed files: "
        "related files together, about 300 changed lines a chunk, tests last. With both, and owner/repo#123, GitHub is "
        "not asked.\n\nWhere another review is open it is set aside, not discarded: on a terminal this asks first, "
        "elsewhere it needs --yes. The review is kept in .review-buddy/review-buddy-state.md and review-todo.md too.",
    .params = kStartParams,
    .examples = kStartExamples,
    .read_only = false,
    .world = true,
    .text = text_of_start,
};

const Verb kReviewValidate = {
    .noun = "review",
    .name = "validate",
    .summary = "see whether a review is still about the pull request's head",
    .manual =
        "Where the head moved, a terminal is asked what to do; elsewhere one of --continue, --restart and --update "
        "says "
        "it, and without one this stops with exit code 1. The exit code is 3 when there is no review, and 5 when "
        "GitHub "
        "could not be asked.",
    .params = kValidateParams,
    .examples = kValidateExamples,
    .read_only = false,
    .world = true,
    .text = text_of_validate,
};

const Verb kReviewComments = {
    .noun = "review",
    .name = "comments",
    .summary = "fetch the comments on the diff into the state file",
    .manual =
        "They stand under “Comments by File”; what others put there besides is kept. Without a token GitHub is not "
        "asked, and those that stand there are shown.",
    .params = kCommentsParams,
    .examples = kCommentsExamples,
    .read_only = false,
    .for_a_file = true,
    .world = true,
    .text = text_of_comments,
};

const Verb kReviewPost = {
    .noun = "review",
    .name = "post",
    .summary = "post the marked findings as one review on GitHub",
    .manual =
        "Findings on lines of the diff become comments there, with their suggestions; the rest is in the review's "
        "text. "
        "What stands in HTML comments and the confidence are not posted.\n\nThe verdict: REQUEST_CHANGES with an "
        "action-required finding, else COMMENT with a recommended one, else APPROVE; but that only when every chunk is "
        "reviewed or skipped, no thread is open, the head is the one that was reviewed, every file is in a chunk, "
        "no action-required finding is kept unmarked, and nothing that was written into the state file and could not "
        "be read waits in .pawl/damaged/, and nothing in it looks like a finding and is read as none; and always "
        "COMMENT on one's own pull request.\n\nOn a terminal "
        "this "
        "asks first, elsewhere it needs --yes. It is posted once, also when GitHub's answer was lost and this is run "
        "again; a finding that is on GitHub by an earlier post is not said again. Then the review's files are removed.",
    .params = kPostParams,
    .examples = kPostExamples,
    .read_only = false,
    .world = true,
    .text = text_of_post,
};

const Verb kReviewExport = {
    .noun = "review",
    .name = "export",
    .summary = "write the marked findings to a file",
    .manual =
        "To .review-buddy/review-buddy-findings.md, from where `pawl review post --from` takes it, edited or not. What "
        "reviewers keep to themselves, in HTML comments, is left out. One that is there already and was edited, or "
        "that "
        "pawl did not write, is kept in .pawl/kept/, and that is said.",
    .params = kExportParams,
    .examples = kExportExamples,
    .read_only = false,
    .for_a_file = true,
    .run = run_export,
    .text = text_of_export,
};

}  // namespace pawl
