// How the command of a check becomes words for a program, and criteria become a table to fill in.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "lifecycle/story/checks.h"

namespace pawl::story {
namespace {

struct Placeholder {
  std::string_view name;
  std::string_view variable;
  std::string CheckValues::*value;
};
constexpr std::array<Placeholder, 3> kPlaceholders = {
    {{"{id}", "PAWL_STORY", &CheckValues::id},
     {"{branch}", "PAWL_BRANCH", &CheckValues::branch},
     {"{testFilter}", "PAWL_TEST_FILTER", &CheckValues::test_filter}}};

// In one pass: what was filled in is not looked at again.
template <class Replacement>
std::string replaced(std::string_view text, const Replacement& replacement) {
  std::string out;
  while (!text.empty()) {
    const auto found = std::find_if(kPlaceholders.begin(), kPlaceholders.end(),
                                    [&](const Placeholder& one) { return text.starts_with(one.name); });
    if (found == kPlaceholders.end()) {
      out += text.front();
      text.remove_prefix(1);
    } else {
      out += replacement(*found);
      text.remove_prefix(found->name.size());
    }
  }
  return out;
}

Result<std::vector<std::string>> words_of(const Json& command) {
  std::vector<std::string> words;
  if (command.is_array()) {
    for (const Json& word : command) {
      if (!word.is_string()) return fail(ErrorCode::invalid_argument, "a check's command must be a list of texts");
      words.push_back(word.get<std::string>());
    }
  } else if (command.is_string()) {
    const std::string& line = command.get_ref<const std::string&>();
    // A line is taken apart at its blanks only where a shell would do the same.
    constexpr std::string_view kShells = "|&;<>()$`\\\"'*?[]#~!\n\r";
    const std::size_t special = line.find_first_of(kShells);
    if (special != std::string::npos)
      return fail(ErrorCode::invalid_argument,
                  cat("the check “", printable(line), "” has a “", printable(line.substr(special, 1)),
                      "”, which only a shell understands"),
                  "write it as a list of words, or set story.shell = true in pawl.toml");
    for (const std::string_view word : split(line, ' ')) {
      if (!word.empty()) words.emplace_back(word);
    }
  }
  if (words.empty() || words.front().empty()) return fail(ErrorCode::invalid_argument, "a check's command is empty");
  return words;
}

Done must_be_usable(std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return done();
  return fail(ErrorCode::invalid_argument, "a check's command has a NUL in it");
}

// Everything between quotes, as TOML reads it back.
std::string toml_key(std::string_view text) {
  std::string out = "\"";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += cat("\\", c);
    } else if (byte < 0x20 || byte == 0x7F) {
      out += cat("\\u00", kDigits[byte >> 4U], kDigits[byte & 15U]);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

Result<CheckCommand> fill_check(const Json& command, const CheckValues& values, bool shell) {
  CheckCommand out;
  if (shell && command.is_string()) {
    const std::string script = replaced(command.get_ref<const std::string&>(),
                                        [](const Placeholder& one) { return cat("\"$", one.variable, "\""); });
    PAWL_TRY(must_be_usable(script));
    out.argv = {"/bin/sh", "-c", script};
    out.text = script;
    return out;
  }
  PAWL_ASSIGN(const auto words, words_of(command));
  for (const std::string& word : words) {
    std::string filled = replaced(word, [&](const Placeholder& one) { return values.*one.value; });
    PAWL_TRY(must_be_usable(filled));
    if (filled.starts_with('-') && !word.starts_with('-'))
      return fail(ErrorCode::invalid_argument,
                  cat("“", printable(filled), "” in place of ", printable(word), " would be read as an option"),
                  "write the option and its value as one word, such as --filter={testFilter}");
    if (&word == &words.front() && filled != word)
      return fail(ErrorCode::invalid_argument, "the program of a check can not be filled in", "name it in the command");
    out.text +=
        cat(out.text.empty() ? "" : " ",
            filled == word && !word.empty() && word.find(' ') == std::string::npos ? filled : shell_quoted(filled));
    out.argv.push_back(std::move(filled));
  }
  return out;
}

std::vector<std::string> check_environment(const CheckValues& values) {
  std::vector<std::string> out;
  for (const Placeholder& one : kPlaceholders) {
    const std::string& value = values.*one.value;
    out.push_back(cat(one.variable, "=", value.substr(0, value.find('\0'))));
  }
  return out;
}

std::string suggested_toml(const std::vector<std::string>& criteria) {
  std::string out = "[story.checks]\n";
  for (const std::string& criterion : criteria) {
    // Pasted and forgotten, it holds nothing to be true.
    out += cat(toml_key(criterion), " = [\"false\"]  # in place of false: the command that shows it, a word each\n");
  }
  return out;
}

}  // namespace pawl::story
