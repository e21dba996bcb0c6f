#include "core/placeholder.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/text.h"

namespace pawl {
namespace {

enum class Reads {
  script,   // a script by its name, or a program behind one of its options; what follows are arguments
  command,  // its first word that is no option and no value is run; what follows are that one's arguments
  until,    // a command of its own that takes arguments; behind one of `programs` come programs
  always,   // whatever stands behind it may be a program, or become part of one
};

struct Reader {
  std::string_view name;
  Reads reads = Reads::script;
  std::string_view letters = {};   // of short options that a program follows: "-c", "-lc"
  std::string_view programs = {};  // other words that a program follows, between blanks
  std::string_view values = {};    // words that another value follows
};

constexpr std::string_view kShellValues = " -o +o -O +O --rcfile --init-file ";
constexpr std::string_view kNodePrograms = " --eval --print --require --import --loader --experimental-loader ";
constexpr std::array kReaders = {
    // shells
    Reader{"sh", Reads::script, "c", " --command ", kShellValues},
    Reader{"bash", Reads::script, "c", " --command ", kShellValues},
    Reader{"rbash", Reads::script, "c", " --command ", kShellValues},
    Reader{"dash", Reads::script, "c", {}, kShellValues},
    Reader{"zsh", Reads::script, "c", {}, kShellValues},
    Reader{"ksh", Reads::script, "c", {}, kShellValues},
    Reader{"mksh", Reads::script, "c", {}, kShellValues},
    Reader{"ash", Reads::script, "c", {}, kShellValues},
    Reader{"fish", Reads::script, "cC", " --command --init-command "},
    Reader{"pwsh", Reads::script, "c", " -Command -EncodedCommand --command "},
    Reader{"busybox", Reads::always},
    // interpreters
    Reader{"python", Reads::script, "cm", {}, " -W -X "},
    Reader{"python2", Reads::script, "cm", {}, " -W -X "},
    Reader{"python3", Reads::script, "cm", {}, " -W -X "},
    Reader{"pypy3", Reads::script, "cm", {}, " -W -X "},
    Reader{"perl", Reads::script, "eEMm", {}, " -I "},
    Reader{"ruby", Reads::script, "er", {}, " -I -C -E -K "},
    Reader{"node", Reads::script, "epr", kNodePrograms, " -C --conditions --env-file "},
    Reader{"nodejs", Reads::script, "epr", kNodePrograms, " -C --conditions --env-file "},
    Reader{"bun", Reads::script, "epr", " --eval --print --preload run x exec "},
    Reader{"deno", Reads::script, {}, " eval run repl --eval --preload "},
    Reader{"php", Reads::script, "rBRE", " --run --process-begin --process-code --process-end ", " -d -c -z -t "},
    Reader{"lua", Reads::script, "el"},
    Reader{"Rscript", Reads::script, "e"},
    Reader{"osascript", Reads::script, "e"},
    Reader{"source", Reads::script},
    Reader{".", Reads::script},
    // what is given a small program among its arguments, or joins them into one
    Reader{"awk", Reads::always},
    Reader{"gawk", Reads::always},
    Reader{"mawk", Reads::always},
    Reader{"nawk", Reads::always},
    Reader{"sed", Reads::always},
    Reader{"gsed", Reads::always},
    Reader{"ssh", Reads::always},
    Reader{"make", Reads::always},
    Reader{"gmake", Reads::always},
    Reader{"parallel", Reads::always},
    Reader{"watch", Reads::always},
    Reader{"su", Reads::always},
    Reader{"script", Reads::always},
    Reader{"flock", Reads::always},
    Reader{"chroot", Reads::always},
    Reader{"eval", Reads::always},
    Reader{"trap", Reads::always},
    Reader{"let", Reads::always},
    Reader{"[[", Reads::always},
    Reader{"declare", Reads::always},
    Reader{"export", Reads::always},
    Reader{"alias", Reads::always},
    Reader{"tclsh", Reads::always},
    Reader{"expect", Reads::always},
    Reader{"gdb", Reads::always},
    Reader{"vim", Reads::always},
    Reader{"vi", Reads::always},
    Reader{"ed", Reads::always},
    Reader{"emacs", Reads::always},
    Reader{"m4", Reads::always},
    Reader{"dc", Reads::always},
    // what runs its arguments
    Reader{"env", Reads::command, "S", " --split-string ", " -u --unset -C --chdir "},
    Reader{
        "xargs", Reads::command, {}, {}, " -I -i -n -P -L -d -a -E -s --max-args --max-procs --replace --delimiter "},
    Reader{"sudo", Reads::command, {}, {}, " -u -g -h -p -C -D -R -T -U "},
    Reader{"doas", Reads::command, {}, {}, " -u -C "},
    Reader{"nice", Reads::command, {}, {}, " -n --adjustment "},
    Reader{"ionice", Reads::command, {}, {}, " -c -n -p "},
    Reader{"nohup", Reads::command},
    Reader{"setsid", Reads::command},
    Reader{"stdbuf", Reads::command, {}, {}, " -i -o -e "},
    Reader{"timeout", Reads::command, {}, {}, " -s --signal -k --kill-after "},
    Reader{"time", Reads::command, {}, {}, " -f -o "},
    Reader{"exec", Reads::command, {}, {}, " -a "},
    Reader{"command", Reads::command},
    Reader{"builtin", Reads::command},
    Reader{"strace", Reads::command, {}, {}, " -e -o -p -s -u "},
    Reader{"npx", Reads::command, "c", " --call ", " -p --package "},
    Reader{"bunx", Reads::command},
    Reader{"uvx", Reads::command},
    // some of whose arguments are programs
    Reader{"find", Reads::until, {}, " -exec -execdir -ok -okdir "},
    Reader{"fd", Reads::until, {}, " -x -X --exec --exec-batch "},
    Reader{"git",
           Reads::until,
           {},
           " -c --config-env config bisect submodule rebase filter-branch difftool mergetool -x --exec "},
    Reader{"tar", Reads::until, {}, " -I --to-command --use-compress-program --checkpoint-action "},
    Reader{"docker", Reads::until, {}, " exec run "},
    Reader{"podman", Reads::until, {}, " exec run "},
};

// `--eval={title}`, of whichever program.
constexpr std::string_view kProgramOptions =
    " eval print exec exec-batch command call run require import loader experimental-loader preload rcfile init-file "
    "init-command split-string shell rsh upload-pack receive-pack exec-path config-env to-command checkpoint-action "
    "use-compress-program ";

bool listed(std::string_view list, std::string_view word) {
  if (word.empty() || word.find(' ') != std::string_view::npos) return false;
  return list.find(cat(" ", word, " ")) != std::string_view::npos;
}

const Reader* reader_called(std::string_view word) {
  std::string_view name = word.substr(word.rfind('/') + 1);
  const auto same = [&](const Reader& one) { return one.name == name; };
  auto found = std::find_if(kReaders.begin(), kReaders.end(), same);
  // "python3.12", "lua5.4"
  if (found == kReaders.end() && name.size() > 1) {
    const std::size_t end = name.find_last_not_of("0123456789.");
    if (end == std::string_view::npos || end + 1 == name.size()) return nullptr;
    name = name.substr(0, end + 1);
    found = std::find_if(kReaders.begin(), kReaders.end(), same);
  }
  return found == kReaders.end() ? nullptr : &*found;
}

bool is_option(std::string_view word) { return word.size() > 1 && (word[0] == '-' || word[0] == '+'); }

bool program_follows(const Reader& reader, std::string_view word) {
  if (listed(reader.programs, word)) return true;
  return !reader.letters.empty() && word.starts_with('-') && !word.starts_with("--") &&
         word.find_first_of(reader.letters) != std::string_view::npos;
}

// "A=1", "10", "2.5s": stands before the command that is run.
bool is_value(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals != std::string_view::npos && equals > 0) {
    return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                       [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; });
  }
  return std::isdigit(static_cast<unsigned char>(word.empty() ? 'x' : word[0])) != 0 &&
         word.find_first_not_of("0123456789.smhd") == std::string_view::npos;
}

