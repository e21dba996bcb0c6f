#include "practice/faults.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "practice/refusal.h"
#include "practice/rest.h"

namespace pawl::practice {
namespace {

constexpr std::array<std::string_view, 10> kKinds = {"slow", "never", "cut",       "status", "lost",
                                                     "html", "rate",  "secondary", "deep",   "garbage"};
constexpr std::size_t kDeep = 100'000;

void set_header(HttpAnswer& answer, const std::string& name, std::string value) {
  std::erase_if(answer.headers, [&](const auto& header) { return lower(header.first) == lower(name); });
  answer.headers.emplace_back(name, std::move(value));
}

Json message(std::string_view text) {
  return {{"message", text}, {"documentation_url", "https://docs.github.com/rest"}};
}

}  // namespace

Done Faults::add(const Json& wanted) {
  Fault fault;
  fault.kind = string_or(wanted, "kind");
  if (std::find(kKinds.begin(), kKinds.end(), fault.kind) == kKinds.end()) {
    return invalid("Fault", "kind", "invalid", cat("kind is one of ", join_or(kKinds)));
  }
  fault.method = string_or(wanted, "method");
  fault.path = string_or(wanted, "path");
  fault.text = string_or(wanted, "text");
  fault.status = static_cast<int>(integer_or(wanted, "status", 0));
  if (fault.status != 0 && (fault.status < 200 || fault.status > 599)) return invalid("Fault", "status", "invalid");
  fault.retry_after = integer_or(wanted, "retry_after", fault.retry_after);
  fault.after = integer_or(wanted, "after", fault.after);
  fault.times = integer_or(wanted, "times", fault.times);
  fault.ms = integer_or(wanted, "ms", fault.ms);
  faults_.push_back(std::move(fault));
  return done();
}

std::optional<Fault> Faults::next(const HttpRequest& request) {
  const std::string whole = request.query.empty() ? request.path : cat(request.path, "?", request.query);
  for (Fault& fault : faults_) {
    if (fault.times == 0 || (!fault.method.empty() && fault.method != request.method)) continue;
    if (whole.find(fault.path) == std::string::npos || request.body.find(fault.text) == std::string::npos) continue;
    if (fault.after > 0) {
      --fault.after;
      continue;
    }
    if (fault.times > 0) --fault.times;
    return fault;
  }
  return std::nullopt;
}

std::optional<HttpAnswer> instead(const Fault& fault, std::int64_t now_ms) {
  const auto or_else = [&](int status) { return fault.status == 0 ? status : fault.status; };
  if (fault.kind == "never") {
    HttpAnswer answer;
    answer.delivery = Delivery::never;
    return answer;
  }
  if (fault.kind == "status") return json_answer(or_else(502), message("Server Error"));
  if (fault.kind == "rate") {
    HttpAnswer answer = json_answer(or_else(403), message("API rate limit exceeded for user ID 1."));
    answer.headers.emplace_back("x-ratelimit-remaining", "0");
    answer.headers.emplace_back("x-ratelimit-reset", std::to_string(now_ms / 1000 + fault.retry_after));
    return answer;
  }
  if (fault.kind == "secondary") {
    HttpAnswer answer =
        json_answer(or_else(403), message("You have exceeded a secondary rate limit. Please wait a few minutes before "
                                          "you try again."));
    answer.headers.emplace_back("Retry-After", std::to_string(fault.retry_after));
    return answer;
  }
  return std::nullopt;
}

void spoil(HttpAnswer& answer, const Fault& fault) {
  if (fault.kind == "slow") answer.delay_ms = fault.ms;
  if (fault.kind == "cut") answer.delivery = Delivery::cut;
  if (fault.kind == "lost") answer.delivery = Delivery::lost;
  if (fault.kind == "html") {
    answer.status = fault.status == 0 ? 200 : fault.status;
    answer.body = "<!DOCTYPE html><html><body><h1>Unicorn!</h1></body></html>\n";
    set_header(answer, "Content-Type", "text/html; charset=utf-8");
  }
  if (fault.kind == "deep") answer.body = std::string(kDeep, '[') + std::string(kDeep, ']');
  if (fault.kind == "garbage") answer.body = std::string("{\"id\": \xff\xfe\0 1,,", 15);
}

}  // namespace pawl::practice
