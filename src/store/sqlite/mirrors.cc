// What pawl last wrote to each file. `before` is kept as its difference to `bytes`: files are long, edits short.
//
// Bytes above kInline stand in `part`: rows of about a page, numbered within the mirror with wide gaps. An edit
// replaces the rows that it touches and, when it has grown beyond one, puts others into the gap behind it. In their
// place the mirror's row has their fingerprint, so that a file that is as it was left costs none of these pages. (Rows
// of an older pawl have none: NULL.)
#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/fingerprint.h"
#include "base/text.h"
#include "store/sqlite/difference.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {
namespace {

constexpr std::size_t kInline = kPageSize * 7 / 10;
constexpr std::size_t kPart = kPageSize * 17 / 20;           // with its row's overhead, one to a page
constexpr std::size_t kLargestPart = kPageSize * 19 / 20;    // above it, a part is divided
constexpr std::int64_t kPerMirror = std::int64_t{1} << 40U;  // ids of one mirror's parts
constexpr std::size_t kOther = SIZE_MAX;                     // not what the parts hold
constexpr std::int64_t kGap = std::int64_t{1} << 20U;        // between parts that were written together

Error damaged(const std::string& path) {
  return {ErrorCode::corruption, cat("what the store knows of ", path, " is damaged"),
          "pawl doctor tells more; nothing was deleted"};
}

bool by_path(const MirrorRow& row, std::string_view path) { return row.path < path; }

std::int64_t first_part(std::int64_t mirror_id) { return mirror_id * kPerMirror; }

}  // namespace

Result<std::string> SqliteTransaction::joined_parts(std::int64_t mirror_id, std::size_t size) {
  std::string bytes;
  constexpr std::size_t kMostAtOnce = std::size_t{64} << 20U;  // a row that lies takes no more
  bytes.reserve(std::min(size, kMostAtOnce));
  PAWL_ASSIGN(Statement rows, use(Sql::parts));
  rows.bind(first_part(mirror_id), first_part(mirror_id + 1));
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return bytes;
    bytes += rows.view(1);
  }
}

Result<MirrorRow> SqliteTransaction::read_mirror(Statement& row, std::string path, MirrorPart part) {
  MirrorRow mirror;
  mirror.path = std::move(path);
  mirror.format = row.text(1);
  mirror.scope = row.text(2);
  mirror.state = row.text(3);
  mirror.head = row.text(4);
  mirror.staged = row.text(5);
  if (part == MirrorPart::without_bytes) return mirror;
  const MirrorPlace place{row.integer(0), row.integer(6)};
  if (access_ == Access::write) places_.insert_or_assign(mirror.path, place);
  if (place.size > 0 && part == MirrorPart::to_compare && is_fingerprint(row.view(8))) {
    mirror.fingerprint = row.text(8);
    return mirror;
  }
  if (place.size <= 0) {
    mirror.bytes = row.maybe_text(8);
  } else {
    PAWL_ASSIGN(mirror.bytes, joined_parts(place.id, static_cast<std::size_t>(place.size)));
    if (static_cast<std::int64_t>(mirror.bytes->size()) != place.size) return tl::unexpected(damaged(mirror.path));
  }
  if (row.is_null(7) || part == MirrorPart::without_before || part == MirrorPart::to_compare) return mirror;
  const std::optional<Difference> change = read_difference(row.view(7));
  if (change) mirror.before = applied(mirror.bytes ? std::string_view(*mirror.bytes) : std::string_view(), *change);
  if (!mirror.before) return tl::unexpected(damaged(mirror.path));
  return mirror;
}

Result<std::optional<MirrorRow>> SqliteTransaction::mirror(std::string_view path, MirrorPart part) {
  if (part == MirrorPart::to_compare && all_mirrors_) {
    const auto known = std::lower_bound(all_mirrors_->begin(), all_mirrors_->end(), path, by_path);
    const bool found = known != all_mirrors_->end() && known->path == path;
    if (found && (known->bytes || !known->fingerprint.empty())) return *known;
  }
  PAWL_ASSIGN(Statement row, use(Sql::mirror));
  PAWL_ASSIGN(const bool found, row.bind(path).step());
  if (!found) return std::nullopt;
  PAWL_ASSIGN(MirrorRow mirror, read_mirror(row, std::string(path), part));
  return mirror;
}

