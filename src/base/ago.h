// How long ago something was, or when it will be, as people say it.
#pragma once

#include <cstdint>
#include <string>

namespace pawl {

// "3 minutes ago", "just now", "in 2 hours"
[[nodiscard]] std::string ago(std::int64_t then_ms, std::int64_t now_ms);
// The same of the past where there is little room: "3m"
[[nodiscard]] std::string age_of(std::int64_t then_ms, std::int64_t now_ms);

}  // namespace pawl
