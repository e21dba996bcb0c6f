#include "lifecycles/pr/plan.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "lifecycles/pr/mention.h"

namespace pawl::pr {
namespace {

bool waits(std::string_view status) { return status == kPending || status == kInProgress; }

// Is the head to be reviewed by itself, and why.
struct Due {
  bool due = false;
  std::string action;
  bool resuming = false;
};

Due auto_review_due(const Picture& picture, const Talk& talk, const Event& event, const Rules& rules) {
  if (!rules.may_auto_review(talk.open, talk.draft)) return {};
  const auto& last = picture.auto_review;
  if (last && last->is_of(talk) && last->status == kCompleted) return {};
  const bool unfinished = last && last->status != kCompleted;
  if (event.asks_for_review()) return {true, event.action, unfinished};
  if (unfinished) return {true, last->action, true};
  // The push that brought this head had a run that left no trace.
  if (last && !last->is_of(talk)) return {true, "synchronize", false};
  // A review was said to be done, or under way, by somebody who is not to be believed.
  if (picture.trigger_doubted) return {true, "synchronize", false};
  if (rules.auto_review == Rules::Auto::always || talk.push_was_lost) return {true, "opened", false};
  return {};
}

Json message_of(const Remark& remark) {
  return {{"id", std::to_string(remark.id)},
          {"author", remark.author.empty() ? std::string("ghost") : std::string(remark.author)},
          {"role", remark.by_bot ? "bot" : "developer"},
          {"body", std::string(remark.body)},
          {"createdAt", std::string(remark.created_at)}};
}

std::string_view source_of(const Remark& remark, const TalkThread* thread) {
  return remark.is_review ? "review" : thread != nullptr ? "thread" : "comment";
}

Json history_of(const Finding& finding) {
  Json out = Json::array();
  if (!finding.lost()) out.push_back(message_of(*finding.root));
  for (const Remark* one : finding.replies) out.push_back(message_of(*one));
  return out;
}

Json history_of(const TalkThread* thread) {
  Json out = Json::array();
  if (thread == nullptr) return out;
  for (const Remark& remark : thread->remarks) out.push_back(message_of(remark));
  return out;
}

Json place_of(const TalkThread* thread) {
  if (thread == nullptr) return nullptr;
  return {{"path", std::string(thread->path)}, {"line", thread->line}, {"outdated", thread->outdated}};
}

Json finding_json(const Finding& one) {
  Json out = {{"id", one.id},
              {"status", one.status},
              {"path", one.path()},
              {"line", one.line()},
              {"finding", string_or(one.data, "finding")},
              {"assessment", string_or(one.data, "assessment")},
              {"score", integer_or(one.data, "score")},
              {"origin", string_or(one.data, "origin")},
              {"disputes", one.disputes},
              {"commentId", one.lost() ? Json() : Json(std::to_string(one.root->id))},
              {"inDiff", one.thread != nullptr}};
  if (!one.outcome.empty()) out["outcome"] = one.outcome;
  if (one.lost()) out["lost"] = true;
  return out;
}

}  // namespace

std::string_view Task::type_name() const {
  switch (type) {
    case TaskType::dispute:
      return "dispute-resolution";
    case TaskType::question:
      return "question-answering";
    case TaskType::review:
      break;
  }
  return "full-review";
}

std::string task_id(std::string_view kind, std::string_view key) {
  if (kind == kAutoReviewKind) return "review/auto";  // of the head, whichever that is
  return cat(kind == kFindingKind ? "dispute/" : kind == kQuestionKind ? "question/" : "review/", key);
}

std::string task_named(std::string_view typed) {
  const std::size_t slash = std::min(typed.find('/'), typed.size());
  const std::string_view kind = typed.substr(0, slash), key = typed.substr(std::min(slash + 1, typed.size()));
  if (machine_of(kind) != nullptr) return task_id(kind, key);
  return cat("pr-", kind) == kFindingKind ? task_id(kFindingKind, key) : std::string(typed);
}

Plan plan_of(const Picture& picture, const Talk& talk, const Event& event, const Rules& rules) {
  Plan plan;
  plan.triggered_by = event.text().empty() ? "manual" : event.text();
  for (const Finding& one : picture.findings) {
    if (!one.open() || one.reply == nullptr) continue;
    Task task;
    task.type = TaskType::dispute;
    task.id = task_id(kFindingKind, one.id);
    task.since = one.reply->created_at;
    task.comment = one.reply->id;
    task.record = id_of(talk, kFindingKind, one.id);
    task.finding = &one;
    plan.tasks.push_back(std::move(task));
  }
  for (const Question& one : picture.questions) {
    if (!waits(one.status)) continue;
    Task task;
    task.type = TaskType::question;
    task.id = task_id(kQuestionKind, one.key);
    task.since = one.remark->created_at;
    task.comment = one.remark->id;
    task.record = id_of(talk, kQuestionKind, one.key);
    task.question = &one;
    plan.tasks.push_back(std::move(task));
  }
  std::vector<const ManualReview*> asked;
  for (const ManualReview& one : picture.manual_reviews) {
    if (waits(one.status)) asked.push_back(&one);
  }
  std::stable_sort(asked.begin(), asked.end(),
                   [](const auto* a, const auto* b) { return a->remark->created_at < b->remark->created_at; });
  const Due due = auto_review_due(picture, talk, event, rules);
  Task review;
  review.type = TaskType::review;
  if (due.due) {
    review.id = task_id(kAutoReviewKind, talk.head);
    review.triggered_by = due.action;
    review.resuming = due.resuming;
    review.record = id_of(talk, kAutoReviewKind, talk.head);
    if (picture.auto_review && due.resuming) review.since = picture.auto_review->triggered_at;
    plan.tasks.push_back(std::move(review));
    plan.dismissed = std::move(asked);
  } else if (!asked.empty() && talk.open) {
    // One review of the head is what they all asked for.
    const ManualReview& first = *asked.front();
    review.id = task_id(kManualReviewKind, first.key);
    review.triggered_by = "manual-request";
    review.since = first.remark->created_at;
    review.resuming = first.status == kInProgress;
    review.record = id_of(talk, kManualReviewKind, first.key);
    review.manual = &first;
    review.also.assign(asked.begin() + 1, asked.end());
    plan.tasks.push_back(std::move(review));
  }
  std::stable_sort(plan.tasks.begin(), plan.tasks.end(), [](const Task& a, const Task& b) {
    return std::tie(a.type, a.since, a.comment) < std::tie(b.type, b.since, b.comment);
  });
  return plan;
}

std::string about(const Task& task, const Talk& talk) {
  constexpr std::size_t kDigits = 12;
  std::string what = cat(talk.head, " ", talk.base);
  if (task.manual != nullptr) what += cat(" ", task.manual->hash);
  if (task.finding != nullptr) what = cat(task.finding->reply->id, " ", task.finding->reply->body);
  if (task.question != nullptr) what = task.question->hash;
  return text_hash(cat(task.id, "\n", what)).substr(0, kDigits);
}

bool waits_for_event(const Picture& picture, const Plan& plan, const Talk& talk, const Rules& rules) {
  return plan.tasks.empty() && !picture.auto_review && picture.manual_reviews.empty() && talk.open && !talk.draft &&
         rules.auto_review == Rules::Auto::events;
}

std::string_view why_no_result(const Json& ran) {
  if (ran.contains("unreviewed")) return "the head is not reviewed yet";
  if (ran.contains("overtaken")) return "what was pending has changed or was done by another run";
  return "nothing was pending";
}

Json to_json(const Task& task) {
  Json out = {{"id", task.id}, {"type", task.type_name()}, {"priority", static_cast<int>(task.type)}};
  if (task.finding != nullptr) {
    const Finding& one = *task.finding;
    out["disputeContext"] = {{"finding", finding_json(one)},
                             {"threadId", one.thread == nullptr ? Json() : Json(std::string(one.thread->node_id))},
                             {"place", place_of(one.thread)},
                             {"reply", message_of(*one.reply)}};
    out["conversationHistory"] = one.thread != nullptr ? history_of(one.thread) : history_of(one);
  }
  if (task.question != nullptr) {
    const Question& one = *task.question;
    out["questionContext"] = {{"question", one.text},
                              {"author", one.remark->author.empty() ? "ghost" : std::string(one.remark->author)},
                              {"commentId", std::to_string(one.remark->id)},
                              {"source", source_of(*one.remark, one.thread)},
                              {"fileContext", place_of(one.thread)}};
    out["conversationHistory"] = history_of(one.thread);
    out["isManuallyTriggered"] = true;
    out["triggerCommentId"] = std::to_string(one.remark->id);
  }
  if (task.type == TaskType::review) {
    out["isManual"] = task.manual != nullptr;
    if (task.manual != nullptr) {
      out["triggerCommentId"] = std::to_string(task.manual->remark->id);
      out["request"] = task.manual->text;
    }
    out["triggeredBy"] = task.triggered_by;
    if (task.resuming) out["resumingCancelled"] = true;
  }
  if (!task.since.empty()) out["since"] = task.since;
  return out;
}

Json to_json(const Plan& plan) {
  Json tasks = Json::array();
  for (const Task& task : plan.tasks) tasks.push_back(to_json(task));
  Json out = {{"tasks", std::move(tasks)}, {"triggeredBy", plan.triggered_by}};
  if (!plan.dismissed.empty()) {
    out["dismissedManualReviews"] = Json::array();
    for (const ManualReview* one : plan.dismissed) out["dismissedManualReviews"].push_back(one->key);
  }
  return out;
}

Json to_json(const Picture& picture, const Talk& talk, const Rules& rules) {
  Json out = {{"reviewThreads", Json::array()},
              {"questionTasks", Json::array()},
              {"manualReviewRequests", Json::array()},
              {"metadata", Json::object()}};
  for (const Finding& one : picture.findings) out["reviewThreads"].push_back(finding_json(one));
  for (const Question& one : picture.questions) {
    out["questionTasks"].push_back({{"id", one.key},
                                    {"status", one.status},
                                    {"author", std::string(one.remark->author)},
                                    {"question", one.text},
                                    {"commentId", std::to_string(one.remark->id)},
                                    {"fileContext", place_of(one.thread)}});
  }
  for (const ManualReview& one : picture.manual_reviews) {
    Json& shown = out["manualReviewRequests"].emplace_back(Json{{"id", one.key},
                                                                {"status", one.status},
                                                                {"author", std::string(one.remark->author)},
                                                                {"request", one.text},
                                                                {"commentId", std::to_string(one.remark->id)}});
    if (one.status != kDismissed) continue;
    if (!one.dismissed_by.empty()) shown["dismissedBy"] = one.dismissed_by;
    if (!one.reason.empty()) shown["reason"] = one.reason;
  }
  Json& metadata = out["metadata"];
  metadata = {{"pullRequest", cat(talk.repository, "#", talk.pull)},
              {"head", talk.head},
              {"blockingFindings", blocking(picture, rules).size()}};
  if (picture.auto_review) {
    const AutoReview& one = *picture.auto_review;
    metadata["autoReview"] = {
        {"status", one.status}, {"sha", one.sha}, {"action", one.action}, {"triggeredAt", one.triggered_at}};
    if (!one.completed_at.empty()) metadata["autoReview"]["completedAt"] = one.completed_at;
  }
  return out;
}

}  // namespace pawl::pr