Result<std::vector<MirrorRow>> SqliteTransaction::mirrors(std::string_view format, MirrorPart part) {
  std::vector<MirrorRow> found;
  if (part == MirrorPart::without_bytes) {
    PAWL_ASSIGN(const std::vector<MirrorRow>* const all, all_mirrors());
    for (const MirrorRow& row : *all) {
      if (row.format != format) continue;
      MirrorRow& place = found.emplace_back(row);
      place.bytes.reset();
      place.fingerprint.clear();
    }
    return found;
  }
  PAWL_ASSIGN(Statement rows, use(Sql::mirrors));
  rows.bind(format);
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return found;
    PAWL_ASSIGN(MirrorRow mirror, read_mirror(rows, rows.text(9), part));
    found.push_back(std::move(mirror));
  }
}

// Whoever looks at all files asks for one format after the other, and then for what each was left with. No index leads
// to a format's, so all are read at once, and with them what there is to compare: bytes that are few, or a fingerprint.
Result<const std::vector<MirrorRow>*> SqliteTransaction::all_mirrors() {
  if (all_mirrors_) return &*all_mirrors_;
  std::vector<MirrorRow> all;
  PAWL_ASSIGN(Statement rows, use(Sql::all_mirrors));
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) break;
    PAWL_ASSIGN(MirrorRow mirror, read_mirror(rows, rows.text(9), MirrorPart::without_bytes));
    const std::string_view bytes = rows.view(8);
    if (rows.integer(6) > 0) {
      if (is_fingerprint(bytes)) mirror.fingerprint = bytes;
    } else if (!rows.is_null(8)) {
      mirror.bytes = bytes;
    }
    all.push_back(std::move(mirror));
  }
  std::sort(all.begin(), all.end(), [](const MirrorRow& a, const MirrorRow& b) { return by_path(a, b.path); });
  return &all_mirrors_.emplace(std::move(all));
}

Result<SqliteTransaction::MirrorPlace> SqliteTransaction::place_of(const std::string& path) {
  if (const auto known = places_.find(path); known != places_.end()) return known->second;
  PAWL_ASSIGN(Statement row, use(Sql::mirror));
  PAWL_ASSIGN(const bool found, row.bind(path).step());
  return found ? MirrorPlace{row.integer(0), row.integer(6)} : MirrorPlace{};
}

Done SqliteTransaction::drop_parts(std::int64_t from, std::int64_t below) {
  PAWL_ASSIGN(Statement drop, use(Sql::drop_parts));
  return drop.bind(from, below).run();
}

