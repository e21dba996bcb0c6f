// In the macros of man(7). A line of text is quoted so that nothing in it is taken for a macro or an escape.
#include "base/text.h"
#include "frontends/cli/help.h"
#include "frontends/manual/manual.h"

namespace pawl::manual {
namespace {

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

std::string literal(std::string_view text) {
  std::string out;
  bool begins = true;  // a line
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    begins = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string paragraphs(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) out += line.empty() ? ".PP\n" : cat(literal(line), "\n");
  return out;
}

std::string tagged(std::string_view term, std::string_view meaning) {
  return cat(".TP\n.B ", literal(term), "\n", literal(meaning), "\n");
}

std::string of_verb(const Verb& verb, std::string_view macro) {
  std::string out = cat(macro, " \"", literal(full_name(verb)), "\"\n", literal(verb.summary), "\n.PP\n.nf\n");
  out += cat(literal(cli::usage_line(verb)), "\n.fi\n");
  if (!verb.manual.empty()) out += cat(".PP\n", paragraphs(verb.manual));
  for (const Param& param : verb.params) out += tagged(cli::term(param), cli::meaning(param));
  out += ".PP\nExamples:\n";
  for (const Example& example : verb.examples)
    out += cat(".PP\n.nf\n.RS\n", literal(example.command), "\n.RE\n.fi\n.RS\n", literal(example.comment), "\n.RE\n");
  return out;
}

std::string head(std::string_view name, std::string_view summary, std::string_view version) {
  return cat(".TH ", literal(upper(name)), " 1 \"\" \"pawl ", literal(version), "\" \"pawl's manual\"\n.SH NAME\n",
             literal(name), " \\- ", literal(summary), "\n");
}

std::string foot() {
  std::string out = ".SH OPTIONS OF EVERY COMMAND\n";
  for (const Param& param : common_params()) out += tagged(cli::term(param), cli::meaning(param));
  out += ".SH EXIT STATUS\n";
  for (const cli::ExitCode& row : cli::exit_codes()) out += tagged(std::to_string(row.code), row.meaning);
  out += ".SH ENVIRONMENT\n";
  for (const cli::Variable& row : cli::variables()) out += tagged(row.name, row.meaning);
  return out;
}

std::string see_also(std::string_view but) {
  std::string out = ".SH SEE ALSO\n";
  std::string list;
  const auto add = [&](const std::string& name) {
    if (name != but) list += cat(list.empty() ? "" : ", ", literal(name), "(1)");
  };
  add("pawl");
  for (const std::string_view noun : cli::nouns()) add(cat("pawl-", noun));
  return cat(out, list, "\n");
}

}  // namespace

std::vector<Page> man_pages(std::string_view version) {
  std::vector<Page> pages;
  std::string main = head("pawl", "the catch that keeps work from slipping back", version);
  main += ".SH SYNOPSIS\n.B pawl\n[NOUN] VERB [WORD | \\-\\-OPTION]…\n.SH DESCRIPTION\n";
  main += cat(literal(cli::what_it_is()), "\n.SH COMMANDS\n");
  for (const Verb* verb : cli::of_noun("")) main += of_verb(*verb, ".SS");
  main += ".SH COMMANDS WITH A NOUN\n";
  for (const std::string_view noun : cli::nouns()) {
    for (const Verb* verb : cli::of_noun(noun))
      main += tagged(cat("pawl ", full_name(*verb)), cat(verb->summary, "; see pawl-", noun, "(1)"));
  }
  pages.push_back({"pawl.1", cat(main, foot(), see_also("pawl"))});
  for (const std::string_view noun : cli::nouns()) {
    const std::string name = cat("pawl-", noun);
    std::string page = cat(head(name, cat("the commands of pawl ", noun), version), ".SH COMMANDS\n");
    for (const Verb* verb : cli::of_noun(noun)) page += of_verb(*verb, ".SS");
    pages.push_back({cat(name, ".1"), cat(page, foot(), see_also(name))});
  }
  return pages;
}

}  // namespace pawl::manual
