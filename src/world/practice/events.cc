#include "world/practice/events.h"

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

void Events::after(const HttpRequest& request, const HttpAnswer& answer, const std::string& sender) {
  if (request.method == "GET" || answer.status < 200 || answer.status > 299 || answer.delivery != Delivery::whole)
    return;
  const auto body = parse_json(answer.body);
  if (!body || !body->is_object()) return;
  const auto parts = split(request.path, '/');  // "", "repos", owner, name, "issues" | "pulls", …
  if (parts.size() < 5 || parts[1] != "repos") return;
  Repository* const repository = world_.find(parts[2], parts[3]);
  if (repository == nullptr) return;
  const bool edited = request.method == "PATCH";
  const auto tell = [&](std::string_view name, std::string_view action, std::int64_t number, const Json& about) {
    const auto found = repository->items.find(number);
    if (found != repository->items.end()) happened(name, action, *repository, found->second, sender, about);
  };
  if (body->contains("issue_url") && body->contains("body"))
    tell("issue_comment", edited ? "edited" : "created", number_at_end(string_or(*body, "issue_url")), *body);
  else if (body->contains("pull_request_url") && body->contains("diff_hunk"))
    tell("pull_request_review_comment", edited ? "edited" : "created",
         number_at_end(string_or(*body, "pull_request_url")), *body);
  else if (parts.size() == 5 && parts[4] == "pulls")
    tell("pull_request", "opened", integer_or(*body, "number"), {});
}

}  // namespace pawl::practice
