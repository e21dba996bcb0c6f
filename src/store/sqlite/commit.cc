// The write: operations with their events, records by compare-and-swap, effects, mirrors; then the sync.
#include "base/text.h"
#include "store/sqlite/checksum.h"
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
    PAWL_ASSIGN(const std::int64_t id, write_operation(draft.operation));
    committed.operations.push_back(id);
    for (const Change& change : draft.changes) PAWL_TRY(write_change(id, change));
    if (static_cast<std::int64_t>(draft.effects.size()) >= kEffectsPerOperation) {
      return fail(ErrorCode::invalid_argument,
                  cat("more than ", kEffectsPerOperation - 1, " effects of one operation"));
    }
    std::int64_t effect_id = id * kEffectsPerOperation;
    for (const Effect& effect : draft.effects) {
      PAWL_TRY(write_effect(++effect_id, effect));
      committed.effects.push_back(effect_id);
    }
  }
  for (const Effect& effect : batch.effects) PAWL_TRY(end_effect(effect));
  for (const MirrorRow& row : batch.mirrors) PAWL_TRY(write_mirror(row, committed));
  PAWL_TRY(write_images(batch, committed));
  for (const StoredConflict& conflict : batch.conflicts) {
    PAWL_ASSIGN(const std::int64_t id, write_conflict(conflict, committed));
    committed.conflicts.push_back(id);
  }
  return committed;
}

Result<std::int64_t> SqliteTransaction::write_operation(const Operation& operation) {
  const std::optional<std::string> answer = stored(operation.answer);
  PAWL_ASSIGN(Statement put, use(Sql::put_operation));
  const Done inserted =
      put.bind(operation.at_ms, operation.verb, operation.actor, operation.reason, operation.outside, operation.undoes,
               unless_empty(operation.idempotency_key), operation.request_digest, answer)
          .run();
  if (!inserted) return tl::unexpected(inserted.error());
  const std::int64_t id = sqlite3_last_insert_rowid(connection_->handle());
  if (operation.idempotency_key.empty()) return id;
  PAWL_ASSIGN(Statement keep, use(Sql::keep_new));
  const std::string name = cat(kKeyNames, operation.idempotency_key);
  if (const Done kept = keep.bind(name, id).run(); !kept) {
    if ((sqlite3_extended_errcode(connection_->handle()) & 0xFF) != SQLITE_CONSTRAINT)
      return tl::unexpected(kept.error());
    return fail(ErrorCode::conflict, cat("the idempotency key \"", operation.idempotency_key, "\" was used already"));
  }
  return id;
}

Done SqliteTransaction::write_change(std::int64_t operation, const Change& change) {
  const Record& before = change.before;
  const Record& after = change.after;
  const RecordId& id = after.id;
  if (before.id != id) return fail(ErrorCode::internal, cat("a change of ", before.id.ref(), " to ", id.ref()));
  if (after.held && !after.status.empty()) return fail(ErrorCode::internal, cat(id.ref(), " is held and has a status"));

  if (!after.doc.is_known())
    return fail(ErrorCode::internal, cat(id.ref(), " was loaded without its document, which would be lost"));

  auto known = newest_.find(id);
  if (known == newest_.end()) {
    PAWL_ASSIGN(const Newest newest, newest_of(id));
    known = newest_.emplace(id, newest).first;
  }
  Newest& newest = known->second;
  if (newest.revision != before.revision) {
    return fail(ErrorCode::conflict, cat(id.ref(), " was changed by somebody else: revision ", newest.revision,
                                         " stands where ", before.revision, " was expected"));
  }
  const std::int64_t revision = before.revision + 1;
  {
    const std::string doc = after.doc.line();
    const std::optional<std::string> evidence = stored(change.evidence);
    const std::optional<std::int64_t> previous = newest.event == 0 ? std::nullopt : std::optional(newest.event);
    if (last_event_ == 0) {
      PAWL_ASSIGN(last_event_, newest_event());
    }
    const auto put_event = [&](const auto&... values) -> Done {
      PAWL_ASSIGN(Statement put, use(Sql::put_event));
      return put.bind(values..., checksum_of(values...)).run();
    };
    PAWL_TRY(put_event(last_event_ + 1, operation, previous, id.kind, id.scope, id.key, revision, change.what,
                       before.status, stored_status(after), after.held, after.aside, change.unverified, evidence, doc));
    ++last_event_;
  }
  newest = {revision, last_event_};
  return write_record(change, newest);
}

Done SqliteTransaction::write_record(const Change& change, const Newest& newest) {
  const Record& after = change.after;
  const RecordId& id = after.id;
  const auto put_record = [&](const auto&... values) -> Done {
    PAWL_ASSIGN(Statement put, use(Sql::put_record));
    return put.bind(values..., checksum_of(values...)).run();
  };
  return put_record(id.kind, id.scope, id.key, stored_status(after), after.held, after.aside, newest.revision,
                    after.rank, newest.event);
}

}  // namespace pawl::sqlite
