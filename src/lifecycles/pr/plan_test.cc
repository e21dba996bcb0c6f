#include "lifecycles/pr/plan.h"

#include <gtest/gtest.h>

#include <deque>

#include "base/text.h"
#include "lifecycles/pr/mention.h"

namespace pawl::pr {
namespace {

using Ids = std::vector<std::string>;

// A pull request told by hand.
class PrPlan : public testing::Test {
 protected:
  PrPlan() {
    talk_.repository = "o/r";
    talk_.pull = 7;
    talk_.head = "head";
    rules_.mentions = {"rmc-bot"};
  }
  Remark remark(const std::string& author, const std::string& body) {
    texts_.push_back(author);
    const std::string& who = texts_.back();
    texts_.push_back(body);
    const std::string& said = texts_.back();
    texts_.push_back(cat("2026-01-01T00:", 10 + ++minute_, ":00Z"));
    const std::string& when = texts_.back();
    return {++id_, who, "NONE", said, when, when, author == "bot", author.ends_with("[bot]")};
  }
  void say(const std::string& author, const std::string& body) { talk_.comments.push_back(remark(author, body)); }
  TalkThread& thread(const std::vector<std::pair<std::string, std::string>>& said) {
    TalkThread one;
    one.node_id = "T";
    one.path = "a.txt";
    one.line = 2;
    for (const auto& [author, body] : said) one.remarks.push_back(remark(author, body));
    talk_.threads.push_back(std::move(one));
    return talk_.threads.back();
  }
  Ids tasks(const Event& event = {}) {
    picture_ = read_talk(talk_, rules_, {}, wants_review);
    lay_over(picture_, talk_, records_, rules_);
    Ids ids;
    for (const Task& task : plan_of(picture_, talk_, event, rules_).tasks)
      ids.push_back(task.id.substr(0, task.id.find('/')));
    return ids;
  }
  static std::string fence(const std::string& json) { return "text\n\n```rmcoc\n" + json + "\n```\n"; }

  std::deque<std::string> texts_;
  std::uint64_t id_ = 9007199254740993U;
  int minute_ = 0;
  Talk talk_;
  Rules rules_;
  std::vector<Record> records_;
  Picture picture_;
};

const std::string kFlat = R"({"finding": "f", "assessment": "a", "score": 7})";

TEST_F(PrPlan, FindingsOfEveryFormAreDisputedByAReply) {
  for (const std::string& form : {fence(R"({"type": "review-finding", "status": "PENDING", "finding": "f"})"),
                                  fence(R"({"type": "review-finding", "status": "DISPUTED", "finding": "f"})"),
                                  fence(kFlat), "```json\n" + kFlat + "\n```", kFlat}) {
    talk_.threads.clear();
    thread({{"bot", form}, {"ann", "no"}});
    EXPECT_EQ(tasks(), Ids{"dispute"}) << form;
    thread({{"bot", form}});
    thread({{"bot", form}, {"ann", "no"}, {"bot", "yes"}});
    EXPECT_EQ(tasks(), Ids{"dispute"}) << "no reply, or one that was answered: " << form;
    talk_.threads.clear();
    thread({{"eve", form}, {"ann", "no"}});
    EXPECT_EQ(tasks(), Ids()) << "a stranger's is none: " << form;
  }
}

TEST_F(PrPlan, ClosedFindingsAreNotDisputed) {
  for (const char* status : {"RESOLVED", "ESCALATED"}) {
    talk_.threads.clear();
    thread({{"bot", fence(kFlat)},
            {"ann", "done"},
            {"bot", fence(cat(R"({"status": ")", status, "\"}"))},
            {"ann", "thanks"}});
    EXPECT_EQ(tasks(), Ids()) << status;
    EXPECT_EQ(picture_.findings[0].status, status);
    talk_.threads.clear();
    thread({{"bot", fence(kFlat)}, {"ann", fence(cat(R"({"status": ")", status, "\"}"))}});
    EXPECT_EQ(tasks(), Ids{"dispute"}) << "anybody can write that";
  }
}

