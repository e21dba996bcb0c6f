// `pawl completion`: scripts for shells, which ask pawl itself what could come next (frontends/cli/complete.h).
#include <array>

#include "base/text.h"
#include "commands/context.h"
#include "commands/table.h"

namespace pawl {
namespace {

// In all three: what stands on the line, and what pawl offers out of the store, is text that others may have written.
// It is taken out of its quotes and put into quotes, and nothing in it is ever expanded.

// Bash breaks words at COMP_WORDBREAKS (US:1, --status=r, s1@2026), and wants only what comes behind the last break:
// its $2 is the part that it will replace.
constexpr std::string_view kBash = R"sh(# bash completion for pawl
_pawl_plain() { # RAW: `plain` is what it means, `quote` the quote still open, `live` is set where it would be expanded
  local raw=$1 char i
  plain='' quote='' live=''
  for ((i = 0; i < ${#raw}; i++)); do
    char=${raw:i:1}
    if [[ $quote == "'" ]]; then
      if [[ $char == "'" ]]; then quote=''; else plain+=$char; fi
    elif [[ $char == '$' || $char == '`' ]]; then
      live=1 plain+=$char
    elif [[ $quote == '"' ]]; then
      if [[ $char == '"' ]]; then
        quote=''
      else
        [[ $char == \\ && ${raw:i+1:1} == [\\\"\$\`] ]] && i=$((i + 1))
        plain+=${raw:i:1}
      fi
    elif [[ $char == [\'\"] ]]; then
      quote=$char
    else
      [[ $char == \\ ]] && i=$((i + 1))
      plain+=${raw:i:1}
    fi
  done
}
_pawl() {
  local rest=${COMP_LINE:0:COMP_POINT} blank piece raw='' plain quote live program line word i
  local -a typed=()
  COMPREPLY=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    blank=${rest%%[![:space:]]*}
    rest=${rest#"$blank"}
    if ((i > 0)) && [[ -n $blank ]]; then
      _pawl_plain "$raw"
      typed+=("$plain")
      raw=''
    fi
    if ((i < COMP_CWORD)); then piece=${COMP_WORDS[i]}; else piece=$rest; fi
    raw+=$piece
    rest=${rest#"$piece"}
  done
  _pawl_plain "$raw"
  [[ -z $live && $raw == *"$2" ]] || return 0
  typed+=("$plain")
  _pawl_plain "${raw%"$2"}"
  program=${typed[0]/#'~/'/"$HOME"/}
  type -P -- "$program" >/dev/null || program=pawl
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default
      continue
    fi
    word=${line%%$'\t'*}
    word=${word:${#plain}}
    case $quote in
      \') word=${word//\'/\'\\\'\'} ;;
      \")
        word=${word//\\/\\\\} word=${word//\"/\\\"} word=${word//\$/\\\$} word=${word//\`/\\\`}
        word=${word//!/\"\\!\"}
        ;;
      *) [[ -z $word ]] || printf -v word '%q' "$word" ;;
    esac
    [[ -z $quote || $word != *"$quote" ]] || word+=$quote # readline takes that for the closing one and adds none
    COMPREPLY+=("$word")
  done < <(command "$program" __complete -- "${typed[@]:1}" </dev/null 2>/dev/null)
}
complete -F _pawl pawl
)sh";

constexpr std::string_view kZsh = R"sh(#compdef pawl
# zsh completion for pawl
_pawl() {
  local line program begun files=0 width=0
  local -a typed offered meant shown expl
  typed=("${(@Q)words[1,CURRENT-1]}")
  case $compstate[quote] in
    \') begun=$PREFIX ;;
    \") begun=${(Q)${:-\"$PREFIX\"}} ;;
    *) begun=${(Q)PREFIX} ;;
  esac
  program=${typed[1]/#\~\//$HOME/}
  [[ -n $commands[$program] || ( $program == */* && -x $program ) ]] || program=pawl
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
    else
      offered+=("${line%%$'\t'*}")
      meant+=("${line#*$'\t'}")
      (( ${#offered[-1]} <= width )) || width=${#offered[-1]}
    fi
  done < <(command "$program" __complete -- "${(@)typed[2,-1]}" "$begun" </dev/null 2>/dev/null)
  (( width <= 40 )) || width=40
  local -i i
  for (( i = 1; i <= ${#offered}; i++ )); do
    if [[ -n $meant[i] ]]; then
      line=$offered[i]
      (( ${#line} >= width )) || line=${(r:width:)line}
      shown+=("$line  -- $meant[i]")
    else
      shown+=("$offered[i]")
    fi
  done
  (( ${#offered} )) && _wanted -V pawl expl pawl compadd -l -d shown -a offered
  (( files )) && _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _pawl "$@"; else compdef _pawl pawl; fi
)sh";

constexpr std::string_view kFish = R"sh(# fish completion for pawl
function __pawl_complete
    set -l typed (commandline -opc)
    set -l raw (commandline -ct)
    set -l begun
    for end in '' "'" '"'
        set begun (string unescape -- "$raw$end")
        and break
    end
    set -l program (string replace -r '^~/' "$HOME/" -- $typed[1])
    type -q -- $program
    or set program pawl
    for line in (command $program __complete -- $typed[2..-1] "$begun" </dev/null 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$begun"
        else
            printf '%s\n' $line
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
constexpr std::array kCompletionExamples = {
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
    .examples = kCompletionExamples,
    .for_a_file = true,
    .run = run_completion,
    .text = text_of_completion,
};

}  // namespace pawl
