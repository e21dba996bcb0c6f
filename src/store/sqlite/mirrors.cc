// What pawl last wrote to each file. `before` is kept as its difference to `bytes`: files are long, edits short.
//
// Bytes above kInline stand in `part`: rows of about a page, numbered within the mirror with wide gaps. An edit
// replaces the rows that it touches and, when it has grown beyond one, puts others into the gap behind it.
#include <algorithm>

#include "base/text.h"
#include "store/sqlite/difference.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {
namespace {

constexpr std::size_t kInline = 3000;
constexpr std::size_t kPart = 3500;                          // with its row's overhead, one to a page
constexpr std::size_t kLargestPart = 3900;                   // above it, a part is divided
constexpr std::int64_t kPerMirror = std::int64_t{1} << 40U;  // ids of one mirror's parts
constexpr std::int64_t kGap = std::int64_t{1} << 20U;        // between parts that were written together

std::int64_t first_part(std::int64_t mirror_id) { return mirror_id * kPerMirror; }

}  // namespace

Result<std::vector<std::pair<std::int64_t, std::string>>> SqliteTransaction::parts_of(std::int64_t mirror_id) {
  std::vector<std::pair<std::int64_t, std::string>> parts;
  PAWL_ASSIGN(Statement rows, use(Sql::parts));
  rows.bind(first_part(mirror_id), first_part(mirror_id + 1));
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return parts;
    parts.emplace_back(rows.integer(0), rows.text(1));
  }
}

Result<std::string> SqliteTransaction::joined_parts(std::int64_t mirror_id) {
  std::string bytes;
  PAWL_ASSIGN(Statement rows, use(Sql::parts));
  rows.bind(first_part(mirror_id), first_part(mirror_id + 1));
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return bytes;
    bytes += rows.view(1);
  }
}

Result<MirrorRow> SqliteTransaction::read_mirror(Statement& row, MirrorPart part) {
  MirrorRow mirror;
  mirror.path = row.text(1);
  mirror.format = row.text(2);
  mirror.scope = row.text(3);
  mirror.state = row.text(4);
  mirror.head = row.text(5);
  mirror.staged = row.text(6);
  if (part == MirrorPart::without_bytes) return mirror;
  const std::int64_t parts = row.integer(7);
  const std::int64_t head = row.integer(8), tail = row.integer(9);
  mirror.bytes = row.maybe_text(11);
  if (parts > 0) {
    PAWL_ASSIGN(mirror.bytes, joined_parts(row.integer(0)));
    if (static_cast<std::int64_t>(mirror.bytes->size()) != parts) {
      return fail(ErrorCode::corruption, cat("what the store knows of ", mirror.path,
                                             " is damaged: ", mirror.bytes->size(), " bytes instead of ", parts));
    }
  }
  if (row.is_null(10)) return mirror;
  mirror.before = apply(mirror.bytes ? std::string_view(*mirror.bytes) : std::string_view(),
                        {static_cast<std::size_t>(head), static_cast<std::size_t>(tail), row.view(10)});
  if (!mirror.before || head < 0 || tail < 0) {
    return fail(ErrorCode::corruption, cat("what the store knows of ", mirror.path, " is damaged"));
  }
  return mirror;
}

Result<std::optional<MirrorRow>> SqliteTransaction::mirror(std::string_view path, MirrorPart part) {
  PAWL_ASSIGN(Statement row, use(part == MirrorPart::whole ? Sql::mirror : Sql::mirror_place));
  PAWL_ASSIGN(const bool found, row.bind(path).step());
  if (!found) return std::nullopt;
  PAWL_ASSIGN(MirrorRow mirror, read_mirror(row, part));
  return mirror;
}

Result<std::vector<MirrorRow>> SqliteTransaction::mirrors(std::string_view format, MirrorPart part) {
  std::vector<MirrorRow> found;
  PAWL_ASSIGN(Statement rows, use(part == MirrorPart::whole ? Sql::mirrors : Sql::mirror_places));
  rows.bind(format);
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return found;
    PAWL_ASSIGN(MirrorRow mirror, read_mirror(rows, part));
    found.push_back(std::move(mirror));
  }
}

