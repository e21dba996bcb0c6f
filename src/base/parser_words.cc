#include "base/parser_words.h"

#include <array>
#include <span>

#include "base/text.h"

namespace pawl {
namespace {

struct Phrase {
  std::string_view part, plain;
};

// The first that is found counts: what is more exact stands above.
constexpr std::array kToml = {
    Phrase{"cannot redefine", "this name is there already, and may stand only once"},
    Phrase{"cannot insert", "this name is there already, as something else"},
    Phrase{"parsing table header", "a section is a line of its own: [name]"},
    Phrase{"parsing string", "a text in quotes must end on its line, and a \\ in it is written \\\\"},
    Phrase{"parsing array", "a list is written [\"one\", \"two\"]"},
    Phrase{"parsing inline table", "a table on one line is written { name = \"value\" }"},
    Phrase{"saw '='", "a setting has one =: name = value"},
    Phrase{"parsing value", "behind = stands a text in quotes, a number, true, false or a list in brackets"},
    Phrase{"parsing boolean", "behind = stands a text in quotes, a number, true, false or a list in brackets"},
    Phrase{"parsing", "a setting is written name = value, a line each; a text is in quotes"},
};
constexpr std::array kYaml = {
    Phrase{"end of sequence flow", "a list that begins with [ has no ]"},
    Phrase{"end of map flow", "what begins with { has no }"},
    Phrase{"EOF in scalar", "a text in quotes does not end"},
    Phrase{"document indicator in scalar", "a text in quotes does not end"},
    Phrase{"tab", "lines are indented with blanks, not with tabs"},
    Phrase{"end of map not found", "a line is not indented like those beside it"},
    Phrase{"end of sequence not found", "a line is not indented like those beside it"},
    Phrase{"illegal map value",
           "a line is not indented like those beside it, or a text with “: ” in it is not in quotes"},
    Phrase{"illegal block entry", "an item of a list is a line of its own, indented with blanks: - item"},
    Phrase{"unknown escape", "a \\ in a text in double quotes is written \\\\"},
    Phrase{"anchor", "a name behind * was given to nothing before"},
};

std::string in_plain_words(std::string_view said, std::span<const Phrase> phrases, std::string_view otherwise) {
  // "Error while parsing array: expected …": what it was about is said in plain words before it.
  const std::size_t about = said.starts_with("Error while") ? said.find(": ") : std::string_view::npos;
  const std::string behind = cat(" (", printable(about == std::string_view::npos ? said : said.substr(about + 2)), ")");
  for (const Phrase& phrase : phrases) {
    if (said.find(phrase.part) != std::string_view::npos) return cat(phrase.plain, behind);
  }
  return cat(otherwise, behind);
}

}  // namespace

std::string toml_in_plain_words(std::string_view said) {
  return in_plain_words(said, kToml, "this cannot be read: a setting is written name = value, a section [name]");
}

std::string yaml_in_plain_words(std::string_view said) {
  return in_plain_words(said, kYaml, "this cannot be read: a setting is written name: value, a line each");
}

}  // namespace pawl
