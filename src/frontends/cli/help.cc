#include "frontends/cli/help.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "frontends/cli/suggest.h"
#include "frontends/cli/wrap.h"

namespace pawl::cli {
namespace {

constexpr std::array kExitCodes = {
    ExitCode{0, "done"},
    ExitCode{1, "refused, or failed"},
    ExitCode{2, "the command line makes no sense"},
    ExitCode{3, "not found"},
    ExitCode{4, "somebody else was first, or a claim was lost"},
    ExitCode{5, "the store, a file or the answer could not be read or written"},
};

constexpr std::array kVariables = {
    Variable{"PAWL_LOG", "info or debug: each step with its fields, on stderr"},
    Variable{"PAWL_ACTOR", "who acts, where --actor does not say it"},
    Variable{"PAWL_SESSION", "the agent's session, where --session does not say it"},
    Variable{"PAWL_GITHUB_TOKEN", "the key to GitHub, before GH_TOKEN and GITHUB_TOKEN"},
    Variable{"PAWL_BLOCK_KEY", "what pull requests' state is signed with: pawl pr key new"},
    Variable{"PAWL_<SECTION>_<KEY>",
             "a setting, such as PAWL_PR_AUTO_REVIEW for pr.auto_review; pawl settings lists them"},
    Variable{"NO_COLOR", "when it is not empty: no colour"},
};

constexpr std::string_view kWhat =
    "pawl knows where every piece of work stands, lets it move only where its lifecycle allows, and does not forget. "
    "It guards the files you already have.";

constexpr std::size_t kWidestTerm = 26;  // a longer one gets a line of its own

std::string heading(std::string_view title, bool color) {
  return color ? cat("\n\x1b[1m", title, "\x1b[0m\n") : cat("\n", title, "\n");
}

std::string value_name(const Param& param) {
  if (!param.value.empty()) return std::string(param.value);
  std::string name(param.name);
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

std::string section(std::string_view title, std::span<const Param> params, bool color, bool (*wanted)(const Param&)) {
  std::size_t column = 0;
  for (const Param& param : params) {
    if (wanted(param) && columns(term(param)) <= kWidestTerm) column = std::max(column, columns(term(param)) + 4);
  }
  std::string out;
  for (const Param& param : params) {
    if (wanted(param)) out += entry(term(param), meaning(param), std::max<std::size_t>(column, 8));
  }
  return out.empty() ? out : heading(title, color) + out;
}

bool is_word(const Param& param) { return param.positional; }
bool is_option(const Param& param) { return !param.positional; }

std::vector<Param> common_for(const Verb* verb) {
  std::vector<Param> params;
  for (const Param& param : common_params()) {
    if (verb != nullptr && !verb->read_only && param.name == "at") continue;
    if (verb != nullptr && verb->text == nullptr && param.name == "json") continue;  // it gives no answer
    params.push_back(param);
  }
  return params;
}

std::string exit_code_section(bool color) {
  std::string out = heading("Exit codes", color);
  for (const ExitCode& row : kExitCodes) out += entry(std::to_string(row.code), row.meaning, 6);
  return out;
}

// "N", "[FILE]", "[--session ID]"
std::vector<std::string> usage_parts(const Verb& verb) {
  std::vector<std::string> parts;
  const Param* const command = command_param(verb);
  for (const bool positional : {true, false}) {
    for (const Param& param : verb.params) {
      if (param.positional != positional || &param == command) continue;
      std::string part = param.letter == 0 ? term(param) : term(param).substr(4);  // the long form says more
      if (param.many && !positional) part += "…";
      parts.push_back(param.required ? part : cat("[", part, "]"));
    }
    if (positional && verb.needs_reason) parts.emplace_back("--reason TEXT");
  }
  // Last, and behind what keeps its options its own.
  if (command != nullptr)
    parts.push_back(command->required ? cat("-- ", term(*command)) : cat("[-- ", term(*command), "]"));
  return parts;
}

// The usage line over as many lines as it needs, broken only between its parts.
std::string usage_block(const Verb& verb) {
  std::string out = cat("  pawl ", full_name(verb));
  std::size_t used = columns(out);
  for (const std::string& part : usage_parts(verb)) {
    if (used + 1 + columns(part) > kHelpWidth) {
      out += "\n     ";
      used = 5;
    }
    out += cat(" ", part);
    used += 1 + columns(part);
  }
  return out + "\n";
}

// One line a verb: as it is typed, and what it does.
std::string verb_list(std::span<const Verb* const> verbs, std::size_t column) {
  std::string out;
  for (const Verb* verb : verbs) out += entry(full_name(*verb), verb->summary, column);
  return out;
}

std::size_t list_column() {
  std::size_t widest = 0;
  for (const Verb* verb : all_verbs()) widest = std::max(widest, full_name(*verb).size());
  return widest + 5;
}

}  // namespace

const Param* command_param(const Verb& verb) {
  for (const Param& param : verb.params) {
    if (param.positional && param.many && param.value == "COMMAND") return &param;
  }
  return nullptr;
}

std::string term(const Param& param) {
  if (param.positional) return cat(value_name(param), param.many ? "…" : "");
  std::string out = param.letter == 0 ? std::string() : cat("-", param.letter, ", ");
  out += cat("--", param.name);
  if (param.type != ParamType::flag) out += cat(" ", value_name(param));
  return out;
}

std::string meaning(const Param& param) {
  std::string out(param.summary);
  if (param.choices.size() > 1) out += cat(": ", join_or(param.choices));
  if (param.many && !param.positional) out += "; may be given again";
  return out;
}

std::vector<const Verb*> of_noun(std::string_view noun) {
  std::vector<const Verb*> verbs;
  for (const Verb* verb : all_verbs()) {
    if (verb->noun == noun) verbs.push_back(verb);
  }
  return verbs;
}

std::vector<std::string_view> nouns() {
  std::vector<std::string_view> seen;
  for (const Verb* verb : all_verbs()) {
    if (!verb->noun.empty() && std::ranges::find(seen, verb->noun) == seen.end()) seen.push_back(verb->noun);
  }
  return seen;
}

std::span<const ExitCode> exit_codes() { return kExitCodes; }
std::span<const Variable> variables() { return kVariables; }
std::string_view what_it_is() { return kWhat; }

std::vector<Param> offered_params(const Verb* verb) {
  std::vector<Param> params;
  if (verb != nullptr) params.assign(verb->params.begin(), verb->params.end());
  for (const Param& param : common_for(verb)) params.push_back(param);
  return params;
}

std::string usage_line(const Verb& verb) {
  std::string out = cat("pawl ", full_name(verb));
  for (const std::string& part : usage_parts(verb)) out += cat(" ", part);
  return out;
}

std::string overview(bool color) {
  constexpr std::array<std::string_view, 8> kFirst = {"doctor", "init", "status", "log",
                                                      "show",   "undo", "guide",  "tour"};
  std::string out = "pawl — the catch that keeps work from slipping back\n\n";
  out += wrapped(kWhat, 0);
  out += heading("Begin with", color);
  for (const std::string_view name : kFirst) {
    for (const Verb* verb : of_noun("")) {
      if (verb->name == name) out += entry(name, verb->summary, 14);
    }
  }
  out += heading("And for each kind of work", color);
  for (const std::string_view noun : nouns()) out += entry(noun, join_or(verbs_of(noun)), 14);
  out +=
      cat("\n", wrapped("`pawl help` lists every command, `pawl help NOUN` those of a kind, and `pawl help NOUN VERB` "
                        "explains one, with examples.",
                        0));
  return out;
}

std::string help_on_everything(bool color) {
  std::string out = "pawl — the catch that keeps work from slipping back\n\n";
  out += wrapped(kWhat, 0);
  out += heading("Usage", color);
  out += "  pawl [NOUN] VERB [WORD | --OPTION]…\n  pawl help [NOUN] [VERB]\n";
  const std::size_t column = list_column();
  out += heading("Commands", color);
  out += verb_list(of_noun(""), column);
  for (const std::string_view noun : nouns()) {
    out += '\n';
    out += verb_list(of_noun(noun), column);
  }
  out += section("Options of every command", common_for(nullptr), color, is_option);
  out += heading("Environment", color);
  for (const Variable& row : kVariables) out += entry(row.name, row.meaning, 15);
  out += exit_code_section(color);
  out += "\n`pawl help NOUN VERB` explains a command, with examples.\n";
  return out;
}

std::string help_on_noun(std::string_view noun, bool color) {
  const auto verbs = of_noun(noun);
  std::string out = wrapped(cat("pawl ", noun, " — ", join_or(verbs_of(noun))), 0);
  out += heading("Commands", color);
  out += verb_list(verbs, list_column());
  out += heading("Usage", color);
  for (const Verb* verb : verbs) out += usage_block(*verb);
  out += cat("\n`pawl help ", noun, " ", verbs.front()->name, "` explains one of them, with examples.\n");
  return out;
}

std::string help_on_verb(const Verb& verb, bool color) {
  std::string out = wrapped(cat("pawl ", full_name(verb), " — ", verb.summary), 0);
  out += heading("Usage", color);
  out += usage_block(verb);
  if (!verb.manual.empty()) out += cat("\n", wrapped(verb.manual, 0));
  out += section("Words", verb.params, color, is_word);
  out += section("Options", verb.params, color, is_option);
  out += section("Options of every command", common_for(&verb), color, is_option);
  out += heading("Examples", color);
  for (const Example& example : verb.examples) {
    out += cat("  ", example.command, "\n");
    out += wrapped(example.comment, 6);
  }
  return out + exit_code_section(color);
}

}  // namespace pawl::cli
