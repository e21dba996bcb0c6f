#include "integrations/github/errors.h"

#include "base/clock.h"
#include "base/text.h"

namespace pawl::github {
namespace {

constexpr std::size_t kMostOfAMessage = 300;

// What GitHub says itself: its message, and what it lists under it.
std::string said(const HttpResponse& answer) {
  const auto body = parse_json(answer.body);
  if (!body) return {};
  std::string out = string_or(*body, "message");
  if (const auto errors = body->find("errors"); body->is_object() && errors != body->end() && errors->is_array()) {
    for (const Json& error : *errors) {
      const std::string text = error.is_string() ? error.get<std::string>() : string_or(error, "message");
      const std::string field = string_or(error, "field"), code = string_or(error, "code");
      if (!text.empty()) {
        out += cat("; ", text);
      } else if (!field.empty()) {
        out += cat("; ", field, " ", code);
      }
    }
  }
  return printable(std::string_view(out).substr(0, kMostOfAMessage));
}

std::string with(std::string_view what, const std::string& detail) {
  return detail.empty() ? std::string(what) : cat(what, " (", detail, ")");
}

constexpr std::string_view kLook = "it may have been done: look before trying again";

}  // namespace

Error error_of(const std::string& call, const HttpResponse& answer, bool writes) {
  const std::string detail = said(answer);
  switch (answer.status) {
    case 401:
      return {ErrorCode::unauthorized, with(cat(call, ": GitHub does not accept the token"), detail),
              "set GH_TOKEN to one that is valid, or run: gh auth login"};
    case 403:
      return {ErrorCode::unauthorized, with(cat(call, ": the token may not do this"), detail),
              "give the token the permission, or use another one"};
    case 404:
    case 410:
      return {ErrorCode::not_found, cat(call, ": it is not there, or the token may not see it"),
              "check the name and what the token may read"};
    case 405:
      return {ErrorCode::illegal_move, with(cat(call, ": GitHub refuses"), detail), {}};
    case 409:
      return {ErrorCode::conflict, with(cat(call, ": it has changed meanwhile"), detail), "look at it again"};
    case 400:
    case 422:
      return {ErrorCode::invalid_argument, with(cat(call, ": GitHub cannot take this"), detail), {}};
    default:
      return {ErrorCode::unavailable, with(cat(call, ": GitHub answers ", answer.status), detail),
              std::string(writes && answer.status >= 500 ? kLook : "try again later")};
  }
}

Error broken(const std::string& call, const Broken& broken, bool may_have_happened) {
  return {ErrorCode::unavailable, cat(call, ": ", broken.permanent ? "" : "no answer: ", broken.why),
          std::string(may_have_happened  ? kLook
                      : broken.permanent ? std::string_view()
                                         : "try again later")};
}

Error out_of_patience(const std::string& call, const Judgement& judgement, std::int64_t now_ms) {
  return {
      ErrorCode::busy,
      cat(call, ": ", judgement.why, " until ", iso_time(now_ms + judgement.wait_ms), ", longer than is waited for"),
      "try again then; github.max_wait says how long is waited"};
}

Error was_stopped(const std::string& call, bool may_have_happened) {
  return {ErrorCode::unavailable,
          cat(call, ": stopped", may_have_happened ? "; whether it was done is not known" : " before it was done"),
          "the next run goes on from here"};
}

Error graphql_error(const std::string& call, const Json& errors) {
  const Json first = errors.is_array() ? errors.front() : errors;
  const std::string type = string_or(first, "type");
  const std::string text = cat(
      call, ": ",
      printable(std::string_view(string_or(first, "message", "GitHub reports an error")).substr(0, kMostOfAMessage)));
  if (type == "NOT_FOUND") return {ErrorCode::not_found, text, "check the name and what the token may read"};
  if (type == "FORBIDDEN" || type == "INSUFFICIENT_SCOPES")
    return {ErrorCode::unauthorized, text, "give the token the permission, or use another one"};
  if (type == "UNPROCESSABLE") return {ErrorCode::invalid_argument, text, {}};
  if (type == "STALE_DATA") return {ErrorCode::conflict, text, "look at it again"};
  return {ErrorCode::unavailable, text, {}};
}

Done must_be_json(const std::string& call, const HttpResponse& answer) {
  const std::string_view type = answer.header("content-type");
  if (type.find("json") != std::string_view::npos) return done();
  return fail(
      ErrorCode::unavailable,
      cat(call, ": the answer is ", type.empty() ? "of no known kind" : printable(type.substr(0, 60)), ", not JSON"),
      "is something between here and GitHub, such as a proxy?");
}

Result<Json> read_answer(const std::string& call, std::string_view body) {
  auto value = parse_json(body);
  if (!value)
    return fail(ErrorCode::unavailable, cat(call, ": the answer cannot be read: ", value.error().message),
                "try again later");
  return value;
}

}  // namespace pawl::github
