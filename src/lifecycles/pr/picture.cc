#include "lifecycles/pr/picture.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "lifecycles/pr/answer.h"
#include "lifecycles/pr/dispute.h"
#include "lifecycles/pr/mention.h"
#include "lifecycles/pr/open_list.h"

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
  finding.outcome = string_or(said.block.data, "outcome");
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
      if (type == block_type::kAnswer) answers_[answered].push_back(&said);
      if (said.thread != nullptr) in_threads_[said.thread].push_back(&said);
      if (type == block_type::kManualReview) {
        requests_[answered].push_back(&said);
        if (const auto also = data.find("also"); also != data.end() && also->is_array()) {
          for (const Json& one : *also)
            requests_[one.is_string() ? one.get<std::string>() : std::string()].push_back(&said);
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
                   said.remark,
                   string_or(data, "base")};
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
      one.written_score = integer_or(one.data, "score");
      one.after = said->thread == nullptr ? said->remark->id : said_before(*said->remark);
      one.status = kPending;
      hear(one, *said);
      PostedParts& posted = picture_.posted[string_or(one.data, "review")];
      posted.parts.insert(integer_or(one.data, "part"));
      posted.of = std::max(posted.of, integer_or(one.data, "parts"));
      by_id[id] = picture_.findings.size();
      if (said->thread != nullptr) by_thread[said->thread] = picture_.findings.size();
      picture_.findings.push_back(std::move(one));
    }
    if (picture_.auto_review) compare_with_list(by_id);
    add_given_up(by_id);
    std::map<const Finding*, std::vector<const Believed*>> answered;
    for (const Believed* said : disputes_) {
      const auto in_thread = said->thread == nullptr ? by_thread.end() : by_thread.find(said->thread);
      const auto named = by_id.find(string_or(said->block.data, "finding"));
      Finding* about = nullptr;
      if (in_thread != by_thread.end())
        about = &picture_.findings[in_thread->second];
      else if (said->thread == nullptr && named != by_id.end())
        about = &picture_.findings[named->second];
      if (about == nullptr || said->remark == about->root || !is_own_comment(*said)) continue;
      hear(*about, *said);
      answered[about].push_back(said);
      if (said->thread == nullptr) disputing_.insert(id_in(said->block.data, "reply_to_comment_id"));
    }
    find_replies_beside();
    for (Finding& one : picture_.findings) {
      if (one.thread == nullptr) {
        replies_to(one, answered[&one]);
        continue;
      }
      finding_threads_[one.thread] = one.open();
      if (one.open()) one.reply = unanswered(*one.thread, answered[&one], in_threads_[one.thread]);
    }
  }

  // An answer is a comment of its own: in that of the finding, or in the review's, it was put there by somebody.
  bool is_own_comment(const Believed& said) const {
    return !picture_.auto_review || said.remark != picture_.auto_review->remark;
  }

  // The newest comment of the conversation from before this one of a thread, whose number is of another row: by
  // GitHub's clock, which is of seconds.
  std::uint64_t said_before(const Remark& root) const {
    std::uint64_t newest = 0;
    for (const Remark& one : talk_.comments) {
      if (one.created_at < root.created_at) newest = std::max(newest, one.id);
    }
    return newest;
  }

  void compare_with_list(std::map<std::string, std::size_t>& by_id) {
    for (const Json& listed : listed_in(picture_.auto_review->data)) {
      const auto [known, is_lost] = by_id.emplace(string_or(listed, "id"), picture_.findings.size());
      if (is_lost) {
        Finding lost = lost_finding(listed);
        // A list from before this was written down: the comment that has it was there before what it lists.
        if (lost.after == 0) lost.after = picture_.auto_review->remark->id;
        picture_.findings.push_back(std::move(lost));
        continue;
      }
      // Its own comment alone does not make it settled: who edits that can say so. An answer to it can (disputes_), a
      // review that calls it fixed takes it off the list, and the store knows what was done here.
      Finding& one = picture_.findings[known->second];
      if (one.thread != nullptr && id_in(listed, "after") != 0) one.after = id_in(listed, "after");
      if (one.status == kResolved) {
        one.status = kPending;
        one.outcome.clear();
        one.updated_ms = 0;
      }
      // A review may have found it graver, and have died before it wrote that into the comment.
      Json& data = one.data;
      if (integer_or(listed, "score") > integer_or(data, "score")) data["score"] = integer_or(listed, "score");
      data["origin"] = "auto";
    }
  }

  // What was conceded or dismissed and has no comment: the newest word on it tells what it was about. Opened again it
  // is on the list, as long as it is not settled otherwise.
  void add_given_up(std::map<std::string, std::size_t>& by_id) {
    std::map<std::string, const Believed*> newest;
    for (const Believed* said : disputes_) {
      const std::string id = string_or(said->block.data, "finding");
      if (said->thread != nullptr || id.empty() || by_id.contains(id) || !is_own_comment(*said)) continue;
      const Believed*& kept = newest[id];
      if (kept == nullptr || time_of(*said) >= time_of(*kept)) kept = said;
    }
    for (const auto& [id, said] : newest) {
      const Json& data = said->block.data;
      const auto about = data.find(std::string(kAbout));
      if (about == data.end() || !about->is_object() || !is_given_up(finding_status(*said), string_or(data, "outcome")))
        continue;
      by_id.emplace(id, picture_.findings.size());
      picture_.findings.push_back(lost_finding(*about));
      picture_.findings.back().id = id;
    }
  }

  // Of findings that stand beside the diff, or whose comment is gone.
  void find_replies_beside() {
    std::vector<Beside> beside;
    std::vector<const Finding*> findings;
    for (const Finding& one : picture_.findings) {
      if (one.thread != nullptr) continue;  // one that is closed is still what was quoted
      beside.push_back({one.lost() ? 0 : one.root->id, string_or(one.data, "finding"), one.path(), one.line()});
      findings.push_back(&one);
    }
    if (beside.empty()) return;
    for (const Remark& remark : talk_.comments) {
      if (remark.by_bot || remark.by_machine) continue;
      for (const std::size_t i : spoken_of(remark.body, beside)) {
        if (remark.id > findings[i]->after) people_[findings[i]].push_back(&remark);
      }
    }
  }

  void replies_to(Finding& finding, const std::vector<const Believed*>& answers) {
    if (!finding.open()) return;
    const std::vector<const Remark*>& people = people_[&finding];
    for (const Remark& remark : talk_.comments) {
      if (remark.id <= finding.after) continue;
      const bool answer =
          std::any_of(answers.begin(), answers.end(), [&](const Believed* one) { return one->remark == &remark; });
      const bool reply = std::find(people.begin(), people.end(), &remark) != people.end();
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
      ManualReview one{key, &remark, thread, std::move(*asked), std::string(kPending), {}};
      one.hash = text_hash(one.text);
      for (const Believed* said : requests_[key]) {
        const std::string status = string_or(said->block.data, "status");
        // Edited, it is asked anew; where one review was for several, each was done as it was then.
        const std::string done = string_or(said->block.data, "request_hash");
        const bool edited = !done.empty() && done != one.hash && answered_by(*said) == key;
        // Who is at it is known to the machine that it is on: begun elsewhere and not finished, it is pending.
        if (!manual_review_machine().terminal(status) || edited) continue;
        one.status = status;
        one.dismissed_by = string_or(said->block.data, "dismissedBy");
        one.reason = string_or(said->block.data, "reason");
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
            return said->thread == thread && answered_up_to(*said) >= remark.id && said->remark->id != remark.id;
          }))
        return;
    }
    Question one{key, &remark, thread, std::move(*asked), {}, std::string(kPending)};
    one.hash = text_hash(one.text);
    if (const auto found = answers_.find(key); found != answers_.end()) {
      // Edited away and back, it is what was answered then.
      if (std::any_of(found->second.begin(), found->second.end(),
                      [&](const Believed* said) { return still_answers(*said, one.hash); }))
        one.status = kAnswered;
    }
    picture_.questions.push_back(std::move(one));
  }

  const Talk& talk_;
  const Rules& rules_;
  const IsReview& is_review_;
  Picture picture_;
  std::vector<const Believed*> found_, disputes_;
  std::unordered_map<std::string, std::vector<const Believed*>> answers_, requests_;
  std::unordered_map<const TalkThread*, std::vector<const Believed*>> in_threads_;
  std::map<const TalkThread*, bool> finding_threads_;            // whether it is open
  std::map<const Finding*, std::vector<const Remark*>> people_;  // who speaks of a finding beside the diff
  std::set<std::uint64_t> disputing_;                            // comments that dispute a finding beside the diff
};

}  // namespace

