// How grave a finding is: three words, each with the sign and the name that stand in files, and the letter of its id.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace pawl::review {

struct Severity {
  std::string_view word;     // "action-required": on the command line and in documents
  std::string_view name;     // "Action Required": in files
  std::string_view sign;     // the emoji
  std::string_view damaged;  // the same after it went through a program that took UTF-8 for cp1252
  char letter;
  std::string_view sarif;  // SARIF's level
};

inline constexpr std::array kSeverities = {
    Severity{"action-required", "Action Required", "\U0001F534", "ðŸ”´", 'H', "error"},
    Severity{"recommended", "Recommended", "\U0001F7E1", "ðŸŸ¡", 'M', "warning"},
    Severity{"minor", "Minor", "\U0001F7E2", "ðŸŸ¢", 'L', "note"},
};
inline constexpr std::array kSeverityWords = {kSeverities[0].word, kSeverities[1].word, kSeverities[2].word};

// By its word; nullptr when there is none.
[[nodiscard]] constexpr const Severity* severity(std::string_view word) {
  for (const Severity& one : kSeverities) {
    if (one.word == word) return &one;
  }
  return nullptr;
}
// The error names the three, and the one that was probably meant.
[[nodiscard]] Result<const Severity*> severity_named(std::string_view word);

inline constexpr std::array<std::string_view, 14> kCategories = {
    "bug",   "security",    "performance",   "error-handling", "type-safety", "api-design",    "logic",
    "style", "concurrency", "accessibility", "testing",        "naming",      "documentation", "maintainability"};

inline constexpr std::int64_t kThreshold = 80;   // below it a finding is kept, but not marked
inline constexpr std::int64_t kFocusBonus = 10;  // for a finding in the area that the review looks at
inline constexpr std::int64_t kMostConfidence = 100;

}  // namespace pawl::review
