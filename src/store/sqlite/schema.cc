#include "store/sqlite/schema.h"

#include <algorithm>

#include "base/text.h"

namespace pawl::sqlite {
namespace {

// Parsed whenever the database is opened, which for a command that runs once is a good part of its life: so no
// comments, no types (values keep the one they come with), and no table or index that could be done without: what is
// looked up rarely (claims, idempotency keys, effects under way) has a row in `kept`, under a name of its own.
constexpr const char* kCreate =
    "CREATE TABLE operation(id INTEGER PRIMARY KEY,at_ms,verb,actor,reason,outside,undoes,idem_key,"
    "request_digest,answer);"
    "CREATE TABLE event(id INTEGER PRIMARY KEY,operation,previous,kind,scope,key,revision,what,from_status,"
    "status,held,aside,unverified,evidence,doc);"
    "CREATE TABLE record(kind,scope,key,status,held,aside,revision,rank,event,PRIMARY KEY(key,kind,scope))"
    "WITHOUT ROWID;"
    "CREATE INDEX record_rank ON record(kind,scope,aside,status,rank);"
    "CREATE TABLE mirror(id INTEGER PRIMARY KEY,path UNIQUE,format,scope,state,head,staged,size,before,bytes);"
    "CREATE TABLE part(id INTEGER PRIMARY KEY,bytes);"
    "CREATE TABLE effect(id INTEGER PRIMARY KEY,state,kind,scope,key,act,marker,request,result);"
    "CREATE TABLE kept(name PRIMARY KEY,value)WITHOUT ROWID;";

Done run_steps(Connection& connection, int version, const Target& target) {
  while (version < target.version) {
    const Migration* step = nullptr;
    for (const Migration& candidate : target.migrations) {
      if (candidate.from_version == version) step = &candidate;
    }
    if (step == nullptr) {
      return fail(ErrorCode::internal,
                  cat("this pawl does not know how to bring a store from schema ", version, " to ", target.version));
    }
    PAWL_TRY(connection.exec(std::string(step->sql).c_str()));
    ++version;
  }
  return connection.exec(cat("PRAGMA user_version=", target.version).c_str());
}

Done commit_or_roll_back(Connection& connection, Done work) {
  if (work) work = connection.exec("COMMIT");
  if (!work) connection.roll_back();
  return work;
}

}  // namespace

Target target_of(const SqliteOptions& options) {
  if (!options.migrations.empty()) return {options.version, options.migrations};
  return {kSchemaVersion, {}};
}

Done create_schema(Connection& connection, const Target& target, bool lived_before) {
  PAWL_TRY(connection.exec(
      cat("PRAGMA page_size=", kPageSize,
          ";PRAGMA auto_vacuum=NONE;PRAGMA synchronous=FULL;PRAGMA journal_mode=PERSIST;BEGIN IMMEDIATE")
          .c_str()));
  return commit_or_roll_back(connection, [&]() -> Done {
    PAWL_TRY(connection.exec(kCreate));
    if (lived_before) PAWL_TRY(connection.exec("INSERT INTO kept VALUES('store.claim_token',unixepoch())"));
    PAWL_TRY(connection.exec(cat("PRAGMA application_id=", kApplicationId).c_str()));
    return run_steps(connection, kSchemaVersion, target);
  }());
}

Done migrate(Connection& connection, int version, const Target& target) {
  PAWL_TRY(connection.exec("PRAGMA synchronous=FULL;BEGIN IMMEDIATE"));
  return commit_or_roll_back(connection, run_steps(connection, version, target));
}

Result<bool> has_plain_tables(Connection& connection) {
  PAWL_ASSIGN(const std::int64_t others,
              connection.ask_integer("SELECT count(*)FROM sqlite_schema WHERE type NOT IN('table','index')"));
  PAWL_ASSIGN(const std::int64_t computed,
              connection.ask_integer("SELECT count(*)FROM sqlite_schema AS s,pragma_table_xinfo(s.name)AS column "
                                     "WHERE s.type='table'AND column.hidden IN(2,3)"));
  return others == 0 && computed == 0;
}

Done can_migrate(const std::string& path, std::int64_t version, const Target& target) {
  for (std::int64_t from = version; from < target.version; ++from) {
    const bool known = std::any_of(target.migrations.begin(), target.migrations.end(),
                                   [&](const Migration& step) { return step.from_version == from; });
    if (!known)
      return fail(ErrorCode::corruption,
                  cat(path, " says that it has schema ", version, ", which no pawl leads from to ", target.version),
                  "pawl doctor tells more; nothing was changed");
  }
  return done();
}

Error newer_store(const std::string& path, std::int64_t version, int known) {
  return Error{ErrorCode::unavailable,
               cat("this store was made by a newer pawl (schema ", version, "; this one knows ", known, "): ", path),
               "use that version of pawl; nothing was changed"};
}

}  // namespace pawl::sqlite
