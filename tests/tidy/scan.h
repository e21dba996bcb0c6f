// Just enough reading of C++ and Markdown for the rules: no parser, but not fooled by a comment or a string either.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::tidy {

struct Piece {
  std::size_t line = 0;
  std::string text;
};

struct Include {
  std::size_t line = 0;
  std::string target;   // base/json.h
  bool system = false;  // in angle brackets
};

struct Scan {
  std::string code;             // the text with comments blanked; lines are where they were
  std::vector<Piece> literals;  // what stands between quotes, raw strings included, escapes as written
};

[[nodiscard]] Scan scan_cpp(std::string_view text);
[[nodiscard]] std::vector<Include> includes_of(std::string_view text);

[[nodiscard]] std::vector<Piece> lines_of(std::string_view text);
[[nodiscard]] std::size_t line_at(std::string_view text, std::size_t offset);

// Where `word` stands by itself, not as a part of a longer name.
[[nodiscard]] std::vector<std::size_t> find_word(std::string_view text, std::string_view word);

// Markdown: the targets of [text](target) and of "[label]: target"; what stands between `backticks`.
// Fenced blocks have neither.
[[nodiscard]] std::vector<Piece> links_of(std::string_view markdown);
[[nodiscard]] std::vector<Piece> code_spans_of(std::string_view markdown);

// "TO|DO" without the bar: how these files write the words they look for, so as not to find them in themselves.
[[nodiscard]] std::string whole(std::string_view halves);

[[nodiscard]] bool is_name_char(char c);

}  // namespace pawl::tidy
