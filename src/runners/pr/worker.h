// The work on one pull request, step by step: look, begin, finish, fail, dismiss. `pawl pr run` calls nothing else, and
// whoever brings their own reviewer calls the same. Each step is written down before the next, in the store and, where
// the next run may be on another machine, in the bot's own comments.
//
//   look     fetch, read, write down what is new           every step begins with what this saw
//   begin    it is in progress; an automatic review gets its comment, requests for one are dismissed by it
//   finish   check the answer, post, mark done             nothing is posted twice, nothing over a newer head
//   fail     it can be tried again
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "lifecycles/pr/plan.h"
#include "runners/pr/posts.h"
#include "runners/pr/scene.h"

namespace pawl {

// What one look saw; its parts point into each other, so it stays where it is.
struct Sight {
  Scene scene;
  pr::Picture picture;
  pr::Plan plan;
};

// The seed's TaskResult.
struct TaskResult {
  std::string id;
  std::string_view type;
  bool success = false;
  std::int64_t issues = 0;
  std::int64_t blocking = 0;
  std::string error;
  std::string text;  // what it came to, in a few words

  static TaskResult of(const pr::Task& task, std::string text) {
    return {task.id, task.type_name(), true, 0, 0, {}, std::move(text)};
  }
};
[[nodiscard]] Json to_json(const TaskResult& result);

struct PrSetup {
  PullRef pull;
  pr::Rules rules;
  pr::Mac mac;                                              // empty: no key
  bool goes_without_key = false;                            // somebody has said so, whatever was signed before
  bool only_looks = false;                                  // nothing is done or let through by what is seen
  pr::IsReview is_review;                                   // tells a request for a review from a question
  std::function<bool()> is_stopped = [] { return false; };  // the run is to end; who asked for it waits to be taken
  std::string workflow;  // in GitHub Actions, the file of the workflow that this is a run of
  std::function<void(std::string_view)> tell = [](std::string_view) {};
  std::function<void(const Scene&)> seen = [](const Scene&) {};  // at every look
};

class DiffPlaces;

class PrWorker {
 public:
  PrWorker(Engine& engine, Request request, Forge& forge, PrSetup setup);

  // Before anything is asked of GitHub: that an event wants this head reviewed is not forgotten on this machine,
  // whatever becomes of the run.
  [[nodiscard]] Done remember(const pr::Event& event);
  [[nodiscard]] Result<std::unique_ptr<Sight>> look(const pr::Event& event);
  // The first thing of a run: what an event has asked for is written where the next run finds it, whatever comes before
  // it in the order of work.
  [[nodiscard]] Done announce(const Sight& sight);
  // That the head is to be reviewed, in the store: from then on the task can be claimed. What there is to say of it.
  [[nodiscard]] Result<Json> enter(const Sight& sight, const pr::Task& task);
  [[nodiscard]] Done begin(const Sight& sight, const pr::Task& task);
  // Is the answer of an earlier run posted, all of it? Then no agent is needed to finish.
  [[nodiscard]] bool is_posted(const Sight& sight, const pr::Task& task) const;
  // conflict: it is about something else than when it was begun, another head or another text; nothing was posted.
  // `begun`: what it was about then (pr::about), where who answers knows it; "": when it was last begun here.
  [[nodiscard]] Result<TaskResult> finish(const Sight& sight, const pr::Task& task, const Json& answer,
                                          const std::string& begun = {});
  // What the head changes. conflict: it is not the head any more, or was not for a moment.
  [[nodiscard]] Result<std::vector<ChangedFile>> diff_of(const Sight& sight);
  [[nodiscard]] Done fail_task(const pr::Task& task, const std::string& why);
  // It was overtaken by something newer, and is given up on this machine; nothing is written elsewhere.
  [[nodiscard]] Done give_up(const pr::Task& task, const std::string& why);
  // An automatic review that is stopped on the way says so, for the next run.
  [[nodiscard]] Done cancel(const Sight& sight, const pr::Task& task);
  // `by`: "auto-review", or "person".
  [[nodiscard]] Done dismiss(const Sight& sight, const pr::ManualReview& request, std::string_view by,
                             std::string_view why);
  // A person has decided: it is settled, and said so where it stands.
  [[nodiscard]] Done dismiss(const Sight& sight, const pr::Finding& finding, std::string_view why);
  // One that was dismissed, by whoever may have been cut off in that: the rest of it. False: it is open, or was settled
  // otherwise.
  [[nodiscard]] Result<bool> finish_dismissal(const Sight& sight, const pr::Finding& finding);
  // A person has decided otherwise: it is open, and said so where it stands. The same again does what was left undone.
  [[nodiscard]] Done reopen(const Sight& sight, const pr::Finding& finding, std::string_view why);
  [[nodiscard]] static bool is_half_reopened(const pr::Finding& finding);
  // What a killed run left half done on threads: the rest of it.
  [[nodiscard]] Done mend(const Sight& sight);

