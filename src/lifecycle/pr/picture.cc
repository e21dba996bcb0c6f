#include "lifecycle/pr/picture.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "lifecycle/pr/dispute.h"
#include "lifecycle/pr/mention.h"

namespace pawl::pr {
namespace {

std::int64_t time_of(const Believed& said) {
  if (const auto own = parse_iso_time(string_or(said.block.data, "updatedAt"))) return *own;
  return parse_iso_time(said.remark->updated_at).value_or(0);
}

std::string finding_id(const Believed& said) {
  const std::string own = string_or(said.block.data, "id");
  return own.empty() ? cat(said.thread != nullptr ? "r" : "c", said.remark->id) : own;
}

std::string finding_status(const Believed& said) {
  const std::string word = string_or(said.block.data, "status", kPending);
  return finding_machine().status(word) != nullptr ? word : std::string();
}

// The newest word on it counts, wherever it stands.
void hear(Finding& finding, const Believed& said) {
  const std::string status = finding_status(said);
  if (status.empty() || time_of(said) < finding.updated_ms) return;
  finding.status = status;
  finding.updated_ms = time_of(said);
  finding.disputes = std::max(finding.disputes, integer_or(said.block.data, "disputes"));
}

std::string key_of(const Remark& remark, const TalkThread* thread) {
  return cat(remark.is_review ? "v" : thread == nullptr ? "c" : "r", remark.id);
}

// What a block of the bot's answers, by the same name. What is said in a thread is answered there, and GitHub counts
// comments, those in threads and reviews apart.
std::string answered_by(const Believed& said) {
  if (const std::uint64_t review = id_in(said.block.data, "reply_to_review_id"); review != 0) return cat("v", review);
  return cat(said.thread == nullptr ? "c" : "r", id_in(said.block.data, "reply_to_comment_id"));
}

// An answer of another tool's has a hash of another make, or none, which tells nothing here; and such tools edit the
// question when they have answered it, so that its time tells nothing either.
bool still_answers(const Believed& said, const std::string& hash) {
  const std::string known = string_or(said.block.data, "question_hash");
  return known.size() != hash.size() || known == hash;
}

class Reader {
 public:
  Reader(const Talk& talk, const Rules& rules, const IsReview& is_review)
      : talk_(talk), rules_(rules), is_review_(is_review) {}

  Picture read(const std::vector<Believed>& all) {
    sort_out(all);
    findings();
    for (const Remark& remark : talk_.comments) mention(remark, nullptr);
    for (const TalkThread& thread : talk_.threads) {
      for (const Remark& remark : thread.remarks) mention(remark, &thread);
    }
    for (const Remark& remark : talk_.reviews) mention(remark, nullptr);
    return std::move(picture_);
  }

 private:
  void sort_out(const std::vector<Believed>& all) {
    for (const Believed& said : all) {
      const std::string_view type = said.block.type;
      const Json& data = said.block.data;
      if (type == block_type::kFinding) found_.push_back(&said);
      if (type == block_type::kDispute) disputes_.push_back(&said);
      const std::string answered = answered_by(said);
      if (type == block_type::kAnswer) answers_[answered] = &said;
      if (type == block_type::kManualReview) {
        requests_[answered] = &said;
        if (const auto also = data.find("also"); also != data.end() && also->is_array()) {
          for (const Json& one : *also) requests_[one.is_string() ? one.get<std::string>() : std::string()] = &said;
        }
      }
      if (type == block_type::kAutoReview) trigger(said);
    }
  }

  void trigger(const Believed& said) {
    const Json& data = said.block.data;
    AutoReview one{string_or(data, "sha"),
                   string_or(data, "action"),
                   string_or(data, "triggeredAt"),
                   string_or(data, "completedAt"),
                   {},
                   data,
                   said.remark};
    if (one.sha.empty()) return;
    const auto cancelled = data.find("cancelled");
    one.status = !one.completed_at.empty()                             ? kCompleted
                 : cancelled != data.end() && *cancelled == Json(true) ? kCancelled
                                                                       : kTriggered;
    const auto when = [](const AutoReview& review) { return parse_iso_time(review.triggered_at).value_or(0); };
    if (!picture_.auto_review || when(one) >= when(*picture_.auto_review)) picture_.auto_review = std::move(one);
  }

