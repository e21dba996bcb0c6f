// Findings as other tools write them: SARIF 2.1.0, reviewdog's rdjson, and plain JSON; and as SARIF on the way out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "core/record.h"
#include "lifecycle/review/command.h"

namespace pawl::review {

// Which of the three it is is told from its members. An error names the finding that can not be read.
[[nodiscard]] Result<std::vector<FindingValues>> read_findings(std::string_view text);

[[nodiscard]] Json to_sarif(std::span<const Record> findings, std::string_view head_sha);

}  // namespace pawl::review
