// The part of PrWorker that takes a reviewer's findings: which of them are new, where they are posted, what they leave
// open.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "lifecycles/pr/answer.h"
#include "lifecycles/pr/mention.h"
#include "lifecycles/pr/open_list.h"
#include "runners/pr/worker.h"

namespace pawl {
namespace {

bool is_in(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

// The lines on which a comment may stand, and what they say.
class DiffPlaces {
 public:
  explicit DiffPlaces(const std::vector<ChangedFile>& files) {
    for (const ChangedFile& file : files) {
      for (const DiffLine& line : diff_lines(file.patch)) {
        if (line.right != 0) lines_[{file.path, "RIGHT", line.right}] = line.text;
        if (line.left != 0) lines_[{file.path, "LEFT", line.left}] = line.text;
      }
    }
  }
  [[nodiscard]] bool has(const std::string& path, const std::string& side, std::int64_t line) const {
    return lines_.contains({path, side, line});
  }
  // Tells the lines that a finding is about from what they may become; "": they are not in the diff.
  [[nodiscard]] std::string code_of(const pr::NewFinding& one) const {
    constexpr std::size_t kDigits = 16;
    std::string text;
    const std::int64_t first = one.start_line > 0 && one.start_line < one.line ? one.start_line : one.line;
    for (auto at = lines_.lower_bound({one.path, one.side, first}); at != lines_.end(); ++at) {
      const auto& [path, side, line] = at->first;
      if (path != one.path || side != one.side || line > one.line) break;
      text += cat(trim(at->second), "\n");
    }
    return text.empty() ? text : pr::text_hash(text).substr(0, kDigits);
  }

 private:
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::string> lines_;
};

std::string PrWorker::review_of(const Sight& sight, const pr::Task& task) const {
  const std::string& head = sight.scene.talk.head;
  if (!task.automatic()) return cat("manual:", task.manual->key, ":", head);
  const auto& last = sight.picture.auto_review;
  return cat("auto:", head, ":", last && last->is_of(sight.scene.talk) ? last->triggered_at : std::string());
}

bool PrWorker::is_posted(const Sight& sight, const pr::Task& task) const {
  if (task.type != pr::TaskType::review) return false;
  const auto found = sight.picture.posted.find(review_of(sight, task));
  return found != sight.picture.posted.end() && found->second.whole();
}

Done PrWorker::post_findings(const Sight& sight, const pr::Task& task, const std::vector<pr::NewFinding>& fresh,
                             const DiffPlaces& places) {
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
    const std::string id = new_id(sight, task, one);
    const bool inline_one = places.has(one.path, one.side, one.line);
    const Json data = {{"status", pr::kPending},
                       {"id", id},
                       {"finding", one.finding},
                       {"assessment", pr::first_characters(one.assessment, pr::kMostOfAnAssessmentInABlock)},
                       {"score", one.score},
                       {"path", one.path},
                       {"line", one.line},
                       {"side", one.side},
                       {"code", places.code_of(one)},
                       {"origin", task.automatic() || one.gates ? "auto" : "manual"},
                       {"review", review},
                       {"part", ++part},
                       {"parts", parts},
                       {"updatedAt", now_text()}};
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

Result<std::vector<ChangedFile>> PrWorker::diff_of(const Sight& sight) {
  PAWL_ASSIGN(auto files, forge_.files(setup_.pull));
  // GitHub shows the diff of what is the head when it is asked, and says of each file of which commit it is.
  for (const ChangedFile& file : files) {
    if (file.commit.empty() || file.status == "removed" || file.commit == sight.scene.talk.head) continue;
    return fail(ErrorCode::conflict, "it was pushed to while its diff was read");
  }
  // Against which branch it was it does not say.
  PAWL_ASSIGN(const Glance glance, forge_.glance(setup_.pull));
  if (glance.pull.base_ref != sight.scene.talk.base)
    return fail(ErrorCode::conflict, "it was to go into another branch while its diff was read");
  return files;
}

Result<TaskResult> PrWorker::finish_review(const Sight& sight, const pr::Task& task, const Json& answer) {
  // Where it was begun, and whether that is still what is to be reviewed.
  PAWL_ASSIGN(const Record current, load(task.record));
  PAWL_ASSIGN(const Glance glance, forge_.glance(setup_.pull));
  const std::string begun = string_or(current.doc, "head");
  if (begun != glance.pull.head_sha || glance.pull.base_ref != sight.scene.talk.base ||
      current.status != pr::kInProgress) {
    return fail(ErrorCode::conflict,
                cat(task.id, begun.empty() || current.status != pr::kInProgress
                                 ? " was not begun on this head"
                                 : " was begun on another head or base than the pull request has now"),
                cat("pawl pr begin ", task.id, " --pr ", setup_.pull.text(), "  # begins it anew"));
  }
  TaskResult result = TaskResult::of(task, "");
  std::string summary;
  pr::Picture after;  // where the findings stand when this is done
  after.findings = sight.picture.findings;
  if (is_posted(sight, task)) {
    for (const pr::Finding& one : sight.picture.findings) {
      if (string_or(one.data, "review") == review_of(sight, task)) count(result, integer_or(one.data, "score"));
    }
    PAWL_TRY(settle_lost(review_of(sight, task), after));
    if (!task.automatic()) PAWL_TRY(list_open(sight, after));
  } else {
    PAWL_ASSIGN(const pr::ReviewAnswer said, pr::review_answer(answer));
    summary = said.summary;
    PAWL_TRY(take_findings(sight, task, said, after, result));
  }
  result.text = cat(pr::counted(result.issues, "finding"), ", ", result.blocking, " blocking");
  PAWL_TRY(complete_review(sight, task, result, summary, pr::open_list(pr::blocking(after, setup_.rules))));
  return result;
}

void PrWorker::count(TaskResult& result, std::int64_t score) const {
  ++result.issues;
  if (score >= setup_.rules.blocking_score) ++result.blocking;
}

Done PrWorker::take_findings(const Sight& sight, const pr::Task& task, const pr::ReviewAnswer& said, pr::Picture& after,
                             TaskResult& result) {
  for (pr::Finding& one : after.findings) {
    if (one.status == pr::kResolved || !is_in(said.fixed, one.id)) continue;
    PAWL_TRY(close_finding(one, pr::kResolved, "fixed"));
    one.status = pr::kResolved;
  }
  std::vector<ChangedFile> files;
  if (!said.findings.empty()) {
    PAWL_ASSIGN(files, diff_of(sight));
  }
  const DiffPlaces places(files);
  std::vector<pr::NewFinding> fresh;
  std::map<pr::Finding*, std::int64_t> again;  // the highest score of what was known
  std::int64_t given_up = 0;
  // The gravest first: of what is said twice it is the one that counts.
  std::vector<pr::NewFinding> found = said.findings;
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  for (auto one = found.begin(); one != found.end(); ++one)
    found.erase(std::remove_if(one + 1, found.end(), [&](const auto& later) { return is_duplicate(later, *one); }),
                found.end());
  // One that is open is found again once, by its own words before any that are like them.
  std::stable_partition(found.begin(), found.end(), [&](const auto& one) {
    return std::any_of(after.findings.begin(), after.findings.end(), [&](const auto& f) {
      return is_duplicate(one, f) && string_or(f.data, "finding") == one.finding;
    });
  });
  for (pr::NewFinding& one : found) {
    const auto known = std::find_if(after.findings.begin(), after.findings.end(), [&](pr::Finding& f) {
      return !f.lost() && !again.contains(&f) && is_duplicate(one, f);
    });
    if (known != after.findings.end()) {
      again.emplace(&*known, one.score);
      count(result, one.score);
      continue;
    }
    // What had lost its comment is as grave as it was, whoever finds it again.
    for (const pr::Finding& lost : after.findings) {
      if (!lost.lost() || lost.status == pr::kResolved || !is_duplicate(one, lost)) continue;
      one.score = std::max(one.score, integer_or(lost.data, "score"));
      one.gates = one.gates || string_or(lost.data, "origin") == "auto";
    }
    const std::string code = places.code_of(one);
    if (std::any_of(after.findings.begin(), after.findings.end(),
                    [&](const auto& f) { return is_given_up(one, code, f); })) {
      ++given_up;
      continue;
    }
    count(result, one.score);
    fresh.push_back(one);
  }
  if (given_up > 0)
    setup_.tell(
        cat(task.id, ": ", pr::counted(given_up, "finding"), " had been conceded or dismissed; not posted again"));
  for (const auto& [known, score] : again) {
    PAWL_TRY(confirm(*known, score, task.automatic()));
    if (task.automatic()) known->data["origin"] = "auto";
    known->data["score"] = std::max(score, integer_or(known->data, "score"));
  }
  if (!fresh.empty()) PAWL_TRY(post_findings(sight, task, fresh, places));
  for (const pr::NewFinding& one : fresh) {
    pr::Finding posted;
    posted.id = new_id(sight, task, one);
    std::erase_if(after.findings, [&](const pr::Finding& f) { return f.id == posted.id; });
    posted.status = pr::kPending;
    for (const pr::Remark& there : sight.scene.talk.comments) posted.after = std::max(posted.after, there.id);
    posted.data = {{"finding", one.finding},
                   {"score", one.score},
                   {"path", one.path},
                   {"line", one.line},
                   {"code", places.code_of(one)},
                   {"review", review_of(sight, task)},
                   {"origin", task.automatic() || one.gates ? "auto" : "manual"}};
    after.findings.push_back(std::move(posted));
  }
  PAWL_TRY(settle_lost(review_of(sight, task), after));
  return task.automatic() ? done() : list_open(sight, after);  // an automatic one makes the list anew
}

Done PrWorker::settle_lost(const std::string& review, pr::Picture& after) {
  const auto is_of_it = [&](const pr::Finding& one) { return string_or(one.data, "review") == review; };
  for (pr::Finding& one : after.findings) {
    if (!one.lost() || one.status == pr::kResolved || is_of_it(one)) continue;
    if (std::none_of(after.findings.begin(), after.findings.end(),
                     [&](const pr::Finding& other) { return is_of_it(other) && pr::is_duplicate(other, one); }))
      continue;
    PAWL_TRY(close_finding(one, pr::kResolved, "posted anew"));
    one.status = pr::kResolved;
  }
  return done();
}

std::string PrWorker::new_id(const Sight& sight, const pr::Task& task, const pr::NewFinding& one) const {
  return pr::finding_id(posts_.pen().scope, review_of(sight, task), one);
}

Done PrWorker::complete_review(const Sight& sight, const pr::Task& task, const TaskResult& result,
                               const std::string& summary, Json still_open) {
  const std::string now = now_text();
  const std::string text = cat("Reviewed ", sight.scene.talk.head.substr(0, 12), ": ", result.text, ".",
                               summary.empty() ? "" : "\n\n", summary);
  if (task.automatic()) {
    PAWL_ASSIGN(Json data, trigger_data(sight, task));
    data["completedAt"] = now;
    data["issuesFound"] = result.issues;
    data["blockingIssues"] = result.blocking;
    data[std::string(pr::kOpenList)] = std::move(still_open);
    PAWL_TRY(write_trigger(sight, data, text));
    return move(task.record, pr::kCompleted,
                {{"completedAt", now}, {"issuesFound", result.issues}, {"blockingIssues", result.blocking}},
                "completed");
  }
  Json data = {
      {"status", pr::kCompleted},     {pr::reply_member(*task.manual->remark), std::to_string(task.manual->remark->id)},
      {"sha", sight.scene.talk.head}, {"request_hash", task.manual->hash},
      {"issuesFound", result.issues}, {"updatedAt", now}};
  if (!task.also.empty()) data["also"] = Json::array();
  for (const pr::ManualReview* one : task.also) data["also"].push_back(one->key);
  PAWL_TRY(say(task.record, task.manual->thread, task.manual->remark->id, text, pr::block_type::kManualReview, data,
               cat("manual ", task.manual->key, " ", task.manual->hash)));
  for (const pr::ManualReview* one : task.also)
    PAWL_TRY(move(pr::id_of(sight.scene.talk, pr::kManualReviewKind, one->key), pr::kCompleted, {{"completedAt", now}},
                  "completed"));
  return move(task.record, pr::kCompleted, {{"completedAt", now}, {"issuesFound", result.issues}}, "completed");
}

}  // namespace pawl
