#include "practice/rest.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "practice/refusal.h"

namespace pawl::practice {
namespace {

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

using Parts = std::span<const std::string_view>;

bool matches(Parts pattern, Parts path, std::vector<std::string>& taken) {
  if (pattern.empty()) return path.empty();
  if (path.empty()) return false;
  const std::string_view want = pattern.front();
  if (want.starts_with(':') || want.starts_with('+')) {
    std::string value;
    const std::size_t most = want.starts_with('+') ? path.size() : 1;
    for (std::size_t n = 1; n <= most; ++n) {
      value.append(n == 1 ? "" : "/").append(percent_decoded(path[n - 1], false));
      taken.push_back(value);
      if (matches(pattern.subspan(1), path.subspan(n), taken)) return true;
      taken.pop_back();
    }
    return false;
  }
  return want == path.front() && matches(pattern.subspan(1), path.subspan(1), taken);
}

std::string entity_tag(std::string_view body) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : body) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return cat("W/\"", hash, "\"");
}

struct Page {
  std::int64_t size;
  std::int64_t number;  // from 1
};

Page page_asked_for(const HttpRequest& request) {
  return {std::clamp<std::int64_t>(integer(request.parameter("per_page")).value_or(30), 1, 100),
          std::max<std::int64_t>(integer(request.parameter("page")).value_or(1), 1)};
}

// Cuts the list to the page that was asked for; the Link header, empty when one page holds all.
std::string cut_page(Json& list, const HttpRequest& request, const std::string& url) {
  const auto [size, page] = page_asked_for(request);
  const auto total = static_cast<std::int64_t>(list.size());
  const std::int64_t last = std::max<std::int64_t>((total + size - 1) / size, 1);
  Json cut = Json::array();
  for (std::int64_t i = std::min(page - 1, last) * size; i < std::min(std::min(page, last + 1) * size, total); ++i) {
    cut.push_back(std::move(list[static_cast<std::size_t>(i)]));
  }
  list = std::move(cut);
  std::string others;
  for (const std::string_view pair : split(request.query, '&')) {
    if (!pair.empty() && !pair.starts_with("page=")) others.append(pair).append("&");
  }
  std::string header;
  const auto link = [&](std::int64_t to, std::string_view what) {
    header += cat(header.empty() ? "" : ", ", "<", url, "?", others, "page=", to, ">; rel=\"", what, "\"");
  };
  if (page > 1) link(std::min(page - 1, last), "prev");
  if (page < last) link(page + 1, "next");
  if (page < last) link(last, "last");
  if (page > 1) link(1, "first");
  return header;
}

HttpAnswer refused(const Error& error) { return json_answer(status_of(error), body_of(error)); }

Result<Told> run_route(const Route& route, Call& call) {
  if (route.pattern.starts_with("/repos/")) {
    PAWL_ASSIGN(call.repository, call.world.repository(call.parts[0], call.parts[1]));
    call.parts.erase(call.parts.begin(), call.parts.begin() + 2);
    const std::string permission = call.world.permission(*call.repository, call.who.login);
    if (permission == "none" && call.who.login != call.world.login) return not_found();
    call.actions.refresh(*call.repository);
  }
  if (route.method != "GET" && !call.who.can_write) {
    return forbidden("Resource not accessible by personal access token");
  }
  return route.run(call);
}

}  // namespace

std::int64_t Call::number(std::size_t part) const { return integer(parts[part]).value_or(-1); }

Result<Item*> Call::item() const {
  const auto found = repository->items.find(number(0));
  if (found == repository->items.end()) return not_found();
  return &found->second;
}

Result<Item*> Call::pull() const {
  Item* const found = repository->pull(number(0));
  if (found == nullptr) return not_found();
  return found;
}

HttpAnswer json_answer(int status, const Json& body) {
  HttpAnswer answer;
  answer.status = status;
  answer.headers = {{"Content-Type", "application/json; charset=utf-8"}};
  if (status != 204) answer.body = to_line(body);
  return answer;
}

bool Call::asks_for(std::size_t index) const {
  const Page page = page_asked_for(http);
  return static_cast<std::int64_t>(index) / page.size == page.number - 1;
}

HttpAnswer answer_rest(World& world, Actions& actions, const HttpRequest& request, const Token& who,
                       std::string_view path, const std::string& api) {
  const auto parts = split(path, '/');
  for (const auto& routes : {pull_routes(), issue_routes(), other_routes()}) {
    for (const Route& route : routes) {
      std::vector<std::string> taken;
      const auto pattern = split(route.pattern, '/');
      if (route.method != request.method || !matches(pattern, parts, taken)) continue;
      Call call{world, actions, RestObjects(world, actions, api), request, Json(), who, std::move(taken)};
      if (!request.body.empty()) {
        const auto body = parse_json(request.body);
        if (!body)
          return json_answer(400, {{"message", "Problems parsing JSON"},
                                   {"documentation_url", "https://docs.github.com/rest"},
                                   {"status", "400"}});
        call.body = *body;
      }
      auto told = run_route(route, call);
      if (!told) return refused(told.error());
      std::string link;
      if (told->pages)
        link = cut_page(told->list == nullptr ? told->body : told->body[told->list], request, api + std::string(path));
      HttpAnswer answer = json_answer(told->status, told->body);
      if (told->is_text) {
        answer.headers = {{"Content-Type", "application/vnd.github.v3.diff; charset=utf-8"}};
        answer.body = told->body.get<std::string>();
      }
      if (!link.empty()) answer.headers.emplace_back("Link", link);
      if (request.method == "GET" && answer.status == 200) {
        const std::string tag = entity_tag(answer.body);
        answer.headers.emplace_back("ETag", tag);
        if (request.if_none_match == tag || request.if_none_match == tag.substr(2)) {
          answer.status = 304;
          answer.body.clear();
        }
      }
      return answer;
    }
  }
  return refused(not_found().value());
}

}  // namespace pawl::practice
