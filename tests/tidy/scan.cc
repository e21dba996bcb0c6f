#include "tidy/scan.h"

#include <algorithm>
#include <cctype>

namespace pawl::tidy {
namespace {

// Where the quoted thing that opens at `at` ends: behind its closing quote.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// R"x( … )x": where it ends, and what is in it.
std::size_t end_of_raw(std::string_view text, std::size_t quote, std::string_view& inside) {
  const std::size_t open = text.find('(', quote);
  if (open == std::string_view::npos) return text.size();
  const std::string closing = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
  const std::size_t close = text.find(closing, open);
  if (close == std::string_view::npos) return text.size();
  inside = text.substr(open + 1, close - open - 1);
  return close + closing.size();
}

void blank(std::string& code, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (code[i] != '\n') code[i] = ' ';
  }
}

// The lines outside of fenced blocks.
std::vector<Piece> prose_of(std::string_view markdown) {
  std::vector<Piece> prose;
  bool fenced = false;
  for (Piece& line : lines_of(markdown)) {
    const std::size_t start = line.text.find_first_not_of(' ');
    if (start != std::string::npos && line.text.compare(start, 3, "```") == 0) {
      fenced = !fenced;
    } else if (!fenced) {
      prose.push_back(std::move(line));
    }
  }
  return prose;
}

std::string without_code_spans(std::string text) {
  for (std::size_t open = text.find('`'); open != std::string::npos; open = text.find('`', open + 1)) {
    const std::size_t close = text.find('`', open + 1);
    if (close == std::string::npos) break;
    blank(text, open, close + 1);
    open = close;
  }
  return text;
}

}  // namespace

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string whole(std::string_view halves) {
  std::string word(halves);
  std::erase(word, '|');
  return word;
}

Scan scan_cpp(std::string_view text) {
  Scan scan;
  scan.code = text;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//") || rest.starts_with("/*")) {
      const bool line = rest[1] == '/';
      const std::size_t close = line ? rest.find('\n') : rest.find("*/", 2);
      const std::size_t end = close == std::string_view::npos ? text.size() : at + close + (line ? 0 : 2);
      blank(scan.code, at, end);
      at = end;
    } else if (rest.starts_with("R\"") && (at == 0 || !is_name_char(text[at - 1]))) {
      std::string_view inside;
      const std::size_t end = end_of_raw(text, at + 1, inside);
      scan.literals.push_back({line_at(text, at), std::string(inside)});
      at = end;
    } else if (rest[0] == '"') {
      const std::size_t end = end_of_quoted(text, at);
      scan.literals.push_back({line_at(text, at), std::string(text.substr(at + 1, end > at + 2 ? end - at - 2 : 0))});
      at = end;
    } else if (rest[0] == '\'' && (at == 0 || !is_name_char(text[at - 1]))) {  // 1'000 is a number
      at = end_of_quoted(text, at);
    } else {
      ++at;
    }
  }
  return scan;
}

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> includes;
  for (const Piece& line : lines_of(text)) {
    const std::string_view all = line.text;
    std::size_t at = all.find_first_not_of(" \t");
    if (at == std::string_view::npos || all[at] != '#') continue;
    at = all.find_first_not_of(" \t", at + 1);
    if (at == std::string_view::npos || !all.substr(at).starts_with("include")) continue;
    const std::size_t open = all.find_first_of("<\"", at);
    if (open == std::string_view::npos) continue;
    const std::size_t close = all.find(all[open] == '<' ? '>' : '"', open + 1);
    if (close == std::string_view::npos) continue;
    includes.push_back({line.line, std::string(all.substr(open + 1, close - open - 1)), all[open] == '<'});
  }
  return includes;
}

std::vector<Piece> lines_of(std::string_view text) {
  std::vector<Piece> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back({lines.size() + 1, std::string(text.substr(at, end - at))});
    at = end + 1;
  }
  return lines;
}

std::size_t line_at(std::string_view text, std::size_t offset) {
  return 1 +
         static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

std::vector<std::size_t> find_word(std::string_view text, std::string_view word) {
  std::vector<std::size_t> found;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_name_char(word.front()) || !is_name_char(text[at - 1]);
    const bool ends = end == text.size() || !is_name_char(word.back()) || !is_name_char(text[end]);
    if (starts && ends) found.push_back(at);
  }
  return found;
}

std::vector<Piece> links_of(std::string_view markdown) {
  std::vector<Piece> links;
  for (const Piece& line : prose_of(markdown)) {
    const std::string text = without_code_spans(line.text);
    for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      const std::size_t end = text.find_first_of(") ", at + 2);  // a title may follow the target
      if (end != std::string::npos) links.push_back({line.line, text.substr(at + 2, end - at - 2)});
    }
    const std::size_t label = text.find("]: ");
    if (text.starts_with('[') && label != std::string::npos) {
      links.push_back({line.line, text.substr(label + 3, text.find(' ', label + 3) - label - 3)});
    }
  }
  return links;
}

std::vector<Piece> code_spans_of(std::string_view markdown) {
  std::vector<Piece> spans;
  for (const Piece& line : prose_of(markdown)) {
    for (std::size_t open = line.text.find('`'); open != std::string::npos; open = line.text.find('`', open + 1)) {
      const std::size_t close = line.text.find('`', open + 1);
      if (close == std::string::npos) break;
      spans.push_back({line.line, line.text.substr(open + 1, close - open - 1)});
      open = close;
    }
  }
  return spans;
}

}  // namespace pawl::tidy
