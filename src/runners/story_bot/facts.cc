#include "runners/story_bot/facts.h"

#include "base/text.h"
#include "integrations/git_branch.h"
#include "lifecycles/story/story.h"
#include "runners/story_place.h"

namespace pawl {
namespace {

constexpr std::size_t kMostCandidates = 20;

Json pull_json(const story::PullFacts& facts) {
  return {{"pr", facts.number}, {"url", facts.url}, {"state", facts.state}};
}

}  // namespace

Result<PullRef> pull_of_story(Forge& forge, const RepoRef& repo, const Record& story, std::optional<std::int64_t> named,
                              const std::string& branch) {
  if (const std::int64_t number = named.value_or(integer_or(story.doc, "prNumber")); number > 0)
    return PullRef{repo, number};
  if (!branch.empty()) {
    PAWL_ASSIGN(const auto found, forge.pull_of_branch(repo, branch));
    if (found) return *found;
  }
  return fail(ErrorCode::not_found, cat("story ", printable(story.id.key), " has no pull request"),
              cat("pawl story move ", story::as_typed(story.id.key), " pushed --pr N  # names it"));
}

Result<Json> published_facts(Forge& forge, const std::string& repository, const std::string& remote,
                             const PullRef& pull, const std::string& branch) {
  std::optional<std::string> there;
  if (!branch.empty()) {
    PAWL_ASSIGN(there, git_remote_commit(repository, remote, branch));
  }
  PAWL_ASSIGN(const story::PullFacts facts, glance_at_pull(forge, pull));
  Json out = pull_json(facts);
  out["branch"] = branch;
  if (there) out["on_remote"] = *there;
  out["draft"] = facts.draft;
  if (branch.empty()) return out;  // the gate says what is missing
  if (facts.from_fork) out["lacks"] = cat("pull request ", facts.number, " is of a branch of another repository");
  if (!facts.from_fork && facts.head_ref != branch)
    out["lacks"] = cat("pull request ", facts.number, " is of the branch ", facts.head_ref, ", not of ", branch);
  if (there && facts.state == "open" && facts.head_ref == branch && facts.head_sha != *there)
    out["lacks"] = cat("pull request ", facts.number, " does not have the branch's newest commit yet");
  if (out.contains("lacks")) out.erase("on_remote");
  return out;
}

Result<MergeRules> merge_rules(const Engine& engine, const std::string& repository) {
  const Settings& settings = engine.settings();
  MergeRules rules{parse_positive(settings.text("story.approvals")).value_or(1), settings.text("story.base")};
  if (rules.base.empty()) {
    PAWL_ASSIGN(const std::string remote, story_remote(engine, repository));
    PAWL_ASSIGN(rules.base, git_main_branch(repository, remote));
  }
  return rules;
}

Json merge_facts(const story::PullFacts& facts, const Record& story, const std::string& me, const MergeRules& rules) {
  Json out = pull_json(facts);
  if (const std::string wrong = story::not_of_story(facts, story.doc); !wrong.empty())
    return Json{{"pr", facts.number}, {"lacks", wrong}};
  out["sha"] = facts.head_sha;
  out["ground"] = story::merge_ground(facts);
  if (!me.empty()) out["looked_as"] = me;
  if (const std::string wrong = story::merged_elsewhere(facts, rules.base); !wrong.empty()) {
    out["state"] = "merged elsewhere";
    out["lacks"] = wrong;
  }
  if (facts.state == "open") {
    std::string why;
    for (const std::string& one : story::merge_blockers(facts, rules.approvals, rules.base))
      why += cat(why.empty() ? "" : "; ", one);
    out["lacks"] = why.empty() ? cat("pull request ", facts.number, " can be merged, and is not yet")
                               : cat("pull request ", facts.number, " is not merged: ", why);
  }
  return out;
}

Json closed_facts(const story::PullFacts& facts, const Record& story) {
  Json out = pull_json(facts);
  if (const std::string wrong = story::not_of_story(facts, story.doc); !wrong.empty())
    return Json{{"pr", facts.number}, {"lacks", wrong}};
  if (const auto elsewhere = story::done_elsewhere(facts)) {
    out["done_elsewhere"] = {{"by", elsewhere->by},
                             {"association", elsewhere->association},
                             {"url", elsewhere->url},
                             {"where", elsewhere->where}};
  }
  return out;
}

Result<Json> duplicate_facts(const DuplicateSearch& search, const story::PullFacts& facts, const Record& story) {
  Json out = pull_json(facts);
  const bool own_branch = !facts.from_fork && facts.head_ref == search.branch;
  if (own_branch || facts.number == integer_or(story.doc, "prNumber")) {
    out["lacks"] = cat("pull request ", facts.number, " is the story's own");
    return out;
  }
  if (facts.state == "closed") {
    out["lacks"] = cat("pull request ", facts.number, " was closed without being merged");
    return out;
  }
  // Anybody may open one that says so. One that was merged was somebody's decision; of an open one the author's word
  // must count.
  if (facts.state != "merged") {
    PAWL_ASSIGN(const std::string may, search.forge.permission(search.repo, facts.author));
    const bool writes = may == "admin" || may == "maintain" || may == "write";
    PAWL_ASSIGN(const bool believes, writes ? Result<bool>(true) : search.believed.believes(facts.author, ""));
    if (!believes) {
      out["lacks"] = cat("pull request ", facts.number, " is open, and ",
                         facts.author.empty() ? "its author" : facts.author, " is nobody whose word counts here");
      return out;
    }
  }
  if (const std::string how = story::addresses_story(facts, story.id.key, story.doc); !how.empty())
    out["confirmed"] = how;
  return out;
}

Result<std::optional<Json>> find_duplicate(const DuplicateSearch& search, const Record& story) {
  const std::int64_t issue = integer_or(story.doc, "issueNumber");
  if (issue <= 0) return std::optional<Json>();
  PAWL_ASSIGN(const auto candidates, search.forge.pulls_naming(search.repo, issue));
  for (std::size_t i = 0; i < candidates.size() && i < kMostCandidates; ++i) {
    PAWL_ASSIGN(const story::PullFacts facts, glance_at_pull(search.forge, candidates[i]));
    if (!story::closes_issue(facts.body, facts.repo, issue) && !story::closes_issue(facts.title, facts.repo, issue))
      continue;
    PAWL_ASSIGN(Json found, duplicate_facts(search, facts, story));
    if (!found.contains("lacks")) return std::optional(std::move(found));
  }
  return std::optional<Json>();
}

}  // namespace pawl