Done SqliteTransaction::write_parts(std::int64_t mirror_id, std::string_view bytes) {
  PAWL_ASSIGN(const auto parts, parts_of(mirror_id));
  std::string old;
  for (const auto& part : parts) old += part.second;
  const Difference edit = difference(old, bytes);

  // The parts from `first` up to `behind` are touched by the edit; `begin` is where the first of them begins.
  std::size_t first = 0, begin = 0;
  while (first < parts.size() && begin + parts[first].second.size() <= edit.same_head)
    begin += parts[first++].second.size();
  std::size_t behind = parts.size(), tail = 0;
  while (behind > first && tail + parts[behind - 1].second.size() <= edit.same_tail)
    tail += parts[--behind].second.size();
  if (first == behind && edit.middle.empty() && old.size() == bytes.size()) return done();

  // New rows go between the neighbours that stay.
  const std::string_view fresh = bytes.substr(begin, bytes.size() - begin - tail);
  const std::size_t count = fresh.size() <= kLargestPart ? (fresh.empty() ? 0 : 1) : (fresh.size() + kPart - 1) / kPart;
  const std::int64_t from = first == 0 ? first_part(mirror_id) : parts[first - 1].first;
  const std::int64_t to =
      behind == parts.size() ? from + kGap * static_cast<std::int64_t>(count + 1) : parts[behind].first;
  const std::int64_t step = (to - from) / static_cast<std::int64_t>(count + 1);
  const bool everything = step == 0 || to > first_part(mirror_id + 1);
  if (everything && !parts.empty()) {
    PAWL_ASSIGN(Statement drop, use(Sql::drop_parts));
    PAWL_TRY(drop.bind(first_part(mirror_id), first_part(mirror_id + 1)).run());
    return write_parts(mirror_id, bytes);
  }
  // One part in place of one keeps its row: the page that held it is the only one to be written.
  if (count == 1 && behind - first == 1) {
    PAWL_ASSIGN(Statement put, use(Sql::put_part));
    return put.bind(parts[first].first, Blob{fresh}).run();
  }
  if (first < behind) {
    PAWL_ASSIGN(Statement drop, use(Sql::drop_parts));
    PAWL_TRY(drop.bind(parts[first].first, parts[behind - 1].first + 1).run());
  }
  for (std::size_t i = 0; i < count; ++i) {
    PAWL_ASSIGN(Statement put, use(Sql::put_part));
    PAWL_TRY(put.bind(from + step * static_cast<std::int64_t>(i + 1), Blob{fresh.substr(i * kPart, kPart)}).run());
  }
  return done();
}

Done SqliteTransaction::write_mirror(const MirrorRow& mirror) {
  const std::string_view bytes = mirror.bytes ? std::string_view(*mirror.bytes) : std::string_view();
  const Difference change = mirror.before ? difference(bytes, *mirror.before) : Difference{};
  const std::optional<Blob> middle = mirror.before ? std::optional(Blob{change.middle}) : std::nullopt;
  const bool in_parts = bytes.size() > kInline;
  const std::optional<Blob> in_row = mirror.bytes && !in_parts ? std::optional(Blob{bytes}) : std::nullopt;
  const auto parts = static_cast<std::int64_t>(in_parts ? bytes.size() : 0);
  const auto head = static_cast<std::int64_t>(change.same_head), tail = static_cast<std::int64_t>(change.same_tail);
  const auto put = [&](bool whatever_parts) -> Result<bool> {
    PAWL_ASSIGN(Statement update, use(Sql::put_mirror));
    PAWL_TRY(update
                 .bind(mirror.path, mirror.format, mirror.scope, mirror.state, mirror.head, mirror.staged, parts, head,
                       tail, middle, in_row, whatever_parts)
                 .run());
    return sqlite3_changes(connection_->handle()) == 1;
  };
  // Short before and short now, as most are: one statement.
  if (!in_parts) {
    PAWL_ASSIGN(const bool updated, put(false));
    if (updated) return done();
  }
  std::int64_t id = 0;
  std::int64_t parts_before = 0;
  {
    PAWL_ASSIGN(Statement row, use(Sql::mirror));
    PAWL_ASSIGN(const bool found, row.bind(mirror.path).step());
    if (found) {
      id = row.integer(0);
      parts_before = row.integer(7);
    }
  }
  if (id == 0) {
    PAWL_ASSIGN(Statement insert, use(Sql::new_mirror));
    PAWL_TRY(insert
                 .bind(mirror.path, mirror.format, mirror.scope, mirror.state, mirror.head, mirror.staged, parts, head,
                       tail, middle, in_row)
                 .run());
    id = sqlite3_last_insert_rowid(connection_->handle());
  } else {
    PAWL_TRY(put(true));
  }
  if (in_parts) return write_parts(id, bytes);
  if (parts_before == 0) return done();
  PAWL_ASSIGN(Statement drop, use(Sql::drop_parts));
  return drop.bind(first_part(id), first_part(id + 1)).run();
}

}  // namespace pawl::sqlite
