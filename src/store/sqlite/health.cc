#include "store/sqlite/health.h"

#include "base/fingerprint.h"
#include "base/text.h"
#include "store/sqlite/checksum.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {
namespace {

// After this many of one sort, the rest is counted and not told.
constexpr std::int64_t kShown = 20;

// Rows are problems; the first column is the sentence. Each says what is not so.
struct Rule {
  const char* rows;
  const char* others;  // "… and 7 more of these"
};

constexpr Rule kRules[] = {
    {"SELECT kind||'/'||key||' points at event '||event||', which is not there' FROM record "
     "WHERE event NOT IN(SELECT id FROM event)",
     "records without their newest event"},
    {"SELECT r.kind||'/'||r.key||' is not what its newest event says: event '||e.id FROM record r JOIN event e ON "
     "e.id=r.event "
     "WHERE r.kind IS NOT e.kind OR r.scope IS NOT e.scope OR r.key IS NOT e.key OR r.status IS NOT e.status "
     "OR r.held IS NOT e.held OR r.aside IS NOT e.aside OR r.revision IS NOT e.revision",
     "records that differ from their newest event"},
    {"SELECT e.kind||'/'||e.key||' has event '||e.id||', and is no record' FROM event e LEFT JOIN record r "
     "ON r.kind=e.kind AND r.scope=e.scope AND r.key=e.key WHERE r.kind IS NULL",
     "events without a record"},
    {"SELECT e.kind||'/'||e.key||' has event '||e.id||', which is newer than the record' FROM event e JOIN record r "
     "ON r.kind=e.kind AND r.scope=e.scope AND r.key=e.key WHERE e.id>r.event",
     "events newer than their record"},
    {"SELECT e.kind||'/'||e.key||': event '||e.id||' makes revision '||e.revision||' of '||p.revision FROM event e "
     "JOIN event p ON p.id=e.previous WHERE p.kind IS NOT e.kind OR p.scope IS NOT e.scope OR p.key IS NOT e.key "
     "OR p.revision+1 IS NOT e.revision OR p.id>=e.id OR p.operation>e.operation",
     "gaps between revisions"},
    // The beginning of a history: revision 1, or behind what was compacted.
    {"SELECT e.kind||'/'||e.key||': the event before event '||e.id||' is missing' FROM event e "
     "WHERE(e.previous IS NULL AND e.revision<>1)OR(e.previous NOT IN(SELECT id FROM event)"
     "AND e.previous>ifnull((SELECT value FROM kept WHERE name='store.compacted_event'),0))",
     "histories that begin in the middle"},
    {"SELECT 'event '||id||' of '||kind||'/'||key||' belongs to operation '||operation||', which is not there' FROM "
     "event "
     "WHERE operation NOT IN(SELECT id FROM operation)",
     "events without an operation"},
    {"SELECT 'event '||id||' of operation '||operation||' stands behind one of operation '||before FROM("
     "SELECT id,operation,lag(operation)OVER(ORDER BY id)AS before FROM event)WHERE before>operation",
     "events out of order"},
    {"SELECT 'the document of '||kind||'/'||key||' is no JSON object in event '||id FROM event "
     "WHERE doc IS NULL OR NOT json_valid(doc)OR json_type(doc)NOT IN('object','null')",
     "documents that are no JSON objects"},
    {"SELECT 'the evidence of '||kind||'/'||key||' is not JSON in event '||id FROM event "
     "WHERE evidence IS NOT NULL AND NOT json_valid(evidence)",
     "pieces of evidence that are not JSON"},
    {"SELECT 'the answer of operation '||id||' is not JSON' FROM operation "
     "WHERE answer IS NOT NULL AND NOT json_valid(answer)",
     "answers that are not JSON"},
    {"SELECT 'effect '||id||' belongs to operation '||(id/10000)||', which is not there' FROM effect "
     "WHERE id/10000 NOT IN(SELECT id FROM operation)",
     "effects without an operation"},
    {"SELECT 'effect '||id||' is under way, and nothing points at it' FROM effect "
     "WHERE state='intended' AND 'store.effect:'||id NOT IN(SELECT name FROM kept)",
     "effects under way that nothing points at"},
    {"SELECT 'conflict '||id||' is open, and nothing points at it' FROM conflict "
     "WHERE closed=0 AND 'store.conflict:'||id NOT IN(SELECT name FROM kept)",
     "open conflicts that nothing points at"},
    {"SELECT 'image '||id||' belongs to no file' FROM image WHERE id/4294967296 NOT IN(SELECT id FROM mirror)",
     "images of no file"},
    {"SELECT 'operation '||id||' has an idempotency key by which it cannot be found' FROM operation "
     "WHERE idem_key IS NOT NULL AND id IS NOT(SELECT value FROM kept WHERE name='store.key:'||idem_key)",
     "idempotency keys that lead elsewhere"},
};

template <class Work>
Done for_each(Connection& connection, const char* sql, Work work) {
  sqlite3_stmt* prepared = nullptr;
  const int code = sqlite3_prepare_v2(connection.handle(), sql, -1, &prepared, nullptr);
  if (code != SQLITE_OK) return tl::unexpected(connection.error(code));
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(prepared, &sqlite3_finalize);
  Statement rows(connection, prepared);
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return done();
    work(rows);
  }
}

