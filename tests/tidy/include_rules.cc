#include <algorithm>
#include <array>
#include <cstddef>

#include "tidy/rules.h"
#include "tidy/scan.h"

namespace pawl::tidy {
namespace {

constexpr std::string_view kSources = "src/";

// DESIGN's order: a file includes only from its own folder and those above it in this list.
constexpr std::array<std::string_view, 10> kHouse = {"base",         "core",     "lifecycles", "store",    "engine",
                                                     "integrations", "practice", "runners",    "commands", "frontends"};

std::size_t floor_of(std::string_view folder) {
  return static_cast<std::size_t>(std::find(kHouse.begin(), kHouse.end(), folder) - kHouse.begin());
}

// What a test beside the code may take from tests/.
bool is_test_folder(std::string_view folder) {
  return folder == "support" || folder == "conformance" || folder == "tidy";
}

// "core" of "core/decide.h", and what follows the slash.
std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }
std::string_view after_first(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
}

std::string quoted(const Include& include) {
  return include.system ? "<" + include.target + ">" : "\"" + include.target + "\"";
}

// "story" of "story/prd_file.h"; nothing for a file that stands beside the five.
std::string_view lifecycle_of(std::string_view below_lifecycle) {
  return below_lifecycle.find('/') == std::string_view::npos ? std::string_view() : first_part(below_lifecycle);
}

struct Cage {
  std::string_view header;  // what the target starts with
  std::string_view home;    // what the path of a file that may include it starts with
  std::string_view why;
};

constexpr std::array<Cage, 7> kCages = {{
    {"sqlite3.h", "src/store/sqlite/",
     "everything else speaks to store/store.h, so that another engine can take its place"},
    {"libpq-fe.h", "src/store/postgres/",
     "everything else speaks to store/store.h, so that another engine can take its place"},
    {"curl.h", "src/integrations/github", "the binary that hooks call must start without it"},
    {"curl/", "src/integrations/github", "the binary that hooks call must start without it"},
    {"openssl/", "src/integrations/signing", "the binary that hooks call must start without it"},
    {"nlohmann/", "src/base/json.h",
     "include \"base/json.h\": one spelling of a value, one way to parse with bounded depth"},
    {"CLI/", "src/frontends/cli/", "it costs 7 seconds to compile, and only one door reads a command line"},
}};

// Headers that reach a clock, a file or the system: the law is handed what it needs, as records, command and Now.
bool reaches_out(const Include& include) {
  constexpr std::array<std::string_view, 12> kOutside = {"chrono",  "ctime",      "time.h",   "unistd.h",
                                                         "fstream", "filesystem", "fcntl.h",  "thread",
                                                         "mutex",   "spawn.h",    "signal.h", "dirent.h"};
  return include.system && (include.target.starts_with("sys/") ||
                            std::find(kOutside.begin(), kOutside.end(), include.target) != kOutside.end());
}

bool is_law(std::string_view path) {
  return (path.starts_with("src/core/") || path.starts_with("src/lifecycles/")) && is_cpp(path) && !is_test(path);
}

}  // namespace

Offences upward_includes(const File& file) {
  Offences offences;
  if (!file.path.starts_with(kSources) || !is_cpp(file.path)) return offences;
  const std::string_view place = std::string_view(file.path).substr(kSources.size());
  if (place.find('/') == std::string_view::npos) return offences;  // main.cc stands below everything
  const std::string_view folder = first_part(place);
  if (floor_of(folder) == kHouse.size()) {
    return {{file.path, 0,
             "the house has no folder src/" + std::string(folder) + "/; docs/architecture.md lists those it has"}};
  }
  for (const Include& include : includes_of(file.text)) {
    if (include.system) continue;
    const std::string_view target = include.target;
    const std::string_view from = first_part(target);
    if (from == "pawl" || (is_test(file.path) && is_test_folder(from))) continue;
    if (floor_of(from) == kHouse.size()) {
      offences.push_back({file.path, include.line,
                          quoted(include) + " does not say where it is: write it from src/, as \"core/decide.h\""});
    } else if (floor_of(from) > floor_of(folder)) {
      offences.push_back({file.path, include.line,
                          std::string(folder) + "/ may not include " + quoted(include) + ": " + std::string(from) +
                              "/ stands below it in the house; hand the thing in, or move it up"});
    } else if (folder == "lifecycles" && from == "lifecycles") {
      const std::string_view mine = lifecycle_of(after_first(place));
      const std::string_view other = lifecycle_of(after_first(target));
      if (!mine.empty() && !other.empty() && mine != other) {
        offences.push_back({file.path, include.line,
                            "the lifecycle " + std::string(mine) + " may not know the lifecycle " + std::string(other) +
                                ": what they share belongs in core/"});
      }
    }
  }
  return offences;
}

