#include "lifecycles/pr/mention.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "base/letters.h"
#include "base/text.h"
#include "lifecycles/pr/block.h"

namespace pawl::pr {
namespace {

bool is_name(char c) {
  return (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

struct Found {
  std::size_t at = 0, length = 0;
};

// Where the backticks that begin at `at` end, with the code between them. A span ends with as many as it began with;
// without an end it is none.
std::size_t after_span(std::string_view text, std::size_t at) {
  const auto run_at = [&](std::size_t i) { return std::min(text.find_first_not_of('`', i), text.size()) - i; };
  const std::size_t run = run_at(at);
  for (std::size_t end = text.find('`', at + run); end != std::string_view::npos; end = text.find('`', end)) {
    const std::size_t length = run_at(end);
    end += length;
    if (length == run) return end;
  }
  return at + run;
}

// Where the paragraph ends that this line is in: so far a code span may go.
std::size_t end_of_paragraph(MarkdownLines lines, const MarkdownLine& line) {
  std::size_t end = line.begin + line.text.size();
  for (MarkdownLine next; lines.next(next) && next.continues;) end = next.begin + next.text.size();
  return end;
}

// What HTML does not show as prose, from its beginning to its end.
struct Hidden {
  std::string_view open, close;
  bool swallows;  // without an end it hides all that follows, where it begins a line; else it is text
};
constexpr std::array kHidden = {Hidden{"<!--", "-->", true}, Hidden{"<pre", "</pre>", true},
                                Hidden{"<code", "</code>", false}};

bool same_letters(std::string_view text, std::string_view wanted) {
  return text.size() >= wanted.size() &&
         std::equal(wanted.begin(), wanted.end(), text.begin(), [](char a, char b) { return a == ascii_lower(b); });
}

bool begins(std::string_view text, const Hidden& one) {
  if (!same_letters(text, one.open)) return false;
  const std::string_view rest = text.substr(one.open.size());
  return one.open.back() == '-' || rest.empty() ||
         std::string_view(" \t\r>").find(rest.front()) != std::string_view::npos;
}

std::size_t find_letters(std::string_view text, std::string_view wanted, std::size_t from) {
  for (; (from = text.find(wanted.front(), from)) != std::string_view::npos; ++from) {
    if (same_letters(text.substr(from), wanted)) return from;
  }
  return std::string_view::npos;
}

// The first mention that is shown as one: outside of `code spans`, fences, indented code, quotations, HTML's comments
// and code.
class MentionSearch {
 public:
  MentionSearch(std::string_view body, const std::vector<std::string>& names)
      : body_(body), names_(names), lines_(body, MarkdownLines::Lists::looked_into) {}

  std::optional<Found> first() {
    for (MarkdownLine line; lines_.next(line);) {
      if (line.kind != MarkdownLine::Kind::prose) continue;
      const std::size_t end = line.begin + line.text.size();
      for (std::size_t at = line.begin; at < end;) {
        if (const std::size_t length = mention_length(body_, at, names_); length != 0) return Found{at, length};
        const std::size_t after = past(line, at);
        if (after == std::string_view::npos) return std::nullopt;
        at = after;
        if (at > end) lines_.go_on_at(at);
      }
    }
    return std::nullopt;
  }

 private:
  // What is shown next; npos: nothing is.
  std::size_t past(const MarkdownLine& line, std::size_t at) {
    if (body_[at] == '`') {
      if (at >= paragraph_) paragraph_ = end_of_paragraph(lines_, line);
      return after_span(body_.substr(0, paragraph_), at);
    }
    if (body_[at] == '\\') return at + 2;  // what follows it is a character like any other
    if (body_[at] != '<') return at + 1;
    for (std::size_t i = 0; i < kHidden.size(); ++i) {
      const Hidden& one = kHidden[i];
      if (endless_[i] || !begins(body_.substr(at), one)) continue;
      const std::size_t end = find_letters(body_, one.close, at + one.open.size());
      if (end != std::string_view::npos) return end + one.close.size();
      endless_[i] = true;
      if (one.swallows && trim(line.text.substr(0, at - line.begin)).empty()) return std::string_view::npos;
    }
    return at + 1;
  }

  std::string_view body_;
  const std::vector<std::string>& names_;
  MarkdownLines lines_;
  std::size_t paragraph_ = 0;                   // its end
  std::array<bool, kHidden.size()> endless_{};  // what begins from here on has no end
};

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
      word += ascii_lower(c);
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
  constexpr std::size_t kNearWords = 5;
  const auto review = static_cast<std::size_t>(std::find_if(words.begin(), words.end(), is_review) - words.begin());
  if (review == words.size()) return false;
  if (review + 1 < words.size() && is_no(words[review + 1]) && words[review + 1] != "no") return true;
  for (std::size_t i = review - std::min(review, kNearWords); i < review; ++i) {
    if (is_no(words[i]) && !is_no_refusal(words, i)) return true;
  }
  return false;
}

// "… and tell me why", "… and explain how": an answer is wanted.
bool wants_telling(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool me = words[i] == "tell" && one_of(words[i + 1], {"me", "us"});
    if ((me || words[i] == "explain") && i + (me ? 2 : 1) < words.size() &&
        one_of(words[i + (me ? 2 : 1)], {"why", "how"}))
      return true;
  }
  return false;
}

// A part of a sentence that asks for a review, by how it begins.
bool asks_for_review(std::string_view text) {
  std::vector<std::string> words = words_of(text);
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
    // "review comments are wrong" and "review said …" speak of a review that was; "review how this works" and "review
    // my answer above" want an answer, and are questions.
    std::size_t what = 1;
    while (one_of(word(what), {"my", "the", "this", "that", "your", "our", "their", "his", "her", "last", "latest",
                               "previous", "above"}))
      ++what;
    if (one_of(word(what), {"answer", "answers", "reply", "response", "comment", "comments", "question", "questions",
                            "explanation", "argument", "remark", "remarks"}))
      return false;
    return !one_of(word(1), {"how",       "why",      "whether", "comment", "comments", "said",    "says",
                             "finding",   "findings", "was",     "is",      "did",      "does",    "mentions",
                             "mentioned", "status",   "thread",  "threads", "result",   "results", "score"});
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

}  // namespace

std::size_t mention_length(std::string_view text, std::size_t at, const std::vector<std::string>& names) {
  if (text[at] != '@') return 0;
  // Underscores around it are emphasis, and none of the name.
  const std::size_t before = at == 0 ? std::string_view::npos : text.find_last_not_of('_', at - 1);
  if (before != std::string_view::npos && (is_name(text[before]) || text[before] == '/' || text[before] == '.'))
    return 0;
  const std::string_view rest = text.substr(at + 1);
  for (const std::string& name : names) {
    if (rest.size() < name.size()) continue;
    const std::size_t behind = rest.find_first_not_of('_', name.size());
    if (behind != std::string_view::npos && is_name(rest[behind])) continue;
    if (std::equal(name.begin(), name.end(), rest.begin(),
                   [](char a, char b) { return ascii_lower(a) == ascii_lower(b); }))
      return name.size() + 1;
  }
  return 0;
}

std::optional<std::string> asked_of(std::string_view body, const std::vector<std::string>& names) {
  if (body.find('@') == std::string_view::npos) return std::nullopt;
  const auto found = MentionSearch(body, names).first();
  if (!found) return std::nullopt;
  const std::string_view behind = body.substr(found->at + found->length);
  // What was opened before the name, **@bot** or (@bot), is closed behind it.
  std::string_view after = trim(behind.substr(std::min(behind.find_first_not_of("_*~)]"), behind.size())));
  while (!after.empty() && (after.front() == ',' || after.front() == ':' || after.front() == '-'))
    after = trim(after.substr(1));
  if (has_words(after)) return std::string(after);
  const std::string around = cat(trim(body.substr(0, found->at)), trim(behind));
  if (trim(around).empty()) return std::nullopt;  // a name alone asks nothing
  return std::string(trim(around));
}

bool wants_review(std::string_view text) {
  text = text.substr(0, text.find("\n\n"));
  const std::vector<std::string> words = words_of(text);
  if (wants_telling(words) || is_declined(words)) return false;
  if (asks_for_review(text)) return true;
  // "I pushed a fix, have a look": the request may come behind what it is about, but not beside a question.
  if (text.find('?') != std::string_view::npos) return false;
  constexpr std::string_view kEnds = ",.;:!\n";
  for (std::size_t at = 0; (at = text.find_first_of(kEnds, at)) != std::string_view::npos;) {
    ++at;
    const bool ends = text[at - 1] == '\n' || (at < text.size() && (text[at] == ' ' || text[at] == '\n'));
    if (ends && asks_for_review(text.substr(at, text.find_first_of(kEnds, at) - at))) return true;
  }
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
