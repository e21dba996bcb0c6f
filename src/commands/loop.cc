#include "commands/loop.h"

#include <cstdlib>

#include "base/file.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "commands/thing.h"
#include "engine/doubt.h"
#include "lifecycles/loop/foreign_loop.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/ultrawork.h"
#include "lifecycles/loop/verification.h"

namespace pawl::loop {

Result<std::string> session_in(const Arguments& arguments) {
  if (const auto given = arguments.text("session")) {
    std::string_view id = *given;
    for (const std::string_view kind : {kRalph, kUltrawork, kVerification}) {
      if (const std::string before = cat(kind, "/"); id.starts_with(before)) id.remove_prefix(before.size());
    }
    if (const Done good = check_session(id); !good)
      return fail(ErrorCode::invalid_argument, cat("--", good.error().message), good.error().hint);
    return std::string(id);
  }
  const char* value = getenv("PAWL_SESSION");
  if (value == nullptr || *value == '\0') return std::string();
  if (const Done good = check_session(value); !good)
    return fail(ErrorCode::invalid_argument, cat("PAWL_SESSION: ", good.error().message), good.error().hint);
  return std::string(value);
}

Result<Reply> change_own(Context& context, const Arguments& arguments, const Shape& shape, Purpose purpose,
                         const DecideChange& decide) {
  PAWL_ASSIGN(const std::string session, session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Json answer,
              change_one(*engine, context.request(), shape, session, purpose,
                         [&](const View&, const Record& current, const Now& now) -> Result<std::vector<Change>> {
                           PAWL_ASSIGN(Change made, decide(current, now));
                           return std::vector{std::move(made)};
                         }));
  return Reply{std::move(answer)};
}

Result<Json> state_in(const Arguments& arguments) {
  Result<Json> state = parse_json(arguments.text_or("state", ""));
  if (state && state->is_object()) return state;
  return fail(ErrorCode::invalid_argument,
              cat("state: ", state ? "a JSON object was expected" : printable(state.error().message)));
}

Result<Json> answer_with_history(Engine& engine, const Shape& shape, std::string_view session, std::string_view name,
                                 std::optional<std::int64_t> at) {
  PAWL_ASSIGN(const Record record, read_one(engine, shape, session, name, at));
  Json answer = answer_of(shape, record);
  answer["ref"] = record.id.ref();
  // The files were looked at; what is asked here is in the store.
  PAWL_TRY(engine.read(Look{}, at, [&](const View& view) -> Done {
    PAWL_TRY(add_history(view, {record.id}, at, answer));
    // No command reaches the log of what all projects share.
    if (answer.contains("log_more") && !answer.value("global", false))
      answer["log_by"] = cat("pawl log ", shell_word(record.id.ref()));
    PAWL_ASSIGN(const bool unverified, came_unverified(view, *shape.machine, record));
    if (unverified) answer["unverified"] = true;
    return done();
  }));
  return answer;
}

std::string status_word(const Json& answer) {
  const std::string status = string_or(answer, "status");
  return status.empty() ? cat("held (its file says ", printable(string_or(answer, "held")), ")")
                        : cat(status, answer.contains("unverified") ? " (unverified)" : "");
}

std::string text_of_loop(const Json& answer, const std::string& how_far, std::initializer_list<Labelled> members,
                         const TextStyle& style) {
  Thing thing;
  thing.name = printable(string_or(answer, "ref"));
  thing.status = status_word(answer);
  thing.title = cat(how_far, how_far.empty() ? "" : ", ", whose(answer));
  for (const auto& [label, name] : members) thing.facts += fact(label, answer["state"], name, style);
  if (const auto check = answer.find("check"); check != answer.end()) {
    const std::string command = string_or(*check, "command");
    const bool here = check->value("given_here", false);
    thing.facts += fact("check",
                        command.empty() ? std::string("a command that is not known here")
                                        : cat(command, here ? "" : " (not given on this machine, so it is not run)"),
                        style);
  }
  const std::string file = printable(string_or(answer, "file"));
  thing.facts +=
      answer.contains("aside") ? cat("  set aside: ", file, " is another's now, or gone\n") : cat("  in ", file, "\n");
  thing.more = more_of(answer);
  return text_of_thing(thing, answer["log"], style);
}

std::string member(const Json& answer, std::string_view name) {
  const auto state = answer.find("state");
  if (state == answer.end() || !state->is_object()) return {};
  const auto found = state->find(std::string(name));
  if (found == state->end() || found->is_null()) return {};
  return printable(found->is_string() ? found->get<std::string>() : to_line(*found));
}

std::string whose(const Json& answer) {
  const std::string session = string_or(answer, "session");
  return session.empty() ? std::string("nobody") : cat("session ", printable(session.substr(0, 80)));
}

std::string text_of_clear(const Json& answer, const TextStyle&) {
  return answer["cleared"].get<bool>()
             ? cat(printable(string_or(answer, "loop")),
                   " is cleared; writing its file again does not bring it back, pawl undo does\n")
             : std::string("there was nothing to clear\n");
}

std::string text_of_write(const Json& answer, const TextStyle&) {
  return cat(printable(string_or(answer, "loop")), " is ", string_or(answer, "status"), "\n");
}

}  // namespace pawl::loop
