#include "runners/loops.h"

#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "engine/claims.h"
#include "engine/mirror.h"
#include "engine/outside_rules.h"
#include "lifecycles/loop/begin.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/ralph.h"
#include "lifecycles/loop/verification.h"
#include "runners/ralph_go_on.h"

namespace pawl::loop {
namespace {

Record left_by(const Change& change) {
  Record after = change.after;
  after.revision = change.before.revision + 1;
  return after;
}

Look look_at_this(const RecordId& id) {
  Look look;
  look.records.push_back(id);
  return look;
}

// Whoever follows a loop goes on with it when somebody moved its file.
Result<Record> load_wherever(const View& view, const RecordId& id) {
  PAWL_ASSIGN(Record there, view.load(id));
  if (there.present()) return there;
  PAWL_ASSIGN(auto ids, view.store().find_key(id.key));
  for (const auto& [found, over] : view.overlay()) ids.push_back(found);
  for (const RecordId& other : ids) {
    if (other.kind != id.kind || other.key != id.key) continue;
    PAWL_ASSIGN(Record elsewhere, view.load(other));
    if (elsewhere.present() && !elsewhere.aside) return elsewhere;
  }
  return there;
}

}  // namespace

std::string file_of(const Shape& shape, const RecordId& id) {
  return StateFile(shape).path_of(id, Settings{}).value_or(std::string());
}

Json answer_of(const Shape& shape, const Record& record) {
  const auto owner = owner_of(record.doc);
  Json state = Json::object();
  if (record.present()) state[std::string(shape.flag)] = record.held ? Json() : Json(shape.flag_for(record.status));
  for (const auto& [key, value] : record.doc.items()) state[key] = value;
  Json out{{"loop", record.id.key},
           {"status", record.status.empty() ? Json() : Json(record.status)},
           {"held", record.held ? Json(*record.held) : Json()},
           {"session", owner ? Json(*owner) : Json()},
           {"file", file_of(shape, record.id)},
           {"revision", record.revision},
           {"state", std::move(state)}};
  if (record.aside) out["aside"] = true;
  return out;
}

Json answer_of(const Shape& shape, const Change& change) { return answer_of(shape, left_by(change)); }

Look look_at(const Shape& shape, std::string_view session) {
  Look look;
  look.kinds.emplace_back(shape.kind);
  look.records.push_back({std::string(shape.kind), "", ""});
  if (!session.empty() && !shape.users)
    look.records.push_back({std::string(shape.kind), session_scope(shape, session), ""});
  return look;
}

// A file that cannot be looked at does not keep a loop from being ended.
Look look_at_all(const Shape& shape) {
  Look look;
  look.kinds.emplace_back(shape.kind);
  return look;
}

Look look_at_all_with_verifications(const Shape& shape) {
  Look look = look_at_all(shape);
  if (shape.kind == kRalph) look.kinds.emplace_back(kVerification);
  return look;
}

Done end_verifications(const View& view, const RecordId& loop, Decision& decision) {
  if (loop.kind != kRalph) return done();
  PAWL_ASSIGN(const auto verifications, all_loops(view, verification_shape(), Aside::too));
  for (const Record& one : verifications) {
    const bool ended_already = std::any_of(decision.changes.begin(), decision.changes.end(),
                                           [&](const Change& change) { return change.before.id == one.id; });
    if (ended_already) continue;
    PAWL_ASSIGN(auto ended, ended_with(one, loop.key));
    if (ended) decision.changes.push_back(std::move(*ended));
  }
  return done();
}

namespace {

// A loop that comes to its last iteration has ended as one that is cancelled has. (One that is complete was approved,
// or keeps what tells that it was not.)
Done end_what_ends_with_them(const View& view, Decision& decision) {
  std::vector<RecordId> over;
  for (const Change& change : decision.changes) {
    if (change.before.id.kind == kRalph && is_active(change.before) && !is_active(change.after) &&
        !is_complete(change.after.status))
      over.push_back(change.before.id);
  }
  for (const RecordId& loop : over) PAWL_TRY(end_verifications(view, loop, decision));
  return done();
}

// Those that may end with it.
std::vector<RecordId> verifications_of(Engine& engine, const RecordId& loop) {
  std::vector<RecordId> out;
  if (loop.kind != kRalph) return out;
  (void)engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto verifications, all_loops(view, verification_shape()));
    for (const Record& one : verifications) {
      if (is_unconfirmed(one, loop.key)) out.push_back(one.id);
    }
    return done();
  });
  return out;
}

}  // namespace