template <class T>
std::string error_of(const Result<T>& result) {
  return result ? std::string() : result.error().message;
}

Done collect(Connection& connection, const Rule& rule, StoreHealth& health) {
  std::int64_t count = 0;
  PAWL_TRY(for_each(connection, rule.rows, [&](Statement& row) {
    if (++count <= kShown) health.problems.push_back(row.text(0));
  }));
  if (count > kShown) health.problems.push_back(cat("… and ", count - kShown, " more ", rule.others));
  return done();
}

// Every damaged row; false: there are some.
Result<bool> check_sums(Connection& connection, StoreHealth& health) {
  struct Sums {
    const char* rows;
    Done (*check)(const Statement& row);
    const char* others;
  };
  constexpr Sums kSums[] = {{"SELECT*FROM record ORDER BY kind,key", &check_record, "damaged records"},
                            {"SELECT*FROM event ORDER BY id", &check_event, "damaged events"},
                            {"SELECT*FROM conflict ORDER BY id", &check_conflict, "damaged conflicts"}};
  const std::size_t before = health.problems.size();
  for (const Sums& sums : kSums) {
    std::int64_t count = 0;
    PAWL_TRY(for_each(connection, sums.rows, [&](Statement& row) {
      const Done checked = sums.check(row);
      if (!checked && ++count <= kShown) health.problems.push_back(checked.error().message);
    }));
    if (count > kShown) health.problems.push_back(cat("… and ", count - kShown, " more ", sums.others));
  }
  return health.problems.size() == before;
}

// What SQL cannot tell: read as a command would.
Done check_by_reading(Connection& connection, SqliteTransaction& tx, StoreHealth& health) {
  constexpr std::int64_t kPage = 1000;
  PAWL_ASSIGN(const bool intact, check_sums(connection, health));
  for (std::int64_t since = 0; intact;) {
    const auto events = tx.events_since(since, kPage);
    if (!events) {
      health.problems.push_back(events.error().message);
      break;
    }
    if (events->empty()) break;
    since = events->back().id;
  }
  PAWL_TRY(for_each(connection, "SELECT id FROM image", [&](Statement& row) {
    const auto image = tx.image(row.integer(0));
    if (!image) health.problems.push_back(image.error().message);
  }));
  std::vector<std::string> paths;
  PAWL_TRY(for_each(connection, "SELECT path FROM mirror", [&](Statement& row) { paths.push_back(row.text(0)); }));
  for (const std::string& path : paths) {
    const auto mirror = tx.mirror(path, MirrorPart::whole);
    const auto compared = tx.mirror(path, MirrorPart::to_compare);
    if (!mirror || !compared) {
      health.problems.push_back((mirror ? compared : mirror).error().message);
    } else if (*compared && !(*compared)->fingerprint.empty() &&
               !has_fingerprint((*mirror)->bytes.value_or(""), (*compared)->fingerprint)) {
      health.false_fingerprints.push_back(path);
    }
  }
  for (const auto& problem :
       {error_of(tx.claims()), error_of(tx.effects_in(EffectState::intended)),
        error_of(tx.effects_in(EffectState::done)), error_of(tx.effects_in(EffectState::failed))}) {
    if (!problem.empty()) health.problems.push_back(problem);
  }
  return done();
}

Done check_inside(Connection& connection, SqliteTransaction& tx, StoreHealth& health) {
  PAWL_TRY(collect(connection,
                   {"SELECT 'the database: '||integrity_check FROM pragma_integrity_check(20) "
                    "WHERE integrity_check<>'ok'",
                    "faults of the database"},
                   health));
  PAWL_ASSIGN(const bool plain, has_plain_tables(connection));
  if (!plain)
    health.problems.emplace_back("the database: it has views, triggers or computed columns, which pawl makes none of");
  // What follows is read from a database that is not sound: it would tell the same faults once more.
  if (!health.problems.empty()) return done();
  PAWL_ASSIGN(health.records, connection.ask_integer("SELECT count(*)FROM record WHERE status IS NOT NULL"));
  PAWL_ASSIGN(health.events, connection.ask_integer("SELECT count(*)FROM event"));
  PAWL_ASSIGN(health.operations, connection.ask_integer("SELECT count(*)FROM operation"));
  for (const Rule& rule : kRules) PAWL_TRY(collect(connection, rule, health));
  return check_by_reading(connection, tx, health);
}

}  // namespace

Result<StoreHealth> check_database(const std::shared_ptr<Connection>& connection) {
  StoreHealth health;
  if (connection->in_transaction()) return fail(ErrorCode::internal, "a check inside of a transaction");
  PAWL_TRY(connection->exec("BEGIN"));  // all of it of one moment
  SqliteTransaction tx(connection, Access::read, {});
  const Done checked = [&]() -> Done {
    PAWL_ASSIGN(health.mode, connection->ask_text("PRAGMA journal_mode"));
    return check_inside(*connection, tx, health);
  }();
  // Damage is what this is asked to find.
  if (!checked && checked.error().code == ErrorCode::corruption) {
    health.problems.push_back(checked.error().message);
  } else if (!checked) {
    return tl::unexpected(checked.error());
  }
  return health;
}

}  // namespace pawl::sqlite
