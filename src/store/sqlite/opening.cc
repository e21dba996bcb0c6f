#include "store/sqlite/opening.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "store/sqlite/backup.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {
namespace {

Error none_there(const std::string& path) {
  return {ErrorCode::not_found, cat("there is no store at ", path), "pawl init makes one"};
}

Error not_a_database(const std::string& path) {
  return {ErrorCode::corruption, cat(path, " is not a database"), "pawl doctor tells more; nothing was deleted"};
}

Error not_ours(const std::string& path) {
  return {ErrorCode::already_exists, cat(path, " is not a database of pawl's; it was left alone"),
          "move it elsewhere if pawl is to use this folder"};
}

// A name that nothing has: pawl.db.v1.bak, pawl.db.v1.2.bak, …
Result<std::string> copy_before_migration(Connection& connection, std::int64_t version) {
  for (int number = 1; number < 1000; ++number) {
    std::string target = cat(connection.path(), ".v", version, number == 1 ? std::string() : cat(".", number), ".bak");
    const Done copied = copy_database(connection, target);
    if (copied) return target;
    if (copied.error().code != ErrorCode::already_exists) return tl::unexpected(copied.error());
  }
  return fail(ErrorCode::io, cat("there are too many copies beside ", connection.path()));
}

// What a database says of itself, asked with its locks.
struct Facts {
  std::int64_t application_id = 0;
  std::int64_t version = 0;
  std::int64_t tables = 0;

