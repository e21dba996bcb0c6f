// The write: operations with their events, records by compare-and-swap, effects, mirrors; then the sync.
#include "base/text.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {
namespace {

// NULL: absent. '': held.
std::optional<std::string_view> stored_status(const Record& record) {
  if (!record.present()) return std::nullopt;
  return std::string_view(record.status);
}

std::optional<std::string_view> unless_empty(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return std::string_view(text);
}

std::optional<std::string_view> view_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return std::string_view(*text);
}

}  // namespace

Result<Committed> SqliteTransaction::commit(const Batch& batch) {
  PAWL_TRY(may_write());
  Result<Committed> written = write(batch);
  if (written) {
    Result<Statement> end = use(Sql::commit);
    Done committed = end ? end->run() : Done(tl::unexpect, end.error());
    if (!committed) written = tl::unexpected<Error>(std::move(committed).error());
  }
  if (!written) connection_->roll_back();
  ended_ = true;
  return written;
}

Result<Committed> SqliteTransaction::write(const Batch& batch) {
  Committed committed;
  for (const OperationDraft& draft : batch.operations) {
    const Operation& operation = draft.operation;
    std::int64_t id = 0;
    {
      const std::optional<std::string> answer = stored(operation.answer);
      PAWL_ASSIGN(Statement put, use(Sql::put_operation));
      const Done inserted =
          put.bind(operation.at_ms, operation.verb, operation.actor, operation.reason, operation.outside,
                   operation.undoes, unless_empty(operation.idempotency_key), operation.request_digest, view_of(answer))
              .run();
      if (!inserted) {
        if (sqlite3_extended_errcode(connection_->handle()) == SQLITE_CONSTRAINT_UNIQUE) {
          return fail(ErrorCode::conflict,
                      cat("the idempotency key \"", operation.idempotency_key, "\" was used already"));
        }
        return tl::unexpected<Error>(inserted.error());
      }
      id = sqlite3_last_insert_rowid(connection_->handle());
    }
    committed.operations.push_back(id);
    for (const Change& change : draft.changes) PAWL_TRY(write_change(id, change));
    for (const Effect& effect : draft.effects) {
      PAWL_ASSIGN(const std::int64_t effect_id, write_effect(id, effect));
      committed.effects.push_back(effect_id);
    }
  }
  for (const Effect& effect : batch.effects) PAWL_TRY(end_effect(effect));
  for (const MirrorRow& row : batch.mirrors) PAWL_TRY(write_mirror(row));
  return committed;
}

Done SqliteTransaction::write_change(std::int64_t operation, const Change& change) {
  const Record& before = change.before;
  const Record& after = change.after;
  const RecordId& id = after.id;
  if (before.id != id) return fail(ErrorCode::internal, cat("a change of ", before.id.ref(), " to ", id.ref()));
  if (after.held && !after.status.empty()) return fail(ErrorCode::internal, cat(id.ref(), " is held and has a status"));

  const std::int64_t revision = before.revision + 1;
  const std::optional<std::string_view> status = stored_status(after), held = view_of(after.held);
  std::optional<std::int64_t> previous;
  if (before.revision > 0) {
    const auto known = newest_.find(id);
    if (known != newest_.end()) {
      previous = known->second;
    } else {
      PAWL_ASSIGN(previous, newest_of(id));
    }
  }
  std::int64_t event_id = 0;
  {
    const std::string doc = to_line(after.doc);
    const std::optional<std::string> evidence = stored(change.evidence);
    PAWL_ASSIGN(Statement put, use(Sql::put_event));
    PAWL_TRY(put.bind(operation, id.kind, id.scope, id.key, revision, change.what, before.status, status, held,
                      after.aside, change.unverified, view_of(evidence), doc, previous)
                 .run());
    event_id = sqlite3_last_insert_rowid(connection_->handle());
  }
  newest_.insert_or_assign(id, event_id);

  if (before.revision == 0) {
    PAWL_ASSIGN(Statement put, use(Sql::new_record));
    const Done inserted =
        put.bind(id.kind, id.scope, id.key, status, held, after.aside, revision, after.rank, event_id).run();
    if (inserted) return done();
    if (sqlite3_extended_errcode(connection_->handle()) == SQLITE_CONSTRAINT_PRIMARYKEY) {
      return tl::unexpected<Error>(conflict(change));
    }
    return tl::unexpected<Error>(inserted.error());
  }
  const bool index_stays = stored_status(before) == status && before.aside == after.aside && before.rank == after.rank;
  for (const Sql which : {Sql::touch_record, Sql::move_record}) {
    if (which == Sql::touch_record && !index_stays) continue;
    PAWL_ASSIGN(Statement put, use(which));
    PAWL_TRY(
        put.bind(id.kind, id.scope, id.key, status, held, after.aside, revision, after.rank, event_id, before.revision)
            .run());
    if (sqlite3_changes(connection_->handle()) == 1) return done();
  }
  return tl::unexpected<Error>(conflict(change));
}

Error SqliteTransaction::conflict(const Change& change) {
  const RecordId& id = change.after.id;
  const Result<Record> now = load(id);
  return {ErrorCode::conflict,
          cat(id.ref(), " was changed by somebody else: revision ", now ? now->revision : 0, " instead of ",
              change.before.revision),
          {}};
}

}  // namespace pawl::sqlite
