#include "integrations/github/client.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/log.h"
#include "base/text.h"
#include "integrations/github/errors.h"
#include "integrations/github/read_json.h"

namespace pawl::github {
namespace {

constexpr std::size_t kPerPage = 100;
constexpr std::size_t kMaxPages = 2000;
constexpr std::int64_t kProgressAfterMs = 1000;
constexpr std::int64_t kLastCallMs = 3000;  // of a process that is to end

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

Setback setback_of(const HttpResponse& response, bool repeatable, std::int64_t now_ms) {
  Setback setback;
  setback.status = response.status;
  setback.retry_after_s = number_in(response.header("retry-after"));
  if (const std::string when(response.header("retry-after")); !when.empty() && !setback.retry_after_s) {
    if (const auto date = http_date(when)) setback.retry_after_s = std::max<std::int64_t>(*date - now_ms / 1000, 0);
  }
  setback.remaining = number_in(response.header("x-ratelimit-remaining"));
  setback.reset_s = number_in(response.header("x-ratelimit-reset")).value_or(0);
  setback.secondary = response.status == 403 && response.body.find("secondary rate limit") != std::string::npos;
  setback.safe_to_repeat = repeatable;
  return setback;
}

// GraphQL answers 200 where REST would answer 403. Only its own word counts, not one that stands in somebody's text.
bool is_graphql_limit(const HttpResponse& response) {
  if (response.status != 200 || (response.body.find("RATE_LIMIT") == std::string::npos &&
                                 response.body.find("secondary rate limit") == std::string::npos))
    return false;
  const auto body = parse_json(response.body);
  if (!body || !body->is_object()) return false;
  const auto errors = body->find("errors");
  if (errors == body->end() || !errors->is_array()) return false;
  return std::any_of(errors->begin(), errors->end(), [](const Json& error) {
    const std::string type = string_or(error, "type");
    return type == "RATE_LIMITED" || type == "RATE_LIMIT" ||
           string_or(error, "message").find("secondary rate limit") != std::string::npos;
  });
}

constexpr std::size_t kMostOfAListing = std::size_t{512} << 20U;
constexpr int kMostRedirections = 3;
constexpr std::string_view kUsualApi = "https://api.github.com";

}  // namespace

struct Client::Call {
  std::string name;  // "GET /repos/o/r/pulls/1": for messages
  HttpRequest request;
  bool writes = false;
  bool graphql = false;
};

Client::Client(ClientOptions options)
    : options_(std::move(options)),
      http_(HttpOptions{options_.place.unix_socket, options_.place.token, options_.timeout_ms, options_.max_bytes,
                        [this] {
                          const std::int64_t took = options_.clock->now().boot_ms - call_began_ms_;
                          if (took >= kProgressAfterMs) options_.progress(under_way_);
                          const Ending ending = options_.ending();
                          return ending == Ending::no || (ending == Ending::soon && took < kLastCallMs);
                        }}) {}

void Client::keep_a_second_apart() {
  const std::int64_t now = options_.clock->now().boot_ms;
  if (last_write_ms_ != 0 && now - last_write_ms_ < options_.between_writes_ms)
    options_.pause(options_.between_writes_ms - (now - last_write_ms_));
  last_write_ms_ = options_.clock->now().boot_ms;
}

Result<HttpResponse> Client::send(const Call& call) {
  under_way_ = cat("waiting for GitHub: ", call.name);
  // Whoever set another address, and forgot it, sees which it was.
  const std::string where = options_.place.api == kUsualApi ? "" : cat(" at ", printable(options_.place.api));
  for (int attempt = 1;; ++attempt) {
    if (call.writes) keep_a_second_apart();
    if (options_.ending() == Ending::at_once) return tl::unexpected(was_stopped(call.name, false));
    const StepTimer timer;
    call_began_ms_ = options_.clock->now().boot_ms;
    auto answer = http_.send(call.request);
    options_.progress("");
    log_debug("github", "call", call.name, "status", answer ? answer->status : 0, "us", timer.us());
    if (!answer && options_.ending() != Ending::no) return tl::unexpected(was_stopped(call.name, call.writes));
    if (!answer && answer.error().permanent)
      return tl::unexpected(broken(call.name, answer.error(), call.writes && !answer.error().never_sent));

    const std::int64_t now = options_.clock->now().wall_ms;
    Setback setback;
    if (answer) {
      // Before a write is carried out, or after: the forge says no clearly, or nothing is known.
      setback = setback_of(*answer, !call.writes || answer->status < 500, now);
      if (call.graphql && is_graphql_limit(*answer)) setback.status = 429;
    } else {
      setback.safe_to_repeat = !call.writes || answer.error().never_sent;
    }
    const Judgement judgement = judge(setback, attempt, waited_ms_, now, options_.patience);
    if (judgement.verdict == Verdict::fine) return std::move(*answer);
    if (judgement.verdict == Verdict::give_up) {
      if (judgement.rate_limited) return tl::unexpected(out_of_patience(call.name, judgement, now));
      if (!answer)
        return tl::unexpected(broken(cat(call.name, where), answer.error(), call.writes && !answer.error().never_sent));
      return tl::unexpected(error_of(call.name, *answer, call.writes));
    }
    if (options_.ending() != Ending::no) return tl::unexpected(was_stopped(call.name, false));
    options_.say(cat(judgement.why, answer ? "" : where, "; trying ", call.name, " again in ",
                     (judgement.wait_ms + 999) / 1000, " s"));
    options_.pause(judgement.wait_ms);
    waited_ms_ += judgement.wait_ms;
  }
}

namespace {

std::vector<std::string> rest_headers() {
  return {"Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28"};
}

}  // namespace

// A repository that was renamed answers from its new place. Another server's answer is not GitHub's.
Result<HttpResponse> Client::follow(Call call) {
  for (int redirections = 0;; ++redirections) {
    PAWL_ASSIGN(HttpResponse answer, send(call));
    // The last two ask for the same again, there; nothing was carried out here.
    const bool elsewhere = answer.status == 307 || answer.status == 308 || (answer.status == 301 && !call.writes);
    if (!elsewhere) return answer;
    std::string to(answer.header("location"));
    if (to.starts_with('/') && !to.starts_with("//")) {
      const std::size_t path = options_.place.api.find('/', options_.place.api.find("://") + 3);
      to = options_.place.api.substr(0, path) + to;
    }
    if (!to.starts_with(options_.place.api + "/"))
      return fail(ErrorCode::unavailable, cat(call.name, ": GitHub sends on to another server, which was not asked"));
    if (redirections == kMostRedirections)
      return fail(ErrorCode::unavailable, cat(call.name, ": GitHub sends on and on"));
    call.request.url = std::move(to);
  }
}

void Client::forget_what_came_last() {
  if (options_.memory == nullptr) return;
  for (const std::string& url : came_last_) options_.memory->forget(url);
}

// One page; what has not changed since last time comes from memory.
Result<HttpResponse> Client::fetch(const std::string& url, Remember remember) {
  PageMemory* const memory = remember == Remember::pages ? options_.memory : nullptr;
  Call call{cat("GET ", std::string_view(url).substr(std::min(options_.place.api.size(), url.size()))), {}};
  call.request.url = url;
  call.request.headers = rest_headers();
  std::optional<KnownPage> known = memory == nullptr ? std::nullopt : memory->find(url);
  // A last page that is full stays the same when another one follows it: whether there is one is asked anew.
  if (known && next_page(known->link).empty() && has_elements(known->body, kPerPage)) known.reset();
  if (known) call.request.headers.push_back("If-None-Match: " + known->etag);
  came_last_.push_back(url);
  PAWL_ASSIGN(HttpResponse answer, follow(call));
  if (answer.status == 304 && known) {
    answer.status = 200;
    answer.body = known->body;
    answer.headers["link"] = known->link;
    return answer;
  }
  if (answer.status != 200) return tl::unexpected(error_of(call.name, answer, false));
  PAWL_TRY(must_be_json(call.name, answer));
  if (const std::string_view etag = answer.header("etag"); memory != nullptr && !etag.empty())
    memory->keep(url, {std::string(etag), std::string(answer.header("link")), answer.body});
  return answer;
}

Result<std::string> Client::get(const std::string& path) {
  came_last_.clear();
  PAWL_ASSIGN(HttpResponse answer, fetch(options_.place.api + path, Remember::pages));
  return std::move(answer.body);
}

Result<std::vector<std::string>> Client::pages(const std::string& path, Remember remember) {
  std::vector<std::string> bodies;
  std::set<std::string> seen;
  std::size_t bytes = 0;
  came_last_.clear();
  std::string url =
      cat(options_.place.api, path, path.find('?') == std::string::npos ? "?" : "&", "per_page=", kPerPage);
  while (!url.empty()) {
    if (bodies.size() >= kMaxPages)
      return fail(ErrorCode::unavailable, cat("GET ", path, ": there is no end of pages"));
    if (!seen.insert(url).second) return fail(ErrorCode::unavailable, cat("GET ", path, ": its pages go in a circle"));
    PAWL_ASSIGN(HttpResponse answer, fetch(url, remember));
    bytes += answer.body.size();
    if (bytes > kMostOfAListing)
      return fail(ErrorCode::unavailable,
                  cat("GET ", path, ": its pages are larger than ", kMostOfAListing >> 20U, " MiB"));
    bodies.push_back(std::move(answer.body));
    std::string next = next_page(answer.header("link"));
    // The token goes nowhere but where it was meant for.
    if (!next.empty() && !next.starts_with(options_.place.api + "/"))
      return fail(ErrorCode::unavailable, cat("GET ", path, ": the next page is said to be on another server"));
    url = std::move(next);
  }
  return bodies;
}

Result<bool> Client::exists(const std::string& path) {
  Call call{cat("GET ", path), {}};
  call.request.url = options_.place.api + path;
  call.request.headers = rest_headers();
  PAWL_ASSIGN(const HttpResponse answer, follow(call));
  if (answer.status == 204) return true;
  if (answer.status == 404 || answer.status == 302) return false;
  return tl::unexpected(error_of(call.name, answer, false));
}

Result<Json> Client::write(const std::string& method, const std::string& path, const Json& body) {
  Call call{cat(method, " ", path), {}, true};
  call.request.method = method;
  call.request.url = options_.place.api + path;
  call.request.headers = rest_headers();
  call.request.headers.emplace_back("Content-Type: application/json");
  call.request.body = to_line(body);
  call.request.writes = true;
  PAWL_ASSIGN(const HttpResponse answer, follow(call));
  if (answer.status < 200 || answer.status > 299) return tl::unexpected(error_of(call.name, answer, true));
  if (answer.body.empty()) return Json();
  PAWL_TRY(must_be_json(call.name, answer));
  return read_answer(call.name, answer.body);
}

Result<Json> Client::query(std::string_view text, const Json& variables) { return graphql(text, variables, false); }
Result<Json> Client::mutate(std::string_view text, const Json& variables) { return graphql(text, variables, true); }

Result<Json> Client::graphql(std::string_view text, const Json& variables, bool writes) {
  // "query Threads($id…": its name tells which one failed.
  const std::string_view head = text.substr(0, text.find_first_of("({"));
  Call call{cat("GraphQL ", trim(head)), {}, writes, true};
  call.request.method = "POST";
  call.request.url = options_.place.graphql;
  call.request.headers = {"Content-Type: application/json", "Accept: application/json"};
  call.request.body = to_line(Json{{"query", text}, {"variables", variables}});
  call.request.writes = writes;
  PAWL_ASSIGN(const HttpResponse answer, send(call));
  if (answer.status != 200) return tl::unexpected(error_of(call.name, answer, writes));
  PAWL_TRY(must_be_json(call.name, answer));
  PAWL_ASSIGN(Json whole, read_answer(call.name, answer.body));
  // What came with errors is not whole, whatever else came with it.
  if (!whole.is_object()) return fail(ErrorCode::unavailable, cat(call.name, ": GitHub's answer is no object"));
  if (const auto errors = whole.find("errors"); errors != whole.end() && !errors->is_null() && !errors->empty())
    return tl::unexpected(graphql_error(call.name, *errors));
  const auto data = whole.find("data");
  if (data == whole.end() || !data->is_object())
    return fail(ErrorCode::unavailable, cat(call.name, ": GitHub's answer has no data in it"));
  return std::move(*data);
}

std::string next_page(std::string_view link) {
  while (true) {
    const std::size_t open = link.find('<'), close = link.find('>', open);
    if (open == std::string_view::npos || close == std::string_view::npos) return {};
    const std::size_t next = link.find('<', close);
    const std::string_view about = link.substr(close, next - close);
    if (about.find("rel=\"next\"") != std::string_view::npos || about.find("rel=next") != std::string_view::npos)
      return std::string(link.substr(open + 1, close - open - 1));
    if (next == std::string_view::npos) return {};
    link = link.substr(next);
  }
}

}  // namespace pawl::github