TEST_F(PrPlan, MentionInAFindingsThreadIsTheDisputeAndAskedAfterItsEndAQuestion) {
  thread({{"bot", fence(kFlat)}, {"ann", "@rmc-bot why?"}});
  EXPECT_EQ(tasks(), Ids{"dispute"});
  talk_.threads.clear();
  thread({{"bot", fence(kFlat)}, {"ann", "@rmc-bot why?"}, {"bot", fence(R"({"status": "RESOLVED"})")}});
  EXPECT_EQ(tasks(), Ids());
  talk_.threads.clear();
  thread({{"bot", fence(kFlat)},
          {"ann", "no"},
          {"bot", fence(R"({"status": "RESOLVED"})")},
          {"ann", "@rmc-bot why now?"}});
  EXPECT_EQ(tasks(), Ids{"question"});
}

// What the bot answered ends with the remark that its block names, not where its comment came to stand.
TEST_F(PrPlan, ReplyThatCameWhileTheAnswerWaitedIsNotSwallowed) {
  const auto answer = [](std::uint64_t to, const char* status) {
    return fence(cat(R"({"type": "dispute-resolution", "finding": "f1", "status": ")", status,
                     R"(", "reply_to_comment_id": ")", to, "\"}"));
  };
  const std::string found = fence(R"({"type": "review-finding", "id": "f1", "status": "PENDING", "finding": "f"})");
  for (const bool beside : {false, true}) {
    talk_.threads.clear();
    talk_.comments.clear();
    std::vector<Remark>& remarks = beside ? talk_.comments : thread({}).remarks;
    remarks.push_back(remark("bot", found));
    remarks.push_back(remark("ann", "> f\n\nno"));
    const std::uint64_t ann = id_;
    remarks.push_back(remark("bob", "> f\n\nnor do I think so"));
    const std::uint64_t bob = id_;
    remarks.push_back(remark("bot", answer(ann, "DISPUTED")));
    EXPECT_EQ(tasks(), Ids{"dispute"}) << beside;
    ASSERT_NE(picture_.findings[0].reply, nullptr) << beside;
    EXPECT_EQ(picture_.findings[0].reply->id, bob) << beside;
    remarks.push_back(remark("bot", answer(bob, "DISPUTED")));
    EXPECT_EQ(tasks(), Ids()) << beside;
    // An earlier one is not asked again because its answer stands behind a later one's.
    remarks.push_back(remark("bot", answer(ann, "DISPUTED")));
    EXPECT_EQ(tasks(), Ids()) << beside;
  }
  // A review that was asked for in the thread says in its own block what it answers.
  talk_.comments.clear();
  talk_.threads.clear();
  std::vector<Remark>& remarks = thread({{"bot", found}, {"ann", "@rmc-bot please review this"}}).remarks;
  const std::uint64_t asked = id_;
  remarks.push_back(remark("bob", "no"));
  remarks.push_back(remark("bot", fence(cat(R"({"type": "manual-pr-review", "status": "COMPLETED", )",
                                            R"("reply_to_comment_id": ")", asked, "\"}"))));
  EXPECT_EQ(tasks(), Ids{"dispute"});
}

TEST_F(PrPlan, QuestionThatCameWhileTheAnswerWaitedIsOne) {
  std::vector<Remark>& remarks = thread({{"bot", fence(kFlat)}, {"ann", "no"}}).remarks;
  const std::uint64_t ann = id_;
  remarks.push_back(remark("bob", "@rmc-bot how does it work?"));
  remarks.push_back(remark("bot", fence(cat(R"({"type": "dispute-resolution", "status": "RESOLVED", )",
                                            R"("reply_to_comment_id": ")", ann, "\"}"))));
  EXPECT_EQ(tasks(), Ids{"question"});
}

// Each text is answered once, whatever it was in between.
TEST_F(PrPlan, EditedAwayAndBackIsAnswered) {
  say("ann", "@rmc-bot why?");
  const std::string id = std::to_string(id_);
  for (const char* text : {"why?", "how?"})
    say("bot", fence(cat(R"({"type": "question-answer", "reply_to_comment_id": ")", id, R"(", "question_hash": ")",
                         text_hash(text), "\"}")));
  EXPECT_EQ(tasks(), Ids());
  talk_.comments[0].body = "@rmc-bot how?";
  EXPECT_EQ(tasks(), Ids());
  talk_.comments[0].body = "@rmc-bot when?";
  EXPECT_EQ(tasks(), Ids{"question"});
  talk_.comments.clear();
  std::vector<Remark>& remarks = thread({{"bot", fence(kFlat)}, {"ann", "no"}}).remarks;
  const std::uint64_t reply = id_;
  for (const char* text : {"no", "never"})
    remarks.push_back(remark(
        "bot", fence(cat(R"({"type": "dispute-resolution", "status": "DISPUTED", )", R"("reply_to_comment_id": ")",
                         reply, R"(", "reply_hash": ")", text_hash(text), "\"}"))));
  EXPECT_EQ(tasks(), Ids());
  remarks[1].body = "never";
  EXPECT_EQ(tasks(), Ids());
  remarks[1].body = "not at all";
  EXPECT_EQ(tasks(), Ids{"dispute"});
}