  [[nodiscard]] const pr::Rules& rules() const { return setup_.rules; }
  [[nodiscard]] Forge& forge() { return forge_; }
  [[nodiscard]] const PullRef& pull() const { return setup_.pull; }

 private:
  [[nodiscard]] Done move(const RecordId& id, std::string_view to, const Json& more, std::string_view what,
                          const Json& evidence = {});
  // That blocks are signed here is remembered. untrusted: they are, and there is no key to tell them by; who only
  // looks is told so.
  [[nodiscard]] Result<bool> lacks_key(const pr::Talk& talk);
  [[nodiscard]] Result<Record> load(const RecordId& id);
  // That a look found the head to be reviewed is kept for the board, and for nothing else: the next look tells anew.
  [[nodiscard]] Done note_due(const Sight& sight);
  // conflict: another run has done it since this was seen.
  [[nodiscard]] Done must_be_open(const Sight& sight, const pr::Task& task);
  [[nodiscard]] Result<bool> push_was_lost(const pr::Picture& picture, const pr::Talk& talk, const pr::Event& event);
  [[nodiscard]] std::string now_text() const;
  // In the thread, or in the conversation where there is none, with its block; once, by its identity. A block of which
  // one is to count, whichever is posted, has an identity of its own.
  [[nodiscard]] Result<Json> say(const RecordId& record, const pr::TalkThread* thread, std::uint64_t answered,
                                 const std::string& text, std::string_view type, const Json& data,
                                 const std::string& identity, const std::string& block_identity = {});
  // --- the comment on automatic reviews (trigger.cc) ---
  // In the store and then in the comment; what that says.
  [[nodiscard]] Result<Json> raise(const Sight& sight, const pr::Task& task, std::string_view text);
  // The time in it, which tells this review of the head from others. conflict: another run has gone further.
  [[nodiscard]] Result<std::string> write_trigger(const Sight& sight, Json data, std::string_view text);
  [[nodiscard]] Result<Json> trigger_data(const Sight& sight, const pr::Task& task);
  // As it is at this moment; nullptr: it is gone, or there was none.
  [[nodiscard]] Result<std::unique_ptr<Sight>> trigger_now(const Sight& sight, std::uint64_t id);
  [[nodiscard]] Result<TaskResult> finish_question(const pr::Task& task, const Json& answer);
  [[nodiscard]] Result<TaskResult> finish_dispute(const Sight& sight, const pr::Task& task, const Json& answer);
  [[nodiscard]] Result<TaskResult> finish_review(const Sight& sight, const pr::Task& task, const Json& answer);
  [[nodiscard]] Done take_findings(const Sight& sight, const pr::Task& task, const pr::ReviewAnswer& said,
                                   pr::Picture& after, TaskResult& result);
  [[nodiscard]] Done post_findings(const Sight& sight, const pr::Task& task, const std::vector<pr::NewFinding>& fresh,
                                   const DiffPlaces& places);
  [[nodiscard]] Done complete_review(const Sight& sight, const pr::Task& task, const TaskResult& result,
                                     const std::string& summary, Json still_open);
  void count(TaskResult& result, std::int64_t score) const;
  [[nodiscard]] std::string new_id(const Sight& sight, const pr::Task& task, const pr::NewFinding& one) const;
  // What the comment on automatic reviews lists as open, as it is at this moment, changed; nullopt: as it is.
  [[nodiscard]] Done relist(const Sight& sight, const std::function<std::optional<Json>(const Json&)>& change);
  [[nodiscard]] Done list_open(const Sight& sight, const pr::Picture& after);
  // What had lost its comment and is found again has one again, by another name.
  [[nodiscard]] Done settle_lost(const std::string& review, pr::Picture& after);
  [[nodiscard]] Done unlist(const Sight& sight, const std::set<std::string>& ids);
  [[nodiscard]] Done close_finding(const pr::Finding& finding, std::string_view status, std::string_view what);
  // `automatic`: by an automatic review, which makes it one of its own.
  [[nodiscard]] Done confirm(const pr::Finding& finding, std::int64_t score, bool automatic);
  [[nodiscard]] Done rewrite(const pr::Finding& finding, Json data);  // its block, in its comment
  [[nodiscard]] std::string review_of(const Sight& sight, const pr::Task& task) const;
  [[nodiscard]] RecordId finding_record(const std::string& id) const;

  Engine& engine_;
  Request request_;
  Forge& forge_;
  PrSetup setup_;
  Posts posts_;
  std::set<std::string> told_;  // at a look, and not again at the next
  bool runs_unseen_ = false;    // the token may not see runs of workflows
};

}  // namespace pawl
