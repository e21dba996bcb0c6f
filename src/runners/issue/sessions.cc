#include "runners/issue/sessions.h"

#include <unistd.h>

#include <cstdlib>

#include "base/place.h"
#include "base/process.h"
#include "base/text.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/recorder.h"

namespace pawl {

bool Sessions::listens(const std::string& socket) {
  const auto known = listens_.find(socket);
  return known != listens_.end() ? known->second : listens_.emplace(socket, Tmux(socket).listens()).first->second;
}

Result<std::vector<TmuxSession>> Sessions::on(const std::string& socket) {
  const auto known = known_.find(socket);
  if (known != known_.end()) return known->second;
  auto found = Tmux(socket, patience_ms_).sessions();
  if (!found && found.error().code == ErrorCode::unavailable) found = std::vector<TmuxSession>{};
  return known_.emplace(socket, std::move(found)).first->second;
}

Result<std::optional<TmuxSession>> Sessions::find(const issue::Run& run) {
  PAWL_ASSIGN(const auto sessions, on(run.socket));
  for (const TmuxSession& session : sessions) {
    if (!run.id.empty() && session.run == run.id && (session.store.empty() || is_of_project(engine_, session)))
      return std::optional(session);
  }
  return std::optional<TmuxSession>();
}

Result<bool> Sessions::has(const issue::Run& run) {
  PAWL_ASSIGN(const auto session, find(run));
  return session.has_value();
}

bool is_of_project(const Engine& engine, const TmuxSession& session) {
  if (session.store.empty()) return lies_in(session.path, engine.workspace().root);
  return same_place(session.store, engine.workspace().store) || access(session.store.c_str(), F_OK) != 0;
}

Result<std::optional<TmuxSession>> Sessions::called_after(std::int64_t number) {
  const std::string name = issue::session_name(number, engine_.settings());
  PAWL_ASSIGN(const auto sessions, on({}));
  for (const TmuxSession& session : sessions) {
    if (session.name == name && is_of_project(engine_, session)) return std::optional(session);
  }
  return std::optional<TmuxSession>();
}

Result<std::optional<TmuxSession>> Sessions::by_script(std::string_view name) {
  PAWL_ASSIGN(const auto sessions, on({}));
  for (const TmuxSession& session : sessions) {
    if (session.name == name && session.run.empty() && is_of_project(engine_, session)) return std::optional(session);
  }
  return std::optional<TmuxSession>();
}

Result<std::optional<TmuxSession>> Sessions::of(const Record& record, const std::optional<issue::Run>& run) {
  if (run) {
    PAWL_ASSIGN(auto own, find(*run));
    if (own) return own;
  }
  const std::string name = string_or(record.doc, "session");
  if (name == issue::session_name(issue::number_of(record), engine_.settings()))
    return called_after(issue::number_of(record));
  return by_script(name);
}

Result<std::optional<TmuxSession>> Sessions::to_end(std::int64_t number, const std::optional<issue::Run>& run) {
  if (run) {
    PAWL_ASSIGN(auto own, find(*run));
    if (own && !(run->adopted && own->name != issue::session_name(number, engine_.settings()))) return own;
  }
  return called_after(number);
}

bool carries(const std::optional<TmuxSession>& session, const std::optional<issue::Run>& run) {
  return run && session && !run->id.empty() && session->run == run->id;
}

Result<bool> has_moved(Engine& engine, const Record& record, const issue::Run& run) {
  const std::string name = string_or(record.doc, "session");
  if (name.empty() || name == run.session) return false;
  Sessions sessions(engine);
  PAWL_ASSIGN(const bool own, sessions.has(run));
  if (own) return false;
  PAWL_ASSIGN(const auto other, sessions.by_script(name));
  return other.has_value();
}

Done check_gone(Engine& engine, const issue::Run& run) {
  constexpr int kLastWordsMs = 2'000;
  constexpr std::size_t kMaxName = 64;
  PAWL_ASSIGN(const auto recorded, read_recorded(RunBook(engine).folder(run)));
  if (!recorded || !recorded->recorder_lives || ends_within(recorded->recorder, kLastWordsMs)) return done();
  const std::string still = cat("the agent of issue ", run.number, " is still at work");
  if (!lives(recorded->recorder))
    return fail(ErrorCode::conflict,
                cat(still, ", and its session cannot be seen from here (is it in another container?)"),
                "# call pawl where the session is");
  const auto pane = Tmux(run.socket).has_pane(run.pane);
  if (pane && *pane)
    return fail(ErrorCode::conflict, cat(still, ", but its pane ", run.pane, " is in another session now"),
                cat("tmux kill-pane -t ", run.pane, "  # ends it, unless you put it back"));
  const std::int64_t server = parent_of(recorded->recorder.pid);
  const auto name = read_file(cat("/proc/", server, "/comm"), kMaxName);
  const bool is_tmux = name && name->bytes.starts_with("tmux");
  return fail(ErrorCode::conflict,
              cat(still, ", but tmux does not find its session at ",
                  run.socket.empty() ? std::string("its socket") : printable(run.socket)),
              is_tmux ? cat("kill -USR1 ", server, "  # has tmux make its socket anew, where that was removed")
                      : cat("process ", recorded->recorder.pid, " still keeps its output: is the disk full?"));
}

Done check_outside(Engine& engine, std::int64_t number) {
  const char* const pane = getenv("TMUX_PANE");
  const char* const server = getenv("TMUX");  // "SOCKET,PID,SESSION"
  if (pane == nullptr || server == nullptr) return done();
  PAWL_ASSIGN(const auto run, RunBook(engine).find(number));
  if (!run || run->pane != pane || !std::string_view(server).starts_with(cat(run->socket, ","))) return done();
  return fail(ErrorCode::conflict, cat("this is the session of issue ", number, " itself, and it would end halfway"),
              cat("call it from another terminal; an agent that is done prints ###TASK_COMPLETE_", number, "###"));
}

Result<std::optional<CutOff>> find_cut_off(Engine& engine, std::int64_t number) {
  PAWL_ASSIGN(const auto run, RunBook(engine).starting(number));
  if (!run) return std::optional<CutOff>();
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto session, sessions.find(*run));
  return session ? std::optional(CutOff{*run, *session}) : std::nullopt;
}

}  // namespace pawl
