#include "base/fold.h"

#include <algorithm>

#include "base/columns.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kFurtherIn = 4;
constexpr std::string_view kCommand = "pawl ";

// Colour takes no room: "\x1b[31m".
std::string without_color(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b') {
      const std::size_t end = text.find('m', at);
      if (end == std::string_view::npos) break;
      at = end;
    } else {
      out += text[at];
    }
  }
  return out;
}

// Where lines that go on begin.
std::size_t hang_of(const std::string& bare, std::size_t width) {
  const std::size_t indent = std::min(bare.find_first_not_of(' '), bare.size());
  const std::size_t gap = bare.find("  ", indent);
  if (gap != std::string::npos) {
    const std::size_t second = bare.find_first_not_of(' ', gap);
    if (second != std::string::npos) {
      const std::size_t column = columns_of(std::string_view(bare).substr(0, second));
      if (column <= width / 2) return column;
    }
  }
  return indent + kFurtherIn <= width / 2 ? indent + kFurtherIn : 0;
}

constexpr std::string_view kComment = "  # ";

// One thing to be typed: what has a second column is none.
bool is_one_thing(const std::string& bare) {
  const std::size_t indent = bare.find_first_not_of(' ');
  return indent != std::string::npos && indent > 0 && bare.find("  ", indent) == std::string::npos &&
         bare.find("; pawl ") == std::string::npos;
}

bool is_command(const std::string& bare) {
  return is_one_thing(bare) && std::string_view(bare).substr(bare.find_first_not_of(' ')).starts_with(kCommand);
}

// Japanese, Chinese, a row of emoji: longer in bytes than in signs, and some of them two columns wide.
bool has_wide(std::string_view word) {
  while (!word.empty()) {
    if (bytes_within(word, 1) == 0) return true;
    word.remove_prefix(bytes_within(word, 1));
  }
  return false;
}

constexpr std::string_view kMark = "# ";

// A line of advice that is nothing but a comment.
bool is_comment(const std::string& bare) {
  const std::size_t indent = bare.find_first_not_of(' ');
  return indent != std::string::npos && indent > 0 && std::string_view(bare).substr(indent).starts_with(kMark);
}

void fold_line(std::string& out, std::string_view line, std::size_t width) {
  const std::string bare = without_color(line);
  if (columns_of(bare) <= width || is_command(bare)) {
    out += line;
    return;
  }
  // What a command does goes below it: pasted with it, it is a comment there too.
  if (const std::size_t comment = bare.find(kComment);
      comment != std::string::npos && is_one_thing(bare.substr(0, comment))) {
    const std::size_t indent = bare.find_first_not_of(' ');
    out += cat(bare.substr(0, comment), "\n");
    fold_line(out, cat(std::string(indent, ' '), bare.substr(comment)), width);
    return;
  }
  // And a comment is one to its end: what goes on without its mark would be run.
  std::string goes_on = is_comment(bare) ? cat(std::string(bare.find_first_not_of(' '), ' '), kMark)
                                         : std::string(hang_of(bare, width), ' ');
  if (goes_on.size() > width / 2) goes_on = is_comment(bare) ? std::string(kMark) : std::string();  // room for words
  const std::size_t hang = goes_on.size();
  std::size_t used = 0;
  bool begun = false;  // this line of the screen has a word
  while (!line.empty()) {
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = std::min(line.find(' ', blanks), line.size());
    std::string_view word = line.substr(blanks, end - blanks);
    std::size_t columns = columns_of(without_color(word));
    const bool breaks = hang + columns > width && word.find('\x1b') == std::string_view::npos && has_wide(word);
    if (breaks) {
      // Where this line still has room for some of it, it begins here.
      const bool room = used + blanks < width;
      out.append(room ? blanks : 0, ' ');
      used = room ? used + blanks : width;
      while (used + columns > width) {
        const std::size_t fits = used < width ? bytes_within(word, width - used) : 0;
        if (fits == 0 && used == hang) break;  // not one sign of it has room in any line
        out += cat(word.substr(0, fits), "\n", goes_on);
        word.remove_prefix(fits);
        columns = columns_of(word);
        used = hang;
      }
    } else if (begun && used + blanks + columns > width) {
      out += cat("\n", goes_on);
      used = hang;
    } else {
      out.append(blanks, ' ');
      used += blanks;
    }
    out += word;
    used += columns;
    begun = begun || columns > 0;
    line.remove_prefix(end);
  }
}

}  // namespace

std::size_t rows_of(std::string_view line, std::size_t width) {
  const std::size_t columns = columns_of(without_color(line));
  return width == 0 || columns == 0 ? 1 : (columns + width - 1) / width;
}

std::string folded(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    fold_line(out, text.substr(0, end), width);
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace pawl
