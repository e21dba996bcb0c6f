// Texts that say where work was done: a reviewer's word, and what a pull request says that it closes. Written by
// people; read by the letter, so that nothing counts by accident.
#include <algorithm>
#include <array>
#include <cctype>

#include "base/letters.h"
#include "base/markdown.h"
#include "base/text.h"
#include "lifecycles/story/pull_facts.h"

namespace pawl::story {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

// "#12", "o/r#12", "https://host/o/r/pull/12": the reference at the beginning of the text; "" when there is none.
std::string_view reference_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && !std::isspace(static_cast<unsigned char>(text[end]))) ++end;
  std::string_view word = text.substr(0, end);
  while (!word.empty() && std::string_view(".,;:!?)").find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  std::size_t digits = word.size();
  while (digits > 0 && is_digit(word[digits - 1])) --digits;
  if (digits == word.size() || digits == 0) return {};
  const std::string_view before = word.substr(0, digits);
  if (before.ends_with('#')) {
    const std::string_view repo = before.substr(0, before.size() - 1);
    const bool plain = std::all_of(repo.begin(), repo.end(), [](char c) { return is_word(c) || c == '/' || c == '.'; });
    return plain && (repo.empty() || std::count(repo.begin(), repo.end(), '/') == 1) ? word : std::string_view();
  }
  const bool address = before.starts_with("https://") && (before.ends_with("/pull/") || before.ends_with("/issues/"));
  return address ? word : std::string_view();
}

// The issue that a reference means, when it is one of this repository.
std::int64_t number_in(std::string_view reference, std::string_view repo) {
  const std::size_t at = reference.find_last_not_of("0123456789");
  const std::int64_t number = parse_positive(reference.substr(at + 1)).value_or(0);
  const std::string_view before = reference.substr(0, at + 1);
  if (before == "#") return number;
  const std::string name = ascii_lower(repo);
  const std::string place = ascii_lower(before);
  if (place == cat(name, "#")) return number;
  return place.ends_with(cat("/", name, "/issues/")) || place.ends_with(cat("/", name, "/pull/")) ? number : 0;
}

constexpr std::array<std::string_view, 6> kElsewhere = {"done elsewhere", "already done",        "duplicate of",
                                                        "superseded by",  "already implemented", "already fixed"};

// What may stand between these words and the name of a pull request or a commit.
constexpr std::array<std::string_view, 10> kBetween = {"in", "by",   "with",    "via",    "see",
                                                       "pr", "pull", "request", "commit", "at"};

// A commit: seven hexadecimal digits at least, one of them a digit, or an address that ends so.
bool is_commit(std::string_view word) {
  if (word.starts_with("https://")) {
    const std::size_t at = word.rfind("/commit/");
    return at != std::string_view::npos && is_commit(word.substr(at + 8));
  }
  return word.size() >= 7 && word.size() <= 64 &&
         word.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         std::any_of(word.begin(), word.end(), is_digit);
}

// Where a line says that it was done: right behind the words, and as a statement. "" when it does not.
std::string where_in(std::string_view line) {
  const std::string low = ascii_lower(line);
  for (const std::string_view words : kElsewhere) {
    if (!low.starts_with(words)) continue;
    std::string_view rest = line.substr(words.size());
    if (!rest.empty() && is_word(rest.front())) continue;
    while (true) {
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t:(,"), rest.size()));
      std::size_t end = 0;
      while (end < rest.size() && is_word(rest[end])) ++end;
      const std::string word = ascii_lower(rest.substr(0, end));
      if (end == 0 || std::find(kBetween.begin(), kBetween.end(), word) == kBetween.end()) break;
      rest.remove_prefix(end);
    }
    std::string_view found = reference_at(rest);
    if (found.find("/issues/") != std::string_view::npos) return {};  // a plan, and nothing that was done
    if (found.empty()) {
      found = rest.substr(0, std::min(rest.find_first_of(" \t.,;!?)"), rest.size()));
      if (!is_commit(found)) return {};
    }
    rest.remove_prefix(found.size());
    // The sentence ends here: what goes on ("#8 for one part", "#8?") says something else.
    rest.remove_prefix(std::min(rest.find_first_not_of(")"), rest.size()));
    const bool ends = rest.empty() || ((rest.front() == '.' || rest.front() == '!') &&
                                       (rest.size() == 1 || rest[1] == ' ' || rest[1] == ')'));
    return ends ? std::string(found) : std::string();
  }
  return {};
}

// An id that could be any word or number names nothing.
bool names(std::string_view text, std::string_view id) {
  const bool telling =
      id.size() >= 3 && std::any_of(id.begin(), id.end(), is_digit) && !std::all_of(id.begin(), id.end(), is_digit);
  if (!telling) return false;
  for (std::size_t at = text.find(id); at != std::string_view::npos; at = text.find(id, at + 1)) {
    const bool before = at == 0 || !is_word(text[at - 1]);
    const std::size_t end = at + id.size();
    if (before && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

bool line_closes(std::string_view text, std::string_view repo, std::int64_t issue) {
  constexpr std::array<std::string_view, 9> kWords = {"close", "closes",  "closed",   "fix",     "fixes",
                                                      "fixed", "resolve", "resolves", "resolved"};
  const std::string low = ascii_lower(text);
  for (std::size_t at = 0; at < low.size();) {
    if (!std::isalpha(static_cast<unsigned char>(low[at]))) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < low.size() && is_word(low[end])) ++end;
    const bool closing =
        std::find(kWords.begin(), kWords.end(), std::string_view(low).substr(at, end - at)) != kWords.end();
    at = end;
    if (!closing) continue;
    std::size_t from = end < low.size() && low[end] == ':' ? end + 1 : end;
    while (from < low.size() && (low[from] == ' ' || low[from] == '\t')) ++from;
    if (from == end) continue;
    const std::string_view reference = reference_at(std::string_view(low).substr(from));
    if (!reference.empty() && number_in(reference, repo) == issue) return true;
  }
  return false;
}

}  // namespace

std::optional<Elsewhere> done_elsewhere(const PullFacts& facts) {
  std::optional<Elsewhere> found;
  for (const Said& said : facts.said) {
    if (!said.trusted || said.ours || !said.path.empty()) continue;
    for (const std::string& line : markdown::spoken_lines(said.body)) {
      std::string where = where_in(line);
      if (where.empty()) continue;
      const std::int64_t number = number_in(where, facts.repo);
      const bool there = std::find(facts.not_there.begin(), facts.not_there.end(), number) == facts.not_there.end();
      // Itself is nowhere else.
      if (number != facts.number && there)
        found = Elsewhere{said.author, said.association, said.url, std::move(where), number};
    }
  }
  return found;
}

bool closes_issue(std::string_view text, std::string_view repo, std::int64_t issue) {
  const auto lines = markdown::spoken_lines(text);
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line_closes(line, repo, issue); });
}

std::string addresses_story(const PullFacts& facts, std::string_view id, const Json& doc) {
  const std::int64_t issue = integer_or(doc, "issueNumber");
  if (issue > 0 && (closes_issue(facts.body, facts.repo, issue) || closes_issue(facts.title, facts.repo, issue)))
    return cat("it says that it closes #", issue);
  const auto lines = markdown::spoken_lines(facts.body);
  const bool named = names(facts.title, id) ||
                     std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return names(line, id); });
  return named ? cat("it names ", id) : std::string();
}

}  // namespace pawl::story
