// The rules of the house, as functions from text to offences. Each says in its message why the rule exists, since who
// reads it has just broken it in good faith. rules_test.cc shows each something bad; tidy_test.cc shows them the tree.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidy/tree.h"

namespace pawl::tidy {

// include_rules.cc: what a file may lean on.
[[nodiscard]] Offences upward_includes(const File& file);       // the order of the house; one lifecycle and another
[[nodiscard]] Offences caged_libraries(const File& file);       // sqlite3.h, libpq-fe.h, curl.h, nlohmann, CLI11
[[nodiscard]] Offences scattered_toml(const Tree& tree);        // toml++ costs seconds in each file that includes it
[[nodiscard]] Offences impure_law(const Tree& tree);            // core/ and lifecycle/: no clock, no files
[[nodiscard]] Offences heavy_public_headers(const File& file);  // include/pawl: std, tl/expected.hpp and itself

// code_rules.cc: what stands in a file.
[[nodiscard]] Offences banned_in_sources(const File& file);  // std::regex, iostream
[[nodiscard]] Offences sleeping_tests(const File& file);
[[nodiscard]] Offences unfinished_marks(const File& file);
[[nodiscard]] Offences long_files(const File& file);
[[nodiscard]] Offences empty_names(const File& file);
[[nodiscard]] Offences bare_headers(const File& file);
[[nodiscard]] Offences untidy_space(const File& file);

struct StatusList {
  std::string kind;
  std::vector<std::string> words;
};
[[nodiscard]] Offences repeated_statuses(const File& file, std::span<const StatusList> lists);

// document_rules.cc: what the documents say of the tree.
[[nodiscard]] Offences long_readme(const Tree& tree);
[[nodiscard]] Offences dead_links(const Tree& tree);
[[nodiscard]] Offences unmapped_folders(const Tree& tree);  // docs/architecture.md names all, and nothing else
[[nodiscard]] Offences unmapped_rooms(const Tree& tree);    // and of src/engine, which has most, every file
[[nodiscard]] Offences unknown_dev_commands(const Tree& tree, std::string_view dev_help);
[[nodiscard]] Offences ci_of_its_own(const Tree& tree);      // .ci/run runs what the README says
[[nodiscard]] Offences machine_specifics(const File& file);  // paths and hosts that only one machine has

[[nodiscard]] bool is_cpp(std::string_view path);
[[nodiscard]] bool is_test(std::string_view path);

}  // namespace pawl::tidy
