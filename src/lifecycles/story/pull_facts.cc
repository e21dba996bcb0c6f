#include "lifecycles/story/pull_facts.h"

#include <algorithm>
#include <map>

#include "base/clock.h"
#include "base/text.h"

namespace pawl::story {
namespace {

// Times of one place in one form; what cannot be read counts as old.
std::int64_t time_of(const std::string& iso) { return parse_iso_time(iso).value_or(0); }

bool is_decisive(const Said& said) {
  return said.state == "APPROVED" || said.state == "CHANGES_REQUESTED" || said.state == "DISMISSED";
}

// The newest decision of each trusted reviewer, in the order in which they were made.
std::vector<const Said*> newest_decisions(const PullFacts& facts) {
  std::map<std::string, const Said*> by_author;
  for (const Said& said : facts.said) {
    if (!said.trusted || said.ours || !is_decisive(said)) continue;
    const Said*& newest = by_author[said.author];
    if (newest == nullptr || time_of(said.at) >= time_of(newest->at)) newest = &said;
  }
  std::vector<const Said*> out;
  for (const auto& [author, said] : by_author) out.push_back(said);
  return out;
}

std::string listed(const std::vector<std::string>& names) { return first_few(names, 3); }

// Whether it asks for something. A review without words is but the cover of its comments. An approval asks for nothing,
// whatever is said with it: whoever wants something done first says so in a comment, or asks for changes; and an answer
// with another commit would undo it.
bool asks(const Said& said) {
  if (said.state == "CHANGES_REQUESTED") return true;
  return said.state != "APPROVED" && said.state != "DISMISSED" && said.state != "PENDING" && !trim(said.body).empty();
}

}  // namespace

bool is_trusted_association(std::string_view association) {
  return association == "OWNER" || association == "MEMBER" || association == "COLLABORATOR";
}

bool checks_are_green(const PullFacts& facts) { return facts.failed_checks.empty() && facts.waiting_checks.empty(); }

std::vector<std::string> approved_by(const PullFacts& facts) {
  std::vector<std::string> names;
  for (const Said* said : newest_decisions(facts)) {
    if (said->state == "APPROVED" && said->commit == facts.head_sha) names.push_back(said->author);
  }
  return names;
}

std::vector<std::string> merge_blockers(const PullFacts& facts, std::int64_t approvals, const std::string& base) {
  std::vector<std::string> why;
  if (facts.state != "open") return {cat("it is ", facts.state)};
  if (facts.base_ref != base)
    why.push_back(
        cat("it would be merged into ", printable(facts.base_ref), ", and stories go into ", printable(base)));
  if (facts.draft) why.emplace_back("it is a draft");
  std::vector<std::string> against, earlier;
  for (const Said* said : newest_decisions(facts)) {
    if (said->state == "CHANGES_REQUESTED") against.push_back(said->author);
    if (said->state == "APPROVED" && said->commit != facts.head_sha) earlier.push_back(said->author);
  }
  const auto approved = static_cast<std::int64_t>(approved_by(facts).size());
  if (!against.empty()) {
    why.push_back(cat(listed(against), " asked for changes"));
  } else if (facts.decision == "changes_requested") {
    why.emplace_back("changes were asked for");
  }
  if (approved < approvals) {
    why.push_back(cat(approved, " of ", approvals, approvals == 1 ? " approval" : " approvals",
                      earlier.empty() ? std::string() : cat(" (", listed(earlier), " approved an earlier commit)")));
  } else if (facts.decision == "review_required") {
    why.emplace_back("GitHub wants another review");
  }
  if (!facts.failed_checks.empty()) why.push_back(cat("failed: ", listed(facts.failed_checks)));
  if (!facts.waiting_checks.empty()) why.push_back(cat("not over: ", listed(facts.waiting_checks)));
  if (facts.open_threads > 0)
    why.push_back(cat(facts.open_threads, facts.open_threads == 1 ? " thread is" : " threads are", " not resolved"));
  if (facts.merge_state == "dirty") why.push_back(cat("it conflicts with ", printable(facts.base_ref)));
  if (facts.merge_state == "behind") why.push_back(cat("it is behind ", printable(facts.base_ref)));
  if (facts.merge_state == "unknown") why.emplace_back("GitHub does not say yet whether it can be merged");
  if (facts.merge_state == "blocked" && why.empty()) why.emplace_back("GitHub's rules for the branch block it");
  return why;
}

std::string merged_elsewhere(const PullFacts& facts, const std::string& base) {
  if (facts.state != "merged" || facts.base_ref == base) return {};
  return cat("pull request ", facts.number, " was merged into ", facts.base_ref, ", and stories go into ", base);
}

Json merge_ground(const PullFacts& facts) {
  return {
      {"head", facts.head_sha},
      {"base", facts.base_ref},
      {"approved_by", approved_by(facts)},
      {"review_decision", facts.decision},
      {"merge_state", facts.merge_state},
      {"checks", {{"passed", facts.passed_checks}, {"failed", facts.failed_checks}, {"waiting", facts.waiting_checks}}},
      {"open_threads", facts.open_threads}};
}

Turn turn_of(const PullFacts& facts, const std::vector<std::string>& answered, const std::string& pushed) {
  Turn turn;
  const bool own_push = !pushed.empty() && pushed == facts.head_sha;
  const std::int64_t since = own_push ? -1 : time_of(facts.pushed_at);
  for (const Said& said : facts.said) {
    if (said.ours || !asks(said)) continue;
    if (std::find(answered.begin(), answered.end(), said.id) != answered.end()) continue;
    if (time_of(said.at) <= since) {
      turn.settled.push_back(said.id);
      continue;
    }
    if (said.trusted) {
      turn.news.push_back(said);
    } else {
      ++turn.left_out;
    }
  }
  std::stable_sort(turn.news.begin(), turn.news.end(),
                   [](const Said& a, const Said& b) { return time_of(a.at) < time_of(b.at); });
  turn.reviewer_went_last = !turn.news.empty();
  return turn;
}

}  // namespace pawl::story
