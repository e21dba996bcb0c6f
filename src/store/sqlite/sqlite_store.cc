#include "store/sqlite/sqlite_store.h"

#include "base/text.h"
#include "store/sqlite/backup.h"
#include "store/sqlite/health.h"
#include "store/sqlite/held.h"
#include "store/sqlite/opening.h"
#include "store/sqlite/transaction.h"

namespace pawl {
namespace sqlite {
namespace {

class SqliteStore final : public Store {
 public:
  SqliteStore(SqliteOptions options, std::shared_ptr<GateFile> gate, Opened opened)
      : options_(std::move(options)), gate_(std::move(gate)), opened_(std::move(opened)) {
    if (options_.one_shot && !opened_.copy) opened_.connection->leave_open();
  }

  Result<std::unique_ptr<Gate>> gate() override {
    PAWL_TRY(may_write());
    return gate_->take();
  }

  Result<Lock> hold(std::string_view name) override {
    PAWL_TRY(may_write());
    return take_lock(options_.folder, name);
  }

  Result<std::unique_ptr<Transaction>> begin(Access access) override;
  [[nodiscard]] bool replaced() const override { return connection()->moved(); }

  Result<StoreHealth> check() override {
    PAWL_ASSIGN(StoreHealth health, check_database(connection()));
    if (opened_.copy) {
      health.notes.emplace_back("a private copy was checked, as reading the store itself would have written to it");
      health.notes.emplace_back(opened_.copy->interrupted()
                                    ? "an interrupted write is there; the next command takes it back"
                                    : "a process that lives on uses the store, or was killed while it did");
    }
    return health;
  }

  Done backup(const std::string& file) override { return copy_database(*connection(), file); }
  Done shrink() override;
  Done enter_long_lived() override {
    PAWL_TRY(may_write());
    // Room for the indexes of a million records (it takes only what it needs); freed pages are not written once more to
    // overwrite them with zeros, as Debian's SQLite does.
    // A checkpoint waits until the WAL has 8 MB, as pages are small.
    PAWL_TRY(connection()->exec("PRAGMA cache_size=-65536;PRAGMA secure_delete=OFF;PRAGMA wal_autocheckpoint=4000"));
    return change_mode("PRAGMA journal_mode=WAL");
  }
  Done leave_long_lived() override { return change_mode("PRAGMA journal_mode=PERSIST"); }

 private:
  [[nodiscard]] const std::shared_ptr<Connection>& connection() const { return opened_.connection; }
  [[nodiscard]] Done may_write() const {
    if (options_.read_only) return fail(ErrorCode::internal, "a store opened for reading was to write");
    return done();
  }
  [[nodiscard]] Done begin_once(Access access, std::int64_t& version);
  [[nodiscard]] Done prepare_for_writing();
  [[nodiscard]] Done choose_journal();
  [[nodiscard]] Done change_mode(const char* pragma);
  [[nodiscard]] Result<std::unique_ptr<Gate>> gate_unless_held();

