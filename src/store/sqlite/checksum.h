// A checksum over the values of one row, kept in the row: a value that changed on the disk, or that somebody changed by
// hand, is found when the row is loaded. Not over other rows, as compact() removes some.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/sqlite/statement.h"

namespace pawl::sqlite {

class Checksum {
 public:
  Checksum& add(std::string_view value) { return mix('t', value); }
  Checksum& add(std::int64_t value) {
    return mix('i', {reinterpret_cast<const char*>(&value), sizeof value});  // NOLINT(*-reinterpret-cast)
  }
  Checksum& add(int value) { return add(std::int64_t{value}); }
  Checksum& add(bool value) { return add(std::int64_t{value ? 1 : 0}); }
  Checksum& add(std::nullopt_t /*none*/) { return mix('n', {}); }
  template <class Value>
  Checksum& add(const std::optional<Value>& value) {
    return value ? add(*value) : add(std::nullopt);
  }
  // As SQLite gives it back.
  Checksum& add(const Statement& row, int column) {
    if (row.is_null(column)) return add(std::nullopt);
    return row.is_integer(column) ? add(row.integer(column)) : add(row.view(column));
  }

  [[nodiscard]] std::int64_t value() const { return static_cast<std::int64_t>(hash_); }

 private:
  Checksum& mix(char type, std::string_view bytes);

  std::uint64_t hash_ = 0;
};

template <class... Values>
[[nodiscard]] std::int64_t checksum_of(const Values&... values) {
  Checksum sum;
  (sum.add(values), ...);
  return sum.value();
}

// Whole rows, every column in its order. corruption, with the row's name: one that is not what was written.
[[nodiscard]] Done check_record(const Statement& row);
[[nodiscard]] Done check_event(const Statement& row);
[[nodiscard]] Done check_conflict(const Statement& row);

}  // namespace pawl::sqlite
