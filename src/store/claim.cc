#include "store/store.h"

namespace pawl {

Life life_of(const Claim& claim, const Now& now) {
  if (restarted_since(claim.process)) return Life::ended;
  const bool leased = claim.lease_until_ms != 0;
  if (leased && now.boot_ms >= claim.lease_until_ms) return Life::ended;
  if (claim.process.pid == 0) return leased ? Life::alive : Life::ended;
  const Life life = life_of(claim.process, claim.held);
  return life == Life::unknown && leased ? Life::alive : life;
}

}  // namespace pawl
