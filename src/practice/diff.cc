#include "practice/diff.h"

#include <charconv>

#include "base/text.h"

namespace pawl::practice {
namespace {

// "-3,4" of "@@ -3,4 +5,6 @@": the first number after `sign`.
std::int64_t number_after(std::string_view header, char sign) {
  const std::size_t at = header.find(sign);
  std::int64_t value = 0;
  if (at != std::string_view::npos) std::from_chars(header.data() + at + 1, header.data() + header.size(), value);
  return value;
}

// "a/name" or "b/name", quoted by git when it holds more than plain characters; /dev/null: none.
std::string name_in(std::string_view text) {
  if (text.ends_with('\t')) text.remove_suffix(1);
  std::string plain;
  if (text.starts_with('"') && text.ends_with('"')) {
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
      if (text[i] != '\\') {
        plain += text[i];
      } else if (i + 3 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '3') {
        int code = 0;
        std::from_chars(text.data() + i + 1, text.data() + i + 4, code, 8);
        plain += static_cast<char>(code);
        i += 3;
      } else {
        const char c = text[++i];
        plain += c == 't' ? '\t' : c == 'n' ? '\n' : c;
      }
    }
  } else {
    plain = text;
  }
  return plain == "/dev/null" || plain.size() < 2 ? std::string() : plain.substr(2);
}

void take_header(ChangedFile& file, std::string_view line) {
  if (line.starts_with("new file")) file.status = "added";
  if (line.starts_with("deleted file")) file.status = "removed";
  if (line.starts_with("rename from ")) {
    file.status = "renamed";
    file.previous_name = line.substr(12);
  }
  if (line.starts_with("rename to ")) file.name = line.substr(10);
  if (line.starts_with("index ") && line.size() >= 88) file.sha = line.substr(48, 40);
  if (line.starts_with("--- ") || line.starts_with("+++ ")) {
    const std::string name = name_in(line.substr(4));
    if (!name.empty()) file.name = name;
  }
}

}  // namespace

std::vector<ChangedFile> parse_diff(std::string_view text) {
  std::vector<ChangedFile> files;
  bool in_patch = false;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("diff --git ")) {
      files.emplace_back();
      in_patch = false;
      // The two names are alike unless it is a rename, which has lines of its own: half of what is left.
      const std::string_view names = line.substr(11);
      if (!names.starts_with('"')) files.back().name = name_in(names.substr(names.size() / 2 + 1));
      continue;
    }
    if (files.empty()) continue;
    ChangedFile& file = files.back();
    in_patch = in_patch || line.starts_with("@@ ");
    if (!in_patch) {
      take_header(file, line);
      continue;
    }
    if (line.starts_with('+')) ++file.additions;
    if (line.starts_with('-')) ++file.deletions;
    if (!line.empty()) file.patch.append(file.patch.empty() ? "" : "\n").append(line);
  }
  return files;
}

std::string hunk_at(std::string_view patch, std::int64_t wanted, std::string_view side) {
  std::string hunk;
  std::int64_t before = 0, after = 0;
  for (const std::string_view line : split(patch, '\n')) {
    if (line.starts_with("@@ ")) {
      hunk = line;
      before = number_after(line, '-');
      after = number_after(line, '+');
      continue;
    }
    hunk.append("\n").append(line);
    const bool removed = line.starts_with('-'), added = line.starts_with('+');
    if (line.starts_with('\\')) continue;
    if (side == "LEFT" ? (!added && before == wanted) : (!removed && after == wanted)) return hunk;
    before += added ? 0 : 1;
    after += removed ? 0 : 1;
  }
  return {};
}

}  // namespace pawl::practice
