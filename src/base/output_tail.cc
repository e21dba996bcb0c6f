#include "base/output_tail.h"

#include "base/text.h"

namespace pawl {

void OutputTail::add(std::string_view more) {
  text_ += more;
  if (text_.size() > 4 * bytes_) text_.erase(0, text_.size() - 2 * bytes_);
}

std::string OutputTail::text() const {
  const std::string clean = stripped(text_, text_.size() + bytes_);
  const std::string_view all = trim(clean);
  if (all.size() <= bytes_) return std::string(all);
  const std::string_view end = all.substr(all.size() - bytes_);
  const std::size_t line = end.find('\n');
  return cat("…\n", end.substr(line == std::string_view::npos ? 0 : line + 1));
}

std::string last_line_of(std::string_view text, std::size_t most_bytes) {
  const std::string_view all = trim(text);
  const std::size_t line = all.rfind('\n');
  return stripped(all.substr(line == std::string_view::npos ? 0 : line + 1), most_bytes);
}

}  // namespace pawl