  void findings() {
    std::map<std::string, std::size_t> by_id;
    std::map<const TalkThread*, std::size_t> by_thread;
    for (const Believed* said : found_) {
      const std::string id = finding_id(*said);
      const auto in_thread = said->thread == nullptr ? by_thread.end() : by_thread.find(said->thread);
      if (in_thread != by_thread.end()) {
        hear(picture_.findings[in_thread->second], *said);
        continue;
      }
      if (by_id.contains(id)) continue;  // posted a second time: the first counts
      Finding one;
      one.id = id;
      one.data = said->block.data;
      one.root = said->remark;
      one.thread = said->thread;
      one.status = kPending;
      hear(one, *said);
      PostedParts& posted = picture_.posted[string_or(one.data, "review")];
      posted.parts.insert(integer_or(one.data, "part"));
      posted.of = std::max(posted.of, integer_or(one.data, "parts"));
      by_id[id] = picture_.findings.size();
      if (said->thread != nullptr) by_thread[said->thread] = picture_.findings.size();
      picture_.findings.push_back(std::move(one));
    }
    std::map<const Finding*, std::vector<const Believed*>> answered;
    for (const Believed* said : disputes_) {
      const auto in_thread = said->thread == nullptr ? by_thread.end() : by_thread.find(said->thread);
      const auto named = by_id.find(string_or(said->block.data, "finding"));
      Finding* about = nullptr;
      if (in_thread != by_thread.end())
        about = &picture_.findings[in_thread->second];
      else if (said->thread == nullptr && named != by_id.end())
        about = &picture_.findings[named->second];
      if (about == nullptr) continue;
      hear(*about, *said);
      answered[about].push_back(said);
      if (said->thread == nullptr) disputing_.insert(id_in(said->block.data, "reply_to_comment_id"));
    }
    for (Finding& one : picture_.findings) {
      if (one.thread == nullptr) {
        replies_to(one, answered[&one]);
        continue;
      }
      finding_threads_[one.thread] = one.open();
      if (one.open()) one.reply = unanswered(*one.thread, answered[&one]);
    }
  }

  // A finding that stands beside the diff.
  void replies_to(Finding& finding, const std::vector<const Believed*>& answers) {
    if (!finding.open()) return;
    const std::string sentence = string_or(finding.data, "finding");
    std::vector<const Remark*> people;
    for (const Remark& remark : talk_.comments) {
      if (remark.id <= finding.root->id) continue;
      const bool answer =
          std::any_of(answers.begin(), answers.end(), [&](const Believed* one) { return one->remark == &remark; });
      const bool reply = !remark.by_bot && !remark.by_machine && speaks_of(remark.body, finding.root->id, sentence);
      if (reply) people.push_back(&remark);
      if (reply || answer) finding.replies.push_back(&remark);
    }
    finding.reply = unanswered(people, answers);
    for (const Remark* one : people) disputing_.insert(one->id);
  }

  void mention(const Remark& remark, const TalkThread* thread) {
    if (remark.by_bot || remark.by_machine) return;
    auto asked = asked_of(remark.body, rules_.mentions);
    if (!asked) return;
    const std::string key = key_of(remark, thread);
    if (is_review_(*asked)) {
      ManualReview one{key, &remark, thread, std::move(*asked), std::string(kPending)};
      if (const auto found = requests_.find(key); found != requests_.end()) {
        const std::string status = string_or(found->second->block.data, "status");
        if (manual_review_machine().status(status) != nullptr) one.status = status;
      }
      picture_.manual_reviews.push_back(std::move(one));
      return;
    }
    // In answer to a finding that is open it is a dispute, and one that was answered as such is not a question.
    if (thread == nullptr && !remark.is_review && disputing_.contains(remark.id)) return;
    if (thread != nullptr) {
      const auto finding = finding_threads_.find(thread);
      if (finding != finding_threads_.end() && finding->second) return;
      if (std::any_of(disputes_.begin(), disputes_.end(), [&](const Believed* said) {
            return said->thread == thread && said->remark->created_at >= remark.created_at &&
                   said->remark->id != remark.id;
          }))
        return;
    }
    Question one{key, &remark, thread, std::move(*asked), {}, std::string(kPending)};
    one.hash = text_hash(one.text);
    if (const auto found = answers_.find(key); found != answers_.end()) {
      if (still_answers(*found->second, one.hash)) one.status = kAnswered;
    }
    picture_.questions.push_back(std::move(one));
  }

