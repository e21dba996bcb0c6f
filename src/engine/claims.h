// Claims: one worker's hold on a record, fenced by a token that only grows. One that named its process ends as soon as
// that process is seen to have ended; any other when its lease ends, by a clock that does not jump. A process that
// cannot be seen (in another container, say) is not dead: without a lease, only a person can say so (`take_over`).
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"

namespace pawl {

struct ClaimRequest {
  RecordId record;
  std::string worker;
  std::int64_t pid = 0;       // 0: by lease alone
  std::int64_t lease_ms = 0;  // with a pid: 0 means as long as it lives
  bool take_over = false;     // also from a worker that is not seen to live
};

// Unless it is known to have ended.
[[nodiscard]] inline bool claim_lives(const Claim& claim, const Now& now) { return life_of(claim, now) != Life::ended; }

// Inside a decision, as the last thing it does: the claim becomes true with it. conflict: another worker holds it.
[[nodiscard]] Result<Claim> grant_claim(Transaction& store, const ClaimRequest& request, const Now& now);
// conflict: another worker holds it. The same worker asking again renews, and keeps its token.
[[nodiscard]] Result<Claim> take_claim(Engine& engine, const Request& by, const ClaimRequest& request);
// lease_lost: it is not held by this token any more.
[[nodiscard]] Result<Claim> renew_claim(Engine& engine, const Request& by, const RecordId& record, std::int64_t token,
                                        std::int64_t lease_ms);
// Ends a claim whose process cannot be seen, and calls what it had begun interrupted: on the word of a person.
// conflict: its process is seen to live.
[[nodiscard]] Done take_over_claim(Engine& engine, const Request& by, const RecordId& record);
// The command for that.
[[nodiscard]] std::string how_to_take_over(const RecordId& record);
[[nodiscard]] Done release_claim(Engine& engine, const Request& by, const RecordId& record, std::int64_t token);

// A move that carries a token is refused when the claim has been lost.
[[nodiscard]] Done check_token(Transaction& store, const RecordId& record, std::int64_t token, const Now& now);

}  // namespace pawl
