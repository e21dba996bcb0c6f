// How the command of a check becomes words for a program, and criteria become a table to fill in.
#include <algorithm>
#include <array>
#include <cstdio>

#include "base/text.h"
#include "core/placeholder.h"
#include "lifecycles/story/checks.h"

namespace pawl::story {
namespace {

struct Value {
  Placeholder is;
  std::string_view variable;
  std::string CheckValues::*value;
};
constexpr std::array<Value, 3> kValues = {{
    {{"{id}", "\"$PAWL_STORY_ID\""}, "PAWL_STORY_ID", &CheckValues::id},
    {{"{branch}", "\"$PAWL_BRANCH\""}, "PAWL_BRANCH", &CheckValues::branch},
    {{"{testFilter}", "\"$PAWL_TEST_FILTER\""}, "PAWL_TEST_FILTER", &CheckValues::test_filter},
}};
constexpr std::array kWritten = {kValues[0].is, kValues[1].is, kValues[2].is};

// In one pass: what was filled in is not looked at again.
template <class Replacement>
std::string replaced(std::string_view text, const Replacement& replacement) {
  std::string out;
  while (!text.empty()) {
    const auto found =
        std::find_if(kValues.begin(), kValues.end(), [&](const Value& one) { return text.starts_with(one.is.name); });
    if (found == kValues.end()) {
      out += text.front();
      text.remove_prefix(1);
    } else {
      out += replacement(*found);
      text.remove_prefix(found->is.name.size());
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
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    const std::string_view sign = text.substr(at, std::max<std::size_t>(c.length, 1));
    if (sign == "\"" || sign == "\\") {
      out += cat("\\", sign);
    } else if (c.length != 0 && printable(sign) != sign) {  // it would not look like what it is
      std::array<char, 16> number{};
      std::snprintf(number.data(), number.size(), c.value > 0xFFFF ? "\\U%08X" : "\\u%04X", c.value);
      out += number.data();
    } else {
      out += sign;
    }
    at += sign.size();
  }
  return out + "\"";
}

}  // namespace

Result<CheckCommand> fill_check(const Json& command, const CheckValues& values, bool shell) {
  CheckCommand out;
  if (shell && command.is_string()) {
    const std::string& line = command.get_ref<const std::string&>();
    PAWL_TRY(check_placeholders_in_shell(line, kWritten));
    for (const Value& one : kValues) {
      // Where it stands behind an option's “=” it cannot be one itself.
      for (std::size_t at = line.find(one.is.name); at != std::string::npos; at = line.find(one.is.name, at + 1)) {
        if (at == 0 || line[at - 1] != '=') PAWL_TRY(check_filled(one.is.name, values.*one.value));
      }
    }
    const std::string script = replaced(line, [](const Value& one) { return std::string(one.is.instead); });
    PAWL_TRY(must_be_usable(script));
    out.argv = {"/bin/sh", "-c", script};
    out.text = script;
    return out;
  }
  PAWL_ASSIGN(const auto words, words_of(command));
  PAWL_TRY(check_placeholders(words, kWritten));
  for (const std::string& word : words) {
    std::string filled = replaced(word, [&](const Value& one) { return values.*one.value; });
    PAWL_TRY(must_be_usable(filled));
    PAWL_TRY(check_filled(word, filled));
    out.text +=
        cat(out.text.empty() ? "" : " ",
            filled == word && !word.empty() && word.find(' ') == std::string::npos ? filled : shell_quoted(filled));
    out.argv.push_back(std::move(filled));
  }
  return out;
}

Done check_form(const Json& command, bool shell) {
  const auto filled = fill_check(command, {"id", "branch", "filter"}, shell);
  return filled ? done() : Done(tl::unexpected(filled.error()));
}

std::vector<std::string> check_environment(const CheckValues& values) {
  std::vector<std::string> out;
  for (const Value& one : kValues) {
    const std::string& value = values.*one.value;
    out.push_back(cat(one.variable, "=", value.substr(0, value.find('\0'))));
  }
  out.push_back(cat("PAWL_STORY=", values.id.substr(0, values.id.find('\0'))));  // as the agent knows it
  return out;
}

ChecksTable checks_table_in(std::string_view toml) {
  // A line of an array may look like a table; then what is told is where lines go, and nothing breaks.
  ChecksTable found = ChecksTable::missing;
  bool in_story = false;
  for (const std::string_view whole : split(toml, '\n')) {
    const std::string_view line = trim(whole);
    if (line.starts_with('[')) {
      std::string name;
      for (const char letter : line.substr(1, line.find(']') - 1)) {
        if (letter != ' ' && letter != '\t' && letter != '"' && letter != '\'') name += letter;
      }
      in_story = name == "story";
      if (name == "story.checks") {
        found = ChecksTable::last;
      } else if (found == ChecksTable::last) {
        found = ChecksTable::elsewhere;
      }
    } else if (found == ChecksTable::missing &&
               ((in_story &&
                 (line.starts_with("checks=") || line.starts_with("checks ") || line.starts_with("checks."))) ||
                line.starts_with("story.checks"))) {
      found = ChecksTable::elsewhere;
    }
  }
  return found;
}

std::string suggested_toml(const std::vector<std::string>& criteria, ChecksTable table) {
  std::string out =
      table == ChecksTable::missing ? "[story.checks]\n"
      : table == ChecksTable::last
          ? "# under [story.checks], which is the last table of pawl.toml\n"
          : "# to be written under [story.checks], which pawl.toml has already, without the # before them\n";
  for (const std::string& criterion : criteria) {
    // Pasted and forgotten, it holds nothing to be true.
    out += cat(table == ChecksTable::elsewhere ? "# " : "", toml_key(criterion),
               " = [\"false\"]  # in place of false: the command that shows it, a word each\n");
  }
  return out;
}

}  // namespace pawl::story
