#include "lifecycles/review/severity.h"

#include "base/text.h"

namespace pawl::review {

Result<const Severity*> severity_named(std::string_view word) {
  if (const Severity* found = severity(word)) return found;
  const auto meant = nearest(word, kSeverityWords);
  return fail(ErrorCode::invalid_argument,
              cat("“", printable(word.substr(0, 80)), "” is not a severity: ", join_or(kSeverityWords)),
              meant ? cat("did you mean ", *meant, "?") : std::string());
}

}  // namespace pawl::review
