#include "runners/story_bot/look.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/text.h"

namespace pawl {
namespace {

std::string_view word_for(PullState state) {
  return state == PullState::open ? "open" : state == PullState::merged ? "merged" : "closed";
}

void take_pull(const PullRequest& pull, story::PullFacts& facts) {
  facts.number = pull.ref.number;
  facts.repo = pull.ref.repo.text();
  facts.url = pull.url;
  facts.title = pull.title;
  facts.body = pull.body;
  facts.author = pull.author;
  facts.state = word_for(pull.state);
  facts.draft = pull.draft;
  facts.head_ref = pull.head_ref;
  facts.head_sha = pull.head_sha;
  facts.from_fork = pull.from_fork;
  facts.base_ref = pull.base_ref;
  facts.merge_state = word_of(pull.merge_state);
  facts.decision = word_of(pull.decision);
}

void take_checks(const std::vector<Check>& checks, story::PullFacts& facts) {
  for (const Check& check : checks) {
    if (check.state == CheckState::failed) facts.failed_checks.push_back(check.name);
    if (check.state == CheckState::waiting) facts.waiting_checks.push_back(check.name);
    if (check.state == CheckState::passed) ++facts.passed_checks;
  }
}

story::Said said_in(const Comment& comment, std::string_view kind) {
  story::Said said;
  said.id = cat(kind, " ", comment.id);
  said.author = comment.author;
  said.association = comment.association;
  said.at = comment.created_at;
  said.body = comment.body;
  said.url = comment.url;
  return said;
}

}  // namespace

Believed::Believed(Forge& forge, const Settings& settings) : forge_(forge) {
  if (settings.trusted("story.trusted")) {
    for (const std::string_view name : split(settings.text("story.trusted"), '\n')) {
      if (!name.empty()) names_.emplace_back(name);
    }
  }
  if (settings.trusted("story.trusted_org")) organisation_ = settings.text("story.trusted_org");
}

Result<bool> Believed::believes(const std::string& login, const std::string& association) {
  if (login.empty()) return false;
  if (story::is_trusted_association(association)) return true;
  if (std::any_of(names_.begin(), names_.end(), [&](const std::string& name) { return same_account(name, login); }))
    return true;
  if (organisation_.empty()) return false;
  if (const auto known = members_.find(login); known != members_.end()) return known->second;
  PAWL_ASSIGN(const bool member, forge_.is_member(organisation_, login));
  members_[login] = member;
  return member;
}

Result<story::PullFacts> glance_at_pull(Forge& forge, const PullRef& ref) {
  PAWL_ASSIGN(const PullRequest pull, forge.pull(ref));
  story::PullFacts facts;
  take_pull(pull, facts);
  return facts;
}

Result<story::PullFacts> look_at_pull(Forge& forge, const PullRef& ref, Believed& believed, const std::string& me) {
  PAWL_ASSIGN(story::PullFacts facts, glance_at_pull(forge, ref));
  std::set<std::uint64_t> settled;  // remarks in threads that somebody has resolved ask for nothing any more
  if (facts.state == "open") {
    PAWL_ASSIGN(const auto checks, forge.checks(ref.repo, facts.head_sha));
    take_checks(checks, facts);
    PAWL_ASSIGN(const auto threads, forge.threads(ref));
    for (const ReviewThread& thread : threads) {
      if (!thread.resolved) ++facts.open_threads;
      for (const Comment& comment : thread.comments) {
        if (thread.resolved) settled.insert(comment.id);
      }
    }
    // Of a branch elsewhere (a fork's) GitHub does not tell.
    if (const auto push = forge.push_of(ref.repo, facts.head_ref, facts.head_sha)) {
      facts.pushed_at = push->at;
    } else if (push.error().code != ErrorCode::not_found && push.error().code != ErrorCode::unauthorized) {
      return tl::unexpected(push.error());
    }
  }
  PAWL_ASSIGN(const auto reviews, forge.reviews(ref));
  for (const Review& review : reviews) {
    story::Said said;
    said.id = cat("review ", review.id);
    said.author = review.author;
    said.association = review.association;
    said.at = review.submitted_at;
    said.state = review.state;
    said.commit = review.commit;
    said.body = review.body;
    facts.said.push_back(std::move(said));
  }
  PAWL_ASSIGN(const auto lines, forge.review_comments(ref));
  for (const ReviewComment& comment : lines) {
    if (settled.contains(comment.id)) continue;
    story::Said said = said_in(comment, "line");
    said.path = comment.path;
    said.line = comment.line;
    facts.said.push_back(std::move(said));
  }
  PAWL_ASSIGN(const auto comments, forge.comments(ref));
  for (const Comment& comment : comments) facts.said.push_back(said_in(comment, "comment"));
  for (story::Said& said : facts.said) {
    said.ours = same_account(said.author, me);
    if (said.ours) continue;
    PAWL_ASSIGN(said.trusted, believed.believes(said.author, said.association));
  }
  // What a slip of the pen names ends no story.
  for (auto elsewhere = story::done_elsewhere(facts); elsewhere && elsewhere->number > 0;
       elsewhere = story::done_elsewhere(facts)) {
    const auto other = forge.pull({ref.repo, elsewhere->number});
    if (!other && other.error().code != ErrorCode::not_found) return tl::unexpected(other.error());
    if (other) break;
    facts.not_there.push_back(elsewhere->number);
  }
  return facts;
}

}  // namespace pawl