// Is the word at `at` an argument of what the reader at `by` runs or reads, rather than (a part of) its program?
bool is_argument(const Reader& reader, const std::vector<std::string>& words, std::size_t by, std::size_t at) {
  if (reader.reads == Reads::always) return false;
  bool found = false;    // what it runs
  bool doubted = false;  // that may have been the value of an option which is not in the table
  bool unknown = false;  // the word before is such an option
  for (std::size_t next = by + 1; next < at; ++next) {
    const std::string& word = words[next];
    if (reader.reads == Reads::until) {
      if (program_follows(reader, word)) return false;
      found = found || !is_option(word);
      continue;
    }
    if (found && !doubted) return true;
    if (program_follows(reader, word)) {
      if (next + 1 == at) return false;
      found = true;
      doubted = false;
      ++next;
    } else if (listed(reader.values, word)) {
      ++next;
    } else if (is_option(word)) {
      unknown = word.starts_with("--") && word.find('=') == std::string::npos;
    } else if (reader.reads == Reads::command && is_value(word)) {
      unknown = false;
    } else {
      found = true;
      doubted = unknown;
      unknown = false;
    }
  }
  return found;
}

// "watch" in `npm run watch` is the name of a script of package.json, which npm looks for nowhere else.
bool is_script_of_a_package(const std::vector<std::string>& words, std::size_t at) {
  if (at < 2 || (words[at - 1] != "run" && words[at - 1] != "run-script")) return false;
  const std::string_view runner = std::string_view(words[at - 2]).substr(words[at - 2].rfind('/') + 1);
  return runner == "npm" || runner == "pnpm";
}

