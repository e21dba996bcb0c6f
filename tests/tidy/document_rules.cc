#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <set>

#include "tidy/rules.h"
#include "tidy/scan.h"

namespace pawl::tidy {
namespace {

constexpr std::size_t kReadmeLines = 120;
constexpr std::string_view kMap = "docs/architecture.md";

// What lies under tests/ may be another tool's file, and those are Markdown too.
bool is_document(std::string_view path) { return path.ends_with(".md") && !path.starts_with("tests/"); }

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

// "docs/formats" + "../tour.md" is "docs/tour.md"; what climbs out of the tree comes back as "..".
std::string joined(std::string_view folder, std::string_view target) {
  std::vector<std::string_view> parts;
  for (std::string_view rest : {target.starts_with('/') ? std::string_view() : folder, target}) {
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('/'), rest.size());
      const std::string_view part = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (part.empty() || part == ".") continue;
      if (part != "..") {
        parts.push_back(part);
      } else if (parts.empty()) {
        return "..";
      } else {
        parts.pop_back();
      }
    }
  }
  std::string path;
  for (const std::string_view part : parts) path.append(path.empty() ? "" : "/").append(part);
  return path;
}

std::set<std::string> folders_under_src(const Tree& tree) {
  std::set<std::string> folders;
  for (const File& file : tree) {
    if (!file.path.starts_with("src/")) continue;
    for (std::string folder = folder_of(file.path); folder != "src"; folder = folder_of(folder)) folders.insert(folder);
  }
  return folders;
}

// Does the map say "story/" or "lifecycles/story", by itself and not as the end of a longer name?
bool names_folder(std::string_view map, std::string_view folder) {
  const std::string last = std::string(folder.substr(folder.rfind('/') + 1)) + "/";
  return !find_word(map, last).empty() || !find_word(map, folder.substr(std::string_view("src/").size())).empty();
}

// A path of this tree, and not an address or somebody else's file: its first part is one of ours.
bool looks_like_path(const Tree& tree, std::string_view span) {
  if (span.find('/') == std::string_view::npos || span.find_first_of(" *{}<>()$=:") != std::string_view::npos)
    return false;
  constexpr std::array<std::string_view, 17> kOurs = {
      "src",   "include", "tests",     "docs",         "examples",   "bench",    ".ci",      "base",  "core",
      "store", "runners", "frontends", "integrations", "lifecycles", "commands", "practice", "engine"};
  const std::string_view first = span.substr(0, span.find('/'));
  return exists(tree, first) || std::find(kOurs.begin(), kOurs.end(), first) != kOurs.end();
}

// As written from the root or from src/; a name without its ending stands for the header and the source.
bool is_there(const Tree& tree, const std::string& path) {
  for (const std::string& start : {std::string(), std::string("src/")}) {
    for (const std::string_view ending : {"", ".h", ".cc"}) {
      if (exists(tree, start + path + std::string(ending))) return true;
    }
  }
  return false;
}

std::string_view command_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (std::islower(static_cast<unsigned char>(text[end])) != 0 || text[end] == '-')) ++end;
  return text.substr(at, end - at);
}

}  // namespace

Offences long_readme(const Tree& tree) {
  const File* readme = find(tree, "README.md");
  if (readme == nullptr) return {{"README.md", 0, "is missing: it is the first thing anybody reads"}};
  const std::size_t lines = lines_of(readme->text).size();
  if (lines <= kReadmeLines) return {};
  return {{"README.md", 0,
           std::to_string(lines) + " lines; at most " + std::to_string(kReadmeLines) +
               " are read to the end: move what is not for the first day to docs/"}};
}

Offences dead_links(const Tree& tree) {
  Offences offences;
  for (const File& file : tree) {
    if (!is_document(file.path)) continue;
    for (const Piece& link : links_of(file.text)) {
      const std::string target = link.text.substr(0, link.text.find('#'));
      if (target.empty() || target.find(':') != std::string::npos) continue;  // within the page, or an address
      if (!exists(tree, joined(folder_of(file.path), target))) {
        offences.push_back({file.path, link.line, "the link to " + link.text + " leads nowhere"});
      }
    }
  }
  return offences;
}

