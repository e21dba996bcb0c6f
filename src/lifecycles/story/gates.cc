#include "lifecycles/story/gates.h"

#include "base/text.h"
#include "lifecycles/story/checks.h"
#include "lifecycles/story/story.h"

namespace pawl::story {
namespace {

constexpr std::size_t kMostNamed = 3;

// "“Tests pass”, “Lint is clean” and 2 more"
std::string named(const std::vector<std::string>& texts) {
  return first_few(texts, kMostNamed,
                   [](const std::string& text) { return cat("“", printable(text.substr(0, 80)), "”"); });
}

std::string word_in(const Json& facts, std::string_view name) { return string_or(facts, name); }

bool has_pull(const Json& facts) { return integer_or(facts, "pr") > 0; }

std::string short_sha(const std::string& sha) { return printable(sha.substr(0, 12)); }

// What the next command has to be told, where the story does not name the branch that was looked at.
std::string on_branch(const Record& story, const std::string& branch) {
  const std::string typed = as_typed(branch);
  const bool known = branch.empty() || typed == "ID" || string_or(story.doc, "branchName") == branch;
  return known ? std::string() : cat(" --branch ", typed);
}

Verdict of_criteria(const Record& story, const Json& facts) {
  Verdict verdict;
  const std::vector<std::string> criteria = criteria_of(story.doc);
  const std::string commit = word_in(facts, "commit");
  const std::string id = as_typed(story.id.key);
  if (criteria.empty()) {
    verdict.lacks = "it has no acceptance criteria, so nothing can show that it is done";
    verdict.hint = "write them into its acceptanceCriteria";
    return verdict;
  }
  if (commit.empty()) {
    const std::string known = word_in(facts, "lacks");
    verdict.lacks = known.empty() ? "there is no commit that its criteria could have passed at" : printable(known);
    verdict.hint = facts.contains("repository") ? std::string(kRepositoryToSet)
                                                : cat("pawl story move ", id, " STATUS --branch B  # names its branch");
    return verdict;
  }
  // What is there is everybody's: it shows nothing of this one, and could not be pushed as its work.
  if (facts.contains("shared") && story.id.kind == kKind) {
    verdict.lacks =
        cat("“", printable(word_in(facts, "branch")), "” is the branch that stories go into, and none's own");
    verdict.hint = cat("pawl story move ", id, " ", story.status == kPending ? kCommitted : kPushed,
                       " --branch B  # names the one that has its work");
    return verdict;
  }
  if (const auto dirty = facts.find("dirty"); dirty != facts.end() && dirty->is_array() && !dirty->empty()) {
    std::vector<std::string> paths;
    for (const Json& path : *dirty) paths.push_back(path.is_string() ? path.get<std::string>() : to_line(path));
    verdict.lacks = cat("there are changes that are not committed: ", named(paths));
    verdict.hint = "commit them, or take them away";
    return verdict;
  }
  Json passed = Json::array();
  std::vector<std::string> failed, not_run, without_command;
  for (CriterionState& state : criteria_at(story.doc, facts.value("exact", Json::object()), commit)) {
    if (state.kind == CriterionState::Kind::failed) {
      failed.push_back(state.criterion);
    } else if (!holds(state)) {
      not_run.push_back(state.criterion);
      if (state.kind == CriterionState::Kind::no_command) without_command.push_back(state.criterion);
    } else {
      Json one = Json::object();
      one["criterion"] = state.criterion;
      for (const auto& [name, value] : state.evidence.items()) {
        if (name != "exact") one[name] = value;
      }
      passed.push_back(std::move(one));
    }
  }
  if (failed.empty() && not_run.empty()) {
    verdict.met = true;
    verdict.evidence = facts;
    for (const char* const ours : {"exact", "shared"}) verdict.evidence.erase(ours);
    verdict.evidence["criteria"] = std::move(passed);
    return verdict;
  }
  verdict.lacks = cat("of ", criteria.size(), criteria.size() == 1 ? " criterion " : " criteria ", passed.size(),
                      passed.size() == 1 ? " passes" : " pass", " at commit ", short_sha(commit));
  if (!failed.empty()) verdict.lacks += cat("; failed: ", named(failed));
  if (!not_run.empty()) verdict.lacks += cat("; not shown yet: ", named(not_run));
  const std::string branch = on_branch(story, word_in(facts, "branch"));
  const bool can_be_run = !failed.empty() || not_run.size() > without_command.size();
  if (can_be_run) verdict.hint = cat("pawl story check ", id, branch, "  # runs what has a command");
  if (!without_command.empty())
    verdict.hint += cat(can_be_run ? "\n  " : "", how_to_attest(story.id.key, without_command.front()), branch,
                        can_be_run ? "  # for what has none" : "  # it has no command");
  return verdict;
}

Verdict of_published(const Json& facts) {
  const std::string state = word_in(facts, "state");
  if (facts.contains("branch") && word_in(facts, "branch").empty())
    return {false, {}, "it names no branch", "--branch B names the one that has its work"};
  if (word_in(facts, "on_remote").empty())
    return {false, {}, "its branch is not on the remote", facts.contains("lacks") ? "" : "git push"};
  if (!has_pull(facts)) return {false, {}, "its branch has no pull request", "--pr N names it"};
  if (state != "open" && state != "merged")
    return {false, {}, cat("pull request ", integer_or(facts, "pr"), " is ", state.empty() ? "unknown" : state), {}};
  return {true, facts, {}, {}};
}

Verdict of_merge(const Json& facts) {
  if (!has_pull(facts)) return {false, {}, "it has no pull request", "--pr N names it"};
  const std::string state = word_in(facts, "state");
  if (state == "merged") return {true, facts, {}, {}};
  return {false,
          {},
          cat("pull request ", integer_or(facts, "pr"), " is ", state.empty() ? "unknown" : state, " still"),
          {}};
}

Verdict of_closed(const Json& facts) {
  if (!has_pull(facts)) return {false, {}, "it has no pull request", "--pr N names it"};
  if (word_in(facts, "state") == "closed") return {true, facts, {}, {}};
  const auto elsewhere = facts.find("done_elsewhere");
  if (elsewhere != facts.end() && elsewhere->is_object() && !word_in(*elsewhere, "by").empty())
    return {true, facts, {}, {}};
  return {false,
          {},
          cat("pull request ", integer_or(facts, "pr"),
              " is not closed, and no trusted reviewer said that it is done "
              "elsewhere"),
          {}};
}

Verdict of_duplicate(const Json& facts) {
  if (!has_pull(facts)) return {false, {}, "the other pull request is not named", "--pr N names it"};
  if (word_in(facts, "state").empty())
    return {false, {}, cat("there is no pull request ", integer_or(facts, "pr")), {}};
  if (word_in(facts, "confirmed").empty())
    return {false, {}, cat("nothing shows that pull request ", integer_or(facts, "pr"), " addresses its issue"), {}};
  return {true, facts, {}, {}};
}

}  // namespace

bool needs_forge(std::string_view gate) {
  return gate == kPublished || gate == kMergedGate || gate == kClosed || gate == kDuplicate;
}

Verdict judge(std::string_view gate, const Record& story, const Json& given) {
  const Json facts = given.is_object() ? given : Json::object();
  Verdict verdict = gate == kCriteria     ? of_criteria(story, facts)
                    : gate == kPublished  ? of_published(facts)
                    : gate == kMergedGate ? of_merge(facts)
                    : gate == kClosed     ? of_closed(facts)
                    : gate == kDuplicate  ? of_duplicate(facts)
                                          : Verdict{false, {}, "nobody knows how to tell", {}};
  if (verdict.met) return verdict;
  if (const std::string better = word_in(facts, "lacks"); !better.empty() && gate != kCriteria)
    verdict.lacks = printable(better);
  if (!facts.empty()) verdict.evidence = facts;
  for (const char* const ours : {"exact", "shared"}) {
    if (verdict.evidence.is_object()) verdict.evidence.erase(ours);
  }
  return verdict;
}

std::vector<std::string> criteria_of(const Json& doc) {
  std::vector<std::string> criteria;
  const auto found = doc.is_object() ? doc.find("acceptanceCriteria") : doc.end();
  if (found == doc.end() || found->is_null()) return criteria;
  const auto add = [&](const Json& one) {
    std::string text = one.is_string() ? one.get<std::string>() : to_line(one);
    if (!trim(text).empty()) criteria.push_back(std::move(text));
  };
  if (!found->is_array()) {
    add(*found);
    return criteria;
  }
  for (const Json& one : *found) add(one);
  return criteria;
}

std::string lacks_in_file(std::string_view gate, const Record& story) {
  if (gate != kCriteria) {
    const std::string_view what = gate == kPublished    ? "that its branch is on the remote and has a pull request"
                                  : gate == kMergedGate ? "that its pull request is merged"
                                  : gate == kClosed     ? "that its pull request was closed unmerged"
                                  : gate == kDuplicate  ? "which other pull request addresses its issue"
                                                        : std::string_view();
    return what.empty() ? std::string() : cat("a file does not show ", what);
  }
  const std::vector<std::string> criteria = criteria_of(story.doc);
  if (criteria.empty()) return "it has no acceptance criteria";
  const Json checks = own_of(story.doc).checks;
  std::vector<std::string> not_shown;
  for (const std::string& criterion : criteria) {
    const auto kept = checks.is_object() ? checks.find(criterion) : checks.end();
    if (kept == checks.end() || !kept->is_object() || !kept->value("ok", false)) not_shown.push_back(criterion);
  }
  return not_shown.empty() ? "a file does not show which commit its branch is at"
                           : cat("not shown yet: ", named(not_shown));
}

}  // namespace pawl::story
