// The picture and the store: what the store knows is laid over what the comments say, and the records are brought in
// step with the result.
#include <algorithm>

#include "base/text.h"
#include "lifecycles/pr/answer.h"
#include "lifecycles/pr/open_list.h"
#include "lifecycles/pr/picture.h"

namespace pawl::pr {
namespace {

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

// What shut the gate and has no comment any more, unless a later list leaves it out: then it was settled elsewhere. And
// what was conceded or dismissed: it is not raised again, and who asks why the gate is open finds it.
void add_lost(Picture& picture, const std::vector<Record>& all, const Rules& rules) {
  std::set<std::string_view> there;
  for (const Finding& one : picture.findings) there.insert(one.id);
  const bool has_list = picture.auto_review && picture.auto_review->data.contains(std::string(kOpenList));
  const std::int64_t listed_ms = has_list ? parse_iso_time(picture.auto_review->completed_at).value_or(0) : 0;
  std::vector<Finding> lost;
  for (const Record& known : all) {
    if (known.id.kind != kFindingKind || !known.present() || there.contains(known.id.key)) continue;
    Finding one = lost_finding(known);
    const bool shuts = blocks(one, rules) && one.updated_ms >= listed_ms;
    if (!shuts && !is_given_up(one.status, one.outcome)) continue;
    lost.push_back(std::move(one));
  }
  std::move(lost.begin(), lost.end(), std::back_inserter(picture.findings));
}

}  // namespace

void lay_over(Picture& picture, const Talk& talk, const std::vector<Record>& all, const Rules& rules) {
  const Known records = known_in(all);
  add_lost(picture, all, rules);
  for (Finding& one : picture.findings) {
    const Record* const known = record_for(records, id_of(talk, kFindingKind, one.id));
    if (known == nullptr || known->status.empty()) continue;
    // A review may have found it again and graver, and have died before it wrote that into the comment.
    if (const std::int64_t score = integer_or(known->doc, "score"); score > integer_or(one.data, "score"))
      one.data["score"] = score;
    if (string_or(one.data, "origin") == "manual" && string_or(known->doc, "origin") == "auto")
      one.data["origin"] = "auto";
    const std::int64_t when = parse_iso_time(string_or(known->doc, "updatedAt")).value_or(0);
    // What was begun and is not answered yet stands in no comment.
    const bool begun = known->status == kDisputed && one.status == kPending && one.reply != nullptr &&
                       parse_iso_time(string_or(known->doc, "begunAt")).value_or(0) > one.updated_ms;
    if (begun) one.status = known->status;
    if (when <= one.updated_ms) continue;
    one.status = known->status;
    one.outcome = string_or(known->doc, "outcome");
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
    if (known == nullptr || known->status.empty() || manual_review_machine().terminal(one.status)) continue;
    const std::string asked = string_or(known->doc, "hash");
    if (!asked.empty() && asked != one.hash) continue;
    one.status = known->status;
    one.dismissed_by = string_or(known->doc, "dismissedBy");
    one.reason = string_or(known->doc, "reason");
  }
  // Of a head that is reviewed nothing older is left to do, whenever the event came that asked for it.
  const bool reviewed =
      picture.auto_review && picture.auto_review->is_of(talk) && picture.auto_review->status == kCompleted;
  for (const Record& known : all) {
    if (known.id.kind != kAutoReviewKind || known.status.empty() || known.doc.contains(kOnlySeen) || reviewed) continue;
    const bool same = picture.auto_review && picture.auto_review->sha == known.id.key;
    const bool newer = !picture.auto_review || string_or(known.doc, "triggeredAt") > picture.auto_review->triggered_at;
    if (!same && !newer) continue;
    if (same && !newer && picture.auto_review->status == kCompleted) continue;
    // It was reviewed, then another head, and now it is the head again.
    if (same && string_or(known.doc, "triggeredAt") < picture.auto_review->triggered_at) continue;
    AutoReview one = picture.auto_review.value_or(AutoReview{});
    if (newer) {
      one.sha = known.id.key;
      one.base = string_or(known.doc, "base");
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
  PAWL_ASSIGN(Change change, moved(current, status, std::move(merged), current.present() ? "seen" : "tracked"));
  return std::optional(std::move(change));
}

}  // namespace

Tracked tracked(const Picture& picture, const Talk& talk, const std::vector<Record>& all) {
  const Known records = known_in(all);
  Tracked out;
  std::set<RecordId> seen;
  const auto take = [&](Result<std::optional<Change>> change) {
    if (!change) out.left_out.push_back(change.error().message);
    if (change && *change) out.changes.push_back(std::move(**change));
  };
  const auto bring = [&](const RecordId& id, std::string_view status, const Json& doc) {
    seen.insert(id);
    take(brought_to(records, id, status, doc));
  };
  for (const Finding& one : picture.findings) {
    const RecordId id = id_of(talk, kFindingKind, one.id);
    const Record* const known = record_for(records, id);
    Json doc = {{"disputes", one.disputes}};
    if (one.updated_ms != 0) doc["updatedAt"] = iso_time(one.updated_ms, true);
    if (one.lost() || (known != nullptr && known->doc.json().contains("lost"))) doc["lost"] = one.lost();
    // What the store knows of one that is lost is more than what is listed.
    if (!one.lost() || known == nullptr || !known->present()) {
      doc.update({{"finding", string_or(one.data, "finding")},
                  {"score", integer_or(one.data, "score")},
                  {"origin", string_or(one.data, "origin")},
                  {"review", string_or(one.data, "review")},
                  {"path", one.path()},
                  {"line", one.line()}});
      if (one.data.contains("code")) doc["code"] = string_or(one.data, "code");
    }
    if (!one.lost()) doc["comment"] = std::to_string(one.root->id);
    if (!one.outcome.empty()) doc["outcome"] = one.outcome;
    if (one.reply != nullptr || (known != nullptr && known->doc.json().contains(kUnanswered)))
      doc[kUnanswered] = one.reply == nullptr ? std::string() : std::to_string(one.reply->id);
    bring(id, one.status, doc);
  }
  for (const Question& one : picture.questions) {
    Json doc = {{"author", std::string(one.remark->author)},
                {"question", one.text},
                {"hash", one.hash},
                {"comment", std::to_string(one.remark->id)},
                {"askedAt", std::string(one.remark->created_at)}};
    if (one.thread != nullptr) doc["fileContext"] = {{"path", one.thread->path}, {"line", one.thread->line}};
    bring(id_of(talk, kQuestionKind, one.key), one.status, doc);
  }
  for (const ManualReview& one : picture.manual_reviews) {
    Json doc = {{"author", std::string(one.remark->author)},
                {"request", one.text},
                {"comment", std::to_string(one.remark->id)},
                {"hash", one.hash},
                {"requestedAt", std::string(one.remark->created_at)}};
    if (one.status == kDismissed && !one.dismissed_by.empty())
      doc.update({{"dismissedBy", one.dismissed_by}, {"reason", one.reason}});
    bring(id_of(talk, kManualReviewKind, one.key), one.status, doc);
  }
  if (picture.auto_review) {
    const AutoReview& one = *picture.auto_review;
    Json doc = {{"sha", one.sha}, {"action", one.action}, {"triggeredAt", one.triggered_at}};
    if (!one.base.empty()) doc["base"] = one.base;
    if (!one.completed_at.empty()) doc["completedAt"] = one.completed_at;
    bring(id_of(talk, kAutoReviewKind, one.sha), one.status, doc);
  }
  const bool reviewed =
      picture.auto_review && picture.auto_review->is_of(talk) && picture.auto_review->status == kCompleted;
  // A comment that is gone takes its work with it; what an automatic review has done stays.
  for (const Record& known : all) {
    if (seen.contains(known.id) || !known.present()) continue;
    if (known.id.kind == kAutoReviewKind) {
      if (!reviewed || auto_review_machine().terminal(known.status)) continue;
      take(moved(known, kCancelled, known.doc.json(), "a newer head is reviewed"));
      continue;
    }
    if (machine_of(known.id.kind) == nullptr || machine_of(known.id.kind)->terminal(known.status)) continue;
    take(moved(known, kAbsent, std::nullopt, "its comment is gone, or is not believed"));
  }
  return out;
}

}  // namespace pawl::pr
