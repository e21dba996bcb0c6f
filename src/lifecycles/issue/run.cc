#include "lifecycles/issue/run.h"

#include <array>
#include <csignal>
#include <utility>

#include "base/result.h"
#include "base/text.h"
#include "core/placeholder.h"
#include "lifecycles/issue/issue.h"

namespace pawl::issue {
namespace {

std::string message_in(std::string_view signal) {
  const std::string clean = stripped(signal, kMaxMessageBytes);
  const std::string_view text = trim(clean);
  return std::string(text.empty() ? kUnknownError : text);
}

// What is not pawl's own word, and where the environment has it.
constexpr std::array kWritten = {
    Placeholder{"{title}", "\"$PAWL_TITLE\""},
    Placeholder{"{prompt}", "\"$(cat \"$PAWL_PROMPT_FILE\")\""},
    Placeholder{"{branch}", "\"$PAWL_BRANCH\""},
    Placeholder{"{worktree}", "\"$PAWL_WORKTREE\"", true},
};

// By the end of the machine, for want of memory, by whoever ended the server: rather than by Ctrl-C.
bool was_killed(int exit) { return exit == 128 + SIGKILL || exit == 128 + SIGTERM || exit == 128 + SIGHUP; }

// A shell's way to say that there was nothing to run is not the loss of a session: the reason goes where it is seen.
std::string why_gone(const std::optional<int>& exit) {
  constexpr int kNotFound = 127, kNotExecutable = 126;
  if (exit == kNotFound) return cat(kNoProgram, "was not found (exit 127)");
  if (exit == kNotExecutable) return cat(kNoProgram, "cannot be run (exit 126)");
  return std::string(kSessionGone);
}

std::vector<std::string> texts_in(const Json& json, const char* key) {
  std::vector<std::string> texts;
  const Json list = json.value(key, Json::array());
  for (const Json& one : list) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
  }
  return texts;
}

}  // namespace

Json Run::json() const {
  Json out{{"issue", number},      {"run", id},          {"title", title},
           {"branch", branch},     {"base", base},       {"made_branch", made_branch},
           {"worktree", worktree}, {"session", session}, {"socket", socket},
           {"pane", pane},         {"command", command}, {"started_ms", started_ms},
           {"resumes", resumes},   {"watch", watch},     {"ended", ended},
           {"revision", revision}, {"seal", seal},       {"copied", Json::object()}};
  if (!begins_at.empty()) out["begins_at"] = begins_at;
  if (!earlier.empty()) out["earlier"] = earlier;
  if (unready) out["unready"] = true;
  if (adopted) out["adopted"] = true;
  if (made_worktree) out["made_worktree"] = true;
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
  run.begins_at = string_or(json, "begins_at");
  run.made_branch = string_or(json, "made_branch");
  run.worktree = string_or(json, "worktree");
  run.session = string_or(json, "session");
  run.socket = string_or(json, "socket");
  run.pane = string_or(json, "pane");
  run.started_ms = integer_or(json, "started_ms");
  run.resumes = integer_or(json, "resumes");
  run.ended = string_or(json, "ended");
  run.revision = integer_or(json, "revision");
  run.seal = string_or(json, "seal");
  if (!json.is_object()) return run;
  run.watch = json.value("watch", Json(true)) != Json(false);
  run.unready = json.value("unready", Json(false)) == Json(true);
  run.adopted = json.value("adopted", Json(false)) == Json(true);
  run.made_worktree = json.value("made_worktree", Json(false)) == Json(true);
  if (json.contains("watched_from")) run.watched_from = integer_or(json, "watched_from");
  run.command = texts_in(json, "command");
  run.earlier = texts_in(json, "earlier");
  const Json copied = json.value("copied", Json::object());
  for (const auto& [file, mark] : copied.items()) {
    if (mark.is_string()) run.copied[file] = mark.get<std::string>();
  }
  return run;
}

void go_on_as(Run& run, std::string id) {
  constexpr std::size_t kEarlierRuns = 8;  // of 4 MiB each at most
  if (!run.id.empty()) run.earlier.push_back(std::move(run.id));
  if (run.earlier.size() > kEarlierRuns) run.earlier.erase(run.earlier.begin());
  run.id = std::move(id);
}

bool is_over(const Run& run, const StatusPast& past, std::int64_t output_ended_ms) {
  if (!run.ended.empty()) return true;
  if (run.revision == 0) return false;  // put down by a pawl that did not note it
  if (past.became_running > run.revision) return true;
  return output_ended_ms != 0 && past.said_again > run.revision && past.said_again_ms > output_ended_ms;
}

std::string_view told_too_early(const Said& said, std::int64_t watched_from) {
  const auto counts = [&](const std::optional<std::int64_t>& at) { return at && *at > watched_from; };
  if (counts(said.complete) || counts(said.error)) return {};
  if (said.completes > 0) return kComplete;
  return said.errors > 0 ? kError : std::string_view();
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
    return Verdict{std::string(kError), why_gone(seen.exit),
                   seen.exit ? cat("the agent ended with exit ", *seen.exit, ", without a marker")
                             : std::string("its session is not there any more"),
                   std::string(seen.exit && !was_killed(*seen.exit) ? kEnded : kLost)};
  }
  return std::nullopt;
}

std::string some_numbers(const std::vector<std::int64_t>& numbers) {
  return first_few(numbers, 6, [](std::int64_t number) { return number; });
}

Done check_limit(const std::vector<std::int64_t>& under_way, std::int64_t limit) {
  if (limit <= 0 || std::cmp_less(under_way.size(), limit)) return done();
  const bool one = under_way.size() == 1;
  return fail(ErrorCode::gate_failed,
              cat(one ? "issue " : "issues ", some_numbers(under_way), one ? " is" : " are",
                  " running, and issue.max_concurrent is ", limit),
              "pawl issue ps  # shows what runs");
}

Done check_command(const Run& run) {
  PAWL_TRY(check_placeholders(run.command, kWritten));
  for (const std::string& word : run.command)
    PAWL_TRY(check_filled(word, filled_in(word, {{"title", run.title}, {"branch", run.branch}})));
  return done();
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
             "### alone on a line. When you cannot go on, print ###TASK_ERROR_", run.number,
             "### alone on a line, and the reason on the next one.\n");
}

}  // namespace pawl::issue
