// What to do with an answer that is none: wait, and for how long, or give up. Pure: the answer's facts and the time in,
// a verdict out. GitHub's rules: https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::github {

struct Setback {
  int status = 0;  // 0: no answer came
  std::optional<std::int64_t> retry_after_s = std::nullopt;
  std::optional<std::int64_t> remaining = std::nullopt;  // of the hour's requests
  std::int64_t reset_s = 0;                              // when they are given anew, in seconds since 1970
  bool secondary = false;                                // the body speaks of a secondary rate limit
  bool safe_to_repeat = true;                            // a read; or a write that surely did not happen
};

enum class Verdict { fine, wait, give_up };

struct Judgement {
  Verdict verdict = Verdict::fine;
  std::int64_t wait_ms = 0;
  std::string why;  // "GitHub's rate limit is used up"; for the user
  bool rate_limited = false;
};

struct Patience {
  int attempts = 5;
  std::int64_t max_wait_ms = 600'000;  // of all the waits of one client together
};

// `attempt` counts from 1; `waited_ms` is what this call has waited already.
[[nodiscard]] Judgement judge(const Setback& setback, int attempt, std::int64_t waited_ms, std::int64_t now_ms,
                              const Patience& patience);

}  // namespace pawl::github
