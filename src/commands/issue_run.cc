// `pawl issue run`, `resume`, `stop`, `attach`: an agent at work on an issue, in a worktree and a terminal of its own.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/text.h"
#include "commands/context.h"
#include "commands/issue_params.h"
#include "commands/issue_run.h"
#include "commands/once.h"
#include "commands/present.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/advice.h"
#include "runners/issue/run_issue.h"
#include "runners/issue/sight.h"

namespace pawl {
namespace {

Json run_json(const Started& started) {
  const issue::Run& run = started.run;
  Json out{{"issue", run.number}, {"session", run.session}, {"worktree", run.worktree}, {"branch", run.branch}};
  if (!run.title.empty()) out["title"] = run.title;
  out["already"] = started.already;
  out["watched"] = run.watch;
  if (started.ended) out["ended"] = started.ended->status;
  return out;
}

// In place of this process: tmux shows the session to whoever sits at the terminal.
Result<Reply> show_session(const std::string& socket, const std::string& name) {
  const char* const tmux = getenv("TMUX");
  const bool inside = tmux != nullptr && *tmux != '\0';
  const std::vector<std::string> words = Tmux(socket).attach_command(name, inside);
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  return fail(ErrorCode::unavailable, cat("tmux could not be run: ", io_error("start", "tmux", errno).message));
}

std::string from_here(std::string program) {
  if (program.starts_with('/') || program.find('/') == std::string::npos) return program;
  std::array<char, 4096> folder{};
  return getcwd(folder.data(), folder.size()) == nullptr ? program : cat(folder.data(), "/", program);
}

bool at_a_terminal(const Context& context) { return context.one_shot && isatty(0) == 1 && isatty(1) == 1; }

// --- run ---

Result<Reply> run_run(Context& context, const Arguments& arguments) {
  if (!arguments.text("title")) {
    PAWL_ASSIGN(Engine* const engine, context.engine());
    PAWL_ASSIGN(const bool needed, needs_title(*engine, issue_number(arguments)));
    if (needed) return tl::unexpected(context.hand_over());  // GitHub tells it
  }
  return run_issue(context, arguments, arguments.text_or("title", ""));
}

std::string text_of_run(const Json& data, const TextStyle&) {
  const std::string number = to_line(data["issue"]);
  const std::string session = printable(string_or(data, "session"));
  if (data["already"] == true)
    return cat("issue ", number, " is running already, in session ", session, "\n    pawl issue attach ", number, "\n");
  if (data.contains("ended")) return cat("issue ", number, " had ended meanwhile: ", string_or(data, "ended"), "\n");
  std::string out = cat("issue ", number, " runs in session ", session, "\n");
  out += cat("worktree  ", printable(string_or(data, "worktree")), "\n");
  out += cat("branch    ", printable(string_or(data, "branch")), "\n");
  out += data["watched"] == true ? cat("    pawl issue wait ", number, "  # until it has ended\n")
                                 : cat("    pawl issue watch ", number, "  # nobody watches it yet\n");
  return out;
}

constexpr std::array kRunParams = {
    kIssueNumber,
    Param{.name = "command",
          .value = "COMMAND",
          .summary = "what to run in the session, behind --; otherwise issue.agent of pawl.toml",
          .positional = true,
          .many = true},
    Param{.name = "title",
          .value = "T",
          .summary = "names worktree and branch; otherwise GitHub is asked, where a remote leads there",
          .max_bytes = 1024},
    Param{.name = "branch",
          .value = "B",
          .summary = "another branch than feature/issue-N-TITLE",
          .max_bytes = 250,
          .offer = Offer::branches},
    Param{.name = "base",
          .value = "REF",
          .summary = "what a new branch begins at; otherwise issue.base_branch, or what is checked out",
          .max_bytes = 250,
          .offer = Offer::branches},
    Param{.name = "no-watch", .type = ParamType::flag, .summary = "leave no watcher behind"},
    Param{.name = "again",
          .type = ParamType::flag,
          .summary = "run one that has ended once more, or that says running and has no session"},
    Param{.name = "wait",
          .type = ParamType::flag,
          .summary = "where issue.max_concurrent are running, wait for one to end instead of refusing"},
};
constexpr std::array kRunExamples = {
    Example{"pawl issue run 42", "title from GitHub, agent from pawl.toml"},
    Example{"pawl issue run 42 --title 'Fix login' -- opencode run '{prompt}'", "without GitHub, with another agent"},
};

// --- resume ---

Result<Reply> resume(Engine& engine, const Request& request, std::optional<std::int64_t> number,
                     const std::string& self) {
  Json out = Json::array();
  if (number) {
    PAWL_ASSIGN(const Started started, resume_issue(engine, *number, request, self));
    out.push_back(run_json(started));
    return Reply{std::move(out)};
  }
  std::vector<std::string> left;
  PAWL_ASSIGN(const auto lost, lost_issues(engine, left));
  for (const std::string& line : left) engine.note(line);
  PAWL_ASSIGN(const auto records, read_issues(engine));
  const std::int64_t limit = parse_positive(engine.settings().text("issue.max_concurrent")).value_or(0);
  std::vector<std::int64_t> alive;
  for (const Record& record : records) {
    if (record.status == issue::kRunning && std::find(lost.begin(), lost.end(), issue::number_of(record)) == lost.end())
      alive.push_back(issue::number_of(record));
  }
  int exit_code = 0;
  for (const std::int64_t one : lost) {  // one that cannot be resumed does not keep the others from it
    const auto started = [&]() -> Result<Started> {
      PAWL_TRY(issue::check_limit(alive, limit));
      return resume_issue(engine, one, request, self);
    }();
    if (started && !started->ended) alive.push_back(one);
    if (started) {
      out.push_back(run_json(*started));
    } else {
      out.push_back({{"issue", one}, {"error", started.error().message}, {"hint", started.error().hint}});
      exit_code = 1;
    }
  }
  return Reply{std::move(out), exit_code};
}

Result<Reply> run_resume(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const auto number = arguments.number("number");
  if (number.has_value() == arguments.flag("all"))
    return fail(ErrorCode::invalid_argument, "`pawl issue resume` needs a number or --all, and not both");
  return once(context, [&](const Request& request) { return resume(*engine, request, number, context.self()); });
}

std::string text_of_resume(const Json& list, const TextStyle& style) {
  std::string out;
  for (const Json& one : list) {
    if (one.contains("error")) {
      out += cat("issue ", to_line(one["issue"]), " could not be resumed: ", printable(string_or(one, "error")), "\n");
      out += lines_below(string_or(one, "hint"), "    ");
    } else {
      out += text_of_run(one, style);
    }
  }
  return list.empty() ? "nothing was cut off\n" : out;
}

constexpr std::array kResumeParams = {
    Param{.name = "number",
          .type = ParamType::positive,
          .value = "N",
          .summary = "the issue's number",
          .positional = true,
          .offer = Offer::records,
          .offer_kind = "issue"},
    Param{.name = "all", .type = ParamType::flag, .summary = "all that were running and whose session is lost"},
};
constexpr std::array kResumeExamples = {
    Example{"pawl issue resume 42", "a new session in the old worktree"},
    Example{"pawl issue resume --all", "after a reboot: everything that was running is running again"},
};

// --- stop ---

Result<Reply> run_stop(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  return once(context, [&](const Request& request) -> Result<Reply> {
    PAWL_ASSIGN(const Stopped stopped, stop_issue(*engine, issue_number(arguments), request));
    return Reply{Json{{"issue", issue_number(arguments)},
                      {"status", issue::status_word(stopped.record)},
                      {"error_message", string_or(stopped.record.doc, "error_message")},
                      {"ended_session", stopped.session.empty() ? Json() : Json(stopped.session)}}};
  });
}

std::string text_of_stop(const Json& data, const TextStyle&) {
  const std::string message = string_or(data, "error_message");
  const std::string session = string_or(data, "ended_session");
  return cat("issue ", to_line(data["issue"]),
             session.empty() ? std::string(" had no session") : cat(": session ", printable(session), " ended"),
             "; its status is ", string_or(data, "status"), message.empty() ? "" : cat(": ", printable(message)), "\n");
}

constexpr std::array kStopExamples = {
    Example{"pawl issue stop 42", "ends its session; the worktree stays as it is"},
    Example{"pawl issue resume 42", "goes on with it later"},
};

// --- attach ---

Result<Reply> run_attach(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::int64_t number = issue_number(arguments);
  PAWL_ASSIGN(const auto run, RunBook(*engine).find(number));
  PAWL_ASSIGN(const Record record, read_issue(*engine, number));
  Sessions sessions(*engine);
  PAWL_ASSIGN(const auto there, sessions.of(record, run));
  if (!there) {
    PAWL_ASSIGN(const std::string how, how_to_open(*engine, record));
    return fail(ErrorCode::not_found, cat("issue ", number, " has no session"), how);
  }
  if (!at_a_terminal(context))
    return fail(ErrorCode::invalid_argument, "this is no terminal that the session could be shown on",
                cat("pawl issue logs ", number, "  # prints what it says"));
  return show_session(there->socket, there->name);
}

constexpr std::array kAttachExamples = {
    Example{"pawl issue attach 42", "go to the terminal where the agent works; Ctrl-B D leaves it"},
    Example{"pawl issue logs 42 -f", "look on without a hand on it"},
};

}  // namespace

Result<Reply> run_issue(Context& context, const Arguments& arguments, const std::string& title) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  StartOptions options;
  options.number = issue_number(arguments);
  options.title = title;
  options.branch = arguments.text_or("branch", "");
  options.base = arguments.text_or("base", "");
  options.command = arguments.list("command");
  // The session is in the worktree; a path that was typed is meant from here.
  if (!options.command.empty()) options.command.front() = from_here(std::move(options.command.front()));
  options.watch = !arguments.flag("no-watch");
  options.again = arguments.flag("again");
  options.wait = arguments.flag("wait");
  options.self = pawl_program(context.self());
  return once(context, [&](const Request& request) -> Result<Reply> {
    options.request = request;
    PAWL_ASSIGN(const Started started, start_issue(*engine, options));
    // The same command again, as after a start that was cut off, is what was wanted.
    const bool another = started.already && !options.command.empty() && options.command != started.run.command;
    if (another)
      context.note(cat("issue ", options.number, " is running already: the command was not started\n  pawl issue stop ",
                       options.number, "  # ends what runs"));
    if (started.already && at_a_terminal(context)) return show_session(started.run.socket, started.run.session);
    // A script that has given a command must not take another one's session for it.
    return Reply{run_json(started), another ? 1 : 0};
  });
}

