#include "practice/events.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace pawl::practice {
namespace {

constexpr std::size_t kMostRemembered = 2000;

// The number at the end of ".../issues/7" or ".../pulls/7".
std::int64_t number_at_end(const std::string& url) {
  return parse_positive(std::string_view(url).substr(url.rfind('/') + 1)).value_or(0);
}

}  // namespace

void Events::happened(std::string_view name, std::string_view action, Repository& repository, Item& item,
                      const std::string& sender, const Json& about) {
  RestObjects show(world_, actions_, "https://api.github.com");
  Json payload = {{"action", action}};
  if (name == "issue_comment") {
    payload["issue"] = show.issue(repository, item);
  } else if (item.pull) {
    payload["number"] = item.number;
    auto pull = show.pull(repository, item, name == "pull_request");
    if (pull) payload["pull_request"] = std::move(*pull);
  }
  if (!about.is_null()) payload[name == "pull_request_review" ? "review" : "comment"] = about;
  const User& who = world_.user(sender);
  payload["repository"] = {
      {"full_name", repository.full_name()}, {"name", repository.name}, {"owner", {{"login", repository.owner}}}};
  payload["sender"] = {{"login", who.login}, {"id", who.id}, {"type", who.type}};
  if (all_.size() >= kMostRemembered) all_.erase(all_.begin(), all_.begin() + kMostRemembered / 2);
  all_.push_back({{"name", name}, {"payload", std::move(payload)}});
}

Events::Told Events::size_of(const Item& item) {
  return {item.comments.size(), item.pull ? item.pull->reviews.size() : 0, item.pull ? item.pull->comments.size() : 0};
}

void Events::begin() {
  if (std::exchange(begun_, true)) return;
  for (const Repository& repository : world_.repositories) {
    for (const auto& [number, item] : repository.items) told_[{repository.full_name(), number}] = size_of(item);
  }
}

void Events::tell_new(Repository& repository, Item& item, const Told& before) {
  const RestObjects show(world_, actions_, "https://api.github.com");
  // Of many at once the newest are remembered.
  const auto from = [](std::size_t known, std::size_t now) {
    return std::max(known, now > kMostRemembered ? now - kMostRemembered : 0);
  };
  for (std::size_t i = from(before.comments, item.comments.size()); i < item.comments.size(); ++i) {
    const Comment& one = item.comments[i];
    happened("issue_comment", "created", repository, item, one.author, show.comment(repository, item, one));
  }
  if (!item.pull) return;
  for (std::size_t i = before.reviews; i < item.pull->reviews.size(); ++i) {
    const Review& one = item.pull->reviews[i];
    // One that only carries a comment says nothing of its own.
    if (one.state == "PENDING" || (one.state == "COMMENTED" && one.body.empty())) continue;
    happened("pull_request_review", "submitted", repository, item, one.author, show.review(repository, item, one));
  }
  for (std::size_t i = from(before.review_comments, item.pull->comments.size()); i < item.pull->comments.size(); ++i) {
    const ReviewComment& one = item.pull->comments[i];
    happened("pull_request_review_comment", "created", repository, item, one.author,
             show.review_comment(repository, item, one));
  }
}

void Events::look() {
  for (Repository& repository : world_.repositories) {
    for (auto& [number, item] : repository.items) {
      const auto [entry, fresh] = told_.try_emplace({repository.full_name(), number});
      if (fresh && item.pull) happened("pull_request", "opened", repository, item, item.author);
      tell_new(repository, item, std::exchange(entry->second, size_of(item)));
    }
  }
}

void Events::after(const HttpRequest& request, const HttpAnswer& answer, const std::string& sender) {
  if (request.method != "PATCH" || answer.status < 200 || answer.status > 299 || answer.delivery != Delivery::whole)
    return;
  const auto body = parse_json(answer.body);
  if (!body || !body->is_object()) return;
  const auto parts = split(request.path, '/');  // "", "repos", owner, name, "issues" | "pulls", …
  if (parts.size() < 5 || parts[1] != "repos") return;
  Repository* const repository = world_.find(parts[2], parts[3]);
  if (repository == nullptr) return;
  const auto tell = [&](std::string_view name, std::string_view action, std::int64_t number, const Json& about) {
    const auto found = repository->items.find(number);
    if (found != repository->items.end()) happened(name, action, *repository, found->second, sender, about);
  };
  if (body->contains("issue_url") && body->contains("body"))
    tell("issue_comment", "edited", number_at_end(string_or(*body, "issue_url")), *body);
  else if (body->contains("pull_request_url") && body->contains("diff_hunk"))
    tell("pull_request_review_comment", "edited", number_at_end(string_or(*body, "pull_request_url")), *body);
}

}  // namespace pawl::practice
