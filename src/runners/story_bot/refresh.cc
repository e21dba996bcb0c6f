#include "runners/story_bot/refresh.h"

#include "base/text.h"
#include "lifecycles/story/bot_note.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/story.h"
#include "runners/story_bot/facts.h"

namespace pawl {
namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& one : texts) out += cat(out.empty() ? "" : "; ", one);
  return out;
}

class Refresh {
 public:
  Refresh(BotTools& tools, const StoryActs& acts, const Hold& hold) : tools_(tools), acts_(acts), hold_(hold) {}

  Result<Refreshed> go() {
    PAWL_ASSIGN(const Record story, hold_.record());
    PAWL_ASSIGN(const PullRef pull, tools_.pull_of(story));
    PAWL_ASSIGN(out_.facts, look_at_pull(*tools_.seat.forge, pull, *tools_.believed, tools_.me));
    if (const std::string wrong = story::not_of_story(out_.facts, story.doc); !wrong.empty())
      return tools_.for_a_person(printable(wrong), "set its prNumber right, then pawl story retry");
    PAWL_ASSIGN(const MergeRules rules, tools_.merge_rules());
    if (const std::string wrong = story::merged_elsewhere(out_.facts, rules.base); !wrong.empty())
      return tools_.for_a_person(printable(wrong),
                                 "if that is right, set story.base; else pawl story reset begins it anew");
    if (out_.facts.state == "merged")
      return end(story::kMerged, story::kMergedGate, merge_facts(out_.facts, story, tools_.me, rules), "was merged");
    if (out_.facts.state == "closed")
      return end(story::kInvalid, story::kClosed, closed_facts(out_.facts, story), "was closed without being merged");
    if (const auto elsewhere = story::done_elsewhere(out_.facts))
      return end(story::kInvalid, story::kClosed, closed_facts(out_.facts, story),
                 cat("is done elsewhere, as ", printable(elsewhere->by), " says: ", printable(elsewhere->where)));
    const auto blockers = story::merge_blockers(out_.facts, rules.approvals, rules.base);
    if (blockers.empty() && tools_.flag("story.merge")) return merge(pull);
    if (blockers.empty()) out_.line = "ready to merge";
    if (out_.facts.draft && story::checks_are_green(out_.facts) && tools_.flag("story.ready"))
      PAWL_TRY(make_ready(pull));
    return whose_turn(story, blockers);
  }

  // One that nobody picks is not worked on; but whoever merges or closes its pull request has ended it.
  Result<Refreshed> watch() {
    // Whatever comes of it, it is not asked for again before the time.
    PAWL_TRY(hold_.change([&](const Record& current, const Now& now) -> Result<Change> {
      return story::decide(current, story::LookAtStory{tools_.ms("story.recheck")}, now);
    }));
    PAWL_ASSIGN(const Record story, hold_.record());
    PAWL_ASSIGN(const PullRef pull, tools_.pull_of(story));
    PAWL_ASSIGN(out_.facts, glance_at_pull(*tools_.seat.forge, pull));
    if (story::not_of_story(out_.facts, story.doc).empty()) {
      PAWL_ASSIGN(const MergeRules rules, tools_.merge_rules());
      if (out_.facts.state == "merged" && story::merged_elsewhere(out_.facts, rules.base).empty())
        return end(story::kMerged, story::kMergedGate, merge_facts(out_.facts, story, tools_.me, rules), "was merged");
      if (out_.facts.state == "closed")
        return end(story::kInvalid, story::kClosed, closed_facts(out_.facts, story), "was closed without being merged");
    }
    return std::move(out_);
  }

 private:
  Result<Refreshed> end(std::string_view to, std::string_view gate, Json facts, const std::string& what) {
    story::MoveStory move;
    move.to = to;
    move.evidence[std::string(gate)] = std::move(facts);
    move.record_gates = tools_.records_gates();
    PAWL_TRY(hold_.change([&](const Record& current, const Now& now) { return story::decide(current, move, now); }));
    out_.line = cat(to, ": pull request ", out_.facts.number, " ", what);
    out_.over = true;
    return std::move(out_);
  }

  // By the head that was looked at: a commit that came since is not merged.
  Result<Refreshed> merge(const PullRef& pull) {
    const Json ground = story::merge_ground(out_.facts);
    PAWL_ASSIGN(const Effect effect,
                intend_merge(hold_.id(), pull, out_.facts.head_sha,
                             merge_method(tools_.text("story.merge_method")).value_or(MergeMethod::merge)));
    const auto merged = hold_.act(effect, *acts_.handler(effect));
    if (!merged) {
      tools_.output = merged.error().message;
      return tl::unexpected(merged.error());
    }
    PAWL_ASSIGN(const story::PullFacts after, glance_at_pull(*tools_.seat.forge, pull));
    Json facts{{"pr", after.number},         {"url", after.url}, {"state", after.state},
               {"sha", out_.facts.head_sha}, {"ground", ground}, {"merged_by", tools_.me}};
    return end(story::kMerged, story::kMergedGate, std::move(facts), "was merged by pawl");
  }