Offences unmapped_rooms(const Tree& tree) {
  const File* const map = find(tree, kMap);
  Offences found;
  for (const File& file : tree) {
    if (folder_of(file.path) != "src/engine" || !file.path.ends_with(".h")) continue;
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    const std::string room = "`" + name.substr(0, name.find('.')) + "`";
    if (map == nullptr || map->text.find(room) == std::string::npos)
      found.push_back(
          {file.path, 0, "say in " + std::string(kMap) + ", where to look in src/engine/, what is in " + room});
  }
  return found;
}

Offences unmapped_folders(const Tree& tree) {
  const File* map = find(tree, kMap);
  if (map == nullptr) return {{std::string(kMap), 0, "is missing: it says what each folder under src/ is for"}};
  Offences offences;
  for (const std::string& folder : folders_under_src(tree)) {
    if (!names_folder(map->text, folder)) {
      offences.push_back({std::string(kMap), 0, "does not say what " + folder + "/ is for"});
    }
  }
  for (const Piece& span : code_spans_of(map->text)) {
    if (looks_like_path(tree, span.text) && !is_there(tree, span.text)) {
      offences.push_back({std::string(kMap), span.line, "speaks of " + span.text + ", which does not exist"});
    }
  }
  return offences;
}

Offences unknown_dev_commands(const Tree& tree, std::string_view dev_help) {
  std::set<std::string, std::less<>> known;
  for (const Piece& line : lines_of(dev_help)) {
    if (line.text.starts_with("  ")) known.emplace(command_at(line.text, 2));
  }
  Offences offences;
  const std::string call = "./dev ";
  for (const File& file : tree) {
    if (!is_document(file.path) && !file.path.starts_with(".ci/")) continue;
    for (std::size_t at = file.text.find(call); at != std::string::npos; at = file.text.find(call, at + 1)) {
      const std::string_view command = command_at(file.text, at + call.size());
      if (!command.empty() && !known.contains(command)) {
        offences.push_back({file.path, line_at(file.text, at), "./dev help knows no command " + std::string(command)});
      }
    }
  }
  return offences;
}

Offences ci_of_its_own(const Tree& tree) {
  const std::string call = "./dev test";
  const File* run = find(tree, ".ci/run");
  if (run == nullptr) return {{".ci/run", 0, "is missing: it runs what the README tells a newcomer to run"}};
  const auto lines = lines_of(run->text);
  const bool calls = std::any_of(lines.begin(), lines.end(), [&](const Piece& line) { return line.text == call; });
  if (!calls) return {{".ci/run", 0, "does not call " + call + " as the README does: then it proves something else"}};
  const File* readme = find(tree, "README.md");
  if (readme != nullptr && readme->text.find(call) == std::string::npos) {
    return {{"README.md", 0, "does not say " + call + ", which is what .ci/run checks"}};
  }
  return {};
}

Offences machine_specifics(const File& file) {
  Offences offences;
  for (const std::string& path : {whole("/wo|rk/"), whole("/ro|ot/"), whole("/tmp/bu|ild")}) {
    for (std::size_t at = file.text.find(path); at != std::string::npos; at = file.text.find(path, at + 1)) {
      const char before = at == 0 ? ' ' : file.text[at - 1];
      // The middle of a longer path or an address is not that folder.
      if (is_name_char(before) || before == '.' || before == '-' || before == '~' || before == '}' || before == '/')
        continue;
      offences.push_back({file.path, line_at(file.text, at),
                          path + " is a folder of one machine: ask for the place, or make a temporary one"});
    }
  }
  for (const std::string& host :
       {whole("deb.deb|ian.org"), whole("security.deb|ian.org"), whole("snapshot.deb|ian.org"),
        whole("archive.ubu|ntu.com"), whole("deb.node|source.com"), whole("packages.cloud.goo|gle.com")}) {
    for (const std::size_t at : find_word(file.text, host)) {
      offences.push_back({file.path, line_at(file.text, at),
                          host + ": where packages come from is the user's choice; name the package only"});
    }
  }
  return offences;
}

}  // namespace pawl::tidy
