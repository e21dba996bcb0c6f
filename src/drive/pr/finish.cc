// The half of PrWorker that takes an agent's answer: checked, posted, marked done.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "drive/pr/worker.h"
#include "lifecycle/pr/answer.h"
#include "lifecycle/pr/mention.h"

namespace pawl {
namespace {

TaskResult done_with(const pr::Task& task, std::string text) {
  return {task.id, task.type_name(), true, 0, 0, {}, std::move(text)};
}

// An answer that stands in no thread says what it is about.
std::string beside_the_diff(const pr::Finding& finding, const std::string& reply) {
  const std::string sentence = string_or(finding.data, "finding");
  return cat("> ", sentence.substr(0, sentence.find('\n')), "\n\n", reply);
}

// The lines on which a comment may stand.
class DiffPlaces {
 public:
  explicit DiffPlaces(const std::vector<ChangedFile>& files) {
    for (const ChangedFile& file : files) {
      for (const DiffLine& line : diff_lines(file.patch)) {
        if (line.right != 0) places_.insert({file.path, "RIGHT", line.right});
        if (line.left != 0) places_.insert({file.path, "LEFT", line.left});
      }
    }
  }
  [[nodiscard]] bool has(const std::string& path, const std::string& side, std::int64_t line) const {
    return places_.contains({path, side, line});
  }