  // A process was killed while making it, or somebody touched the file.
  [[nodiscard]] bool unborn() const { return application_id == 0 && version == 0 && tables == 0; }
};

Result<Facts> ask_facts(Connection& connection) {
  Facts facts;
  PAWL_ASSIGN(facts.application_id, connection.ask_integer("PRAGMA application_id"));
  PAWL_ASSIGN(facts.version, connection.ask_integer("PRAGMA user_version"));
  PAWL_ASSIGN(facts.tables, connection.ask_integer("SELECT count(*)FROM sqlite_schema"));
  return facts;
}

// Before anything else: may this file be pawl's? Nothing is written, and nothing rolled back.
Done refuse_strangers(const std::string& path, const Header& header, const Target& target, std::int64_t busy_ms) {
  if (header.empty) return done();
  // Begun when the power went: what was to be taken back stands in the journal, and SQLite does that with the first
  // look.
  struct stat journal {};
  if (header.blank && stat((path + "-journal").c_str(), &journal) == 0 && journal.st_size > 0) return done();
  if (!header.sqlite) return tl::unexpected(not_a_database(path));
  if (header.application_id == kApplicationId) {
    if (header.user_version > target.version) {
      return tl::unexpected(newer_store(path, header.user_version, target.version));
    }
    return done();
  }
  if (header.application_id != 0 || header.user_version != 0) return tl::unexpected(not_ours(path));
  PAWL_ASSIGN(const auto looking, Connection::open(path, Opening::read_only, busy_ms));
  const Result<Facts> facts = ask_facts(*looking);
  if (!facts || !facts->unborn()) return tl::unexpected(not_ours(path));
  return done();
}

// A worker that began with 0.1.0 goes on with it, and could not open the store any more, to write down what it did.
Done refuse_workers_of_0_1_0(const std::shared_ptr<Connection>& connection) {
  PAWL_TRY(connection->exec("BEGIN"));
  SqliteTransaction tx(connection, Access::read, {});
  PAWL_ASSIGN(std::vector<Claim> claims, tx.claims());
  const Now now = SystemClock().now();
  for (Claim& claim : claims) {
    // 0.1.0 did not note the namespaces, and looked for the process where it was itself.
    if (claim.process.namespaces.empty()) claim.process.namespaces = this_process().namespaces;
    if (life_of(claim, now) != Life::alive) continue;
    const std::string process = claim.process.pid == 0 ? "" : cat(" (process ", claim.process.pid, ")");
    const std::string until =
        claim.lease_until_ms == 0
            ? ""
            : cat("; its lease ends in ", (claim.lease_until_ms - now.boot_ms) / 60'000 + 1, " min");
    return fail(ErrorCode::busy,
                cat("this pawl changes the format of the store, and ", printable(claim.worker), process,
                    " still works on ", printable(claim.record.ref()), " with pawl 0.1.0", until),
                "let it finish or stop it, and run this again; nothing was changed");
  }
  return done();
}

// Where reading would write, a copy is read instead.
Done look_without_writing(Opened& opened, const Header& header, const SqliteOptions& options, GateFile& gate) {
  const std::string path = opened.connection->path();
  const int known = target_of(options).version;
  bool interrupted = false;
  // A stray WAL is enough for SQLite to make an index of it beside the database.
  const bool wal = header.wal || access((path + "-wal").c_str(), F_OK) == 0;
  if (!wal) {
    const Result<Facts> facts = ask_facts(*opened.connection);
    interrupted = !facts && facts.error().code == ErrorCode::unavailable;
    if (!facts && !interrupted) return tl::unexpected(facts.error());
  }
  if (wal || interrupted) {
    PAWL_ASSIGN(opened.copy, PrivateCopy::make(*opened.connection, gate, interrupted));
    PAWL_ASSIGN(opened.connection, Connection::open(opened.copy->path(), Opening::existing, options.busy_ms));
  }
  PAWL_ASSIGN(const Facts facts, ask_facts(*opened.connection));
  if (facts.unborn()) return tl::unexpected(none_there(path));
  if (facts.version > known) return tl::unexpected(newer_store(path, facts.version, known));
  if (facts.version < known) {
    PAWL_TRY(can_migrate(path, facts.version, target_of(options)));
    return fail(ErrorCode::unavailable, cat(path, " was made by an older pawl (schema ", facts.version, ")"),
                "the next command that may write brings it up to date, after making a copy");
  }
  return done();
}

}  // namespace

Done settle(const std::shared_ptr<Connection>& opened, const SqliteOptions& options, GateFile& gate,
            bool lived_before) {
  Connection& connection = *opened;
  const Target target = target_of(options);
  std::unique_ptr<Gate> held;
  if (!gate.held()) {
    PAWL_ASSIGN(held, gate.take());
  }
  // Asked under the gate: whoever was first has done it.
  PAWL_ASSIGN(const Facts facts, ask_facts(connection));
  if (facts.unborn()) {
    if (!options.create) return tl::unexpected(none_there(connection.path()));
    // Whoever makes a store has held the gate since before there was a file: its maker died, or somebody emptied it.
    if (held != nullptr && options.note)
      options.note(cat(connection.path(), " was empty; a new store was begun in it"));
    return create_schema(connection, target, lived_before);
  }
  if (facts.application_id != kApplicationId) return tl::unexpected(not_ours(connection.path()));
  if (facts.version > target.version)
    return tl::unexpected(newer_store(connection.path(), facts.version, target.version));
  if (facts.version == target.version) return done();
  PAWL_TRY(can_migrate(connection.path(), facts.version, target));
  if (facts.version == 1) PAWL_TRY(refuse_workers_of_0_1_0(opened));
  PAWL_ASSIGN(const std::string copy, copy_before_migration(connection, facts.version));
  if (options.note) {
    options.note(cat("the store is brought from schema ", facts.version, " to ", target.version,
                     "; a copy of how it was is ", copy));
  }
  return migrate(connection, static_cast<int>(facts.version), target);
}

Result<Opened> open_database(const SqliteOptions& options, GateFile& gate) {
  const std::string path = options.folder + kFileName;
  const Target target = target_of(options);
  struct stat there {};
  bool missing = false;
  for (const std::string& part : {options.folder, path}) {
    if (lstat(part.c_str(), &there) == 0 && S_ISLNK(there.st_mode))
      return fail(ErrorCode::untrusted,
                  cat(printable(part), " is a symbolic link; pawl's store is not kept behind one"),
                  "replace the link by what it leads to, if you made it");
  }
  if (stat(path.c_str(), &there) != 0) {
    missing = errno == ENOENT;
    if (!missing) return tl::unexpected(io_error("open", path, errno));
  } else if (S_ISDIR(there.st_mode)) {
    return tl::unexpected(io_error("open", path, EISDIR));
  } else if (!S_ISREG(there.st_mode)) {
    return fail(ErrorCode::io, cat("cannot open ", path, ": it is not a regular file"));
  }
  for (const char* const end : {"-journal", "-wal"}) {  // opening a pipe would wait for its other end, for ever
    struct stat beside {};
    if (lstat((path + end).c_str(), &beside) == 0 && !S_ISREG(beside.st_mode))
      return fail(ErrorCode::io, cat("cannot open ", path, ": ", path, end, " is not a regular file"),
                  "see where that came from, and move it elsewhere");
  }
  if ((missing || there.st_size == 0) && (!options.create || options.read_only))
    return tl::unexpected(none_there(path));

  const bool lived_before = access((options.folder + kGateName).c_str(), F_OK) == 0;
  Opened opened;
  std::unique_ptr<Gate> held;
  if (missing) {
    PAWL_ASSIGN(held, gate.take());
  }
  const Opening how = options.read_only ? Opening::read_only : missing ? Opening::make : Opening::existing;
  PAWL_ASSIGN(opened.connection, Connection::open(path, how, options.busy_ms));
  PAWL_ASSIGN(const Header header, opened.connection->header());
  // SQLite takes a file of one byte for an empty one; somebody may miss that byte.
  if (header.empty && !missing && there.st_size > 0) return tl::unexpected(not_a_database(path));
  PAWL_TRY(refuse_strangers(path, header, target, options.busy_ms));

  if (options.read_only) {
    PAWL_TRY(look_without_writing(opened, header, options, gate));
    return opened;
  }
  if (header.empty || header.user_version != target.version)
    PAWL_TRY(settle(opened.connection, options, gate, lived_before));
  return opened;
}

}  // namespace pawl::sqlite