  SqliteOptions options_;
  std::shared_ptr<GateFile> gate_;
  Opened opened_;
  bool prepared_for_writing_ = false;
  bool persistent_journal_ = false;
  bool in_wal_ = false;
};

Result<std::unique_ptr<Transaction>> SqliteStore::begin(Access access) {
  if (access == Access::write) PAWL_TRY(may_write());
  if (connection()->in_transaction()) return fail(ErrorCode::internal, "a second transaction was begun in one store");
  const int known = target_of(options_).version;
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::int64_t version = 0;
    const Done begun = begin_once(access, version);
    if (begun && version == known) {
      return std::unique_ptr<Transaction>(new SqliteTransaction(connection(), access, options_.folder));
    }
    connection()->roll_back();
    if (!begun) return tl::unexpected(begun.error());
    if (version > known) return tl::unexpected(newer_store(connection()->path(), version, known));
    PAWL_TRY(may_write());
    PAWL_TRY(settle(connection(), options_, *gate_));
  }
  return fail(ErrorCode::conflict, cat("the version of ", connection()->path(), " changes while it is being read"));
}

// The version is read in the transaction: it fixes the moment that is seen, and tells when another pawl has
// migrated the store since it was opened.
Done SqliteStore::begin_once(Access access, std::int64_t& version) {
  if (access == Access::write) {
    PAWL_TRY(prepare_for_writing());
    PAWL_ASSIGN(Statement begin, connection()->use(Sql::begin_write));
    PAWL_TRY(begin.run());
    PAWL_TRY(choose_journal());
  } else {
    PAWL_ASSIGN(Statement begin, connection()->use(Sql::begin_read));
    PAWL_TRY(begin.run());
  }
  PAWL_ASSIGN(Statement ask, connection()->use(Sql::version));
  PAWL_TRY(ask.step());
  version = ask.integer(0);
  return done();
}

Done SqliteStore::prepare_for_writing() {
  if (connection()->moved()) {
    return fail(ErrorCode::unavailable, cat(connection()->path(), " was moved or replaced while it was in use"),
                "start again");
  }
  if (prepared_for_writing_) return done();
  PAWL_TRY(connection()->exec("PRAGMA synchronous=FULL"));
  prepared_for_writing_ = true;
  return done();
}

// A rollback journal is kept and overwritten, not deleted: the fastest for a process that commits once. Asked for
// inside of the transaction, where the mode of the file cannot change underneath, and WAL not be left by mistake.
// A connection that has read in WAL keeps a lock that nobody can leave WAL against: then there is nothing to ask again.
Done SqliteStore::choose_journal() {
  if (in_wal_) return done();
  PAWL_ASSIGN(const Header header, connection()->header());
  if (header.wal) {
    in_wal_ = true;
    persistent_journal_ = false;
    return done();
  }
  if (persistent_journal_) return done();
  if (const Done chosen = connection()->exec("PRAGMA journal_mode=PERSIST"); !chosen) {
    // Somebody has left a file with the name of a WAL: SQLite then works in WAL, whatever the header says.
    PAWL_ASSIGN(const std::string mode, connection()->ask_text("PRAGMA journal_mode"));
    if (mode != "wal") return chosen;
    in_wal_ = true;
    return done();
  }
  persistent_journal_ = true;
  return done();
}

Result<std::unique_ptr<Gate>> SqliteStore::gate_unless_held() {
  if (gate_->held()) return std::unique_ptr<Gate>();
  return gate_->take();
}

// Best effort: while somebody else is in the way the mode stays. Not waited for: the gate is held meanwhile.
Done SqliteStore::change_mode(const char* pragma) {
  PAWL_TRY(may_write());
  PAWL_ASSIGN(const std::unique_ptr<Gate> held, gate_unless_held());
  PAWL_TRY(prepare_for_writing());
  const Done changed = connection()->exec_impatiently(pragma);
  persistent_journal_ = in_wal_ = false;
  if (!changed && changed.error().code != ErrorCode::busy) return changed;
  return done();
}

Done SqliteStore::shrink() {
  PAWL_TRY(may_write());
  PAWL_ASSIGN(const std::unique_ptr<Gate> held, gate_unless_held());
  PAWL_TRY(prepare_for_writing());
  PAWL_TRY(connection()->exec("VACUUM"));
  // In WAL mode the file becomes shorter with the checkpoint.
  PAWL_ASSIGN(const Header header, connection()->header());
  return header.wal ? connection()->exec("PRAGMA wal_checkpoint(TRUNCATE)") : done();
}

}  // namespace
}  // namespace sqlite

Result<std::unique_ptr<Gate>> take_sqlite_gate(const std::string& folder, std::int64_t busy_ms) {
  return std::make_shared<sqlite::GateFile>(folder + sqlite::kGateName, busy_ms)->take();
}

int sqlite_schema_version() { return sqlite::kSchemaVersion; }

Result<std::unique_ptr<Store>> open_sqlite(const SqliteOptions& options) {
  auto gate = std::make_shared<sqlite::GateFile>(options.folder + sqlite::kGateName, options.busy_ms);
  PAWL_ASSIGN(sqlite::Opened opened, sqlite::open_database(options, *gate));
  return std::unique_ptr<Store>(new sqlite::SqliteStore(options, std::move(gate), std::move(opened)));
}

}  // namespace pawl