 private:
  std::set<std::tuple<std::string, std::string, std::int64_t>> places_;
};

}  // namespace

std::string PrWorker::review_of(const Sight& sight, const pr::Task& task) const {
  return task.automatic() ? cat("auto:", sight.scene.talk.head)
                          : cat("manual:", task.manual->key, ":", sight.scene.talk.head);
}

bool PrWorker::is_posted(const Sight& sight, const pr::Task& task) const {
  if (task.type != pr::TaskType::review) return false;
  const auto found = sight.picture.posted.find(review_of(sight, task));
  return found != sight.picture.posted.end() && found->second.whole();
}

Result<TaskResult> PrWorker::finish(const Sight& sight, const pr::Task& task, const Json& answer) {
  switch (task.type) {
    case pr::TaskType::dispute:
      return finish_dispute(task, answer);
    case pr::TaskType::question:
      return finish_question(task, answer);
    case pr::TaskType::review:
      break;
  }
  return finish_review(sight, task, answer);
}

Result<TaskResult> PrWorker::finish_question(const pr::Task& task, const Json& answer) {
  PAWL_ASSIGN(const std::string text, pr::question_answer(answer));
  const pr::Question& question = *task.question;
  const Json data = {{pr::reply_member(*question.remark), std::to_string(question.remark->id)},
                     {"question_hash", question.hash},
                     {"answered_at", now_text()}};
  const std::string identity = cat("answer ", question.key, " ", question.hash);
  const std::uint64_t root = question.thread == nullptr ? 0 : question.thread->remarks.front().id;
  PAWL_ASSIGN(const std::string body, pr::comment_with(posts_.pen(), text, pr::block_type::kAnswer, data,
                                                       root != 0 ? root : question.remark->id, identity));
  const auto posted =
      root != 0 ? posts_.reply(task.record, root, body, identity) : posts_.comment(task.record, body, identity);
  if (!posted) return tl::unexpected(posted.error());
  PAWL_TRY(move(task.record, pr::kAnswered, {{"answer", to_line((*posted)["id"])}, {"answeredAt", data["answered_at"]}},
                "answered"));
  return done_with(task, "answered");
}

Result<TaskResult> PrWorker::finish_dispute(const pr::Task& task, const Json& answer) {
  PAWL_ASSIGN(pr::DisputeAnswer said, pr::dispute_answer(answer));
  const pr::Finding& finding = *task.finding;
  std::int64_t disputes = finding.disputes;
  if (said.outcome == pr::Outcome::maintained && ++disputes > setup_.rules.escalate_after) {
    said.outcome = pr::Outcome::escalated;
    said.reply += cat("\n\nThis was maintained ", disputes - 1, " times; a person should decide it.");
  }
  const std::string_view status = pr::status_after(said.outcome);
  const std::string hash = pr::text_hash(finding.reply->body);
  const Json data = {{"finding", finding.id},
                     {"outcome", pr::word_of(said.outcome)},
                     {"status", status},
                     {"disputes", disputes},
                     {"reply_to_comment_id", std::to_string(finding.reply->id)},
                     {"reply_hash", hash},
                     {"updatedAt", now_text()}};
  const std::string identity = cat("dispute ", finding.id, " ", finding.reply->id, " ", hash);
  const std::uint64_t root = finding.thread == nullptr ? 0 : finding.thread->remarks.front().id;
  PAWL_ASSIGN(const std::string body,
              pr::comment_with(posts_.pen(), root != 0 ? said.reply : beside_the_diff(finding, said.reply),
                               pr::block_type::kDispute, data, root != 0 ? root : finding.reply->id, identity));
  const auto posted =
      root != 0 ? posts_.reply(task.record, root, body, identity) : posts_.comment(task.record, body, identity);
  if (!posted) return tl::unexpected(posted.error());
  if (status == pr::kDisputed) {
    PAWL_TRY(move(task.record, status, {{"disputes", disputes}, {"updatedAt", now_text()}}, "maintained"));
  } else {
    PAWL_TRY(close_finding(finding, status, pr::word_of(said.outcome)));
  }
  return done_with(task, std::string(pr::word_of(said.outcome)));
}

// In the thread, in its own block, in the store; the block last but one: a run that finds it knows that the thread was
// done.
Done PrWorker::close_finding(const pr::Finding& finding, std::string_view status, std::string_view what) {
  const RecordId record = finding_record(finding.id);
  if (status == pr::kResolved && finding.thread != nullptr && !finding.thread->resolved) {
    const Done resolved = posts_.resolve(record, std::string(finding.thread->node_id));
    // Some tokens may write comments and not close threads. The block says it all the same.
    if (!resolved && resolved.error().code != ErrorCode::unauthorized) return resolved;
    if (!resolved) setup_.tell(cat("a thread could not be closed: ", resolved.error().message));
  }
  if (finding.root->by_bot) {
    Json data = finding.data;
    data.erase("type");
    data["status"] = status;
    data["updatedAt"] = now_text();
    PAWL_TRY(rewrite(finding, std::move(data)));
  }
  return move(record, status, {{"updatedAt", now_text()}}, what);
}

// What only a review that was asked for had found does not keep from merging; what an automatic one finds too, does.
// And it is as grave as it was ever found to be. In the store first: there it stands whatever becomes of the comment.
Done PrWorker::confirm(const pr::Finding& finding, std::int64_t score) {
  const std::int64_t known = integer_or(finding.data, "score");
  const bool manual = string_or(finding.data, "origin") == "manual";
  if (!manual && score <= known) return done();
  const Json graver = {{"origin", manual ? "auto" : string_or(finding.data, "origin")},
                       {"score", std::max(score, known)}};
  PAWL_TRY(move(finding_record(finding.id), finding.status, graver, "found again"));
  if (!finding.root->by_bot) return done();
  Json data = finding.data;
  data.erase("type");
  for (const auto& [key, value] : graver.items()) data[key] = value;
  return rewrite(finding, std::move(data));
}

Done PrWorker::rewrite(const pr::Finding& finding, Json data) {
  PAWL_ASSIGN(const std::string body, pr::comment_changed(posts_.pen(), finding.root->body, pr::block_type::kFinding,
                                                          std::move(data), 0, cat("finding ", finding.id)));
  const auto failure = [](const auto& updated) -> Done {
    // Who removed the comment has taken the finding with it.
    if (updated || updated.error().code == ErrorCode::not_found) return done();
    return tl::unexpected(updated.error());
  };
  if (finding.thread != nullptr) return failure(forge_.update_review_comment(setup_.pull.repo, finding.root->id, body));
  return failure(forge_.update_comment(setup_.pull.repo, finding.root->id, body));
}

Done PrWorker::mend(const Sight& sight) {
  PAWL_TRY(posts_.settle_left_over());
  for (const pr::Finding& one : sight.picture.findings) {
    const std::string says = string_or(one.data, "status", pr::kPending);
    // Those that another tool wrote are left as they are.
    if (one.open() || !one.root->by_bot || says == one.status || !one.data.contains("id")) continue;
    PAWL_TRY(close_finding(one, one.status, "finished"));
  }
  return done();
}

Done PrWorker::post_findings(const Sight& sight, const pr::Task& task, const std::vector<pr::NewFinding>& fresh) {
  if (fresh.empty()) return done();
  PAWL_ASSIGN(const auto files, forge_.files(setup_.pull));
  const DiffPlaces places(files);
  const std::string review = review_of(sight, task);
  ReviewDraft draft{sight.scene.talk.head, "COMMENT", "", {}};
  std::string inside;
  struct Outside {
    std::string id, body;
  };
  std::vector<Outside> outside;
  const auto already = sight.picture.posted.find(review);
  std::int64_t part = already == sight.picture.posted.end() ? 0 : *already->second.parts.rbegin();
  const std::int64_t parts = part + static_cast<std::int64_t>(fresh.size());
  for (const pr::NewFinding& one : fresh) {
    const std::string id = pr::finding_id(posts_.pen().scope, review, one);
    const bool inline_one = places.has(one.path, one.side, one.line);
    const Json data = {{"status", pr::kPending}, {"id", id},
                       {"finding", one.finding}, {"assessment", one.assessment},
                       {"score", one.score},     {"path", one.path},
                       {"line", one.line},       {"origin", task.automatic() ? "auto" : "manual"},
                       {"review", review},       {"part", ++part},
                       {"parts", parts},         {"updatedAt", now_text()}};
    PAWL_ASSIGN(std::string body, pr::comment_with(posts_.pen(), pr::finding_text(one, !inline_one),
                                                   pr::block_type::kFinding, data, 0, cat("finding ", id)));
    if (!inline_one) {
      outside.push_back({id, std::move(body)});
      continue;
    }
    LineComment comment{one.path, one.line, one.side, 0, std::move(body)};
    if (one.start_line > 0 && one.start_line < one.line && places.has(one.path, one.side, one.start_line))
      comment.start_line = one.start_line;
    draft.comments.push_back(std::move(comment));
    inside += cat(" ", id);
  }
  if (!draft.comments.empty()) PAWL_TRY(posts_.review(task.record, draft, cat(review, inside)));
  for (const Outside& one : outside)
    PAWL_TRY(posts_.comment(finding_record(one.id), one.body, cat("finding ", one.id)));
  return done();
}

Result<TaskResult> PrWorker::finish_review(const Sight& sight, const pr::Task& task, const Json& answer) {
  // Where it was begun, and whether that is still what is to be reviewed.
  PAWL_ASSIGN(const Record current, load(task.record));
  PAWL_ASSIGN(const Glance glance, forge_.glance(setup_.pull));
  const std::string begun = string_or(current.doc, "head");
  if (begun != glance.pull.head_sha || current.status != pr::kInProgress) {
    return fail(ErrorCode::conflict,
                cat(task.id, begun.empty() || current.status != pr::kInProgress
                                 ? " was not begun on this head"
                                 : " was begun on another head than the pull request has now"),
                cat("pawl pr begin ", task.id));
  }
  TaskResult result = done_with(task, "");
  std::string summary;
  if (is_posted(sight, task)) {
    for (const pr::Finding& one : sight.picture.findings) {
      if (string_or(one.data, "review") != review_of(sight, task)) continue;
      ++result.issues;
      if (integer_or(one.data, "score") >= setup_.rules.blocking_score) ++result.blocking;
    }
  } else {
    PAWL_ASSIGN(const pr::ReviewAnswer said, pr::review_answer(answer));
    summary = said.summary;
    for (const pr::Finding& one : sight.picture.findings) {
      if (one.status == pr::kResolved || std::find(said.fixed.begin(), said.fixed.end(), one.id) == said.fixed.end())
        continue;
      PAWL_TRY(close_finding(one, pr::kResolved, "fixed"));
    }
    std::vector<pr::NewFinding> fresh;
    std::map<const pr::Finding*, std::int64_t> again;  // the highest score of what was known
    // The gravest first: of what is said twice it is the one that counts.
    std::vector<pr::NewFinding> found = said.findings;
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    for (const pr::NewFinding& one : found) {
      const bool twice = std::any_of(fresh.begin(), fresh.end(), [&](const auto& f) { return is_duplicate(one, f); });
      if (twice) continue;
      const auto known = std::find_if(sight.picture.findings.begin(), sight.picture.findings.end(), [&](const auto& f) {
        return is_duplicate(one, f) && std::find(said.fixed.begin(), said.fixed.end(), f.id) == said.fixed.end();
      });
      const bool is_new = known == sight.picture.findings.end();
      if (!is_new && !again.emplace(&*known, one.score).second) continue;
      ++result.issues;
      if (one.score >= setup_.rules.blocking_score) ++result.blocking;
      if (is_new) fresh.push_back(one);
    }
    if (task.automatic()) {
      for (const auto& [known, score] : again) PAWL_TRY(confirm(*known, score));
    }
    PAWL_TRY(post_findings(sight, task, fresh));
  }
  result.text = cat(result.issues, result.issues == 1 ? " finding" : " findings", ", ", result.blocking, " blocking");
  PAWL_TRY(complete_review(sight, task, result, summary));
  return result;
}

Done PrWorker::complete_review(const Sight& sight, const pr::Task& task, const TaskResult& result,
                               const std::string& summary) {
  const std::string now = now_text();
  const std::string text = cat("Reviewed ", sight.scene.talk.head.substr(0, 12), ": ", result.text, ".",
                               summary.empty() ? "" : "\n\n", summary);
  if (task.automatic()) {
    // begin() may have posted the comment after this was seen: look for it again where it is not known.
    Json data = trigger_data(sight, task);
    data["completedAt"] = now;
    data["issuesFound"] = result.issues;
    data["blockingIssues"] = result.blocking;
    Sight fresh;
    const auto& last = sight.picture.auto_review;
    if (last && last->remark != nullptr) {
      PAWL_TRY(write_trigger(sight, data, text));
    } else {
      PAWL_ASSIGN(fresh.scene, look_at(forge_, setup_.pull, setup_.rules.login));
      fresh.picture = pr::read_talk(fresh.scene.talk, setup_.rules, setup_.mac, setup_.is_review);
      if (fresh.picture.auto_review) data["triggeredAt"] = fresh.picture.auto_review->triggered_at;
      PAWL_TRY(write_trigger(fresh, data, text));
    }
    return move(task.record, pr::kCompleted,
                {{"completedAt", now}, {"issuesFound", result.issues}, {"blockingIssues", result.blocking}},
                "completed");
  }
  Json data = {{"status", pr::kCompleted},
               {pr::reply_member(*task.manual->remark), std::to_string(task.manual->remark->id)},
               {"sha", sight.scene.talk.head},
               {"issuesFound", result.issues},
               {"updatedAt", now}};
  if (!task.also.empty()) data["also"] = Json::array();
  for (const pr::ManualReview* one : task.also) data["also"].push_back(one->key);
  const std::uint64_t root = task.manual->thread == nullptr ? 0 : task.manual->thread->remarks.front().id;
  const std::string identity = cat("manual ", task.manual->key);
  PAWL_ASSIGN(const std::string body, pr::comment_with(posts_.pen(), text, pr::block_type::kManualReview, data,
                                                       root != 0 ? root : task.manual->remark->id, identity));
  const auto posted =
      root != 0 ? posts_.reply(task.record, root, body, identity) : posts_.comment(task.record, body, identity);
  if (!posted) return tl::unexpected(posted.error());
  for (const pr::ManualReview* one : task.also)
    PAWL_TRY(move(pr::id_of(sight.scene.talk, pr::kManualReviewKind, one->key), pr::kCompleted, {{"completedAt", now}},
                  "completed"));
  return move(task.record, pr::kCompleted, {{"completedAt", now}, {"issuesFound", result.issues}}, "completed");
}

}  // namespace pawl
