#include "lifecycle/review/outward.h"

#include "base/text.h"
#include "lifecycle/review/markdown.h"

namespace pawl::review {
namespace {

constexpr std::string_view kOpen = "<!--", kClose = "-->", kSuggestion = "```suggestion";

// Again and again, as what is left around a comment may make another; one that is never closed takes the rest with it.
std::string stripped_of_comments(std::string text) {
  for (std::size_t open = text.find(kOpen); open != std::string::npos; open = text.find(kOpen)) {
    const std::size_t close = text.find(kClose, open + kOpen.size());
    text.erase(open, close == std::string::npos ? close : close + kClose.size() - open);
  }
  return text;
}

// Where a suggestion ends: behind the line that closes its fence; npos where none does.
std::size_t end_of_suggestion(std::string_view text, std::size_t begin) {
  const std::size_t close = text.find("\n```", begin + kSuggestion.size());
  if (close == std::string_view::npos) return close;
  const std::size_t line_end = text.find('\n', close + 1);
  return line_end == std::string_view::npos ? text.size() : line_end + 1;
}

}  // namespace

std::string outward_text(std::string_view text) {
  const std::string plain = without_comments(text);  // takes the line along where nothing else stands on it
  std::string_view rest = plain;
  std::string out;
  while (true) {
    std::size_t begin = rest.starts_with(kSuggestion) ? 0 : rest.find(cat("\n", kSuggestion));
    if (begin != std::string_view::npos && begin + 1 < rest.size() && rest[begin] == '\n') ++begin;
    const std::size_t end = begin == std::string_view::npos ? begin : end_of_suggestion(rest, begin);
    // A comment that is open before the fence swallows it: then there is no suggestion.
    const bool open = begin != std::string_view::npos && rest.substr(0, begin).rfind(kOpen) != std::string_view::npos &&
                      rest.substr(0, begin).find(kClose, rest.substr(0, begin).rfind(kOpen)) == std::string_view::npos;
    if (end == std::string_view::npos || open) return out + stripped_of_comments(std::string(rest));
    out += stripped_of_comments(std::string(rest.substr(0, begin)));
    out += rest.substr(begin, end - begin);
    rest.remove_prefix(end);
  }
}

Json outward(const Json& finding) {
  Json out = finding;
  // A comment that begins before the text goes on in it.
  bool open = false;
  for (const char* member : {"title", "category", "file"}) {
    const std::string text = string_or(out, member);
    const std::size_t begin = text.rfind(kOpen);
    open = open || (begin != std::string::npos && text.find(kClose, begin) == std::string::npos);
  }
  if (const std::string body = string_or(out, "body"); open && body.find(kClose) != std::string::npos)
    out["body"] = body.substr(body.find(kClose) + kClose.size());
  for (const char* member : {"title", "category", "file", "body"}) {
    const auto found = out.find(member);
    if (found != out.end() && found->is_string())
      *found = std::string(trim(outward_text(found->get_ref<const std::string&>())));
  }
  return out;
}

}  // namespace pawl::review