TEST_F(PrPlan, GhostsAndPeopleAskAndProgramsDoNot) {
  say("", "@rmc-bot why?");
  say("ann", "@rmc-bot how?");
  say("dependabot[bot]", "@rmc-bot what?");
  say("bot", "@rmc-bot who?");
  thread({{"bot", fence(kFlat)}, {"coverage[bot]", "87 %"}});
  EXPECT_EQ(tasks(), (Ids{"question", "question"}));
}

TEST_F(PrPlan, AnswersOfOtherToolsCount) {
  say("ann", "@rmc-bot why?");
  const std::string id = std::to_string(id_);
  say("bot", fence(cat(R"({"type": "question-answer", "reply_to_comment_id": )", id, "}")));  // a number, and no hash
  EXPECT_EQ(tasks(), Ids());
}

TEST_F(PrPlan, TheSameNumberInAThreadIsAnotherComment) {
  say("ann", "@rmc-bot why?");
  const std::uint64_t id = id_;
  thread({{"ann", "@rmc-bot why?"}}).remarks[0].id = id;
  say("bot", fence(cat(R"({"type": "question-answer", "reply_to_comment_id": ")", id, "\"}")));
  EXPECT_EQ(tasks(), Ids{"question"});
}

TEST_F(PrPlan, CancelledReviewIsTakenUpOnTheSameOrANewerHead) {
  const auto trigger = [&](const std::string& rest) {
    talk_.comments.clear();
    say("bot",
        cat("<!-- rmcoc-auto-review-trigger -->\n",
            fence(cat(
                R"({"type": "auto-review-trigger", "action": "opened", "triggeredAt": "2026-01-01T00:00:00.000Z", )",
                rest, "}"))));
  };
  trigger(R"("sha": "head", "cancelled": true)");
  EXPECT_EQ(tasks(), Ids{"review"});
  trigger(R"("sha": "head", "cancelled": false)");
  EXPECT_EQ(tasks(), Ids{"review"});
  trigger(R"("sha": "older", "cancelled": true)");
  EXPECT_EQ(tasks(), Ids{"review"});
  trigger(R"("sha": "head", "cancelled": false, "completedAt": "2026-01-01T00:01:00.000Z")");
  EXPECT_EQ(tasks(), Ids());
  EXPECT_EQ(tasks({"pull_request", "synchronize"}), Ids()) << "the same event again";
  trigger(R"("sha": "older", "cancelled": false, "completedAt": "2026-01-01T00:01:00.000Z")");
  EXPECT_EQ(tasks(), Ids{"review"}) << "the run of the push left no trace";
  rules_.auto_review = Rules::Auto::never;
  EXPECT_EQ(tasks({"pull_request", "synchronize"}), Ids());
  rules_.auto_review = Rules::Auto::events;
  talk_.open = false;
  EXPECT_EQ(tasks({"pull_request", "synchronize"}), Ids());
}

TEST_F(PrPlan, RequestsForAReviewAreOneTask) {
  say("ann", "@rmc-bot review");
  say("bob", "@rmc-bot please review again");
  EXPECT_EQ(tasks(), Ids{"review"});
  EXPECT_EQ(tasks({"pull_request", "opened"}), Ids{"review"});
}

