// A word that is no status, as people are shown it.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/text.h"
#include "core/decide.h"
#include "core/lifecycle.h"

namespace pawl {

// “maybe”, safe to print. Some formats keep a text that stands where none belongs with the quotes that it has in its
// file, so that "active" is not taken for active; these are not shown twice.
[[nodiscard]] inline std::string in_quotes(std::string_view word) {
  constexpr std::size_t kMost = 80;
  if (word.size() > 2 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
  std::size_t end = std::min(word.size(), kMost);
  while (end > 0 && end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U)
    --end;  // whole letters
  return cat("“", printable(word.substr(0, end)), end < word.size() ? "…" : "", "”");
}

// Would this text, as a word, be taken for JSON that is no text? "7" would, and so would that with quotes around it.
[[nodiscard]] inline bool reads_as_json(const std::string& text) {
  const auto value = parse_json(text);
  if (!value || value->is_null()) return false;
  return !value->is_string() || reads_as_json(value->get<std::string>());
}
// A value that stands for a status, as a word: a text as it is, anything else as JSON.
[[nodiscard]] inline std::string held_word(const Json& status) {
  if (status.is_null()) return {};
  if (!status.is_string()) return to_line(status);
  std::string text = status.get<std::string>();
  return reads_as_json(text) ? to_line(status) : std::move(text);
}
// The value that a word stands for.
[[nodiscard]] inline Json held_value(const std::string& word) {
  const auto value = parse_json(word);
  if (!value || value->is_null()) return Json(word);
  return value->is_string() && !reads_as_json(value->get<std::string>()) ? Json(word) : *value;
}

// Of a record that is held: why, as the end of a sentence about it, and what to do. There may be more wrong with it
// than the word, which its own lifecycle says.
struct HeldInWords {
  std::string why, advice;
  bool of_its_own = false;  // `why` is a sentence of its lifecycle's
};
[[nodiscard]] inline HeldInWords held_in_words(const Lifecycle& lifecycle, const Record& record) {
  const std::string word = record.held.value_or("");
  Stand stand = lifecycle.stand == nullptr ? Stand{} : lifecycle.stand(record);
  if (!stand.why.empty() && stand.why.find(in_quotes(word)) == std::string::npos)
    return {std::move(stand.why), std::move(stand.advice), true};
  return {why_held(*lifecycle.machine, word), how_to_fix(lifecycle, record), false};
}

}  // namespace pawl
