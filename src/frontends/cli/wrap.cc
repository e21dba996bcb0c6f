#include "frontends/cli/wrap.h"

#include "base/text.h"

namespace pawl::cli {
namespace {

// The next word, with what stands in `backquotes` kept whole: a command that is broken over two lines cannot be
// copied.
std::string_view take_word(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  bool quoted = false;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (text[end] == '`') quoted = !quoted;
    if (!quoted && (text[end] == ' ' || text[end] == '\n')) break;
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

// Fills words into lines. The cursor stands at `indent`, where later lines start too.
void fill(std::string& out, std::string_view paragraph, std::size_t indent) {
  std::size_t used = indent;
  for (std::string_view word = take_word(paragraph); !word.empty(); word = take_word(paragraph)) {
    const std::size_t width = columns(word);
    if (used > indent && used + 1 + width > kHelpWidth) {
      out += '\n';
      out.append(indent, ' ');
      used = indent;
    } else if (used > indent) {
      out += ' ';
      ++used;
    }
    out += word;
    used += width;
  }
  out += '\n';
}

}  // namespace

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    if (!out.empty()) out += '\n';
    out.append(indent, ' ');
    fill(out, text.substr(0, end), indent);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
  }
  return out;
}

std::string entry(std::string_view term, std::string_view meaning, std::size_t column) {
  std::string out = cat("  ", term);
  std::size_t used = 2 + columns(term);
  if (used + 2 > column) {
    out += '\n';
    used = 0;
  }
  out.append(column - used, ' ');
  fill(out, meaning, column);
  return out;
}

}  // namespace pawl::cli