Result<std::vector<Record>> all_loops(const View& view, const Shape& shape, Aside aside) {
  Query query;
  query.kind = shape.kind;
  query.include_aside = aside == Aside::too;
  return view.list(query);
}

Result<std::vector<Record>> read_all(Engine& engine, const Shape& shape, std::optional<std::int64_t> at) {
  std::vector<Record> loops;
  PAWL_TRY(engine.read(look_at_all(shape), at, [&](const View& view) -> Done {
    PAWL_ASSIGN(loops, all_loops(view, shape));
    return done();
  }));
  return loops;
}

Result<Record> read_one(Engine& engine, const Shape& shape, std::string_view session, std::string_view name,
                        std::optional<std::int64_t> at) {
  std::vector<Record> loops;
  PAWL_TRY(engine.read(look_at_all(shape), at, [&](const View& view) -> Done {
    PAWL_ASSIGN(loops, all_loops(view, shape, Aside::too));
    return done();
  }));
  return choose(*shape.machine, loops, session, Purpose::look, name);
}

Result<Json> change_one(Engine& engine, const Request& request, const Shape& shape, std::string_view session,
                        Purpose purpose, const DecideOne& decide, std::string_view name) {
  PAWL_ASSIGN(Outcome outcome, engine.change(request, look_at_all_with_verifications(shape),
                                             [&](const View& view, const Now& now) -> Result<Decision> {
                                               PAWL_ASSIGN(const auto loops, all_loops(view, shape));
                                               PAWL_ASSIGN(const Record current,
                                                           choose(*shape.machine, loops, session, purpose, name));
                                               Decision decision;
                                               PAWL_ASSIGN(decision.changes, decide(view, current, now));
                                               decision.answer = answer_of(shape, decision.changes.back());
                                               PAWL_TRY(end_what_ends_with_them(view, decision));
                                               return decision;
                                             }));
  return std::move(outcome.answer);
}

Result<Changed> change_this(Engine& engine, const Request& request, const Shape& shape, const RecordId& id,
                            const DecideThis& decide) {
  Changed changed;
  const Decide decide_this = [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(const Record current, load_wherever(view, id));
    Decision decision;
    PAWL_ASSIGN(Change made, decide(current, now));
    changed.record = left_by(made);
    decision.answer = answer_of(shape, changed.record);
    decision.changes.push_back(std::move(made));
    PAWL_TRY(end_what_ends_with_them(view, decision));
    return decision;
  };
  Look look = look_at_all_with_verifications(shape);
  // A runner that goes on after somebody has left looks at no file but its own; that one it writes.
  look.changed.push_back(id);
  for (RecordId& one : verifications_of(engine, id)) look.changed.push_back(std::move(one));
  PAWL_ASSIGN(Outcome outcome, engine.change(request, look, decide_this));
  changed.answer = std::move(outcome.answer);
  return changed;
}

Result<Record> read_this(Engine& engine, const RecordId& id) {
  Record found;
  PAWL_TRY(engine.read(look_at_this(id), std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(found, load_wherever(view, id));
    return done();
  }));
  return found;
}

std::string driver_of(Engine& engine, const RecordId& id) {
  std::string who;
  (void)engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto claims, view.store().claims());
    for (const Claim& claim : claims) {
      if (claim.record.kind != id.kind || claim.record.key != id.key || claim.process == this_process()) continue;
      if (claim_lives(claim, engine.clock().now())) who = printable(claim.worker);
    }
    return done();
  });
  return who;
}

namespace {

// Of the session's own loop that a run has in hand nobody is told to go on with it.
tl::unexpected<Error> not_beside_driven(const View& view, const std::vector<Record>& loops, std::string_view session,
                                        const Now& now, const Error& otherwise) {
  for (const Record& one : loops) {
    const bool own = session.empty() ? !owner_of(one.doc) : is_owned_by(one.doc, session);
    if (!own || one.id.kind != kRalph || !is_active(one)) continue;
    if (const auto claim = driven_by(view, one, now); claim && *claim) return driven_already(one.id, (*claim)->worker);
  }
  return tl::unexpected(otherwise);
}

// Nobody would see there what is begun in it, and whoever settles the file would settle that, too.
bool is_left_to_git(const Engine& engine, const View& view, const Shape& shape, std::string_view scope) {
  const auto file = file_at(engine.world(), file_of(shape, {std::string(shape.kind), std::string(scope), {}}));
  const auto seen = file ? sight(engine.world(), view.store(), *file) : Result<Sighting>();
  return file && seen && seen->found == FileCase::gits;
}

}  // namespace

