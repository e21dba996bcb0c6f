#include "base/text.h"
#include "frontends/cli/help.h"
#include "frontends/manual/manual.h"

namespace pawl::manual {
namespace {

// In a cell of a table a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c == '\n' ? ' ' : c);
  return out;
}

std::string anchor(const Verb& verb) {
  std::string out = cat("pawl-", full_name(verb));
  for (char& c : out) c = c == ' ' ? '-' : c;
  return out;
}

std::string table(std::span<const Param> params) {
  std::string out = "| | |\n|---|---|\n";
  for (const Param& param : params)
    out += cat("| `", cell(cli::term(param)), "` | ", cell(cli::meaning(param)), " |\n");
  return out;
}

std::string of_verb(const Verb& verb) {
  std::string out =
      cat("### pawl ", full_name(verb), "\n\n", verb.summary, "\n\n```\n", cli::usage_line(verb), "\n```\n");
  if (!verb.manual.empty()) out += cat("\n", verb.manual, "\n");
  if (!verb.params.empty()) out += cat("\n", table(verb.params));
  out += "\n```sh\n";
  for (const Example& example : verb.examples) out += cat(example.command, "    # ", example.comment, "\n");
  return out + "```\n\n";
}

std::string list_of(const std::vector<const Verb*>& verbs) {
  std::string out;
  for (const Verb* verb : verbs)
    out += cat("- [`pawl ", full_name(*verb), "`](#", anchor(*verb), "): ", verb->summary, "\n");
  return out + "\n";
}

}  // namespace

std::string markdown() {
  std::string out = cat("# The commands\n\nMade from the table of verbs by `./dev manual`; do not edit.\n\n",
                        cli::what_it_is(), "\n\n");
  out += list_of(cli::of_noun(""));
  for (const std::string_view noun : cli::nouns()) out += list_of(cli::of_noun(noun));
  out += cat("## Options of every command\n\n", table(common_params()));
  out += "\n## Exit codes\n\n| | |\n|---|---|\n";
  for (const cli::ExitCode& row : cli::exit_codes()) out += cat("| ", row.code, " | ", row.meaning, " |\n");
  out += "\n## Environment\n\n| | |\n|---|---|\n";
  for (const cli::Variable& row : cli::variables()) out += cat("| `", row.name, "` | ", row.meaning, " |\n");
  out += "\n## General\n\n";
  for (const Verb* verb : cli::of_noun("")) out += of_verb(*verb);
  for (const std::string_view noun : cli::nouns()) {
    out += cat("## ", noun, "\n\n");
    for (const Verb* verb : cli::of_noun(noun)) out += of_verb(*verb);
  }
  out.pop_back();
  return out;
}

}  // namespace pawl::manual
