// Everything that pawl says when it refuses or fails, read from the sources as one list. It is printed, so that whoever
// adds one sees it among the others; and held to a few rules of plain speech.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <vector>

#include "base/text.h"
#include "support/binary.h"
#include "support/paths.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

struct Said {
  std::string file, text;
};

// The source without its comments, and the literals in it: where each begins, where it ends, what it says.
struct Literal {
  std::size_t from = 0, to = 0;
  std::string text;
};
struct Source {
  std::string name, code;
  std::vector<Literal> literals;
};

Source read_source(const std::string& name, const std::string& code) {
  Source out{name, code, {}};
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.compare(i, 2, "//") == 0) {
      i = std::min(code.find('\n', i), code.size());
    } else if (code.compare(i, 2, "R\"") == 0) {
      const std::size_t open = code.find('(', i);
      const std::string close = cat(")", code.substr(i + 2, open - i - 2), "\"");
      const std::size_t end = code.find(close, open);
      out.literals.push_back({i, end + close.size(), code.substr(open + 1, end - open - 1)});
      i = end + close.size() - 1;
    } else if (code[i] == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(code[i - 1])) == 0)) {
      i = code.find('\'', i + (code[i + 1] == '\\' ? 3 : 2));
    } else if (code[i] == '"') {
      std::size_t end = i + 1;
      while (end < code.size() && code[end] != '"') end += code[end] == '\\' ? 2 : 1;
      out.literals.push_back({i, end + 1, code.substr(i + 1, end - i - 1)});
      i = end;
    }
  }
  return out;
}

std::vector<Source> sources() {
  std::vector<Source> out;
  const fs::path root = fs::path(PAWL_SOURCE_DIR) / "src";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string name = fs::relative(entry.path(), root);
    if ((!name.ends_with(".cc") && !name.ends_with(".h")) || name.ends_with("_test.cc")) continue;
    out.push_back(read_source(name, read_all(entry.path()).value_or("")));
  }
  std::sort(out.begin(), out.end(), [](const Source& a, const Source& b) { return a.name < b.name; });
  return out;
}

// The literals in the arguments of the call that opens at `open`, with … for what is filled in.
std::string call_text(const Source& source, std::size_t open) {
  std::string text;
  int depth = 1;
  std::size_t at = open + 1;
  bool gap = false;
  while (at < source.code.size() && depth > 0) {
    const auto literal = std::find_if(source.literals.begin(), source.literals.end(),
                                      [&](const Literal& one) { return one.from == at; });
    if (literal != source.literals.end()) {
      text += cat(gap && !text.empty() ? "…" : "", literal->text);
      gap = false;
      at = literal->to;
      continue;
    }
    const char c = source.code[at++];
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) gap = true;
  }
  return text;
}

std::vector<Said> all_errors(const std::vector<Source>& all) {
  std::vector<Said> out;
  for (const Source& source : all) {
    for (const std::string_view call : {"fail(", "Error{"}) {
      for (std::size_t at = source.code.find(call); at != std::string::npos; at = source.code.find(call, at + 1)) {
        if (at > 0 &&
            (std::isalnum(static_cast<unsigned char>(source.code[at - 1])) != 0 || source.code[at - 1] == '_'))
          continue;
        std::string text = call_text(source, at + call.size() - 1);
        if (text.find(' ') != std::string::npos) out.push_back({source.name, std::move(text)});
      }
    }
  }
  return out;
}

// Whole words, in any case.
bool says(std::string_view text, std::string_view word) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto is_letter = [&](std::size_t at) {
    return at < lower.size() && (std::isalpha(static_cast<unsigned char>(lower[at])) != 0 || lower[at] == '_');
  };
  for (std::size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1)) {
    if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
  }
  return false;
}

TEST(Messages, EveryErrorReadsWellAsAList) {
  const auto errors = all_errors(sources());
  EXPECT_GT(errors.size(), 400U) << "the list is read from the sources, and they have more";
  for (const Said& one : errors) {
    std::cout << one.file << ": " << one.text << "\n";
    if (one.file.starts_with("practice/")) continue;  // speaks as GitHub does
    EXPECT_FALSE(one.text.ends_with('.') || one.text.ends_with('!')) << one.file << ": " << one.text;
    for (const std::string_view word : {"invalid", "can not", "unable", "illegal", "oops", "sorry", "simply", "rm"})
      EXPECT_FALSE(says(one.text, word)) << "“" << word << "” in " << one.file << ": " << one.text;
  }
}

TEST(Messages, TheWordsOfTheWorkshopStayInIt) {
  constexpr std::array kWords = {"absorb",   "absorbed", "absorbs", "mirror", "mirrors",
                                 "mirrored", "forge",    "door",    "doors"};
  for (const Source& source : sources()) {
    if (source.name.starts_with("store/sqlite/")) continue;  // SQL
    for (const Literal& literal : source.literals) {
      if (literal.text.find(' ') == std::string::npos) continue;  // a name, not a sentence
      for (const std::string_view word : kWords)
        EXPECT_FALSE(says(literal.text, word)) << "“" << word << "” in " << source.name << ": " << literal.text;
    }
  }
}

}  // namespace
}  // namespace pawl::test
