// What can go wrong, as a closed list: one code per reaction that a caller can have.
// The code alone decides the exit code, the HTTP status and whether trying again can help;
// that table is error.cc, and there is no second one.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace pawl {

enum class ErrorCode {
  invalid_argument,  // the command line or the request makes no sense
  not_found,
  already_exists,
  illegal_move,  // the lifecycle does not allow it
  gate_failed,   // it would, but something that must hold does not
  conflict,      // somebody else was first
  lease_lost,    // the claim that the caller relies on is not theirs any more
  busy,          // somebody holds the store; later it will work
  unauthorized,
  untrusted,  // a setting that runs a command, from a file nobody has trusted
  corruption,
  unavailable,
  io,
  internal,
};

struct Error {
  ErrorCode code;
  std::string message;  // what was wrong, and where
  std::string hint;     // what is allowed, or what to type; may be empty
};

// How each door shows a code.
struct ErrorFacts {
  ErrorCode code;
  std::string_view name;
  int exit_code;
  int http_status;
  int json_rpc;
  bool retry;  // the same request may succeed later
};

[[nodiscard]] const ErrorFacts& facts_of(ErrorCode code);

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string hint = {});

}  // namespace pawl
