#include "lifecycles/pr/pr.h"

#include <array>

#include "base/letters.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "lifecycles/pr/block.h"

namespace pawl::pr {
namespace {

using enum MoveKind;

// --- findings ---

constexpr std::array kFindingStatuses = {Status{kPending}, Status{kDisputed}, Status{kResolved, true},
                                         Status{kEscalated, true}};
// From absent to anything: on a fresh machine a finding is met where the comments say it stands.
constexpr std::array kFindingMoves = {
    Move{kAbsent, kPending},
    Move{kAbsent, kDisputed},
    Move{kAbsent, kResolved},
    Move{kAbsent, kEscalated},
    Move{kPending, kPending},
    Move{kPending, kDisputed, forward, "dispute"},
    Move{kPending, kResolved, forward, "resolve"},
    Move{kPending, kEscalated, forward, "escalate"},
    Move{kDisputed, kDisputed, forward, "maintain"},
    Move{kDisputed, kPending, forward, "settle"},
    Move{kDisputed, kResolved, forward, "resolve"},
    Move{kDisputed, kEscalated, forward, "escalate"},
    Move{kResolved, kResolved},
    Move{kEscalated, kEscalated},
    Move{kResolved, kPending, reopening, "reopen"},
    Move{kResolved, kDisputed, reopening, "reopen"},
    Move{kEscalated, kPending, reopening, "reopen"},
    Move{kEscalated, kDisputed, reopening, "reopen"},
    Move{kEscalated, kResolved, correction, "resolve"},
    Move{kResolved, kEscalated, correction, "escalate"},
    Move{kPending, kAbsent, removal, "remove"},
    Move{kDisputed, kAbsent, removal, "remove"},
    Move{kResolved, kAbsent, removal, "remove"},
    Move{kEscalated, kAbsent, removal, "remove"},
};
constexpr Machine kFindings{"pr-finding", "a finding", kFindingStatuses, kFindingMoves};
static_assert(!check(kFindings));

// --- questions ---

constexpr std::array kQuestionStatuses = {Status{kPending}, Status{kInProgress}, Status{kAnswered, true}};
constexpr std::array kQuestionMoves = {
    Move{kAbsent, kPending},
    Move{kAbsent, kAnswered},
    Move{kPending, kPending},
    Move{kPending, kInProgress, forward, "begin"},
    Move{kPending, kAnswered, forward, "answer"},
    Move{kInProgress, kInProgress, forward, "begin"},
    Move{kInProgress, kPending, forward, "fail"},
    Move{kInProgress, kAnswered, forward, "answer"},
    Move{kAnswered, kAnswered},
    Move{kAnswered, kPending, reopening, "reopen"},
    Move{kPending, kAbsent, removal, "remove"},
    Move{kInProgress, kAbsent, removal, "remove"},
    Move{kAnswered, kAbsent, removal, "remove"},
};
constexpr Machine kQuestions{"pr-question", "a question", kQuestionStatuses, kQuestionMoves};
static_assert(!check(kQuestions));

// --- reviews that somebody asked for ---

constexpr std::array kManualStatuses = {Status{kPending}, Status{kInProgress}, Status{kCompleted, true},
                                        Status{kDismissed, true}};
constexpr std::array kManualMoves = {
    Move{kAbsent, kPending},
    Move{kAbsent, kCompleted},
    Move{kAbsent, kDismissed},
    Move{kPending, kPending},
    Move{kPending, kInProgress, forward, "begin"},
    Move{kPending, kCompleted, forward, "complete"},
    Move{kPending, kDismissed, forward, "dismiss"},
    Move{kInProgress, kInProgress, forward, "begin"},
    Move{kInProgress, kPending, forward, "fail"},
    Move{kInProgress, kCompleted, forward, "complete"},
    Move{kInProgress, kDismissed, forward, "dismiss"},
    Move{kCompleted, kCompleted},
    Move{kDismissed, kDismissed},
    Move{kCompleted, kPending, reopening, "reopen"},
    Move{kDismissed, kPending, reopening, "reopen"},
    // What was done here and what the comments say may differ: two machines, or a comment that somebody changed.
    Move{kCompleted, kDismissed, correction, "dismiss"},
    Move{kDismissed, kCompleted, correction, "complete"},
    Move{kPending, kAbsent, removal, "remove"},
    Move{kInProgress, kAbsent, removal, "remove"},
    Move{kCompleted, kAbsent, removal, "remove"},
    Move{kDismissed, kAbsent, removal, "remove"},
};
constexpr Machine kManualReviews{"pr-manual-review", "a requested review", kManualStatuses, kManualMoves};
static_assert(!check(kManualReviews));

// --- reviews that a push asks for ---

constexpr std::array kAutoStatuses = {Status{kTriggered}, Status{kInProgress}, Status{kCompleted, true},
                                      Status{kCancelled, true}};
constexpr std::array kAutoMoves = {
    Move{kAbsent, kTriggered},
    Move{kAbsent, kCompleted},
    Move{kAbsent, kCancelled},
    Move{kTriggered, kTriggered},
    Move{kTriggered, kInProgress, forward, "begin"},
    Move{kTriggered, kCompleted, forward, "complete"},
    Move{kTriggered, kCancelled, forward, "cancel"},
    Move{kInProgress, kInProgress, forward, "begin"},
    Move{kInProgress, kTriggered, forward, "fail"},
    Move{kInProgress, kCompleted, forward, "complete"},
    Move{kInProgress, kCancelled, forward, "cancel"},
    Move{kCompleted, kCompleted},
    Move{kCancelled, kCancelled},
    // A forced push may bring back a head that was reviewed: then it is reviewed again.
    Move{kCompleted, kTriggered, reopening, "review again"},
    Move{kCancelled, kTriggered, reopening, "resume"},
    Move{kCancelled, kInProgress, reopening, "resume"},
    Move{kCancelled, kCompleted, correction, "complete"},
    Move{kTriggered, kAbsent, removal, "remove"},
    Move{kInProgress, kAbsent, removal, "remove"},
    Move{kCompleted, kAbsent, removal, "remove"},
    Move{kCancelled, kAbsent, removal, "remove"},
};
constexpr Machine kAutoReviews{"pr-auto-review", "an automatic review", kAutoStatuses, kAutoMoves};
static_assert(!check(kAutoReviews));

constexpr std::int64_t kOftenFailed = 3;

constexpr std::string_view kStandardMentions = "review-my-code-bot\nrmc-bot";
constexpr std::array<std::string_view, 3> kAutoWords = {"events", "always", "never"};

constexpr std::array kSettings = {
    SettingSpec{"pr.mentions", SettingType::list, kStandardMentions, "the names by which the bot is spoken to"},
    SettingSpec{"pr.login", SettingType::text, "", "the bot's account; without it, the one the token belongs to"},
    SettingSpec{.key = "pr.blocking_score",
                .type = SettingType::number,
                .standard = "5",
                .summary = "a finding of an automatic review with this score (1 to 10) or more fails the run",
                .most = kHighestScore},
    SettingSpec{"pr.escalate_after", SettingType::number, "3",
                "a finding that was maintained so often goes to people when it is disputed again"},
    SettingSpec{"pr.auto_review", SettingType::choice, "events",
                "review by itself: on events (and what they left undone), always when the head has none, or never",
                kAutoWords},
    SettingSpec{"pr.review_drafts", SettingType::boolean, "false", "review drafts by itself, too"},
    SettingSpec{"pr.agent", SettingType::text, "", "the command that does the thinking; a shell runs it", {}, true},
    SettingSpec{"pr.intent_agent",
                SettingType::text,
                "",
                "the command that tells a request for a review from a question, instead of the rules",
                {},
                true},
    SettingSpec{"pr.agent_timeout", SettingType::duration, "20m", "an agent that takes longer has failed"},
};

std::string headline(const Record& record) {
  // Its name is the head that it is about.
  if (record.id.kind == kAutoReviewKind) {
    const std::string action = string_or(record.doc, "action");
    return cat(record.id.scope, ": review of the head", action.empty() ? "" : cat(" (", action, ")"));
  }
  for (const std::string_view member : {"finding", "question", "request", "author"}) {
    const std::string text = string_or(record.doc, member);
    if (!text.empty()) return cat(record.id.scope, ": ", text.substr(0, text.find('\n')));
  }
  return record.id.scope;
}

// What a person can do about a finding on the pull request.
std::string ways_on(const Record& finding) {
  return cat("pawl pr dismiss ", shell_word(cat("finding/", finding.id.key)), " --pr ", shell_word(finding.id.scope),
             " --reason WHY");
}

// "failed 3 times: the agent exited with 1"
std::string failed_in_words(const Record& record, std::int64_t failed) {
  const std::string why = string_or(record.doc, "error");
  constexpr std::size_t kMost = 100;
  return cat("failed ", failed == 1 ? std::string("once") : cat(failed, " times"), why.empty() ? "" : ": ",
             why.substr(0, std::min(why.find('\n'), kMost)));
}

// A finding waits for its author, and a dispute, a question and a review for the bot; what was escalated, and what
// failed again and again, for a person.
Stand stand(const Record& record) {
  const std::string& status = record.status;
  if (status == kEscalated)
    return {.place = BoardPlace::needs_person,
            .why = cat(record.id.scope, ": author and bot do not agree"),
            .advice = ways_on(record)};
  if (machine_of(record.id.kind)->terminal(status)) return {.place = BoardPlace::ended};
  if (status == kInProgress) return {.place = BoardPlace::running};
  const std::int64_t failed = integer_or(record.doc, "failures");
  if (failed >= kOftenFailed)
    return {.place = BoardPlace::needs_person,
            .why = cat(record.id.scope, ": ", failed_in_words(record, failed)),
            .advice = cat(how_to_run(record), "  # tries it again")};
  // It is tried again with the next run, and does not look as if nothing had been tried.
  if (failed > 0 && record.id.kind != kFindingKind)
    return {.place = BoardPlace::next, .why = failed_in_words(record, failed)};
  // A finding is the bot's turn again when somebody has replied to it.
  if (record.id.kind != kFindingKind) return {.place = BoardPlace::next};
  const bool replied = !string_or(record.doc, kUnanswered).empty();
  return {.place = replied ? BoardPlace::next : BoardPlace::waiting,
          .why = replied ? "a reply waits for an answer" : ""};
}

}  // namespace

std::string how_to_run(const Record& record) { return cat("pawl pr run ", record.id.scope, " --agent COMMAND"); }

const Machine& finding_machine() { return kFindings; }
const Machine& question_machine() { return kQuestions; }
const Machine& manual_review_machine() { return kManualReviews; }
const Machine& auto_review_machine() { return kAutoReviews; }

const Machine* machine_of(std::string_view kind) {
  for (const Machine* machine : {&kFindings, &kQuestions, &kManualReviews, &kAutoReviews}) {
    if (machine->name == kind) return machine;
  }
  return nullptr;
}

namespace {

// By what the record is and where it stands now: some of it was said on GitHub, some only begun here.
std::string taken_back_by(const Record& record) {
  const std::string& status = record.status;
  const std::string on = cat(" --pr ", shell_word(record.id.scope));
  if (record.id.kind == kFindingKind) {
    if (status == kResolved || status == kEscalated)
      return cat("pawl pr reopen ", shell_word(cat("finding/", record.id.key)), on, " --reason WHY  # opens it again");
    return cat(ways_on(record), "  # settles it");
  }
  if (status == kInProgress || status == kTriggered) {
    const bool head = record.id.kind == kAutoReviewKind;
    const std::string task = cat(head                              ? "review/auto"
                                 : record.id.kind == kQuestionKind ? "question/"
                                                                   : "review/",
                                 head ? std::string() : record.id.key);
    return cat("pawl pr fail ", shell_word(task), on, "  # sets it back");
  }
  if (record.id.kind == kQuestionKind)
    return status == kAnswered ? "# edit the question, or ask another: it is answered anew"
                               : "# it waits to be answered; without its comment it is gone";
  if (record.id.kind == kManualReviewKind)
    return status == kPending ? "# it waits to be done; without its comment it is gone"
                              : "# edit the comment that asked for it, or ask again: it is done anew";
  return "# a push, or a comment that asks for a review, has the head reviewed again";
}

Lifecycle row(std::string_view kind, const Machine& machine, std::span<const SettingSpec> settings = {}) {
  return {.kind = kind,
          .machine = &machine,
          .settings = settings,
          .headline = headline,
          .stand = stand,
          .told_on = "GitHub",
          .taken_back_by = taken_back_by};
}

}  // namespace

const Lifecycle& finding_lifecycle() {
  static const Lifecycle kRow = row(kFindingKind, kFindings, kSettings);
  return kRow;
}
const Lifecycle& question_lifecycle() {
  static const Lifecycle kRow = row(kQuestionKind, kQuestions);
  return kRow;
}
const Lifecycle& manual_review_lifecycle() {
  static const Lifecycle kRow = row(kManualReviewKind, kManualReviews);
  return kRow;
}
const Lifecycle& auto_review_lifecycle() {
  static const Lifecycle kRow = row(kAutoReviewKind, kAutoReviews);
  return kRow;
}

std::string scope_of(std::string_view repository, std::int64_t pull) { return ascii_lower(cat(repository, "#", pull)); }

Result<Change> moved(const Record& current, std::string_view to, std::optional<Json> doc, std::string_view what,
                     Json evidence) {
  const Machine* const machine = machine_of(current.id.kind);
  if (machine == nullptr) return fail(ErrorCode::internal, cat("no pull request has a ", current.id.kind));
  MoveRequest request;
  request.to = to;
  if (doc) request.doc = std::move(*doc);
  const Move* const step = machine->move(state_of(current), to);
  request.evidence = std::move(evidence);
  request.what = step != nullptr && (step->kind == reopening || step->kind == correction) ? step->name : what;
  return decide_move(*machine, current, std::move(request));
}

std::optional<Stand> stand_by_rules(const Record& finding, const Rules& rules) {
  const bool open = finding.status == kPending || finding.status == kDisputed;
  if (finding.id.kind != kFindingKind || !open || string_or(finding.doc, "origin") == "manual" ||
      integer_or(finding.doc, "score") < rules.blocking_score)
    return std::nullopt;
  return Stand{.place = BoardPlace::needs_person,
               .why = cat(finding.id.scope, " is not to be merged with it (", integer_or(finding.doc, "score"), "/10)"),
               .advice = cat("# mend it and push; or\n", ways_on(finding))};
}

Rules rules_of(const Settings& settings) {
  Rules rules;
  const auto text = [&](std::string_view key) { return settings.trusted(key) ? settings.text(key) : std::string(); };
  const std::string names = text("pr.mentions");
  for (const std::string_view name : split(names.empty() ? kStandardMentions : std::string_view(names), '\n')) {
    std::string_view bare = trim(name);
    if (bare.starts_with('@')) bare.remove_prefix(1);
    if (!bare.empty()) rules.mentions.emplace_back(bare);
  }
  rules.login = text("pr.login");
  const auto number = [&](std::string_view key, std::int64_t fallback) {
    return parse_positive(text(key)).value_or(fallback);
  };
  rules.blocking_score = number("pr.blocking_score", rules.blocking_score);
  rules.escalate_after = number("pr.escalate_after", rules.escalate_after);
  const std::string word = text("pr.auto_review");
  rules.auto_review = word == "always"  ? Rules::Auto::always
                      : word == "never" ? Rules::Auto::never
                                        : Rules::Auto::events;
  rules.review_drafts = text("pr.review_drafts") == "true";
  return rules;
}

const Machine* machine_of_block(std::string_view type) {
  if (type == block_type::kFinding || type == block_type::kDispute) return &kFindings;
  if (type == block_type::kManualReview) return &kManualReviews;
  return type == block_type::kQuestion ? &kQuestions : nullptr;
}

Done check_block_status(std::string_view type, const Json& data) {
  const Machine* const machine = machine_of_block(type);
  if (machine == nullptr || !data.is_object() || !data.contains("status")) return done();
  const Json& status = data["status"];
  if (status.is_string() && machine->status(status.get<std::string>()) != nullptr) return done();
  return fail(ErrorCode::invalid_argument, cat(printable(to_line(status).substr(0, 80)), " is no status of a ", type),
              cat("it is ", join_or(status_names(*machine))));
}

}  // namespace pawl::pr