  Done make_ready(const PullRef& pull) {
    PAWL_ASSIGN(const Effect effect, intend_ready(hold_.id(), pull));
    PAWL_TRY(hold_.act(effect, *acts_.handler(effect)));
    out_.line = cat("pull request ", pull.number, " is ready for review");
    return done();
  }

  // Who went last goes into the story; then it is left alone for a while.
  Result<Refreshed> whose_turn(const Record& story, const std::vector<std::string>& blockers) {
    const story::BotNote note = story::note_of(story.doc);
    out_.turn = story::turn_of(out_.facts, note.answered, note.pushed);
    tell_left_out();
    const std::string by = out_.turn.reviewer_went_last ? "reviewer" : "bot";
    const std::string before = string_or(story.doc, "lastActivityBy");
    if (before != by && !(before.empty() && by == "bot")) {
      PAWL_TRY(hold_.change(
          [&](const Record& current, const Now& now) { return story::decide(current, story::NoteActivity{by}, now); }));
    }
    if (out_.turn.reviewer_went_last && before != by && out_.line.empty())
      out_.line = cat(printable(out_.turn.news.back().author), " waits for an answer");
    PAWL_TRY(hold_.change([&](const Record& current, const Now& now) -> Result<Change> {
      Change change = story::decide(current, story::LookAtStory{tools_.ms("story.recheck")}, now);
      Json doc = change.after.doc;
      story::BotNote after = story::note_of(doc);
      after.ready = blockers.empty();
      story::set_note(doc, after);
      change.after.doc = std::move(doc);
      change.evidence = Json{{"waits_for", joined(blockers)}, {"went_last", by}, {"left_out", out_.turn.left_out}};
      return change;
    }));
    return std::move(out_);
  }

  // Once, and again when there are more.
  void tell_left_out() {
    std::int64_t& told = tools_.left_out[hold_.id()];
    if (out_.turn.left_out > told)
      tools_.streams.tell(cat(
          printable(hold_.id().key), "  ", out_.turn.left_out, out_.turn.left_out == 1 ? " remark is" : " remarks are",
          " left out: by people who are not believed; story.trusted and story.trusted_org name more"));
    told = out_.turn.left_out;
  }

  BotTools& tools_;
  const StoryActs& acts_;
  const Hold& hold_;
  Refreshed out_;
};

}  // namespace

Result<Refreshed> refresh_story(BotTools& tools, const StoryActs& acts, const Hold& hold) {
  return Refresh(tools, acts, hold).go();
}

Result<Refreshed> watch_story(BotTools& tools, const StoryActs& acts, const Hold& hold) {
  return Refresh(tools, acts, hold).watch();
}

Result<std::string> foresee(BotTools& tools, const Record& story) {
  PAWL_ASSIGN(const PullRef pull, tools.pull_of(story));
  PAWL_ASSIGN(const story::PullFacts facts, look_at_pull(*tools.seat.forge, pull, *tools.believed, tools.me));
  if (const std::string wrong = story::not_of_story(facts, story.doc); !wrong.empty())
    return cat("would be held: ", printable(wrong));
  PAWL_ASSIGN(const MergeRules rules, tools.merge_rules());
  if (const std::string wrong = story::merged_elsewhere(facts, rules.base); !wrong.empty())
    return cat("would be held: ", printable(wrong));
  if (facts.state == "merged") return std::string("would say that it was merged");
  if (facts.state == "closed") return std::string("would call it invalid: its pull request was closed unmerged");
  if (const auto elsewhere = story::done_elsewhere(facts))
    return cat("would call it invalid: done elsewhere (", printable(elsewhere->where), "), says ",
               printable(elsewhere->by));
  const auto blockers = story::merge_blockers(facts, rules.approvals, rules.base);
  if (blockers.empty())
    return cat(tools.flag("story.merge") ? "would merge " : "ready to merge: ", "pull request ", facts.number, " at ",
               facts.head_sha.substr(0, 12));
  const story::BotNote note = story::note_of(story.doc);
  const story::Turn turn = story::turn_of(facts, note.answered, note.pushed);
  std::string out;
  if (facts.draft && story::checks_are_green(facts) && tools.flag("story.ready"))
    out = "would mark it ready for review; ";
  if (turn.reviewer_went_last)
    return cat(out, "would run the agent on ", turn.news.size(), turn.news.size() == 1 ? " remark (" : " remarks (",
               turn.left_out, " of others left out), check, commit, push to ", printable(facts.head_ref));
  return cat(out, "waits: ", joined(blockers));
}

}  // namespace pawl
