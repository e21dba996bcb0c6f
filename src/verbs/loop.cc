#include "verbs/loop.h"

#include <cstdlib>

#include "base/text.h"
#include "lifecycle/loop/begin.h"
#include "lifecycle/loop/identity.h"
#include "lifecycle/loop/move.h"

namespace pawl::loop {

Result<std::string> session_in(const Arguments& arguments) {
  if (const auto given = arguments.text("session")) {
    PAWL_TRY(check_session(*given));
    return *given;
  }
  const char* value = getenv("PAWL_SESSION");
  if (value == nullptr || *value == '\0') return std::string();
  if (const Done good = check_session(value); !good)
    return fail(ErrorCode::invalid_argument, cat("PAWL_SESSION: ", good.error().message), good.error().hint);
  return std::string(value);
}

std::string file_of(const Shape& shape, const RecordId& id) {
  return StateFile(shape).path_of(id, Settings{}).value_or(std::string());
}

Json answer_of(const Shape& shape, const Record& record) {
  const auto owner = owner_of(record.doc);
  Json state = Json::object();
  if (record.present()) state[std::string(shape.flag)] = record.held ? Json() : Json(shape.flag_for(record.status));
  for (const auto& [key, value] : record.doc.items()) state[key] = value;
  return Json{{"loop", record.id.key},
              {"status", record.status.empty() ? Json() : Json(record.status)},
              {"held", record.held ? Json(*record.held) : Json()},
              {"session", owner ? Json(*owner) : Json()},
              {"file", file_of(shape, record.id)},
              {"revision", record.revision},
              {"state", std::move(state)}};
}

Json answer_of(const Shape& shape, const Change& change) {
  Record after = change.after;
  after.revision = change.before.revision + 1;
  return answer_of(shape, after);
}

Look look_at(const Shape& shape, std::string_view session) {
  Look look;
  look.kinds.emplace_back(shape.kind);
  look.records.push_back({std::string(shape.kind), "", ""});
  if (!session.empty() && !shape.users)
    look.records.push_back({std::string(shape.kind), session_scope(shape, session), ""});
  return look;
}

Result<std::vector<Record>> all_loops(const View& view, const Shape& shape) {
  Query query;
  query.kind = shape.kind;
  return view.list(query);
}

Result<std::vector<Record>> read_all(Context& context, Engine& engine, const Shape& shape) {
  Look look;
  look.kinds.emplace_back(shape.kind);
  std::vector<Record> loops;
  PAWL_TRY(engine.read(look, context.flags.at, [&](const View& view) -> Done {
    PAWL_ASSIGN(loops, all_loops(view, shape));
    return done();
  }));
  return loops;
}

Result<Record> read_one(Context& context, Engine& engine, const Shape& shape, std::string_view session) {
  PAWL_ASSIGN(const auto loops, read_all(context, engine, shape));
  return choose(*shape.machine, loops, session, Purpose::look);
}

Result<Reply> change_one(Context& context, Engine& engine, const Shape& shape, std::string_view session,
                         Purpose purpose, const DecideOne& decide) {
  PAWL_ASSIGN(
      Outcome outcome,
      engine.change(context.request(), look_at(shape, ""), [&](const View& view, const Now& now) -> Result<Decision> {
        PAWL_ASSIGN(const auto loops, all_loops(view, shape));
        PAWL_ASSIGN(const Record current, choose(*shape.machine, loops, session, purpose));
        Decision decision;
        PAWL_ASSIGN(decision.changes, decide(view, current, now));
        decision.answer = answer_of(shape, decision.changes.back());
        return decision;
      }));
  return Reply{std::move(outcome.answer)};
}

Result<Reply> change_one(Context& context, const Arguments& arguments, const Shape& shape, Purpose purpose,
                         const DecideChange& decide) {
  PAWL_ASSIGN(const std::string session, session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  return change_one(context, *engine, shape, session, purpose,
                    [&](const View&, const Record& current, const Now& now) -> Result<std::vector<Change>> {
                      PAWL_ASSIGN(Change made, decide(current, now));
                      return std::vector{std::move(made)};
                    });
}

Result<Reply> start_one(Context& context, Engine& engine, const Shape& shape, std::string_view session,
                        const std::function<Json(const Now&)>& make) {
  const Decide decide = [&](const View& view, const Now& asked) -> Result<Decision> {
    PAWL_ASSIGN(const auto loops, all_loops(view, shape));
    PAWL_ASSIGN(const std::string scope, scope_for(shape, loops, session));
    Now now = asked;
    Json doc = make(now);
    Record fresh;
    while (true) {
      const RecordId id{std::string(shape.kind), scope, key_of(doc, shape.start_in(doc))};
      PAWL_ASSIGN(fresh, view.load(id));
      if (fresh.revision == 0) break;
      // Another one began in this very moment, or what is begun has no moment of its own.
      ++now.wall_ms;
      Json later = make(now);
      if (later == doc) break;
      doc = std::move(later);
    }
    Decision decision;
    PAWL_ASSIGN(decision.changes, begin(shape, loops, fresh, std::move(doc)));
    decision.answer = answer_of(shape, decision.changes.back());
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome, engine.change(context.request(), look_at(shape, session), decide));
  return Reply{std::move(outcome.answer)};
}

Result<Reply> clear_one(Context& context, Engine& engine, const Shape& shape, std::string_view session) {
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const auto loops, all_loops(view, shape));
    Decision decision;
    decision.answer = Json{{"cleared", false}, {"loop", nullptr}};
    const Result<Record> current = choose(*shape.machine, loops, session, Purpose::stop);
    if (!current) {
      if (current.error().code != ErrorCode::not_found) return tl::unexpected(current.error());
      if (!loops.empty()) context.note(current.error().message);
      return decision;  // gone is as good as cleared
    }
    PAWL_ASSIGN(auto change, cleared(*shape.machine, *current));
    if (!change) return decision;
    decision.answer = Json{{"cleared", true}, {"loop", current->id.key}};
    decision.changes.push_back(std::move(*change));
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome, engine.change(context.request(), look_at(shape, ""), decide));
  return Reply{std::move(outcome.answer)};
}

