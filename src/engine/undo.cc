#include "engine/undo.h"

#include <set>

#include "base/text.h"

namespace pawl {
namespace {

// Operations that a later one has taken back do not stand; nor do the ones that did the taking back.
Result<Operation> newest_standing(Transaction& store) {
  std::set<std::int64_t> taken_back;
  OperationQuery query;
  query.limit = 100;
  while (true) {
    PAWL_ASSIGN(const auto page, store.operations(query));
    if (page.empty()) return fail(ErrorCode::not_found, "there is nothing to undo", "pawl log lists what happened");
    for (const Operation& operation : page) {
      if (operation.undoes) {
        if (!taken_back.contains(operation.id)) taken_back.insert(*operation.undoes);
        continue;
      }
      if (!taken_back.contains(operation.id)) return operation;
    }
    query.before = page.back().id;
  }
}

Result<Operation> find_operation(Transaction& store, std::optional<std::int64_t> wanted) {
  if (!wanted) return newest_standing(store);
  PAWL_ASSIGN(const auto found, store.operation(*wanted));
  if (!found) return fail(ErrorCode::not_found, cat("there is no operation ", *wanted), "pawl log lists them");
  return *found;
}

// The newest operation that changed the record: the one that stands in the way.
Result<std::string> who_stands_on(Transaction& store, const RecordId& id) {
  OperationQuery query;
  query.record = id;
  query.limit = 1;
  PAWL_ASSIGN(const auto newest, store.operations(query));
  if (newest.empty()) return std::string("a later change");
  return cat("operation ", newest.front().id, " (", printable(newest.front().verb), ")");
}

Result<Change> take_back(const View& view, const Event& event, const Operation& operation) {
  PAWL_ASSIGN(const Record current, view.load(event.after.id));
  if (!current.same_content(event.after)) {
    PAWL_ASSIGN(const std::string later, who_stands_on(view.store(), event.after.id));
    return fail(ErrorCode::conflict,
                cat("operation ", operation.id, " can not be undone: ", later, " changed ",
                    printable(event.after.id.ref()), " after it"),
                "undo that one first");
  }
  PAWL_ASSIGN(const auto earlier, view.store().event_before(event.after.id, event.id));
  if (!earlier && event.after.revision > 1) {
    return fail(ErrorCode::not_found, cat("what ", printable(event.after.id.ref()), " was before operation ",
                                          operation.id, " is no longer kept"));
  }
  Change change{current, current, "undone", Json(), false};
  change.evidence["operation"] = operation.id;
  const Record before = earlier ? earlier->after : absent_record(current.id);
  change.after.status = before.status;
  change.after.held = before.held;
  change.after.aside = before.aside;
  change.after.doc = before.doc;
  return change;
}

}  // namespace

Result<Undone> undo(Engine& engine, const Request& request, std::optional<std::int64_t> wanted) {
  // Which records it is about decides which files are looked at.
  PAWL_TRY(engine.store());
  Look look;
  std::optional<std::int64_t> chosen = wanted;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const Operation operation, find_operation(view.store(), wanted));
    chosen = operation.id;
    PAWL_ASSIGN(const auto events, view.store().events_of(operation.id));
    for (const Event& event : events) look.records.push_back(event.after.id);
    return done();
  }));

  Undone undone;
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(undone.operation, find_operation(view.store(), chosen));
    PAWL_ASSIGN(const auto events, view.store().events_of(*chosen));
    PAWL_ASSIGN(undone.effects, view.store().effects_of(*chosen));
    if (events.empty()) {
      return fail(ErrorCode::not_found, cat("operation ", *chosen, " changed nothing that is still kept"));
    }
    Decision decision;
    std::set<RecordId> seen;
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      if (!seen.insert(event->after.id).second) return fail(ErrorCode::internal, "an operation changed a record twice");
      PAWL_ASSIGN(Change change, take_back(view, *event, undone.operation));
      decision.changes.push_back(std::move(change));
    }
    undone.changes = decision.changes;
    decision.undoes = *chosen;
    return decision;
  };
  PAWL_ASSIGN(const Outcome outcome, engine.change(request, look, decide));
  undone.by = outcome.operation;
  return undone;
}

}  // namespace pawl