// "sh" in `sh -c PROGRAM sh …` runs nothing: a word that a script is given is the script's. And “.” is a folder, unless
// a line begins with it.
bool is_scripts_argument(const std::vector<std::string>& words, std::size_t at) {
  if ((words[at] == "." && at > 0) || is_script_of_a_package(words, at)) return true;
  for (std::size_t by = 0; by < at; ++by) {
    const Reader* const reader = reader_called(words[by]);
    if (reader != nullptr && reader->reads == Reads::script && is_argument(*reader, words, by, at)) return true;
  }
  return false;
}

tl::unexpected<Error> refused(const Placeholder& one, std::string_view where) {
  return fail(
      ErrorCode::invalid_argument, cat(one.name, " ", where, ": others write it, and it could run anything"),
      cat("it is in the environment: write ", one.instead, " in a shell's program, or let yours read it there"));
}

Done check_word(const std::vector<std::string>& words, std::size_t at, const Placeholder& one) {
  const std::string& word = words[at];
  if (at == 0) return refused(one, "is the program to run");
  const std::size_t equals = word.find('=');
  const bool behind_option =
      word.starts_with("--") && equals != std::string::npos && std::string_view(word).substr(equals + 1) == one.name;
  if (behind_option && listed(kProgramOptions, std::string_view(word).substr(2, equals - 2)))
    return refused(one, cat("is the program of ", printable(word.substr(0, equals))));
  for (std::size_t by = 0; by < at; ++by) {
    const Reader* const reader = reader_called(words[by]);
    if (reader == nullptr || is_scripts_argument(words, by)) continue;
    const bool allowed = behind_option ? reader->reads != Reads::always : is_argument(*reader, words, by, at);
    if (!allowed) return refused(one, cat("inside of what ", printable(words[by]), " is to run"));
  }
  if (word == one.name || behind_option || one.ours) return done();
  return refused(one, cat("is only a part of “", printable(word.substr(0, 60)), "”"));
}

Done check_words(const std::vector<std::string>& words, std::span<const Placeholder> written) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    for (const Placeholder& one : written) {
      if (words[at].find(one.name) != std::string::npos) PAWL_TRY(check_word(words, at, one));
    }
  }
  return done();
}

// A shell's line as the simple commands in it, each as words with their quotes. Rough, and on the safe side: what it
// does not understand ends a command, so that a placeholder behind it stands where a program does.
class ShellLine {
 public:
  static std::vector<std::vector<std::string>> commands(std::string_view line) {
    ShellLine read;
    for (std::size_t at = 0; at < line.size(); ++at) read.take(line, at);
    read.end_command();
    return std::move(read.commands_);
  }

 private:
  void take(std::string_view line, std::size_t& at) {
    const char c = line[at];
    if (quote_ != 0) {
      word_ += c;
      if (c == '\\' && quote_ == '"' && at + 1 < line.size())
        word_ += line[++at];
      else if (c == quote_)
        quote_ = 0;
    } else if (c == '\\' && at + 1 < line.size()) {
      word_ += c;
      word_ += line[++at];
    } else if (c == '\'' || c == '"') {
      quote_ = c;
      word_ += c;
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else if (std::string_view(";|&()<>`\n\r").find(c) != std::string_view::npos) {
      end_command();
    } else {
      word_ += c;
    }
  }

  // What may stand before a command's name is not the name; with a placeholder in it, it is looked at.
  void end_word() {
    static constexpr std::string_view kKeywords = " if then else elif do while until ! { ";
    const bool assigns =
        word_.find('=') != std::string::npos && is_value(word_) && word_.find('{') == std::string::npos;
    const bool before = words_.empty() && (word_.empty() || assigns || listed(kKeywords, word_));
    if (!before && !word_.empty()) words_.push_back(word_);
    word_.clear();
  }
  void end_command() {
    end_word();
    if (!words_.empty()) commands_.push_back(std::move(words_));
    words_.clear();
  }

  char quote_ = 0;
  std::string word_;
  std::vector<std::string> words_;
  std::vector<std::vector<std::string>> commands_;
};

}  // namespace

Done check_placeholders(const std::vector<std::string>& command, std::span<const Placeholder> written) {
  return check_words(command, written);
}

Done check_placeholders_in_shell(std::string_view line, std::span<const Placeholder> written) {
  for (const auto& words : ShellLine::commands(line)) PAWL_TRY(check_words(words, written));
  return done();
}

Done check_filled(std::string_view word, std::string_view filled) {
  if (!filled.starts_with('-') || word.starts_with('-')) return done();
  return fail(
      ErrorCode::invalid_argument,
      cat("“", printable(filled.substr(0, 80)), "” in place of ", printable(word), " would be read as an option"),
      "write the option and its value as one word, such as --filter={testFilter}");
}

std::string filled_in(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    if (end != std::string_view::npos) {
      const auto found = values.find(std::string(text.substr(at + 1, end - at - 1)));
      if (found != values.end()) {
        out += found->second;
        at = end + 1;
        continue;
      }
    }
    out += text[at++];
  }
  return out;
}

}  // namespace pawl
