#include "store/sqlite/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/text.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {

Checksum& Checksum::mix(char type, std::string_view bytes) {
  // The seed carries what was mixed in before. Its multiplier is odd, so that no two seeds become one.
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;
  hash_ = XXH3_64bits_withSeed(bytes.data(), bytes.size(), hash_ * kMultiplier + static_cast<unsigned char>(type));
  return *this;
}

namespace {

// `columns` of values, and then their checksum.
template <class Name>
Done check(const Statement& row, int columns, const Name& name) {
  Checksum sum;
  for (int column = 0; column < columns; ++column) sum.add(row, column);
  if (row.is_integer(columns) && sum.value() == row.integer(columns)) return done();
  return tl::unexpected(damaged(name()));
}

}  // namespace

Done check_record(const Statement& row) {
  return check(row, 9, [&] { return cat("record ", RecordId{row.text(0), "", row.text(2)}.ref()); });
}

Done check_event(const Statement& row) {
  return check(row, 15, [&] {
    return cat("event ", row.integer(0), " of ", RecordId{row.text(3), "", row.text(5)}.ref());
  });
}

Done check_conflict(const Statement& row) {
  return check(row, 16, [&] { return cat("conflict ", row.integer(0), " about ", row.text(4), " in ", row.text(1)); });
}

}  // namespace pawl::sqlite
