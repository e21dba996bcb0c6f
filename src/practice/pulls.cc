// The part of Actions that asks git: heads, diffs, merges.
#include <algorithm>

#include "base/text.h"
#include "practice/actions.h"
#include "practice/refusal.h"

namespace pawl::practice {
namespace {

Repository* head_repository(World& world, Repository& repository, const Pull& pull) {
  return lower(pull.head_owner) == lower(repository.owner) ? &repository : world.find(pull.head_owner, repository.name);
}

// A comment on a line that the new diff does not have any more is outdated, as GitHub shows it.
void mark_outdated(Pull& pull, const std::vector<ChangedFile>& files) {
  for (Thread& thread : pull.threads) {
    const auto file =
        std::find_if(files.begin(), files.end(), [&](const ChangedFile& one) { return one.name == thread.place.path; });
    thread.outdated = file == files.end() ||
                      (thread.place.line != 0 && hunk_at(file->patch, thread.place.line, thread.place.side).empty());
  }
}

}  // namespace

void Actions::refresh(Repository& repository) {
  const auto branches = repository.git.branches();
  std::map<std::string, std::map<std::string, std::string>> forks;
  for (auto& [number, item] : repository.items) {
    if (!item.pull || !item.open) continue;
    Pull& pull = *item.pull;
    Repository* const from = head_repository(world_, repository, pull);
    if (from == nullptr) continue;
    if (from != &repository && !forks.contains(from->owner)) forks[from->owner] = from->git.branches();
    const auto& heads = from == &repository ? branches : forks[from->owner];
    if (const auto base = branches.find(pull.base_ref); base != branches.end()) pull.base_sha = base->second;
    const auto head = heads.find(pull.head_ref);
    if (head == heads.end() || head->second == pull.head_sha) continue;
    const bool moved = !pull.head_sha.empty();
    const std::string shown = cat("refs/pull/", number, "/head");
    if (from == &repository) {
      (void)repository.git.move_branch(shown, head->second, {world_.login, world_.now_ms()}, "push");
    } else {
      (void)repository.git.fetch(from->git, "refs/heads/" + pull.head_ref, shown);
    }
    pull.head_sha = head->second;
    if (!moved) continue;
    touch(item);
    if (const auto seen = view(repository, item)) mark_outdated(pull, (*seen)->files);
  }
}

Result<const PullView*> Actions::view(Repository& repository, Item& item) {
  const Pull& pull = *item.pull;
  auto& slot = views_[cat(repository.id, " ", pull.base_sha, " ", pull.head_sha)];
  if (slot == nullptr) {
    auto made = std::make_unique<PullView>();
    const std::string from = repository.git.merge_base(pull.base_sha, pull.head_sha);
    made->base_sha = from.empty() ? pull.base_sha : from;
    PAWL_ASSIGN(made->diff, repository.git.diff(pull.base_sha, pull.head_sha));
    made->files = parse_diff(made->diff);
    PAWL_ASSIGN(made->commits, repository.git.commits(pull.base_sha, pull.head_sha));
    made->mergeable = repository.git.merged_tree(pull.base_sha, pull.head_sha).has_value();
    for (const ChangedFile& file : made->files) {
      made->additions += file.additions;
      made->deletions += file.deletions;
    }
    slot = std::move(made);
  }
  return slot.get();
}

std::string Actions::decision(const Item& item) {
  std::map<std::string, std::string> latest;
  for (const Review& review : item.pull->reviews) {
    if (review.state == "APPROVED" || review.state == "CHANGES_REQUESTED" || review.state == "DISMISSED") {
      latest[review.author] = review.state;
    }
  }
  std::string found;
  for (const auto& [who, state] : latest) {
    if (state == "CHANGES_REQUESTED") return state;
    if (state == "APPROVED") found = state;
  }
  return found.empty() && !item.pull->review_requests.empty() ? "REVIEW_REQUIRED" : found;
}

std::string Actions::rollup(const Repository& repository, std::string_view sha) {
  bool any = false, pending = false, failed = false;
  for (const Check& check : repository.checks) {
    if (check.sha != sha) continue;
    any = true;
    const bool good = check.conclusion == "success" || check.conclusion == "neutral" || check.conclusion == "skipped";
    if (check.status != "completed") {
      pending = true;
    } else if (!good) {
      failed = true;
    }
  }
  std::map<std::string, std::string> latest;
  for (const CommitStatus& status : repository.statuses) {
    if (status.sha == sha) latest[status.context] = status.state;
  }
  for (const auto& [context, state] : latest) {
    any = true;
    pending = pending || state == "pending";
    failed = failed || state == "failure" || state == "error";
  }
  return !any ? "" : failed ? "FAILURE" : pending ? "PENDING" : "SUCCESS";
}

std::string Actions::merge_state(Repository& repository, Item& item) {
  if (!item.pull->merge_state.empty()) return item.pull->merge_state;
  if (!item.open) return "UNKNOWN";
  const auto seen = view(repository, item);
  if (!seen) return "UNKNOWN";
  if (!(*seen)->mergeable) return "DIRTY";
  if (item.pull->draft) return "DRAFT";
  const std::string checks = rollup(repository, item.pull->head_sha);
  return checks == "FAILURE" || checks == "PENDING" ? "UNSTABLE" : "CLEAN";
}

Result<Item*> Actions::create_pull(Repository& repository, const std::string& author, const NewPull& wanted) {
  constexpr std::string_view kPull = "PullRequest";
  if (wanted.title.empty()) return invalid(kPull, "title", "missing_field", "title can't be blank");
  PAWL_TRY(check_length(kPull, wanted.body));
  Pull pull;
  const std::size_t colon = wanted.head.find(':');
  pull.head_owner = colon == std::string::npos ? repository.owner : wanted.head.substr(0, colon);
  pull.head_ref = colon == std::string::npos ? wanted.head : wanted.head.substr(colon + 1);
  pull.base_ref = wanted.base;
  pull.draft = wanted.draft;
  Repository* const from = head_repository(world_, repository, pull);
  const auto heads = from == nullptr ? std::map<std::string, std::string>() : from->git.branches();
  const auto head = heads.find(pull.head_ref);
  if (head == heads.end()) return invalid(kPull, "head", "invalid");
  const auto branches = repository.git.branches();
  const auto base = branches.find(pull.base_ref);
  if (base == branches.end()) return invalid(kPull, "base", "invalid");
  pull.maintainer_can_modify = from != &repository && wanted.maintainer_can_modify;
  for (const auto& [number, other] : repository.items) {
    if (other.pull && other.open && other.pull->head_ref == pull.head_ref && other.pull->base_ref == pull.base_ref &&
        lower(other.pull->head_owner) == lower(pull.head_owner)) {
      return invalid(kPull, "head", "custom",
                     cat("A pull request already exists for ", pull.head_owner, ":", pull.head_ref, "."));
    }
  }
  if (head->second == base->second) {
    return invalid(kPull, "base", "custom", cat("No commits between ", pull.base_ref, " and ", pull.head_ref));
  }
  pull.id = world_.next_id();
  pull.base_sha = base->second;
  Item item;
  item.id = world_.next_id();
  item.number = repository.items.empty() ? 1 : repository.items.rbegin()->first + 1;
  item.title = wanted.title;
  item.body = wanted.body;
  item.author = world_.user(author).login;
  item.created_ms = item.updated_ms = world_.now_ms();
  item.pull = std::move(pull);
  Item& made = repository.items[item.number] = std::move(item);
  refresh(repository);
  return &made;
}

void Actions::set_open(Item& item, bool open, const std::string& who) {
  if (item.open == open) return;
  item.open = open;
  touch(item);
  item.closed_ms = open ? 0 : item.updated_ms;
  item.closed_by = open ? std::string() : who;
}

Result<std::string> Actions::merge(Repository& repository, Item& item, const std::string& who,
                                   const std::string& expected, const std::string& method, const std::string& title,
                                   const std::string& message) {
  Pull& pull = *item.pull;
  if (pull.merged_ms != 0 || !item.open) return not_allowed("Pull Request is not mergeable");
  if (!expected.empty() && expected != pull.head_sha) {
    return head_moved("Head branch was modified. Review and try the merge again.");
  }
  if (pull.draft) return not_allowed("Pull Request is still a draft");
  const std::string state = merge_state(repository, item);
  const auto tree = repository.git.merged_tree(pull.base_sha, pull.head_sha);
  if (!tree || state == "DIRTY" || state == "BLOCKED" || state == "BEHIND") {
    return not_allowed("Pull Request is not mergeable");
  }
  const Hand hand{world_.user(who).login, world_.now_ms()};
  std::string text = title.empty() ? cat("Merge pull request #", item.number, " from ", pull.head_owner, "/",
                                         pull.head_ref, "\n\n", item.title)
                                   : cat(title, "\n\n", message);
  std::vector<std::string> parents = {pull.base_sha};
  if (method == "squash" || method == "rebase") {
    if (title.empty()) text = cat(item.title, " (#", item.number, ")");
  } else {
    parents.push_back(pull.head_sha);
  }
  PAWL_ASSIGN(const std::string sha, repository.git.commit_tree(*tree, parents, text, hand));
  PAWL_TRY(repository.git.move_branch("refs/heads/" + pull.base_ref, sha, hand, "pr_merge"));
  set_open(item, false, hand.login);
  pull.merged_ms = item.closed_ms;
  pull.merged_by = hand.login;
  pull.merge_commit = sha;
  return sha;
}

}  // namespace pawl::practice
