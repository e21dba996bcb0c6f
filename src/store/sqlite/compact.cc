// Forgetting old history. The present is never touched, and of each record the newest event from before stays: so the
// past can be told without gaps from the end of what was forgotten on.
#include <algorithm>

#include "base/text.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {

Result<std::int64_t> SqliteTransaction::compact(std::int64_t before_ms) {
  PAWL_TRY(may_write());
  PAWL_TRY(connection_->exec("DELETE FROM kept WHERE name>='cache.' AND name<'cache/'"));
  if (ended_) return fail(ErrorCode::internal, "a transaction was used after its end");
  // Up to the first operation that is young enough. By number and not by time alone: clocks are set back, and a history
  // with holes in it is none.
  PAWL_ASSIGN(const std::int64_t newest, connection_->ask_integer("SELECT ifnull(max(id),0)FROM operation"));
  PAWL_ASSIGN(const std::int64_t end,
              connection_->ask_integer(
                  cat("SELECT ifnull(min(id),", newest + 1, ")FROM operation WHERE at_ms>=", before_ms).c_str()));
  PAWL_ASSIGN(const std::int64_t done_until, compacted_until());
  if (end <= 1 || end - 1 <= done_until) return 0;
  // So that a check can tell what was compacted from what is missing.
  PAWL_ASSIGN(const std::int64_t last_event,
              connection_->ask_integer(cat("SELECT max(id)FROM event WHERE operation<", end).c_str()));
  PAWL_TRY(set_own_number(kCompactedEventName, last_event));
  PAWL_TRY(connection_->exec(cat("DELETE FROM event WHERE operation<", end,
                                 " AND id NOT IN(SELECT max(id)FROM event WHERE operation<", end,
                                 " GROUP BY kind,scope,key)")
                                 .c_str()));
  const std::int64_t gone = sqlite3_changes64(connection_->handle());
  // An effect that was intended and not settled still has to be looked for in the world.
  const std::string goes = cat(" FROM operation WHERE id<", std::min(end, newest),  // whose number is not given again
                               " AND id NOT IN(SELECT operation FROM event) AND id NOT IN(SELECT id/",
                               kEffectsPerOperation, " FROM effect WHERE state='intended')");
  PAWL_TRY(
      connection_->exec(cat("DELETE FROM kept WHERE name IN(SELECT '", kKeyNames, "'||idem_key", goes, ");DELETE", goes,
                            ";"
                            "DELETE FROM effect WHERE id<",
                            end * kEffectsPerOperation, " AND id/", kEffectsPerOperation,
                            " NOT IN(SELECT id FROM operation);"
                            "DELETE FROM conflict WHERE closed BETWEEN 1 AND ",
                            end - 1)
                            .c_str()));
  PAWL_TRY(set_own_number(kCompactedName, end - 1));
  return gone;
}

}  // namespace pawl::sqlite