TEST_F(PrPlan, TheStoreKnowsWhatCommentsDoNot) {
  say("ann", "@rmc-bot why?");
  EXPECT_EQ(tasks(), Ids{"question"});
  Record known;
  known.id = id_of(talk_, kQuestionKind, cat("c", id_));
  known.status = kAnswered;
  known.doc = Json{{"hash", text_hash("why?")}};
  records_.push_back(known);
  EXPECT_EQ(tasks(), Ids()) << "its answer was deleted";
  records_[0].doc = Json{{"hash", text_hash("what?")}};
  EXPECT_EQ(tasks(), Ids{"question"}) << "and then it was edited";
  const auto changes = tracked(picture_, talk_, records_).changes;
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].what, "reopen");
  EXPECT_EQ(changes[0].after.status, kPending);
}

TEST_F(PrPlan, WorkWhoseCommentIsGoneGoes) {
  Record known;
  known.id = id_of(talk_, kQuestionKind, "c1");
  known.status = kPending;
  records_.push_back(known);
  EXPECT_EQ(tasks(), Ids());
  const auto changes = tracked(picture_, talk_, records_).changes;
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_FALSE(changes[0].after.present());
}

// A fresh machine has nothing and another may have anything, whatever the comments say: a look writes down what it
// sees.
TEST_F(PrPlan, WhateverACommentSaysAndTheStoreHasIsWrittenDown) {
  const auto look = [&](const RecordId& id, const Machine& machine, const std::string& said) {
    Ids stores = {""};
    for (const Status& status : machine.statuses) stores.emplace_back(status.name);
    for (const std::string& store : stores) {
      Record known;
      known.id = id;
      known.status = store;
      known.doc = Json{{"updatedAt", "2026-01-01T00:00:00.000Z"}, {"triggeredAt", "2026-01-01T00:00:00.000Z"}};
      records_ = {known};
      static_cast<void>(tasks());
      const Tracked after = tracked(picture_, talk_, records_);
      EXPECT_EQ(after.left_out, Ids()) << machine.name << ": " << store << " and the comment says " << said;
      ASSERT_LE(after.changes.size(), 1U);
      if (!after.changes.empty()) {
        EXPECT_EQ(after.changes[0].after.id, id);
      }
    }
  };
  for (const Status& status : manual_review_machine().statuses) {
    talk_.comments.clear();
    say("ann", "@rmc-bot review");
    const std::string id = std::to_string(id_);
    say("bot", fence(cat(R"({"type": "manual-pr-review", "status": ")", status.name, R"(", "reply_to_comment_id": ")",
                         id, "\"}")));
    look(id_of(talk_, kManualReviewKind, cat("c", id)), manual_review_machine(), std::string(status.name));
  }
  for (const Status& status : finding_machine().statuses) {
    talk_.comments.clear();
    say("bot", fence(cat(R"({"type": "review-finding", "id": "f1", "finding": "f", "status": ")", status.name, "\"}")));
    look(id_of(talk_, kFindingKind, "f1"), finding_machine(), std::string(status.name));
  }
  for (const char* const rest : {"", R"(, "cancelled": true)", R"(, "completedAt": "2026-01-01T00:01:00.000Z")"}) {
    for (const char* const sha : {"head", "older"}) {
      talk_.comments.clear();
      say("bot", fence(cat(R"({"type": "auto-review-trigger", "sha": ")", sha,
                           R"(", "triggeredAt": "2026-01-01T00:00:00.000Z")", rest, "}")));
      look(id_of(talk_, kAutoReviewKind, sha), auto_review_machine(), rest);
    }
  }
  for (const bool answered : {false, true}) {
    talk_.comments.clear();
    say("ann", "@rmc-bot why?");
    const std::string id = std::to_string(id_);
    if (answered) say("bot", fence(cat(R"({"type": "question-answer", "reply_to_comment_id": ")", id, "\"}")));
    look(id_of(talk_, kQuestionKind, cat("c", id)), question_machine(), answered ? "answered" : "nothing");
  }
}

TEST_F(PrPlan, WhatCanNotBeWrittenDownIsToldAndTheRestIs) {
  say("ann", "@rmc-bot why?");
  static_cast<void>(tasks());
  picture_.questions.push_back(picture_.questions[0]);
  picture_.questions[0].key = "c1";
  picture_.questions[0].status = "ASKED";
  const Tracked after = tracked(picture_, talk_, {});
  ASSERT_EQ(after.left_out.size(), 1U);
  EXPECT_NE(after.left_out[0].find("ASKED"), std::string::npos) << after.left_out[0];
  EXPECT_EQ(after.changes.size(), 1U);
}

}  // namespace
}  // namespace pawl::pr
