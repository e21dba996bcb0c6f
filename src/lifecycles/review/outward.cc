#include "lifecycles/review/outward.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/review/command.h"
#include "lifecycles/review/markdown.h"

namespace pawl::review {
namespace {

constexpr std::string_view kOpen = "<!--", kClose = "-->";

// Again and again, as what is left around a comment may make another; one that is never closed takes the rest with it.
std::string stripped_of_comments(std::string text) {
  for (std::size_t open = text.find(kOpen); open != std::string::npos; open = text.find(kOpen)) {
    const std::size_t close = text.find(kClose, open + kOpen.size());
    text.erase(open, close == std::string::npos ? close : close + kClose.size() - open);
  }
  return text;
}

// The same for those that end on the line on which they begin.
std::string stripped_within_lines(std::string text) {
  for (std::size_t open = text.find(kOpen); open != std::string::npos;) {
    const std::size_t close = text.find(kClose, open + kOpen.size());
    const bool here = close != std::string::npos && text.find('\n', open) > close;
    if (here) text.erase(open, close + kClose.size() - open);
    open = text.find(kOpen, here ? 0 : open + 1);
  }
  return text;
}

// Where nobody knows what is code: only a suggestion, which becomes code as it is, is left alone.
std::string in_doubt(std::string_view text) {
  std::string out, rest;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const Fence fence = fence_in(text.substr(at, end - at));
    const bool open =
        rest.rfind(kOpen) != std::string::npos && rest.find(kClose, rest.rfind(kOpen)) == std::string::npos;
    if (text[at] == '`' && fence.info == "suggestion" && !open) {
      // Up to the line that closes it; where none does, it is none.
      const std::size_t close = text.find(cat("\n", std::string(fence.length, '`')), at);
      if (close != std::string_view::npos) {
        const std::size_t behind = std::min(text.find('\n', close + 1), text.size() - 1) + 1;
        out += stripped_of_comments(std::move(rest));
        rest.clear();
        out += text.substr(at, behind - at);
        at = behind;
        continue;
      }
    }
    rest += text.substr(at, end - at);
    at = end;
  }
  return out + stripped_of_comments(std::move(rest));
}

// What stands in HTML is no Markdown: up to a blank line, or, with some tags, to where nobody knows.
enum class Html { none, block, lasting };

Html html_begins(std::string_view words) {
  const std::size_t at = words.find_first_not_of(" \t");
  if (at == std::string_view::npos || words[at] != '<' || at + 1 == words.size()) return Html::none;
  const std::string_view tag = words.substr(at + 1);
  if (tag.starts_with("!--")) return Html::none;
  const auto is = [&](std::string_view small) {
    if (tag.size() < small.size()) return false;
    for (std::size_t i = 0; i < small.size(); ++i) {
      if ((tag[i] | 0x20) != small[i]) return false;
    }
    return true;
  };
  for (const std::string_view name : {"pre", "script", "style", "textarea"}) {
    if (is(name)) return Html::lasting;
  }
  return tag[0] == '!' || tag[0] == '?' ? Html::lasting : Html::block;
}

}  // namespace

std::string outward_text(std::string_view text) {
  std::string out;
  std::size_t said = 0;  // all before it is in `out`
  Html html = Html::none;
  MarkdownReader reader(text);
  MarkdownLine line;
  // Text between fences. False: a comment is left open in it, as one that begins in a heading can be.
  const auto say = [&](std::size_t end) {
    std::string part(text.substr(said, end - said));
    for (std::string before; before != part;) {
      before = part;
      bool open = false;
      part = stripped_within_lines(without_comments(part, &open));
      if (open) return false;
    }
    out += part;
    said = end;
    return true;
  };
  while (reader.next(line)) {
    const std::string_view words = line.span.of(text);
    if (line.kind == MarkdownLine::Kind::fence_opens) {
      // Set in, it may be a list's; under HTML it is none: then what is code and what is not cannot be told from here.
      const bool sure = words.front() != ' ' && html == Html::none;
      const std::size_t begin = line.span.begin;
      if (!sure || !say(begin)) break;
      const bool closed = reader.skip_fence(line);
      const std::size_t end = closed ? line.next : text.size();
      out += text.substr(begin, end - begin);
      said = end;
    } else if (line.kind == MarkdownLine::Kind::text) {
      if (html == Html::block && trim(words).empty()) html = Html::none;
      if (html != Html::lasting) html = std::max(html, html_begins(words));
    }
  }
  if (reader.at_end() && say(text.size())) return out;
  return out + in_doubt(text.substr(said));
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
  // What is left around a comment may look like the end of the finding.
  if (const auto body = out.find("body"); body != out.end() && body->is_string())
    *body = fit_body(body->get_ref<const std::string&>());
  return out;
}

}  // namespace pawl::review
