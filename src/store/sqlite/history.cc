// What happened: operations and events. A record's history is walked from its newest event backwards.
#include <algorithm>
#include <limits>

#include "base/text.h"
#include "store/sqlite/checksum.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {

struct SqliteTransaction::Step {
  std::int64_t operation = 0;
  std::int64_t previous = 0;  // 0: none
  RecordId record;
};

namespace {

// The order of columns is schema.cc's.
Result<Event> read_event(const Statement& row) {
  PAWL_TRY(check_event(row));
  Event event;
  event.id = row.integer(0);
  event.operation = row.integer(1);
  event.after.id = RecordId{row.text(3), row.text(4), row.text(5)};
  event.after.revision = row.integer(6);
  event.what = row.text(7);
  event.from = row.text(8);
  event.after.status = row.text(9);
  event.after.held = row.maybe_text(10);
  event.after.aside = row.integer(11) != 0;
  event.unverified = row.integer(12) != 0;
  const auto where = [&] { return cat("event ", event.id, " of ", event.after.id.ref()); };
  PAWL_ASSIGN(event.evidence, parsed(row, 13, where));
  PAWL_ASSIGN(event.after.doc, doc_in(row, 14, where));
  return event;
}

Result<Operation> read_operation(const Statement& row) {
  Operation operation;
  operation.id = row.integer(0);
  operation.at_ms = row.integer(1);
  operation.verb = row.text(2);
  operation.actor = row.text(3);
  operation.reason = row.text(4);
  operation.outside = row.integer(5) != 0;
  if (!row.is_null(6)) operation.undoes = row.integer(6);
  operation.idempotency_key = row.text(7);
  operation.request_digest = row.text(8);
  PAWL_ASSIGN(operation.answer, parsed(row, 9, [&] { return cat("operation ", operation.id); }));
  return operation;
}

Result<std::optional<Operation>> maybe_operation(Statement& row) {
  PAWL_ASSIGN(const bool found, row.step());
  if (!found) return std::nullopt;
  PAWL_ASSIGN(Operation operation, read_operation(row));
  return operation;
}

}  // namespace

// Nothing when the event was compacted away: the chain ends there.
Result<std::optional<SqliteTransaction::Step>> SqliteTransaction::history_step(std::int64_t event_id) {
  PAWL_ASSIGN(Statement row, use(Sql::event));
  PAWL_ASSIGN(const bool found, row.bind(event_id).step());
  if (!found) return std::nullopt;
  PAWL_TRY(check_event(row));
  Step step{row.integer(1), row.integer(2), RecordId{row.text(3), row.text(4), row.text(5)}};
  if (step.previous >= event_id) step.previous = 0;  // a chain only ever goes back, or it would not end
  return step;
}

Result<std::optional<Event>> SqliteTransaction::event(std::int64_t id) {
  if (id == 0) return std::nullopt;  // before the first of a record
  PAWL_ASSIGN(Statement row, use(Sql::event));
  PAWL_ASSIGN(const bool found, row.bind(id).step());
  if (!found) return std::nullopt;
  PAWL_ASSIGN(Event event, read_event(row));
  return event;
}

Result<std::int64_t> SqliteTransaction::at_or_before(std::int64_t event_id, std::int64_t operation) {
  if (operation == std::numeric_limits<std::int64_t>::max()) return event_id;
  while (event_id != 0) {
    PAWL_ASSIGN(const std::optional<Step> step, history_step(event_id));
    if (!step) return 0;
    if (step->operation <= operation) return event_id;
    event_id = step->previous;
  }
  return 0;
}

Result<std::vector<Operation>> SqliteTransaction::operations(const OperationQuery& query) {
  std::vector<Operation> operations;
  const std::int64_t before = query.before.value_or(INT64_MAX);
  if (!query.record) {
    PAWL_ASSIGN(Statement rows, use(query.after ? Sql::operations_after : Sql::operations_before));
    rows.bind(query.after.value_or(before), query.limit);
    while (true) {
      PAWL_ASSIGN(std::optional<Operation> operation, maybe_operation(rows));
      if (!operation) return operations;
      operations.push_back(std::move(*operation));
    }
  }
  const auto limit = query.limit < 0 ? SIZE_MAX : static_cast<std::size_t>(query.limit);
  PAWL_ASSIGN(const Newest newest, newest_of(*query.record));
  std::int64_t last = before;  // an operation may have changed the record twice
  for (std::int64_t event_id = newest.event; event_id != 0 && operations.size() < limit;) {
    PAWL_ASSIGN(const std::optional<Step> step, history_step(event_id));
    if (!step) break;
    event_id = step->previous;
    if (step->operation >= last) continue;
    last = step->operation;
    PAWL_ASSIGN(std::optional<Operation> found, operation(step->operation));
    if (found) operations.push_back(std::move(*found));
  }
  return operations;
}

