#include "lifecycles/review/spoken_line.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/text.h"

namespace pawl::review {
namespace {

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_number(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_number(c); }

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Other ways to write the three signs, each in small letters.
struct OtherSign {
  std::string_view written;
  std::size_t severity;
};
constexpr std::array kOtherSigns = {
    OtherSign{":red_circle:", 0}, OtherSign{"&#128308;", 0},       OtherSign{"&#x1f534;", 0},
    OtherSign{"\U0001F7E5", 0},   OtherSign{"\U0001F6A8", 0},      OtherSign{"\U0001F6D1", 0},
    OtherSign{"\u26D4", 0},       OtherSign{":yellow_circle:", 1}, OtherSign{":large_yellow_circle:", 1},
    OtherSign{"&#128993;", 1},    OtherSign{"&#x1f7e1;", 1},       OtherSign{"\U0001F7E8", 1},
    OtherSign{"\U0001F7E0", 1},   OtherSign{":green_circle:", 2},  OtherSign{":large_green_circle:", 2},
    OtherSign{"&#128994;", 2},    OtherSign{"&#x1f7e2;", 2},       OtherSign{"\U0001F7E9", 2},
};

// Blanks of any sort are one, and so is what joins words or makes them stand out.
std::string smoothed(std::string_view line) {
  std::string text(line);
  for (const Severity& one : kSeverities) replace_all(text, one.damaged, one.sign);
  text = in_small_letters(text);
  for (const OtherSign& one : kOtherSigns) replace_all(text, one.written, kSeverities[one.severity].sign);
  replace_all(text, "&nbsp;", " ");
  std::string out;
  const auto blank = [&] {
    if (!out.empty() && out.back() != ' ') out += ' ';
  };
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    const std::size_t length = std::max<std::size_t>(1, c.length);
    const bool unseen = (c.value >= 0x200B && c.value <= 0x200F) || c.value == 0x2060 || c.value == 0xFEFF ||
                        c.value == 0xFE0F || c.value == 0xAD;
    const bool wide_blank = c.value == 0xA0 || (c.value >= 0x2000 && c.value <= 0x200A) || c.value == 0x202F ||
                            c.value == 0x3000 || (c.value >= 0x2010 && c.value <= 0x2015);
    if (c.value >= 0xFF01 && c.value <= 0xFF5E) {  // the wide forms of ASCII
      out += in_small_letters(std::string(1, static_cast<char>(c.value - 0xFEE0)));
    } else if (wide_blank || (length == 1 && std::string_view(" \t\r-_").find(text[at]) != std::string_view::npos)) {
      blank();
    } else if (!unseen && !(length == 1 && (text[at] == '*' || text[at] == '`' || text[at] == '~'))) {
      out += text.substr(at, length);
    }
    at += length;
  }
  return std::string(trim(out));
}

const Severity* sign_at(std::string_view words) {
  for (const Severity& one : kSeverities) {
    if (words.starts_with(one.sign)) return &one;
  }
  return nullptr;
}

const Severity* name_at(std::string_view words) {
  for (const Severity& one : kSeverities) {
    if (words.starts_with(in_small_letters(one.name))) return &one;
  }
  return nullptr;
}

// Where the words begin: behind signs, tags, the number of an entry and pictures that are no severity's.
std::size_t first_word(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::string_view left = text.substr(at);
    if (left.starts_with("x]")) {  // of a box
      at += 2;
    } else if (c == '<' && left.size() > 1 && (is_letter(left[1]) || left[1] == '/')) {
      const std::size_t end = left.find('>');
      if (end == std::string_view::npos) return at;
      at += end + 1;
    } else if (is_number(c)) {
      std::size_t end = at;
      while (end < text.size() && is_number(text[end])) ++end;
      if (end == text.size() || (text[end] != '.' && text[end] != ')') ||
          (end + 1 < text.size() && text[end + 1] != ' '))
        return at;
      at = end + 1;
    } else if (is_letter(c)) {
      return at;
    } else if (static_cast<unsigned char>(c) < 0x80) {
      ++at;
    } else {
      const CodePoint point = decode_utf8(text, at);
      if (sign_at(left) != nullptr || (point.length != 0 && point.value < 0x2000)) return at;
      at += std::max<std::size_t>(1, point.length);
    }
  }
  return text.size();
}

std::vector<std::string_view> letters_in(std::string_view words) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t end = at;
    while (end < words.size() && is_word(words[end])) ++end;
    if (end > at) out.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

bool is_near(std::string_view word, std::string_view meant) {
  const std::array one = {meant};
  return word.size() + 1 >= meant.size() - meant.size() / 4 && word.size() <= meant.size() + 2 &&
         nearest(word, one).has_value();
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_zero(std::string_view word) {
  constexpr std::array<std::string_view, 5> kNone = {"no", "0", "none", "zero", "without"};
  return is_one_of(word, kNone);
}

// "core/engine.c:42"
bool begins_with_line_of_file(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" *_`[(");
  if (begin == std::string_view::npos) return false;
  const std::string_view word = text.substr(begin, text.find(' ', begin) - begin);
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view number = word.substr(colon + (word.substr(colon + 1).starts_with('L') ? 2 : 1));
  return !number.empty() && is_number(number.front()) && word.substr(0, colon).find_first_of("./") != std::string::npos;
}

}  // namespace

