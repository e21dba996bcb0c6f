// `pawl completion`: scripts for shells, which ask pawl itself what could come next (doors/cli/complete.h).
#include <array>

#include "base/text.h"
#include "verbs/context.h"
#include "verbs/table.h"

namespace pawl {
namespace {

constexpr std::string_view kBash = R"sh(# bash completion for pawl
_pawl() {
  local line word files='' current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
    else
      printf -v word '%q' "${line%%$'\t'*}"
      COMPREPLY+=("$word")
    fi
  done < <("${COMP_WORDS[0]}" __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ -n $files ]]; then
    compopt -o filenames
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
  fi
}
complete -F _pawl pawl
)sh";

constexpr std::string_view kZsh = R"sh(#compdef pawl
# zsh completion for pawl
_pawl() {
  local line files=0
  local -a offered
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
    else
      offered+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    fi
  done < <("${words[1]}" __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( ${#offered} )) && _describe -V pawl offered
  (( files )) && _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _pawl "$@"; else compdef _pawl pawl; fi
)sh";

constexpr std::string_view kFish = R"sh(# fish completion for pawl
function __pawl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] __complete -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c pawl -f -a '(__pawl_complete)'
)sh";

struct Script {
  std::string_view shell, text;
};
constexpr std::array kScripts = {Script{"bash", kBash}, Script{"zsh", kZsh}, Script{"fish", kFish}};
constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};

Result<Reply> run_completion(Context&, const Arguments& arguments) {
  return Reply{Json{{"script", completion_script(arguments.text_or("shell", ""))}}};
}

std::string text_of_completion(const Json& data, const TextStyle&) { return string_or(data, "script"); }

constexpr std::array kParams = {Param{.name = "shell",
                                      .value = "SHELL",
                                      .summary = "which one",
                                      .positional = true,
                                      .required = true,
                                      .choices = kShells}};
constexpr std::array kExamples = {
    Example{"eval \"$(pawl completion bash)\"", "in ~/.bashrc"},
    Example{"source <(pawl completion zsh)", "in ~/.zshrc, behind compinit"},
    Example{"pawl completion fish > ~/.config/fish/completions/pawl.fish", "for fish"},
};

}  // namespace

std::string_view completion_script(std::string_view shell) {
  for (const Script& script : kScripts) {
    if (script.shell == shell) return script.text;
  }
  return {};
}

const Verb kCompletion = {
    .name = "completion",
    .summary = "print what lets a shell complete pawl's commands, ids, statuses and branches",
    .manual = "An installed pawl has them in place already.",
    .params = kParams,
    .examples = kExamples,
    .run = run_completion,
    .text = text_of_completion,
};

}  // namespace pawl
