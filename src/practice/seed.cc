#include "practice/seed.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"

namespace pawl::practice {
namespace {

// The member, or an empty value of the same use; whatever `object` is.
const Json& member(const Json& object, const char* key) {
  static const Json kNone;
  if (!object.is_object()) return kNone;
  const auto found = object.find(key);
  return found == object.end() ? kNone : *found;
}

std::vector<Label> labels_in(World& world, const Json& wanted) {
  std::vector<Label> labels;
  for (const Json& one : wanted) {
    Label label;
    label.id = world.next_id();
    label.name = one.is_string() ? one.get<std::string>() : string_or(one, "name");
    label.color = string_or(one, "color", label.color);
    label.description = string_or(one, "description");
    labels.push_back(std::move(label));
  }
  return labels;
}

std::vector<std::string> logins_in(World& world, const Json& wanted) {
  std::vector<std::string> logins;
  for (const Json& one : wanted) {
    logins.push_back(world.user(one.is_string() ? one.get<std::string>() : string_or(one, "login")).login);
  }
  return logins;
}

std::int64_t time_in(const Json& object, const char* key, std::int64_t fallback) {
  return parse_iso_time(string_or(object, key)).value_or(fallback);
}

Item item_in(World& world, Repository& repository, const Json& wanted) {
  Item item;
  item.id = world.next_id();
  const Json& number = member(wanted, "number");
  item.number = number.is_number_integer() ? number.get<std::int64_t>()
                : repository.items.empty() ? 1
                                           : repository.items.rbegin()->first + 1;
  item.title = string_or(wanted, "title", "Something to do");
  item.body = string_or(wanted, "body");
  item.author = world.user(string_or(wanted, "author", world.login)).login;
  item.association = string_or(wanted, "association");
  item.created_ms = time_in(wanted, "created_at", world.now_ms());
  item.updated_ms = time_in(wanted, "updated_at", item.created_ms);
  item.open = string_or(wanted, "state", "open") == "open";
  if (!item.open) {
    item.closed_ms = time_in(wanted, "closed_at", item.updated_ms);
    item.closed_by = item.author;
  }
  item.locked = bool_or(wanted, "locked");
  item.labels = labels_in(world, member(wanted, "labels"));
  item.assignees = logins_in(world, member(wanted, "assignees"));
  plant_comments(world, item, member(wanted, "comments"));
  return item;
}

Done plant_pull(World& world, Actions& actions, Repository& repository, const Json& wanted) {
  Item item = item_in(world, repository, wanted);
  Pull pull;
  pull.id = world.next_id();
  pull.head_owner = string_or(wanted, "head_owner", repository.owner);
  pull.head_ref = string_or(wanted, "head", cat("topic-", item.number));
  pull.base_ref = string_or(wanted, "base", repository.default_branch);
  pull.draft = bool_or(wanted, "draft");
  pull.merge_state = string_or(wanted, "merge_state");
  pull.review_requests = logins_in(world, member(wanted, "review_requests"));

  const Hand hand{item.author, time_in(wanted, "pushed_at", world.now_ms())};
  const auto branches = repository.git.branches();
  auto head = branches.find(pull.head_ref);
  std::string tip = head == branches.end() ? std::string() : head->second;
  if (tip.empty()) {
    Changes before, after;
    const Json& files = member(wanted, "files");
    if (files.is_object()) {
      for (const auto& [name, sides] : files.items()) {
        const Json& old = member(sides, "before");
        const Json fresh = sides.is_string() ? sides : member(sides, "after");
        if (old.is_string()) before[name] = old.get<std::string>();
        after[name] = fresh.is_string() ? std::optional(fresh.get<std::string>()) : std::nullopt;
      }
    }
    if (after.empty()) after[cat("change-", item.number, ".txt")] = cat("the change of ", item.number, "\n");
    const auto base_tip = branches.find(pull.base_ref);
    std::vector<std::string> parents;
    if (base_tip != branches.end()) parents.push_back(base_tip->second);
    const std::string base_branch = "refs/heads/" + pull.base_ref;
    if (!before.empty() || parents.empty()) {
      PAWL_ASSIGN(const std::string made, repository.git.commit(parents, before, "Before it", hand));
      PAWL_TRY(repository.git.move_branch(base_branch, made, hand, "push"));
      parents = {made};
    }
    PAWL_ASSIGN(tip, repository.git.commit(parents, after, item.title, hand));
    for (const Json& one : member(wanted, "commits")) {
      const Hand other{world.user(string_or(one, "author", item.author)).login, hand.at_ms};
      PAWL_ASSIGN(tip, repository.git.commit({tip}, changes_in(member(one, "files")),
                                             string_or(one, "message", "One more"), other));
    }
  }
  const std::string branch = "refs/heads/" + pull.head_ref;
  if (lower(pull.head_owner) == lower(repository.owner)) {
    PAWL_TRY(repository.git.move_branch(branch, tip, hand, "push"));
  } else {
    Repository* fork = world.find(pull.head_owner, repository.name);
    if (fork == nullptr) {
      PAWL_ASSIGN(fork, world.add_repository(pull.head_owner, repository.name, repository.default_branch));
      fork->parent = repository.full_name();
    }
    const std::string kept = cat("refs/pull/", item.number, "/head");
    PAWL_TRY(repository.git.move_branch(kept, tip, hand, "push"));
    PAWL_TRY(fork->git.fetch(repository.git, kept, branch));
  }
  const bool was_open = std::exchange(item.open, true);
  item.pull = std::move(pull);
  const std::int64_t number = item.number, updated = item.updated_ms;
  Item& planted = repository.items[number] = std::move(item);
  actions.refresh(repository);
  PAWL_TRY(plant_checks(world, repository, planted.pull->head_sha, wanted));
  plant_reviews(world, planted, member(wanted, "reviews"));
  PAWL_TRY(plant_threads(world, actions, repository, planted, member(wanted, "threads")));
  planted.open = was_open;
  if (bool_or(wanted, "merged")) {
    planted.open = true;
    PAWL_TRY(actions.merge(repository, planted, world.login, "", "merge", "", ""));
  }
  planted.updated_ms = updated;
  return done();
}

Done plant_repository(World& world, Actions& actions, const Json& wanted) {
  const std::string owner = string_or(wanted, "owner", "practice"), name = string_or(wanted, "name", "demo");
  if (world.find(owner, name) != nullptr) {
    return fail(ErrorCode::invalid_argument, cat("the world has ", owner, "/", name, " twice"));
  }
  PAWL_ASSIGN(Repository* const made, world.add_repository(owner, name, string_or(wanted, "default_branch", "main")));
  made->description = string_or(wanted, "description");
  made->is_private = bool_or(wanted, "private");
  made->labels = labels_in(world, member(wanted, "labels"));
  if (const Json& people = member(wanted, "collaborators"); people.is_object()) {
    for (const auto& [login, permission] : people.items()) {
      made->collaborators[world.user(login).login] = permission.is_string() ? permission.get<std::string>() : "write";
    }
  }
  const Hand hand{world.login, world.now_ms()};
  if (made->git.branches().empty()) {
    Changes files = changes_in(member(wanted, "files"));
    if (files.empty()) files["README.md"] = cat("# ", name, "\n");
    PAWL_ASSIGN(const std::string first, made->git.commit({}, files, "Begin", hand));
    PAWL_TRY(made->git.move_branch("refs/heads/" + made->default_branch, first, hand, "push"));
    if (const Json& branches = member(wanted, "branches"); branches.is_object()) {
      for (const auto& [branch, changed] : branches.items()) {
        PAWL_ASSIGN(const std::string tip, made->git.commit({first}, changes_in(changed), "Work on " + branch, hand));
        PAWL_TRY(made->git.move_branch("refs/heads/" + branch, tip, hand, "push"));
      }
    }
  }
  for (const Json& issue : member(wanted, "issues")) {
    Item item = item_in(world, *made, issue);
    made->items[item.number] = std::move(item);
  }
  for (const Json& pull : member(wanted, "pulls")) PAWL_TRY(plant_pull(world, actions, *made, pull));
  return done();
}

}  // namespace

Changes changes_in(const Json& files) {
  Changes changes;
  if (!files.is_object()) return changes;
  for (const auto& [name, content] : files.items()) {
    changes[name] = content.is_string() ? std::optional(content.get<std::string>()) : std::nullopt;
  }
  return changes;
}

Done plant(World& world, Actions& actions, const Json& seed) {
  world.token = string_or(seed, "token", world.token);
  world.login = string_or(seed, "login", world.login);
  if (const Json& from = member(seed, "ids_from"); from.is_number_integer()) world.ids_from(from.get<std::int64_t>());
  world.tokens[world.token] = {world.login, true};
  for (const Json& one : member(seed, "users")) {
    User& user = world.user(one.is_string() ? one.get<std::string>() : string_or(one, "login", "ghost"));
    user.name = string_or(one, "name");
    user.type = string_or(one, "type", user.type);
    if (const Json& id = member(one, "id"); id.is_number_integer()) user.id = id.get<std::int64_t>();
  }
  for (const Json& one : member(seed, "organizations")) {
    User& user = world.user(one.is_string() ? one.get<std::string>() : string_or(one, "login", "ghost"));
    user.type = "Organization";
    world.members[lower(user.login)] = logins_in(world, member(one, "members"));
  }
  if (const Json& tokens = member(seed, "tokens"); tokens.is_object()) {
    for (const auto& [name, one] : tokens.items()) {
      bool can_write = !member(one, "can").is_array();
      for (const Json& can : member(one, "can")) can_write = can_write || can == "write";
      world.tokens[name] = {string_or(one, "login", world.login), can_write};
    }
  }
  for (const auto& [name, token] : world.tokens) world.user(token.login);
  for (const Json& one : member(seed, "repositories")) PAWL_TRY(plant_repository(world, actions, one));
  return done();
}

}  // namespace pawl::practice