Result<Changed> start_one(Engine& engine, const Request& request, const Shape& shape, std::string_view session,
                          const std::function<Json(const Now&)>& make,
                          const std::function<void(Decision&, const RecordId&)>& also, const std::string& own_folder) {
  Changed changed;
  const Decide decide = [&](const View& view, const Now& asked) -> Result<Decision> {
    PAWL_ASSIGN(const auto loops, all_loops(view, shape));
    const Places places{[&](std::string_view scope) { return is_left_to_git(engine, view, shape, scope); }, own_folder};
    const auto scope = scope_for(shape, loops, session, places);
    if (!scope) return not_beside_driven(view, loops, session, asked, scope.error());
    Now now = asked;
    Json doc = make(now);
    Record fresh;
    while (true) {
      const RecordId id{std::string(shape.kind), *scope, key_of(doc, shape.start_in(doc))};
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
    changed.record = left_by(decision.changes.back());
    changed.replaced.clear();
    for (const Change& change : decision.changes) {
      if (change.after.aside && !change.before.aside) changed.replaced.push_back(change.before);
    }
    decision.answer = answer_of(shape, changed.record);
    // A file shows one at a time.
    if (!changed.replaced.empty()) decision.answer["replaced"] = changed.replaced.front().id.ref();
    also(decision, changed.record.id);
    return decision;
  };
  Look look = look_at(shape, session);
  if (session.empty() && !shape.users) look.changed.push_back({std::string(shape.kind), next_place(shape), ""});
  if (!own_folder.empty()) look.changed.push_back({std::string(shape.kind), session_scope(shape, own_folder), ""});
  PAWL_ASSIGN(Outcome outcome, engine.change(request, look, decide));
  changed.answer = std::move(outcome.answer);
  // Whoever looks for it in the worktree finds none.
  if (!engine.workspace().linked.empty() && !shape.users && own_folder.empty())
    engine.note(cat("this is a linked worktree: ", string_or(changed.answer, "file"), " is in the main checkout, ",
                    printable(engine.workspace().root)));
  return changed;
}

Result<Json> clear_one(Engine& engine, const Request& request, const Shape& shape, std::string_view session,
                       std::string_view name) {
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const auto loops, all_loops(view, shape, Aside::too));
    Decision decision;
    decision.answer = Json{{"cleared", false}, {"loop", nullptr}};
    const auto meant = choose_all(*shape.machine, loops, session, name);
    if (!meant) {
      if (meant.error().code != ErrorCode::not_found) return tl::unexpected(meant.error());
      const bool others = std::any_of(loops.begin(), loops.end(), [](const Record& loop) { return !loop.aside; });
      if (others || !name.empty()) engine.note(meant.error().message);
      return decision;  // gone is as good as cleared
    }
    for (const Record& current : *meant) {
      PAWL_ASSIGN(auto change, cleared(*shape.machine, current));
      if (!change) continue;
      PAWL_TRY(end_verifications(view, current.id, decision));
      decision.answer = Json{{"cleared", true}, {"loop", current.id.key}};
      decision.changes.push_back(std::move(*change));
    }
    return decision;
  };
  PAWL_ASSIGN(Outcome outcome, engine.change(request, look_at_all_with_verifications(shape), decide));
  return std::move(outcome.answer);
}

Result<Json> write_one(Engine& engine, const Request& request, const Shape& shape, const Json& state,
                       std::int64_t revision) {
  std::string unverified;
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const auto loops, all_loops(view, shape));
    WriteState command{shown_by(shape, "", state), revision};
    for (const Record& loop : loops) {  // where it lives
      if (loop.id.key == command.state.id.key) command.state.id.scope = loop.id.scope;
    }
    PAWL_ASSIGN(const Record current, view.load(command.state.id));
    PAWL_ASSIGN(const OutsideRules rules, outside_rules(engine.world(), view, command.state.id, {}));
    command.beside = rules.beside;
    command.record_gates = rules.record_gates;
    Decision decision;
    PAWL_ASSIGN(decision.changes, loop::decide(shape, loops, current, command));
    unverified = decision.changes.back().unverified ? unverified_in_words(decision.changes.back()) : std::string();
    decision.answer = answer_of(shape, decision.changes.back());
    return decision;
  };
  Look look = look_at(shape, "");
  if (shape.kind == kRalph) look.kinds.emplace_back(kVerification);
  PAWL_ASSIGN(Outcome outcome, engine.change(request, look, decide));
  if (!unverified.empty()) engine.note(unverified);
  return std::move(outcome.answer);
}

}  // namespace pawl::loop
