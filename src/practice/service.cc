#include "practice/service.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "base/text.h"
#include "practice/graphql.h"
#include "practice/refusal.h"
#include "practice/rest.h"

namespace pawl::practice {
namespace {

constexpr std::string_view kControl = "/_practice/";
constexpr std::string_view kEnterprise = "/api/v3";
constexpr std::int64_t kLimit = 5000;

// "Bearer x" and "token x" are the same.
const Token* token_of(const World& world, const HttpRequest& request) {
  const std::size_t blank = request.authorization.find(' ');
  if (blank == std::string::npos) return nullptr;
  const std::string scheme = lower(request.authorization.substr(0, blank));
  if (scheme != "bearer" && scheme != "token") return nullptr;
  const auto found = world.tokens.find(request.authorization.substr(blank + 1));
  return found == world.tokens.end() ? nullptr : &found->second;
}

bool on_this_machine(std::string_view host) {
  return host.empty() || host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]");
}

bool has_header(const HttpAnswer& answer, std::string_view name) {
  return std::any_of(answer.headers.begin(), answer.headers.end(),
                     [&](const auto& header) { return lower(header.first) == name; });
}

std::string http_date(std::int64_t seconds) {
  const std::time_t at = seconds;
  std::tm parts{};
  char text[40];
  gmtime_r(&at, &parts);
  return {text, std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

bool is_graphql(std::string_view path) { return path == "/graphql" || path == "/api/graphql"; }

}  // namespace

Done Service::record_to(const std::string& path) {
  record_ = Fd(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!record_.valid()) return tl::unexpected(io_error("write", path, errno));
  return done();
}

HttpAnswer Service::handle(const HttpRequest& request) {
  if (request.path.starts_with(kControl)) {
    events_.begin();
    const auto told = control(request);
    events_.look();
    return told ? json_answer(200, *told) : json_answer(status_of(told.error()), body_of(told.error()));
  }
  events_.begin();
  const auto fault = faults_.next(request);
  const auto other = fault ? instead(*fault, world_.now_ms()) : std::nullopt;
  HttpAnswer told = other ? *other : answer(request);
  ++used_;
  const std::int64_t now = world_.now_ms() / 1000;
  const auto header = [&](const std::string& name, std::string value) {
    if (!has_header(told, name)) told.headers.emplace_back(name, std::move(value));
  };
  header("x-ratelimit-limit", std::to_string(kLimit));
  header("x-ratelimit-remaining", std::to_string(std::max<std::int64_t>(kLimit - used_, 1)));
  header("x-ratelimit-used", std::to_string(used_));
  header("x-ratelimit-reset", std::to_string(now - now % 3600 + 3600));
  header("x-ratelimit-resource", is_graphql(request.path) ? "graphql" : "core");
  header("x-github-request-id", cat("PRACTICE:", used_));
  header("x-github-media-type", "github.v3; format=json");
  header("x-oauth-scopes", "read:org, repo");
  header("date", http_date(now));
  header("server", "pawl-practice");
  if (!fault) record(request, told);
  if (const Token* const who = other ? nullptr : token_of(world_, request); who != nullptr)
    events_.after(request, told, who->login);
  if (request.method != "GET") events_.look();
  if (fault && !other) spoil(told, *fault);
  note(request, told);
  return told;
}

HttpAnswer Service::answer(const HttpRequest& request) {
  const Token* const who = token_of(world_, request);
  if (who == nullptr) {
    return json_answer(401, {{"message", request.authorization.empty() ? "Requires authentication" : "Bad credentials"},
                             {"documentation_url", "https://docs.github.com/rest"},
                             {"status", "401"}});
  }
  std::string api = cat(on_this_machine(request.host) ? "http://" : "https://",
                        request.host.empty() ? std::string("api.github.com") : request.host);
  if (is_graphql(request.path)) return answer_graphql(world_, actions_, request, *who, api);
  std::string_view path = request.path;
  if (path.starts_with(kEnterprise)) {
    path.remove_prefix(kEnterprise.size());
    api += kEnterprise;
  }
  return answer_rest(world_, actions_, request, *who, path, api);
}

void Service::note(const HttpRequest& request, const HttpAnswer& told) {
  Json line = {{"method", request.method},
               {"path", request.path},
               {"query", request.query},
               {"status", told.delivery == Delivery::whole ? Json(told.status) : Json()},
               {"authorized", !request.authorization.empty()},
               {"if_none_match", request.if_none_match.empty() ? Json() : Json(request.if_none_match)}};
  constexpr std::size_t kMostRemembered = 5000, kMostOfAPath = 2000;
  if (request.path.size() + request.query.size() > kMostOfAPath) {
    line["path"] = request.path.substr(0, 100);
    line["query"] = "";
  }
  if (requests_.size() >= kMostRemembered) requests_.erase(requests_.begin(), requests_.begin() + kMostRemembered / 2);
  requests_.push_back(std::move(line));
}

void Service::record(const HttpRequest& request, const HttpAnswer& told) const {
  if (!record_.valid()) return;
  const auto body = parse_json(told.body);
  Json line = {{"method", request.method}, {"path", request.path},          {"query", request.query},
               {"status", told.status},    {"body", body ? *body : Json()}, {"graphql", nullptr}};
  if (is_graphql(request.path)) {
    if (const auto asked = parse_json(request.body); asked && asked->is_object()) {
      line["graphql"] = {{"query", string_or(*asked, "query")},
                         {"variables", asked->contains("variables") ? (*asked)["variables"] : Json()}};
    }
  }
  const std::string text = to_line(line) + "\n";
  // One write: lines stay whole. What cannot be recorded is not worth a refused answer.
  [[maybe_unused]] const ssize_t written = write(record_.get(), text.data(), text.size());
}

}  // namespace pawl::practice
