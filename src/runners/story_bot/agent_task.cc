// The agent's turn at a story.
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/capped_log.h"
#include "base/file.h"
#include "base/output_tail.h"
#include "base/own_folder.h"
#include "base/process.h"
#include "base/text.h"
#include "core/placeholder.h"
#include "integrations/agent.h"
#include "integrations/git_worktree.h"
#include "lifecycles/story/checks.h"
#include "lifecycles/story/naming.h"
#include "lifecycles/story/story.h"
#include "runners/story_bot/work.h"
#include "runners/story_check.h"

namespace pawl {
namespace {

constexpr std::size_t kLogCap = std::size_t{4} << 20U;
constexpr std::size_t kTail = 4'000;
constexpr std::size_t kShownLine = 60;

// The name of a branch may come from the story's file.
constexpr std::array kWritten = {Placeholder{"{branch}", "\"$PAWL_BRANCH\""},
                                 Placeholder{"{worktree}", "\"$PWD\"", true},
                                 Placeholder{"{task_file}", "\"$PAWL_TASK_FILE\"", true}};

Json commands_of(const Record& story, const Json& table) {
  Json out = Json::array();
  for (const story::CheckPlan& plan : story::plan_checks(story.doc, table)) {
    Json one{{"criterion", plan.criterion}};
    if (!plan.command.is_null()) one["command"] = plan.command;
    out.push_back(std::move(one));
  }
  return out;
}

// A program that is not there is nobody's failure but of whoever typed its name: it is told before the first story. A
// path means what it means where it was typed; one that is not there may be the worktree's.
Done find_program(const Workspace& workspace, bool typed, std::string& program) {
  if (program.find('{') != std::string::npos) return done();
  const auto runs = [](const std::string& path) { return access(path.c_str(), X_OK) == 0; };
  if (program.find('/') == std::string::npos) {
    if (is_in_path(program)) return done();
    return fail(ErrorCode::not_found, cat("no program called ", printable(program), " is in PATH"),
                "pawl story run -- AGENT: the agent's name or its path");
  }
  if (!program.starts_with('/') && typed) {
    if (const std::string here = cat(workspace.here, "/", program); runs(here)) {
      program = here;
      return done();
    }
  }
  if (runs(program.starts_with('/') ? program : cat(workspace.root, "/", program))) return done();
  return fail(ErrorCode::not_found, cat(printable(program), " is not there, or cannot be run"),
              "pawl story run -- AGENT: the agent's name or its path; chmod +x where it is a script");
}

}  // namespace

Result<std::vector<std::string>> agent_command(const BotTools& tools) {
  if (!tools.command.empty()) {
    PAWL_TRY(check_placeholders(tools.command, kWritten));
    std::vector<std::string> words = tools.command;
    PAWL_TRY(find_program(tools.engine.workspace(), true, words.front()));
    return words;
  }
  const Settings& settings = tools.engine.settings();
  std::vector<std::string> words;
  for (const std::string_view word : split(settings.text("agent.command"), '\n')) words.emplace_back(word);
  if (words.empty() || words.front().empty())
    return fail(ErrorCode::invalid_argument, "no agent is named",
                "pawl story run -- claude -p --permission-mode acceptEdits\n"
                "or in pawl.toml: agent.command = [\"claude\", \"-p\", \"--permission-mode\", \"acceptEdits\"]; then: "
                "pawl trust");
  if (!settings.trusted("agent.command"))
    return fail(ErrorCode::untrusted, "the agent that pawl.toml names is run only after somebody has read the file",
                "read pawl.toml, then: pawl trust");
  PAWL_TRY(check_placeholders(words, kWritten));
  PAWL_TRY(find_program(tools.engine.workspace(), false, words.front()));
  return words;
}

Done StoryWork::run_agent_at(const story::Task& wanted, const CheckedOut& at) {
  PAWL_ASSIGN(const auto words, agent_command(tools_));
  PAWL_ASSIGN(const Record story, hold_.record());
  PAWL_ASSIGN(const Json table, check_table(tools_.engine));
  const std::string folder = task_folder();
  PAWL_ASSIGN(const std::string store, tools_.engine.folder_to_write());
  PAWL_ASSIGN(const Fd opened, make_below(store, std::string_view(folder).substr(store.size()), 0700));
  PAWL_ASSIGN(const std::string head, git_commit_of(at.folder, "HEAD"));
  const story::BotNote before = story::note_of(story.doc);
  story::Task task = wanted;
  task.branch = at.branch;
  task.worktree = at.folder;
  if (tools_.seat.forge != nullptr) {
    PAWL_ASSIGN(task.base, tools_.base_branch());
  }
  task.checks = commands_of(story, table);
  task.attempt = story::own_of(story.doc).failures + 1;
  task.resumed = before.task == task.kind;
  task.reply_file = cat(folder, "/reply.md");
  std::vector<std::string> handed;
  for (const story::Said& said : task.turn.news) handed.push_back(said.id);
  const std::size_t remarks = handed.size();
  handed.insert(handed.end(), task.turn.settled.begin(), task.turn.settled.end());
  PAWL_TRY(
      note(cat("agent began to ", task.kind), Json{{"from", head}, {"remarks", remarks}}, [&](story::BotNote& now) {
        now.task = task.kind;
        now.worked = false;
        now.from = head;
        now.checking.clear();
        now.handed = handed;
      }));
  AgentCall call;
  call.input = to_pretty(story::task_json(story, task)) + "\n";
  const std::string file = cat(folder, "/task.json");
  PAWL_TRY(write_synced_at(opened.get(), "task.json", call.input, {0600, {}}));
  if (const Done gone = remove_at(opened.get(), "reply.md"); !gone && gone.error().code != ErrorCode::not_found)
    return gone;
  for (const std::string& word : words) {
    call.argv.push_back(filled_in(word, {{"task_file", file}, {"branch", at.branch}, {"worktree", at.folder}}));
    PAWL_TRY(check_filled(word, call.argv.back()));
  }
  call.folder = at.folder;
  call.environment = {cat("PAWL_STORY=", story.id.key.substr(0, story.id.key.find('\0'))),
                      cat("PAWL_BRANCH=", at.branch), cat("PAWL_TASK=", task.kind), cat("PAWL_TASK_FILE=", file),
                      cat("PAWL_REPLY_FILE=", task.reply_file)};
  call.limit_ms = tools_.ms("agent.timeout");
  call.secrets = Secrets::dropped;
  call.alone = true;
  const std::string log_name = cat("logs/story-", story::file_name_of(story.id), "-agent.log");
  const std::string log_file = cat(store, "/", log_name);
  PAWL_ASSIGN(CappedLog log, CappedLog::open(store, log_name, kLogCap));
  log.append(cat("--- ", task.kind, ", attempt ", task.attempt, " ---\n"));
  OutputTail tail(kTail);
  call.output = call.errors = [&](std::string_view bytes) {
    log.append(bytes);
    tail.add(bytes);
  };
  const std::int64_t began = tools_.engine.clock().now().boot_ms;
  call.wanted = [&] {
    tools_.streams.progress(cat(printable(story.id.key), "  agent  ",
                                (tools_.engine.clock().now().boot_ms - began) / 1000, " s  ",
                                last_line_of(tail.raw(), kShownLine)));
    const auto now = hold_.record();  // moved, paused or dropped by somebody meanwhile
    if (!now) return now.error().code != ErrorCode::not_found;
    if (!story::own_of(now->doc).stuck.empty()) return false;
    if (now->status == story.status) return true;
    return task.kind == story::kImplement && went_ahead_by_file(*now).value_or(false);
  };
  auto ran = run_agent(call, tools_.stop);
  tools_.streams.progress("");
  tools_.output = tail.text();
  if (!ran) return fail(ErrorCode::gate_failed, cat("the agent could not be started: ", ran.error().message));
  if (ran->end == AgentEnd::stopped) {
    tools_.stopped = ran->stop_signal;
    return fail(ErrorCode::busy, "stopped");
  }
  if (ran->end == AgentEnd::unwanted)
    return fail(ErrorCode::lease_lost, "somebody else took the story's way meanwhile");
  const bool good = ran->end == AgentEnd::exited && ran->exit_code == 0;
  PAWL_TRY(note(good ? "agent ended" : "agent failed",
                Json{{"exit", ran->exit_code}, {"ms", ran->took_ms}, {"log", log_file}, {"tail", tools_.output}},
                [&](story::BotNote& now) { now.worked = good; }));
  if (good) return done();
  if (ran->end == AgentEnd::too_long)
    return fail(ErrorCode::gate_failed,
                cat("the agent took longer than ", tools_.text("agent.timeout"), " and was ended"));
  return fail(ErrorCode::gate_failed, cat("the agent ended with exit code ", ran->exit_code));
}

}  // namespace pawl