Done SqliteTransaction::write_parts(std::int64_t mirror_id, std::string_view bytes, std::string_view before) {
  struct Part {
    std::int64_t id;
    std::size_t size;
  };
  std::vector<Part> parts;
  // What stood in the file before is mostly what the parts hold; then it need not be put together once more.
  std::size_t same = 0;
  {
    PAWL_ASSIGN(Statement rows, use(Sql::parts));
    rows.bind(first_part(mirror_id), first_part(mirror_id + 1));
    while (true) {
      PAWL_ASSIGN(const bool more, rows.step());
      if (!more) break;
      const std::string_view part = rows.view(1);
      parts.push_back({rows.integer(0), part.size()});
      same = same != kOther && same <= before.size() && before.substr(same, part.size()) == part ? same + part.size()
                                                                                                 : kOther;
    }
  }
  std::string joined;
  if (same != before.size()) {
    PAWL_ASSIGN(joined, joined_parts(mirror_id, bytes.size()));
    before = joined;
  }
  const std::string_view old = before;
  const Difference edit = difference(old, bytes);
  if (edit.middle.empty() && edit.early.empty() && old.size() == bytes.size()) return done();

  // Parts before `first` and from `behind` on stay; between them stands what is at `begin` and not in the last `tail`.
  std::size_t first = 0, begin = 0;
  for (auto early = edit.early.begin(); first < parts.size() && begin + parts[first].size <= edit.same_head;) {
    const std::size_t end = begin + parts[first].size;
    bool touched = false;
    // One that goes over the edge of a part touches the next one too.
    while (early != edit.early.end() && early->at < end) {
      touched = true;
      if (early->at + early->bytes.size() > end) break;
      ++early;
    }
    if (touched) {
      PAWL_ASSIGN(Statement put, use(Sql::put_part));
      PAWL_TRY(put.bind(parts[first].id, Blob{bytes.substr(begin, parts[first].size)}).run());
    }
    begin = end;
    ++first;
  }
  std::size_t behind = parts.size(), tail = 0;
  while (behind > first && tail + parts[behind - 1].size <= edit.same_tail) tail += parts[--behind].size;
  const std::string_view fresh = bytes.substr(begin, bytes.size() - begin - tail);

  // One in place of one keeps its number: the page that held it is the only one to be written.
  if (behind - first == 1 && !fresh.empty() && fresh.size() <= kLargestPart) {
    PAWL_ASSIGN(Statement put, use(Sql::put_part));
    return put.bind(parts[first].id, Blob{fresh}).run();
  }
  const auto count = static_cast<std::int64_t>((fresh.size() + kPart - 1) / kPart);
  const std::int64_t low = first == 0 ? first_part(mirror_id) : parts[first - 1].id;
  const std::int64_t high = behind == parts.size() ? low + kGap * (count + 1) : parts[behind].id;
  const std::int64_t step = (high - low) / (count + 1);
  if (step == 0 || high > first_part(mirror_id + 1)) {
    // No number is left in the gap: all are given anew.
    PAWL_TRY(drop_parts(first_part(mirror_id), first_part(mirror_id + 1)));
    return write_parts(mirror_id, bytes, {});
  }
  if (first < behind) PAWL_TRY(drop_parts(parts[first].id, parts[behind - 1].id + 1));
  for (std::int64_t i = 0; i < count; ++i) {
    PAWL_ASSIGN(Statement put, use(Sql::put_part));
    PAWL_TRY(put.bind(low + step * (i + 1), Blob{fresh.substr(static_cast<std::size_t>(i) * kPart, kPart)}).run());
  }
  return done();
}

Done SqliteTransaction::write_mirror(const MirrorRow& mirror) {
  all_mirrors_.reset();
  const std::string_view bytes = mirror.bytes ? std::string_view(*mirror.bytes) : std::string_view();
  std::string difference_text;
  std::optional<Blob> before, in_row;
  if (mirror.before) {
    difference_text = written(difference(bytes, *mirror.before));
    before = Blob{difference_text};
  }
  const bool in_parts = bytes.size() > kInline;
  const std::string fingerprint = in_parts ? fingerprint_of(bytes) : std::string();
  if (mirror.bytes) in_row = Blob{in_parts ? std::string_view(fingerprint) : bytes};

  PAWL_ASSIGN(MirrorPlace place, place_of(mirror.path));
  const std::int64_t size_before = std::exchange(place.size, in_parts ? static_cast<std::int64_t>(bytes.size()) : 0);
  if (place.id == 0) {
    PAWL_ASSIGN(Statement insert, use(Sql::new_mirror));
    PAWL_TRY(insert
                 .bind(mirror.path, mirror.format, mirror.scope, mirror.state, mirror.head, mirror.staged, place.size,
                       before, in_row)
                 .run());
    place.id = sqlite3_last_insert_rowid(connection_->handle());
  } else {
    PAWL_ASSIGN(Statement update, use(Sql::put_mirror));
    PAWL_TRY(update
                 .bind(place.id, mirror.format, mirror.scope, mirror.state, mirror.head, mirror.staged, place.size,
                       before, in_row)
                 .run());
  }
  places_.insert_or_assign(mirror.path, place);
  if (in_parts)
    return write_parts(place.id, bytes, mirror.before ? std::string_view(*mirror.before) : std::string_view());
  return size_before > 0 ? drop_parts(first_part(place.id), first_part(place.id + 1)) : done();
}

}  // namespace pawl::sqlite
