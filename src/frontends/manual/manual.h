// The manual outside of the program: man pages, and the page for the web. Like help it is made from the table of verbs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl::manual {

struct Page {
  std::string name;  // "pawl-issue.1"
  std::string text;
};

// pawl(1), with the verbs that have no noun, and one page a noun.
[[nodiscard]] std::vector<Page> man_pages(std::string_view version);

// docs/cli.md
[[nodiscard]] std::string markdown();

}  // namespace pawl::manual
