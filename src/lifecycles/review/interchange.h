// Findings as other tools write them: SARIF 2.1.0, reviewdog's rdjson, and plain JSON; and as SARIF on the way out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "core/record.h"
#include "lifecycles/review/command.h"

namespace pawl::review {

struct ReadFindings {
  std::vector<FindingValues> findings;
  std::size_t passed_over = 0;  // results that are none: passed, not applicable, only to be known, suppressed, fixed
};
// Which of the three it is is told from its members. An error names the finding that cannot be read.
// `root`: the project's folder; a path that leads into it is named from there.
[[nodiscard]] Result<ReadFindings> read_findings(std::string_view text, std::string_view root = {});

[[nodiscard]] Json to_sarif(std::span<const Record> findings, std::string_view head_sha);

}  // namespace pawl::review
