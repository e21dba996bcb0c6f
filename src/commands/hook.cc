// `pawl hook claude | opencode`: what an agent's own hooks call. JSON on stdin, JSON or nothing on stdout. A hook never
// fails the agent: whatever is wrong here, the exit code is 0, a line on stderr says it, and nothing is decided.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/table.h"
#include "lifecycles/loop/identity.h"
#include "runners/hook/edit.h"
#include "runners/hook/session.h"
#include "runners/hook/stop.h"

namespace pawl {
namespace {

constexpr int kPatienceMs = 10'000;
constexpr std::int64_t kRestMs = 50;
constexpr std::size_t kMaxInput = std::size_t{64} << 20U;

// Whoever sends the event may write a newline behind it by itself, and would die of a pipe that nobody reads any more.
// One that leaves the stream open is not waited for.
void read_rest() {
  std::array<char, 4096> buffer;
  const SystemClock clock;
  const std::int64_t until = clock.now().boot_ms + kRestMs;
  for (std::int64_t left = kRestMs; left > 0; left = until - clock.now().boot_ms) {
    pollfd waiting{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return;
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got == 0 || (got < 0 && errno != EINTR)) return;
  }
}

// A whole object is enough: whoever sends it need not close the stream. One that never comes is not waited for.
Result<Json> read_event() {
  std::string input;
  std::array<char, 65536> buffer;
  while (true) {
    pollfd waiting{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kPatienceMs);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return fail(ErrorCode::unavailable, "no event came on stdin");
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected(io_error("read", "stdin", errno));
    if (got == 0) break;
    if (input.size() + static_cast<std::size_t>(got) > kMaxInput)
      return fail(ErrorCode::invalid_argument, "the event is larger than 64 MiB");
    input.append(buffer.data(), static_cast<std::size_t>(got));
    if (static_cast<std::size_t>(got) == buffer.size() || !trim(input).ends_with('}')) continue;
    if (auto event = parse_json(input); event && event->is_object()) {
      read_rest();
      return event;
    }
  }
  PAWL_ASSIGN(Json event, parse_json(input));
  if (!event.is_object()) return fail(ErrorCode::invalid_argument, "an event is a JSON object");
  return event;
}

Request hook_request(const Context& context, const std::string& session) {
  Request request = context.request();
  if (context.flags.actor.empty() && loop::is_session_id(session)) request.actor = cat("session ", session);
  return request;
}

// --- what happens, whoever's hook it is ---

Result<hook::Held> stop(Context& context, const std::string& session, const std::function<hook::LastTurn()>& turn) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  return hook::on_stop(*engine, hook_request(context, session), session, turn);
}

Result<std::string> before_edit(Context& context, const Json& arguments) {
  const auto edit = hook::edit_in(arguments);
  if (!edit) return std::string();
  PAWL_ASSIGN(Engine* const engine, context.engine());
  return hook::stopped_because(*engine, *edit, context.in_words);
}

// What was refused of an edit that was made.
Result<std::string> after_edit(Context& context, const Json& arguments, const std::string& session) {
  const auto edit = hook::edit_in(arguments);
  if (!edit) return std::string();
  std::string said;
  EngineOptions options{context.flags.dir, &context.lifecycles(), context.clock};
  options.note = [&said](std::string_view text) { said += cat(said.empty() ? "" : "\n", text); };
  options.tell = [&](const Note& note) { options.note(context.in_words(note)); };
  options.one_shot = context.one_shot;
  PAWL_ASSIGN(const auto engine, Engine::open(options));
  PAWL_TRY(hook::take_over(*engine, hook_request(context, session), *edit));
  return said;
}

// --- Claude Code ---

Json of_event(std::string_view event, Json more) {
  more["hookEventName"] = event;
  return Json{{"hookSpecificOutput", std::move(more)}};
}

Result<Json> claude_stop(Context& context, const Json& event, const std::string& session) {
  PAWL_ASSIGN(const hook::Held held, stop(context, session, [&] {
                hook::LastTurn turn = hook::read_last_turn(string_or(event, "transcript_path"));
                // Newer ones hand the message over; the transcript may lag behind.
                if (std::string said = string_or(event, "last_assistant_message"); !said.empty()) {
                  if (turn.at_ms && said != turn.text) turn.earlier.push_back({turn.text, *turn.at_ms});
                  turn.text = std::move(said);
                }
                return turn;
              }));
  if (held.hold) return Json{{"decision", "block"}, {"reason", held.text}};
  return held.text.empty() ? Json() : Json{{"systemMessage", cat("pawl: ", held.text)}};
}

Result<Json> claude_session_start(Context& context, const Json& event, const std::string& session) {
  if (!loop::is_session_id(session)) return Json();
  const char* env_file = std::getenv("CLAUDE_ENV_FILE");
  std::string text;
  if (env_file != nullptr && *env_file != '\0') {
    if (const Done handed = hook::hand_over_session(env_file, session); !handed) context.note(handed.error().message);
  } else {
    text = cat("For pawl this session is ", session, "; pass --session ", session, " to pawl ralph.\n");
  }
  if (string_or(event, "source") != "startup") {
    PAWL_ASSIGN(Engine* const engine, context.engine());
    PAWL_ASSIGN(const std::string work, hook::where_work_stands(*engine, session));
    text += work;
  }
  return text.empty() ? Json() : of_event("SessionStart", Json{{"additionalContext", text}});
}

Result<Json> claude_event(Context& context, const Json& event) {
  const std::string name = string_or(event, "hook_event_name");
  const std::string session = string_or(event, "session_id");
  const auto input = event.find("tool_input");
  const Json arguments = input == event.end() ? Json() : *input;
  if (name == "Stop") return claude_stop(context, event, session);
  if (name == "SessionStart") return claude_session_start(context, event, session);
  if (name == "PreToolUse") {
    PAWL_ASSIGN(const std::string why, before_edit(context, arguments));
    if (why.empty()) return Json();
    return of_event(name, Json{{"permissionDecision", "deny"}, {"permissionDecisionReason", why}});
  }
  if (name == "PostToolUse") {
    PAWL_ASSIGN(const std::string why, after_edit(context, arguments, session));
    return why.empty() ? Json() : Json{{"decision", "block"}, {"reason", why}};
  }
  return Json();
}

// --- opencode: its plugin's own words ---

Result<Json> opencode_event(Context& context, const Json& event) {
  const std::string name = string_or(event, "event");
  const std::string session = string_or(event, "session");
  const auto found = event.find("arguments");
  const Json arguments = found == event.end() ? Json() : *found;
  if (name == "session.idle") {
    hook::LastTurn turn;
    turn.text = string_or(event, "text");
    if (const auto earlier = event.find("earlier"); earlier != event.end() && earlier->is_array()) {
      for (const Json& said : *earlier) {
        if (said.is_object()) turn.earlier.push_back({string_or(said, "text"), integer_or(said, "at")});
      }
    }
    turn.tokens = integer_or(event, "tokens");
    const auto used = event.find("used_a_tool");
    turn.found = used != event.end() && used->is_boolean();
    turn.used_a_tool = turn.found && used->get<bool>();
    PAWL_ASSIGN(const hook::Held held, stop(context, session, [&] { return turn; }));
    if (held.hold) return Json{{"prompt", held.text}};
    return held.text.empty() ? Json() : Json{{"tell", cat("pawl: ", held.text)}};
  }
  if (name == "tool.execute.before") {
    PAWL_ASSIGN(const std::string why, before_edit(context, arguments));
    return why.empty() ? Json() : Json{{"deny", why}};
  }
  if (name == "tool.execute.after") {
    PAWL_ASSIGN(const std::string why, after_edit(context, arguments, session));
    return why.empty() ? Json() : Json{{"tell", why}};
  }
  return Json();
}

template <Result<Json> (*answer)(Context&, const Json&)>
Result<Reply> run_hook(Context& context, const Arguments&) {
  std::string why;
  try {
    const Result<Json> event = read_event();  // all of it in any case: whoever sends it waits until it is taken
    // Where pawl was left it has no say, whoever still calls it.
    if (const auto engine = context.engine(); engine && (*engine)->left()) return Reply{Json()};
    const Result<Json> answered = event ? answer(context, *event) : event;
    if (answered) return Reply{*answered};
    why = answered.error().message;
  } catch (const std::exception& error) {  // out of memory, for one: not the agent's fault
    why = error.what();
  }
  context.note(cat("the hook decides nothing: ", why));
  return Reply{Json()};
}

std::string text_of_hook(const Json& answer, const TextStyle&) { return to_line(answer) + "\n"; }

constexpr std::array kClaudeExamples = {
    Example{"pawl init --claude", "enters it into .claude/settings.json"},
    Example{"echo '{\"hook_event_name\":\"Stop\",\"session_id\":\"s1\"}' | pawl hook claude", "what Stop would answer"},
};
constexpr std::array kOpencodeExamples = {
    Example{"pawl init --opencode", "writes the plugin that calls it"},
    Example{"echo '{\"event\":\"session.idle\",\"session\":\"s1\"}' | pawl hook opencode", "what it would answer"},
};

}  // namespace

