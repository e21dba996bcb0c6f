#include "lifecycles/pr/defuse.h"

#include <algorithm>

#include "base/letters.h"
#include "lifecycles/pr/block.h"
#include "lifecycles/pr/mention.h"

namespace pawl::pr {
namespace {

constexpr std::string_view kUnseen = "\u200b";  // a space without width

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
        if (ascii_lower(text.substr(info, kBlockInfo.size())) == kBlockInfo) out += "text ";
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
