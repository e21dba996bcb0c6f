#include "store/sqlite/schema.h"

#include <algorithm>

#include "base/text.h"
#include "store/sqlite/checksum.h"

namespace pawl::sqlite {
namespace {

// Parsed whenever the database is opened, which for a command that runs once is a good part of its life: so no
// comments, no types (values keep the one they come with), and no table or index that could be done without: what is
// looked up rarely (claims, idempotency keys, effects under way) has a row in `kept`, under a name of its own.
#define PAWL_NEW_IN_2                                                                                       \
  "CREATE TABLE image(id INTEGER PRIMARY KEY,owner,operation,kind,by_command,base,keys,sum,bytes);"         \
  "CREATE TABLE conflict(id INTEGER PRIMARY KEY,path,kind,scope,key,member,code,ours,theirs,waiting,image," \
  "in_file,actor,opened,closed,why,sum);"

constexpr const char* kCreate =
    "CREATE TABLE operation(id INTEGER PRIMARY KEY,at_ms,verb,actor,reason,outside,undoes,idem_key,"
    "request_digest,answer);"
    "CREATE TABLE event(id INTEGER PRIMARY KEY,operation,previous,kind,scope,key,revision,what,from_status,"
    "status,held,aside,unverified,evidence,doc,sum);"
    "CREATE TABLE record(kind,scope,key,status,held,aside,revision,rank,event,sum,PRIMARY KEY(key,kind,scope))"
    "WITHOUT ROWID;"
    "CREATE INDEX record_rank ON record(kind,scope,aside,status,rank);"
    "CREATE TABLE mirror(id INTEGER PRIMARY KEY,path UNIQUE,format,scope,state,head,staged,size,before,bytes,merge,"
    "shape);"
    "CREATE TABLE part(id INTEGER PRIMARY KEY,bytes);"
    "CREATE TABLE effect(id INTEGER PRIMARY KEY,state,kind,scope,key,act,marker,request,result);"
    "CREATE TABLE kept(name PRIMARY KEY,value)WITHOUT ROWID;" PAWL_NEW_IN_2;

// 0.1.0 made schema 1. Its mirrors keep the states that it gave them: which file a state is about is for the engine to
// judge, which knows a path that only 0.1.0 has written by its empty MirrorRow::merge.
constexpr Migration kSteps[] = {
    {1, PAWL_NEW_IN_2
     "ALTER TABLE mirror ADD COLUMN merge;"
     "ALTER TABLE mirror ADD COLUMN shape;"
     "ALTER TABLE event ADD COLUMN sum;"
     "ALTER TABLE record ADD COLUMN sum;"
     "UPDATE event SET sum=checksum(id,operation,previous,kind,scope,key,revision,what,from_status,status,held,aside,"
     "unverified,evidence,doc);"
     "UPDATE record SET sum=checksum(kind,scope,key,status,held,aside,revision,rank,event)"},
};
#undef PAWL_NEW_IN_2

// checksum_of() for the steps.
void sql_checksum(sqlite3_context* context, int count, sqlite3_value** values) {
  Checksum sum;
  for (sqlite3_value* value : std::span(values, static_cast<std::size_t>(count))) {
    const int type = sqlite3_value_type(value);
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
    if (type == SQLITE_NULL) {
      sum.add(std::nullopt);
    } else if (type == SQLITE_INTEGER) {
      sum.add(std::int64_t{sqlite3_value_int64(value)});
    } else {
      sum.add(std::string_view(bytes == nullptr ? "" : bytes, static_cast<std::size_t>(sqlite3_value_bytes(value))));
    }
  }
  sqlite3_result_int64(context, sum.value());
}

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
  return {kSchemaVersion, kSteps};
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
  sqlite3_create_function(connection.handle(), "checksum", -1, SQLITE_UTF8, nullptr, &sql_checksum, nullptr, nullptr);
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
