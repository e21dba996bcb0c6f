#include "practice/world.h"

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "practice/refusal.h"

namespace pawl::practice {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

Item* Repository::pull(std::int64_t number) {
  const auto found = items.find(number);
  return found != items.end() && found->second.pull ? &found->second : nullptr;
}

std::int64_t World::now_ms() {
  last_ms_ = std::max(last_ms_ + 1, SystemClock().now().wall_ms);
  return last_ms_;
}

User& World::user(std::string_view who) {
  const auto [at, is_new] = users.try_emplace(lower(who));
  if (is_new) {
    at->second.id = next_id();
    at->second.login = who;
    if (who.ends_with("[bot]")) at->second.type = "Bot";
  }
  return at->second;
}

const User* World::find_user(std::string_view who) const {
  const auto found = users.find(lower(who));
  return found == users.end() ? nullptr : &found->second;
}

Repository* World::find(std::string_view owner, std::string_view name) {
  const auto same = [&](const Repository& one) {
    return lower(one.owner) == lower(owner) && lower(one.name) == lower(name);
  };
  const auto found = std::find_if(repositories.begin(), repositories.end(), same);
  return found == repositories.end() ? nullptr : &*found;
}

Result<Repository*> World::repository(std::string_view owner, std::string_view name) {
  Repository* const found = find(owner, name);
  if (found == nullptr) return not_found();
  return found;
}

Result<Repository*> World::add_repository(const std::string& owner, const std::string& name,
                                          const std::string& branch) {
  // Both become folders.
  for (const std::string& part : {owner, name}) {
    const bool plain = part.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
                       std::string::npos;
    if (part.empty() || part.starts_with('.') || part.starts_with('-') || !plain) {
      return fail(ErrorCode::invalid_argument, cat("“", part, "” is no name of an owner or a repository"),
                  "letters, digits, -, _ and . are allowed");
    }
  }
  Repository made;
  made.id = next_id();
  made.owner = owner;
  made.name = name;
  made.default_branch = branch;
  made.created_ms = now_ms();
  user(owner);
  PAWL_ASSIGN(made.git, Git::create(cat(folder, "/", owner, "/", name, ".git"), branch));
  repositories.push_back(std::move(made));
  return &repositories.back();
}

bool World::is_member(std::string_view organisation, std::string_view who) const {
  const auto found = members.find(lower(organisation));
  if (found == members.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(),
                     [&](const std::string& member) { return lower(member) == lower(who); });
}

std::string World::permission(const Repository& repository, std::string_view who) const {
  if (lower(repository.owner) == lower(who)) return "admin";
  for (const auto& [name, permission] : repository.collaborators) {
    if (lower(name) == lower(who)) return permission;
  }
  if (is_member(repository.owner, who)) return "write";
  return repository.is_private ? "none" : "read";
}

std::string World::association(const Repository& repository, const Written& written) const {
  if (!written.association.empty()) return written.association;
  if (lower(repository.owner) == lower(written.author)) return "OWNER";
  if (is_member(repository.owner, written.author)) return "MEMBER";
  for (const auto& [name, permission] : repository.collaborators) {
    if (lower(name) == lower(written.author) && permission != "read") return "COLLABORATOR";
  }
  for (const auto& [number, item] : repository.items) {
    if (item.pull && item.pull->merged_ms != 0 && lower(item.author) == lower(written.author)) return "CONTRIBUTOR";
  }
  return "NONE";
}

}  // namespace pawl::practice