Result<Reply> write_one(Context& context, Engine& engine, const Shape& shape, const Arguments& arguments) {
  Result<Json> state = parse_json(arguments.text_or("state", ""));
  if (!state || !state->is_object())
    return fail(ErrorCode::invalid_argument,
                cat("state: ", state ? "a JSON object was expected" : printable(state.error().message)));
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const auto loops, all_loops(view, shape));
    WriteState command{shown_by(shape, "", *state), arguments.number("revision").value_or(0)};
    for (const Record& loop : loops) {  // where it lives
      if (loop.id.key == command.state.id.key) command.state.id.scope = loop.id.scope;
    }
    PAWL_ASSIGN(const Record current, view.load(command.state.id));
    Decision decision;
    PAWL_ASSIGN(decision.changes, loop::decide(shape, loops, current, command));
    decision.answer = answer_of(shape, decision.changes.back());
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome, engine.change(context.request(), look_at(shape, ""), decide));
  return Reply{std::move(outcome.answer)};
}

std::string status_word(const Json& answer) {
  const std::string status = string_or(answer, "status");
  return status.empty() ? cat("held (its file says ", printable(string_or(answer, "held")), ")") : status;
}

std::string details(const Json& answer, std::initializer_list<Labelled> members) {
  std::string out;
  for (const auto& [label, name] : members) {
    if (const std::string value = member(answer, name); !value.empty()) out += cat(label, ": ", value, "\n");
  }
  return cat(out, "File: ", printable(string_or(answer, "file")), "\n");
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
             ? cat(printable(string_or(answer, "loop")), " is cleared and does not come back\n")
             : std::string("there was nothing to clear\n");
}

std::string text_of_write(const Json& answer, const TextStyle&) {
  return cat(printable(string_or(answer, "loop")), " is ", string_or(answer, "status"), "\n");
}

}  // namespace pawl::loop
