// A review's state file taken apart: front matter, chunk plan, findings, comments by file. One pass over the bytes;
// everything is a view into them, so that what is not understood is simply never touched. docs/formats/review.md has
// the grammar.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lifecycles/review/chunk_table.h"
#include "lifecycles/review/finding_text.h"
#include "lifecycles/review/front_matter.h"

namespace pawl::review {

struct StateText {
  std::string_view text;
  FrontMatter front;
  std::string owner, repo;
  std::int64_t number = 0;
  std::string focus;
  bool self = false;
  ChunkTable chunks;
  std::vector<FindingText> findings;
  std::optional<Span> findings_section;  // behind its heading's line, up to the next section
  std::optional<Span> comments;          // the JSON inside its fence
  std::optional<std::size_t> comments_heading;

  [[nodiscard]] std::string pr() const;
  [[nodiscard]] std::string says(std::string_view key) const;  // of the front matter; "" where it is not there
};

// An error is damage: what is wrong, and on which line.
[[nodiscard]] Result<StateText> scan_state(std::string_view text);
// What a file that was cut off lacks; empty where it is whole. Somebody may take findings out, and even all that
// follows them, but not half of one.
[[nodiscard]] std::string cut_off(const StateText& before, const StateText& now);
// Only whose it is; nothing when that cannot be told. Reads no further than the front matter.
[[nodiscard]] std::optional<std::string> pr_in_state(std::string_view text);

// Findings in a text of their own, with no sections around them: an export.
[[nodiscard]] Result<std::vector<FindingText>> scan_findings(std::string_view text, std::size_t from);

}  // namespace pawl::review
