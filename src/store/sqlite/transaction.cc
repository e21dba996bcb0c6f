#include "store/sqlite/transaction.h"

#include "base/json.h"
#include "base/text.h"

namespace pawl::sqlite {

SqliteTransaction::~SqliteTransaction() {
  if (!ended_) connection_->roll_back();
}

Result<Statement> SqliteTransaction::use(Sql which) {
  if (ended_) return fail(ErrorCode::internal, "a transaction was used after its end");
  return connection_->use(which);
}

Done SqliteTransaction::may_write() const {
  if (access_ != Access::write) return fail(ErrorCode::internal, "a transaction begun for reading was to write");
  return done();
}

Result<std::int64_t> SqliteTransaction::own_number(std::string_view name) {
  PAWL_ASSIGN(Statement row, use(Sql::kept));
  PAWL_ASSIGN(const bool found, row.bind(name).step());
  return found ? row.integer(0) : 0;
}

Done SqliteTransaction::set_own_number(std::string_view name, std::int64_t value) {
  PAWL_ASSIGN(Statement put, use(Sql::keep));
  return put.bind(name, value).run();
}

std::optional<std::string> stored(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return to_line(value);
}

Error damaged(const std::string& what, std::string_view why) {
  return {ErrorCode::corruption, cat(printable(what), " is damaged in the store", why.empty() ? "" : ": ", why),
          "pawl doctor tells more; nothing was deleted"};
}

}  // namespace pawl::sqlite
