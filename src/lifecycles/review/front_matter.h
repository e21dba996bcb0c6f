// The front matter of a review's state file: `key: value` lines between two `---`. Of YAML only plain and quoted
// scalars are read, at the top level: nothing is expanded, so a file of anchors that multiply can do no harm; what is
// not such a line stays where it is. Written by hand, as no packaged YAML library tells where a value stands or keeps
// comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lifecycles/review/markdown.h"

namespace pawl::review {

struct FrontMatterField {
  std::string_view key;
  Span value;        // as it is spelled, quotes included
  std::string says;  // decoded
  bool quoted = false;
  bool scalar = true;  // an anchor, an alias, a tag, a list or a block is not
  std::size_t line = 0;
};

struct FrontMatter {
  std::vector<FrontMatterField> fields;
  std::size_t end = 0;     // where the closing line begins
  std::size_t behind = 0;  // where what follows it begins
  std::size_t lines = 0;

  [[nodiscard]] const FrontMatterField* find(std::string_view key) const;
};

// An error is damage, and says on which line.
[[nodiscard]] Result<FrontMatter> scan_front_matter(std::string_view text);

// "x" with what must be escaped.
[[nodiscard]] std::string yaml_quoted(std::string_view text);

}  // namespace pawl::review
