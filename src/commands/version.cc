#include <array>

#include "base/text.h"
#include "commands/table.h"
#include "store/sqlite/sqlite_store.h"

#ifndef PAWL_VERSION
#define PAWL_VERSION "0.0.0-unversioned"
#endif

namespace pawl {
namespace {

#ifdef __clang__
constexpr std::string_view kCompiler = "clang " __clang_version__;
#else
constexpr std::string_view kCompiler = "gcc " __VERSION__;
#endif

Result<Reply> run(Context&, const Arguments&) {
  return Reply{
      Json{{"name", "pawl"}, {"version", PAWL_VERSION}, {"schema", sqlite_schema_version()}, {"compiler", kCompiler}}};
}

std::string text_of_version(const Json& data, const TextStyle&) {
  return cat("pawl ", string_or(data, "version"), "\n");
}

constexpr std::array kVersionExamples = {
    Example{"pawl version", "prints “pawl 1.2.3”"},
    Example{"pawl version --json", "also the schema of its stores and its compiler, for a bug report"},
};

}  // namespace

std::string_view version() { return PAWL_VERSION; }

const Verb kVersion = {
    .name = "version",
    .summary = "say which pawl this is",
    .manual = "Prints the version of this program. `pawl --version` does the same.",
    .examples = kVersionExamples,
    .run = run,
    .text = text_of_version,
};

}  // namespace pawl
