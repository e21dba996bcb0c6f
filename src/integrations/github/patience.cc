#include "integrations/github/patience.h"

#include <algorithm>

#include "base/text.h"

namespace pawl::github {
namespace {

constexpr std::int64_t kLongestS = 1'000'000'000;  // thirty years: nobody waits so long, and nothing overflows
constexpr int kMostLimits = 20;                    // of one call; a forge that is never satisfied is none
constexpr std::int64_t kSecondaryMs = 60'000;      // what GitHub asks for where it does not say how long

bool is_rate_limit(const Setback& setback) {
  if (setback.status == 429) return true;
  return setback.status == 403 && (setback.retry_after_s || setback.secondary || setback.remaining == 0);
}

Judgement limited(const Setback& setback, std::int64_t now_ms) {
  if (setback.retry_after_s) {
    return {Verdict::wait, std::clamp<std::int64_t>(*setback.retry_after_s, 1, kLongestS) * 1000,
            "GitHub asks to slow down", true};
  }
  if (setback.remaining == 0 && setback.reset_s > 0) {
    const std::int64_t left_s = std::clamp<std::int64_t>(setback.reset_s - now_ms / 1000, 0, kLongestS);
    return {Verdict::wait, left_s * 1000 + 1000, "GitHub's rate limit is used up", true};
  }
  return {Verdict::wait, kSecondaryMs, "GitHub asks to slow down", true};
}

}  // namespace

Judgement judge(const Setback& setback, int attempt, std::int64_t waited_ms, std::int64_t now_ms,
                const Patience& patience) {
  Judgement out;
  if (is_rate_limit(setback)) {
    out = limited(setback, now_ms);
    // A clock that is wrong, or a forge that says "at once" again and again.
    out.wait_ms = std::max(out.wait_ms, std::int64_t{500} << std::min(attempt, 6));
    if (attempt >= kMostLimits) out.verdict = Verdict::give_up;
  } else if (setback.status == 0 || setback.status >= 500) {
    if (!setback.safe_to_repeat) return {Verdict::give_up, 0, "it is not known whether it was done", false};
    out = {Verdict::wait, std::int64_t{500} << std::min(attempt, 6),
           setback.status == 0 ? std::string("GitHub does not answer") : cat("GitHub answers ", setback.status), false};
    if (setback.retry_after_s)
      out.wait_ms = std::max(out.wait_ms, std::clamp<std::int64_t>(*setback.retry_after_s, 0, kLongestS) * 1000);
  } else {
    return out;
  }
  const bool tried_enough = !out.rate_limited && attempt >= patience.attempts;
  if (tried_enough || waited_ms + out.wait_ms > patience.max_wait_ms) out.verdict = Verdict::give_up;
  return out;
}

}  // namespace pawl::github
