#include "lifecycle/pr/defuse.h"

#include <algorithm>

#include "lifecycle/pr/block.h"
#include "lifecycle/pr/mention.h"

namespace pawl::pr {
namespace {

constexpr std::string_view kUnseen = "\u200b";  // a space without width

char ascii_small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string defused(std::string_view text, const std::vector<std::string>& names) {
  std::string out;
  out.reserve(text.size());
  bool line_start = true;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '`' || c == '~') {
      const std::size_t run = std::min(text.find_first_not_of(c, i), text.size()) - i;
      out.append(run, c);
      i += run;
      if (run >= 3) {
        const std::size_t info = std::min(text.find_first_not_of(" \t", i), text.size());
        std::string word(text.substr(info, kBlockInfo.size()));
        std::transform(word.begin(), word.end(), word.begin(), ascii_small);
        if (word == kBlockInfo) out += "text ";
      }
      line_start = false;
      continue;
    }
    if (c == '@' && mention_length(text, i, names) != 0) {
      out += c;
      out += kUnseen;
      ++i;
      continue;
    }
    if (line_start && (text.substr(i).starts_with("::") || text.substr(i).starts_with("##["))) out += kUnseen;
    if (c != ' ' && c != '\t') line_start = c == '\n' || c == '\r';
    out += c;
    ++i;
  }
  return out;
}

}  // namespace pawl::pr
