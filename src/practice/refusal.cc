#include "practice/refusal.h"

#include <algorithm>

#include "base/text.h"

namespace pawl::practice {
namespace {

constexpr std::ptrdiff_t kMaxBody = 65'536;

}  // namespace

tl::unexpected<Error> not_found(std::string message) { return fail(ErrorCode::not_found, std::move(message)); }
tl::unexpected<Error> forbidden(std::string message) { return fail(ErrorCode::unauthorized, std::move(message)); }
tl::unexpected<Error> bad_request(std::string message) { return fail(ErrorCode::corruption, std::move(message)); }
tl::unexpected<Error> not_allowed(std::string message) { return fail(ErrorCode::gate_failed, std::move(message)); }
tl::unexpected<Error> head_moved(std::string message) { return fail(ErrorCode::conflict, std::move(message)); }

tl::unexpected<Error> invalid(std::string_view resource, std::string_view field, std::string_view code,
                              std::string_view message) {
  Json one = {{"resource", resource}, {"code", code}, {"field", field}};
  if (!message.empty()) one["message"] = message;
  return fail(ErrorCode::invalid_argument, message.empty() ? "Validation Failed" : cat("Validation Failed: ", message),
              to_line(Json::array({std::move(one)})));
}

int status_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::not_found:
      return 404;
    case ErrorCode::unauthorized:
      return 403;
    case ErrorCode::corruption:
      return 400;
    case ErrorCode::gate_failed:
      return 405;
    case ErrorCode::conflict:
      return 409;
    case ErrorCode::invalid_argument:
      return 422;
    default:
      return 500;
  }
}

Json body_of(const Error& error) {
  Json body = {{"message", error.message}};
  if (error.code == ErrorCode::invalid_argument) {
    if (const auto errors = parse_json(error.hint); errors && errors->is_array()) body["errors"] = *errors;
  }
  body["documentation_url"] = "https://docs.github.com/rest";
  body["status"] = std::to_string(status_of(error));
  return body;
}

std::string_view graphql_type_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::not_found:
      return "NOT_FOUND";
    case ErrorCode::unauthorized:
      return "FORBIDDEN";
    case ErrorCode::internal:
    case ErrorCode::io:
      return "INTERNAL";
    default:
      return "UNPROCESSABLE";
  }
}

Done check_length(std::string_view resource, std::string_view body) {
  const auto characters =
      std::count_if(body.begin(), body.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  if (characters > kMaxBody) {
    return invalid(resource, "body", "custom", cat("body is too long (maximum is ", kMaxBody, " characters)"));
  }
  return done();
}

}  // namespace pawl::practice
