// One use of a prepared statement: bound without copies, stepped, and reset when it goes out of scope.
// What is bound must therefore outlive the use, which it does when both are in one function.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace pawl::sqlite {

class Connection;

struct Blob {
  std::string_view bytes;
};

class Statement {
 public:
  Statement(Connection& connection, sqlite3_stmt* statement) : connection_(&connection), statement_(statement) {}
  Statement(Statement&& other) noexcept
      : connection_(other.connection_), statement_(std::exchange(other.statement_, nullptr)), failed_(other.failed_) {}
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  Statement& operator=(Statement&&) = delete;
  ~Statement() {
    if (statement_ != nullptr) sqlite3_reset(statement_);
  }

  // Every parameter, in order.
  template <class... Values>
  Statement& bind(const Values&... values) {
    int at = 0;
    (note(bind_one(++at, values)), ...);
    return *this;
  }

  // true: there is a row.
  [[nodiscard]] Result<bool> step();
  // For what has no rows.
  [[nodiscard]] Done run();
  void rewind() { sqlite3_reset(statement_); }

  [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  [[nodiscard]] bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  [[nodiscard]] bool is_integer(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_INTEGER; }
  // Valid until the next step.
  [[nodiscard]] std::string_view view(int column) const {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    const int size = sqlite3_column_bytes(statement_, column);
    return data == nullptr ? std::string_view{} : std::string_view(data, static_cast<std::size_t>(size));
  }
  [[nodiscard]] std::string text(int column) const { return std::string(view(column)); }
  [[nodiscard]] std::optional<std::string> maybe_text(int column) const {
    if (is_null(column)) return std::nullopt;
    return text(column);
  }

 private:
  void note(int code) {
    if (code != SQLITE_OK && failed_ == SQLITE_OK) failed_ = code;
  }
  // A null pointer would bind NULL, which is not the empty text.
  int bind_one(int at, std::string_view value) {
    return sqlite3_bind_text64(statement_, at, value.data() == nullptr ? "" : value.data(), value.size(), SQLITE_STATIC,
                               SQLITE_UTF8);
  }
  int bind_one(int at, const std::string& value) { return bind_one(at, std::string_view(value)); }
  int bind_one(int at, const char* value) { return bind_one(at, std::string_view(value)); }
  int bind_one(int at, std::int64_t value) { return sqlite3_bind_int64(statement_, at, value); }
  int bind_one(int at, int value) { return sqlite3_bind_int64(statement_, at, value); }
  int bind_one(int at, bool value) { return sqlite3_bind_int64(statement_, at, value ? 1 : 0); }
  int bind_one(int at, Blob value) {
    return sqlite3_bind_blob64(statement_, at, value.bytes.data() == nullptr ? "" : value.bytes.data(),
                               value.bytes.size(), SQLITE_STATIC);
  }
  int bind_one(int at, std::nullopt_t /*none*/) { return sqlite3_bind_null(statement_, at); }
  template <class Value>
  int bind_one(int at, const std::optional<Value>& value) {
    return value ? bind_one(at, *value) : sqlite3_bind_null(statement_, at);
  }

  Connection* connection_;
  sqlite3_stmt* statement_;
  int failed_ = SQLITE_OK;
};

}  // namespace pawl::sqlite
