#include "pawl/error.h"

#include <array>
#include <utility>

namespace pawl {
namespace {

constexpr std::array kFacts = {
    ErrorFacts{ErrorCode::invalid_argument, "invalid_argument", 2, 400, -32602, false},
    ErrorFacts{ErrorCode::not_found, "not_found", 3, 404, -32001, false},
    ErrorFacts{ErrorCode::already_exists, "already_exists", 1, 409, -32002, false},
    ErrorFacts{ErrorCode::illegal_move, "illegal_move", 1, 422, -32003, false},
    ErrorFacts{ErrorCode::gate_failed, "gate_failed", 1, 422, -32004, false},
    ErrorFacts{ErrorCode::conflict, "conflict", 4, 409, -32005, false},
    ErrorFacts{ErrorCode::lease_lost, "lease_lost", 4, 409, -32006, false},
    ErrorFacts{ErrorCode::busy, "busy", 5, 503, -32007, true},
    ErrorFacts{ErrorCode::unauthorized, "unauthorized", 1, 401, -32008, false},
    ErrorFacts{ErrorCode::untrusted, "untrusted", 1, 403, -32009, false},
    ErrorFacts{ErrorCode::corruption, "corruption", 5, 500, -32010, false},
    ErrorFacts{ErrorCode::unavailable, "unavailable", 5, 503, -32011, true},
    ErrorFacts{ErrorCode::io, "io", 5, 500, -32012, true},
    ErrorFacts{ErrorCode::internal, "internal", 5, 500, -32603, false},
};

constexpr bool in_order_of_the_enum() {
  for (std::size_t i = 0; i < kFacts.size(); ++i) {
    if (static_cast<std::size_t>(kFacts[i].code) != i) return false;
  }
  return true;
}
static_assert(in_order_of_the_enum());

}  // namespace

tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string hint) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(hint)});
}

const ErrorFacts& facts_of(ErrorCode code) { return kFacts[static_cast<std::size_t>(code)]; }

}  // namespace pawl
