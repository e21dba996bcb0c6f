#include "integrations/tmux/tmux.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "base/file.h"
#include "base/process.h"
#include "base/shell_word.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{64} << 20U;
constexpr int kGraceMs = 3'000;
// In names tmux gives others a meaning: targets, formats, ids.
constexpr std::string_view kNameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:";
constexpr std::string_view kWidth = "200", kHeight = "50";  // until somebody attaches

bool means_no_server(std::string_view said) {
  // One that may not be spoken to is there, and what it has cannot be told.
  const bool closed = said.find("error connecting") != std::string_view::npos &&
                      (said.find("No such file") != std::string_view::npos ||
                       said.find("Connection refused") != std::string_view::npos);
  return closed || said.find("no server running") != std::string_view::npos ||
         said.find("server exited") != std::string_view::npos || said.find("lost server") != std::string_view::npos;
}

bool means_not_there(std::string_view said) {
  return means_no_server(said) || said.find("can't find") != std::string_view::npos ||
         said.find("no current target") != std::string_view::npos;
}

// A word that ends in ";" would end the command for tmux.
std::string word_for_tmux(std::string word) {
  if (word.ends_with(';')) word.insert(word.size() - 1, "\\");
  return word;
}

// As pipe-pane wants it: for a shell, and past strftime and tmux's own formats.
std::string piped(const std::vector<std::string>& argv) {
  std::string line = "exec";
  for (const std::string& word : argv) line += cat(" ", shell_quoted(word));
  std::string out;
  for (const char c : line) {
    if (c == '#' || c == '%') out += c;
    out += c;
  }
  return word_for_tmux(out);
}

// tmux fills in formats where it wants a folder, and "#(…)" in one is a command that it runs: a path is no format.
std::string folder_for_tmux(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == '#') out += c;
    out += c;
  }
  return word_for_tmux(out);
}

// By its exact name, and not by the beginning of another one's.
std::string exactly(std::string_view name) { return cat("=", name, ":"); }

// "…|3:abc|": what may hold anything comes with its length.
std::optional<std::string> take_counted(std::string_view& line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto size = parse_positive(line.substr(0, colon));
  const std::size_t count = size ? static_cast<std::size_t>(*size) : 0;
  if ((!size && line.substr(0, colon) != "0") || line.size() < colon + 1 + count) return std::nullopt;
  std::string value(line.substr(colon + 1, count));
  line.remove_prefix(std::min(line.size(), colon + 2 + count));
  return value;
}

constexpr std::string_view kSessionFormat =
    "#{session_created}|#{pane_id}|#{@pawl_run}|#{n:session_name}:#{session_name}|#{n:socket_path}:#{socket_path}|"
    "#{n:@pawl_store}:#{@pawl_store}|#{session_path}";

std::optional<TmuxSession> parse_session(std::string_view line) {
  TmuxSession session;
  const auto take = [&] {
    const std::size_t bar = std::min(line.find('|'), line.size());
    const std::string_view word = line.substr(0, bar);
    line.remove_prefix(std::min(line.size(), bar + 1));
    return word;
  };
  session.created_s = parse_positive(take()).value_or(0);
  session.pane = take();
  session.run = take();
  for (std::string* const value : {&session.name, &session.socket, &session.store}) {
    auto counted = take_counted(line);
    if (!counted) return std::nullopt;
    *value = std::move(*counted);
  }
  session.path = line;
  return session;
}

std::string variable(const char* name) {
  const char* const value = getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// Where tmux looks for its server when nobody names a socket: that of the session it is called in, else by the user.
std::string socket_by_environment() {
  const std::string inside = variable("TMUX");  // "SOCKET,PID,SESSION"
  if (!inside.empty() && inside.front() != ',') return inside.substr(0, inside.find(','));
  const std::string folder = variable("TMUX_TMPDIR");
  return cat(folder.empty() ? "/tmp" : folder, "/tmux-", static_cast<std::int64_t>(getuid()), "/default");
}

std::int64_t steady_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

// Those that the terminal's first process and its children have started: it leads a session of its own, whose number
// stays taken as long as one of them lives.
std::vector<ProcessIdentity> session_of(const ProcessIdentity& leader) {
  std::vector<ProcessIdentity> found;
  const auto now = identify_process(leader.pid);
  if (leader.started == 0 || (now.started != 0 && now.started != leader.started)) return found;
  const auto folder = open_folder("/proc");
  if (!folder) return found;
  const auto names = names_in(folder->get());
  if (!names) return found;
  for (const std::string& name : *names) {
    const auto pid = parse_positive(name);
    if (!pid || getsid(static_cast<pid_t>(*pid)) != static_cast<pid_t>(leader.pid)) continue;
    if (const ProcessIdentity process = identify_process(*pid); process.started != 0) found.push_back(process);
  }
  return found;
}

// One that does not listen to the hangup outlives the first process, and would go on writing.
void end_session_of(const ProcessIdentity& leader, std::int64_t deadline) {
  constexpr int kMostRounds = 20;  // one that starts others as it ends
  for (int round = 0; round < kMostRounds; ++round) {
    const auto members = session_of(leader);
    if (members.empty()) return;
    for (const ProcessIdentity& process : members) {
      const std::int64_t left = std::max<std::int64_t>(deadline - steady_ms(), 0);
      if (ends_within(process, static_cast<int>(left)) || !lives(process)) continue;
      kill(static_cast<pid_t>(process.pid), SIGKILL);
      static_cast<void>(ends_within(process, kGraceMs));
    }
  }
}

}  // namespace