const Verb kHookClaude = {
    .noun = "hook",
    .name = "claude",
    .summary = "answer a hook of Claude Code's: its event as JSON on stdin",
    .manual =
        "Stop holds the session that owns an active loop, and nobody else; it lets go when the promise was given, at "
        "the maximum, after two hours without anything, when the context is nearly full, after seven times in a row "
        "without progress, and where pawl ralph run drives the loop. SessionStart hands the session its id as "
        "PAWL_SESSION and tells one that is resumed where its work stands. PreToolUse stops an edit that would bring a "
        "status that does not exist or cannot follow; PostToolUse tells what of an edit was refused.\n\n"
        "Whatever goes wrong, the exit code is 0 and nothing is decided.",
    .examples = kClaudeExamples,
    .read_only = false,
    .for_a_file = true,
    .never_fails = true,
    .run = run_hook<claude_event>,
    .text = text_of_hook,
};

const Verb kHookOpencode = {
    .noun = "hook",
    .name = "opencode",
    .summary = "answer pawl's plugin for opencode: its event as JSON on stdin",
    .manual =
        "The plugin sends session.idle, tool.execute.before and tool.execute.after, and is answered with what to "
        "prompt, why an edit is denied, or what to tell of one. Whatever goes wrong, the exit code is 0 and nothing "
        "is decided.",
    .examples = kOpencodeExamples,
    .read_only = false,
    .for_a_file = true,
    .never_fails = true,
    .run = run_hook<opencode_event>,
    .text = text_of_hook,
};

}  // namespace pawl
