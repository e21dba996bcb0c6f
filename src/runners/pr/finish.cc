// The half of PrWorker that takes an agent's answer: checked, posted, marked done. Reviews are in finish_review.cc.
#include "base/text.h"
#include "lifecycles/pr/answer.h"
#include "lifecycles/pr/mention.h"
#include "lifecycles/pr/open_list.h"
#include "runners/pr/worker.h"

namespace pawl {
namespace {

// An answer that stands in no thread says what it is about. Nobody whom the question names is called again.
std::string beside_the_talk(const pr::Question& question, const std::string& reply) {
  constexpr std::size_t kLongest = 200;
  if (question.thread != nullptr) return reply;
  const std::string_view asked = trim(question.remark->body);
  const std::string line = stripped(asked.substr(0, asked.find('\n')), kLongest);
  std::string shown;
  for (const char c : line) shown += c == '@' ? std::string("@\u200b") : std::string(1, c);
  return cat("> ", shown, line.size() < asked.size() ? " …" : "", "\n\n", reply);
}

// In a thread the comment that began it tells; elsewhere this answer may be all that is left of it.
void tell_what_is_settled(Json& answer, const pr::Finding& finding) {
  if (finding.thread != nullptr || string_or(answer, "status") != pr::kResolved) return;
  Json about = pr::as_listed(finding);
  about.erase("status");  // the answer says it
  answer[std::string(pr::kAbout)] = std::move(about);
}

}  // namespace

Result<Json> PrWorker::say(const RecordId& record, const pr::TalkThread* thread, std::uint64_t answered,
                           const std::string& text, std::string_view type, const Json& data,
                           const std::string& identity, const std::string& block_identity) {
  const std::uint64_t root = thread == nullptr ? 0 : thread->remarks.front().id;
  PAWL_ASSIGN(const std::string body, pr::comment_with(posts_.pen(), text, type, data, root != 0 ? root : answered,
                                                       block_identity.empty() ? identity : block_identity));
  return root != 0 ? posts_.reply(record, root, body, identity) : posts_.comment(record, body, identity);
}

Result<TaskResult> PrWorker::finish(const Sight& sight, const pr::Task& task, const Json& answer,
                                    const std::string& begun) {
  PAWL_ASSIGN(const Record current, load(task.record));
  const std::string was = begun.empty() ? string_or(current.doc, "about") : begun;
  if (!was.empty() && was != pr::about(task, sight.scene.talk)) {
    return fail(ErrorCode::conflict,
                cat(task.id, " has changed since it was begun, and the answer is to what it was; nothing was posted"),
                cat("pawl pr begin ", task.id, " --pr ", setup_.pull.text(), "  # begins it anew"));
  }
  switch (task.type) {
    case pr::TaskType::dispute:
      return finish_dispute(sight, task, answer);
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
  PAWL_ASSIGN(const Json posted, say(task.record, question.thread, question.remark->id, beside_the_talk(question, text),
                                     pr::block_type::kAnswer, data, identity));
  PAWL_TRY(move(task.record, pr::kAnswered, {{"answer", to_line(posted["id"])}, {"answeredAt", data["answered_at"]}},
                "answered"));
  return TaskResult::of(task, "answered");
}

Result<TaskResult> PrWorker::finish_dispute(const Sight& sight, const pr::Task& task, const Json& answer) {
  PAWL_ASSIGN(pr::DisputeAnswer said, pr::dispute_answer(answer));
  const pr::Finding& finding = *task.finding;
  std::int64_t disputes = finding.disputes;
  if (said.outcome == pr::Outcome::maintained && ++disputes > setup_.rules.escalate_after) {
    said.outcome = pr::Outcome::escalated;
    said.reply += cat("\n\nThis was maintained ", pr::counted(disputes - 1, "time"), "; a person should decide it.");
  }
  const std::string_view status = pr::status_after(said.outcome);
  const std::string hash = pr::text_hash(finding.reply->body);
  Json data = {{"finding", finding.id},
               {"outcome", pr::word_of(said.outcome)},
               {"status", status},
               {"disputes", disputes},
               {"reply_to_comment_id", std::to_string(finding.reply->id)},
               {"reply_hash", hash},
               {"updatedAt", now_text()}};
  tell_what_is_settled(data, finding);
  const std::string identity = cat("dispute ", finding.id, " ", finding.reply->id, " ", hash);
  PAWL_ASSIGN(const Json posted,
              say(task.record, finding.thread, finding.reply->id, pr::beside_the_diff(finding, said.reply),
                  pr::block_type::kDispute, data, identity));
  // What another run has said meanwhile may be something else than this: the next look reads it.
  if (const auto block = pr::block_of(string_or(posted, "body"), pr::block_type::kDispute);
      block && string_or(block->data, "outcome") != pr::word_of(said.outcome))
    return TaskResult::of(task, "answered by another run");
  if (status == pr::kDisputed) {
    PAWL_TRY(move(task.record, status,
                  {{"disputes", disputes}, {"updatedAt", now_text()}, {pr::kUnanswered, std::string()}}, "maintained"));
  } else {
    PAWL_TRY(close_finding(finding, status, pr::word_of(said.outcome)));
    if (status == pr::kResolved) PAWL_TRY(unlist(sight, {finding.id}));
  }
  return TaskResult::of(task, std::string(pr::word_of(said.outcome)));
}

// In the thread, in its own block, in the store; the block last but one: a run that finds it knows that the thread was
// done. What says so already is left as it is: whoever was cut off does the rest by doing it again.
Done PrWorker::close_finding(const pr::Finding& finding, std::string_view status, std::string_view what) {
  const RecordId record = finding_record(finding.id);
  if (status == pr::kResolved && finding.thread != nullptr && !finding.thread->resolved) {
    const Done resolved = posts_.resolve(record, std::string(finding.thread->node_id));
    // Some tokens may write comments and not close threads. The block says it all the same.
    if (!resolved && resolved.error().code != ErrorCode::unauthorized) return resolved;
    if (!resolved) setup_.tell(cat("a thread could not be closed: ", resolved.error().message));
  }
  const auto is_said = [&](const auto& where) { return string_or(where, "outcome") == what; };
  const bool written = string_or(finding.data, "status") == status && is_said(finding.data);
  if (!finding.lost() && finding.root->by_bot && !written) {
    Json data = finding.data;
    data.erase("type");
    data["status"] = status;
    data["outcome"] = what;
    data["updatedAt"] = now_text();
    PAWL_TRY(rewrite(finding, std::move(data)));
  }
  PAWL_ASSIGN(const Record known, load(record));
  if (known.status == status && is_said(known.doc)) return done();
  return move(record, status, {{"outcome", what}, {"updatedAt", now_text()}}, what);
}

Done PrWorker::relist(const Sight& sight, const std::function<std::optional<Json>(const Json&)>& change) {
  const auto& seen = sight.picture.auto_review;
  if (!seen || seen->remark == nullptr || !seen->remark->by_bot || !change(seen->data)) return done();
  PAWL_ASSIGN(const auto now, trigger_now(sight, seen->remark->id));
  if (!now || !now->picture.auto_review) return done();
  const pr::AutoReview& last = *now->picture.auto_review;
  const auto changed = change(last.data);
  if (!changed) return done();
  PAWL_ASSIGN(const std::string body, pr::comment_changed(posts_.pen(), last.remark->body, pr::block_type::kAutoReview,
                                                          *changed, 0, "trigger"));
  const auto updated = forge_.update_comment(setup_.pull.repo, last.remark->id, body);
  if (!updated && updated.error().code != ErrorCode::not_found) return tl::unexpected(updated.error());
  return done();
}

// What a review that somebody asked for leaves open: it may have found something graver.
Done PrWorker::list_open(const Sight& sight, const pr::Picture& after) {
  const std::string member(pr::kOpenList);
  const Json open = pr::open_list(pr::blocking(after, setup_.rules));
  return relist(sight, [&](const Json& data) -> std::optional<Json> {
    if (!data.contains(member) || data[member] == open) return std::nullopt;
    Json out = data;
    out[member] = open;
    return out;
  });
}

// What is settled is not listed as open any more.
Done PrWorker::unlist(const Sight& sight, const std::set<std::string>& ids) {
  return relist(sight, [&](const Json& data) { return pr::without_listed(data, ids); });
}

Done PrWorker::dismiss(const Sight& sight, const pr::Finding& finding, std::string_view why) {
  const RecordId record = finding_record(finding.id);
  Json data = {{"finding", finding.id},   {"outcome", pr::kDismissedOutcome},
               {"status", pr::kResolved}, {"disputes", finding.disputes},
               {"reason", why},           {"updatedAt", now_text()}};
  tell_what_is_settled(data, finding);
  PAWL_TRY(posts_.close_left_over(record));
  const std::string said = cat("This finding is dismissed: ", why, ".");
  // The same one may be found again, and dismissed again.
  const std::string identity = cat("dismiss finding ", finding.id, " ", finding.updated_ms);
  PAWL_TRY(
      say(record, finding.thread, 0, pr::beside_the_diff(finding, said), pr::block_type::kDispute, data, identity));
  PAWL_TRY(close_finding(finding, pr::kResolved, pr::kDismissedOutcome));
  return unlist(sight, {finding.id});
}

// All of it can be done again. What was under way is put down last: until then it is told that it was cut off.
Result<bool> PrWorker::finish_dismissal(const Sight& sight, const pr::Finding& finding) {
  if (finding.status != pr::kResolved || finding.outcome != pr::kDismissedOutcome) return false;
  PAWL_TRY(close_finding(finding, pr::kResolved, pr::kDismissedOutcome));
  PAWL_TRY(unlist(sight, {finding.id}));
  PAWL_TRY(posts_.close_left_over(finding_record(finding.id)));
  return true;
}

// What only a review that was asked for had found does not keep from merging; what an automatic one finds too, does.
// And it is as grave as it was ever found to be. In the store first: there it stands whatever becomes of the comment.
Done PrWorker::confirm(const pr::Finding& finding, std::int64_t score, bool automatic) {
  const std::int64_t known = integer_or(finding.data, "score");
  const bool taken_over = automatic && string_or(finding.data, "origin") == "manual";
  if (!taken_over && std::max(score, known) <= finding.written_score) return done();
  const Json graver = {{"origin", taken_over ? "auto" : string_or(finding.data, "origin")},
                       {"score", std::max(score, known)}};
  PAWL_TRY(move(finding_record(finding.id), finding.status, graver, "found again"));
  if (!finding.root->by_bot) return done();
  Json data = finding.data;
  data.erase("type");
  for (const auto& [key, value] : graver.items()) data[key] = value;
  return rewrite(finding, std::move(data));
}

Done PrWorker::rewrite(const pr::Finding& finding, Json data) {
  const std::string shown = pr::with_score_shown(finding.root->body, string_or(finding.data, "finding"),
                                                 integer_or(data, "score"), posts_.pen().names);
  PAWL_ASSIGN(const std::string body, pr::comment_changed(posts_.pen(), shown, pr::block_type::kFinding,
                                                          std::move(data), 0, cat("finding ", finding.id)));
  const auto failure = [](const auto& updated) -> Done {
    // Somebody has removed the comment meanwhile; what is listed as open says it still.
    if (updated || updated.error().code == ErrorCode::not_found) return done();
    return tl::unexpected(updated.error());
  };
  if (finding.thread != nullptr) return failure(forge_.update_review_comment(setup_.pull.repo, finding.root->id, body));
  return failure(forge_.update_comment(setup_.pull.repo, finding.root->id, body));
}

Done PrWorker::mend(const Sight& sight) {
  PAWL_TRY(posts_.settle_left_over());
  std::set<std::string> settled;
  for (const pr::Finding& one : sight.picture.findings) {
    if (one.status == pr::kResolved) settled.insert(one.id);
    const std::string says = string_or(one.data, "status", pr::kPending);
    // Those that another tool wrote are left as they are.
    if (one.lost() || !one.root->by_bot || !one.data.contains("id")) continue;
    if (one.open() && one.written_score < integer_or(one.data, "score"))
      PAWL_TRY(confirm(one, integer_or(one.data, "score"), false));
    if (!one.open() && says != one.status)
      PAWL_TRY(close_finding(one, one.status, one.outcome.empty() ? "finished" : one.outcome));
  }
  return unlist(sight, settled);
}

}  // namespace pawl
