// One fuzz target for each thing that reads bytes which somebody else wrote. A target is an ordinary function that
// aborts when a promise is broken, so that the same code is run by libFuzzer (fuzz_main.cc, for as long as one likes)
// and by the ordinary tests over the corpus (tests/fuzz_corpus_test.cc).
//
// To add one: write <name>_target.cc with fuzz_<name>, declare it here, add a line to the table, put a few small files
// into corpus/<name>/. CMake finds the file; a test says so when one of the four is missing.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace pawl {

void fuzz_clock(std::string_view bytes);
void fuzz_github(std::string_view bytes);
void fuzz_graphql(std::string_view bytes);
void fuzz_json_edit(std::string_view bytes);
void fuzz_json_text(std::string_view bytes);
void fuzz_machine(std::string_view bytes);
void fuzz_pr_block(std::string_view bytes);
void fuzz_review(std::string_view bytes);
void fuzz_status_file(std::string_view bytes);
void fuzz_text(std::string_view bytes);

struct FuzzTarget {
  std::string_view name;
  void (*run)(std::string_view bytes);
};

inline constexpr std::array kFuzzTargets = {
    FuzzTarget{"clock", fuzz_clock},
    FuzzTarget{"github", fuzz_github},
    FuzzTarget{"graphql", fuzz_graphql},
    FuzzTarget{"json_edit", fuzz_json_edit},
    FuzzTarget{"json_text", fuzz_json_text},
    FuzzTarget{"machine", fuzz_machine},
    FuzzTarget{"pr_block", fuzz_pr_block},
    FuzzTarget{"review", fuzz_review},
    FuzzTarget{"status_file", fuzz_status_file},
    FuzzTarget{"text", fuzz_text},
};

// Not assert: it must hold in every build.
inline void fuzz_require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

}  // namespace pawl