std::string pawl_program(const std::string& self) {
  const std::size_t slash = self.rfind('/');
  if (slash == std::string::npos || self.substr(slash + 1) != "pawl-world") return self;
  for (const std::string& path : {cat(self.substr(0, slash), "/pawl"), cat(self.substr(0, slash), "/../../bin/pawl")}) {
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return self;  // it can do the same, and only starts more slowly
}

const Verb kIssueRun = {
    .noun = "issue",
    .name = "run",
    .summary = "start an agent on an issue: worktree, branch, terminal session, watcher",
    .manual =
        "The worktree is BASE/issue-N-TITLE, its branch feature/issue-N-TITLE; files of issue.copy_files are copied "
        "in. "
        "The session is a tmux session called pi-issue-N; the agent runs in it, and the issue is running once it "
        "exists. In the command {prompt}, {prompt_file}, {number}, {title}, {branch} and {worktree} are filled in; "
        "PAWL_ISSUE, PAWL_TITLE, PAWL_BRANCH, PAWL_WORKTREE and PAWL_PROMPT_FILE are in its environment. A title is "
        "written by others: {title}, {prompt} and {branch} are words of their own, or all that stands behind "
        "--option=, "
        "and are refused in what sh -c and its like are to run; write \"$PAWL_TITLE\" there.\n\n"
        "A watcher stays behind and sets the status when the agent prints ###TASK_COMPLETE_N### or ###TASK_ERROR_N### "
        "alone on a line, or ends. A worktree that is there already is used. Of an issue that is running it shows the "
        "session, or says so, with exit 1 where another command was given; one that has ended, or says running and "
        "has no session, needs --again. An agent whose program is not there is refused before anything is made.\n\n"
        "Without a command, and without issue.agent in pawl.toml, the agent is pi, as it is for the scripts that pawl "
        "replaces: `pi @{prompt_file}`. issue.agent of pawl.toml is run only after pawl trust, as the file may have "
        "come with a clone.",
    .params = kRunParams,
    .examples = kRunExamples,
    .read_only = false,
    .run = run_run,
    .text = text_of_run,
};

const Verb kIssueResume = {
    .noun = "issue",
    .name = "resume",
    .summary = "go on with an issue whose session was lost, in a new session",
    .manual =
        "The worktree is used as it is, with the command of issue.resume_agent, or else the one it was started with. "
        "The agent is told that it resumes: by the prompt, and by PAWL_RESUMED=1. With --all: every issue that was "
        "running and has no session any more, as after a reboot, or whose agent was killed (exit 129, 137 or 143); one "
        "that ended while nobody watched ends as its output says. One whose agent ended by itself without a marker, by "
        "Ctrl-C too, and one that was stopped are resumed by number only. Where issue.max_concurrent is set, no more "
        "than that run: the others are named, and wait for the next "
        "time. Of a run that is left as it is, because it runs or ended in another way, a line on stderr says why.",
    .params = kResumeParams,
    .examples = kResumeExamples,
    .read_only = false,
    .run = run_resume,
    .text = text_of_resume,
};

const Verb kIssueStop = {
    .noun = "issue",
    .name = "stop",
    .summary = "end the session of an issue; its worktree stays",
    .manual = "An issue that was running is then an error, “Stopped”; pawl issue resume goes on with it.",
    .params = kNumberOnly,
    .examples = kStopExamples,
    .read_only = false,
    .run = run_stop,
    .text = text_of_stop,
};

const Verb kIssueAttach = {
    .noun = "issue",
    .name = "attach",
    .summary = "go to the terminal session of an issue",
    .manual = "This process becomes tmux. Inside of tmux the client switches to the session.",
    .params = kNumberOnly,
    .examples = kAttachExamples,
    .run = run_attach,
};

}  // namespace pawl
