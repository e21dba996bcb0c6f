#include "runners/loop_hold.h"

#include <unistd.h>

#include "base/text.h"
#include "runners/loops.h"
#include "runners/ralph_go_on.h"
#include "runners/ralph_runner.h"

namespace pawl {

Done LoopHold::take(const RecordId& loop) {
  // Also where its file was: whoever drives it there follows the file, and is as little another.
  std::string driver = loop::driver_of(engine_, loop);
  if (driver.empty()) {
    auto claim = take_claim(engine_, request_, {loop, cat(kRalphRunner, getpid()), getpid(), 0});
    if (!claim && claim.error().code != ErrorCode::conflict) return tl::unexpected(claim.error());
    if (claim) claims_.push_back(std::move(*claim));
    if (claim) return done();
    driver = loop::driver_of(engine_, loop);
  }
  return driven_already(loop, driver);
}

Done LoopHold::must_be_free(const RecordId& loop) const {
  const std::string driver = loop::driver_of(engine_, loop);
  return driver.empty() ? done() : Done(driven_already(loop, driver));
}

void LoopHold::release(const std::function<void(const std::string&)>& tell) {
  for (const Claim& claim : claims_) {
    if (const Done released = release_claim(engine_, request_, claim.record, claim.token); !released)
      tell(released.error().message);
  }
  claims_.clear();
}

}  // namespace pawl