std::vector<std::string> Tmux::command(std::vector<std::string> words) const {
  std::vector<std::string> argv = {"tmux", "-u"};
  if (!socket_.empty()) argv.insert(argv.end(), {"-S", socket_});
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

// not_found: there is no server, or not what was asked for.
Result<std::string> Tmux::ask(std::vector<std::string> words) const {
  const auto ran = run_program(command(words), kMaxOutput, StandardError::with_output, GitVariables::dropped,
                               patience_ms_, Secrets::kept);
  if (!ran) {
    if (ran.error().code == ErrorCode::busy)
      return fail(ErrorCode::busy, ran.error().message,
                  "its server is stopped, or has too much to do: what it has is not known before it answers");
    if (ran.error().message.find("tmux") != std::string::npos && ran.error().code == ErrorCode::unavailable)
      return tl::unexpected(ran.error());
    return fail(ErrorCode::unavailable, cat("tmux could not be run: ", ran.error().message),
                "install tmux: terminal sessions are kept by it");
  }
  if (ran->exit_code == 0) return ran->out;
  const std::string said = printable(trim(ran->out));
  if (said.find("duplicate session") != std::string::npos) return fail(ErrorCode::already_exists, said);
  if (said.find("command too long") != std::string::npos)
    return fail(ErrorCode::invalid_argument, "the agent's command is longer than tmux takes, about 16,000 bytes",
                "give the prompt by its file instead of {prompt}: {prompt_file}, or $PAWL_PROMPT_FILE");
  if (means_not_there(said)) return fail(ErrorCode::not_found, said);
  return fail(ErrorCode::unavailable, cat("tmux ", words.front(), ": ", said));
}

Done Tmux::must_be_there() {
  PAWL_TRY(Tmux().ask({"-V"}));
  return done();
}

bool Tmux::listens() const {
  const std::string path = socket_.empty() ? socket_by_environment() : socket_;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) return true;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const Fd connection(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!connection.valid()) return true;
  if (connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return true;
  return errno != ENOENT && errno != ECONNREFUSED && errno != ENOTDIR;
}

Result<std::vector<TmuxSession>> Tmux::sessions() const {
  std::vector<TmuxSession> found;
  const auto lines = ask({"list-sessions", "-F", std::string(kSessionFormat)});
  if (!lines && lines.error().code == ErrorCode::not_found) return found;
  if (!lines) return tl::unexpected(lines.error());
  for (const std::string_view line : split(*lines, '\n')) {
    if (auto session = parse_session(line)) found.push_back(std::move(*session));
  }
  return found;
}

Result<std::optional<TmuxSession>> Tmux::session(std::string_view name) const {
  PAWL_ASSIGN(const auto all, sessions());
  for (const TmuxSession& session : all) {
    if (session.name == name) return std::optional(session);
  }
  return std::optional<TmuxSession>();
}

Result<bool> Tmux::has_pane(const std::string& pane) const {
  const auto lines = ask({"list-panes", "-a", "-F", "#{pane_id}|#{pane_dead}"});
  if (!lines && lines.error().code == ErrorCode::not_found) return false;
  if (!lines) return tl::unexpected(lines.error());
  for (const std::string_view line : split(*lines, '\n')) {
    if (line == cat(pane, "|0")) return true;
  }
  return false;
}

// One call of tmux for all of it: its server runs the commands of one call before it reads from the new pane, so the
// recorder misses nothing.
Result<StartedSession> Tmux::start(const SessionPlan& plan) const {
  if (plan.name.empty() || plan.name.find_first_not_of(kNameLetters) != std::string::npos)
    return fail(ErrorCode::invalid_argument,
                cat("“", printable(plan.name), "” cannot be the name of a terminal session"),
                "letters, digits, - . : and _ are taken; the setting issue.session_prefix is its beginning");
  // tmux writes "_" for these; what follows must name the session as it will be called, or, typed inside of tmux, it
  // would be done to the session of whoever types.
  std::string name = plan.name;
  for (char& c : name) c = c == '.' || c == ':' ? '_' : c;
  const std::string target = exactly(name);
  std::vector<std::string> words = {"new-session",
                                    "-d",
                                    "-P",
                                    "-F",
                                    "#{pane_id}|#{socket_path}|#{session_name}",
                                    "-s",
                                    name,
                                    "-x",
                                    std::string(kWidth),
                                    "-y",
                                    std::string(kHeight),
                                    "-c",
                                    folder_for_tmux(plan.folder)};
  for (const auto& [variable, value] : plan.environment)
    words.insert(words.end(), {"-e", word_for_tmux(cat(variable, "=", value))});
  words.emplace_back("--");
  for (const std::string& word : plan.command) words.push_back(word_for_tmux(word));
  words.insert(words.end(), {";", "set-option", "-t", target, "@pawl_run", plan.run});
  words.insert(words.end(), {";", "set-option", "-t", target, "@pawl_store", word_for_tmux(plan.store)});
  words.insert(words.end(), {";", "pipe-pane", "-t", target, piped(plan.recorder)});
  words.insert(words.end(), {";", "set-option", "-t", target, "destroy-unattached", "off"});
  words.insert(words.end(), {";", "set-option", "-w", "-t", target, "remain-on-exit", "off"});
  const auto answered = ask(words);
  if (!answered) {
    // The session may be there although a later command failed. One without this id is somebody else's.
    const auto made = session(name);
    if (made && *made && (*made)->run == plan.run) PAWL_TRY(end(name));
    return tl::unexpected(answered.error());
  }
  const std::string& said = *answered;
  const std::string_view line = trim(said);
  const std::size_t first = line.find('|'), last = line.rfind('|');
  if (first == std::string_view::npos || first == last)
    return fail(ErrorCode::unavailable, cat("tmux said something else than where the session is: ", printable(line)));
  return StartedSession{std::string(line.substr(last + 1)), std::string(line.substr(first + 1, last - first - 1)),
                        std::string(line.substr(0, first))};
}

Result<StartedSession> Tmux::record(const std::string& pane, const std::vector<std::string>& recorder) const {
  PAWL_ASSIGN(const std::string said, ask({"pipe-pane", "-t", pane, piped(recorder), ";", "display-message", "-p", "-t",
                                           pane, "#{pane_id}|#{socket_path}|#{session_name}"}));
  const auto parts = split(trim(said), '|');
  if (parts.size() < 3) return fail(ErrorCode::unavailable, cat("tmux said: ", printable(said)));
  return StartedSession{std::string(parts[2]), std::string(parts[1]), std::string(parts[0])};
}

Done Tmux::mark(const std::string& pane, const std::string& run, const std::string& store) const {
  PAWL_TRY(ask({"set-option", "-t", pane, "@pawl_run", run, ";", "set-option", "-t", pane, "@pawl_store",
                word_for_tmux(store)}));
  return done();
}

Result<std::string> Tmux::history(const std::string& pane) const {
  return ask({"capture-pane", "-p", "-J", "-S", "-", "-t", pane});
}

Done Tmux::end(const std::string& name) const {
  const auto pids = ask({"list-panes", "-s", "-t", exactly(name), "-F", "#{pane_pid}"});
  if (!pids && pids.error().code == ErrorCode::not_found) return done();
  if (!pids) return tl::unexpected(pids.error());
  std::vector<ProcessIdentity> leaders;
  for (const std::string_view line : split(*pids, '\n')) {
    if (const auto pid = parse_positive(line)) leaders.push_back(identify_process(*pid));
  }
  const auto ended = ask({"kill-session", "-t", cat("=", name)});
  if (!ended && ended.error().code != ErrorCode::not_found) return tl::unexpected(ended.error());
  const std::int64_t deadline = steady_ms() + kGraceMs;
  for (const ProcessIdentity& leader : leaders) end_session_of(leader, deadline);
  return done();
}

std::string Tmux::how_to_end(const std::string& name) const {
  const bool other = !socket_.empty() && socket_ != socket_by_environment();
  // Quoted, as zsh takes a word that begins with "=" for a program.
  return cat("tmux ", other ? cat("-S ", shell_word(socket_), " ") : std::string(), "kill-session -t ",
             shell_quoted(cat("=", name)));
}

std::vector<std::string> Tmux::attach_command(const std::string& name, bool inside_tmux) const {
  return command({inside_tmux ? "switch-client" : "attach-session", "-t", cat("=", name)});
}

}  // namespace pawl