Result<std::optional<Operation>> SqliteTransaction::operation(std::int64_t id) {
  PAWL_ASSIGN(Statement row, use(Sql::operation));
  return maybe_operation(row.bind(id));
}

Result<std::optional<Operation>> SqliteTransaction::operation_by_key(std::string_view idempotency_key) {
  PAWL_ASSIGN(const std::int64_t id, own_number(cat(kKeyNames, idempotency_key)));
  if (id == 0) return std::nullopt;
  return operation(id);
}

Result<std::vector<Event>> SqliteTransaction::events_of(std::int64_t operation) {
  // Bisected for the first event that is not of an earlier operation.
  PAWL_ASSIGN(const std::int64_t newest, newest_event());
  std::int64_t first = 1, behind = newest + 1;
  while (first < behind) {
    const std::int64_t middle = first + (behind - first) / 2;
    PAWL_ASSIGN(Statement row, use(Sql::events_from));
    PAWL_ASSIGN(const bool found, row.bind(middle).step());
    if (found) PAWL_TRY(check_event(row));
    if (found && row.integer(1) < operation) {
      first = row.integer(0) + 1;
    } else {
      behind = middle;
    }
  }
  std::vector<Event> events;
  PAWL_ASSIGN(Statement rows, use(Sql::events_from));
  rows.bind(first);
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (more) PAWL_TRY(check_event(rows));
    if (!more || rows.integer(1) != operation) return events;
    PAWL_ASSIGN(Event event, read_event(rows));
    events.push_back(std::move(event));
  }
}

Result<std::vector<Event>> SqliteTransaction::events_since(std::int64_t event_id, std::int64_t limit) {
  std::vector<Event> events;
  const auto wanted = limit < 0 ? SIZE_MAX : static_cast<std::size_t>(limit);
  if (event_id == INT64_MAX) return events;
  PAWL_ASSIGN(Statement rows, use(Sql::events_from));
  rows.bind(event_id + 1);
  while (events.size() < wanted) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) break;
    PAWL_ASSIGN(Event event, read_event(rows));
    events.push_back(std::move(event));
  }
  return events;
}

Result<bool> SqliteTransaction::happened_before(std::string_view kind, std::int64_t event) {
  PAWL_ASSIGN(Statement row, use(Sql::happened_before));
  return row.bind(kind, event).step();
}

Result<std::int64_t> SqliteTransaction::newest_event() {
  PAWL_ASSIGN(Statement row, use(Sql::newest_event));
  PAWL_TRY(row.step());
  return row.integer(0);
}

Result<std::optional<Event>> SqliteTransaction::event_at(const RecordId& id, std::int64_t operation) {
  PAWL_ASSIGN(const Newest newest, newest_of(id));
  PAWL_ASSIGN(const std::int64_t found, at_or_before(newest.event, operation));
  return event(found);
}

Result<std::optional<Event>> SqliteTransaction::event_before(const RecordId& id, std::int64_t event_id) {
  // Mostly asked about an event of the same record: then the answer is one step away.
  PAWL_ASSIGN(std::optional<Step> step, history_step(event_id));
  if (step && step->record == id) return event(step->previous);
  PAWL_ASSIGN(const Newest newest, newest_of(id));
  std::int64_t found = newest.event;
  while (found >= event_id && found != 0) {
    PAWL_ASSIGN(step, history_step(found));
    found = step ? step->previous : 0;
  }
  return event(found);
}

Result<std::vector<Record>> SqliteTransaction::list_at(std::string_view kind, std::int64_t operation) {
  std::vector<std::int64_t> newest;
  {
    PAWL_ASSIGN(Statement rows, use(Sql::records_of_kind));
    rows.bind(kind);
    while (true) {
      PAWL_ASSIGN(const bool more, rows.step());
      if (!more) break;
      PAWL_TRY(check_record(rows));
      newest.push_back(rows.integer(8));
    }
  }
  std::vector<Record> records;
  for (const std::int64_t start : newest) {
    PAWL_ASSIGN(const std::int64_t found, at_or_before(start, operation));
    PAWL_ASSIGN(std::optional<Event> then, event(found));
    if (then && then->after.present()) records.push_back(std::move(then->after));
  }
  std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.id < b.id; });
  return records;
}

Result<std::int64_t> SqliteTransaction::compacted_until() { return own_number(kCompactedName); }

}  // namespace pawl::sqlite