  const Talk& talk_;
  const Rules& rules_;
  const IsReview& is_review_;
  Picture picture_;
  std::vector<const Believed*> found_, disputes_;
  std::unordered_map<std::string, const Believed*> answers_, requests_;
  std::map<const TalkThread*, bool> finding_threads_;  // whether it is open
  std::set<std::uint64_t> disputing_;                  // comments that dispute a finding beside the diff
};

using Known = std::map<RecordId, const Record*>;
Known known_in(const std::vector<Record>& records) {
  Known out;
  for (const Record& one : records) out[one.id] = &one;
  return out;
}
const Record* record_for(const Known& records, const RecordId& id) {
  const auto found = records.find(id);
  return found == records.end() ? nullptr : found->second;
}

}  // namespace

std::string_view reply_member(const Remark& remark) {
  return remark.is_review ? "reply_to_review_id" : "reply_to_comment_id";
}

RecordId id_of(const Talk& talk, std::string_view kind, std::string_view key) {
  return {std::string(kind), scope_of(talk.repository, talk.pull), std::string(key)};
}

Picture read_talk(const Talk& talk, const Rules& rules, const Mac& mac, const IsReview& is_review) {
  const std::vector<Believed> all = believed(talk, mac);
  return Reader(talk, rules, is_review).read(all);
}

void lay_over(Picture& picture, const Talk& talk, const std::vector<Record>& all) {
  const Known records = known_in(all);
  for (Finding& one : picture.findings) {
    const Record* const known = record_for(records, id_of(talk, kFindingKind, one.id));
    if (known == nullptr || known->status.empty()) continue;
    // A review may have found it again and graver, and have died before it wrote that into the comment.
    if (const std::int64_t score = integer_or(known->doc, "score"); score > integer_or(one.data, "score"))
      one.data["score"] = score;
    if (string_or(one.data, "origin") == "manual" && string_or(known->doc, "origin") == "auto")
      one.data["origin"] = "auto";
    const std::int64_t when = parse_iso_time(string_or(known->doc, "updatedAt")).value_or(0);
    if (when <= one.updated_ms) continue;
    one.status = known->status;
    one.updated_ms = when;
    one.disputes = std::max(one.disputes, integer_or(known->doc, "disputes"));
    if (!one.open()) one.reply = nullptr;
  }
  for (Question& one : picture.questions) {
    const Record* const known = record_for(records, id_of(talk, kQuestionKind, one.key));
    if (known == nullptr || one.status == kAnswered || string_or(known->doc, "hash") != one.hash) continue;
    if (known->status == kAnswered || known->status == kInProgress) one.status = known->status;
  }
  for (ManualReview& one : picture.manual_reviews) {
    const Record* const known = record_for(records, id_of(talk, kManualReviewKind, one.key));
    if (known != nullptr && !known->status.empty() && !manual_review_machine().terminal(one.status))
      one.status = known->status;
  }
  // Of a head that is reviewed nothing older is left to do, whenever the event came that asked for it.
  const bool reviewed =
      picture.auto_review && picture.auto_review->sha == talk.head && picture.auto_review->status == kCompleted;
  for (const Record& known : all) {
    if (known.id.kind != kAutoReviewKind || known.status.empty() || reviewed) continue;
    const bool same = picture.auto_review && picture.auto_review->sha == known.id.key;
    const bool newer = !picture.auto_review || string_or(known.doc, "triggeredAt") > picture.auto_review->triggered_at;
    if (!same && !newer) continue;
    if (same && picture.auto_review->status == kCompleted) continue;
    AutoReview one = picture.auto_review.value_or(AutoReview{});
    if (!same) {
      one.sha = known.id.key;
      one.action = string_or(known.doc, "action");
      one.triggered_at = string_or(known.doc, "triggeredAt");
    }
    one.status = known.status;
    one.completed_at = known.status == kCompleted ? string_or(known.doc, "completedAt") : std::string();
    picture.auto_review = std::move(one);
  }
}

namespace {

// What a record is to say, and its status; nothing when it already does.
Result<std::optional<Change>> brought_to(const Known& records, const RecordId& id, std::string_view status,
                                         const Json& doc) {
  const Record* const known = record_for(records, id);
  const Record current = known == nullptr ? absent_record(id) : *known;
  Json merged = current.doc.json();
  if (!merged.is_object()) merged = Json::object();
  bool same = current.status == status;
  for (const auto& [key, value] : doc.items()) {
    if (merged.contains(key) && merged[key] == value) continue;
    merged[key] = value;
    same = false;
  }
  if (same) return std::optional<Change>();
  const Machine& machine = *machine_of(id.kind);
  const Move* const move = machine.move(state_of(current), status);
  const bool reopens = move != nullptr && move->kind == MoveKind::reopening;
  const std::string_view what = !current.present() ? "tracked" : reopens ? move->name : "seen";
  PAWL_ASSIGN(Change change, moved(current, status, std::move(merged), what));
  return std::optional(std::move(change));
}

}  // namespace

Result<std::vector<Change>> tracked(const Picture& picture, const Talk& talk, const std::vector<Record>& all) {
  const Known records = known_in(all);
  std::vector<Change> changes;
  std::set<RecordId> seen;
  const auto bring = [&](const RecordId& id, std::string_view status, const Json& doc) -> Done {
    seen.insert(id);
    PAWL_ASSIGN(auto change, brought_to(records, id, status, doc));
    if (change) changes.push_back(std::move(*change));
    return done();
  };
  for (const Finding& one : picture.findings) {
    Json doc = {{"finding", string_or(one.data, "finding")},
                {"score", integer_or(one.data, "score")},
                {"origin", string_or(one.data, "origin")},
                {"review", string_or(one.data, "review")},
                {"disputes", one.disputes},
                {"comment", std::to_string(one.root->id)},
                {"updatedAt", iso_time(one.updated_ms, true)}};
    doc["path"] = one.thread != nullptr ? std::string(one.thread->path) : string_or(one.data, "path");
    doc["line"] = one.thread != nullptr ? one.thread->line : integer_or(one.data, "line");
    PAWL_TRY(bring(id_of(talk, kFindingKind, one.id), one.status, doc));
  }
  for (const Question& one : picture.questions) {
    Json doc = {{"author", std::string(one.remark->author)},
                {"question", one.text},
                {"hash", one.hash},
                {"comment", std::to_string(one.remark->id)},
                {"askedAt", std::string(one.remark->created_at)}};
    if (one.thread != nullptr) doc["fileContext"] = {{"path", one.thread->path}, {"line", one.thread->line}};
    PAWL_TRY(bring(id_of(talk, kQuestionKind, one.key), one.status, doc));
  }
  for (const ManualReview& one : picture.manual_reviews) {
    PAWL_TRY(bring(id_of(talk, kManualReviewKind, one.key), one.status,
                   {{"author", std::string(one.remark->author)},
                    {"comment", std::to_string(one.remark->id)},
                    {"requestedAt", std::string(one.remark->created_at)}}));
  }
  if (picture.auto_review) {
    const AutoReview& one = *picture.auto_review;
    Json doc = {{"sha", one.sha}, {"action", one.action}, {"triggeredAt", one.triggered_at}};
    if (!one.completed_at.empty()) doc["completedAt"] = one.completed_at;
    PAWL_TRY(bring(id_of(talk, kAutoReviewKind, one.sha), one.status, doc));
  }
  // A comment that is gone takes its work with it; what an automatic review has done stays.
  for (const Record& known : all) {
    if (seen.contains(known.id) || !known.present() || known.id.kind == kAutoReviewKind) continue;
    if (machine_of(known.id.kind) == nullptr || machine_of(known.id.kind)->terminal(known.status)) continue;
    PAWL_ASSIGN(Change change, moved(known, kAbsent, std::nullopt, "its comment is gone"));
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace pawl::pr
