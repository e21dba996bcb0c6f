#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "tidy/rules.h"
#include "tidy/scan.h"

namespace pawl::tidy {
namespace {

constexpr std::size_t kMostLines = 600;

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view extension_of(std::string_view path) {
  const std::string_view name = name_of(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? std::string_view() : name.substr(dot + 1);
}

bool is_script(std::string_view path) {
  const std::string_view extension = extension_of(path);
  return extension == "sh" || extension == "bash" || extension == "bats" || path == "dev" || path.starts_with(".ci/");
}

// Files that people write and read here, as against data: an example of a broken file has every right to be broken.
bool is_written(std::string_view path) {
  const std::string_view extension = extension_of(path);
  if (is_cpp(path) || is_script(path) || extension == "cmake" || name_of(path) == "CMakeLists.txt") return true;
  if (path.starts_with("tests/")) return false;
  return extension == "md" || extension == "json" || extension == "toml" || extension == "yml" || extension == "txt" ||
         name_of(path).starts_with(".");
}

// A shell script as code: lines that are comments are blanked.
std::string without_shell_comments(std::string_view text) {
  std::string code;
  for (const Piece& line : lines_of(text)) {
    const std::size_t start = line.text.find_first_not_of(" \t");
    if (start == std::string::npos || line.text[start] != '#') code += line.text;
    code += '\n';
  }
  return code;
}

}  // namespace

bool is_cpp(std::string_view path) {
  const std::string_view extension = extension_of(path);
  return extension == "cc" || extension == "h";
}

bool is_test(std::string_view path) { return path.starts_with("tests/") || path.ends_with("_test.cc"); }

Offences banned_in_sources(const File& file) {
  Offences offences;
  if (!file.path.starts_with("src/") || !is_cpp(file.path)) return offences;
  const std::string code = scan_cpp(file.text).code;
  for (const std::size_t at : find_word(code, "std::regex")) {
    offences.push_back(
        {file.path, line_at(code, at),
         "std::regex recurses on long input and a stranger's comment can end the process: scan by hand"});
  }
  for (const Include& include : includes_of(file.text)) {
    if (include.target == "regex") {
      offences.push_back({file.path, include.line, "<regex> recurses on long input: scan by hand"});
    } else if (include.target == "iostream") {
      offences.push_back(
          {file.path, include.line,
           "<iostream> costs every start its static streams; verbs are handed their streams, doors write them"});
    }
  }
  return offences;
}

Offences sleeping_tests(const File& file) {
  Offences offences;
  const bool script = is_script(file.path) && file.path.starts_with("tests/");
  if (!script && !(is_cpp(file.path) && is_test(file.path))) return offences;
  const std::string code = script ? without_shell_comments(file.text) : scan_cpp(file.text).code;
  const std::string message =
      "a test that sleeps is slow on a fast machine and wrong on a slow one: wait for the thing itself, or hand in a "
      "clock";
  constexpr std::array<std::string_view, 6> kCalls = {"sleep",           "usleep",    "nanosleep",
                                                      "clock_nanosleep", "sleep_for", "sleep_until"};
  std::vector<std::size_t> found;
  for (const std::string_view call : kCalls) {
    for (const std::size_t at : find_word(code, call)) {
      // A call, or the shell's command with what it is given; what merely mentions the name has neither.
      const std::size_t next = std::min(code.find_first_not_of(' ', at + call.size()), code.size() - 1);
      const char c = code[next];
      const bool amount = std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '$' || c == '"';
      const bool spaced = next > at + call.size();
      if (c == '(' || (call == "sleep" && spaced && (amount || code.compare(next, 3, "inf") == 0))) found.push_back(at);
    }
  }
  std::sort(found.begin(), found.end());
  for (const std::size_t at : found) offences.push_back({file.path, line_at(code, at), message});
  return offences;
}

Offences unfinished_marks(const File& file) {
  Offences offences;
  if (!is_written(file.path)) return offences;
  for (const std::string& mark : {whole("TO|DO"), whole("FIX|ME"), whole("XX|X")}) {
    for (const std::size_t at : find_word(file.text, mark)) {
      offences.push_back(
          {file.path, line_at(file.text, at), mark + ": do it, or say in plain words what is not done and why"});
    }
  }
  return offences;
}

Offences long_files(const File& file) {
  if (!file.path.starts_with("src/") || !is_cpp(file.path)) return {};
  const std::size_t lines = lines_of(file.text).size();
  if (lines <= kMostLines) return {};
  return {{file.path, 0,
           std::to_string(lines) + " lines; more than " + std::to_string(kMostLines) +
               " are seldom one idea: find the second one and give it a file (100 to 300 is the aim)"}};
}

Offences empty_names(const File& file) {
  constexpr std::array<std::string_view, 7> kEmpty = {"util",     "utils",  "common", "manager",
                                                      "managers", "helper", "helpers"};
  Offences offences;
  for (std::size_t at = 0; at < file.path.size();) {
    const std::size_t end = std::min(file.path.find_first_of("/._-", at), file.path.size());
    const std::string_view word = std::string_view(file.path).substr(at, end - at);
    if (std::find(kEmpty.begin(), kEmpty.end(), word) != kEmpty.end()) {
      offences.push_back({file.path, 0, "“" + std::string(word) + "” names nothing: call it after what it does"});
    }
    at = end + 1;
  }
  return offences;
}

Offences bare_headers(const File& file) {
  Offences offences;
  if (extension_of(file.path) != "h") return offences;
  if (!file.text.starts_with("//")) {
    offences.push_back({file.path, 1, "a header begins with a comment that says what is here and why it exists"});
  }
  if (file.text.find("\n#pragma once\n") == std::string::npos && !file.text.starts_with("#pragma once\n")) {
    offences.push_back({file.path, 1, "#pragma once is missing"});
  }
  return offences;
}

Offences untidy_space(const File& file) {
  Offences offences;
  if (!is_written(file.path)) return offences;
  for (const Piece& line : lines_of(file.text)) {
    // Two spaces at the end of a line mean something in Markdown, though a reader cannot see them.
    if (line.text.ends_with(' ') || line.text.ends_with('\t') || line.text.ends_with('\r')) {
      offences.push_back({file.path, line.line, "white space at the end of the line"});
    }
    if (is_cpp(file.path) && line.text.find('\t') != std::string::npos) {
      offences.push_back({file.path, line.line, "a tab: two spaces here, \\t in a string"});
    }
  }
  if (!file.text.empty() && !file.text.ends_with('\n')) {
    offences.push_back({file.path, lines_of(file.text).size(), "the last line has no newline at its end"});
  }
  return offences;
}

Offences repeated_statuses(const File& file, std::span<const StatusList> lists) {
  Offences offences;
  if (!file.path.starts_with("src/") || file.path.starts_with("src/lifecycles/")) return offences;
  if (!is_cpp(file.path) || is_test(file.path)) return offences;
  const std::vector<Piece> literals = scan_cpp(file.text).literals;
  for (const StatusList& list : lists) {
    std::string found;
    std::size_t count = 0;
    std::size_t line = 0;
    for (const std::string& word : list.words) {
      const auto literal =
          std::find_if(literals.begin(), literals.end(), [&](const Piece& piece) { return piece.text == word; });
      if (literal == literals.end()) continue;
      ++count;
      line = std::max(line, literal->line);
      found += (found.empty() ? "\"" : ", \"") + word + "\"";
    }
    // One word may be a coincidence, two a special case; three that are more than half of the table are a second table.
    // (GitHub has half of a story's words for words of its own.)
    if (count >= 3 && count * 2 > list.words.size()) {
      offences.push_back({file.path, line,
                          found + ": the statuses of " + list.kind +
                              " are listed in its machine and nowhere else; ask " +
                              "the table, or give the one that is meant a name in lifecycle/" + list.kind + "/"});
    }
  }
  return offences;
}

}  // namespace pawl::tidy
