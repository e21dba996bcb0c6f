// Where everything on a pull request stands: what its comments say, with what the store knows laid over it. Comments
// rebuild the state on a machine that has never seen it; the store is the authority for what pawl itself did.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "lifecycles/pr/pr.h"
#include "lifecycles/pr/trust.h"

namespace pawl::pr {

// Every part points into the talk it was read from.
struct Finding {
  std::string id;
  std::string status;
  std::int64_t updated_ms = 0;
  Json data;                       // its block
  std::string outcome;             // how it was last settled: "concession", "dismissed", "fixed", …; "": it was not
  std::int64_t written_score = 0;  // what its comment says; `data` has the highest that is known
  const Remark* root = nullptr;    // the comment that has it; nullptr: that is gone, or says it no more
  const TalkThread* thread = nullptr;  // nullptr: it is not on a line of the diff
  std::uint64_t after = 0;        // comments of the conversation up to this one were there before it; 0: none is known
  std::int64_t disputes = 0;      // so often it was maintained
  const Remark* reply = nullptr;  // what somebody said and nobody answered
  std::vector<const Remark*> replies;  // where it has no thread: all that was said about it, the bot's answers too
  [[nodiscard]] bool open() const { return status == kPending || status == kDisputed; }
  [[nodiscard]] bool lost() const { return root == nullptr; }
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::int64_t line() const;
};

// A mention that waits, or has been answered.
struct Question {
  std::string key;  // "c77" for a comment, "r77" for one in a thread, "v77" for the text of a review
  const Remark* remark = nullptr;
  const TalkThread* thread = nullptr;
  std::string text;
  std::string hash;
  std::string status;
};

struct ManualReview {
  std::string key;
  const Remark* remark = nullptr;
  const TalkThread* thread = nullptr;
  std::string text;
  std::string status;
  std::string hash;  // of what was asked: edited, it is asked anew
  // Of one that was dismissed: "auto-review" or "person", and why.
  std::string dismissed_by = {}, reason = {};
};

// The newest one.
struct AutoReview {
  std::string sha;
  std::string action;  // opened, synchronize, ready_for_review
  std::string triggered_at;
  std::string completed_at;
  std::string status;
  Json data;
  const Remark* remark = nullptr;  // the bot's comment that has it; nullptr: only the store knows
  std::string base = {};           // into which branch; "": from before that was written down
  // Is it of what the pull request is now? Into another branch it is another diff.
  [[nodiscard]] bool is_of(const Talk& talk) const { return sha == talk.head && (base.empty() || base == talk.base); }
};

// What of one review is already posted: after a kill it is not done again.
struct PostedParts {
  std::set<std::int64_t> parts;
  std::int64_t of = 0;
  [[nodiscard]] bool whole() const { return of > 0 && static_cast<std::int64_t>(parts.size()) >= of; }
};

struct Picture {
  std::vector<Finding> findings;
  std::vector<Question> questions;
  std::vector<ManualReview> manual_reviews;
  std::optional<AutoReview> auto_review;
  std::map<std::string, PostedParts> posted;  // by review
  std::vector<std::uint64_t> doubted;         // comments as if by the bot that are not believed
  bool trigger_doubted = false;               // one of them is on an automatic review
};

// Tells a request for a review from a question; the rules unless somebody knows better.
using IsReview = std::function<bool(std::string_view)>;

[[nodiscard]] Picture read_talk(const Talk& talk, const Rules& rules, const Mac& mac, const IsReview& is_review);
// What the store knows and the comments do not (yet, or any more).
void lay_over(Picture& picture, const Talk& talk, const std::vector<Record>& records, const Rules& rules);
// The records as the picture has them: those that are new, moved, or whose comment is gone. What keeps the pull request
// from being merged outlives its comment; anything else goes with it. A comment may say anything: what a record cannot
// become is left out and told, and keeps nobody from all the rest.
struct Tracked {
  std::vector<Change> changes;
  std::vector<std::string> left_out;  // why, a sentence each
};
[[nodiscard]] Tracked tracked(const Picture& picture, const Talk& talk, const std::vector<Record>& records);

// Does it keep the pull request from being merged? An open finding of an automatic review, as grave as the gate says.
[[nodiscard]] bool blocks(const Finding& finding, const Rules& rules);
[[nodiscard]] std::vector<const Finding*> blocking(const Picture& picture, const Rules& rules);

// The member of a block that says which remark it answers.
[[nodiscard]] std::string_view reply_member(const Remark& remark);

[[nodiscard]] RecordId id_of(const Talk& talk, std::string_view kind, std::string_view key);

}  // namespace pawl::pr
