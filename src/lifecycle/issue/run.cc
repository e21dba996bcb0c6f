#include "lifecycle/issue/run.h"

#include <algorithm>
#include <array>
#include <csignal>

#include "base/result.h"
#include "base/text.h"
#include "lifecycle/issue/issue.h"

namespace pawl::issue {
namespace {

std::string message_in(std::string_view signal) {
  const std::string clean = stripped(signal, kMaxMessageBytes);
  const std::string_view text = trim(clean);
  return std::string(text.empty() ? kUnknownError : text);
}

// What reads a program from its command line, behind which letters of an option.
struct Reader {
  std::string_view name;
  std::string_view letters;
  bool is_shell = true;
  bool takes_words = false;  // before its options, as su does
};
constexpr std::array kReaders = {
    Reader{"sh", "c"},
    Reader{"bash", "c"},
    Reader{"dash", "c"},
    Reader{"zsh", "c"},
    Reader{"ksh", "c"},
    Reader{"mksh", "c"},
    Reader{"ash", "c"},
    Reader{"fish", "c"},
    Reader{"su", "c", true, true},
    Reader{"script", "c", true, true},
    Reader{"python", "c", false},
    Reader{"python3", "c", false},
    Reader{"perl", "eE", false},
    Reader{"ruby", "e", false},
    Reader{"node", "ep", false},
    Reader{"php", "r", false},
};

// What is not pawl's own word, and where the environment has it.
struct Written {
  std::string_view name, instead;
};
constexpr std::array kWritten = {
    Written{"{title}", "\"$PAWL_TITLE\""},
    Written{"{prompt}", "\"$(cat \"$PAWL_PROMPT_FILE\")\""},
    Written{"{branch}", "\"$PAWL_BRANCH\""},
    Written{"{worktree}", "\"$PAWL_WORKTREE\""},
};

// By the end of the machine, for want of memory, by whoever ended the server: rather than by Ctrl-C.
bool was_killed(int exit) { return exit == 128 + SIGKILL || exit == 128 + SIGTERM || exit == 128 + SIGHUP; }

const Reader* reader_called(std::string_view word) {
  const std::string_view name = word.substr(word.rfind('/') + 1);
  const auto found =
      std::find_if(kReaders.begin(), kReaders.end(), [&](const Reader& one) { return one.name == name; });
  return found == kReaders.end() ? nullptr : &*found;
}

// "-c", "-lc", "--command", "--eval"
bool takes_program(const Reader& reader, std::string_view option) {
  if (option == "--command" || option == "--eval" || option == "--print") return true;
  return !option.starts_with("--") && option.find_first_of(reader.letters) != std::string_view::npos;
}

}  // namespace

Json Run::json() const {
  Json out{{"issue", number},
           {"run", id},
           {"title", title},
           {"branch", branch},
           {"base", base},
           {"made_branch", made_branch},
           {"worktree", worktree},
           {"session", session},
           {"socket", socket},
           {"pane", pane},
           {"command", command},
           {"started_ms", started_ms},
           {"resumes", resumes},
           {"watch", watch},
           {"ended", ended},
           {"seal", seal},
           {"copied", Json::object()}};
  if (unready) out["unready"] = true;
  if (adopted) out["adopted"] = true;
  if (watched_from) out["watched_from"] = *watched_from;
  for (const auto& [file, mark] : copied) out["copied"][file] = mark;
  return out;
}

Run Run::from(const Json& json) {
  Run run;
  run.number = integer_or(json, "issue");
  run.id = string_or(json, "run");
  run.title = string_or(json, "title");
  run.branch = string_or(json, "branch");
  run.base = string_or(json, "base");
  run.made_branch = string_or(json, "made_branch");
  run.worktree = string_or(json, "worktree");
  run.session = string_or(json, "session");
  run.socket = string_or(json, "socket");
  run.pane = string_or(json, "pane");
  run.started_ms = integer_or(json, "started_ms");
  run.resumes = integer_or(json, "resumes");
  run.ended = string_or(json, "ended");
  run.seal = string_or(json, "seal");
  if (!json.is_object()) return run;
  run.watch = json.value("watch", Json(true)) != Json(false);
  run.unready = json.value("unready", Json(false)) == Json(true);
  run.adopted = json.value("adopted", Json(false)) == Json(true);
  if (json.contains("watched_from")) run.watched_from = integer_or(json, "watched_from");
  const Json command = json.value("command", Json::array());
  for (const Json& word : command) {
    if (word.is_string()) run.command.push_back(word.get<std::string>());
  }
  const Json copied = json.value("copied", Json::object());
  for (const auto& [file, mark] : copied.items()) {
    if (mark.is_string()) run.copied[file] = mark.get<std::string>();
  }
  return run;
}

std::optional<Verdict> judge(const Seen& seen) {
  const auto counts = [&](const std::optional<std::int64_t>& at) { return at && *at > seen.watched_from; };
  if (seen.signal_complete)
    return Verdict{std::string(kComplete), "", "the signal file of its end came", std::string(kComplete)};
  if (seen.signal_error)
    return Verdict{std::string(kError), message_in(*seen.signal_error), "the signal file of an error came",
                   std::string(kError)};
  if (counts(seen.said.complete))
    return Verdict{std::string(kComplete), "", "the marker of its end came", std::string(kComplete)};
  if (counts(seen.said.error) && !seen.said.message_open)
    return Verdict{std::string(kError), seen.said.message.empty() ? std::string(kUnknownError) : seen.said.message,
                   "the marker of an error came", std::string(kError)};
  if (seen.gone) {
    return Verdict{std::string(kError), std::string(kSessionGone),
                   seen.exit ? cat("the agent ended with exit ", *seen.exit, ", without a marker")
                             : std::string("its session is not there any more"),
                   std::string(seen.exit && !was_killed(*seen.exit) ? kEnded : kLost)};
  }
  return std::nullopt;
}

Done check_limit(std::int64_t under_way, std::int64_t limit) {
  if (limit <= 0 || under_way < limit) return done();
  return fail(
      ErrorCode::gate_failed,
      cat(under_way, under_way == 1 ? " issue is" : " issues are", " running, and issue.max_concurrent is ", limit),
      "--wait waits for one to end; pawl issue ps shows them");
}

Done check_command(const std::vector<std::string>& command) {
  for (std::size_t at = 0; at < command.size(); ++at) {
    const Reader* const reader = reader_called(command[at]);
    if (reader == nullptr) continue;
    bool program_follows = false, value_may_follow = reader->takes_words;
    for (std::size_t next = at + 1; next < command.size(); ++next) {
      const std::string& word = command[next];
      if (program_follows) {
        for (const Written& one : kWritten) {
          if (word.find(one.name) == std::string::npos) continue;
          return fail(
              ErrorCode::invalid_argument,
              cat(one.name, " inside of what ", command[at], " is to run: others write it, and it could run anything"),
              cat("write ", one.instead, " there", reader->is_shell ? "" : ", from the environment"));
        }
        break;
      }
      const bool option = word.starts_with('-') || word.starts_with('+');
      if (!option && !value_may_follow) break;  // a script's name: the rest are its arguments
      program_follows = option && takes_program(*reader, word);
      value_may_follow = reader->takes_words || (option && word.size() == 2);  // "-o pipefail"
    }
  }
  return done();
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

std::string prompt_for(const Run& run, std::string_view wanted, bool resumed) {
  const std::map<std::string, std::string> values = {
      {"number", std::to_string(run.number)}, {"title", run.title}, {"branch", run.branch}, {"worktree", run.worktree}};
  std::string prompt;
  if (resumed) {
    prompt =
        "You resume work that was cut off, by a restart of the machine or the loss of its terminal. What was done so "
        "far is in this folder: look at `git status`, `git diff` and `git log` first, and go on from there.\n\n";
  }
  prompt += wanted.empty()
                ? filled_in(
                      "Work on issue #{number}{colon}{title}\n\nYou are in a git worktree of its own, on the "
                      "branch {branch}. Commit what you do.\n",
                      [&] {
                        auto more = values;
                        more["colon"] = run.title.empty() ? "." : ": ";
                        return more;
                      }())
                : filled_in(wanted, values);
  // The marker is named inside a sentence: alone on a line it would be one.
  return cat(prompt, prompt.ends_with('\n') ? "" : "\n", "\nWhen all is done, print ###TASK_COMPLETE_", run.number,
             "### alone on a line. When you can not go on, print ###TASK_ERROR_", run.number,
             "### alone on a line, and the reason on the next one.\n");
}

}  // namespace pawl::issue
