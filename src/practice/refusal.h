// How the stand-in says no: pawl's own errors, each with the status and the words that GitHub would use. What was wrong
// with a field travels in the hint, as the JSON of GitHub's `errors` list.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace pawl::practice {

[[nodiscard]] tl::unexpected<Error> not_found(std::string message = "Not Found");
[[nodiscard]] tl::unexpected<Error> forbidden(std::string message);
[[nodiscard]] tl::unexpected<Error> bad_request(std::string message);  // 400
[[nodiscard]] tl::unexpected<Error> not_allowed(std::string message);  // 405
[[nodiscard]] tl::unexpected<Error> head_moved(std::string message);   // 409
[[nodiscard]] tl::unexpected<Error> invalid(std::string_view resource, std::string_view field, std::string_view code,
                                            std::string_view message = {});  // 422

[[nodiscard]] int status_of(const Error& error);
// {"message", "errors", "documentation_url", "status"}
[[nodiscard]] Json body_of(const Error& error);
// "NOT_FOUND", "FORBIDDEN", "UNPROCESSABLE": how GraphQL calls it.
[[nodiscard]] std::string_view graphql_type_of(const Error& error);

// A body holds 65,536 characters, of Unicode and not bytes.
[[nodiscard]] Done check_length(std::string_view resource, std::string_view body);

}  // namespace pawl::practice