SpokenLine spoken_line(std::string_view line) {
  SpokenLine out;
  std::size_t at = line.find_first_not_of(" \t");
  at = at == std::string_view::npos ? line.size() : at;
  out.set_in = at >= 4 || line.substr(0, at).find('\t') != std::string_view::npos;
  std::string_view left = line.substr(at);
  while (left.starts_with('>')) {
    out.quoted = true;
    left = trim(left.substr(1));
  }
  out.comment = left.starts_with("<!--");
  out.in_diff = left.size() > 1 && (left.front() == '+' || left.front() == '-') && left[1] != ' ';
  if (!left.starts_with("**") && (left.starts_with("- ") || left.starts_with("* ") || left.starts_with("+ ") ||
                                  left.starts_with('|') || (!left.empty() && is_number(left.front())))) {
    out.listed = true;
    left = trim(left.substr(std::min(left.size(), left.find_first_not_of("-*+|0123456789.) "))));
  }
  const std::string small = in_small_letters(left.substr(0, 3));
  out.heading = left.starts_with('#') || small.starts_with("<h") || small == "<su";
  out.bold = left.starts_with("**") || left.starts_with("__") || small == "<b>" || small == "<st";
  out.place = begins_with_line_of_file(left);
  const std::string smooth = smoothed(line);
  out.words = smooth.substr(first_word(smooth));
  out.sign = sign_at(out.words);
  std::string_view rest = out.words;
  if (out.sign != nullptr) {
    rest.remove_prefix(out.sign->sign.size());
    rest.remove_prefix(first_word(rest));
  }
  if (!rest.empty() && std::string_view("hml").find(rest.front()) != std::string_view::npos) {
    std::size_t end = 1;
    while (end < rest.size() && is_number(rest[end])) ++end;
    if (end > 1 && (end == rest.size() || !is_letter(rest[end]))) {
      rest.remove_prefix(end);
      rest.remove_prefix(first_word(rest));
    }
  }
  out.rest = rest;
  out.name = name_at(out.rest);
  return out;
}

int severities_in(const SpokenLine& line) {
  return static_cast<int>(std::count_if(kSeverities.begin(), kSeverities.end(), [&](const Severity& one) {
    return line.has(one.sign) || line.has(in_small_letters(one.name));
  }));
}

bool calls_for_action(const SpokenLine& line) {
  const auto words = letters_in(line.words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool joined = words[i].starts_with("actionrequired");
    if (!joined && (i + 1 == words.size() || !is_near(words[i], "action") || !is_near(words[i + 1], "required")))
      continue;
    const std::size_t behind = i + (joined ? 1 : 2);
    const bool none = (i > 0 && is_zero(words[i - 1])) || (behind < words.size() && is_zero(words[behind]));
    if (!none) return true;
  }
  return false;
}

bool only_counts(const SpokenLine& line) {
  constexpr std::array<std::string_view, 14> kNeutral = {"action",   "required", "recommended", "minor", "finding",
                                                         "findings", "total",    "count",       "and",   "no",
                                                         "none",     "so",       "far",         "yet"};
  bool number = false;
  for (const std::string_view word : letters_in(line.words)) {
    const bool counts = std::all_of(word.begin(), word.end(), is_number);
    number = number || counts || is_zero(word);
    if (!counts && !is_one_of(word, kNeutral)) return false;
  }
  return number;
}

bool grades(const SpokenLine& line) {
  constexpr std::array<std::string_view, 16> kGrades = {
      "critical", "blocker", "blocking", "severe", "major",         "fatal", "recommended", "minor",
      "trivial",  "nit",     "nitpick",  "defect", "vulnerability", "p0",    "p1",          "p2"};
  // Of these a sentence may be begun with.
  constexpr std::array<std::string_view, 11> kWithMark = {"high", "medium", "moderate", "low",      "severity", "bug",
                                                          "must", "error",  "warning",  "security", "issue"};
  const auto words = letters_in(line.rest);
  const bool named = line.sign == nullptr && line.rest != line.words;  // "H1"
  if (words.empty() || named) return named;
  const std::size_t behind = line.rest.find(words.front()) + words.front().size();
  const bool marked =
      behind < line.rest.size() && std::string_view(":])!").find(line.rest[behind]) != std::string::npos;
  return is_one_of(words.front(), kGrades) || (marked && is_one_of(words.front(), kWithMark));
}

bool names_place(const SpokenLine& line) {
  for (const std::string_view label : {"file:", "location:", "file :", "location :", "path:"}) {
    if (line.words.starts_with(label)) return true;
  }
  return false;
}

bool names_value(const SpokenLine& line) {
  if (line.has("marked for github")) return true;
  for (const std::string_view label : {"confidence:", "confidence :", "severity:", "severity :"}) {
    if (line.has(label)) return true;
  }
  const auto words = letters_in(line.words);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "confidence" && is_number(words[i + 1].front())) return true;
    if (words[i + 1] == "confidence" && is_number(words[i].front())) return true;
  }
  return false;
}

}  // namespace pawl::review
