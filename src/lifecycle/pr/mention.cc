#include "lifecycle/pr/mention.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lifecycle/pr/block.h"

namespace pawl::pr {
namespace {

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_name(char c) { return (small(c) >= 'a' && small(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

struct Found {
  std::size_t at = 0, length = 0;
};

// Where the backticks that begin at `at` end, with the code between them. A span ends with as many as it began with;
// without an end it is none.
std::size_t after_span(std::string_view line, std::size_t at) {
  const auto run_at = [&](std::size_t i) { return std::min(line.find_first_not_of('`', i), line.size()) - i; };
  const std::size_t run = run_at(at);
  for (std::size_t end = line.find('`', at + run); end != std::string_view::npos; end = line.find('`', end)) {
    const std::size_t length = run_at(end);
    end += length;
    if (length == run) return end;
  }
  return at + run;
}

// The first mention that is shown as one: outside of `code spans`, fences, indented code, quotations and HTML comments.
std::optional<Found> first_mention(std::string_view body, const std::vector<std::string>& names) {
  constexpr std::string_view kOpen = "<!--", kClose = "-->";
  MarkdownLines lines(body);
  bool closes = true;  // a comment that begins from here on has an end
  for (MarkdownLine line; lines.next(line);) {
    if (line.kind != MarkdownLine::Kind::prose) continue;
    for (std::size_t i = 0; i < line.text.size(); ++i) {
      if (line.text[i] == '`') {
        i = after_span(line.text, i) - 1;
      } else if (closes && line.text[i] == '<' && line.text.substr(i).starts_with(kOpen)) {
        const std::size_t end = body.find(kClose, line.begin + i + kOpen.size());
        closes = end != std::string_view::npos;
        // Without an end it hides all that follows where it begins a line, and is text elsewhere.
        if (!closes && trim(line.text.substr(0, i)).empty()) return std::nullopt;
        if (!closes) continue;
        const std::size_t after = end + kClose.size();
        if (after > line.begin + line.text.size()) {
          lines.go_on_at(after);
          break;
        }
        i = after - line.begin - 1;
      } else if (const std::size_t length = mention_length(line.text, i, names); length != 0) {
        return Found{line.begin + i, length};
      }
    }
  }
  return std::nullopt;
}

bool has_words(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return is_name(c) || static_cast<unsigned char>(c) >= 0x80; });
}

std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kCurly = "\u2019";  // as telephones write don't
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool curly = text.substr(i).starts_with(kCurly);
    const char c = curly ? '\'' : text[i];
    if (curly) i += kCurly.size() - 1;
    if (is_name(c) || c == '\'') {
      word += small(c);
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
    if (words.size() > 40) return words;
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

bool one_of(const std::string& word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_review(const std::string& word) {
  return one_of(word, {"review", "reviews", "reviewing", "re-review", "rereview", "re-reviewing"});
}
bool is_no(const std::string& word) {
  return one_of(word, {"not", "no", "never", "stop", "skip", "cancel", "without", "nor", "cannot", "avoid"}) ||
         word.ends_with("n't") || one_of(word, {"dont", "doesnt", "wont", "isnt"});
}

// "don't forget to review" asks for one.
bool is_no_refusal(const std::vector<std::string>& words, std::size_t no) {
  return no + 1 < words.size() && one_of(words[no + 1], {"forget", "hesitate", "only", "just"});
}

// "do not review", "no further review", "stop the review", "review not needed": a no shortly before the review that it
// is about, or right behind it.
bool is_declined(const std::vector<std::string>& words) {
  constexpr std::size_t kNear = 5;
  const auto review = static_cast<std::size_t>(std::find_if(words.begin(), words.end(), is_review) - words.begin());
  if (review == words.size()) return false;
  if (review + 1 < words.size() && is_no(words[review + 1]) && words[review + 1] != "no") return true;
  for (std::size_t i = review - std::min(review, kNear); i < review; ++i) {
    if (is_no(words[i]) && !is_no_refusal(words, i)) return true;
  }
  return false;
}

}  // namespace

std::size_t mention_length(std::string_view text, std::size_t at, const std::vector<std::string>& names) {
  if (text[at] != '@' || (at > 0 && (is_name(text[at - 1]) || text[at - 1] == '/' || text[at - 1] == '.'))) return 0;
  for (const std::string& name : names) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.size() < name.size() || (rest.size() > name.size() && is_name(rest[name.size()]))) continue;
    if (std::equal(name.begin(), name.end(), rest.begin(), [](char a, char b) { return small(a) == small(b); }))
      return name.size() + 1;
  }
  return 0;
}

std::optional<std::string> asked_of(std::string_view body, const std::vector<std::string>& names) {
  if (body.find('@') == std::string_view::npos) return std::nullopt;
  const auto found = first_mention(body, names);
  if (!found) return std::nullopt;
  std::string_view after = trim(body.substr(found->at + found->length));
  while (!after.empty() && (after.front() == ',' || after.front() == ':' || after.front() == '-'))
    after = trim(after.substr(1));
  if (has_words(after)) return std::string(after);
  return std::string(trim(cat(trim(body.substr(0, found->at)), after)));
}

bool wants_review(std::string_view text) {
  std::vector<std::string> words = words_of(text.substr(0, text.find("\n\n")));
  if (is_declined(words)) return false;
  // Manners and names in front say nothing about what is wanted.
  std::size_t at = 0;
  while (at < words.size() &&
         one_of(words[at], {"please", "pls", "plz", "kindly", "hey",   "hi",   "hello", "ok",    "okay", "thanks",
                            "now",    "and", "can", "could",  "would", "will", "you",   "just",  "then", "also",
                            "i",      "i'd", "we",  "want",   "need",  "like", "to",    "let's", "us",   "lets"}))
    ++at;
  if (at < words.size() && is_no(words[at]) && is_no_refusal(words, at)) at += 2;
  if (at < words.size() && words[at] == "to") ++at;
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
  if (words.empty()) return false;
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
  const std::string& first = words.front();
  if (one_of(first, {"re-review", "rereview"})) return true;
  if (first == "review") {
    // "review comments are wrong" and "review said …" speak of a review that was.
    return !one_of(word(1), {"comment", "comments", "said", "says", "finding", "findings", "was", "is", "did", "does",
                             "mentions", "mentioned", "status", "thread", "threads", "result", "results", "score"});
  }
  // "do another full review", "run a review", "give this a review", "take another look", "have a look again"
  if (one_of(first, {"do", "run", "start", "give", "make", "perform", "trigger", "redo", "restart", "rerun", "re-run",
                     "request", "requesting"})) {
    const std::size_t until = std::min<std::size_t>(words.size(), 7);
    return std::any_of(words.begin() + 1, words.begin() + static_cast<std::ptrdiff_t>(until),
                       [](const std::string& one) {
                         return one_of(one, {"review", "re-review", "rereview"});
                       });
  }
  if (one_of(first, {"take", "have"}))
    return one_of(word(1), {"a", "another", "one", "an"}) && (word(2) == "look" || word(3) == "look");
  if (first == "look") return one_of(word(1), {"again", "over", "this"}) && text.find('?') == std::string_view::npos;
  if (first == "check")
    return one_of(word(1), {"again", "this"}) &&
           one_of(words.back(), {"again", "pr", "change", "changes", "request", "code"});
  return false;
}

std::string text_hash(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const std::uint64_t half : {hash.high64, hash.low64}) {
    for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[(half >> static_cast<unsigned>(shift)) & 15U];
  }
  return out;
}

}  // namespace pawl::pr