std::string Finding::path() const { return thread != nullptr ? std::string(thread->path) : string_or(data, "path"); }
std::int64_t Finding::line() const { return thread != nullptr ? thread->line : integer_or(data, "line"); }

std::string_view reply_member(const Remark& remark) {
  return remark.is_review ? "reply_to_review_id" : "reply_to_comment_id";
}

RecordId id_of(const Talk& talk, std::string_view kind, std::string_view key) {
  return {std::string(kind), scope_of(talk.repository, talk.pull), std::string(key)};
}

Picture read_talk(const Talk& talk, const Rules& rules, const Mac& mac, const IsReview& is_review) {
  const Belief belief = believed(talk, mac);
  Picture picture = Reader(talk, rules, is_review).read(belief.blocks);
  picture.doubted = belief.doubted;
  picture.trigger_doubted = belief.trigger_doubted;
  return picture;
}

bool blocks(const Finding& one, const Rules& rules) {
  return one.status != kResolved && string_or(one.data, "origin") != "manual" &&
         integer_or(one.data, "score") >= rules.blocking_score;
}

std::vector<const Finding*> blocking(const Picture& picture, const Rules& rules) {
  std::vector<const Finding*> out;
  for (const Finding& one : picture.findings) {
    if (blocks(one, rules)) out.push_back(&one);
  }
  return out;
}

}  // namespace pawl::pr