Offences caged_libraries(const File& file) {
  Offences offences;
  const bool sources = file.path.starts_with(kSources) || file.path.starts_with("include/");
  if (!is_cpp(file.path) || !(sources || file.path.starts_with("tests/"))) return offences;
  for (const Include& include : includes_of(file.text)) {
    for (const Cage& cage : kCages) {
      // A test across folders may look at the database with SQLite's own eyes; how JSON is read is one for all.
      if (!sources && cage.header != "nlohmann/") continue;
      if (include.target.starts_with(cage.header) && !file.path.starts_with(cage.home)) {
        offences.push_back({file.path, include.line,
                            quoted(include) + " stays in " + std::string(cage.home) + ": " + std::string(cage.why)});
      }
    }
  }
  return offences;
}

Offences scattered_toml(const Tree& tree) {
  Offences users;
  for (const File& file : tree) {
    if (!file.path.starts_with(kSources) || !is_cpp(file.path)) continue;
    for (const Include& include : includes_of(file.text)) {
      if (include.target.starts_with("toml++/")) {
        users.push_back(
            {file.path, include.line, "toml++ is included by more than one file; settings are read in one place"});
      }
    }
  }
  return users.size() > 1 ? users : Offences();
}

Offences impure_law(const Tree& tree) {
  Offences offences;
  // A helper of base/ is as impure as what it and its implementation include. The clock is the exception: its header
  // also has Now, which the law is handed; the SystemClock it may not ask.
  const auto helper_reaches_out = [&](const std::string& header) {
    if (header == "base/clock.h") return false;
    const std::string stem = "src/" + header.substr(0, header.rfind('.'));
    return std::any_of(tree.begin(), tree.end(), [&](const File& file) {
      if (file.path != stem + ".h" && file.path != stem + ".cc") return false;
      const auto includes = includes_of(file.text);
      return std::any_of(includes.begin(), includes.end(), reaches_out);
    });
  };
  for (const File& file : tree) {
    if (!is_law(file.path)) continue;
    for (const Include& include : includes_of(file.text)) {
      const bool helper = !include.system && include.target.starts_with("base/");
      if (reaches_out(include) || (helper && helper_reaches_out(include.target))) {
        offences.push_back({file.path, include.line,
                            quoted(include) +
                                " reaches a clock, a file or the system, and the law is pure: (records, " +
                                "command, now) to events; do this in engine/ and hand the result in"});
      }
    }
    const std::string code = scan_cpp(file.text).code;
    for (const std::size_t at : find_word(code, "SystemClock")) {
      offences.push_back({file.path, line_at(code, at), "the law asks no clock: it is handed a Now"});
    }
  }
  return offences;
}

Offences heavy_public_headers(const File& file) {
  Offences offences;
  if (!file.path.starts_with("include/pawl/") || !is_cpp(file.path)) return offences;
  for (const Include& include : includes_of(file.text)) {
    const bool standard = include.system && include.target.find_first_of("./") == std::string::npos;
    const bool ours = include.target.starts_with("pawl/");
    if (!standard && !ours && include.target != "tl/expected.hpp") {
      offences.push_back({file.path, include.line,
                          quoted(include) + " in a public header is forced on everybody who uses libpawl: only the " +
                              "standard library, <tl/expected.hpp> and pawl/ itself"});
    }
  }
  return offences;
}

}  // namespace pawl::tidy
